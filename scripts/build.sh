#!/usr/bin/env bash
# Release build in build/, for demo.sh and test.sh alike, so that neither makes the other start over.
#   build.sh TARGET     gapwise-cli for the program alone, gapwise-python for the package of Python,
#                       all for everything and the tests
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
target=${1:?usage: build.sh TARGET}

options=()
if [ "$target" = all ]; then
  options+=(-D GAPWISE_BUILD_TESTS=ON)
elif [ ! -e build/CMakeCache.txt ]; then
  options+=(-D GAPWISE_BUILD_TESTS=OFF)
fi
if [ "$target" = gapwise-python ]; then
  options+=(-D GAPWISE_BUILD_PYTHON=ON -D Python3_EXECUTABLE=/usr/bin/python3)
fi
# Errors only with the compiler that is known to have nothing to say.
if [ "$(${CXX:-g++} -dumpversion | cut -d. -f1)" = 12 ]; then
  options+=(-D GAPWISE_WARNINGS_AS_ERRORS=ON)
fi
if command -v ccache >/dev/null; then  # hits in any copy of the tree
  export CMAKE_CXX_COMPILER_LAUNCHER=ccache CCACHE_BASEDIR=$PWD CCACHE_NOHASHDIR=1
fi

echo "build: $target, Release, in build/"
cmake --preset release "${options[@]}" >/dev/null
cmake --build build --target "$target" --parallel "$(nproc)"
