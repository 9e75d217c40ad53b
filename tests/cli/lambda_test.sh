# The choice of lambda: train --lambda auto, path with --validate, --folds and --grid.
source "$(dirname "$0")/lib.sh"

letters 60 >words.txt
letters 30 2 >dev.txt
letters 30 3 >new.txt

expect 0 "auto" "$GAPWISE" train --data words.txt --lambda auto --test new.txt --json --model auto.model
chosen=$(field lambda <out.txt)
is "$(field search <out.txt | field lambda)" "$chosen" "the chosen lambda"
grep -q "left" err.txt || fail "no estimate of the time left: $(cat err.txt)"
grep -q "^lambda .* found in" err.txt || fail "nothing is said of the choice"
expect 0 "single" "$GAPWISE" train --quiet --data words.txt --lambda "$chosen" --model single.model
same auto.model single.model "auto and a single run at its lambda"
expect 0 "auto on a file" "$GAPWISE" train --quiet --data words.txt --lambda auto --validate dev.txt
expect 2 "validate without auto" "$GAPWISE" train --data words.txt --validate dev.txt
says "--validate is for --lambda auto" "validate without auto"
expect 2 "auto to compare" "$GAPWISE" compare --data words.txt --solvers bcfw --lambda auto --output c
says "--lambda auto is for" "auto to compare"
expect 2 "a pipe" "$GAPWISE" train --data <(cat words.txt) --lambda auto

# A grid, folds and groups, for any format.
grid=("$GAPWISE" path --quiet --json --data words.txt --path-clock no --checkpoint-seconds 0)
expect 0 "a grid" "${grid[@]}" --grid 1:0.001:10 --validate dev.txt --test new.txt --path g.path
is "$(field search <out.txt | field metric)" token_accuracy "the metric of a grid"
lambda=$(field search <out.txt | field lambda)
expect 0 "evaluate a grid" "$GAPWISE" evaluate --path g.path --lambda "$lambda" --data dev.txt --json
expect 2 "off the grid" "$GAPWISE" evaluate --path g.path --lambda 0.5 --data dev.txt
says "none of this grid" "off the grid"
expect 0 "online" "${grid[@]}" --grid 1:0.01:10 --solver sgd --max-passes 5 --folds 3 --path s.path
expect 0 "squared" "${grid[@]}" --grid 1:0.01:10 --solver dcd --warm no --folds 3 --path d.path
expect 2 "epsilon of a grid" "${grid[@]}" --grid 1:0.01 --epsilon 0.1 --path x.path
expect 2 "gap of a path" "${grid[@]}" --relative-gap 0.1 --path x.path
expect 2 "no such metric" "${grid[@]}" --grid 1,0.1 --folds 2 --select beauty --path y.path
says "--select: there is no metric 'beauty'; there are .*token_accuracy" "no such metric"
rm -f y.path*

for task in multiclass multilabel parsing; do
  "$GAPWISE" sample --task $task --examples 40 --output $task.txt
  expect 0 "folds of $task" "$GAPWISE" path --quiet --task $task --data $task.txt --grid 1,0.1 --folds 4 \
    --one-standard-error --path $task.path
  grep -q "<- chosen" out.txt || fail "$task: no lambda is chosen: $(cat out.txt)"
done
awk 'BEGIN { for (i = 0; i < 40; ++i) print int(i / 4) }' >groups.txt
expect 0 "groups" "$GAPWISE" path --quiet --task multiclass --data multiclass.txt --grid 1,0.1 --folds 4 \
  --group-by groups.txt --path groups.path
expect 2 "a group too few" "$GAPWISE" path --quiet --task multiclass --data multiclass.txt --grid 1,0.1 \
  --folds 4 --group-by <(tail -n +2 groups.txt) --path groups2.path
says "39 names of groups for 40 examples" "a group too few"

# Killed at any moment of a cross-validation, it goes on to the same bytes.
folds=("${grid[@]}" --grid 1:0.001:4 --folds 3)
expect 0 "cross-validation" "${folds[@]}" --path whole.path
cp out.txt whole.json
for pause in 0.03 0.1 0.2; do
  rm -f part.path*
  kill_and_repeat $pause "${folds[@]}" --path part.path
  same whole.json out.txt "going on after $pause s"
  for fold in "" .fold1 .fold2 .fold3; do
    same part.path$fold whole.path$fold "going on after $pause s"
  done
done

# So it does in the middle of train --lambda auto.
train=("$GAPWISE" train --quiet --data words.txt --lambda auto --checkpoint-seconds 0)
expect 0 "auto with checkpoints" "${train[@]}" --model whole.model --checkpoint whole.state
for pause in 0.03 0.1 0.2; do
  rm -f part.state*
  "${train[@]}" --model part.model --checkpoint part.state >out.txt 2>err.txt &
  sleep $pause
  kill -KILL $! 2>/dev/null
  wait $! 2>/dev/null
  resume=()
  [[ -e part.state || -e part.state.lambda.fold1 ]] && resume=(--resume part.state)
  expect 0 "auto after $pause s" "${train[@]}" --model part.model --checkpoint part.state "${resume[@]}"
  same whole.model part.model "auto after $pause s"
done
finish
