#!/usr/bin/env bash
# Measures the program in build/ against certified gaps, peers and growth, and writes one table and one
# JSON; bench/table/README.md tells more. About ten minutes on two idle cores.
#   bench.sh [PART...] [--repeats N] [--data DIR] [--output DIR] [--no-build]
# Builds the benchmarks of kernels, and what trains with dlib if Debian's libdlib-dev is installed
# (scripts/setup.sh bench installs all that can take part).
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
arguments=()
builds=1
for argument in "$@"; do
  if [ "$argument" = --no-build ]; then builds=0; else arguments+=("$argument"); fi
done
if [ "$builds" -eq 1 ]; then
  ./scripts/setup.sh build
  ./scripts/build.sh gapwise-cli
  peers=OFF
  targets=(bench_kernels)
  if [ -e /usr/include/dlib/svm_threaded.h ]; then
    peers=ON
    targets+=(dlib_chain)
  fi
  if [ -e /usr/include/benchmark/benchmark.h ]; then
    if command -v ccache >/dev/null; then  # what build/ has compiled is not compiled again
      export CMAKE_CXX_COMPILER_LAUNCHER=ccache CCACHE_BASEDIR=$PWD CCACHE_NOHASHDIR=1
    fi
    cmake --preset bench -D GAPWISE_BENCH_PEERS=$peers >/dev/null
    cmake --build build-bench --parallel "$(nproc)" --target "${targets[@]}"
  fi
fi
export PYTHONDONTWRITEBYTECODE=1
exec /usr/bin/python3 bench/table/table.py "${arguments[@]}"
