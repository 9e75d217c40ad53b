#!/usr/bin/env bash
# Draws score and certified objective over lambda as an SVG:
#   gapwise path --json --data train --validate dev --path p | scripts/lambda-picture.sh METRIC >p.svg
set -euo pipefail
metric=${1:?name of a test metric, as in token_accuracy}

# One break point a line: lambda primal dual score.
tr -d '\n' | sed 's/.*"points":\[//; s/\],"search".*//; s/},{"lambda"/}\n{"lambda"/g' |
  awk -v metric="$metric" '
    function value(name) {
      if (!match($0, "\"" name "\":-?[0-9.e+-]+")) return "";
      return substr($0, RSTART + length(name) + 3, RLENGTH - length(name) - 3);
    }
    { print value("lambda"), value("primal"), value("dual"), value(metric) }' |
  awk -v metric="$metric" '
    function log10(x) { return log(x) / log(10); }
    function x_of(k) { return left + width * (high - log10(lambda[k])) / (high - low); }
    function y_of(v, from, to, top) { return top + height * (to - v) / (to - from); }
    function line(values, from, to, top, colour,   k, path) {
      for (k = 1; k <= n; ++k) {
        path = path sprintf("%s%.1f %.1f", k == 1 ? "M" : " L", x_of(k), y_of(values[k], from, to, top));
      }
      printf "<path d=\"%s\" fill=\"none\" stroke=\"%s\" stroke-width=\"1.8\"/>\n", path, colour;
    }
    function words(x, y, anchor, what) {
      printf "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"%s\">%s</text>\n", x, y, anchor, what;
    }
    function frame(top, from, to, title,   k, v) {
      printf "<rect x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\" fill=\"none\" stroke=\"#888\"/>\n",
        left, top, width, height;
      words(left, top - 8, "start", title);
      for (k = 0; k <= 4; ++k) {
        v = from + (to - from) * k / 4;
        words(left - 6, y_of(v, from, to, top) + 4, "end", sprintf("%.3g", v));
      }
    }
    { lambda[NR] = $1; primal[NR] = $2; dual[NR] = $3; score[NR] = $4; n = NR; }
    END {
      left = 70; width = 560; height = 170;
      high = log10(lambda[1]); low = log10(lambda[n]);
      worst = best = score[1];
      for (k = 1; k <= n; ++k) {
        if (score[k] < worst) worst = score[k];
        if (score[k] > best) { best = score[k]; at = k; }
        if (primal[k] > most) most = primal[k];
      }
      print "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 660 480\" font-family=\"sans-serif\" font-size=\"12\" fill=\"#666\">";
      frame(30, worst, best, metric " on held-out data; the best at lambda " sprintf("%.3g", lambda[at]));
      line(score, worst, best, 30, "#2266bb");
      printf "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"4\" fill=\"#2266bb\"/>\n", x_of(at), y_of(score[at], worst, best, 30);
      frame(250, 0, most, "objective: primal (red) and dual (green); the optimum lies between them");
      line(primal, 0, most, 250, "#bb3333");
      line(dual, 0, most, 250, "#228833");
      for (e = int(high) + (high > 0); e >= low; --e) {
        if (e > high) continue;
        lambda[0] = 10 ^ e;
        words(x_of(0), 440, "middle", sprintf("%g", 10 ^ e));
      }
      words(left + width / 2, 462, "middle", "lambda, from large to small");
      print "</svg>";
    }'
