# Whatever happens to one rank ends the job with one message and no hang. FAULTS repeats all of it.
source "$(dirname "$0")/lib.sh"
: "${FAULT_SHIM:?path of the library that lets calls fail}"
export JOB_SECONDS=60

"$GAPWISE" sample --task sequence --examples 60 --output data
"$GAPWISE" sample --task sequence --examples 60 --seed 9 --output other
run=(train --task sequence --data data --lambda 0.02 --relative-gap 1e-9 --max-passes 60 --threads 1
  --trace-clock no --quiet --gap-every 5 --oracle-delay 1)
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
    FAULT_LEAST=0 FAULT_UNDER=$PWD/full FAULT_COUNT=$PWD/count exec "$GAPWISE_MPI" "$@"
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
  expect 2 "a bad option" job 3 "${run[@]}" --lambda -1
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
    bash -c 'on_full_disk "$@"' job "${run[@]}" --max-passes 3 --model full/model
  once_says 'full/model.*No space left' "a full disk"

  # kill_rank R SIGNAL SECONDS: of the job that is under way.
  kill_rank() {
    sleep "$3"
    local process
    for process in $(pgrep -P "$job_process" -x gapwise-mpi); do
      if tr '\0' '\n' <"/proc/$process/environ" 2>/dev/null | grep -qx "OMPI_COMM_WORLD_RANK=$1"; then
        kill "-$2" "$process"
        return
      fi
    done
    fail "no rank $1 to kill"
  }
  # start OPTION...: a job of 3 ranks in the background.
  start() {
    rm -f err.txt
    "$MPIRUN" --oversubscribe -n 3 "$GAPWISE_MPI" "$@" >out.txt 2>err.txt &
    job_process=$!
    # shellcheck disable=SC2064
    (sleep $JOB_SECONDS && kill -9 $job_process 2>/dev/null) &
    guard=$!
  }
  end() {
    wait "$job_process"
    code=$?
    kill $guard 2>/dev/null
    wait $guard 2>/dev/null
    ((code != 137 || lost == 1)) || fail "a job that had to be killed"
  }

  # A rank that is killed, and the job goes on with fewer.
  lost=1
  start "${run[@]}" --checkpoint state --checkpoint-seconds 0 --model job.model
  kill_rank 2 KILL 1.5
  end
  [[ $code != 0 ]] || fail "a job with a lost rank says that it is done"
  says 'rank 2 on .* has ended, so the job ends; start it again.*--resume' "a lost rank"
  expect 0 "resumed on 2" job 2 "${run[@]}" --checkpoint state --resume state --model job.model
  same whole.model job.model "resumed after a lost rank"

  # A rank that stands still.
  lost=0
  start --rank-timeout 2 "${run[@]}" --max-passes 100000 --oracle-delay 3
  kill_rank 1 STOP 1.5
  end
  is $code 1 "exit code of a job with a rank that stands still"
  says 'rank 1 on .* has not been heard of for 2 s' "a rank that stands still"

  # The end, asked of any rank; a checkpoint, asked of all.
  for signal in TERM USR2; do
    rm -f state
    start "${run[@]}" --checkpoint state --checkpoint-seconds 1000 --model job.model
    kill_rank $((round % 3)) $signal 1.2
    end
    is $code 4 "exit code after $signal"
    says 'ended by a signal, everything is saved' "$signal"
    expect 0 "resumed after $signal" job 2 "${run[@]}" --resume state --model job.model
    same whole.model job.model "resumed after $signal"
  done
  rm -f state
  start "${run[@]}" --checkpoint state --checkpoint-seconds 1000
  sleep 1.2
  kill -USR1 "$job_process"
  sleep 1
  [[ -e state ]] || fail "no checkpoint after USR1"
  kill_rank 0 TERM 0
  end
done
finish
