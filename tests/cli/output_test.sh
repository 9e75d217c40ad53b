# What the program prints and writes: JSON keys, traces, predictions, options.
source "$(dirname "$0")/lib.sh"
letters 200 >words.txt
keys="task solver objective lambda n dimension status passes effective_passes oracle_calls cached_steps seconds"
keys+=" oracle_seconds primal dual gap relative_gap certified train_loss peak_rss_bytes test main_metric decision block_gaps"

expect 0 "train --json" "$GAPWISE" train --quiet --json --data words.txt --test-folds 0,1 \
  --lambda 0.05 --model m.model --trace t.jsonl
is "$(field --keys <out.txt)" "$keys" "keys of the summary"
is "$(wc -l <out.txt)" 1 "lines on standard output"
[[ ! -s err.txt ]] || fail "--quiet says: $(cat err.txt)"
is "$(field n <out.txt)" 160 "training uses the folds that are not tested on"
is "$(field certified <out.txt)" true "certified"
is "$(field status <out.txt)" converged "status"
is "$(tail -1 t.jsonl | field --keys)" "$keys" "keys of the trace"
is "$(tail -1 t.jsonl | field train_loss)" "$(field train_loss <out.txt)" "train loss in the trace"
accuracy=$(field test <out.txt | field token_accuracy)
expect 0 "evaluate --json" "$GAPWISE" evaluate --model m.model --data words.txt --folds 0,1 --json
is "$(field token_accuracy <out.txt)" "$accuracy" "evaluate agrees with train"
expect 0 "evaluate" "$GAPWISE" evaluate --model m.model --data words.txt --folds 0,1
grep -q '^token_accuracy' out.txt || fail "evaluate prints no table: $(cat out.txt)"

expect 0 "a flag with its value beside it" "$GAPWISE" train --quiet --data words.txt --deterministic no \
  --lambda 0.05
expect 2 "a primal beyond all numbers" "$GAPWISE" train --quiet --data words.txt --solver one-slack \
  --lambda 1e-300 --model none.model
[[ ! -e none.model ]] || fail "a model without meaning was written"

expect 0 "budget" "$GAPWISE" train --quiet --json --data words.txt --relative-gap 0 --max-passes 2
is "$(field status <out.txt)" max_passes "status of a run that ran out of passes"
expect 0 "one call" "$GAPWISE" train --quiet --json --data words.txt --max-oracle-calls 1
is "$(field certified <out.txt) $(field primal <out.txt)" "false null" "an unmeasured run"
expect 0 "one call, for people" "$GAPWISE" train --quiet --data words.txt --max-oracle-calls 1
grep -q "^certified" out.txt && fail "an unmeasured run is called certified"
expect 0 "for people" "$GAPWISE" train --data words.txt
grep -q "^certified gap" out.txt || fail "a certified run does not say so"
grep -q "^pass" err.txt || fail "no progress on standard error: $(cat err.txt)"
LC_ALL=C grep -q $'[\x1b\r]' err.txt && fail "control characters where there is no terminal"

expect 0 "trace with tests" "$GAPWISE" train --quiet --data words.txt --relative-gap 0 \
  --max-passes 5 --gap-every 1 --test-folds 0 --trace tests.jsonl --trace-test
is "$(grep -c '"test":{' tests.jsonl)" 5 "lines of the trace with test metrics"
is "$(grep -c '"status":null' tests.jsonl)" 4 "lines of the trace before the end"
expect 0 "trace with tests between measurements" "$GAPWISE" train --quiet --data words.txt \
  --solver perceptron --max-passes 6 --gap-every 4 --test-folds 0 --trace tests.jsonl --test-every 2
is "$(grep -c '"test":{' tests.jsonl)" 4 "passes 2, 4 (measured), 6, and the last measurement"
is "$(grep -c '"primal":null' tests.jsonl)" 2 "tests where nothing was measured"
expect 2 "test-every without a trace" "$GAPWISE" train --quiet --data words.txt --test-folds 0 \
  --test-every 2

# Methods without a dual.
for solver in perceptron mira ssg sgd; do
  expect 0 "$solver" "$GAPWISE" train --json --data words.txt --solver $solver --max-passes 4
  is "$(field certified <out.txt) $(field dual <out.txt) $(field gap <out.txt)" "false null null" \
    "what $solver proves"
  is "$(field status <out.txt)" max_passes "how $solver ends"
  grep -q -E "dual|gap" err.txt && fail "$solver shows a dual: $(cat err.txt)"
done
is "$(field objective <out.txt)" l1 "the objective of sgd"
expect 0 "perceptron for people" "$GAPWISE" train --quiet --data words.txt --solver perceptron \
  --max-passes 4
grep -q "a value the method does not minimise" out.txt || fail "a perceptron without a warning"
expect 2 "sampling by gaps without gaps" "$GAPWISE" train --quiet --data words.txt --solver ssg \
  --sampling gap
says "sees none" "sampling by gaps without gaps"

expect 0 "trace without the clock" "$GAPWISE" train --quiet --data words.txt --trace c.jsonl \
  --trace-clock no
grep -q -E 'seconds|rss' c.jsonl && fail "the clock is in a trace without it"

seq 200 -1 1 | paste -sd, >order.txt
expect 0 "order" "$GAPWISE" train --quiet --data words.txt --order order.txt --model order.model
expect 0 "inspect" "$GAPWISE" inspect order.model
grep -q -E '^sampling +cyclic' out.txt || fail "--order is not cyclic: $(cat out.txt)"
expect 2 "order with another sampling" "$GAPWISE" train --quiet --data words.txt \
  --order order.txt --sampling uniform

expect 0 "predict to a file" "$GAPWISE" predict --model m.model --data words.txt --folds 0 \
  --output p.txt
[[ ! -s out.txt ]] || fail "predict --output prints: $(head -c 100 out.txt)"
expect 0 "predict" "$GAPWISE" predict --model m.model --data words.txt --folds 0 --output -
same out.txt p.txt "predict to standard output"
gzip -c words.txt | "$GAPWISE" predict --model m.model --data - --folds 0 >piped.txt ||
  fail "predict from standard input"
same piped.txt p.txt "predict from standard input"
echo keep >kept.txt
cp kept.txt kept.copy
head -c 100 words.txt >broken.txt
expect 3 "predict on bad data" "$GAPWISE" predict --model m.model --data broken.txt --output kept.txt
same kept.txt kept.copy "predict on bad data leaves its output alone"

expect 0 "inspect" "$GAPWISE" inspect m.model --top 2
for word in solver lambda gap certified labels weights; do
  grep -q "^$word" out.txt || fail "inspect does not show '$word'"
done
expect 0 "inspect --json" "$GAPWISE" inspect m.model --json
field settings <out.txt | field lambda >/dev/null || fail "inspect --json"

expect 0 "the reference of the options" "$GAPWISE" help --markdown
same out.txt "$GAPWISE_SOURCE/docs/options.md" \
  "docs/options.md is stale: gapwise help --markdown > docs/options.md"
finish
