# Task alignment from end to end, and its bad input.
source "$(dirname "$0")/../../cli/lib.sh"

expect 0 "sample" "$GAPWISE" sample --task alignment --examples 60
cp out.txt pairs.txt
train=("$GAPWISE" train --quiet --json --task alignment)

expect 0 "train" "${train[@]}" --data pairs.txt --train-folds 1-40 --test-folds 41-60 --model m.model
is "$(field status <out.txt) $(field certified <out.txt) $(field n <out.txt)" "converged true 40" "train"
aer=$(field test <out.txt | field aer)
awk -v aer="$aer" 'BEGIN { exit !(aer >= 0 && aer < 0.2) }' || fail "an error rate of $aer"
expect 0 "evaluate" "$GAPWISE" evaluate --json --model m.model --data pairs.txt --folds 41-60
is "$(field aer <out.txt)" "$aer" "the figure of evaluate is that of train"
expect 0 "predict" "$GAPWISE" predict --model m.model --data pairs.txt
is "$(wc -l <out.txt)" 60 "a line for each pair"
grep -qE '^[0-9]+-[0-9]+( [0-9]+-[0-9]+)*$' out.txt || fail "no links: $(head -1 out.txt)"
expect 0 "inspect" "$GAPWISE" inspect m.model
grep -q "agreement" out.txt || fail "inspect shows no weights of agreement"

# The same pairs in files of their own are the same problem.
awk -F ' [|][|][|] ?' '{ print $1 " ||| " $2 > "p.pairs"; print $3 > "p.gold"
  for (k = 4; k <= 5; ++k) {
    sub(/^[a-z]*: ?/, "", $k)
    n = split($k, links, " ")
    line = ""
    for (l = 1; l <= n; ++l) { split(links[l], ends, "-"); line = line (ends[2] - 1) "-" (ends[1] - 1) " " }
    print line > (k == 4 ? "p.first" : "p.second")
  } }' pairs.txt
expect 0 "one file" "${train[@]}" --data pairs.txt
one=$(field primal <out.txt)
expect 0 "four files" "${train[@]}" --format parallel --data p.pairs --given first:swapped,second:swapped
is "$(field primal <out.txt)" "$one" "files side by side"

echo "a b ||| c ||| 1-2" >outside.txt
expect 3 "a link outside the pair" "${train[@]}" --data outside.txt
says "outside.txt:1: link '1-2' lies outside the pair" "a link outside the pair"
expect 3 "a file that is missing" "${train[@]}" --format parallel --data p.pairs --given third
says "p\.third" "a file that is missing"
head -3 p.gold >short.gold
cp p.pairs short.pairs
expect 3 "too few lines" "${train[@]}" --format parallel --data short.pairs
says "short.gold: ends after 3 lines" "too few lines"
expect 2 "points without numbers" "${train[@]}" --format points --data pairs.txt
expect 2 "a negative cost" "${train[@]}" --data pairs.txt --cost-recall -1
expect 2 "no kernels" "${train[@]}" --data pairs.txt --solver kernel-bcfw

# A word with several links.
for i in 1 2 3 4; do echo "a b ||| c d e ||| 1-1 1-2 2-3 ||| g: 1-1 1-2 2-3"; done >many.txt
expect 0 "one link each" "${train[@]}" --data many.txt --model one.model --lambda 0.01
is "$("$GAPWISE" evaluate --model one.model --data many.txt --json | field recall | cut -c 1-5)" 0.666 "one link"
expect 0 "two links each" "${train[@]}" --data many.txt --fertility 2 --model two.model --lambda 0.01 \
  --proof two.proof
is "$("$GAPWISE" evaluate --model two.model --data many.txt --json | field recall)" 1.0 "two links"
expect 0 "as predicted" "$GAPWISE" predict --model two.model --data many.txt
is "$(head -1 out.txt)" "1-1 1-2 2-3" "two links of a word"
expect 0 "their proof" "$GAPWISE" verify --task alignment --data many.txt --fertility 2 \
  --model two.model --proof two.proof
expect 2 "no projection" "${train[@]}" --data many.txt --fertility 2 --solver extragradient
expect 2 "no links" "${train[@]}" --data many.txt --fertility 0
finish
