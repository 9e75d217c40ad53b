# gapwise compare: entries, files, tables, runs that fail or are interrupted; --oracle-delay.
source "$(dirname "$0")/lib.sh"
letters 200 >words.txt
compare=("$GAPWISE" compare --quiet --data words.txt --lambda 0.05)
train_keys="task solver objective lambda n dimension status passes effective_passes oracle_calls cached_steps"
train_keys+=" seconds oracle_seconds primal dual gap relative_gap certified"
end_keys="train_loss peak_rss_bytes test main_metric"
# What bcfw sees of every example, fw does not.
bcfw_keys="$train_keys foreseen_gap gap_unevenness $end_keys block_gaps"
fw_keys="$train_keys $end_keys"

expect 2 "a constraint that an entry cannot keep" "${compare[@]}" --nonnegative all --output never \
  --solvers bcfw,eg
says "nonnegative all is for all entries, but has no meaning for solver eg" "which entry"
expect 0 "compare --json" "${compare[@]}" --test-folds 0 --json --output made/of/two --relative-gap 0.02 \
  --solvers bcfw,fw:max-passes=3,bcfw:lambda=1/n:max-passes=4,bcfw,bcfw:sampling=uniform
cp out.txt array.json
[[ ! -s err.txt ]] || fail "--quiet says: $(cat err.txt)"
is "$(field --size <array.json)" 5 "a summary for each entry"
is "$(field 0 <array.json | field --keys)" "label $bcfw_keys" "keys of a summary"
labels=(bcfw fw+max-passes=3 bcfw+lambda=1_n+max-passes=4 bcfw-2 bcfw+sampling=uniform)
for k in 0 1 2 3 4; do
  keys=$bcfw_keys
  [ $k -ne 1 ] || keys=$fw_keys
  is "$(field $k <array.json | field label)" "${labels[k]}" "label $k"
  is "$(tail -1 "made/of/two/${labels[k]}.jsonl" | field --keys)" "$keys" "trace $k"
  is "$(tail -1 "made/of/two/${labels[k]}.jsonl" | field primal)" \
    "$(field $k <array.json | field primal)" "the trace and the summary of entry $k"
done
is "$(field 1 <array.json | field status)" max_passes "status of an entry with a budget of its own"
is "$(field 2 <array.json | field lambda)" 0.005555555555555556 "lambda of an entry"
is "$(field 0 <array.json | field primal)" "$(field 3 <array.json | field primal)" "the same twice"
same array.json made/of/two/summary.json "summary.json is what --json prints"
awk 'length > 120 { exit 1 }' made/of/two/table.txt || fail "the table is wider than 120 columns"

# An entry is the run that train would make.
expect 0 "train" "$GAPWISE" train --quiet --json --data words.txt --lambda 0.05 --test-folds 0 \
  --relative-gap 0.02 --solver bcfw --sampling uniform --trace alone.jsonl
for key in primal dual oracle_calls train_loss test; do
  is "$(field $key <out.txt)" "$(field 4 <array.json | field $key)" "$key as by train"
done

expect 0 "for people" "$GAPWISE" compare --data words.txt --lambda 0.05 --output people \
  --solvers bcfw,fw --gaps 0.5,0.2 --trace-clock no --test-folds 0
grep -q "^\[2/2\] fw" err.txt || fail "no progress on standard error: $(cat err.txt)"
for words in "to a gap of 50 %" "to a gap of 20 %" "to the end" "result" "test token_accuracy"; do
  grep -q "$words" people/table.txt || fail "'$words' is not in the table: $(cat people/table.txt)"
done
head -n "$(wc -l <people/table.txt)" out.txt >shown.txt
same shown.txt people/table.txt "table.txt is what is printed"
grep -q seconds people/bcfw.jsonl && fail "the clock is in a trace without it"
is "$(field 0 <people/summary.json | field status)" converged "runs go to the smallest of --gaps"
is "$(awk '/^to a gap of 20/ { on = 1 } on && /^bcfw/ { print $2 != "-"; exit }' people/table.txt)" 1 \
  "the gap that was reached is in the table"

expect 0 "with tests on the way" "${compare[@]}" --output tested --test-folds 0 --test-every 1 \
  --sampling gap --max-passes 3 --gaps 0.5 --solvers bcfw,perceptron,ssg,one-slack
is "$(grep -c "^to 99 % of its own last test token_accuracy" tested/table.txt)" 1 "the way to a score"
is "$(awk '/^to 99/ { on = 1 } on && /^perceptron/ { print $3 != "-"; exit }' tested/table.txt)" 1 \
  "a moment of a run that was tested"

# refused PATTERN LIST: a list of solvers that cannot be.
refused() {
  expect 2 "solvers '$2'" "${compare[@]}" --output never --solvers "$2"
  says "$1" "solvers '$2'"
}
refused "entry 'bcwf': there is no solver 'bcwf'; did you mean 'bcfw'" fw,bcwf
refused "entry 'bcfw:samplng=gap': there is no setting 'samplng'; did you mean 'sampling'" \
  bcfw,bcfw:samplng=gap
refused "entry 'bcfw:sampling=odd': --sampling = 'odd' is not one of" bcfw:sampling=odd
refused "entry 'bcfw:max-passes=0': .*max-passes = 0 must be" bcfw:max-passes=0
refused "entry 'bcfw:seed=1:seed=2': 'seed' is set twice" bcfw:seed=1:seed=2
refused "entry 'bcfw:seed': 'seed' needs a value" bcfw:seed
refused "entry 'bcfw:solver=fw': there is no setting 'solver'" bcfw:solver=fw
refused "entry '': a solver is missing" bcfw,
refused "entry 'fw:sampling=uniform': --sampling uniform has no meaning" bcfw,fw:sampling=uniform
[[ -z $(ls never) ]] || fail "a comparison that was refused has written $(ls never)"
for gaps in 0 2 x "" 0.1, nan; do
  expect 2 "gaps '$gaps'" "${compare[@]}" --solvers bcfw --output never --gaps "$gaps"
  says "gaps" "gaps '$gaps'"
done
expect 2 "no solvers" "${compare[@]}" --output never
expect 2 "no output" "${compare[@]}" --solvers bcfw
expect 2 "one solver" "${compare[@]}" --solvers bcfw --output never --solver bcfw
expect 2 "a file for the folder" "${compare[@]}" --solvers bcfw --output words.txt
expect 2 "test from standard input" "${compare[@]}" --solvers bcfw --output never --test -
mkdir -p data && cp words.txt data/bcfw.jsonl
expect 2 "trace over the data" "$GAPWISE" compare --data data/bcfw.jsonl --solvers bcfw --output data
expect 3 "data that are not there" "$GAPWISE" compare --data no.txt --solvers bcfw --output never

seq 200 -1 1 | paste -sd, >order.txt
expect 0 "order" "${compare[@]}" --json --order order.txt --output ordered --max-passes 2 \
  --solvers bcfw,bcfw:sampling=permutation
[[ $(field 0 <out.txt | field dual) != $(field 1 <out.txt | field dual) ]] ||
  fail "an entry with a sampling of its own follows --order"

# wait_for FILE: until it is there.
wait_for() {
  local k
  for ((k = 0; k < 3000; ++k)); do
    [[ -e $1 ]] && return
    sleep 0.01
  done
  fail "there is no $1"
}

letters 1500 >many.txt
endless=(--lambda 0.01/n --relative-gap 0 --max-passes 10000000 --gap-every 1)
"$GAPWISE" compare --quiet --json --data many.txt "${endless[@]}" --output stopped \
  --solvers bcfw:max-passes=2,bcfw,fw >out.txt 2>err.txt &
process=$!
wait_for stopped/bcfw.jsonl
kill -TERM $process
wait $process
is $? 4 "exit code of an interrupted comparison"
says "ended by a signal; 1 of 3 entries have not run" "an interrupted comparison"
is "$(field --size <out.txt)" 2 "entries that ran before the interrupt"
is "$(field 0 <out.txt | field status) $(field 1 <out.txt | field status)" "max_passes interrupted" \
  "status after an interrupt"
same out.txt stopped/summary.json "the summary of an interrupted comparison"
grep -q -E "^fw +not run" stopped/table.txt || fail "the table hides what was not run"
[[ ! -e stopped/fw.jsonl ]] || fail "an interrupted comparison goes on"

# An entry whose numbers grow beyond all bounds costs the others nothing.
letters 20 >test.txt
expect 1 "a comparison with a failure" "$GAPWISE" compare --quiet --json --data words.txt \
  --test test.txt --output failing --solvers one-slack:lambda=1e-300,fw:max-passes=3
says "1 of 2 entries failed; one-slack.lambda=1e-300: with lambda = 1e-300 the primal" "a failure"
is "$(field 0 <out.txt | field status) $(field 1 <out.txt | field status)" "failed max_passes" \
  "status after a failure"
grep -q -E "^one-slack.lambda=1e-300 failed: with lambda" failing/table.txt ||
  fail "the table hides a failure"

# The same run, only slower.
slow=("$GAPWISE" train --solver bcfw --quiet --json --data words.txt --max-passes 2 --threads 1)
expect 0 "plain oracle" "${slow[@]}"
cp out.txt plain.json
expect 0 "slow oracle" "${slow[@]}" --oracle-delay 1 --checkpoint slow.state
for key in primal dual oracle_calls; do
  is "$(field $key <out.txt)" "$(field $key <plain.json)" "$key with a slow oracle"
done
awk -v s="$(field seconds <out.txt)" -v c="$(field oracle_calls <out.txt)" \
  'BEGIN { exit !(s >= 0.001 * c) }' || fail "a slow oracle takes $(field seconds <out.txt) s"
expect 3 "resumed without the delay" "${slow[@]}" --resume slow.state
says "made with --oracle-delay 1, this run has not set" "resumed without the delay"
expect 0 "comparison with a slow oracle" "${compare[@]}" --solvers bcfw --max-passes 1 \
  --oracle-delay 0.1 --output slow
grep -q "every oracle call takes 0.1 ms longer" slow/table.txt || fail "the table hides the delay"
for delay in -1 nan x; do
  expect 2 "oracle-delay $delay" "${slow[@]}" --oracle-delay=$delay
done
finish
