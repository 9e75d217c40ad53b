# Exit codes, messages and suggestions: 0 done, 2 usage, 3 bad data.
source "$(dirname "$0")/lib.sh"
letters 60 >words.txt

expect 2 "no verb" "$GAPWISE"
expect 0 "--version" "$GAPWISE" --version
grep -q -E '^gapwise [0-9]+\.[0-9]+\.[0-9]+( |$)' out.txt || fail "--version says: $(cat out.txt)"
expect 0 "help" "$GAPWISE" help
for verb in train predict evaluate verify compare inspect demo help; do
  expect 0 "help $verb" "$GAPWISE" help $verb
  awk 'length > 79 { print "too wide: " $0; bad = 1 } END { exit bad }' out.txt ||
    fail "help $verb is wider than 79 columns: $(awk 'length > 79' out.txt | head -1)"
  cp out.txt help.txt
  expect 0 "$verb --help" "$GAPWISE" $verb --help
  same out.txt help.txt "'$verb --help' is 'help $verb'"
done
expect 2 "unknown verb" "$GAPWISE" trian
says "did you mean 'train'" "unknown verb"
expect 2 "help on an unknown verb" "$GAPWISE" help evaluat
says "did you mean 'evaluate'" "help on an unknown verb"

train=("$GAPWISE" train --quiet --data words.txt)
expect 2 "unknown option" "${train[@]}" --lamda 1
says "unknown option '--lamda'; did you mean '--lambda'" "unknown option"
expect 2 "missing --data" "$GAPWISE" train
says "missing: --data FILE" "missing --data"
expect 2 "stray word" "${train[@]}" stray
expect 2 "missing value" "${train[@]}" --model
says "--model needs a value" "missing value"
expect 2 "a model on standard output" "${train[@]}" --model -
says "name of a file" "a model on standard output"
expect 2 "a gap without a dual" "${train[@]}" --solver perceptron --relative-gap 0.1
says "relative-gap 0.1 has no meaning for solver perceptron" "a gap without a dual"
for folds in "all but " "all but x" "All but 1" 3-1; do
  expect 2 "folds '$folds'" "${train[@]}" --test-folds "$folds"
  says "folds '$folds' must be" "folds '$folds'"
done
expect 2 "an empty name" "${train[@]}" --model ""
says "--model needs a value FILE, found an empty one" "an empty name"
expect 2 "an option in place of folds" "${train[@]}" --test-folds --max-passes 1
expect 3 "no folds left" "${train[@]}" --test-folds 0-99
says "folds all but 0-99" "no folds left"
expect 2 "an option for a value" "${train[@]}" --model --json
expect 2 "option given twice" "${train[@]}" --seed 1 --seed 2
says "seed is given more than once" "option given twice"
expect 2 "flag given twice" "${train[@]}" --quiet
expect 2 "unknown task" "${train[@]}" --task nonsense
expect 2 "unknown format" "${train[@]}" --format nonsense
expect 2 "unknown solver" "${train[@]}" --solver nonsense
expect 2 "unknown sampling" "${train[@]}" --sampling nonsense
for lambda in 0 -1 nan inf 1/0 1/ 0/n -1/n 1e400 abc ""; do
  expect 2 "lambda '$lambda'" "${train[@]}" --lambda "$lambda" --model never.model
  says "lambda" "lambda '$lambda'"
done
expect 2 "several options out of range" "${train[@]}" --lambda 0 --max-passes 0
says "lambda.*max-passes" "all of them are named"
expect 2 "no threads" "${train[@]}" --threads 0
expect 2 "trace-clock without trace" "${train[@]}" --trace-clock no
expect 2 "trace-test without test data" "${train[@]}" --trace t.jsonl --trace-test
expect 2 "test-every without test data" "${train[@]}" --trace t.jsonl --test-every 1
expect 2 "bad folds" "${train[@]}" --test-folds x
expect 2 "model in a directory that is not there" "${train[@]}" --model no/where/m
says "mkdir -p" "model in a directory that is not there"
mkdir folder
expect 2 "model that is a directory" "${train[@]}" --model folder
expect 2 "model and trace in one file" "${train[@]}" --model x --trace x
expect 2 "model over the data" "${train[@]}" --model words.txt
expect 2 "train and test from standard input" "$GAPWISE" train --data - --test-folds 0
expect 3 "data that are not there" "$GAPWISE" train --quiet --data missing.txt
says "missing.txt" "data that are not there"
expect 3 "test data that are not there" "${train[@]}" --test missing.txt --model never.model
expect 3 "checkpoint that is not there" "${train[@]}" --resume missing.checkpoint
says "leave out --resume" "checkpoint that is not there"
expect 3 "model that is not there" "$GAPWISE" inspect missing.model
expect 3 "data for a model" "$GAPWISE" evaluate --model words.txt --data words.txt
[[ ! -e never.model ]] || fail "a model was written by a run that failed"

if [[ $(id -u) != 0 ]]; then
  mkdir locked && chmod 555 locked
  expect 2 "model in a locked directory" "${train[@]}" --model locked/m
fi
"$GAPWISE" help | head -1 >/dev/null
if [[ -e /dev/full ]]; then
  "$GAPWISE" help >/dev/full 2>err.txt && fail "a full disk under standard output is not told"
fi
finish
