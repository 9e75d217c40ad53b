# Labels that are not known, as users have them.
source "$(dirname "$0")/../../cli/lib.sh"
"$GAPWISE" sample --task sequence --examples 40 --output full.txt || fail "sample"
awk 'NF { if (++k % 3 == 0) $NF = "?" } { print }' full.txt >hidden.txt
unknown=$(grep -c ' ?$' hidden.txt)
train=("$GAPWISE" train --data hidden.txt)

expect 0 "rounds" "${train[@]}" --test full.txt --json --label-rounds 3 --model m.gapwise
says "$unknown labels not known" "what was read"
says "^round 1: gap [0-9.e-]+ % certified \(converged\) on what is known alone; $unknown labels completed" \
  "the first round"
says "^round [23], the last one: $unknown labels as completed by round" "the last round"
is "$(field label_rounds <out.txt | field unknown)" "$unknown" "how many"
is "$(field certified <out.txt)" true "certified"
is "$(field n <out.txt)" 40 "the examples of the last round"
"$GAPWISE" inspect m.gapwise --json >model.json
is "$(field settings <model.json | field completed_labels)" "$unknown" "what the model says"
"$GAPWISE" predict --model m.gapwise --data full.txt | awk 'NF { print $NF }' | grep -qx '?' &&
  fail "a model that predicts ?"

# The same without a word, and again bit for bit; also from a checkpoint.
expect 0 "quiet" "${train[@]}" --quiet --label-rounds 3 --model again.gapwise
[ -s err.txt ] && fail "quiet says $(head -c 200 err.txt)"
same m.gapwise again.gapwise "again"
expect 0 "a longer run" "${train[@]}" --quiet --label-rounds 3 --relative-gap 1e-4 --model long.gapwise
expect 0 "with a checkpoint" "${train[@]}" --quiet --label-rounds 3 --relative-gap 1e-4 \
  --checkpoint c.gapwise
expect 0 "resumed" "${train[@]}" --quiet --label-rounds 3 --relative-gap 1e-4 --resume c.gapwise \
  --model resumed.gapwise
same long.gapwise resumed.gapwise "resumed"

awk '{ sub(/ \?$/, " UNKNOWN") } { print }' hidden.txt >named.txt
expect 0 "another mark" "$GAPWISE" train --quiet --data named.txt --label-rounds 3 \
  --unknown-label UNKNOWN --model named.gapwise
"$GAPWISE" predict --model m.gapwise --data full.txt >a.txt
"$GAPWISE" predict --model named.gapwise --data full.txt >b.txt
same a.txt b.txt "the same predictions"
expect 0 "no mark" "${train[@]}" --quiet --unknown-label none --json
is "$(field label_rounds <out.txt)" "" "an ordinary label"
expect 3 "another mark, but ?" "${train[@]}" --quiet --unknown-label UNKNOWN
says "hidden.txt:[0-9]+: the label is '\?', which stands for one that is not known" "the mark"

expect 2 "lambda" "${train[@]}" --lambda auto
says "lambda cannot be chosen while labels are not known; give --lambda a number" "lambda"
expect 2 "a proof" "${train[@]}" --proof p --model x.gapwise
says "leave out --proof" "a proof"
expect 2 "one round" "${train[@]}" --label-rounds 1
yes 1 | head -n 40 >weights.txt
expect 3 "weights" "${train[@]}" --example-weights weights.txt
says "hidden.txt: $unknown labels are not known" "weights"
expect 3 "a path" "$GAPWISE" path --data hidden.txt --path p.path
says "labels are not known" "a path"
expect 3 "compare" "$GAPWISE" compare --data hidden.txt --solvers bcfw,fw --output folder
says "labels are not known" "compare"
awk 'NF { $NF = "?" } { print }' full.txt >nothing.txt
expect 3 "nothing known" "$GAPWISE" train --data nothing.txt
says "nothing.txt: no label is known" "nothing known"
finish
