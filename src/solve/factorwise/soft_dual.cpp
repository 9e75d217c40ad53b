#include "solve/factorwise/soft_dual.h"

#include "core/sums.h"

namespace gapwise::internal {

SoftDual::SoftDual(const RunContext& context, RegionMove move, double rho)
    : n_(static_cast<double>(context.n())),
      beliefs_(context.problem),
      point_(context.n(), context.d(), context.lambda, context.nonnegative()),
      step_(move),
      price_(1.0 / rho),
      residuals_(static_cast<std::size_t>(context.n()), 0.0) {}

void SoftDual::set_rho(double rho) {
  price_ = 1.0 / rho;
  value_ = value_anew();
}

RegionGain SoftDual::step(Oracle& oracle, Index i, Index a) {
  const BlockBeliefs block = beliefs_[i];
  const RegionGain found = step_.take(oracle, i, block, block.layout().region(a), price_, point_);
  value_ += found.gain / n_;
  return found;
}

double SoftDual::sweep(MeteredOracle& oracle, Index i) {
  const BlockBeliefs block = beliefs_[i];
  double gap = 0.0;
  oracle.count([&] {
    StopPoll poll;
    for (Index a = 0; a < std::ssize(block.layout().regions()); ++a) {
      gap += step(oracle, i, a).gap;
      poll.spend(static_cast<std::size_t>(block.layout().region(a).size));
    }
    residuals_[static_cast<std::size_t>(i)] = block.squared_residual();
  });
  return gap / n_;
}

void SoftDual::raise_multipliers(Index i, double step) {
  beliefs_[i].raise_multipliers(step * price_);
  value_ -= step * price_ * squared_residual(i) / n_;
}

void SoftDual::raise_multipliers(double step) {
  for (Index i = 0; i < beliefs_.num_blocks(); ++i) raise_multipliers(i, step);
}

double SoftDual::squared_residual() const {
  return ordered_sum(residuals_);
}

double SoftDual::value_anew() const {
  std::vector<double> coupling;
  for (Index i = 0; i < beliefs_.num_blocks(); ++i) {
    coupling.push_back(beliefs_[i].multiplied_residual() + 0.5 * price_ * squared_residual(i));
  }
  return point_.dual() - ordered_sum(coupling) / n_;
}

void SoftDual::rebuild(Oracle& oracle) {
  BlockState state;
  std::vector<double> by_part;
  point_.rebuild(oracle, [&](Index i) -> const BlockState& {
    const BlockBeliefs block = beliefs_[i];
    block.rebuild();
    residuals_[static_cast<std::size_t>(i)] = block.squared_residual();
    beliefs_.describe(
        i, [&block](const Region& region) { return block.beliefs(region); }, by_part, state);
    return state;
  });
  value_ = value_anew();
}

void SoftDual::save(StateWriter& out) const {
  beliefs_.save(out);
  point_.save(out);
  out.f64(price_);
  out.f64(value_);
  out.weights(residuals_);
}

void SoftDual::load(StateReader& in) {
  beliefs_.load(in);
  point_.load(in);
  price_ = in.finite();
  in.require(price_ > 0.0, "a price of disagreement that no run has");
  value_ = in.finite();
  in.weights(residuals_);
}

}  // namespace gapwise::internal
