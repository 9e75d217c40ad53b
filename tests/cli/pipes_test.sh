# Data from pipes are read once; what needs them twice says so instead of waiting for ever.
source "$(dirname "$0")/lib.sh"
"$GAPWISE" sample --task segmentation --examples 20 --output graphs.txt
sentences 20 >text.txt
mkfifo pipe

# fed FILE COMMAND...: gives the file to the pipe once, and the command 20 seconds.
fed() {
  local file=$1 writer
  shift
  cat "$file" >pipe 2>/dev/null &
  writer=$!
  timeout 20 "$@"
  local code=$?
  kill "$writer" 2>/dev/null
  wait "$writer" 2>/dev/null
  return $code
}

train=("$GAPWISE" train --quiet --task segmentation --max-passes 2)
expect 0 "a file" "${train[@]}" --data graphs.txt --model file.model
expect 0 "a pipe" fed graphs.txt "${train[@]}" --data pipe --model pipe.model
same file.model pipe.model "a pipe makes no difference"
expect 2 "training and test from a pipe" fed graphs.txt "${train[@]}" --data pipe --test-folds 1-3
says "pipe would be read twice" "training and test from a pipe"
expect 2 "training and test from a process" "${train[@]}" --data <(cat graphs.txt) --test-folds 1-3
says "would be read twice .* save them to a file first" "training and test from a process"
expect 2 "pictures and predictions from a pipe" fed graphs.txt "$GAPWISE" predict \
  --model file.model --data pipe --pictures shown --output labels.txt
says "pipe would be read twice" "pictures and predictions from a pipe"
expect 3 "data of another task from a pipe" fed text.txt "$GAPWISE" train --task parsing --data pipe
expect 0 "test data from a process" "${train[@]}" --data graphs.txt --test <(cat graphs.txt)
finish
