#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "gapwise/data.h"
#include "gapwise/types.h"

namespace gapwise {

/// What `Model::rank` is asked.
struct RankSettings {
  Index nbest = 1;         ///< so many outputs of each example, if there are as many
  bool margins = false;    ///< how far behind the best other output is, place by place
  bool marginals = false;  ///< how likely the best output is, place by place
  Index explain = 0;       ///< so many reasons at each place
  /// Of the probabilities; that of the model if not set, or else 1.
  std::optional<double> temperature = {};

  /// Whether anything is asked of places.
  bool wants_places() const { return margins || marginals || explain > 0; }
};

/// One of the best outputs of an example.
struct RankedOutput {
  Output output;       ///< as Model::predict gives it
  double score = 0.0;  ///< <w, phi(x, y)>
};

/// Something that speaks for a label at a place, or against it if it is negative.
struct Reason {
  std::string name;    ///< an attribute, "after B-NP", "start", ...
  double score = 0.0;  ///< how much more the label gets of it than the runner-up
};

/// What is known of one place of the best output: a token, or the whole of an input.
struct RankedPlace {
  /// By how much the best output that differs at this place scores less; infinite if there is none.
  double margin = 0.0;
  std::string runner_up;  ///< the label of that output; empty if there is none
  /// How likely the label is, if outputs are as likely as exp(score / temperature).
  double probability = 0.0;
  std::vector<Reason> reasons;  ///< largest first; with the labels around it as they are
};

/// The best outputs of one example.
struct Ranking {
  std::vector<RankedOutput> outputs;  ///< best first; the first is what is predicted
  std::vector<RankedPlace> places;    ///< of the first one, if something was asked of them
};

/// Takes rankings one by one, in the order of the examples.
using RankingSink = std::function<void(const Ranking&)>;

}  // namespace gapwise
