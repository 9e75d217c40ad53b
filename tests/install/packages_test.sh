#!/usr/bin/env bash
# Makes the Debian packages of a build, has lintian look at them, and installs and uses them in a
# pristine Debian, in a folder that is gone afterwards.
#   packages_test.sh BUILD_DIR
# Without lintian, or without root and debootstrap, that part is left out with a message. The base system
# is kept in BUILD_DIR/pristine; packages come from where this machine gets its own.
set -euo pipefail
build=$(cd "${1:?usage: packages_test.sh BUILD_DIR}" && pwd)
source=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
release=bookworm
names=(gapwise libgapwise-dev)
has_python=0
if grep -q '^GAPWISE_BUILD_PYTHON:BOOL=ON' "$build/CMakeCache.txt"; then
  names+=(python3-gapwise)
  has_python=1
fi

fail() {
  echo "FAILED: $*" >&2
  exit 1
}

cd "$build"
rm -f ./*.deb
cpack -G DEB >cpack.log || fail "cpack: $(tail -n 5 cpack.log)"
for name in "${names[@]}"; do
  [ "$(ls "$name"_*.deb 2>/dev/null | wc -l)" = 1 ] || fail "there is no package $name"
done

# holds PACKAGE PATH...: patterns of files that it has
holds() {
  local name=$1 files path
  shift
  files=$(dpkg-deb -c "$name"_*.deb | awk '{ print $6 }')
  for path in "$@"; do
    grep -q -E "^\./usr/$path\$" <<<"$files" || fail "$name has no $path"
  done
}
holds gapwise bin/gapwise share/man/man1/gapwise.1.gz share/man/man1/gapwise-train.1.gz \
  share/bash-completion/completions/gapwise share/zsh/vendor-completions/_gapwise \
  share/fish/vendor_completions.d/gapwise.fish share/doc/gapwise/copyright \
  share/doc/gapwise/changelog.gz
holds libgapwise-dev include/gapwise/gapwise.h 'lib/.*libgapwise\.a' 'lib/.*/gapwise\.pc' \
  'lib/.*/gapwiseConfig\.cmake' share/doc/libgapwise-dev/copyright
if [ $has_python = 1 ]; then
  holds python3-gapwise 'lib/python3/dist-packages/gapwise/_native.*\.so' \
    lib/python3/dist-packages/gapwise/py.typed share/doc/python3-gapwise/copyright
fi

if command -v lintian >/dev/null; then
  lintian --allow-root --fail-on error,warning ./*.deb || fail "lintian complains"
  echo "lintian $(lintian --version | grep -o '[0-9.]*$'): no errors, no warnings"
else
  echo "skipped: lintian is not there (scripts/setup.sh packages)"
fi

if [ "$(id -u)" -ne 0 ] || ! command -v debootstrap >/dev/null; then
  echo "skipped: a pristine Debian takes root and debootstrap (scripts/setup.sh packages)"
  exit 0
fi
base=$build/pristine
if [ ! -e "$base/.complete" ]; then
  mirror=$(sed -n 's/^URIs: *//p' /etc/apt/sources.list.d/debian.sources 2>/dev/null | head -n 1)
  [ -n "$mirror" ] || mirror=$(awk '/^deb /{ print $2; exit }' /etc/apt/sources.list)
  rm -rf --one-file-system "$base"
  debootstrap --variant=minbase --include=ca-certificates "$release" "$base" "$mirror" >"$base.log" 2>&1 ||
    fail "debootstrap: $(tail -n 3 "$base.log")"
  for place in sources.list sources.list.d apt.conf.d auth.conf.d trusted.gpg.d; do
    if [ -e "/etc/apt/$place" ]; then cp -a "/etc/apt/$place" "$base/etc/apt/"; fi
  done
  touch "$base/.complete"
fi
root=$(mktemp -d "$build/root.XXXXXX")
trap 'umount "$root/proc" 2>/dev/null || true; rm -rf --one-file-system "$root"' EXIT
cp -a "$base/." "$root/"
cp -L /etc/resolv.conf /etc/hosts "$root/etc/"
mount -t proc proc "$root/proc"
mkdir "$root/work"
cp ./*.deb "$source/examples/early_stop.cpp" "$root/work/"

inside() {
  echo "\$ $*"
  chroot "$root" /usr/bin/env -i HOME=/root PATH=/usr/sbin:/usr/bin:/sbin:/bin LANG=C.UTF-8 \
    DEBIAN_FRONTEND=noninteractive bash -e -o pipefail -c "cd /work && $*"
}
install='apt-get install -y -qq --no-install-recommends'
or_log=' >install.log 2>&1 || { cat install.log; false; }'
inside 'apt-get update -qq'
inside "$install ./gapwise_*.deb$or_log"
inside 'gapwise --version'
inside 'gapwise sample --task sequence --output train.txt'
inside 'gapwise train --data train.txt --lambda 0.01 --model m.gapwise --report run.html'
inside 'cut -d " " -f 1 train.txt | gapwise predict --model m.gapwise --data - | head -n 3'
if [ $has_python = 1 ]; then
  inside "$install ./python3-gapwise_*.deb$or_log"
  inside 'python3 -c "import gapwise; print(gapwise.load(\"m.gapwise\").score(\"train.txt\"))"'
fi
inside "$install g++ pkg-config ./libgapwise-dev_*.deb$or_log"
inside 'g++ -std=c++20 early_stop.cpp -o early_stop $(pkg-config --cflags --libs gapwise) && ./early_stop | tail -n 2'
inside 'apt-get purge -y -qq '"${names[*]}"' >/dev/null && ! ls /usr/bin/gapwise /usr/include/gapwise 2>/dev/null'
echo "installed, used and removed"
