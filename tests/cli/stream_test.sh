# `predict` writes what it has found while more is still to come, in memory that does not grow with
# the input, and nothing for an empty input.
source "$(dirname "$0")/lib.sh"

"$GAPWISE" sample --task sequence --examples 200 --output train.txt
"$GAPWISE" train --data train.txt --quiet --model m.model >/dev/null

# The second sentence is only sent once the label of the first one has come back.
mkfifo input
timeout 60 "$GAPWISE" predict --model m.model --data input >predicted.txt &
predictor=$!
exec 7>input
printf 'the\ndog\n\n' >&7
for _ in {1..300}; do
  [ -s predicted.txt ] && break
  sleep 0.1
done
test -s predicted.txt || fail "output comes before the end of the input"
printf 'a\nship\n\n' >&7
exec 7>&-
wait $predictor
test "$(grep -c . predicted.txt)" -eq 4 || fail "and is complete in the end"

: >empty.txt
expect 0 "an empty input" "$GAPWISE" predict --model m.model --data empty.txt
test ! -s out.txt || fail "an empty input gives an empty output"
expect 0 "an empty input to a file" "$GAPWISE" predict --model m.model --data empty.txt --output none.txt
test -e none.txt -a ! -s none.txt || fail "which is there and empty"

for task in $("$GAPWISE" help train | sed -n '/^tasks$/,/^$/p' | awk '/^  [a-z]/ { print $1 }'); do
  "$GAPWISE" sample --task "$task" --examples 30 --output "$task.txt"
  "$GAPWISE" train --task "$task" --data "$task.txt" --max-passes 2 --quiet --model "$task.model" >/dev/null
  expect 0 "task $task predicts nothing of nothing" \
    "$GAPWISE" predict --model "$task.model" --data empty.txt
  test ! -s out.txt || fail "$task: no output"
done

# Ten times the input in the same memory: the peak may differ by what the allocator keeps.
# (An address sanitizer keeps freed memory back, unless told not to.)
export ASAN_OPTIONS="${ASAN_OPTIONS:+$ASAN_OPTIONS:}quarantine_size_mb=1"
"$GAPWISE" sample --task sequence --examples 100000 --output long.txt
for _ in {1..10}; do cat long.txt; done >longer.txt
peak() { # FILE: the most memory that predicting it takes, in kB
  "$GAPWISE" predict --model m.model --data "$1" --output /dev/null &
  local process=$! most=0 now
  while now=$(awk '/VmHWM/ { print $2 }' "/proc/$process/status" 2>/dev/null) && [ -n "$now" ]; do
    most=$now
    sleep 0.02
  done
  wait $process
  echo "$most"
}
short=$(peak long.txt)
long=$(peak longer.txt)
echo "peak memory: $short kB for one, $long kB for ten"
test "$long" -lt $((short + 20000)) || fail "memory does not grow with the input"
finish
