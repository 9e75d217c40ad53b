#!/usr/bin/env bash
# Checks the shape of a source tree and prints every breach as "file:line: what"; exit 1 if any.
#   core <- infer <- tasks      core <- io <- tasks      core <- solve
#   tasks, solve <- app <- report <- cli <- mpi;  app <- python
# A task includes no other task, and nothing includes a task but its own folder; proofs are checked
# without solvers; a public header includes only public ones; the library does not print; sources
# are ASCII and know no machine; a public header fits on two screens, a source on ten; a folder
# holds forty files at the most.
#   scan.sh ROOT
set -euo pipefail
export LC_ALL=C
cd "${1:?usage: scan.sh ROOT}"

readonly max_header_lines=150
readonly max_source_lines=500
readonly max_folder_files=40
folders=()
for folder in include src cli mpi python tests bench fuzz examples; do
  if [ -d "$folder" ]; then folders+=("$folder"); fi
done
mapfile -t sources < <(find "${folders[@]}" -type f \( -name '*.h' -o -name '*.cpp' \) | sort)
mapfile -t texts < <(find . \( -name .git -o -name 'build*' \) -prune -o -type f \
  \( -name '*.h' -o -name '*.cpp' -o -name '*.sh' -o -name '*.cmake' -o -name '*.md' -o -name '*.py' \
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
      may["io"] = " core io "
      may["tasks"] = " core infer io tasks "
      may["solve"] = " core solve "
      may["app"] = " core infer io tasks solve app "
      may["report"] = " core infer io tasks solve app report "
      split("types errors option_table parts part_rows corner oracle problem argmax_problem check_oracle kernel factor_graph metrics data ranking", names, " ")
      for (k in names) public["gapwise/" names[k] ".h"] = "core"
      split("train_options progress train", names, " ")
      for (k in names) public["gapwise/" names[k] ".h"] = "solve"
    }
    function complain(what) { print FILENAME ":" FNR ": " what }
    function layer_of(header) { return header in public ? public[header] : "app" }
    FNR == 1 {
      depth = split(FILENAME, folder, "/")
      place = folder[1]
      layer = place == "src" && depth >= 3 ? folder[2] : ""
      if (place == "include") layer = layer_of(substr(FILENAME, 9))
      task = layer == "tasks" && depth >= 4 ? folder[3] : ""
      is_library = place == "include" || place == "src"
      if (is_library && !(layer in may)) complain("lies in no layer (core infer io tasks solve app report)")
    }
    /^[ \t]*#[ \t]*include[ \t]*[<"]/ {
      header = $0
      sub(/^[ \t]*#[ \t]*include[ \t]*[<"]/, "", header)
      sub(/[>"].*/, "", header)
      if (is_library && header == "iostream") complain("the library does not print: <iostream>")
      parts = split(header, step, "/")
      if (header ~ /(^|\/)\.\.\//) complain("includes by a path upwards: " header)
      target = ""
      if (step[1] == "gapwise" && parts >= 2) target = layer_of(header)
      else if (step[1] in may && parts >= 2) target = step[1]
      else if (place == "include" && $0 ~ /"/) complain("public header includes what is not installed: " header)
      if (target == "") next
      if (place == "include" && step[1] != "gapwise")
        complain("public header includes a private one: " header)
      if (place == "examples" && step[1] != "gapwise") complain("example includes a private header: " header)
      if (place == "python" && step[1] != "gapwise") complain("python stands on public headers only: " header)
      if (is_library && layer in may && index(may[layer], " " target " ") == 0)
        complain(layer " must not include " target ": " header)
      if (FILENAME ~ /^src\/app\/proof\// && (step[1] == "solve" || header == "app/training_run.h"))
        complain("who checks proofs must not include a solver: " header)
      if (target == "tasks" && parts >= 3 && step[1] == "tasks" && place != "tests" && place != "bench" && place != "fuzz") {
        if (step[2] != "shared" && step[2] != task)
          complain("a task is reached from outside its folder: " header)
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
  wc -l "${sources[@]}" | awk -v most=$max_source_lines '$2 != "total" && $1 > most {
    print $2 ":" $1 ": source of more than " most " lines" }'
  printf '%s\n' "${sources[@]}" | sed 's#/[^/]*$##' | sort | uniq -c |
    awk -v most=$max_folder_files '$1 > most { print $2 ":1: folder of more than " most " files" }'
}

breaches=$(check_includes && check_text && check_size)
if [ -n "$breaches" ]; then
  printf '%s\n' "$breaches"
  exit 1
fi
echo "${#sources[@]} sources keep the layers"
