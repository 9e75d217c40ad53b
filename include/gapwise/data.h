#pragma once

#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "gapwise/types.h"

namespace gapwise {

/// Which examples of which file.
struct DataSource {
  std::string path;         ///< "-" is standard input
  std::string format = {};  ///< empty: told from the file or, for a model, as it was trained
  std::string folds = {};   ///< "0", "1,3,5-7", "all but 1"; empty: all (formats with folds only)
};

/// Options of a task by name, as the program takes them: {{"loss", "hamming"}, {"hash-bits",
/// "20"}}.
using TaskOptions = std::map<std::string, std::string>;

/// Takes text piece by piece.
using TextSink = std::function<void(std::string_view)>;

/// What a model says of one example, in words that all tasks share; docs/api.md tells what they are
/// for each task.
struct Output {
  std::vector<std::string> labels;  ///< of tokens, of an input, of arcs
  std::vector<Index> numbers;       ///< of heads, linked words, nodes or cells

  friend bool operator==(const Output&, const Output&) = default;
};

/// Weights of a model that make a table: one for each pair of a row and a column, row by row.
struct WeightMatrix {
  std::string name;                  ///< "features", "transitions", ...
  std::vector<std::string> rows;     ///< what each row stands for: attributes, labels
  std::vector<std::string> columns;  ///< the same for columns: labels, mostly
  Index begin = 0;                   ///< where it begins in the weights of the model
};

}  // namespace gapwise
