# A model or checkpoint that is cut short or has a byte changed is refused, whatever the byte.
source "$(dirname "$0")/lib.sh"
# All of it in bounded memory, where the program can run so at all (sanitizers cannot).
memory=2000000
if (ulimit -v $memory && "$GAPWISE" --version) >/dev/null 2>&1; then ulimit -v $memory; fi
letters 20 >words.txt
expect 0 "train" "$GAPWISE" train --quiet --data words.txt --model m.model --max-passes 3 \
  --checkpoint c.checkpoint

# damage FILE AT: the file with one byte changed.
damage() {
  local byte
  byte=$(od -An -tu1 -j"$2" -N1 "$1" | tr -d ' ')
  cp "$1" damaged
  # shellcheck disable=SC2059
  printf "\\x$(printf %02x $(((byte + 1) % 256)))" |
    dd of=damaged bs=1 seek="$2" conv=notrunc status=none
}

refused() {
  expect 3 "$1" "${@:2}"
  says "damaged" "$1"
}
inspect=("$GAPWISE" inspect damaged)
resume=("$GAPWISE" train --quiet --data words.txt --max-passes 3 --resume damaged)

for file in m.model c.checkpoint; do
  size=$(stat -c %s $file)
  if [[ $file == m.model ]]; then command=("${inspect[@]}"); else command=("${resume[@]}"); fi
  for ((step = 0; step < 40; ++step)); do
    at=$((step < 30 ? step : (step - 29) * (size - 1) / 10))
    damage $file $at
    refused "$file with byte $at changed" "${command[@]}"
    head -c $at $file >damaged
    refused "$file cut at $at" "${command[@]}"
  done
  { cat $file; printf x; } >damaged
  refused "$file with a byte more" "${command[@]}"
done
cp c.checkpoint damaged
expect 3 "a checkpoint for a model" "${inspect[@]}"
cp m.model damaged
expect 0 "the whole model" "${inspect[@]}"
finish
