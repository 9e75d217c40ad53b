#!/usr/bin/env bash
# Redoes figures and tables of the papers with the program in build/ and checks what the papers say of
# them; bench/papers/README.md tells more.
#   reproduce.sh NAME...|all [--quick] [--jobs N] [--data DIR] [--output DIR] [--document DIR]
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
if [ ! -x build/gapwise ]; then
  ./scripts/setup.sh build
  ./scripts/build.sh gapwise-cli
fi
export PYTHONDONTWRITEBYTECODE=1
exec /usr/bin/python3 bench/papers/reproduce.py "$@"
