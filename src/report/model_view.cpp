#include "report/model_view.h"

#include <algorithm>
#include <filesystem>
#include <sstream>

#include "app/example_set.h"
#include "app/loaded_model.h"
#include "gapwise/errors.h"
#include "io/files.h"
#include "io/scratch_folder.h"

namespace gapwise::internal {
namespace {

constexpr Index kWorst = 8;                     // examples
constexpr std::size_t kTop = 8;                 // weights a table
constexpr std::size_t kMostBytes = 160 * 1024;  // of all pictures
constexpr std::size_t kMostLines = 80;          // of an example

/// The only file of a folder, which is then gone.
std::string take_file(const ScratchFolder& folder) {
  for (const auto& entry : std::filesystem::directory_iterator(folder.root())) {
    std::string bytes = read_file(entry.path().string());
    std::filesystem::remove(entry.path());
    return bytes;
  }
  return {};
}

/// Goes through the examples of a source and labels those that are wanted, each by itself.
template <class Visit>
void for_each_wanted(const Predictor& predictor, const DataSource& source, Purpose purpose,
                     const std::vector<ViewedExample>& wanted, const Visit& visit) {
  Index last = -1;
  for (const ViewedExample& example : wanted) last = std::max(last, example.worst.example);
  const auto threads = make_threads(1);
  const auto stream = predictor.open(source, purpose);
  for (Index number = 0; number <= last && stream->read(); ++number) {
    const std::unique_ptr<Batch> batch = stream->take();
    for (std::size_t k = 0; k < wanted.size(); ++k) {
      if (wanted[k].worst.example != number || batch->size() != 1) continue;
      predictor.label(*batch, *threads);
      visit(k, *batch);
    }
  }
}

std::vector<ViewedLine> lines_of(const std::string& text) {
  std::vector<ViewedLine> lines;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) {
    if (!line.empty()) lines.push_back({line, {}, false});
  }
  return lines;
}

/// The text of the examples, with marks where a line is about a place that is wrong.
void add_lines(const Predictor& predictor, const DataSource& source,
               std::vector<ViewedExample>& wanted) {
  for_each_wanted(predictor, source, Purpose::kPredict, wanted, [&](std::size_t k, Batch& batch) {
    std::string text;
    predictor.write(batch, text);
    wanted[k].lines = lines_of(text);
  });
  const auto scorer = predictor.make_scorer();
  for_each_wanted(predictor, source, Purpose::kEvaluate, wanted, [&](std::size_t k, Batch& batch) {
    std::vector<ViewedLine>& lines = wanted[k].lines;
    std::size_t place = 0;
    scorer->for_each_place(batch, 0, [&](const Place& found) {
      if (place < lines.size() && !found.is_right) {
        lines[place].is_wrong = true;
        lines[place].gold = found.gold;
      }
      ++place;
    });
    if (place != lines.size() || lines.size() > kMostLines) lines.clear();  // other places
  });
}

void add_pictures(const Predictor& predictor, const DataSource& source,
                  std::vector<ViewedExample>& wanted) {
  const ScratchFolder folder;
  std::size_t bytes = 0;
  try {
    for_each_wanted(predictor, source, Purpose::kDraw, wanted, [&](std::size_t k, Batch& batch) {
      predictor.draw(batch, wanted[k].worst.example, folder.root().string());
      std::string picture = take_file(folder);
      if (bytes + picture.size() > kMostBytes) return;
      bytes += picture.size();
      wanted[k].picture = std::move(picture);
    });
  } catch (const OptionError&) {
    return;  // the task draws none
  }
}

std::vector<ViewedMatrix> square_matrices(const Model& model) {
  std::vector<ViewedMatrix> squares;
  const Weights w = model.weights();
  for (const WeightMatrix& matrix : model.weight_matrices()) {
    if (matrix.rows != matrix.columns || matrix.rows.size() < 2) continue;
    ViewedMatrix square{matrix.name, matrix.rows, {}};
    const auto begin = w.begin() + matrix.begin;
    square.values.assign(begin, begin + std::ssize(square.names) * std::ssize(square.names));
    squares.push_back(std::move(square));
  }
  return squares;
}

}  // namespace

ModelView view_model(const Model& model, const DataSource& source, ThreadCount threads) {
  ModelView view;
  view.task = model.task();
  view.settings = model.settings();
  view.sizes = model.sizes();
  view.num_weights = model.weights().size();
  view.top = model.top_weights(kTop);
  view.matrices = square_matrices(model);
  EvaluationSettings settings;
  settings.worst = kWorst;
  settings.confidence = 0.95;
  view.evaluation =
      evaluate_in_detail(model, open_examples(model.task(), source), settings, threads);
  for (const WorstExample& worst : view.evaluation.worst) view.worst.push_back({worst, {}, {}});
  const Predictor& predictor = model.loaded().predictor();
  add_lines(predictor, source, view.worst);
  add_pictures(predictor, source, view.worst);
  return view;
}

}  // namespace gapwise::internal
