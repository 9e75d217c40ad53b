# Shared by the scripts of this folder: a scratch directory, small data, and checks that say what
# was found. Needs bash, coreutils, awk and gzip only.
set -u -o pipefail
: "${GAPWISE:?path of the program}" "${JSON_FIELD:?path of the json_field helper}"

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cd "$scratch" || exit 1
failures=0

fail() {
  echo "FAILED: $*" >&2
  failures=$((failures + 1))
}

finish() {
  if ((failures > 0)); then
    echo "$failures checks failed" >&2
    exit 1
  fi
  echo "all checks passed"
}

# expect CODE WHAT COMMAND...: runs the command, keeps its output in out.txt and err.txt.
expect() {
  local code=$1 what=$2 got
  shift 2
  "$@" >out.txt 2>err.txt
  got=$?
  if ((got != code)); then
    fail "$what: exit code $got, expected $code; standard error: $(head -c 400 err.txt)"
  fi
}

# says PATTERN WHAT: the last error message must match.
says() {
  grep -q -E -e "$1" err.txt || fail "$2: expected '$1' in: $(head -c 400 err.txt)"
}

same() {
  cmp "$1" "$2" >/dev/null || fail "$3: $1 and $2 differ"
}

is() {
  [[ "$1" == "$2" ]] || fail "$3: found '$1', expected '$2'"
}

# kill_and_repeat SECONDS COMMAND...: kills the command after so long, then runs it to its end.
kill_and_repeat() {
  local pause=$1
  shift
  "$@" >out.txt 2>err.txt &
  sleep "$pause"
  kill -KILL $! 2>/dev/null
  wait $! 2>/dev/null
  expect 0 "going on after $pause s" "$@"
}

# chunked_sentences: three sentences of words with their tags and chunks.
chunked_sentences() {
  cat <<'END'
the D B-N
dog N I-N
runs V B-V

a D B-N
big A I-N
cat N I-N
sat V B-V

dogs N B-N
run V B-V

END
}

# until_true COMMAND...: waits, up to a minute, until the command is true.
until_true() {
  local wait
  for ((wait = 0; wait < 6000; ++wait)); do
    "$@" && return
    sleep 0.01
  done
  return 1
}

# pairs_help TASK EXAMPLES TEST_EXAMPLES METRIC LEAST GAIN: a run of the task with pairs of parts is
# certified and its metric on other data beats that of single parts, itself at least LEAST, by GAIN.
# Leaves train.data, test.data, m.model, and the command of the run in `train`.
pairs_help() {
  "$GAPWISE" sample --task "$1" --examples "$2" --output train.data
  "$GAPWISE" sample --task "$1" --examples "$3" --seed 2 --output test.data
  train=("$GAPWISE" train --quiet --json --task "$1" --data train.data --threads 1)
  expect 0 "pairs" "${train[@]}" --test test.data --model m.model
  is "$(field certified <out.txt) $(field status <out.txt)" "true converged" "pairs"
  local together alone
  together=$(field test <out.txt | field "$4")
  expect 0 "no pairs" "${train[@]}" --test test.data --pairwise no --model alone.model
  alone=$(field test <out.txt | field "$4")
  awk -v a="$alone" -v b="$together" -v least="$5" -v gain="$6" \
    'BEGIN { exit !(a > least && b > a + gain) }' ||
    fail "$4 is $together with pairs and $alone without"
}

# over WHAT FILE COMMAND...: an output over an input; the file must stay as it is.
over() {
  local what=$1 file=$2
  shift 2
  cp "$file" kept
  expect 2 "$what" "$@"
  says "different files|this run reads it" "$what"
  same "$file" kept "$what"
  rm kept
}

field() {
  "$JSON_FIELD" "$1"
}

# Words over three letters in the `letters` format, 12 bits a picture: letters N [SEED].
letters() {
  awk -v n="$1" -v seed="${2:-1}" 'BEGIN {
    srand(seed)
    for (word = 1; word <= n; ++word) {
      size = 2 + int(4 * rand())
      letter = int(3 * rand())
      for (t = 1; t <= size; ++t) {
        bits = ""
        for (k = 0; k < 12; ++k) bits = bits ((int(k / 4) == letter) != (rand() < 0.3) ? 1 : 0)
        printf "%d %d %d %s %s\n", word, t, word % 10, substr("abc", letter + 1, 1), bits
        letter = (letter + (rand() < 0.8)) % 3
      }
    }
  }'
}

# Sentences in the `conll` format: word, shape, tag.
sentences() {
  awk -v n="$1" 'BEGIN {
    srand(2)
    for (k = 0; k < n; ++k) {
      size = 2 + int(5 * rand())
      for (t = 0; t < size; ++t) {
        x = int(6 * rand())
        print "word" x, "shape" (x % 2), (x < 2 ? "B-NP" : x < 3 ? "I-NP" : "O")
      }
      print ""
    }
  }'
}
