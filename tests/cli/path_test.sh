# `path`: weights for every lambda; going on after a kill; the verbs that take a path.
source "$(dirname "$0")/lib.sh"

letters 40 >words.txt
letters 20 2 >new.txt
finer=("$GAPWISE" path --quiet --json --data words.txt --test new.txt --lambda-min 0.001 --path-clock no
  --checkpoint-seconds 0 --epsilon)
follow=("${finer[@]}" 0.05)

expect 0 "a path" "${follow[@]}" --path whole.path
is "$(field status <out.txt) $(field epsilon <out.txt)" "converged 0.05" "a path"
end=$(field lambda_end <out.txt)
awk -v end="$end" 'BEGIN { exit !(end <= 0.001) }' || fail "the path ends at $end"

for lambda in 100 0.5 0.0123 0.001; do
  expect 0 "evaluate at $lambda" "$GAPWISE" evaluate --path whole.path --lambda $lambda --data new.txt --json
  grep -q "^lambda $lambda: .* certified to be at most 0.0" err.txt ||
    fail "no guarantee at $lambda: $(cat err.txt)"
done
expect 0 "predict" "$GAPWISE" predict --path whole.path --lambda 0.01 --data new.txt --output p.txt
test -s p.txt || fail "predict --path writes nothing"
expect 0 "inspect" "$GAPWISE" inspect --path whole.path --lambda 0.01 --json
is "$(field settings <out.txt | field lambda)" 0.01 "inspect --path"

expect 2 "no model at all" "$GAPWISE" evaluate --data new.txt
says "--model FILE, or --path FILE with --lambda X" "no model at all"
expect 2 "a path without a lambda" "$GAPWISE" evaluate --path whole.path --data new.txt
says "--lambda" "a path without a lambda"
expect 2 "below the end" "$GAPWISE" evaluate --path whole.path --lambda 1e-9 --data new.txt
says "below .* where this path ends" "below the end"
expect 3 "a path is no model" "$GAPWISE" evaluate --model whole.path --data new.txt
expect 2 "no dual" "${follow[@]}" --path x.path --solver ssg
expect 2 "the training data as output" "${follow[@]}" --path words.txt

# Killed at any moment, it goes on to the same bytes.
for pause in 0.02 0.05 0.1; do
  rm -f part.path part.path.state
  kill_and_repeat $pause "${follow[@]}" --path part.path
  same part.path whole.path "going on after $pause s"
done

# Longer and finer from what is there.
expect 0 "finer" "${finer[@]}" 0.03 --path whole.path
is "$(field epsilon <out.txt)" 0.03 "finer"
expect 3 "other data" "$GAPWISE" path --quiet --data new.txt --path whole.path --epsilon 0.05
says "other training data" "other data"
finish
