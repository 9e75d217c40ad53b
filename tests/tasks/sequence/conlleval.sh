# Figures of chunks by a counter of another kind than the program's: it lists the chunks of each side
# as "type from to" and intersects the lists, where the program goes through both at once.

# chunks COLUMN FILE: the chunks of a file with a blank line behind each sentence, as conlleval finds them.
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

# table FILE: gold labels in the last column but one, predicted ones in the last. The line "all" is
# that of all types together.
table() {
  chunks -2 "$1" >gold.chunks
  chunks -1 "$1" >predicted.chunks
  comm -12 gold.chunks predicted.chunks >correct.chunks
  awk '{ ++count[FILENAME, $1]; types[$1] = 1; ++count[FILENAME, "all"]; types["all"] = 1 }
       function percent(x, y) { return y == 0 ? 0 : 100 * x / y }
       END { for (type in types) {
         g = count["gold.chunks", type]; p = count["predicted.chunks", type]; c = count["correct.chunks", type]
         printf "%s %.2f %.2f %.2f %d %d\n", type, percent(c, p), percent(c, g), percent(2 * c, p + g), g, p } }' \
    gold.chunks predicted.chunks correct.chunks | sort
}

# compare_tables MODEL DATA WHAT: the table by types, and the figures of all, to the printed digit.
compare_tables() {
  "$GAPWISE" predict --model "$1" --data "$2" --output both.txt
  table both.txt >expected.txt
  "$GAPWISE" evaluate --model "$1" --data "$2" --by-label |
    awk 'is_table && NF == 6 { print $1, $2, $3, $4, $5, $6 } $1 == "label" { is_table = 1 }' | sort >found.txt
  [[ -s expected.txt ]] || fail "$3: no chunks"
  grep -v '^all ' expected.txt >types.txt
  same types.txt found.txt "$3"
  "$GAPWISE" evaluate --model "$1" --data "$2" --json >all.json
  is "$(for figure in precision recall f1; do field $figure <all.json; done |
    awk '{ printf "%.2f ", 100 * $1 }')" \
    "$(awk '$1 == "all" { print $2, $3, $4 " " }' expected.txt)" "$3: all types"
}
