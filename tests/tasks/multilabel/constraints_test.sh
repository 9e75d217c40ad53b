# What sets of labels keep to, as users say it.
source "$(dirname "$0")/../../cli/lib.sh"
"$GAPWISE" sample --task multilabel --examples 200 --output all.svm
# Labels 4 only with 2; 1 excludes 5; at most 3.
awk '{ n = split($1, l, ","); delete on; if ($1 ~ /:/) { print; next }
  for (k = 1; k <= n; ++k) on[l[k]] = 1
  if ((4 in on) && !(2 in on)) next; if ((1 in on) && (5 in on)) next; if (n > 3) next; print }' all.svm >train.svm
printf 'implies 4 2\nexcludes 1 5 # never both\n\nat-most 3\n' >rules.txt
train=("$GAPWISE" train --quiet --json --task multilabel --lambda 0.001 --data train.svm)

breaks() {  # predictions that break a rule
  awk '{ n = split($1, l, ","); delete on; for (k = 1; k <= n; ++k) on[l[k]] = 1
    if (((4 in on) && !(2 in on)) || ((1 in on) && (5 in on)) || n > 3) ++bad } END { print bad + 0 }' "$1"
}

expect 0 "without constraints" "${train[@]}" --model free.model --couplings none
expect 0 "its predictions" "$GAPWISE" predict --model free.model --data all.svm --output free.txt
[ "$(breaks free.txt)" -gt 0 ] || fail "the rules say nothing new"
for couplings in none bias; do
  expect 0 "with constraints" "${train[@]}" --constraints rules.txt --couplings $couplings --model m.model \
    --proof p.proof
  is "$(field certified <out.txt)" true "certified"
  expect 0 "predictions" "$GAPWISE" predict --model m.model --data all.svm --output kept.txt
  is "$(breaks kept.txt)" 0 "predictions that break a rule"
  expect 0 "the proof" "$GAPWISE" verify --task multilabel --couplings $couplings --data train.svm \
    --constraints rules.txt --model m.model --proof p.proof
  expect 3 "the proof without rules" "$GAPWISE" verify --task multilabel --couplings $couplings \
    --data train.svm --model m.model --proof p.proof
done
is "$("$GAPWISE" inspect m.model --json | field settings | field constraints)" rules.txt "the setting"

expect 3 "examples that break a rule" "$GAPWISE" train --task multilabel --data all.svm --constraints rules.txt
says "example [0-9]+: its labels break the constraint '" "which example and rule"
expect 2 "a relaxation" "${train[@]}" --constraints rules.txt --inference lp
says "leave out --inference or --constraints" "a relaxation"
expect 2 "a solver of factors" "${train[@]}" --constraints rules.txt --solver gdmm
for bad in 'implies 4' 'implies 4 9' 'excludes 1' 'at-most' 'at-most x' 'at-most -1' 'forbids 1 2' 'excludes 1 1'; do
  printf 'implies 4 2\n%s\n' "$bad" >bad.txt
  expect 3 "$bad" "${train[@]}" --constraints bad.txt
  says "bad.txt:2: " "the line of '$bad'"
done
: >bad.txt
expect 3 "no rules" "${train[@]}" --constraints bad.txt
says "bad.txt: has no rule" "no rules"
finish
