# Killed at any moment and resumed, a run ends with the bytes of one that was left alone: for every
# solver, each on a task that it takes. KILLS sets how many kills there are for each of them.
source "$(dirname "$0")/lib.sh"
kills_each=${KILLS:-1}
RANDOM=${SEED:-$$}
pairs="auto:sequence bcfw:parsing bcpfw:multilabel bcafw:alignment mpbcfw:pose fw:multiclass
  sdm:segmentation fasole:sequence cutting-plane:multiclass one-slack:alignment bmrm:parsing
  dcd-light:multilabel dcd:sequence cpd:pose ssg:segmentation sgd:multiclass perceptron:parsing
  mira:alignment eg:sequence excessive-gap:multiclass extragradient:alignment
  kernel-bcfw:multilabel soft-bcfw:multilabel gdmm:factor-graph
  dlpw:multilabel smooth-dlpw:factor-graph"

now() { echo $(($(date +%s%N) / 1000000)); }
all_kills=0
for pair in $pairs; do
  solver=${pair%:*} task=${pair#*:}
  examples=60
  [[ $task == segmentation || $task == pose ]] && examples=6
  mkdir "$solver" && pushd "$solver" >/dev/null || exit 1
  "$GAPWISE" sample --task "$task" --examples $examples --output data
  run=("$GAPWISE" train --quiet --task "$task" --data data --solver "$solver" --threads 1
    --gap-every 2 --trace-clock no)
  # As many passes as take a while, so that there is something to kill.
  for passes in 8 32 128 512 2048; do
    begin=$(now)
    expect 0 "$pair" "${run[@]}" --max-passes $passes --model whole.model --trace whole.jsonl \
      --checkpoint whole.state --checkpoint-seconds 0
    length=$(($(now) - begin))
    ((length > 400)) && break
  done
  run+=(--max-passes $passes --model killed.model --trace killed.jsonl --checkpoint state
    --checkpoint-seconds 0)
  kills=0
  while ((kills < kills_each)); do
    resume=()
    [[ -e state ]] && resume=(--resume state)
    "${run[@]}" "${resume[@]}" >/dev/null 2>err.txt &
    process=$!
    wait_ms=$((RANDOM % (length + 1)))
    sleep $((wait_ms / 1000)).$(printf %03d $((wait_ms % 1000)))
    if kill -9 $process 2>/dev/null; then
      kills=$((kills + 1))
      wait $process 2>/dev/null
    else
      wait $process
      is $? 0 "$pair: exit code of a resumed run"
      same whole.model killed.model "$pair: a run that was killed on the way"
      same whole.jsonl killed.jsonl "$pair: the trace of a run that was killed on the way"
      rm -f state killed.model killed.jsonl
    fi
  done
  resume=()
  [[ -e state ]] && resume=(--resume state)
  expect 0 "$pair: resumed" "${run[@]}" "${resume[@]}"
  same whole.model killed.model "$pair: killed $kills times"
  same whole.jsonl killed.jsonl "$pair: the trace, killed $kills times"
  [[ -z $(find . -name '.gapwise-*') ]] || fail "$pair: temporary files are left"
  all_kills=$((all_kills + kills))
  popd >/dev/null || exit 1
  ((kills_each > 1)) && echo "$pair: $kills kills, $passes passes in $length ms"
done
echo "$all_kills kills"
finish
