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
  mkdir -p "$root"/tree/{include/gapwise/{core,io,solve},src/{core,io,solve,tasks},cli,tests/io}
  cd "$root/tree"
  echo '#include <vector>' >include/gapwise/core/types.h
  echo '#include "gapwise/core/types.h"' >include/gapwise/io/model.h
  printf '#include "gapwise/core/types.h"\n#include "solve/private.h"\n' >src/solve/solver.cpp
  echo '#pragma once' >src/solve/private.h
  printf '#include "io/private.h"\n#include "gapwise/solve/train.h"\n' >tests/io/some_test.cpp
  printf '#include "gapwise/solve/train.h"\n#include "gapwise/io/model.h"\n#include "text.h"\n' >cli/main.cpp
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

refuses "io sees solve" "io must not include solve" src/io/a.cpp '#include "gapwise/solve/train.h"'
refuses "solve sees tasks" "solve must not include tasks" src/solve/solver.cpp '#include <gapwise/tasks/sequence.h>'
refuses "tasks see solve" "tasks must not include solve" src/tasks/a.cpp '  #  include "gapwise/solve/train.h"'
refuses "core sees io" "core must not include io" include/gapwise/core/types.h '#include "gapwise/io/model.h"'
refuses "private header of another layer" "private header of solve" src/io/a.cpp '#include "solve/private.h"'
refuses "private header in the program" "private header of solve" cli/main.cpp '#include "solve/private.h"'
refuses "private header in a public one" "private header of core" include/gapwise/core/types.h '#include "core/private.h"'
refuses "local header in a public one" "not installed" include/gapwise/core/types.h '#include "private.h"'
refuses "path upwards" "path upwards" src/io/a.cpp '#include "../solve/private.h"'
refuses "printing library" "does not print" src/io/a.cpp '#include <iostream>'
refuses "file outside the layers" "no layer" src/stray.cpp 'int x;'
refuses "source that is not ASCII" "not ASCII" cli/main.cpp $'// \xce\xbb'
refuses "path of one machine" "path of one machine" cli/main.cpp "// see /$(printf work)/x"
refuses "long public header" "more than 150 lines" include/gapwise/core/types.h "$(yes '//' | head -200)"

cd "$root" && rm -rf "$root/tree" && mkdir -p "$root/tree/src"
expect "no sources" "empty tree"

if [ $failures -gt 0 ]; then exit 1; fi
echo "the scan finds every kind of breach"
