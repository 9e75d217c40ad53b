#pragma once

#include <vector>

#include "gapwise/core/archive.h"
#include "gapwise/core/random.h"
#include "gapwise/solve/options.h"

namespace gapwise {

/// Which block comes next. Draws only from the generator it is given.
class Sampler {
 public:
  /// `order` is the visiting order of `cyclic`; empty for 0..n-1.
  Sampler(Sampling kind, Index n, const std::vector<Index>& order);

  Index next(Rng& rng);

  void save(ByteWriter& out) const;
  void load(ByteReader& in);

 private:
  Sampling kind_;
  std::vector<Index> order_;
  std::size_t at_ = 0;
};

}  // namespace gapwise
