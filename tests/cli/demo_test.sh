# The demonstration: certified, about as hard as promised, and its advice works as printed.
source "$(dirname "$0")/lib.sh"

expect 0 "demo" "$GAPWISE" demo --quiet
grep -q -E '^status +converged' out.txt || fail "the demo does not converge: $(cat out.txt)"
grep -q -E '^certified gap .* \(0\.[0-9]+ % ' out.txt || fail "no certified gap of 1 %"
is "$(grep -c '^A mistake' out.txt)" 2 "mistakes shown"
sed '/^Next, try/,$d' out.txt | awk 'length > 79' | grep -q . && fail "a line is wider than 79 columns"
cp out.txt demo.txt
cp gapwise-demo/words.txt words.txt
expect 0 "demo again" "$GAPWISE" demo --quiet
same words.txt gapwise-demo/words.txt "the same seed gives the same words"

sed -n '/^Next, try/,$p' demo.txt | sed -n 's/^  //p' >commands.txt
(($(wc -l <commands.txt) >= 4)) || fail "too few commands to try"
while read -r command; do
  expect 0 "$command" bash -c "$command"
done <commands.txt

expect 0 "error" "$GAPWISE" evaluate --json --model gapwise-demo/words.model \
  --data gapwise-demo/words.txt --folds 0-1
awk -v a="$(field token_accuracy <out.txt)" 'BEGIN { exit !(a > 0.88 && a < 0.95) }' ||
  fail "the demo is too easy or too hard: $(cat out.txt)"

# Letter by letter, without the words around them, the same pictures are clearly harder to read.
awk '{ $1 = NR; $2 = 1; print }' gapwise-demo/words.txt >alone.txt
expect 0 "letters alone" "$GAPWISE" train --quiet --json --data alone.txt --test-folds 0-1 \
  --lambda 0.01 --max-seconds 20
awk -v a="$(field test <out.txt | field token_accuracy)" 'BEGIN { exit !(a < 0.88) }' ||
  fail "the letters alone are too easy: $(cat out.txt)"

expect 0 "demo elsewhere" "$GAPWISE" demo --quiet --output 'some where/else' --seed 2
[[ -s 'some where/else/words.model' ]] || fail "--output is not heeded"
finish
