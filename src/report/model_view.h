#pragma once

#include <map>
#include <string>
#include <vector>

#include "gapwise/evaluation.h"
#include "gapwise/model.h"

namespace gapwise::internal {

/// A line of an example as `predict` writes it.
struct ViewedLine {
  std::string text;
  std::string gold;  ///< what is right, where something else was said
  bool is_wrong = false;
};

/// One of the examples with the most errors, to look at.
struct ViewedExample {
  WorstExample worst;
  std::vector<ViewedLine> lines;  ///< none if the task writes no line per place
  std::string picture;            ///< PNG; empty if the task draws none
};

/// A square table of weights from names to the same names.
struct ViewedMatrix {
  std::string name;
  std::vector<std::string> names;
  std::vector<double> values;  ///< row by row
};

/// What a report says of a model: how good it is on labelled data, where it is wrong, and what it
/// has learned.
struct ModelView {
  std::string task;
  std::map<std::string, std::string> settings;
  std::map<std::string, std::size_t> sizes;
  std::size_t num_weights = 0;
  Evaluation evaluation;
  std::vector<WeightTable> top;
  std::vector<ViewedMatrix> matrices;
  std::vector<ViewedExample> worst;
};

/// `source` must be a file that can be read again.
ModelView view_model(const Model& model, const DataSource& source, ThreadCount threads);

}  // namespace gapwise::internal
