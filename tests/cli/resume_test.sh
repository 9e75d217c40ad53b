# kill -9 and resume, interrupts, and that nothing depends on the number of threads.
source "$(dirname "$0")/lib.sh"
letters 1500 >words.txt
run=("$GAPWISE" train --quiet --data words.txt --test-folds 0 --lambda 0.1/n --relative-gap 0
  --max-passes 300 --trace-clock no)

expect 0 "uninterrupted" "${run[@]}" --model whole.model --trace whole.jsonl
expect 0 "two threads" "${run[@]}" --model two.model --trace two.jsonl --threads 2
expect 0 "one thread" "${run[@]}" --model one.model --trace one.jsonl --threads 1
same one.model two.model "the model does not depend on the threads"
same one.jsonl two.jsonl "the trace does not depend on the threads"
same one.model whole.model "the model does not depend on the run"

# killed NAME ARGUMENT...: trains with a checkpoint after every pass, is killed as soon as there is a
# new one, again and again, and then gets to its end. The model and the trace must be those of the
# uninterrupted run NAME.
killed() {
  local name=$1 process attempt wait kills=0 resume=()
  shift
  local state=(--model killed.model --trace killed.jsonl --checkpoint state --checkpoint-seconds 0)
  rm -f state seen killed.model killed.jsonl
  for ((attempt = 0; attempt < 6; ++attempt)); do
    if [[ -e state ]]; then cp state seen; fi
    "$@" "${state[@]}" "${resume[@]}" >/dev/null 2>err.txt &
    process=$!
    for ((wait = 0; wait < 6000; ++wait)); do
      [[ -e state ]] && ! cmp -s state seen && break
      kill -0 $process 2>/dev/null || break
      sleep 0.01
    done
    kill -9 $process 2>/dev/null && [[ ! -e killed.model ]] && kills=$((kills + 1))
    wait $process 2>/dev/null
    [[ -e state ]] && resume=(--resume state)
  done
  ((kills > 0)) || fail "$name: no run was killed in the middle: $(cat err.txt)"
  expect 0 "$name: resumed" "$@" "${state[@]}" "${resume[@]}"
  same "$name.model" killed.model "$name: killed $kills times and resumed"
  same "$name.jsonl" killed.jsonl "$name: the trace of a resumed run has every line once"
  expect 0 "$name: resumed after the end" "$@" "${state[@]}" --resume state
  same "$name.model" killed.model "$name: resumed after the end"
  same "$name.jsonl" killed.jsonl "$name: resumed after the end"
  echo "$name: killed $kills times"
}
killed whole "${run[@]}"

average=("$GAPWISE" train --quiet --data words.txt --lambda 1/n --relative-gap 0.05
  --average weighted --sampling uniform --max-passes 2000 --trace-clock no)
expect 0 "average" "${average[@]}" --model average.model --trace average.jsonl
killed average "${average[@]}"

# A resumed run that differs is refused, and the option is named.
short=("$GAPWISE" train --quiet --data words.txt --max-passes 3)
expect 0 "short run" "${short[@]}" --checkpoint short.state
expect 3 "other loss" "${short[@]}" --resume short.state --loss hamming
says "made with --loss not set, this run has hamming" "other loss"
expect 0 "same loss" "${short[@]}" --resume short.state
letters 1501 >other.txt
expect 3 "other data" "$GAPWISE" train --quiet --data other.txt --max-passes 3 --resume short.state
expect 3 "other seed" "${short[@]}" --resume short.state --seed 2
says "seed" "other seed"
expect 3 "other lambda" "${short[@]}" --resume short.state --lambda 0.2
says "lambda" "other lambda"

# Ctrl-C once: everything is written, the status and the exit code say so.
long=("$GAPWISE" train --quiet --json --data words.txt --relative-gap 0 --max-passes 1000000000)
for signal in INT TERM HUP; do
  rm -f stop.state
  # A shell lets its background jobs ignore SIGINT unless it controls jobs.
  set -m
  "${long[@]}" --model stop.model --trace stop.jsonl --checkpoint stop.state \
    --checkpoint-seconds 0 >out.txt 2>err.txt &
  process=$!
  set +m
  until_true test -e stop.state
  kill -$signal $process
  wait $process
  is $? 4 "exit code after SIG$signal"
  says "ended by a signal, everything is saved; .* --resume stop.state" "SIG$signal"
  is "$(field status <out.txt)" interrupted "status after SIG$signal"
  expect 0 "the model of the interrupted run" "$GAPWISE" evaluate --model stop.model --data words.txt
  is "$(tail -1 stop.jsonl | field status)" interrupted "status in the trace after SIG$signal"
  expect 0 "the checkpoint of the interrupted run" "$GAPWISE" train --quiet --data words.txt \
    --relative-gap 0 --max-passes 2 --resume stop.state
done

# A checkpoint of another task.
"$GAPWISE" sample --task multiclass --output classes.txt
expect 3 "a checkpoint of another task" "$GAPWISE" train --quiet --task multiclass \
  --data classes.txt --resume stop.state
says "made with --task sequence, this run has multiclass" "a checkpoint of another task"

# A second signal ends at once; what was there before is whole.
set -m
"$GAPWISE" train --quiet --data words.txt --relative-gap 0 --max-passes 1000000000 \
  --checkpoint twice.state --checkpoint-seconds 0 >/dev/null 2>err.txt &
process=$!
set +m
until_true test -e twice.state
kill -STOP $process
kill -INT $process
kill -TERM $process
kill -CONT $process
wait $process
code=$?
[[ $code == 130 || $code == 143 ]] || fail "exit code $code after two signals"
expect 0 "the checkpoint after two signals" "$GAPWISE" train --quiet --data words.txt \
  --relative-gap 0 --max-passes 2 --resume twice.state

# Nobody reads the progress any more: training goes on and writes its model.
"$GAPWISE" train --data words.txt --model unread.model --lambda 0.05 2> >(exec 0<&-) >/dev/null
is "$?" 0 "exit code when standard error is a closed pipe"
[[ -s unread.model ]] || fail "no model when standard error is a closed pipe"
finish
