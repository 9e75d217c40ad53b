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

# What is found does not depend on how many runs go on at a time.
expect 0 "one run at a time" "${reproduce[@]}" --output alone --jobs 1 lj13-figure2
same papers/smoke/lj13-figure2.csv alone/smoke/lj13-figure2.csv "figures of one and of two runs at a time"

# Killed at any time, it goes on from what is there.
timeout -s KILL 2 "${reproduce[@]}" --output killed osokin16-figure3-ocr >/dev/null 2>&1
timeout -s KILL 2 "${reproduce[@]}" --output killed osokin16-figure3-ocr >/dev/null 2>&1
kept=$(find killed/cache -name '*.json' 2>/dev/null | wc -l)
touch mark
expect 0 "going on" "${reproduce[@]}" --output killed osokin16-figure3-ocr
all=$(find killed/cache -name '*.json' | wc -l)
is "$(find killed/cache -name '*.json' -newer mark | wc -l)" $((all - kept)) "answers asked for after a kill"

# The page tells every claim, and shows every picture.
expect 0 "a page" "${reproduce[@]}" all --document page
claims=$(grep -c '^\[\[claim\]\]' "$GAPWISE_SOURCE"/bench/papers/figures/*.toml | awk -F: '{sum += $2} END {print sum}')
is "$(grep -c -E '\| (agrees|\*\*differs)' page/papers.md)" "$claims" "claims on the page"
for picture in $(grep -o 'images/papers/[^)]*' page/papers.md); do
  [[ -s page/$picture ]] || fail "$picture is not there"
done
finish
