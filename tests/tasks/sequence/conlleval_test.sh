# The table by types of chunks against a counter of another kind: it lists the chunks of each side as
# "type from to" and intersects the lists, where the program goes through both at once.
source "$(dirname "$0")/../../cli/lib.sh"

# chunks COLUMN: the chunks of a file with a blank line behind each sentence, as conlleval finds them.
chunks() {
  awk -v column="$1" '
    function close_chunk() { if (type != "") print type, first, NR - 1; type = "" }
    NF == 0 { close_chunk(); next }
    {
      label = column < 0 ? $(NF + 1 + column) : $column
      kind = substr(label, 1, 1); now = label == "O" ? "" : substr(label, 3)
      if (type != "" && (now != type || kind == "B")) close_chunk()
      if (now != "" && type == "") { type = now; first = NR }
    }
    END { NR += 1; close_chunk() }' "$2" | sort
}

# table FILE: gold labels in the last column but one, predicted ones in the last.
table() {
  chunks -2 "$1" >gold.chunks
  chunks -1 "$1" >predicted.chunks
  comm -12 gold.chunks predicted.chunks >correct.chunks
  awk '{ ++count[FILENAME, $1]; types[$1] = 1 }
       function percent(x, y) { return y == 0 ? 0 : 100 * x / y }
       END { for (type in types) {
         g = count["gold.chunks", type]; p = count["predicted.chunks", type]; c = count["correct.chunks", type]
         printf "%s %.2f %.2f %.2f %d %d\n", type, percent(c, p), percent(c, g), percent(2 * c, p + g), g, p } }' \
    gold.chunks predicted.chunks correct.chunks | sort
}

# compare_tables MODEL DATA WHAT
compare_tables() {
  "$GAPWISE" predict --model "$1" --data "$2" --output both.txt
  table both.txt >expected.txt
  "$GAPWISE" evaluate --model "$1" --data "$2" --by-label |
    awk 'is_table && NF == 6 { print $1, $2, $3, $4, $5, $6 } $1 == "label" { is_table = 1 }' | sort >found.txt
  [[ -s expected.txt ]] || fail "$3: no chunks"
  same expected.txt found.txt "$3"
}

# Labels drawn at random, most of them wrong, chunks that begin with I among them.
awk 'BEGIN { srand(3); split("O B-X I-X B-Y I-Y B-Z I-Z", labels, " ")
  for (i = 0; i < 300; ++i) {
    for (t = 0; t <= int(rand() * 9); ++t) print "w" int(rand() * 6), labels[1 + int(rand() * 7)]
    print "" } }' >random.txt
"$GAPWISE" train --data random.txt --model random.model --max-passes 2 --quiet >/dev/null
compare_tables random.model random.txt "random labels"

# The public sets, where they are: a short training does.
for set in conll2000 conll2002-spanish; do
  folder=${GAPWISE_SHARED_DATA:-}/$set
  [[ -n ${GAPWISE_SHARED_DATA:-} && -d $folder ]] || continue
  train=$(ls "$folder"/*train* | head -n 1)
  test=$(ls "$folder"/*test* | head -n 1)
  [[ $train == *.gz ]] && gzip -dc "$train" >train.data || cp "$train" train.data
  head -n 20000 train.data >some.data
  "$GAPWISE" train --data some.data --model some.model --max-passes 2 --quiet >/dev/null
  [[ $test == *.gz ]] && gzip -dc "$test" >test.data || cp "$test" test.data
  compare_tables some.model test.data "$set"
done
finish
