# What people see: forms of progress, a bar on terminals, no colours where they are not wanted.
source "$(dirname "$0")/lib.sh"
letters 200 >words.txt
train=("$GAPWISE" train --data words.txt --max-passes 20 --relative-gap 1e-9 --lambda 1/n)

expect 0 "plain" "${train[@]}"
grep -q -E '^pass [0-9]+ .* primal .* dual .* gap .* calls' err.txt || fail "no plain line: $(cat err.txt)"
grep -q $'\x1b' err.txt && fail "escapes without a terminal"
is "$(tail -n 1 err.txt)" "next: give --model FILE to keep what was learned" "next step"
expect 0 "next step with a model" "${train[@]}" --model m.model --trace t.jsonl
is "$(tail -n 1 err.txt)" "next: gapwise report t.jsonl" "next step with a trace"
expect 0 "json" "${train[@]}" --progress json
while read -r line; do
  field primal <<<"$line" >/dev/null || fail "no JSON: $line"
done <err.txt
expect 0 "quiet" "${train[@]}" --quiet
[[ -s err.txt ]] && fail "quiet is not quiet: $(cat err.txt)"
expect 2 "unknown form" "${train[@]}" --progress loud

# Completions and the manual name every verb and every option.
for shell in bash zsh fish; do
  expect 0 "completion of $shell" "$GAPWISE" help --completion "$shell"
  for word in report relative-gap hash-bits pairwise; do
    grep -q -e "$word" out.txt || fail "completion of $shell has no $word"
  done
done
"$GAPWISE" help --completion bash >complete.sh
is "$(bash -c 'source ./complete.sh; COMP_WORDS=(gapwise train --solver bcp); COMP_CWORD=3; _gapwise; echo "${COMPREPLY[@]}"')" \
  bcpfw "a solver is completed"
is "$(bash -c 'source ./complete.sh; COMP_WORDS=(gapwise train --relative); COMP_CWORD=2; _gapwise; echo "${COMPREPLY[@]}"')" \
  --relative-gap "an option is completed"
for verb in $("$GAPWISE" help | sed -n -E 's/^  ([a-z]+) .*/\1/p'); do
  expect 0 "manual of $verb" "$GAPWISE" help "$verb" --man
  grep -q '^\.SH OPTIONS' out.txt || fail "manual of $verb has no options"
done
expect 0 "manual" "$GAPWISE" help --man
grep -q 'gapwise\\-report' out.txt || fail "the manual names no verbs"
expect 0 "version" "$GAPWISE" --version
grep -q -E '^gapwise [0-9]+\.[0-9]+\.[0-9]+( \(commit [0-9a-f]{9,}(-dirty)?\))?$' out.txt || fail "version: $(cat out.txt)"

if ! command -v tmux >/dev/null; then
  echo "skipped: no tmux here, so nothing is seen on a terminal"
  finish
  exit
fi
# screen WIDTH COMMAND: what a terminal of this width shows at the end, escapes and all.
screen() {
  local socket=$scratch/tmux.$1 width=$1  # one each, since a server takes its time to end
  shift
  tmux -S "$socket" -f /dev/null new-session -d -x "$width" -y 40 "$*; echo READY; sleep 600"
  until_true eval "tmux -S '$socket' capture-pane -p 2>/dev/null | grep -q '^READY'" || fail "the terminal shows no end"
  tmux -S "$socket" capture-pane -p -e >"screen.$width"
  tmux -S "$socket" kill-server
}
screen 100 "${train[@]}"
grep -q '\[#*-*\]' screen.100 || fail "no bar on a terminal: $(cat screen.100)"
grep -q $'\x1b\[36m' screen.100 || fail "no colour on a terminal"
screen 99 env NO_COLOR=1 "${train[@]}"
grep -q $'\x1b\[36m' screen.99 && fail "colour despite NO_COLOR"
screen 32 "${train[@]}"
is "$(grep -c '^pass ' screen.32)" 1 "lines of progress on a narrow terminal"
finish
