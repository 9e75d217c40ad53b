# Whatever happens to one rank ends the job with one message and no hang. FAULTS repeats all of it.
source "$(dirname "$0")/lib.sh"
: "${FAULT_SHIM:?path of the library that lets calls fail}"
export JOB_SECONDS=60

"$GAPWISE" sample --task sequence --examples 30 --output data
"$GAPWISE" sample --task sequence --examples 30 --seed 9 --output other
base=(train --task sequence --data data --lambda 0.02 --relative-gap 1e-12 --threads 1 --quiet
  --oracle-delay 1)
run=("${base[@]}" --max-passes 120)
expect 0 "whole" "$GAPWISE" "${run[@]}" --model whole.model

# Rank 1 in a folder of its own, where the data are others.
mkdir one full
cat >as_rank.sh <<'END'
#!/bin/bash
[ "${OMPI_COMM_WORLD_RANK:-$PMI_RANK}" != 1 ] || cd one || exit 1
exec "$GAPWISE_MPI" "$@"
END
as_rank() { timeout -k 5 $JOB_SECONDS "$MPIRUN" --oversubscribe -n 3 bash as_rank.sh "$@"; }
export GAPWISE_MPI
# The disk of one folder is full.
on_full_disk() {
  LD_PRELOAD=$FAULT_SHIM FAULT_KIND=write FAULT_AT=1 FAULT_STAYS=1 FAULT_ERROR=28 FAULT_WIDTH=0 \
    FAULT_LEAST=0 FAULT_UNDER=full/ FAULT_COUNT=$PWD/count exec "$GAPWISE_MPI" "$@"
}
export -f on_full_disk

# once_says PATTERN WHAT: one line of standard error, by one rank.
once_says() {
  is "$(grep -c '^gapwise-mpi' err.txt)" 1 "$2: messages of the program in $(head -c 600 err.txt)"
  says "$1" "$2"
}

repeat=${FAULTS:-1}
for ((round = 0; round < repeat; ++round)); do
  # Files.
  rm -f one/data
  expect 3 "no data on a rank" as_rank "${run[@]}"
  once_says 'rank 1 on .*: data: cannot' "no data on a rank"
  cp other one/data
  expect 3 "other data on a rank" as_rank "${run[@]}"
  once_says 'rank 1 on .* has read other training data' "other data on a rank"
  head -n 7 data | sed '3s/.*/what is this/' >one/data
  expect 3 "a bad file on a rank" as_rank "${run[@]}"
  once_says 'rank 1 on .*: data:3: ' "a bad file on a rank"
  expect 3 "no data anywhere" job 3 train --data nowhere --quiet
  once_says 'nowhere: cannot' "no data anywhere"
  expect 2 "a bad option" job 3 train --data data --lambda -1 --quiet
  once_says 'lambda' "a bad option"
  expect 2 "a bad timeout" job 2 --rank-timeout x "${run[@]}"
  once_says 'rank-timeout' "a bad timeout"
  expect 2 "clocks" job 2 "${run[@]}" --deterministic no
  once_says 'deterministic no' "clocks"
  expect 2 "standard input" job 2 train --data - --quiet
  once_says 'standard input' "standard input"
  expect 2 "lambda auto" job 2 train --data data --lambda auto --quiet
  once_says 'lambda auto' "lambda auto"
  # A disk that is full, for rank 0, which is the one that writes.
  expect 3 "a full disk" timeout -k 5 $JOB_SECONDS "$MPIRUN" --oversubscribe -n 2 \
    bash -c 'on_full_disk "$@"' job "${base[@]}" --max-passes 3 --model full/model
  once_says 'full/model.*No space left' "a full disk"

  # until_saved: the job under way has made its first checkpoint.
  until_saved() {
    for ((look = 0; look < 2000; ++look)); do
      [[ -e state ]] && return
      sleep 0.01
    done
    fail "no checkpoint in 20 s"
  }
  # kill_rank R SIGNAL: of the job that is under way.
  kill_rank() {
    local process
    for process in $(pgrep -P "$job_process" -x gapwise-mpi); do
      if tr '\0' '\n' 2>/dev/null <"/proc/$process/environ" | grep -qx "OMPI_COMM_WORLD_RANK=$1"; then
        kill "-$2" "$process"
        return
      fi
    done
    fail "no rank $1 to kill"
  }
  # start OPTION...: a job of 3 ranks in the background, which saves its state at every pass.
  start() {
    rm -f err.txt state
    "$MPIRUN" --oversubscribe -n 3 "$GAPWISE_MPI" "$@" --checkpoint state --checkpoint-seconds 0 \
      >out.txt 2>err.txt &
    job_process=$!
    until_saved
  }
  # end WHAT: waits for its exit code; a job that hangs is killed.
  end() {
    (
      sleep $JOB_SECONDS
      kill -9 "$job_process" 2>/dev/null && touch hung
    ) &
    local guard=$!
    wait "$job_process"
    code=$?
    kill $guard 2>/dev/null
    wait $guard 2>/dev/null
    [[ ! -e hung ]] || fail "$1: the job hangs"
  }

  # A rank that is killed; the job goes on with another number of ranks.
  lost=$((round % 3))
  start "${run[@]}" --model job.model
  sleep 0.$((RANDOM % 10))
  kill_rank $lost KILL
  end "a lost rank"
  [[ $code != 0 ]] || fail "a job with a lost rank says that it is done"
  says "rank $lost on .* has ended, so the job ends; start it again.*--resume" "a lost rank"
  expect 0 "resumed on 2" job 2 "${run[@]}" --resume state --model job.model
  same whole.model job.model "resumed after a lost rank"

  # A rank that stands still.
  start --rank-timeout 2 "${base[@]}" --max-passes 100000
  kill_rank $lost STOP
  end "a rank that stands still"
  is $code 1 "exit code of a job with a rank that stands still"
  says "rank $lost on .* has not been heard of for 2 s" "a rank that stands still"

  # The end, asked of any rank.
  for signal in TERM USR2; do
    start "${run[@]}" --model job.model
    kill_rank $lost $signal
    end "$signal"
    is $code 4 "exit code after $signal"
    says 'ended by a signal, everything is saved' "$signal"
    expect 0 "resumed after $signal" job 4 "${run[@]}" --resume state --model job.model
    same whole.model job.model "resumed after $signal"
  done

  # A checkpoint, asked of all by way of mpirun, and the end in the same way.
  rm -f state
  start "${base[@]}" --max-passes 100000
  kill -USR1 "$job_process"
  sleep 0.5
  kill -USR2 "$job_process"
  end "USR1 and USR2 by mpirun"
  is $code 4 "exit code after USR2 by mpirun"
done
finish
