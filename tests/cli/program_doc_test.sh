# docs/program.md lists every key that the program prints, and no others.
source "$(dirname "$0")/lib.sh"
page=$GAPWISE_SOURCE/docs/program.md

# listed SECTION...: the keys of the tables of these sections.
listed() {
  local section
  for section in "$@"; do
    awk -v section="## $section" '/^## / { is_in = ($0 == section) } is_in && /^\| `/' "$page" |
      sed -E 's/^\| `([^`]*)`.*/\1/'
  done | sort -u
}

# printed: the keys of the objects on standard input, one object per line.
printed() {
  local line
  while read -r line; do field --keys <<<"$line"; done | tr ' ' '\n' | sort -u
}

# both LISTED PRINTED WHAT
both() {
  [[ -n $1 ]] || fail "$3: no key is listed"
  local difference
  difference=$(diff <(echo "$1") <(echo "$2")) ||
    fail "$3: listed (<) is not what is printed (>): $difference"
}

sentences 40 >chunks.txt
train=("$GAPWISE" train --quiet --json --data chunks.txt --test chunks.txt --max-passes 3)
for solver in auto bcfw kernel-bcfw ssg; do
  expect 0 "train with $solver" "${train[@]}" --solver $solver --trace "$solver.jsonl" \
    --model "$solver.model"
  cat out.txt >>summaries.txt
done
"$GAPWISE" sample --task multilabel --output sets.txt
relaxed=(--task multilabel --inference lp --data sets.txt --max-passes 2)
for solver in auto gdmm; do
  expect 0 "relaxed training" "$GAPWISE" train --quiet --json "${relaxed[@]}" --solver $solver \
    --trace "relaxed-$solver.jsonl"
  cat out.txt >>summaries.txt
done
both "$(listed "Summary and trace")" "$(printed <summaries.txt)" "summary"
both "$(listed "Summary and trace")" "$(cat ./*.jsonl | printed)" "trace"

expect 1 "compare with an entry that breaks off" "$GAPWISE" compare --quiet --json \
  --data chunks.txt --test chunks.txt --output compared --max-passes 2 --solvers auto,kernel-bcfw,one-slack:lambda=1e-300
for entry in 0 1 2; do field "$entry" <out.txt; done >entries.txt
expect 0 "compare relaxed runs" "$GAPWISE" compare --quiet --json "${relaxed[@]}" --output relaxed \
  --solvers auto,gdmm
for entry in 0 1; do field "$entry" <out.txt; done >>entries.txt
both "$(listed "Summary and trace" Compare)" "$(printed <entries.txt)" "compare"

figures() {  # TASK MODEL DATA
  expect 0 "evaluate task $1" "$GAPWISE" evaluate --json --model "$2" --data "$3"
  cat out.txt >>figures.txt
}
figures sequence auto.model chunks.txt
for task in $("$GAPWISE" help --markdown | sed -n -E '/^## Tasks/,$s/^\| `([a-z-]+)`.*/\1/p'); do
  "$GAPWISE" sample --task "$task" --output "$task.txt"
  expect 0 "train task $task" "$GAPWISE" train --quiet --task "$task" --data "$task.txt" \
    --max-passes 2 --model "$task.model"
  figures "$task" "$task.model" "$task.txt"
done
both "$(listed Evaluate)" "$(printed <figures.txt)" "evaluate"

expect 0 "rank" "$GAPWISE" predict --json --marginals --model auto.model --data chunks.txt
both "$(listed "Ranked predictions")" "$(printed <out.txt)" "ranked predictions"
expect 0 "calibrate" "$GAPWISE" calibrate --json --model auto.model --data chunks.txt --test chunks.txt
both "$(listed Calibrate)" "$(printed <out.txt)" "calibrate"

expect 0 "inspect" "$GAPWISE" inspect --json auto.model
field top <out.txt | field 0 >table.txt
field rows <table.txt | field 0 >row.txt
both "$(listed Inspect)" "$({ tr '\n' ' ' <out.txt; echo; cat table.txt row.txt; } | printed)" \
  "inspect"

expect 0 "path" "$GAPWISE" path --quiet --json --data chunks.txt --path p.path --lambda-min 10
both "$(listed Path)" "$(printed <out.txt)" "path"

# The exit codes of the page are those of the program.
both "$(sed -n -E 's/^\| ([0-9]) \|.*/\1/p' "$page")" \
  "$(sed -n -E 's/^  k[A-Za-z]+ = ([0-9]),.*/\1/p' "$GAPWISE_SOURCE/cli/shell/exit_codes.h")" \
  "exit codes"
finish
