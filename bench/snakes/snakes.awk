# Turns grids of the snakes data [NRBSYK11] into factor graphs (docs/factor-graphs.md).
#   awk -f snakes.awk [-v most=20] snakes_train.txt >snakes.factors
# Input: 'image N ROWS COLUMNS', then a line per row with 'R,G,B:label' per cell, then an empty line.
# A cell has the colours of the nine cells around and at it as features, a pair of neighbours those
# of both its cells, by the direction of the pair.

function colour_of(r, c) {
  return (r, c) in colour ? colour[r, c] : "out"
}

# The colours of a cell and of those around it, each with its place.
function around(prefix, r, c,   all, down, right) {
  all = ""
  for (down = -1; down <= 1; ++down) {
    for (right = -1; right <= 1; ++right) {
      all = all " " prefix (2 + down) (2 + right) "-" colour_of(r + down, c + right)
    }
  }
  return all
}

function write_grid(   r, c) {
  if (most > 0 && ++written > most) exit
  print "graph"
  for (r = 1; r <= rows; ++r) {
    for (c = 1; c <= columns; ++c) {
      print "variable cell " label[r, c] " bias" around("at", r, c)
    }
  }
  for (r = 1; r <= rows; ++r) {
    for (c = 1; c <= columns; ++c) {
      if (c < columns) write_pair("across", r, c, r, c + 1)
      if (r < rows) write_pair("below", r, c, r + 1, c)
    }
  }
  delete colour
  delete label
}

function write_pair(kind, r1, c1, r2, c2) {
  print "factor " kind " " (r1 - 1) * columns + c1 " " (r2 - 1) * columns + c2 \
    " bias" around("from", r1, c1) around("to", r2, c2)
}

BEGIN { print "states cell 11" }
$1 == "image" {
  rows = $3
  columns = $4
  row = 0
  next
}
NF > 0 {
  ++row
  for (c = 1; c <= columns; ++c) {
    split($c, parts, ":")
    gsub(",", "-", parts[1])
    colour[row, c] = parts[1]
    label[row, c] = parts[2]
  }
  if (row == rows) write_grid()
}
