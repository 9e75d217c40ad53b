# The table of bench/table can be measured, on samples in place of data: every part runs or says why not.
source "$(dirname "$0")/lib.sh"
if ! /usr/bin/python3 -c 'import tomllib, numpy' 2>/dev/null; then
  echo "skipped: needs Python 3.11 with numpy (Debian's python3-numpy)"
  exit 0
fi
table=(env PYTHONDONTWRITEBYTECODE=1 /usr/bin/python3 "$GAPWISE_SOURCE/bench/table/table.py" --smoke
  --gapwise "$GAPWISE" --kernels none --dlib none --output table)
expect 0 "a smoke run" "${table[@]}"
for part in solvers threads growth; do
  grep -qE "^$part: [0-9]+ rows" out.txt || fail "$part has no rows: $(cat out.txt)"
done
if command -v liblinear-train >/dev/null; then
  grep -qE "^liblinear: [0-9]+ rows" out.txt || fail "liblinear has no rows: $(cat out.txt)"
fi
grep -q "^kernels: none is not built" out.txt || fail "kernels do not say that they are missing: $(cat out.txt)"
grep -q "^| Letters, lambda = 0.01 to 1 % | auto |" table/table.md || fail "the table has no row of auto"
is "$(/usr/bin/python3 -c 'import json; print(sorted(json.load(open("table/table.json"))["parts"])[0])')" dlib "the first part"
expect 2 "an unknown part" "${table[@]}" nothing
finish
