#include "solve/averager.h"

#include <algorithm>

namespace gapwise::internal {

Averager::Averager(Average kind, Index n, Index dimension)
    : kind_(kind), next_restart_(n), u_(is_on() ? static_cast<std::size_t>(dimension) : 0) {}

void Averager::load(StateReader& in) {
  fields(*this, FieldReader(in));
  in.require(steps_ == 0 ? suffix_start_ == 0 : suffix_start_ < steps_,
             "an average that begins after its end");
}

double Averager::begin_step() {
  if (!is_on()) return 0.0;
  if (kind_ == Average::kSuffix && steps_ == next_restart_) {
    suffix_start_ = steps_;
    next_restart_ *= 2;
    std::fill(u_.begin(), u_.end(), 0.0);
    ell_u_ = 0.0;
  }
  ++steps_;
  const auto s = static_cast<double>(steps_);
  if (kind_ == Average::kWeighted) return 0.5 * s * (s - 1.0);
  return s - 1.0 - static_cast<double>(suffix_start_);
}

void Averager::add(Oracle& oracle, Index i, const Parts& parts, double scale, double ell_change) {
  const double weight = begin_step();
  if (weight == 0.0) return;
  oracle.scatter(i, parts, weight * scale, u_);
  ell_u_ += weight * ell_change;
}

void Averager::add(Weights change, double ell_change) {
  const double weight = begin_step();
  if (weight == 0.0) return;
  for (std::size_t j = 0; j < u_.size(); ++j) u_[j] += weight * change[j];
  ell_u_ += weight * ell_change;
}

void Averager::average(Weights w, double ell, std::vector<double>& w_out, double& ell_out) const {
  w_out.assign(w.begin(), w.end());
  ell_out = ell;
  if (!is_on() || steps_ == 0) return;
  const auto k = static_cast<double>(steps_);
  const double total =
      kind_ == Average::kWeighted ? 0.5 * k * (k + 1.0) : k - static_cast<double>(suffix_start_);
  for (std::size_t j = 0; j < u_.size(); ++j) w_out[j] -= u_[j] / total;
  ell_out -= ell_u_ / total;
}

}  // namespace gapwise::internal
