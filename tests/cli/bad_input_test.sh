# Bad input: a message with file, line and remedy, exit code 3, and existing outputs untouched.
source "$(dirname "$0")/lib.sh"
letters 30 >words.txt
sentences 20 >text.txt
expect 0 "good letters" "$GAPWISE" train --quiet --data words.txt --model good.model

echo precious >m.model
cp m.model t.jsonl
cp m.model c.checkpoint
cp m.model precious

# refused WHAT PATTERN ARGUMENT...: trains and must be refused with everything left alone.
refused() {
  local what=$1 pattern=$2
  shift 2
  expect 3 "$what" "$GAPWISE" train --quiet --model m.model --trace t.jsonl \
    --checkpoint c.checkpoint "$@"
  says "$pattern" "$what"
  for file in m.model t.jsonl c.checkpoint; do same $file precious "$what: outputs untouched"; done
  [[ ! -s out.txt ]] || fail "$what: standard output is not empty"
}

: >empty.txt
refused "empty file" "empty.txt" --data empty.txt
printf '\n\n' >blank.txt
refused "blank lines only" "blank.txt" --data blank.txt --format conll
{ head -3 text.txt; echo "lonely"; tail -n +4 text.txt; } >columns.txt
refused "too few columns" "columns.txt:4: " --data columns.txt --format conll
{ head -4 words.txt; echo "2 1 2 a"; } >fields.txt
refused "too few fields" "fields.txt:5: " --data fields.txt --format letters
{ head -2 text.txt; printf 'nul\0word x O\n'; } >nul.txt
refused "NUL byte" "nul.txt:3: " --data nul.txt --format conll
for value in nan inf -inf 1e400 abc 1:2x; do
  printf 'A\tx:1\ty:2\nB\tx:%s\n' "$value" >value.txt
  refused "value $value" "value.txt:2: " --data value.txt --format crfsuite
done
printf 'U00:%%x[0,7]\nB\n' >column.template
refused "template column out of range" "column.template:1: " --data text.txt --format conll \
  --template column.template
printf 'B\nU00:%%x[9999999,0]\n' >row.template
refused "template row out of range" "row.template:2: " --data text.txt --format conll \
  --template row.template
: >zero.gz
refused "zero-length gzip" "zero.gz" --data zero.gz
gzip -c words.txt >whole.gz
head -c 200 whole.gz >cut.gz
refused "truncated gzip" "cut.gz" --data cut.gz
refused "a test file that is empty" "empty.txt" --data words.txt --test empty.txt
refused "a directory" "\." --data .
printf 'a\tA\t2\nb\tB\t1\n' >cycle.dep
refused "a cyclic tree" "cycle.dep:1: .* form a cycle" --task parsing --data cycle.dep
printf '\na\tA\t0\nb\tB\t0\n' >roots.dep
refused "a tree with two roots" "roots.dep:3: .* --roots many" --task parsing --data roots.dep
printf 'a\tA\t0\nb\tB\t3\n' >outside.dep
refused "a head outside the sentence" "outside.dep:2: .* outside" --task parsing --data outside.dep
order() { # TEXT WHAT MESSAGE
  printf "$1" >order.txt
  refused "$2" "order.txt:$3" --data words.txt --order order.txt
}
order '1 2 x\n' "an order that is not numbers" "1: 'x'"
order '1,2\n2,3\n' "an order with repeats" "2: example 2 comes twice"
order '3,2,1\n' "a short order" "1: .* 3 of 30"
refused "a model for a checkpoint" "good.model" --data words.txt --resume good.model

sets() { # TEXT WHAT MESSAGE
  printf "$1" >sets.txt
  refused "$2" "sets.txt:$3" --task multilabel --data sets.txt
}
sets '1,2 1:1\n2 0:1\n' "index 0" "2: index 0 "
sets '1 2:1 1:1\n' "unsorted indices" "1: index 1 comes after 2"
sets '1 2147483648:1\n' "an index beyond 2^31" "1: index 2147483648 "
sets '1,1 1:1\n' "a label twice" "1: label '1' comes twice"
printf '<labels><label name="l"/></labels>' >labels.xml
printf '@attribute x real\n@attribute l {0,1}\n@data\n1,0\n{0 1,0 1}\n' >sets.arff
refused "an attribute twice" "sets.arff:5: attribute 0 comes after 0" --task multilabel \
  --data sets.arff --label-xml labels.xml
printf '<labels>\n<label/>' >labels.xml
refused "a label without a name" "labels.xml:2: " --task multilabel --data sets.arff \
  --label-xml labels.xml

# Accepted: other line ends, byte order mark, odd bytes, tiny data.
accepted() {
  local what=$1
  shift
  expect 0 "$what" "$GAPWISE" train --quiet --json "$@"
  field status <out.txt >/dev/null || fail "$what: no summary"
}
sed 's/$/\r/' words.txt >crlf.txt
{ printf '\xef\xbb\xbf'; cat words.txt; } >bom.txt
accepted "plain" --data words.txt --model plain.model
accepted "CRLF" --data crlf.txt --model crlf.model
accepted "byte order mark" --data bom.txt --model bom.model
same plain.model crlf.model "CRLF makes no difference"
same plain.model bom.model "a byte order mark makes no difference"
accepted "gzip" --data whole.gz --model gz.model
same plain.model gz.model "gzip makes no difference"
"$GAPWISE" train --quiet --data - --model stdin.model <words.txt >/dev/null || fail "standard input"
same plain.model stdin.model "standard input makes no difference"
gzip -c words.txt | "$GAPWISE" train --quiet --data - --model stdin.model >/dev/null ||
  fail "gzip from standard input"
same plain.model stdin.model "gzip from standard input makes no difference"

# A label that is not known is no class.
printf 'w s ?\nv s O\n\n' >unknown.txt
refused "a label ?" "unknown.txt:1: the label is '\?', which stands for one that is not known" \
  --data unknown.txt --format conll --unknown-label UNKNOWN
printf 'A\tx:1\n?\tx:2\n' >unknown.txt
refused "a label ? of crfsuite" "unknown.txt:2: the label is '\?'" --data unknown.txt \
  --format crfsuite --unknown-label UNKNOWN
printf '1 1:1\n2 1:2\n? 1:3\n' >unknown.txt
refused "a class ?" "unknown.txt:3: the label is '\?'" --task multiclass --data unknown.txt
refused "a label ? in a set" "unknown.txt:3: the label is '\?'" --task multilabel --data unknown.txt
accepted "the others" --task multiclass --data <(head -2 unknown.txt) --model classes.model
expect 0 "a class ? to predict" "$GAPWISE" predict --model classes.model --data unknown.txt

# Names are shown without what a terminal would obey.
printf 'w s \033[31mred\nv s O\n\nw s \033[31mred\n\n' >escape.txt
accepted "a label with an escape" --data escape.txt --format conll --model escape.model
expect 0 "inspect it" "$GAPWISE" inspect escape.model
grep -q '\\x1b\[31mred' out.txt || fail "inspect does not show the label: $(head -c 300 out.txt)"
grep -q "$(printf '\033')" out.txt && fail "inspect sends an escape to the terminal"

printf 'w s \xff\xfe\nv s O\n\nw s \xff\xfe\n\n' >bytes.txt
accepted "labels that are not UTF-8" --data bytes.txt --format conll --model bytes.model
expect 0 "predict them" "$GAPWISE" predict --model bytes.model --data bytes.txt
grep -q -a "$(printf '\xff\xfe')" out.txt || fail "the bytes of a label do not come back"
expect 0 "inspect them" "$GAPWISE" inspect bytes.model --json
field top <out.txt >/dev/null || fail "inspect --json with such labels is not JSON"
head -1 words.txt >one.txt
accepted "one example" --data one.txt
printf 'A\nB\tx:1\n\nA\n\n' >none.txt
accepted "examples without features" --data none.txt --format crfsuite
finish
