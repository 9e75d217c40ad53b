# Every figure of bench/papers runs, on samples in place of data, and its claims can be checked. A second
# run asks the program nothing.
source "$(dirname "$0")/lib.sh"
if ! /usr/bin/python3 -c 'import tomllib, matplotlib' 2>/dev/null; then
  echo "skipped: needs Python 3.11 with matplotlib (Debian's python3-matplotlib)"
  exit 0
fi
reproduce=(env PYTHONDONTWRITEBYTECODE=1 /usr/bin/python3 "$GAPWISE_SOURCE/bench/papers/reproduce.py" --smoke
  --gapwise "$GAPWISE" --output papers)
expect 0 "a smoke run" "${reproduce[@]}" all
for figure in "$GAPWISE_SOURCE"/bench/papers/figures/*.toml; do
  name=$(basename "$figure" .toml)
  grep -q "^$name: " out.txt || fail "$name was not run: $(cat out.txt)"
  [[ -s papers/smoke/$name.csv && -s papers/smoke/$name.json ]] || fail "$name has no numbers"
done
answers=$(find papers/cache -name '*.json' | wc -l)
((answers > 50)) || fail "only $answers answers are kept"
touch mark
expect 0 "a second run" "${reproduce[@]}" all
is "$(find papers/cache -newer mark | wc -l)" 0 "answers that were asked for again"
expect 2 "an unknown figure" "${reproduce[@]}" nothing
finish
