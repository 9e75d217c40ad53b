# Reports, exports and citations: what they hold, what they refuse, and that they are written whole.
source "$(dirname "$0")/lib.sh"

sentences 60 >train.txt
sentences 20 >test.txt
data=(--quiet --data train.txt --test test.txt)
expect 0 "train" "$GAPWISE" train "${data[@]}" --trace run.jsonl --trace-test --model m.model \
  --report run.html --report-every 0
grep -q 'Options: solver' run.html || fail "the page of a run has no settings"
grep -q 'By label' run.html || fail "the page of a run has no model"
is "$(field test <<<"$(tail -n 1 run.jsonl)" | field f1)" 1.0 "f1 of words that tell their label"
grep -q 'http-equiv="refresh"' run.html && fail "the page of a finished run loads itself anew"
expect 0 "report" "$GAPWISE" report run.jsonl --model m.model --data test.txt --output again.html
for what in certified 'data-run="run"' 'By label' '<svg'; do
  grep -q -F -- "$what" again.html || fail "the report has no $what"
done
last=$(tail -n 1 run.jsonl | field primal | awk '{ printf "%.6g", $1 }')
grep -q -F "<td>$last" again.html || fail "the report does not tell the last primal, $last"
is "$(tail -n 1 run.jsonl | field main_metric)" f1 "main metric"

expect 0 "compare" "$GAPWISE" compare "${data[@]}" --output compared --report compared.html \
  --max-passes 4 --solvers bcfw:seed=1,bcfw:seed=2,ssg
grep -q 'bcfw, 2 runs' compared.html || fail "seeds are not one group"
grep -q 'ssg \*' compared.html || fail "a run without a certificate is not marked"
expect 0 "report of a comparison" "$GAPWISE" report compared run.jsonl --output all.html
expect 0 "path" "$GAPWISE" path "${data[@]}" --path p.path --lambda-min 0.1 --report p.html
grep -q 'Test score over lambda' p.html || fail "the page of a path has no score"
expect 0 "report of a path" "$GAPWISE" report p.path --output p2.html

expect 0 "export" "$GAPWISE" export run.jsonl --csv
is "$(wc -l <out.txt)" "$(($(wc -l <run.jsonl) + 1))" "lines of the export"
expect 0 "export with a script" "$GAPWISE" export compared --csv --output c.csv --script figure.py
if /usr/bin/python3 -c 'import matplotlib' 2>/dev/null; then
  expect 0 "the script draws" /usr/bin/python3 figure.py c.csv figure.pdf
  [[ -s figure.pdf ]] || fail "the script has drawn nothing"
fi
expect 0 "export of a path" "$GAPWISE" export p.path
grep -q '^path,lambda,' out.txt || fail "columns of a path"
expect 2 "runs and paths" "$GAPWISE" export p.path run.jsonl
expect 0 "cite" "$GAPWISE" cite compared p.path
for key in LJSP13 SSS07 OALDL16 gapwise; do
  grep -q "^@.*{$key," out.txt || fail "cite has no $key"
done
while read -r key; do
  grep -q -F "**[$key]**" "$GAPWISE_SOURCE/docs/references.md" || fail "docs/references.md has no $key"
done < <(sed -n -E 's/^@[a-z]+\{([A-Z0-9]+),/\1/p' out.txt)

expect 2 "nothing to report" "$GAPWISE" report
says "nothing to report" "nothing to report"
expect 2 "model without data" "$GAPWISE" report --model m.model
expect 3 "no run" "$GAPWISE" report train.txt
says "neither a trace" "no run"
expect 3 "folder of something else" "$GAPWISE" report .
expect 2 "report-every alone" "$GAPWISE" train --data train.txt --report-every 1
over "report over a run" run.jsonl "$GAPWISE" report run.jsonl --output run.jsonl
over "report over the data" train.txt "$GAPWISE" train --data train.txt --report train.txt

# While a run goes there is a whole page, which loads itself anew.
letters 400 >words.txt
"$GAPWISE" train --quiet --data words.txt --relative-gap 1e-12 --max-passes 1000000 --lambda 1/n \
  --solver bcfw --report live.html --report-every 0 >/dev/null 2>&1 &
run=$!
until_true test -s live.html || fail "no page while the run goes"
grep -q 'http-equiv="refresh"' live.html || fail "the page does not load itself anew"
tail -n 1 live.html | grep -q '</html>' || fail "the page is torn"
kill -TERM $run
wait $run
is "$?" 4 "exit code of the run"
grep -q 'http-equiv="refresh"' live.html && fail "the last page loads itself anew"
grep -q interrupted live.html || fail "the last page does not tell how the run ended"
finish
