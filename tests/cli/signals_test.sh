# Signals besides Ctrl-C, exit codes 4 and 5, and budgets that hold in the middle of a long decode.
source "$(dirname "$0")/lib.sh"
letters 300 >words.txt
# Slow calls, lest the run be as exact as numbers are before it is told to end.
long=("$GAPWISE" train --quiet --json --data words.txt --relative-gap 0 --max-passes 1000000000
  --oracle-delay 0.1)

# started FILE COMMAND...: runs the command in the background until it has written the file. A shell
# lets its background jobs ignore SIGINT unless it controls jobs.
started() {
  local file=$1
  shift
  rm -f "$file"
  set -m
  "$@" >out.txt 2>err.txt &
  process=$!
  set +m
  until_true test -e "$file" || fail "$file was not written: $(cat err.txt)"
}

# A signal that was ignored on entry stays ignored; one that was not still works.
for signal in HUP INT; do
  (
    trap '' "$signal"
    started s.trace "${long[@]}" --trace s.trace --model s.model --checkpoint s.state
    kill -"$signal" "$process"
    sleep 0.3
    kill -0 "$process" 2>/dev/null || fail "SIG$signal ended a run that was told to ignore it"
    kill -TERM "$process"
    wait "$process"
    is $? 4 "exit code of a run that ignores SIG$signal after SIGTERM"
    exit "$failures"
  ) || failures=$((failures + $?))
done

# A second SIGHUP is none of somebody who is in a hurry.
started s.trace "${long[@]}" --trace s.trace --checkpoint s.state
kill -STOP "$process"
kill -HUP "$process"
kill -CONT "$process"
kill -HUP "$process" 2>/dev/null
wait "$process"
is $? 4 "exit code after two SIGHUP"

# Without a checkpoint the message says what is missing.
started s.trace "${long[@]}" --trace s.trace --model s.model
kill -TERM "$process"
wait "$process"
is $? 4 "exit code without a checkpoint"
says "the state of the run is not saved: give --checkpoint FILE" "no checkpoint"

# SIGUSR1 saves a checkpoint at once and the run goes on; the checkpoint resumes.
started s.trace "${long[@]}" --trace s.trace --checkpoint s.state --checkpoint-seconds 100000
[[ ! -e s.state ]] || rm s.state
kill -USR1 "$process"
until_true test -e s.state
[[ -s s.state ]] || fail "SIGUSR1 wrote no checkpoint"
cp s.state asked.state
kill -0 "$process" 2>/dev/null || fail "SIGUSR1 ended the run"
kill -TERM "$process"
wait "$process"
is $? 4 "exit code after SIGUSR1 and SIGTERM"
expect 0 "the checkpoint of SIGUSR1" "$GAPWISE" train --quiet --data words.txt --relative-gap 0 \
  --max-passes 1 --oracle-delay 0.1 --resume asked.state

started s.trace "${long[@]}" --trace s.trace
kill -USR1 "$process"
until_true grep -q SIGUSR1 err.txt
kill -TERM "$process"
wait "$process"
is $? 4 "exit code after SIGUSR1 without a checkpoint"
says "SIGUSR1: there is no --checkpoint FILE" "SIGUSR1 without a checkpoint"

# --require-converged.
short=("$GAPWISE" train --quiet --json --data words.txt --require-converged)
expect 0 "a run that converges" "${short[@]}" --relative-gap 0.5
expect 5 "a run that does not" "${short[@]}" --relative-gap 1e-9 --max-passes 1 --model n.model
says "--require-converged: the run did not converge: status max_passes, gap .* of the primal" \
  "a run that does not"
is "$(field status <out.txt)" max_passes "the summary of a run that does not converge"
[[ -s n.model ]] || fail "a run that does not converge leaves no model"
expect 2 "convergence without a dual" "${short[@]}" --solver ssg
says "no meaning for solver ssg" "convergence without a dual"
expect 5 "an entry that does not converge" "$GAPWISE" compare --quiet --data words.txt \
  --solvers bcfw,ssg --output compared --gaps 1e-9 --max-passes 2 --require-converged
says "entry bcfw did not converge" "an entry that does not converge"
expect 0 "entries without a dual cannot" "$GAPWISE" compare --quiet --data words.txt \
  --solvers bcfw,ssg --output compared --gaps 0.5 --max-passes 200 --require-converged

# One sentence of 4000 words with 2000 labels: a decode takes many seconds. The time of the budget
# and a signal are seen in the middle of it, and the checkpoint is that of a run without a step.
awk 'BEGIN { for (t = 0; t < 4000; ++t) print "w" t % 7, "x" t % 2000 }' >wide.txt
wide=("$GAPWISE" train --quiet --json --data wide.txt --format conll --solver bcfw --threads 1)
began=$SECONDS
expect 0 "a budget in the middle of a decode" "${wide[@]}" --max-seconds 1
is "$(field status <out.txt)" max_seconds "status of a budget in the middle of a decode"
is "$(field train_loss <out.txt)" null "no time for the training loss"
((SECONDS - began < 60)) || fail "one second of training took $((SECONDS - began)) s"
set -m
"$GAPWISE" train --json --data wide.txt --format conll --solver bcfw --threads 1 \
  --checkpoint wide.state --model wide.model >out.txt 2>err.txt &
process=$!
set +m
until_true test -s err.txt  # the headline is told before the first step
sleep 0.5
began=$SECONDS
kill -TERM "$process"
wait "$process"
is $? 4 "exit code after SIGTERM in the middle of a decode"
((SECONDS - began < 30)) || fail "the end after SIGTERM took $((SECONDS - began)) s"
is "$(field status <out.txt)" interrupted "status after SIGTERM in the middle of a decode"
is "$(field oracle_calls <out.txt)" 0 "calls of a run that was stopped in its first one"
[[ -s wide.model ]] || fail "no model after SIGTERM in the middle of a decode"
expect 0 "resumed where the decode was given up" "${wide[@]}" --max-seconds 1 --resume wide.state
finish
