#!/usr/bin/env bash
# Installs what is missing, then builds and tests everything, stage by stage; goes on after a failed
# stage, ends with a table, and exits 1 if anything failed. A second run builds only what changed.
#   test.sh              all stages
#   test.sh --quick      the Release build and its tests only
#   test.sh --sanitized  the Clang build with its sanitizers and the fuzz targets only
#   test.sh --tidy       all stages, and clang-tidy over the library and the program (slow)
#   test.sh --packages   only the Debian packages: built, checked by lintian, installed and used in a
#                        pristine Debian (needs root and a mirror)
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

export fuzz_seconds=10
jobs=$(nproc)
has_release=1
has_sanitized=1
has_rest=1
tidy=0
has_packages=0
for option in "$@"; do
  case $option in
    --quick) has_sanitized=0 has_rest=0 ;;
    --sanitized) has_release=0 has_rest=0 ;;
    --tidy) tidy=1 ;;
    --packages) has_release=0 has_sanitized=0 has_rest=0 has_packages=1 ;;
    *)
      echo "usage: test.sh [--quick | --sanitized | --packages] [--tidy]" >&2
      exit 2
      ;;
  esac
done

log=$(mktemp)
complaints=$(mktemp)
trap 'rm -f "$log" "$complaints"' EXIT
table=()
passed=0
failed=0

# stage NAME COMMAND...: a ctest stage counts its tests, any other counts one.
stage() {
  local name=$1 start=$SECONDS status summary stage_failed stage_total
  shift
  printf '\n== %s\n' "$name"
  set +e
  (set -e; "$@") 2>&1 | tee "$log"
  status=${PIPESTATUS[0]}
  set -e
  stage_total=1
  stage_failed=$((status != 0))
  summary=$(grep -E '[0-9]+ tests failed out of [0-9]+' "$log" | tail -n 1 || true)
  if [[ $summary =~ ([0-9]+)\ tests\ failed\ out\ of\ ([0-9]+) ]]; then
    stage_failed=${BASH_REMATCH[1]}
    stage_total=${BASH_REMATCH[2]}
    if [ "$status" -ne 0 ] && [ "$stage_failed" -eq 0 ]; then stage_failed=1; fi
  fi
  if [ "$stage_failed" -gt 0 ]; then
    { printf '\n== %s, its last lines\n' "$name"; tail -n 60 "$log"; } >>"$complaints"
  fi
  passed=$((passed + stage_total - stage_failed))
  failed=$((failed + stage_failed))
  table+=("$(printf '%-28s %-7s %5d s' "$name" \
    "$([ "$stage_failed" -eq 0 ] && echo passed || echo FAILED)" $((SECONDS - start)))")
}

check_format() {
  case $(clang-format --version) in
    *' 14.'*) ;;
    *)
      echo "skipped: other versions than clang-format 14 lay code out differently"
      return
      ;;
  esac
  git ls-files '*.h' '*.cpp' | xargs clang-format --dry-run -Werror
}

run_tests() { # BUILD_DIR CTEST_OPTION...
  ctest --test-dir "$1" --output-on-failure --no-tests=error --parallel "$jobs" "${@:2}"
}

build_preset() { # PRESET TARGET...
  if command -v ccache >/dev/null; then
    export CMAKE_CXX_COMPILER_LAUNCHER=ccache CCACHE_BASEDIR=$PWD CCACHE_NOHASHDIR=1
  fi
  cmake --preset "$1" >/dev/null
  cmake --build "build-$1" --parallel "$jobs" --target "${@:2}"
}

check_sanitized() {
  build_preset asan-ubsan all
  run_tests build-asan-ubsan -LE slow -E '^structure'
}

check_threads() {
  build_preset tsan threaded_tests
  # What is left out takes minutes here and does nothing with threads that the others do not.
  run_tests build-tsan -LE 'slow|program' -R '^(core|solve|laws|io|tasks\.sequence)\.' \
    -E 'EveryVariant|DualNeverFalls|FindsTheOptimum|WithinTheSame1e5|PlaneTwins|DualMonotone|WeightedOptimum|WeightTwo|NestedSearches'
}

fuzz_one() { # PROGRAM
  local name
  name=$(basename "$1")
  local found=build-asan-ubsan/corpus/$name seeds=fuzz/corpus/$name
  mkdir -p "$found"
  echo "$name: $fuzz_seconds s"
  if ! "$1" -max_total_time=$fuzz_seconds -verbosity=0 -artifact_prefix="$found-" "$found" \
    $([ -d "$seeds" ] && echo "$seeds") >"$found.log" 2>&1; then
    cat "$found.log"
    return 1
  fi
}

check_fuzz() {
  local programs
  mapfile -t programs < <(find build-asan-ubsan/fuzz -maxdepth 1 -type f -executable -name '*fuzz*')
  if [ ${#programs[@]} -eq 0 ]; then
    echo "no fuzz targets in build-asan-ubsan/fuzz"
    return 1
  fi
  export -f fuzz_one
  printf '%s\0' "${programs[@]}" | xargs -0 -n 1 -P "$jobs" bash -c 'fuzz_one "$0"'
}

check_python() {
  ./scripts/build.sh gapwise-python
  PYTHONPATH=build/python PYTHONDONTWRITEBYTECODE=1 /usr/bin/python3 -m pytest -q
}

check_packages() {
  build_preset debian all
  run_tests build-debian
}

check_tidy() {
  git ls-files 'src/*.cpp' 'cli/*.cpp' | xargs -P "$jobs" -n 4 clang-tidy -p build --quiet
}

if [ $has_packages -eq 1 ]; then
  ./scripts/setup.sh packages
  stage "Debian packages" check_packages
else
  ./scripts/setup.sh test
fi
if [ $has_release -eq 1 ]; then
  stage "Release build" ./scripts/build.sh all
  stage "Release tests" run_tests build
fi
if [ $has_rest -eq 1 ]; then
  stage "Python" check_python
  stage "Format" check_format
fi
if [ $has_sanitized -eq 1 ]; then
  stage "Clang, asan and ubsan" check_sanitized
  stage "Fuzz targets" check_fuzz
fi
if [ $has_rest -eq 1 ]; then stage "Thread sanitizer" check_threads; fi
if [ $tidy -eq 1 ]; then stage "clang-tidy" check_tidy; fi

cat "$complaints"  # again, since what came later may have driven it out of sight
printf '\n'
printf '%s\n' "${table[@]}"
printf '\n%d passed, %d failed\n' "$passed" "$failed"
[ "$failed" -eq 0 ]
