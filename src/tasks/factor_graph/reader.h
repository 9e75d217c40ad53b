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
  std::string format;
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

/// Reads factor graphs one by one. Memory grows with the joint states of all factors, which are
/// limited.
class FactorGraphReader {
 public:
  /// `names` outlives the reader.
  FactorGraphReader(const FactorGraphPlan& plan, GraphVocabulary& names);
  virtual ~FactorGraphReader() = default;

  /// Adds the next graph that the folds contain; false at the end.
  virtual bool read(FactorGraphBatch& into) = 0;
  /// For a file in which read() found nothing: what it has instead, and what to do.
  std::string complaint() const;
  /// How many states and joint states were read; only so many may be in memory at once.
  Index num_cells() const { return num_cells_; }
  void forget_cells() { num_cells_ = 0; }  ///< they are in memory no more

 protected:
  const FactorGraphPlan& plan() const { return plan_; }
  GraphVocabulary& names() { return names_; }
  const GraphVocabulary& names() const { return names_; }
  LineReader& lines() { return lines_; }
  const LineReader& lines() const { return lines_; }
  Index number() const { return number_; }  ///< of the graph at hand, from 1
  const FactorGraph& graph() const { return graph_; }

  /// Starts a graph; whether it is wanted.
  bool start();
  void add_variable(std::int32_t kind, std::int32_t truth, double weight, FactorGraphData* into);
  /// How many joint states a factor of these variables has; fails if there are too many.
  Index count_joint_states(const std::vector<Index>& scope) const;
  /// The kind of a factor, a new one if need be; kUnknown if the model has none such. Fails if it
  /// joins other kinds of variables elsewhere.
  std::uint32_t find_factor_kind(std::string_view name, const std::vector<Index>& scope);
  /// Whether such a factor was there before in this graph; remembers it.
  bool is_repeated(std::uint32_t kind, const std::vector<Index>& scope);
  /// A factor whose features were added.
  void add_factor(const std::vector<Index>& scope, Index cells);
  void count_cells(Index cells);
  void end_graph(FactorGraphData& into);

 private:
  virtual const char* form() const = 0;  ///< what should stand in the file

  FactorGraphPlan plan_;
  Folds folds_;
  GraphVocabulary& names_;
  LineReader lines_;
  Index number_ = 0;
  Index num_cells_ = 0;
  FactorGraph graph_;
  std::vector<std::int32_t> kinds_;
  std::set<std::pair<std::uint32_t, std::vector<Index>>> factors_;
  GraphShapes shapes_;
};

std::vector<std::string_view> factor_graph_formats();
/// The format that was asked for, or else the one told from the name of the file.
std::string factor_graph_format(const std::string& asked, const std::string& path);

/// A line for each variable and each factor; docs/factor-graphs.md.
std::unique_ptr<FactorGraphReader> make_text_reader(const FactorGraphPlan& plan,
                                                    GraphVocabulary& names);
/// Networks as the competitions of UAI have them, each with its right states behind it.
std::unique_ptr<FactorGraphReader> make_uai_reader(const FactorGraphPlan& plan,
                                                   GraphVocabulary& names);
std::unique_ptr<FactorGraphReader> make_factor_graph_reader(const FactorGraphPlan& plan,
                                                            GraphVocabulary& names);

/// After the last graph.
void finish_features(FactorGraphData& data, const GraphVocabulary& names);

/// Whether text starts like a file of factor graphs.
bool looks_like_factor_graphs(std::string_view head);

}  // namespace gapwise::internal
