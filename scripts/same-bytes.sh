#!/usr/bin/env bash
# Whether two builds of the program give the same bytes: model, trace without clock, predictions and
# figures, for every task with `auto` and for every solver on two tasks (one with 2 threads).
#   same-bytes.sh OLD_PROGRAM NEW_PROGRAM
#   same-bytes.sh --results OLD_PROGRAM NEW_PROGRAM
# Prints a row per run and exits 1 if any differs. With --results, for programs of different versions,
# what a newer one has to say besides does not count: keys of figures and traces that the old one has not,
# and settings kept in models, of which the weights are compared to the last digit.
set -euo pipefail
results_only=0
if [ "${1:-}" = --results ]; then results_only=1 && shift; fi
old=$(realpath "${1:?usage: same-bytes.sh [--results] OLD_PROGRAM NEW_PROGRAM}")
new=$(realpath "${2:?usage: same-bytes.sh [--results] OLD_PROGRAM NEW_PROGRAM}")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"

tasks=$("$old" help train | sed -n '/^tasks$/,$p' | awk 'NR > 1 && /^  [a-z]/ { print $1 }')
solvers=$("$old" help train | sed -n '/^solvers$/,/^tasks$/p' | awk '/^  [a-z]/ { print $1 }')
differing=0
runs=0

# run WHO TASK OPTION...: everything a run leaves, in the folder WHO; a refusal leaves its exit code.
run() {
  local who=$1 task=$2 program=$old code=0
  shift 2
  [ "$who" = old ] || program=$new
  rm -rf "$who" && mkdir "$who"
  "$program" train --task "$task" --data "$task.train" --test "$task.test" --quiet --json \
    --model "$who/model" --trace "$who/trace" --trace-clock no "$@" >"$who/summary" 2>/dev/null || code=$?
  echo "$code" >"$who/code"
  sed -E 's/"(seconds|oracle_seconds|peak_rss_bytes)":[^,]*,//g' "$who/summary" >"$who/figures"
  rm "$who/summary"
  if [ -e "$who/model" ]; then
    "$program" predict --model "$who/model" --data "$task.test" --output "$who/predicted" || true
  fi
}

# results: leaves in old/ and new/ what both programs have to say.
results() {
  python3 - old new <<'PYTHON'
import json, pathlib, sys

old, new = (pathlib.Path(folder) for folder in sys.argv[1:])

def common(a, b):
    """b with only the keys that a has."""
    if isinstance(a, dict) and isinstance(b, dict):
        return {key: common(a[key], b[key]) for key in a if key in b}
    return b

for name in ("figures", "trace"):
    if not ((old / name).exists() and (new / name).exists()):
        continue
    rows = [[json.loads(line) for line in (who / name).read_text().splitlines()] for who in (old, new)]
    for who, mine in zip((old, new), (rows[0], [common(a, b) for a, b in zip(*rows)])):
        lines = [json.dumps(row, sort_keys=True) for row in mine]
        (who / name).write_text("".join(line + "\n" for line in lines))
PYTHON
  local who
  for who in old new; do
    [ -e $who/model ] || continue
    "$new" inspect $who/model --csv >$who/weights 2>/dev/null || cp $who/predicted $who/weights
    rm $who/model
  done
}

# compare TASK OPTION...
compare() {
  run old "$@"
  run new "$@"
  [ $results_only -eq 0 ] || results
  runs=$((runs + 1))
  local verdict=same
  if ! diff -rq old new >diff; then
    verdict="DIFFERS: $(awk '{ print $2 }' diff | sed 's#old/##' | tr '\n' ' ')"
    differing=$((differing + 1))
  elif [ "$(cat old/code)" -ne 0 ]; then
    verdict="same refusal, exit $(cat old/code)"
  fi
  printf '%-13s %-58s %s\n' "$1" "${*:2}" "$verdict"
}

for task in $tasks; do
  "$old" sample --task "$task" --examples 80 --output "$task.train"
  "$old" sample --task "$task" --examples 40 --seed 2 --output "$task.test"
done
for task in $tasks; do
  compare "$task" --solver auto --lambda 1/n --relative-gap 0.001
  compare "$task" --solver auto --lambda 0.1 --threads 2
  compare "$task" --solver auto --lambda 0.01 --gap-every 3 --average weighted --max-passes 12
done
for solver in $solvers; do
  compare sequence --solver "$solver" --lambda 0.01 --max-passes 25
  compare multiclass --solver "$solver" --lambda 0.001 --max-passes 40 --threads 2
done
for task in sequence multilabel; do
  for sampling in uniform gap; do
    compare "$task" --solver bcfw --sampling "$sampling" --cache 20 --max-passes 15
    compare "$task" --solver bcpfw --sampling "$sampling" --cache 20 --max-passes 15
    compare "$task" --solver bcafw --sampling "$sampling" --cache 20 --max-passes 15
  done
  compare "$task" --solver bcpfw --inner-steps 5 --max-passes 15
  compare "$task" --solver auto --sampling gap --max-active 3 --max-passes 30
  compare "$task" --solver mpbcfw --max-cached-passes 4 --average suffix --max-passes 15
  compare "$task" --solver sdm --sweeps 3 --average weighted --max-passes 15
done
for task in sequence segmentation; do
  for solver in auto bcfw bcpfw mpbcfw cutting-plane one-slack dcd ssg; do
    compare "$task" --solver "$solver" --nonnegative all --lambda 0.02 --max-passes 15
  done
done
compare sequence --solver kernel-bcfw --kernel rbf --max-passes 10
compare multiclass --solver kernel-bcfw --kernel polynomial --max-passes 10
compare sequence --solver auto --rescaling slack --max-passes 30
compare sequence --solver auto --beam 2 --max-passes 30
compare sequence --solver auto --oracle-delay 0.01 --max-passes 12

echo
echo "$((runs - differing)) of $runs runs are the same"
[ "$differing" -eq 0 ]
