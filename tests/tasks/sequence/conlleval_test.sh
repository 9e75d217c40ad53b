# The table by types of chunks against a counter of another kind; public data: slow_data_test.sh.
here=$(cd "$(dirname "$0")" && pwd)
source "$here/../../cli/lib.sh"
source "$here/conlleval.sh"

# Labels drawn at random, most of them wrong, chunks that begin with I among them.
awk 'BEGIN { srand(3); split("O B-X I-X B-Y I-Y B-Z I-Z", labels, " ")
  for (i = 0; i < 300; ++i) {
    for (t = 0; t <= int(rand() * 9); ++t) print "w" int(rand() * 6), labels[1 + int(rand() * 7)]
    print "" } }' >random.txt
"$GAPWISE" train --data random.txt --model random.model --max-passes 2 --quiet >/dev/null
compare_tables random.model random.txt "random labels"
finish
