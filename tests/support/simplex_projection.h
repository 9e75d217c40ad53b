#pragma once

#include <algorithm>
#include <memory>
#include <vector>

#include "core/forwarding_oracle.h"
#include "support/problems.h"

namespace gapwise::internal::testing {

/// The point of the unit simplex nearest to z, by bisection of what is taken off all of them.
inline std::vector<double> onto_simplex(const std::vector<double>& z) {
  double high = *std::max_element(z.begin(), z.end());  // takes everything
  double low = high - 1.0;                              // leaves 1 at least
  double price = low;
  for (int halving = 0; halving < 60; ++halving) {
    double left = 0.0;
    for (const double x : z) left += std::max(0.0, x - price);
    (left > 1.0 ? low : high) = price;
    price = low + 0.5 * (high - low);
  }
  std::vector<double> result;
  for (const double x : z) result.push_back(std::max(0.0, x - price));
  return result;
}

/// Random examples of several classes that offer projections, and no expectations.
class ProjectedClasses final : public Problem {
 public:
  explicit ProjectedClasses(const ClassesSpec& spec) : inner_(random_classes(spec)) {}

  Index num_blocks() const override { return inner_.problem->num_blocks(); }
  Index dimension() const override { return inner_.problem->dimension(); }
  double oracle_cost() const override { return inner_.problem->oracle_cost(); }
  std::uint64_t fingerprint() const override { return inner_.problem->fingerprint(); }
  std::unique_ptr<Oracle> make_oracle() const override {
    return std::make_unique<ProjectedOracle>(*inner_.data, inner_.problem->make_oracle());
  }

 private:
  class ProjectedOracle final : public ForwardingOracle {
   public:
    ProjectedOracle(const MulticlassData& data, std::unique_ptr<Oracle> inner)
        : ForwardingOracle(std::move(inner)), data_(data) {}
    bool has_expectations() const override { return false; }
    bool has_projection() const override { return true; }
    void project(Index i, const Parts& from, const PartScores& step, Parts& to) override {
      const auto truth = static_cast<std::size_t>(data_.labels[static_cast<std::size_t>(i)]);
      std::vector<double> z(step.values().begin(), step.values().end());
      z[truth] += 1.0;
      for (const Part& part : from) z[static_cast<std::size_t>(part.id)] -= part.value;
      z = onto_simplex(z);
      z[truth] -= 1.0;
      to.assign_negative(z);
    }

   private:
    const MulticlassData& data_;
  };

  Classes inner_;
};

}  // namespace gapwise::internal::testing
