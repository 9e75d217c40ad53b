#!/usr/bin/env bash
# The scan accepts a good tree and finds each kind of breach in an otherwise good one.
set -euo pipefail
scan=$(cd "$(dirname "$0")" && pwd)/scan.sh
root=$(mktemp -d)
trap 'rm -rf "$root"' EXIT
failures=0

good_tree() {
  cd "$root"
  rm -rf "$root/tree"
  mkdir -p "$root"/tree/{include/gapwise,src/{core,io,solve,app/proof,tasks/{pose,sequence,shared}},cli,tests/io,examples}
  cd "$root/tree"
  echo '#include <vector>' >include/gapwise/types.h
  echo '#include "gapwise/train.h"' >include/gapwise/fit.h
  echo '#include "gapwise/types.h"' >src/io/model.h
  printf '#include "gapwise/train.h"\n#include "solve/private.h"\n' >src/solve/solver.cpp
  echo '#pragma once' >src/solve/private.h
  printf '#include "tasks/pose/model.h"\n#include "tasks/shared/rows.h"\n#include "io/model.h"\n' >src/tasks/pose/model.cpp
  printf '#include "tasks/task.h"\n#include "solve/private.h"\n#include "gapwise/fit.h"\n' >src/app/fit.cpp
  printf '#include "io/private.h"\n#include "tasks/pose/model.h"\n' >tests/io/some_test.cpp
  printf '#include "gapwise/fit.h"\n#include "io/model.h"\n#include "text.h"\n' >cli/main.cpp
  echo '#include <gapwise/fit.h>' >examples/tag.cpp
}

# expect WHAT NAME: the tree as it stands is refused with a line that holds WHAT.
expect() {
  local output
  if output=$("$scan" "$root/tree") || ! grep -qF "$1" <<<"$output"; then
    echo "FAILED: $2: expected '$1', got: $output"
    failures=$((failures + 1))
  fi
}

# refuses NAME WHAT FILE TEXT: a good tree with TEXT appended to FILE is refused.
refuses() {
  good_tree
  printf '%s\n' "$4" >>"$3"
  expect "$2" "$1"
}

good_tree
if ! "$scan" "$root/tree"; then
  echo "FAILED: refuses a good tree"
  failures=$((failures + 1))
fi

refuses "io sees solve" "io must not include solve" src/io/a.cpp '#include "gapwise/train.h"'
refuses "io sees tasks" "io must not include tasks" src/io/a.cpp '#include "tasks/task.h"'
refuses "solve sees tasks" "solve must not include tasks" src/solve/solver.cpp '#include <tasks/task.h>'
refuses "tasks see solve" "tasks must not include solve" src/tasks/pose/a.cpp '  #  include "solve/private.h"'
refuses "tasks see app" "tasks must not include app" src/tasks/pose/a.cpp '#include "gapwise/fit.h"'
refuses "core sees io" "core must not include io" src/core/a.cpp '#include "io/model.h"'
refuses "core sees a public header of solve" "core must not include solve" include/gapwise/types.h '#include "gapwise/train.h"'
refuses "a task sees another" "outside its folder" src/tasks/sequence/a.cpp '#include "tasks/pose/model.h"'
refuses "shared code sees a task" "outside its folder" src/tasks/shared/a.h '#include "tasks/pose/model.h"'
refuses "app sees a task" "outside its folder" src/app/fit.cpp '#include "tasks/pose/model.h"'
refuses "proofs see a solver" "must not include a solver" src/app/proof/a.cpp '#include "solve/private.h"'
refuses "app sees the report" "app must not include report" src/app/fit.cpp '#include "report/report.h"'
refuses "program sees a task" "outside its folder" cli/main.cpp '#include "tasks/pose/model.h"'
refuses "private header in a public one" "private one" include/gapwise/fit.h '#include "solve/private.h"'
refuses "private header in an example" "private header" examples/tag.cpp '#include "solve/private.h"'
refuses "local header in a public one" "not installed" include/gapwise/types.h '#include "private.h"'
refuses "path upwards" "path upwards" src/io/a.cpp '#include "../solve/private.h"'
refuses "printing library" "does not print" src/io/a.cpp '#include <iostream>'
refuses "file outside the layers" "no layer" src/stray.cpp 'int x;'
refuses "source that is not ASCII" "not ASCII" cli/main.cpp $'// \xce\xbb'
refuses "path of one machine" "path of one machine" cli/main.cpp "// see /$(printf work)/x"
refuses "long public header" "more than 150 lines" include/gapwise/types.h "$(yes '//' | head -200)"
refuses "long source" "more than 500 lines" src/io/a.cpp "$(yes '//' | head -501)"
good_tree
for k in {1..41}; do echo '#pragma once' >"src/io/$k.h"; done
expect "more than 40 files" "crowded folder"

cd "$root" && rm -rf "$root/tree" && mkdir -p "$root/tree/src"
expect "no sources" "empty tree"

if [ $failures -gt 0 ]; then exit 1; fi
echo "the scan finds every kind of breach"
