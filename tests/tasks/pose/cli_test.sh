# Task pose as users run it: samples, training, prediction, refusals.
source "$(dirname "$0")/../../cli/lib.sh"

pairs_help pose 60 30 pdj 0.3 0.05
is "$("$GAPWISE" inspect m.model --json | field settings | field nonnegative)" squares "the setting"
"$GAPWISE" inspect m.model --json --top 100 | awk '/"title": "squares/ { is_ours = 1 }
  is_ours && /"weight": -/ { exit 1 }' || fail "the weight of a square is negative"

expect 0 "places" "$GAPWISE" predict --model m.model --data test.data --folds 3-5
is "$(grep -c '^figure$' out.txt) $(grep -c '^at ' out.txt)" "3 15" "lines of the prediction"
expect 0 "pictures" "$GAPWISE" predict --model m.model --data test.data --folds 3-5 --pictures some
is "$(wc -c <out.txt) $(echo some/*)" "0 some/00001.png some/00002.png some/00003.png" "pictures"
is "$(head -c 4 some/00001.png | tail -c 3)" PNG "what a picture starts with"
expect 2 "a solver that cannot keep weights non-negative" "${train[@]}" --solver kernel-bcfw
says "group 'squares' to be >= 0" "the remedy"
expect 2 "a grid out of range" "${train[@]}" --grid 1000
says "grid = 1000" "the range"

sed 's/^at neck .*/at neck 99 0/' train.data >far.maps
expect 3 "a joint outside the grid" "$GAPWISE" train --task pose --data far.maps
says "far.maps:9: x = '99' of joint 'neck' is outside the grid of 16x12 cells" "where"
sed 's/^grid .*/grid 20x20/' test.data >large.maps
expect 3 "another grid" "$GAPWISE" evaluate --model m.model --data large.maps
says "a grid of 20x20 cells, but the model was trained on 16x12" "sizes"

finish
