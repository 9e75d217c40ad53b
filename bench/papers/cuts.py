"""Files that `gapwise` reads, made of the data sets: parts of them, and other forms."""

import collections
import gzip
import re


def lines_of(path):
    opened = gzip.open if path.suffix == ".gz" else open
    with opened(path, "rt", encoding="utf-8") as file:
        for line in file:
            yield line.rstrip("\n")


def write(path, lines):
    """Written whole or not at all."""
    part = path.with_name(path.name + ".part")
    with open(part, "w", encoding="utf-8") as file:
        file.writelines(line + "\n" for line in lines)
    part.rename(path)


def evenly(items, count):
    """So many of them, from everywhere."""
    return [items[k * len(items) // count] for k in range(min(count, len(items)))]


def sentences(path, columns=None):
    """Sentences as lists of lines; comments of the treebank are left out."""
    block = []
    for line in [*lines_of(path), ""]:
        if re.fullmatch(r"# wsj_\d{4}\.\d+", line):
            continue
        if line.strip():
            if columns:
                cells = line.split("\t")
                line = "\t".join(cells[k] for k in columns)
            block.append(line)
        elif block:
            yield block
            block = []


def write_sentences(path, blocks):
    write(path, (line for block in blocks for line in [*block, ""]))


def words(path, folds):
    """Words of the letters, each a list of lines, in some folds."""
    found = {}
    for line in lines_of(path):
        word, _, fold, _ = line.split(" ", 3)
        if fold in folds:
            found.setdefault(word, []).append(line)
    return list(found.values())


def frequent_labels(path, like, count):
    """Lines of label sets with nothing but the labels that are most frequent in `like`, numbered
    anew; examples that have none of them are left out."""
    often = collections.Counter(label for line in lines_of(like) for label in line.split(" ")[0].split(","))
    number = {label: str(k) for k, (label, _) in enumerate(sorted(often.most_common(count)))}
    for line in lines_of(path):
        labels, features = line.split(" ", 1)
        kept = [number[label] for label in labels.split(",") if label in number]
        if kept:
            yield ",".join(kept) + " " + features


def images(path):
    """The pictures of a file of PPM or PGM, one after the other: width, height and bytes."""
    with gzip.open(path) as file:
        data = file.read()
    at = 0
    while at < len(data):
        head = re.compile(rb"P([56])\s(\d+)\s(\d+)\s\d+\n").match(data, at)
        width, height = int(head[2]), int(head[3])
        size = width * height * (3 if head[1] == b"6" else 1)
        yield width, height, data[head.end() : head.end() + size]
        at = head.end() + size


def picture_graphs(pictures, maps, columns, rows, count):
    """Factor graphs of photographs cut into blocks: what most of a block shows, of 21 things, from its
    mean colour and place; neighbours are joined. Void, horse and mountain count for nothing."""
    void = {0, 5, 8}
    states = {label: k for k, label in enumerate(label for label in range(24) if label not in void)}
    yield f"states block {len(states)}"
    pairs = evenly(list(zip(images(pictures), images(maps))), count)
    for (width, height, colours), (_, _, labels) in pairs:
        yield "graph"
        for row in range(rows):
            for column in range(columns):
                pixels = [y * width + x for y in range(row * height // rows, (row + 1) * height // rows)
                          for x in range(column * width // columns, (column + 1) * width // columns)]
                shown, _ = collections.Counter(labels[p] for p in pixels).most_common(1)[0]
                mean = [sum(colours[3 * p + c] for p in pixels) / len(pixels) / 255 for c in range(3)]
                square = [sum((colours[3 * p + c] / 255) ** 2 for p in pixels) / len(pixels) for c in range(3)]
                features = [f"{name}:{value:.4f}" for name, value in
                            zip(["red", "green", "blue", "red2", "green2", "blue2", "row"],
                                [*mean, *square, row / rows])]
                weight = " weight=0" if shown in void else ""
                yield f"variable block {states.get(shown, 0)}{weight} bias {' '.join(features)}"
        for place in range(1, rows * columns + 1):
            if place % columns:
                yield f"factor beside {place} {place + 1} bias"
            if place + columns <= rows * columns:
                yield f"factor above {place} {place + columns} bias"
