# Task factor-graph as users run it: samples, training exactly and relaxed, refusals.
source "$(dirname "$0")/../../cli/lib.sh"

"$GAPWISE" sample --task factor-graph --examples 60 --output train.data
"$GAPWISE" sample --task factor-graph --examples 60 --seed 2 --output test.data
train=("$GAPWISE" train --task factor-graph --data train.data --lambda 1/n --relative-gap 0.01 --quiet)

expect 0 "exact training" "${train[@]}" --model m.model --json
is "$(field status <out.txt) $(field certified <out.txt)" "converged true" "the exact certificate"
grep -q '"relaxed"' out.txt && fail "an exact run says that it is relaxed"
expect 0 "evaluation" "$GAPWISE" evaluate --model m.model --data test.data --json
is "$(field proven_optimal <out.txt)" 1.0 "predictions that are proven"

for solver in auto bcfw bcpfw mpbcfw; do
  expect 0 "relaxed training with $solver" "${train[@]}" --inference lp --solver $solver --model r.model --json
  is "$(field status <out.txt) $(field relaxed <out.txt)" "converged true" "the relaxed certificate of $solver"
  grep -q '"tight":[0-9]' out.txt || fail "$solver does not count tight relaxations"
done
expect 0 "a summary for people" "${train[@]}" --inference lp
cat out.txt >>err.txt
says "relaxed, an upper bound of the exact one; tight for [0-9]+ of 60 examples" "the summary"
expect 2 "a proof of a relaxed run" "${train[@]}" --inference lp --model r.model --proof r.proof

expect 0 "predictions" "$GAPWISE" predict --model m.model --data test.data
is "$(grep -c . out.txt) $(grep -c '^$' out.txt)" "360 59" "lines of the prediction"

# Malformed graphs: a message with the line and exit code 3.
head='states k a b\ngraph\nvariable k a\nvariable k b\n'
while IFS='|' read -r line message; do
  printf "$head$line\n" >bad.data
  expect 3 "$line" "$GAPWISE" train --task factor-graph --data bad.data
  says "bad.data:5: $message" "$line"
done <<'LINES'
factor f 1 3|a factor of variable 3, but graph 1 has 2 variables
factor f 1 2 t=1,2,3|table 't' has 3 numbers; expected 4
factor f|the factor joins 0 variables
variable k c|'c' is not one of the 2 states of kind 'k'
states big 1099511627776|kind 'big' has 1099511627776 states; a variable has 1 to 10000
LINES
printf "${head}factor f 1 2\nfactor f 1 2\n" >bad.data
expect 3 "a factor twice" "$GAPWISE" train --task factor-graph --data bad.data
says "bad.data:6: factor 'f' of the same variables comes twice" "a factor twice"

# The same in format UAI, whose lines say nothing: network of two variables, one factor.
while IFS='|' read -r network message; do
  printf 'MARKOV\n%s\n' "$network" >bad.uai
  expect 3 "$network" "$GAPWISE" train --task factor-graph --data bad.uai
  says "bad.uai:2: .*$message" "$network"
done <<'NETWORKS'
2 2 2 1 2 0 2 4 1 1 1 1 MPE 2 0 0|'2' where a variable of factor 0 should be
2 2 2 1 2 0 1 3 1 1 1 MPE 2 0 0|a table of 3 entries
2 2 2 1 0 1 1 MPE 2 0 0|'0' where the number of variables of factor 0 should be
2 2 2 1 2 0 1 4 1 1 1 1 MPE 2 0 2|'2' where the state of variable 1 should be
2 2 1099511627776 0 MPE 2 0 0|'1099511627776' where the number of states of variable 1 should be
2 2 2 2 2 0 1 2 1 0 4 1 1 1 1 4 1 1 1 1 MPE 2 0 0|factor 1 joins the same variables as one before
NETWORKS

finish
