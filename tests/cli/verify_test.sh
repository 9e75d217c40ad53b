# A model with a proof: what 'verify' accepts, and what it refuses with which exit code.
source "$(dirname "$0")/lib.sh"
letters 80 >words.txt
letters 81 >others.txt

train=("$GAPWISE" train --quiet --data words.txt)
verify=("$GAPWISE" verify --data words.txt)
expect 0 "a run with a proof" "${train[@]}" --model m.gapwise --proof p.gapwise
expect 0 "its proof" "${verify[@]}" --model m.gapwise --proof p.gapwise
grep -q "the claim holds" out.txt || fail "verify says: $(cat out.txt)"
expect 0 "a run on folds" "${train[@]}" --model f.gapwise --proof pf.gapwise --train-folds 1-9
expect 0 "the same folds" "${verify[@]}" --model f.gapwise --proof pf.gapwise --train-folds 1-9
expect 3 "other folds" "${verify[@]}" --model f.gapwise --proof pf.gapwise --train-folds 1-8
says "other training data" "other folds"
expect 3 "the proof of another model" "${verify[@]}" --model f.gapwise --proof p.gapwise
expect 3 "other data" "$GAPWISE" verify --data others.txt --model m.gapwise --proof p.gapwise
says "other training data" "other data"
expect 3 "a model for a proof" "${verify[@]}" --model m.gapwise --proof m.gapwise
says "is a model, expected a proof" "a model for a proof"
expect 3 "a proof for a model" "${verify[@]}" --model p.gapwise --proof p.gapwise
says "a proof is for 'verify', by --proof" "a proof for a model"
head -c 1000 p.gapwise >short.gapwise
expect 3 "half a proof" "${verify[@]}" --model m.gapwise --proof short.gapwise
expect 3 "no proof" "${verify[@]}" --model m.gapwise --proof none.gapwise
expect 2 "a proof without a model" "${train[@]}" --proof p2.gapwise
says "--proof needs --model" "a proof without a model"
expect 2 "a proof without a dual" "${train[@]}" --solver ssg --model m2.gapwise --proof p2.gapwise
says "keep-outputs" "a proof without a dual"
expect 2 "a proof of an average" "${train[@]}" --solver bcfw --average weighted --model m2.gapwise \
  --proof p2.gapwise
[ ! -e m2.gapwise ] || fail "a run that cannot have a proof began all the same"

# The proof changes nothing of the run.
expect 0 "without a proof" "${train[@]}" --model plain.gapwise
same plain.gapwise m.gapwise "the model with and without a proof"

expect 0 "an oracle that is in order" "$GAPWISE" train --data words.txt --check-oracle --max-passes 1
grep -q "oracle checked" err.txt || fail "--check-oracle says: $(cat err.txt)"
finish
