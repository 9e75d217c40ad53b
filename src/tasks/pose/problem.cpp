#include "tasks/pose/problem.h"

#include <fmt/format.h>
#define XXH_INLINE_ALL
#include <xxhash.h>

#include <algorithm>
#include <cmath>

#include "core/sums.h"
#include "gapwise/errors.h"
#include "tasks/pose/part_scorer.h"
#include "tasks/shared/row_sums.h"

namespace gapwise::internal {
namespace {

/// The values of the four parts of a spring: x, y, x^2, y^2.
using SpringValues = std::array<double, 4>;

SpringValues measure(const GridShape& grid, const Rest& rest, std::int32_t cell,
                     std::int32_t parent) {
  const double x = rest.x.measured(grid.x_of(cell) - grid.x_of(parent));
  const double y = rest.y.measured(grid.y_of(cell) - grid.y_of(parent));
  return {x, y, x * x, y * y};
}

/// What is computed once for all oracles.
struct PoseProblemData {
  std::shared_ptr<const PoseData> figures;
  PoseSettings settings;
  std::vector<std::int32_t> truth;  ///< the cells of the joints of figure after figure
  std::vector<double> radii;        ///< of each figure: from here on a joint is all wrong
};

class PoseOracle final : public Oracle {
 public:
  explicit PoseOracle(const PoseProblemData& problem)
      : problem_(problem),
        data_(*problem.figures),
        scorer_(data_, problem.settings.layout),
        joints_(data_.skeleton.size()),
        sums_(static_cast<std::size_t>(problem.settings.layout.dimension())),
        more_sums_(sums_.size()),
        found_(joints_) {}

  void score(Index i, Weights w, PartScores& theta) override {
    const auto out = theta.resize(scorer_.num_parts());
    scorer_.score_places(i, w, out.first(scorer_.num_places()));
    for (std::size_t id = scorer_.num_places(); id < out.size(); ++id) {
      out[id] = -w[scorer_.spring_weight(static_cast<Index>(id))];
    }
  }
  void decode(Index i, const PartScores& theta, Augment augment, Corner& out) override;
  void score_some(Index i, Weights w, std::span<const Index> ids, std::span<double> out) override {
    for (std::size_t k = 0; k < ids.size(); ++k) {
      if (scorer_.is_place(ids[k])) {
        const auto place = scorer_.find_place(i, ids[k]);
        out[k] = row_dot(place.row, w.data() + place.base);
      } else {
        out[k] = -w[scorer_.spring_weight(ids[k])];
      }
    }
  }
  bool describe(Index i, std::span<const Index> ids, PartRows& out) override {
    for (std::size_t k = 0; k < ids.size(); ++k) {
      if (scorer_.is_place(ids[k])) {
        const auto place = scorer_.find_place(i, ids[k]);
        describe_row(place.row, k, static_cast<Index>(place.base), 1.0, out);
      } else {
        out.add_weight(k, static_cast<Index>(scorer_.spring_weight(ids[k])), -1.0);
      }
    }
    return true;
  }
  void scatter(Index i, const Parts& v, double scale, MutableWeights w) override {
    for (const Part& part : v) {
      if (scorer_.is_place(part.id)) {
        const auto place = scorer_.find_place(i, part.id);
        add_row(place.row, scale * part.value, w.data() + place.base);
      } else {
        w[scorer_.spring_weight(part.id)] -= scale * part.value;
      }
    }
  }
  double squared_norm(Index i, const Parts& v) override {
    write_out(i, v, sums_);
    return internal::squared_norm(sums_);
  }
  double inner_product(Index i, const Parts& u, const Parts& v) override {
    write_out(i, u, sums_);
    write_out(i, v, more_sums_);
    return dot(sums_, more_sums_);
  }

  bool has_recognition() const override { return true; }
  bool recognize(Index i, const Parts& parts, Corner& out) override;
  std::optional<PartSizes> part_sizes(Index i) override;

 private:
  /// sums = B_i v. There are so few weights that all of them are written.
  void write_out(Index i, const Parts& v, std::vector<double>& sums) {
    std::fill(sums.begin(), sums.end(), 0.0);
    scatter(i, v, 1.0, sums);
  }
  std::int32_t truth(Index i, std::size_t joint) const {
    return problem_.truth[static_cast<std::size_t>(i) * joints_ + joint];
  }
  double cost(Index i, std::int32_t truth, std::int32_t cell) const;
  void add_costs(Index i, std::span<double> scores) const;
  void write_corner(Index i, Corner& out) const;

  const PoseProblemData& problem_;
  const PoseData& data_;
  PosePartScorer scorer_;
  std::size_t joints_;
  std::vector<double> sums_;
  std::vector<double> more_sums_;
  std::vector<double> scores_;
  std::vector<Spring> springs_;
  TreeScratch scratch_;
  std::vector<std::int32_t> found_;
};

/// What one joint adds to the loss.
double PoseOracle::cost(Index i, std::int32_t truth, std::int32_t cell) const {
  if (truth == cell) return 0.0;
  const double radius = problem_.radii[static_cast<std::size_t>(i)];
  const double away = std::hypot(data_.grid.x_of(cell) - data_.grid.x_of(truth),
                                 data_.grid.y_of(cell) - data_.grid.y_of(truth));
  const auto share = 1.0 / static_cast<double>(joints_);
  if (away > radius) return share;
  return problem_.settings.loss == PoseLoss::kPdj ? 0.0 : share * away / radius;
}

/// Adds the costs less the largest one, which is the same for every output: only the cells near the
/// truth then change.
void PoseOracle::add_costs(Index i, std::span<double> scores) const {
  const GridShape& grid = data_.grid;
  const double radius = problem_.radii[static_cast<std::size_t>(i)];
  const auto reach = static_cast<std::int32_t>(std::min(radius, double{kLongestSide}));
  const auto share = 1.0 / static_cast<double>(joints_);
  for (std::size_t j = 0; j < joints_; ++j) {
    const std::int32_t right = truth(i, j);
    const std::int32_t x = grid.x_of(right);
    const std::int32_t y = grid.y_of(right);
    for (std::int32_t v = std::max(0, y - reach); v <= std::min(grid.height - 1, y + reach); ++v) {
      for (std::int32_t u = std::max(0, x - reach); u <= std::min(grid.width - 1, x + reach); ++u) {
        const std::int32_t cell = grid.cell(u, v);
        scores[static_cast<std::size_t>(scorer_.place(j, cell))] += cost(i, right, cell) - share;
      }
    }
  }
}

void PoseOracle::decode(Index i, const PartScores& theta, Augment augment, Corner& out) {
  const auto places = theta.values().first(scorer_.num_places());
  scores_.assign(places.begin(), places.end());
  if (augment == Augment::kLoss) add_costs(i, scores_);
  scorer_.make_springs(
      problem_.settings.rest, [&](Index id) { return theta[id]; }, springs_);
  decode_tree(data_.skeleton.tree, data_.grid, springs_, scores_, scratch_, found_);
  write_corner(i, out);
}

/// The cells in `found_` against those of the truth.
void PoseOracle::write_corner(Index i, Corner& out) const {
  out.set_truth();
  for (std::size_t j = 0; j < joints_; ++j) {
    const std::int32_t right = truth(i, j);
    const std::int32_t cell = found_[j];
    if (right == cell) continue;
    out.loss += cost(i, right, cell);
    out.parts.append(scorer_.place(j, std::min(right, cell)), right < cell ? 1.0 : -1.0);
    out.parts.append(scorer_.place(j, std::max(right, cell)), right < cell ? -1.0 : 1.0);
  }
  for (std::size_t j = 0; j < joints_ && problem_.settings.layout.has_springs; ++j) {
    const std::int32_t parent = data_.skeleton.tree.parent(j);
    if (parent == PartTree::kNone) continue;
    const auto up = static_cast<std::size_t>(parent);
    const Rest& rest = problem_.settings.rest[j];
    const SpringValues right = measure(data_.grid, rest, truth(i, j), truth(i, up));
    const SpringValues found = measure(data_.grid, rest, found_[j], found_[up]);
    for (std::size_t k = 0; k < right.size(); ++k) {
      if (right[k] != found[k]) {
        out.parts.append(scorer_.spring(j) + static_cast<Index>(k), right[k] - found[k]);
      }
    }
  }
}

bool PoseOracle::recognize(Index i, const Parts& parts, Corner& out) {
  for (std::size_t j = 0; j < joints_; ++j) found_[j] = truth(i, j);
  for (const Part& part : parts) {
    if (part.id < 0 || !scorer_.is_place(part.id) || part.value > 0.0) continue;
    const Index cells = data_.grid.cells();
    found_[static_cast<std::size_t>(part.id / cells)] = static_cast<std::int32_t>(part.id % cells);
  }
  write_corner(i, out);
  return out.parts == parts;
}

std::optional<PartSizes> PoseOracle::part_sizes(Index i) {
  PartSizes sizes{.length = 1.0, .count = 2.0 * static_cast<double>(joints_), .terms = 1.0};
  for (std::size_t r = data_.cell_starts[static_cast<std::size_t>(i)];
       r < data_.cell_starts[static_cast<std::size_t>(i) + 1]; ++r) {
    const FeatureRow row = data_.maps.row(r);
    double squares = 0.0;
    for (std::size_t f = 0; f < row.size; ++f) {
      squares += row.values != nullptr ? row.values[f] * row.values[f] : 1.0;
    }
    sizes.length = std::max(sizes.length, std::sqrt(squares));
    sizes.terms = std::max(sizes.terms, static_cast<double>(row.size));
  }
  if (!problem_.settings.layout.has_springs) return sizes;
  for (const Rest& rest : problem_.settings.rest) {
    const auto farthest = [](const AxisRest& axis, std::int32_t side) {
      return std::max(std::abs(axis.measured(side)), std::abs(axis.measured(-side)));
    };
    for (const double x :
         {farthest(rest.x, data_.grid.width), farthest(rest.y, data_.grid.height)}) {
      sizes.count += 2.0 * x + x * x;
    }
  }
  return sizes;
}

class PoseProblem final : public Problem {
 public:
  PoseProblem(std::shared_ptr<const PoseData> data, const PoseSettings& settings)
      : data_{std::move(data), settings, {}, {}} {
    const PoseData& figures = *data_.figures;
    for (const GridPoint& joint : figures.joints) {
      data_.truth.push_back(cell_at(figures.grid, joint));
    }
    for (Index i = 0; i < figures.size(); ++i) {
      data_.radii.push_back(settings.threshold * figures.skeleton.torso_size(figures.joints_of(i)));
    }
  }

  Index num_blocks() const override { return data_.figures->size(); }
  Index dimension() const override { return data_.settings.layout.dimension(); }
  std::unique_ptr<Oracle> make_oracle() const override {
    return std::make_unique<PoseOracle>(data_);
  }
  std::vector<WeightGroup> weight_groups() const override {
    const PoseLayout& layout = data_.settings.layout;
    std::vector<WeightGroup> groups{{"maps", 0, layout.linear(0)}};
    if (layout.springs() > 0) {
      groups.push_back({"linear", layout.linear(0), layout.square(0)});
      groups.push_back({"squares", layout.square(0), layout.dimension(), true});
    }
    groups.push_back({"all", 0, dimension()});
    return groups;
  }
  double oracle_cost() const override {
    return kCostPerPlace * static_cast<double>(data_.figures->grid.cells()) *
           static_cast<double>(data_.figures->skeleton.size());
  }
  std::uint64_t fingerprint() const override;

 private:
  /// What score and decode spend on a joint at a cell (23 ns), measured against score_some (8 ns).
  static constexpr double kCostPerPlace = 3.0;

  PoseProblemData data_;
};

std::uint64_t PoseProblem::fingerprint() const {
  const PoseData& figures = *data_.figures;
  const PoseSettings& settings = data_.settings;
  std::uint64_t hash = static_cast<std::uint64_t>(settings.loss);
  const auto add = [&hash](const auto& values) {
    const std::span items(values);
    hash = XXH3_64bits_withSeed(items.data(), items.size_bytes(), hash);
  };
  add(std::array<Index, 6>{figures.grid.width, figures.grid.height, settings.layout.maps,
                           settings.layout.springs(), figures.skeleton.torso.first,
                           figures.skeleton.torso.second});
  add(figures.skeleton.tree.parents());
  add(figures.cell_starts);
  add(figures.cells);
  add(figures.joints);
  add(settings.rest);
  add(std::array<double, 1>{settings.threshold});
  figures.maps.hash_into(hash);
  return hash;
}

[[noreturn]] void refuse(Index i, const std::string& what) {
  throw InputError(fmt::format("figure {}: {}", i + 1, what));
}

void check_figure(const PoseData& data, Index i) {
  for (const GridPoint& joint : data.joints_of(i)) {
    const bool is_inside = joint.x >= -0.5 && joint.x < data.grid.width - 0.5 && joint.y >= -0.5 &&
                           joint.y < data.grid.height - 0.5;
    if (!is_inside) {
      refuse(i, fmt::format("a joint lies at ({}, {}), which is not on the grid of {} x {} cells",
                            joint.x, joint.y, data.grid.width, data.grid.height));
    }
  }
  std::int32_t last = -1;
  for (std::size_t r = data.cell_starts[static_cast<std::size_t>(i)];
       r < data.cell_starts[static_cast<std::size_t>(i) + 1]; ++r) {
    if (data.cells[r] <= last || data.cells[r] >= data.grid.cells()) {
      refuse(i, fmt::format("cell {} after cell {}; they must increase and be less than {}",
                            data.cells[r], last, data.grid.cells()));
    }
    last = data.cells[r];
  }
}

void check(const PoseData& data, const PoseSettings& settings) {
  if (data.size() < 1) throw InputError("there are no figures to train on");
  const std::size_t joints = data.skeleton.size();
  const bool fits =
      data.grid.width >= 1 && data.grid.width <= kLongestSide && data.grid.height >= 1 &&
      data.grid.height <= kLongestSide && joints >= 1 &&
      data.joints.size() == static_cast<std::size_t>(data.size()) * joints &&
      data.cells.size() == data.cell_starts.back() && data.maps.num_rows() == data.cells.size() &&
      settings.layout.joints == static_cast<Index>(joints) && settings.rest.size() == joints;
  if (!fits) throw InputError("grid, joints, cells and score maps do not fit together");
  for (Index i = 0; i < data.size(); ++i) check_figure(data, i);
}

/// In standard deviations.
constexpr double kSpread = 3.0;

AxisRest rest_of(std::span<const double> displacements) {
  const auto count = static_cast<double>(displacements.size());
  const double mean = ordered_sum(displacements) / count;
  double squares = 0.0;
  for (const double d : displacements) squares += (d - mean) * (d - mean);
  return {mean, std::max(1.0, kSpread * std::sqrt(squares / count))};
}

}  // namespace

double distance(const GridPoint& a, const GridPoint& b) {
  return std::hypot(a.x - b.x, a.y - b.y);
}

std::int32_t cell_at(const GridShape& grid, const GridPoint& point) {
  return grid.cell(static_cast<std::int32_t>(std::floor(point.x + 0.5)),
                   static_cast<std::int32_t>(std::floor(point.y + 0.5)));
}

std::vector<Rest> measure_rest(const PoseData& data) {
  const PartTree& tree = data.skeleton.tree;
  std::vector<Rest> result(tree.size());
  std::vector<double> across;
  std::vector<double> down;
  for (std::size_t j = 0; j < tree.size() && data.size() > 0; ++j) {
    if (tree.parent(j) == PartTree::kNone) continue;
    across.clear();
    down.clear();
    for (Index i = 0; i < data.size(); ++i) {
      const GridPoint& joint = data.joints_of(i)[j];
      const GridPoint& parent = data.joints_of(i)[static_cast<std::size_t>(tree.parent(j))];
      across.push_back(joint.x - parent.x);
      down.push_back(joint.y - parent.y);
    }
    result[j] = {rest_of(across), rest_of(down)};
  }
  return result;
}

std::unique_ptr<Problem> make_pose_problem(std::shared_ptr<const PoseData> data,
                                           const PoseSettings& settings) {
  check(*data, settings);
  return std::make_unique<PoseProblem>(std::move(data), settings);
}

std::span<const std::int32_t> PoseFinder::find(const PoseData& data, Index i) {
  const PosePartScorer scorer(data, layout_);
  scores_.resize(scorer.num_places());
  scorer.score_places(i, w_, scores_);
  scorer.make_springs(
      rest_, [&](Index id) { return -w_[scorer.spring_weight(id)]; }, springs_);
  cells_.resize(data.skeleton.size());
  decode_tree(data.skeleton.tree, data.grid, springs_, scores_, scratch_, cells_);
  return cells_;
}

}  // namespace gapwise::internal
