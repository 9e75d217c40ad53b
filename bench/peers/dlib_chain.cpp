// README.md states the question.

#include <dlib/svm_threaded.h>
#include <fmt/format.h>

#include <chrono>
#include <cstdlib>

#include "support/primal.h"
#include "tasks/sequence/training.h"

namespace {

using gapwise::Index;
using gapwise::internal::ChainLayout;
using gapwise::internal::FeatureRow;
using gapwise::internal::SequenceData;

/// The features of a chain, numbered as our weights are.
class ChainFeatures {
 public:
  using sequence_type = std::vector<FeatureRow>;  // the name that dlib asks for

  ChainFeatures() = default;
  explicit ChainFeatures(const ChainLayout& layout) : layout_(layout) {}

  unsigned long order() const { return 1; }
  unsigned long num_labels() const { return static_cast<unsigned long>(layout_.labels); }
  unsigned long num_features() const { return static_cast<unsigned long>(layout_.dimension()); }

  /// `y` holds the label at `position` and, behind it, the one before.
  template <class SetFeature, class Labels>
  void get_features(SetFeature& set, const sequence_type& x, const dlib::matrix_exp<Labels>& y,
                    unsigned long position) const {
    const auto label = static_cast<Index>(y(0));
    const auto add = [&](Index at, double value) { set(static_cast<unsigned long>(at), value); };
    const FeatureRow& row = x[position];
    for (std::size_t f = 0; f < row.size; ++f) {
      const auto attribute = static_cast<Index>(row.attributes != nullptr ? row.attributes[f] : f);
      add(layout_.node(attribute) + label, row.values != nullptr ? row.values[f] : 1.0);
    }
    if (position == 0) add(layout_.start() + label, 1.0);
    if (position + 1 == x.size()) add(layout_.end() + label, 1.0);
    if (position > 0) {
      add(layout_.transition() + static_cast<Index>(y(1)) * layout_.labels + label, 1.0);
    }
  }

  // dlib wants them to be there; nothing is saved.
  friend void serialize(const ChainFeatures&, std::ostream&) {}
  friend void deserialize(ChainFeatures&, std::istream&) {}

 private:
  ChainLayout layout_;
};

std::vector<ChainFeatures::sequence_type> inputs_of(const SequenceData& data) {
  std::vector<ChainFeatures::sequence_type> all;
  for (Index i = 0; i < data.size(); ++i) {
    auto& sequence = all.emplace_back();
    const auto k = static_cast<std::size_t>(i);
    for (std::size_t r = data.starts[k]; r < data.starts[k + 1]; ++r) {
      sequence.push_back(data.nodes.row(r));
    }
  }
  return all;
}

std::vector<std::vector<unsigned long>> labels_of(const SequenceData& data) {
  std::vector<std::vector<unsigned long>> all;
  for (Index i = 0; i < data.size(); ++i) {
    const auto k = static_cast<std::size_t>(i);
    all.emplace_back(data.labels.begin() + static_cast<std::ptrdiff_t>(data.starts[k]),
                     data.labels.begin() + static_cast<std::ptrdiff_t>(data.starts[k + 1]));
  }
  return all;
}

int run(char** words) {
  using namespace gapwise::internal;
  const std::string folds = words[2];
  const double lambda = std::atof(words[3]);
  const double epsilon = std::atof(words[4]);
  SequenceSettings settings;
  const NumberedSequences read =
      read_sequences({words[1], "", folds == "all" ? "" : folds}, "", settings);
  const ChainLayout layout = chain_layout(read.alphabets, 1, words[1]);

  dlib::structural_sequence_labeling_trainer<ChainFeatures> trainer{ChainFeatures(layout)};
  trainer.set_c(1.0 / lambda);
  trainer.set_epsilon(epsilon);
  trainer.set_num_threads(1);
  const auto inputs = inputs_of(*read.data);
  const auto labels = labels_of(*read.data);
  const auto start = std::chrono::steady_clock::now();
  const auto labeler = trainer.train(inputs, labels);
  const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - start;

  std::vector<double> w(static_cast<std::size_t>(layout.dimension()));
  for (std::size_t j = 0; j < w.size(); ++j) w[j] = labeler.get_weights()(static_cast<long>(j));
  const auto problem = make_sequence_problem(read.data, layout, SequenceLoss::kHamming);
  fmt::print("{} {}\n", seconds.count(), testing::primal_at(*problem, lambda, w));
  return 0;
}

}  // namespace

int main(int count, char** words) {
  if (count != 5) {
    fmt::print(stderr, "usage: dlib_chain DATA FOLDS|all LAMBDA EPSILON\n");
    return 2;
  }
  return run(words);
}
