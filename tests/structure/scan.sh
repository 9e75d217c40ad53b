#!/usr/bin/env bash
# Checks the shape of a source tree and prints every breach as "file:line: what"; exit 1 if any.
#   core <- infer <- tasks <- io <- cli      core <- solve <- cli
# Private headers (under src/) are reached from their own folder, tests/ and bench/ only; the library
# does not print; sources are ASCII and know no machine; a public header fits on two screens.
#   scan.sh ROOT
set -euo pipefail
export LC_ALL=C
cd "${1:?usage: scan.sh ROOT}"

readonly max_header_lines=150
folders=()
for folder in include src cli tests bench fuzz examples; do
  if [ -d "$folder" ]; then folders+=("$folder"); fi
done
mapfile -t sources < <(find "${folders[@]}" -type f \( -name '*.h' -o -name '*.cpp' \) | sort)
mapfile -t texts < <(find . \( -name .git -o -name 'build*' \) -prune -o -type f \
  \( -name '*.h' -o -name '*.cpp' -o -name '*.sh' -o -name '*.cmake' -o -name '*.md' \
     -o -name 'CMakeLists.txt' -o -name 'CMakePresets.json' \) -print | sort)
if [ ${#sources[@]} -eq 0 ]; then
  echo "no sources under $PWD"
  exit 1
fi

check_includes() {
  awk '
    BEGIN {
      may["core"] = " core "
      may["infer"] = " core infer "
      may["tasks"] = " core infer tasks "
      may["io"] = " core infer tasks io "
      may["solve"] = " core solve "
    }
    function complain(what) { print FILENAME ":" FNR ": " what }
    FNR == 1 {
      depth = split(FILENAME, folder, "/")
      place = folder[1]
      layer = place == "include" && depth >= 4 ? folder[3] : place == "src" && depth >= 3 ? folder[2] : ""
      is_library = place == "include" || place == "src"
      if (is_library && !(layer in may)) complain("lies in no layer (core infer tasks io solve)")
    }
    /^[ \t]*#[ \t]*include[ \t]*[<"]/ {
      header = $0
      sub(/^[ \t]*#[ \t]*include[ \t]*[<"]/, "", header)
      sub(/[>"].*/, "", header)
      if (is_library && header == "iostream") complain("the library does not print: <iostream>")
      parts = split(header, step, "/")
      if (header ~ /(^|\/)\.\.\//) complain("includes by a path upwards: " header)
      if (step[1] == "gapwise" && parts >= 3) {
        if (is_library && layer in may && index(may[layer], " " step[2] " ") == 0)
          complain(layer " must not include " step[2] ": " header)
      } else if (step[1] in may && parts >= 2 && place != "tests" && place != "bench") {
        if (place != "src" || step[1] != layer)
          complain("private header of " step[1] " reached from outside: " header)
      } else if (place == "include" && $0 ~ /"/) {
        complain("public header includes what is not installed: " header)
      }
    }
  ' "${sources[@]}"
}

check_text() {
  grep -nH '[^ -~[:space:]]' "${sources[@]}" | sed -E 's/^([^:]*:[0-9]+):.*/\1: not ASCII/' || true
  grep -nHE '(^|[^a-zA-Z0-9_.])/(work|farm|root|home)/' "${texts[@]}" |
    sed -E 's/^([^:]*:[0-9]+):(.*)/\1: path of one machine: \2/' || true
}

check_size() {
  local file lines
  for file in "${sources[@]}"; do
    case $file in include/*) ;; *) continue ;; esac
    lines=$(wc -l <"$file")
    if [ "$lines" -gt $max_header_lines ]; then
      echo "$file:$lines: public header of more than $max_header_lines lines"
    fi
  done
}

breaches=$(check_includes && check_text && check_size)
if [ -n "$breaches" ]; then
  printf '%s\n' "$breaches"
  exit 1
fi
echo "${#sources[@]} sources keep the layers"
