# --nonnegative: what is trained, saved, resumed and refused.
source "$(dirname "$0")/lib.sh"
letters 200 >words.txt
train=("$GAPWISE" train --quiet --json --data words.txt --lambda 0.05)

# weights TITLE: the weights of one table of the model, one per line.
weights() {
  "$GAPWISE" inspect m.model --json --top 1000000 | awk -v title="\"$1\"" '
    /"title":/ { is_ours = index($0, title) }
    is_ours && /"weight":/ { sub(/.*"weight": */, ""); print }'
}

expect 0 "no constraint" "${train[@]}" --model m.model
free=$(field primal <out.txt)
weights transitions | grep -q '^-' || fail "without the constraint no transition is negative"

for solver in auto fw bcfw bcpfw bcafw mpbcfw sdm fasole; do
  for average in none weighted; do
    what="$solver, average $average"
    expect 0 "$what" "${train[@]}" --solver $solver --average $average --nonnegative transitions \
      --max-passes 2000 --model m.model
    is "$(field certified <out.txt) $(field status <out.txt)" "true converged" "$what"
    awk -v free="$free" -v bound="$(field primal <out.txt)" 'BEGIN { exit !(bound > free * 1.02) }' ||
      fail "$what: the constraint does not bind"
    [[ -n $(weights transitions) ]] || fail "$what: the model has no transitions"
    weights transitions | grep '^-' && fail "$what: a transition is negative"
    weights start | grep -q '^-' || fail "$what: start weights are bound, too"
  done
done

expect 0 "two groups" "${train[@]}" --nonnegative start,end --model m.model
cat <(weights start) <(weights end) | grep '^-' && fail "a start or end weight is negative"
expect 0 "all" "${train[@]}" --nonnegative all --model m.model
"$GAPWISE" inspect m.model --json --top 1000000 | grep '"weight": -' && fail "a weight is negative"
is "$("$GAPWISE" inspect m.model --json | field settings | field nonnegative)" all "the setting"

expect 2 "a group that is not there" "${train[@]}" --nonnegative edges
says "no group of weights 'edges'.*nodes, start, end, transitions, all" "the groups there are"
expect 2 "kernels" "${train[@]}" --nonnegative all --solver kernel-bcfw
says "auto, fw, bcfw, bcpfw, bcafw, mpbcfw" "the solvers that can"
for solver in cutting-plane dcd perceptron; do
  expect 0 "$solver" "${train[@]}" --nonnegative transitions --solver $solver --max-passes 20 --model m.model
  weights transitions | grep '^-' && fail "$solver: a transition is negative"
done

expect 0 "a checkpoint" "${train[@]}" --nonnegative start --max-passes 2 --checkpoint c.bin
expect 3 "another constraint" "${train[@]}" --max-passes 4 --resume c.bin
says "made with --nonnegative start" "which constraint"

finish
