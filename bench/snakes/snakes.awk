# Turns grids of the snakes data [NRBSYK11] into factor graphs (docs/factor-graphs.md).
#   awk -f snakes.awk [-v most=20] snakes_train.txt >snakes.factors
# Input: 'image N ROWS COLUMNS', then a line per row with 'R,G,B:label' per cell, then an empty line.
# A cell has the colours of itself and of its four neighbours as features, a pair of neighbours the
# colours of both.

function colour_of(r, c) {
  return (r, c) in colour ? colour[r, c] : "out"
}

function write_grid(   r, c) {
  if (most > 0 && ++written > most) exit
  print "graph"
  for (r = 1; r <= rows; ++r) {
    for (c = 1; c <= columns; ++c) {
      print "variable cell " label[r, c] " here-" colour_of(r, c) " left-" colour_of(r, c - 1) \
        " right-" colour_of(r, c + 1) " up-" colour_of(r - 1, c) " down-" colour_of(r + 1, c)
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
    " bias from-" colour_of(r1, c1) " to-" colour_of(r2, c2)
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
