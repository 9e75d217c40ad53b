# Outputs never destroy anything: not each other, not what the run reads, and what killed runs have
# left goes with the next one.
source "$(dirname "$0")/lib.sh"
letters 60 >words.txt
mkdir a b
train=("$GAPWISE" train --quiet --data words.txt --max-passes 2)

# twice WHAT ARGUMENT...: two outputs in one place; nothing may be written.
twice() {
  local what=$1
  shift
  expect 2 "$what" "${train[@]}" "$@"
  says "give them different files" "$what"
  [[ -z $(find . -name 'm*' ! -type l ! -name 'm.old') ]] || fail "$what: something was written"
}
twice "the same name" --model m --trace m
twice "./" --model m --trace ./m
twice "a/.." --model m --checkpoint a/../m
twice "an absolute name" --trace m --checkpoint "$PWD/m"
ln -s ../m b/m
twice "a symbolic link to what is not there" --model b/m --trace m
ln -s b c
twice "a folder by two names" --model b/m2 --checkpoint c/m2
echo old >m.old
ln m.old m.hard
expect 2 "a hard link" "${train[@]}" --model m.old --trace m.hard
rm m.hard

seq 60 | paste -sd, >order.txt
over "the data" words.txt "${train[@]}" --model ./words.txt
ln words.txt hard.txt
over "a hard link of the data" words.txt "${train[@]}" --trace hard.txt
over "the order" order.txt "${train[@]}" --order order.txt --model a/../order.txt
expect 0 "a checkpoint" "${train[@]}" --checkpoint state
over "the checkpoint to resume" state "${train[@]}" --resume state --model ./state
over "the checkpoint to resume, by the trace" state "${train[@]}" --resume state --trace state
expect 0 "a checkpoint in the place of the resumed one" "${train[@]}" --resume state \
  --checkpoint state

sentences 20 >tagged.txt
printf 'U00:%%x[0,0]\n' >template
over "the template" template "$GAPWISE" train --quiet --format conll --data tagged.txt \
  --template template --model ./template
"$GAPWISE" sample --task multiclass --examples 30 --output classes.txt
if "$GAPWISE" train --quiet --task multiclass --data classes.txt --max-passes 2 --model c.model >out.txt; then
  over "predictions over the model" c.model "$GAPWISE" predict --model c.model --data classes.txt \
    --output ./c.model
  over "predictions over the data" classes.txt "$GAPWISE" predict --model c.model \
    --data classes.txt --output b/../classes.txt
fi
mkdir results
cp words.txt results/summary.json
over "a comparison over its data" results/summary.json "$GAPWISE" compare --quiet --solvers bcfw \
  --data results/summary.json --format letters --max-passes 2 --output results

# A dash is standard output where that makes sense, and no file elsewhere.
for output in model trace checkpoint; do
  expect 2 "--$output -" "${train[@]}" --$output -
  says "is not the name of a file" "--$output -"
done
[[ ! -e - ]] || fail "a file named - was written"

# What a killed run left is gone after the next one, and what a running one writes is not touched.
mkdir kill
long=("$GAPWISE" train --quiet --data words.txt --relative-gap 0 --max-passes 100000000
  --checkpoint kill/state --checkpoint-seconds 0)
left() { find kill -name '.gapwise-*' | wc -l; }
most=0
for ((attempt = 0; attempt < 60; ++attempt)); do
  "${long[@]}" >/dev/null 2>&1 &
  process=$!
  sleep 0.0$((RANDOM % 90 + 10))
  kill -9 $process
  wait $process 2>/dev/null
  (($(left) > most)) && most=$(left)
done
((most <= 1)) || fail "$most temporary files after kills"
expect 0 "a run after the kills" "${train[@]}" --checkpoint kill/state
is "$(left)" 0 "temporary files after a run that was not killed"
mkfifo kill/slow
"$GAPWISE" train --quiet --data words.txt --max-passes 2 --model one.model >out.txt
"$GAPWISE" predict --model one.model --data - --output kill/out <kill/slow >out.txt 2>err.txt &
process=$!
exec 3>kill/slow
has_one() { (($(left) > 0)); }
until_true has_one
is "$(left)" 1 "the temporary file of a run under way"
expect 0 "another run to the same place" "$GAPWISE" predict --model one.model --data words.txt \
  --output kill/out
is "$(left)" 1 "the temporary file of a run under way, after another has written"
cat words.txt >&3
exec 3>&-
wait $process
is $? 0 "exit code of the run under way"
is "$(left)" 0 "temporary files at the end"
finish
