# What a tagger needs in practice, on the public sets of chunks and of entities, where they are.
here=$(cd "$(dirname "$0")" && pwd)
source "$here/../../cli/lib.sh"
source "$here/conlleval.sh"

# invalid FILE: labels in the last column that go on with a chunk that there is not.
invalid() {
  awk 'NF == 0 { last = "O"; next }
       { now = $NF; if (now ~ /^I-/ && substr(last, 3) != substr(now, 3)) ++count; last = now }
       END { print count + 0 }' "$1"
}

# repaired FILE: the same chunks where a chunk begins with I, which is then B.
repaired() {
  awk 'NF == 0 { last = "O"; print; next }
       { now = $NF; if (now ~ /^I-/ && substr(last, 3) != substr(now, 3)) $NF = now = "B" substr(now, 2)
         last = now; print }' "$1"
}

# train_on DATA MODEL OPTIONS...
train_on() {
  local data=$1 model=$2
  shift 2
  expect 0 "training $model" "$GAPWISE" train --task sequence --data "$data" --model "$model" --solver dcd \
    --lambda 20/n --max-passes 10 --quiet "$@"
}

# score MODEL DATA
score() {
  "$GAPWISE" evaluate --model "$1" --data "$2" --json | field f1
}

# within NEAR A B WHAT: A is at most NEAR below B.
within() {
  awk -v near="$1" -v a="$2" -v b="$3" 'BEGIN { exit !(a >= b - near) }' || fail "$4: $2 against $3"
}

for set in conll2000 conll2002-spanish; do
  folder=${GAPWISE_SHARED_DATA:-}/$set
  [[ -n ${GAPWISE_SHARED_DATA:-} && -d $folder ]] || { echo "no $set; skipped"; continue; }
  train=$folder/train.txt test=$folder/test.txt
  [[ $set == conll2000 ]] || { train=$folder/esp.train test=$folder/esp.testb; }

  repaired "$train" >train.txt  # a sentence of the Spanish set begins with I
  train=train.txt

  train_on "$train" plain.model
  compare_tables plain.model "$test" "$set"
  plain=$(score plain.model "$test")
  "$GAPWISE" predict --model plain.model --data "$test" >plain.txt

  train_on "$train" bio.model --constraints bio
  bio=$(score bio.model "$test")
  "$GAPWISE" predict --model bio.model --data "$test" >bio.txt
  is "$(invalid bio.txt)" 0 "$set: invalid transitions under constraints"
  compare_tables bio.model "$test" "$set under constraints"
  within 0.002 "$bio" "$plain" "$set: F1 under constraints"

  train_on "$train" segments.model --segments 17
  segments=$(score segments.model "$test")
  "$GAPWISE" predict --model segments.model --data "$test" >segments.txt
  is "$(invalid segments.txt)" 0 "$set: invalid transitions of segments"
  within 0.01 "$segments" "$plain" "$set: F1 of segments"
  echo "$set: F1 $plain, constrained $bio ($(invalid plain.txt) invalid transitions before), segments $segments"
done

# Probabilities fitted on sentences held out, tested on others.
set=${GAPWISE_SHARED_DATA:-}/conll2000
if [[ -n ${GAPWISE_SHARED_DATA:-} && -d $set ]]; then
  awk 'NF == 0 { ++n } { print > (n < 8000 ? "fit.txt" : "held.txt") }' "$set/train.txt"
  train_on fit.txt fit.model
  expect 0 "calibration" "$GAPWISE" calibrate --model fit.model --data held.txt --test "$set/test.txt" --json
  before=$(field test <out.txt | field before | field calibration_error)
  after=$(field test <out.txt | field after | field calibration_error)
  awk -v a="$before" -v b="$after" 'BEGIN { exit !(b < a) }' || fail "calibration error $before became $after"
  echo "calibration error of conll2000: $before, calibrated $after"

  # 30 % of the labels hidden at random, against dropping the sentences that they are in.
  awk 'BEGIN { srand(1) } NF { if (rand() < 0.3) $NF = "?" } { print }' fit.txt >hidden.txt
  awk 'NF == 0 { if (text != "" && text !~ /\?\n/) printf "%s\n", text; text = ""; next }
       { text = text $0 "\n" }' hidden.txt >whole.txt
  options=(--solver bcfw --max-passes 8)
  for data in fit hidden whole; do
    expect 0 "$data" "$GAPWISE" train --task sequence --data $data.txt --model $data.model --lambda 1/n \
      "${options[@]}" --quiet
  done
  known=$(score hidden.model "$set/test.txt") dropped=$(score whole.model "$set/test.txt")
  all=$(score fit.model "$set/test.txt")
  within 0.01 "$known" "$all" "F1 with labels that are not known"
  within -0.02 "$known" "$dropped" "F1 without the sentences of labels that are not known"
  echo "30 % of the labels hidden: F1 $known; sentences dropped $dropped; all labels $all"
fi
finish
