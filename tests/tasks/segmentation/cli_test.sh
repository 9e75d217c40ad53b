# Task segmentation as users run it: samples, training, pictures, refusals.
source "$(dirname "$0")/../../cli/lib.sh"

pairs_help segmentation 30 10 mean_iou 0.4 0.1
is "$("$GAPWISE" inspect m.model --json | field settings | field nonnegative)" edges "the setting"

for loss in normalized-hamming balanced-hamming; do
  expect 0 "$loss" "${train[@]}" --loss $loss --lambda 0.001 --model m.model
  "$GAPWISE" inspect m.model --json --top 100 | awk '/"title": "edges"/ { is_ours = 1 }
    is_ours && /"weight": -/ { exit 1 }' || fail "$loss: an edge weight is negative"
done

expect 0 "labels" "$GAPWISE" predict --model m.model --data test.data
is "$(grep -c '^[01]$' out.txt) $(grep -c '^$' out.txt)" "4320 9" "lines of the prediction"
expect 0 "pictures" "$GAPWISE" predict --model m.model --data test.data --folds 3-5 --pictures some/pictures
is "$(wc -c <out.txt) $(echo some/pictures/*)" \
  "0 some/pictures/00003.png some/pictures/00004.png some/pictures/00005.png" "pictures"
is "$(head -c 4 some/pictures/00003.png | tail -c 3)" PNG "what a picture starts with"
expect 0 "both" "$GAPWISE" predict --model m.model --data test.data --pictures all --output labels.txt
is "$(ls all | wc -l) $(wc -l <labels.txt)" "10 4329" "pictures and labels"
expect 2 "both from standard input" "$GAPWISE" predict --model m.model --data - --pictures p --output x
says "standard input" "which is read once"

expect 2 "a solver that cannot keep weights non-negative" "${train[@]}" --solver kernel-bcfw
says "group 'edges' to be >= 0, which solver kernel-bcfw cannot keep; choose one of auto" "the remedy"
for solver in sdm fasole dcd dcd-light cpd cutting-plane one-slack bmrm ssg sgd perceptron mira; do
  expect 0 "$solver" "${train[@]}" --solver $solver --max-passes 5
done
expect 2 "pictures of another task" bash -c "
  '$GAPWISE' sample --task multiclass --output c.svm &&
  '$GAPWISE' train --quiet --task multiclass --data c.svm --model c.model >/dev/null &&
  '$GAPWISE' predict --model c.model --data c.svm --pictures p"
says "draw no pictures" "another task"

printf 'P6\n2 1\n255\nabcdef' >x.ppm
expect 3 "images without masks" "$GAPWISE" train --task segmentation --data x.ppm
says "x.ppm: there are no masks beside it" "no masks"
printf 'P5\n1 2\n1\n\0\1' >x-mask.pgm
expect 3 "masks of another size" "$GAPWISE" train --task segmentation --data x.ppm
says "x-mask.pgm: mask 1 is 1x2, but image 1 of x.ppm is 2x1" "sizes"
printf 'P5\n2 1\n1\n\0\1' >x-mask.pgm
expect 0 "images" "$GAPWISE" train --quiet --task segmentation --data x.ppm --model x.model
expect 0 "masks" "$GAPWISE" predict --model x.model --data x.ppm --output y.pgm
same x-mask.pgm y.pgm "what was learned"
printf 'P5\n2 1\n255\n\0\1' >x-mask.pgm
expect 3 "labels 0 and 1 under maxval 255" "$GAPWISE" train --task segmentation --data x.ppm
says "mask 1 has values up to 1 under maxval 255, .* write maxval 1, or 255 for each 1" "the remedy"
printf 'P5\n2 1\n255\n\0\0' >x-mask.pgm
expect 3 "background only" "$GAPWISE" train --task segmentation --data x.ppm
says "x.ppm: every node is background .0., so there is nothing to learn; give masks with both" "background only"
printf 'graph\nnode 1 a:1\nnode 1 a:2\n' >ones.graph
expect 3 "foreground only" "$GAPWISE" train --task segmentation --data ones.graph
says "ones.graph: every node is foreground .1., so there is nothing to learn" "foreground only"
{ printf 'P6 4097 4096 255\n'; head -c $((3 * 4097 * 4096)) /dev/zero; } >huge.ppm
expect 3 "a huge image" "$GAPWISE" evaluate --model x.model --data huge.ppm
says "there are no masks" "a huge image without masks"
expect 3 "a huge image" "$GAPWISE" predict --model x.model --data huge.ppm
says "image 1 of 4097x4096 pixels makes 16781312 nodes, .* train with --scale 2, which makes one of 4 pixels" "a huge image"
printf 'P5\n2 1\n1\n\0\1' >x-mask.pgm
expect 0 "images from standard input" bash -c "'$GAPWISE' predict --model x.model --data - <x.ppm"
same out.txt y.pgm "standard input"

# Masks belong to the images, though nobody names them.
images=("$GAPWISE" train --quiet --task segmentation --data x.ppm)
over "the masks" x-mask.pgm "${images[@]}" --model x-mask.pgm
over "the masks, by the trace" x-mask.pgm "${images[@]}" --trace some/../x-mask.pgm
over "the masks, by predictions" x-mask.pgm "$GAPWISE" predict --model x.model --data x.ppm \
  --output x-mask.pgm
cp m.model all/00003.png
cp m.model m.copy
expect 3 "a picture over the model" "$GAPWISE" predict --model all/00003.png --data test.data \
  --pictures all
says "is not replaced, it was read as all/00003.png" "a picture over the model"
same all/00003.png m.copy "a picture over the model"

# PNG: a file or a folder of them, masks by name; predicted masks are PNG as well. Red is foreground.
mkdir photos
base64 -d >photos/b.png <<<"iVBORw0KGgoAAAANSUhEUgAAAAQAAAACCAIAAADwyuo0AAAAE0lEQVR42mP4z8AARGDiPwMyBwBnsgf595JWggAAAABJRU5ErkJggg=="
base64 -d >mask.png <<<"iVBORw0KGgoAAAANSUhEUgAAAAQAAAACCAAAAABawyK/AAAAEElEQVR42mP4/5+BgQFEAAAX8gP9WioJbQAAAABJRU5ErkJggg=="
cp photos/b.png photos/a.png
cp mask.png photos/a-mask.png
png=("$GAPWISE" train --quiet --task segmentation --lambda 0.01)
expect 3 "an image without mask" "${png[@]}" --data photos
says "photos/b.png: has no mask; put it beside the image as b-mask.png" "which"
mkdir photos/masks
cp mask.png photos/masks/b.png
expect 0 "a folder" "${png[@]}" --data photos --model png.model
is "$("$GAPWISE" evaluate --model png.model --data photos --json | field pixel_accuracy)" 1.0 "accuracy"
expect 0 "a file" "$GAPWISE" evaluate --model png.model --data photos/a.png
expect 0 "masks out" "$GAPWISE" predict --model png.model --data photos --pictures found
is "$(cd found && echo *)" "a-mask.png a.png b-mask.png b.png" "pictures by name"
cp photos/a.png found/a.png
cp photos/a.png found/b.png
is "$("$GAPWISE" evaluate --model png.model --data found --json | field pixel_accuracy)" 1.0 "read back"
expect 3 "over the images" "$GAPWISE" predict --model png.model --data photos --pictures photos
says "is not replaced" "over the images"
expect 0 "no masks" bash -c "cp photos/b.png alone.png && '$GAPWISE' predict --model png.model --data alone.png"
is "$(head -c 2 out.txt)" P5 "masks as PGM"
mkdir empty
expect 3 "an empty folder" "${png[@]}" --data empty
says "empty: is a folder without images; put NAME.png" "empty"
head -c 60 alone.png >cut.png
cp mask.png cut-mask.png
expect 3 "a cut image" "${png[@]}" --data cut.png
says "cut.png: " "which file"
cp x.ppm text.png
cp mask.png text-mask.png
expect 3 "no PNG" "${png[@]}" --data text.png
says "text.png: is no PNG image" "no PNG"

finish
