# Any number of ranks leaves the files that gapwise leaves alone: models, traces, proofs, reports.
source "$(dirname "$0")/lib.sh"
tasks=${TASKS:-"sequence:auto multiclass:fw parsing:one-slack multilabel:bcfw"}
rank_counts=${RANKS:-"2 3"}

for pair in $tasks; do
  task=${pair%:*} solver=${pair#*:}
  "$GAPWISE" sample --task "$task" --examples 40 --output "$task.train"
  "$GAPWISE" sample --task "$task" --examples 20 --seed 2 --output "$task.test"
  run=(train --task "$task" --data "$task.train" --test "$task.test" --solver "$solver" --json
    --lambda 0.02 --max-passes 15 --relative-gap 0.001 --threads 1 --oracle-delay 0.01
    --trace-clock no)
  expect 0 "$pair alone" "$GAPWISE" "${run[@]}" --model alone.model --trace alone.trace
  sed -E 's/"(seconds|oracle_seconds|peak_rss_bytes)":[^,]*,//g' out.txt >alone.json
  for ranks in $rank_counts; do
    what="$pair on $ranks ranks"
    expect 0 "$what" job "$ranks" "${run[@]}" --model job.model --trace job.trace
    sed -E 's/"(seconds|oracle_seconds|peak_rss_bytes)":[^,]*,//g' out.txt >job.json
    same alone.model job.model "$what"
    same alone.trace job.trace "$what"
    same alone.json job.json "$what: standard output"
    is "$(grep -c 'next:\|examples' err.txt)" "$(grep -c . <(grep 'next:\|examples' err.txt | sort -u))" \
      "$what: what only rank 0 says"
  done
done

# Verbs that do not train run on rank 0.
expect 0 "predict alone" "$GAPWISE" predict --model alone.model --data multilabel.test --output alone.out
expect 0 "predict" job 2 predict --model alone.model --data multilabel.test --output job.out
same alone.out job.out "predictions"
expect 0 "version" job 2 --version
is "$(grep -c gapwise-mpi out.txt)" 1 "lines of --version"

# A checkpoint is good for any number of ranks, and for none.
run=(train --task sequence --data sequence.train --lambda 0.02 --relative-gap 0.0001 --threads 1
  --trace-clock no --quiet)
expect 0 "whole" "$GAPWISE" "${run[@]}" --max-passes 40 --model whole.model --trace whole.trace
expect 0 "begun on 2" job 2 "${run[@]}" --max-passes 4 --checkpoint state --trace job.trace
expect 0 "on 3" job 3 "${run[@]}" --max-passes 9 --resume state --checkpoint state --trace job.trace
expect 0 "alone" "$GAPWISE" "${run[@]}" --max-passes 12 --resume state --checkpoint state --trace job.trace
expect 0 "on 2" job 2 "${run[@]}" --max-passes 40 --resume state --model job.model --trace job.trace
same whole.model job.model "resumed on other numbers of ranks"
same whole.trace job.trace "trace of a run resumed on other numbers of ranks"
finish
