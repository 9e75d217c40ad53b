# Ranked predictions, calibration, second order, dictionaries and weights as tables, by the program.
source "$(dirname "$0")/../../cli/lib.sh"

chunked_sentences >train.txt
"$GAPWISE" train --data train.txt --model m.model --lambda 0.01 --constraints bio --chain-order 2 --quiet >/dev/null
"$GAPWISE" predict --model m.model --data train.txt >plain.txt

# The best of the ranked outputs is what is predicted.
expect 0 "the three best" "$GAPWISE" predict --model m.model --data train.txt --nbest 3
awk '/^# / { rank = $2; next } rank == 1' out.txt >first.txt
same first.txt plain.txt "the first of three"
is "$(grep -c '^# ' out.txt)" 9 "heads of three outputs of three examples"
awk '/^# 1 / { last = $3 } /^# [23] / { if ($3 > last) exit 1; last = $3 }' out.txt ||
  fail "scores that rise: $(cat out.txt)"

# Further columns stand behind the label and change nothing else.
expect 0 "columns" "$GAPWISE" predict --model m.model --data train.txt --margins --marginals --explain 2
cut -f 1 out.txt >labels.txt
same labels.txt plain.txt "labels before further columns"
says "not calibrated" "probabilities of a model that is not calibrated"
awk -F '\t' 'NF > 0 && !(NF == 4 && $2 >= 0 && $3 > 0 && $3 <= 1 && $4 ~ /^over /) { exit 1 }' out.txt ||
  fail "columns: $(cat out.txt)"

expect 0 "json" "$GAPWISE" predict --model m.model --data train.txt --json --nbest 2 --margins --output j.jsonl
is "$(wc -l <j.jsonl)" 3 "objects"
head -n 1 j.jsonl | grep -q '"labels":\["B-N","I-N","B-V"\]' || fail "labels in: $(head -n 1 j.jsonl)"

expect 0 "calibrate" "$GAPWISE" calibrate --model m.model --data train.txt --output c.model
grep -q '^calibration error' out.txt || fail "no calibration error in: $(cat out.txt)"
"$GAPWISE" predict --model c.model --data train.txt >again.txt
same again.txt plain.txt "predictions of a calibrated model"
expect 0 "calibrated" "$GAPWISE" predict --model c.model --data train.txt --marginals
[ ! -s err.txt ] || fail "a calibrated model complains: $(cat err.txt)"
expect 2 "the model itself as output" "$GAPWISE" calibrate --model m.model --data train.txt --output train.txt

# One thread or two.
for threads in 1 2; do
  "$GAPWISE" calibrate --model m.model --data train.txt --threads $threads >calibrated.$threads
  "$GAPWISE" predict --model m.model --data train.txt --nbest 9 --threads $threads >nine.$threads
done
same calibrated.1 calibrated.2 "calibration by two threads"
same nine.1 nine.2 "ranking by two threads"

expect 0 "weights" "$GAPWISE" inspect m.model --csv
is "$(head -n 1 out.txt)" "table,row,column,weight" "head of the weights"
grep -q '^second-order transitions,' out.txt || fail "no weights of second order"
expect 0 "transitions" "$GAPWISE" inspect m.model --table transitions --csv
is "$(head -n 1 out.txt)" "transitions,B-N,B-V,I-N" "names of the labels"
is "$(wc -l <out.txt)" 4 "rows of the transitions"
expect 0 "a label" "$GAPWISE" inspect m.model --label B-N --top 3
is "$(grep -c '^label ' out.txt)" 1 "tables of one label"
expect 2 "no such table" "$GAPWISE" inspect m.model --table nothing
says "transitions" "the tables that there are"

# A token may have only what its list holds.
printf 'the D D\nrun N|V N\n\nthe * D\nrun N|V V\n\n' >listed.txt
"$GAPWISE" train --data listed.txt --model d.model --dictionary --quiet >/dev/null
printf 'run D ?\nthe N ?\n\n' >new.txt
expect 0 "a dictionary" "$GAPWISE" predict --model d.model --data new.txt
is "$(awk 'NF { print $NF }' out.txt | tr '\n' ' ')" "D N " "labels of the dictionary"
printf 'the D D\nrun D|V N\n\n' >wrong.txt
expect 3 "a label that is not listed" "$GAPWISE" train --data wrong.txt --dictionary --quiet
says "wrong.txt:2: the label is 'N', but the token may have only D, V" "a label that is not listed"

# Tasks with one output only say so.
"$GAPWISE" sample --task alignment --output pairs.txt
"$GAPWISE" train --task alignment --data pairs.txt --model a.model --max-passes 2 --quiet >/dev/null
expect 2 "ranked links" "$GAPWISE" predict --model a.model --data pairs.txt --nbest 2
says "one output" "ranked links"
expect 2 "calibrated links" "$GAPWISE" calibrate --model a.model --data pairs.txt
finish
