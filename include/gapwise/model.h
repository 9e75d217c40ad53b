#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "gapwise/examples.h"
#include "gapwise/metrics.h"
#include "gapwise/ranking.h"

namespace gapwise {

namespace internal {
class LoadedModel;
}  // namespace internal

/// How many threads to use; all that this process may if not set. Results do not depend on it.
using ThreadCount = std::optional<Index>;

/// A trained model: weights, names and settings, and a predictor of its task. A handle: copies
/// share the model, which never changes; several threads may use it at once.
class Model {
 public:
  /// For the library itself.
  explicit Model(std::shared_ptr<const internal::LoadedModel> loaded)
      : loaded_(std::move(loaded)) {}

  /// Replaces the file whole or not at all. InputError if that cannot be done.
  void save(const std::string& path) const;
  /// What `save` would write.
  std::string bytes() const;

  /// "sequence"; "own" for a model of a problem of one's own.
  const std::string& task() const;
  /// How the model was read and trained, as text: "lambda", "solver", "gap", ...
  const std::map<std::string, std::string>& settings() const;
  /// How many names there are of each kind: "labels", "attributes", ...
  std::map<std::string, std::size_t> sizes() const;
  /// The names of one kind; empty if there are none of that kind.
  std::vector<std::string> names(const std::string& kind) const;
  /// As they are in the file: attributes without any weight are left out.
  Weights weights() const;
  /// The `count` largest and smallest weights of each group.
  std::vector<WeightTable> top_weights(std::size_t count) const;
  /// The weights as tables with names: of sequence "features", "start", "end" and "transitions", of
  /// multiclass and multilabel "features". Other tasks and kernels have other weights.
  std::vector<WeightMatrix> weight_matrices() const;

  // The following throw OptionError for a model of a problem of one's own, which only its owner
  // can decode.

  /// What the model says of each example.
  std::vector<Output> predict(const Examples& examples, ThreadCount threads = {}) const;
  /// Writes the predictions for a file in the form documented for its format, as they are found;
  /// memory does not grow with the file. An empty file has none.
  void predict(const DataSource& source, const TextSink& out, ThreadCount threads = {}) const;

  /// The best outputs of each example with their scores, and how sure they are. OptionError for
  /// tasks whose second best output is not found exactly, and for settings out of range.
  std::vector<Ranking> rank(const Examples& examples, const RankSettings& settings = {},
                            ThreadCount threads = {}) const;
  /// The same for a file, of which only a part is in memory at once.
  void rank(const DataSource& source, const RankSettings& settings, const RankingSink& visit,
            ThreadCount threads = {}) const;
  /// Writes it in the form documented for ranked predictions (docs/formats.md), with a line of
  /// rank and score before every output if `with_scores`.
  void write_ranked(const DataSource& source, const RankSettings& settings, bool with_scores,
                    const TextSink& out, ThreadCount threads = {}) const;
  /// That of its probabilities, if it is calibrated.
  std::optional<double> temperature() const;
  /// The same model with this temperature; OptionError unless it is > 0.
  Model with_temperature(double temperature) const;

  /// How good the model is on labelled examples.
  Metrics evaluate(const Examples& examples, ThreadCount threads = {}) const;
  /// The same for a file, of which only a part is in memory at once.
  Metrics evaluate(const DataSource& source, ThreadCount threads = {}) const;

  /// Draws every example of a file as a PNG picture in `folder`. OptionError if the task has none.
  void draw(const DataSource& source, const std::string& folder, ThreadCount threads = {}) const;

  /// For the library itself.
  const internal::LoadedModel& loaded() const { return *loaded_; }

 private:
  std::shared_ptr<const internal::LoadedModel> loaded_;
};

/// Reads a model file; InputError for whatever is damaged, hostile or no model at all.
Model load_model(const std::string& path);
/// The same for its bytes in memory; `name` is for messages.
Model load_model_bytes(std::string_view bytes, const std::string& name = "model");

}  // namespace gapwise
