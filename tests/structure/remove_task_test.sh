#!/usr/bin/env bash
# A task is a folder and a line: deletes both of one task in a copy of the tree, builds everything
# there and looks for traces of the task.
#   remove_task_test.sh ROOT TASK [CMAKE_OPTION...]    options as in the build that was made before
set -euo pipefail
root=$(realpath "${1:?usage: remove_task_test.sh ROOT TASK}")
task=${2:?usage: remove_task_test.sh ROOT TASK}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failures=0

fail() {
  echo "FAILED: $1"
  failures=$((failures + 1))
}

mkdir "$work/tree"
cp -r "$root"/{CMakeLists.txt,cmake,include,src,cli,mpi,tests,fuzz,examples,docs} "$work/tree"
cd "$work/tree"
[ -d "src/tasks/$task" ] || fail "there is no src/tasks/$task"
rm -r "src/tasks/$task"
lines=$(wc -l <src/tasks/registry.cpp)
sed -i "/^  task($task)/d" src/tasks/registry.cpp
[ "$(wc -l <src/tasks/registry.cpp)" -eq $((lines - 1)) ] || fail "not one line for $task in the registry"

# Names of tasks stand nowhere else in the code, but for what a decoder was made for.
if grep -rnwE "\"$task\"|make_${task}_\w+" include src cli; then fail "the name of the task is left"; fi

options=(-D CMAKE_BUILD_TYPE=Release -D GAPWISE_BUILD_TESTS=ON "${@:3}")
if command -v ccache >/dev/null; then  # all but the registry was compiled before
  options+=(-D CMAKE_CXX_COMPILER_LAUNCHER=ccache)
  export CCACHE_BASEDIR=$PWD CCACHE_NOHASHDIR=1
fi
cmake -S . -B build -G Ninja "${options[@]}" >"$work/log"
if ! cmake --build build >>"$work/log" 2>&1; then
  tail -n 40 "$work/log"
  fail "the tree does not build without the task"
fi
build/gapwise help train >"$work/help"
if grep -qw "$task" "$work/help"; then fail "the help still speaks of $task"; fi
if ctest --test-dir build -N | grep -q "tasks\.$task\."; then fail "its tests are left"; fi
code=0
build/gapwise sample --task "$task" >/dev/null 2>&1 || code=$?
[ $code -eq 2 ] || fail "--task $task gives exit code $code instead of 2"
build/gapwise sample --task sequence --examples 30 --output train.txt
build/gapwise train --data train.txt --quiet >/dev/null || fail "the other tasks do not train"
ctest --test-dir build -R 'TaskLaws' --output-on-failure >"$work/laws" 2>&1 ||
  { tail -n 30 "$work/laws"; fail "the laws do not hold for the other tasks"; }

[ $failures -eq 0 ] && echo "everything builds and works without $task"
