#!/usr/bin/env bash
# From a clean clone to a trained and certified model: installs what is missing, builds the program
# in build/ and runs its demo.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

./scripts/setup.sh build
./scripts/build.sh gapwise-cli
echo "demo: build/gapwise demo"
exec build/gapwise demo
