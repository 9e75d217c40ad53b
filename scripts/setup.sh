#!/usr/bin/env bash
# Installs the Debian or Ubuntu packages that are missing, and nothing when none is; demo.sh and
# test.sh call it first.
#   setup.sh build     what the program needs
#   setup.sh python    also what the Python package needs
#   setup.sh packages  also what makes and tests Debian packages
#   setup.sh test      also what the tests, the Clang build and the sanitizers need
set -euo pipefail

packages=(g++ cmake ninja-build libhwy-dev libtbb-dev nlohmann-json3-dev libfmt-dev
  libfast-float-dev libxxhash-dev zlib1g-dev libpng-dev libpugixml-dev libboost-dev
  coinor-libclp-dev)
python_packages=(pybind11-dev python3-dev python3-venv python3-numpy python3-scipy python3-sklearn)
case ${1:-} in
  build) ;;
  python) packages+=("${python_packages[@]}") ;;
  packages) packages+=("${python_packages[@]}" lintian debootstrap) ;;
  test) packages+=("${python_packages[@]}" python3-pytest python3-hypothesis python3-pandas
    python3-matplotlib python3-tqdm python3-nbconvert python3-ipykernel mypy
    ccache doxygen libgtest-dev librapidcheck-dev clang libclang-rt-dev clang-format
    liblinear-tools chromium chromium-driver python3-selenium python3-pil mkdocs tmux
    pkg-config libopenmpi-dev openmpi-bin) ;;
  *)
    echo "usage: setup.sh build|python|packages|test" >&2
    exit 2
    ;;
esac

missing=()
for package in "${packages[@]}"; do
  status=$(dpkg-query -W -f='${Status}' "$package" 2>/dev/null || true)
  if [ "$status" != "install ok installed" ]; then missing+=("$package"); fi
done
if [ ${#missing[@]} -eq 0 ]; then
  echo "setup: all ${#packages[@]} packages are there"
  exit 0
fi

if [ "$(id -u)" -eq 0 ]; then
  as_root=(env DEBIAN_FRONTEND=noninteractive)
elif command -v sudo >/dev/null; then
  as_root=(sudo env DEBIAN_FRONTEND=noninteractive)
else
  echo "setup: these packages are missing and only root can install them; have somebody run" >&2
  echo "  apt-get install ${missing[*]}" >&2
  exit 1
fi
if ! command -v apt-get >/dev/null; then
  echo "setup: no apt-get here; install what Debian 12 calls ${missing[*]}" >&2
  exit 1
fi

echo "setup: installing ${missing[*]}"
"${as_root[@]}" apt-get update -qq
"${as_root[@]}" apt-get install -y -qq --no-install-recommends "${missing[@]}" >/dev/null
