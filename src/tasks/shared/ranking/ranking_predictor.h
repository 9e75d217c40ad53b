#pragma once

#include <span>
#include <string>
#include <vector>

#include "tasks/task.h"

namespace gapwise::internal {

/// A predictor that ranks outputs and knows how likely they are, with the casts of that.
template <class B, class M>
class RankingPredictorOf : public PredictorOf<B, M> {
 public:
  using PredictorOf<B, M>::PredictorOf;
  using PredictorOf<B, M>::rank;
  using PredictorOf<B, M>::write_ranked;

  std::vector<Ranking> rank(const Batch& batch, const RankSettings& settings,
                            const Threads& threads) const final {
    return rank_batch(static_cast<const B&>(batch), settings, threads);
  }
  void write_ranked(const Batch& batch, std::span<const Ranking> rankings, const RankedForm& form,
                    std::string& text) const final {
    write_ranked_batch(static_cast<const B&>(batch), rankings, form, text);
  }
  std::vector<Belief> beliefs(const Batch& batch, double temperature,
                              const Threads& threads) const final {
    return beliefs_in(static_cast<const B&>(batch), temperature, threads);
  }

 private:
  virtual std::vector<Ranking> rank_batch(const B& batch, const RankSettings& settings,
                                          const Threads& threads) const = 0;
  virtual void write_ranked_batch(const B& batch, std::span<const Ranking> rankings,
                                  const RankedForm& form, std::string& text) const = 0;
  virtual std::vector<Belief> beliefs_in(const B& batch, double temperature,
                                         const Threads& threads) const = 0;
};

}  // namespace gapwise::internal
