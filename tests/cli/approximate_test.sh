# Training with a decoder that is not exact: it works, and nothing claims a certificate.
source "$(dirname "$0")/lib.sh"
letters 200 >words.txt
common=(--quiet --data words.txt --test-folds 0,1 --lambda 0.05)

for solver in fw bcfw bcpfw bcafw mpbcfw auto; do
  expect 0 "beam with $solver" "$GAPWISE" train "${common[@]}" --json --solver $solver --beam 1 \
    --model beam.model --trace beam.jsonl
  is "$(field certified <out.txt)" false "certified, with $solver"
  [[ "$(field status <out.txt)" != converged ]] || fail "a run of $solver without certificate converged"
  grep -q '"certified":true' beam.jsonl && fail "the trace of $solver claims a certificate"
done
accuracy=$(field test <out.txt | field token_accuracy)
expect 0 "inspect" "$GAPWISE" inspect beam.model
grep -q -E '^certified +no' out.txt || fail "the model claims a certificate: $(cat out.txt)"
grep -q -E '^beam +1' out.txt || fail "the model does not keep the beam: $(cat out.txt)"
expect 0 "evaluate" "$GAPWISE" evaluate --model beam.model --data words.txt --folds 0,1 --json
is "$(field token_accuracy <out.txt)" "$accuracy" "evaluate decodes as train does"

expect 0 "for people" "$GAPWISE" train --data words.txt --lambda 0.05 --beam 2
grep -q "certified" out.txt && fail "the table speaks of a certificate: $(cat out.txt)"
grep -q '^estimated gap .*>= ' out.txt || fail "the table does not speak of an estimate: $(cat out.txt)"
grep '^pass' err.txt | grep -v -q 'primal >=.*gap >=' && fail "progress is not marked: $(cat err.txt)"

expect 0 "wide beam" "$GAPWISE" train "${common[@]}" --json --beam 3 --trace wide.jsonl --trace-clock no
is "$(field certified <out.txt) $(field status <out.txt)" "true converged" "a beam of all labels"
expect 0 "no beam" "$GAPWISE" train "${common[@]}" --json --trace exact.jsonl --trace-clock no
same wide.jsonl exact.jsonl "a beam of all labels"

expect 0 "slack rescaling" "$GAPWISE" train "${common[@]}" --json --rescaling slack
is "$(field certified <out.txt) $(field status <out.txt)" "true converged" "slack rescaling"
expect 2 "beam and slack" "$GAPWISE" train "${common[@]}" --rescaling slack --beam 2
says "leave out --beam" "beam and slack"
expect 2 "negative beam" "$GAPWISE" train "${common[@]}" --beam=-1
says "beam" "negative beam"
finish
