# Weights of examples and labels as users give them.
source "$(dirname "$0")/lib.sh"
letters 40 >words.txt
train=("$GAPWISE" train --quiet --json --data words.txt --lambda 1/n --relative-gap 1e-6)

# An example twice in the file is one of weight 2; with 1/n nothing else is to be changed.
"${train[@]}" --model plain.gapwise >plain.json || fail "without weights"
n=$(field n <plain.json)
for i in $(seq "$n"); do echo $((i % 3 == 0 ? 2 : 1)); done >weights.txt
expect 0 "weights" "${train[@]}" --example-weights weights.txt --model m.gapwise --proof p.gapwise
cp out.txt weighted.json
is "$(field certified <weighted.json)" true "certified"
[ "$(field primal <weighted.json)" != "$(field primal <plain.json)" ] || fail "weights change nothing"
sum=$(awk '{ s += $1 } END { print s }' weights.txt)
is "$("$GAPWISE" inspect m.gapwise --json | field settings | field example_weights)" "$sum" "the setting"

expect 0 "the proof with its weights" "$GAPWISE" verify --data words.txt --example-weights weights.txt \
  --model m.gapwise --proof p.gapwise
expect 3 "the proof without" "$GAPWISE" verify --data words.txt --model m.gapwise --proof p.gapwise
says "weights of examples" "what differs"

expect 0 "a short run" "${train[@]}" --example-weights weights.txt --max-passes 2 --checkpoint c.gapwise
expect 0 "resumed" "${train[@]}" --example-weights weights.txt --resume c.gapwise --model r.gapwise
same r.gapwise m.gapwise "the resumed model"
expect 3 "resumed without" "${train[@]}" --resume c.gapwise
expect 0 "a path" "$GAPWISE" path --quiet --data words.txt --example-weights weights.txt --path p.path \
  --relative-epsilon 0.2 --lambda-min 0.1

head -n 5 weights.txt >short.txt
expect 3 "too few" "${train[@]}" --example-weights short.txt
says "short.txt: has 5 weights for $n examples" "how many"
for bad in 0 -1 x inf ''; do
  { sed 1q weights.txt; echo "$bad"; sed 1,2d weights.txt; } >bad.txt
  expect 3 "weight '$bad'" "${train[@]}" --example-weights bad.txt
  says "bad.txt:2: '$bad' is no weight of an example" "line 2"
done
expect 3 "no file" "${train[@]}" --example-weights none.txt
expect 2 "a model over the weights" "${train[@]}" --example-weights weights.txt --model weights.txt

expect 0 "balanced" "${train[@]}" --label-weights balanced --model b.gapwise
is "$("$GAPWISE" inspect b.gapwise --json | field settings | field label_weights)" balanced "the rule"
echo "a 2" >labels.txt
expect 0 "a file" "${train[@]}" --label-weights labels.txt
echo "nobody 2" >labels.txt
expect 3 "an unknown label" "${train[@]}" --label-weights labels.txt
says "labels.txt:1: label 'nobody' is not in the training data" "which"
expect 2 "slack" "${train[@]}" --label-weights balanced --rescaling slack
says "leave out --label-weights" "slack"
for task in multiclass multilabel segmentation; do
  "$GAPWISE" sample --task $task --output $task.data
  expect 0 "$task" "$GAPWISE" train --quiet --task $task --data $task.data --label-weights balanced \
    --max-passes 20 --model t.gapwise
  expect 0 "$task evaluated" "$GAPWISE" evaluate --model t.gapwise --data $task.data
done
finish
