#pragma once

#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "io/fields.h"
#include "io/folds.h"
#include "io/lines.h"
#include "tasks/shared/factor_graphs/problem.h"
#include "tasks/shared/factor_graphs/shapes.h"
#include "tasks/task.h"

namespace gapwise::internal {

/// What to read and how.
struct FactorGraphPlan {
  std::string path;
  std::string folds;         ///< numbers of the graphs to take; empty: all
  bool needs_states = true;  ///< no: variables may be without
  bool learns = false;       ///< what is new is added to the vocabulary
};

/// Some graphs of a file.
struct FactorGraphBatch final : Batch {
  FactorGraphData data;
  Index before = 0;                     ///< so many graphs were in earlier batches
  std::vector<std::int32_t> predicted;  ///< of each variable, once labelled
  std::vector<std::uint8_t> is_proven;  ///< of each graph, once labelled

  Index size() const override { return data.size(); }
};

/// Factor graphs as text, a line for each variable and each factor; docs/factor-graphs.md. Memory
/// grows with the joint states of all factors, which are limited.
class FactorGraphReader {
 public:
  /// `names` outlives the reader.
  FactorGraphReader(const FactorGraphPlan& plan, GraphVocabulary& names);

  /// Adds the next graph that the folds contain; false at the end.
  bool read(FactorGraphBatch& into);
  /// For a file in which read() found nothing: what it has instead, and what to do.
  std::string complaint() const;
  /// How many states and joint states were read; only so many may be in memory at once.
  Index num_cells() const { return num_cells_; }
  void forget_cells() { num_cells_ = 0; }  ///< they are in memory no more

 private:
  bool next_line() { return next_fields(lines_, fields_); }
  void read_states();
  void start_graph();
  void read_variable(FactorGraphData& into, bool is_wanted);
  void read_factor(FactorGraphData& into, bool is_wanted);
  void end_graph(FactorGraphData& into);

  std::int32_t read_kind(std::string_view name) const;
  std::int32_t read_truth(std::int32_t kind, std::string_view text) const;
  double read_weight(std::string_view text) const;
  Index read_number_of_variable(std::string_view text) const;
  void read_scope();
  std::uint32_t read_factor_kind(std::string_view name);
  void count_cells(Index cells);
  /// The features from field `first` on; only checked if there is nothing to add them to.
  void read_features(std::size_t first, std::string_view kind, Index cells,
                     KindAttributes& attributes, UnitFeatures* into);
  void read_table(std::string_view name, std::string_view text, Index cells);
  double read_value(std::string_view text, std::string_view name) const;

  FactorGraphPlan plan_;
  Folds folds_;
  GraphVocabulary& names_;
  LineReader lines_;
  std::vector<std::string_view> fields_;  ///< of the line at hand
  std::set<std::uint32_t> declared_;      ///< kinds whose states the file listed
  bool has_graph_ = false;                ///< the line at hand starts a graph
  Index number_ = 0;                      ///< of the graph at hand, from 1
  Index num_cells_ = 0;

  // The graph at hand.
  FactorGraph graph_;
  std::vector<std::int32_t> kinds_;
  std::set<std::pair<std::uint32_t, std::vector<Index>>> factors_;
  std::vector<Index> scope_;
  std::vector<double> table_;
  GraphShapes shapes_;
};

/// After the last graph.
void finish_features(FactorGraphData& data, const GraphVocabulary& names);

/// Whether text starts like a file of factor graphs.
bool looks_like_factor_graphs(std::string_view head);

}  // namespace gapwise::internal
