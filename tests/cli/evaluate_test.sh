# `evaluate` by label, with intervals and against another model; constraints from end to end.
source "$(dirname "$0")/lib.sh"

chunked_sentences >train.txt
"$GAPWISE" train --data train.txt --model free.model --lambda 10 --max-passes 1 --quiet >/dev/null
"$GAPWISE" train --data train.txt --model bio.model --lambda 0.01 --constraints bio --quiet >/dev/null
"$GAPWISE" inspect --model bio.model | grep -q constraints || fail "inspect does not tell the constraints"

"$GAPWISE" evaluate --model bio.model --data train.txt --by-label --confusions 3 --worst 2 --confidence 90 \
  --against free.model >out.txt
for words in "f1 " "(90 %)" "label  precision" "better by" "p value" "right"; do
  grep -qF -- "$words" out.txt || fail "no '$words' in: $(cat out.txt)"
done
grep -qE '^N +100.00 +100.00 +100.00 +3 +3$' out.txt || fail "chunks of type N: $(cat out.txt)"

"$GAPWISE" evaluate --model free.model --data train.txt --json --by-label --worst 1 --confidence 90 \
  --against bio.model >out.json
for key in intervals labels confusions worst against; do
  grep -q "\"$key\"" out.json || fail "no $key in: $(cat out.json)"
done

"$GAPWISE" evaluate --model bio.model --data train.txt >plain.txt
"$GAPWISE" evaluate --model bio.model --data train.txt --by-label | head -n 6 | cmp - plain.txt ||
  fail "figures differ with --by-label"

# Nothing invalid comes out, whatever goes in.
printf 'x Y ?\ncat N ?\ncat N ?\nbig A ?\n\nbig A ?\n\n' >strange.txt
"$GAPWISE" predict --model bio.model --data strange.txt --output tagged.txt
awk 'NF == 0 { last = "O"; next } { now = $NF }
     now ~ /^I-/ && substr(last, 3) != substr(now, 3) { exit 1 } { last = now }' tagged.txt ||
  fail "a forbidden step in: $(cat tagged.txt)"

printf 'dog N I-N\n\n' >>train.txt
expect 3 "a truth that is forbidden" "$GAPWISE" train --data train.txt --model never.model --constraints bio
says "sequence 4 starts with 'I-N'" "a truth that is forbidden"
[ ! -e never.model ] || fail "a model was written"
expect 2 "all of it" "$GAPWISE" evaluate --model bio.model --data strange.txt --confidence 100
says "confidence = 100 must be" "all of it"
finish
