#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "gapwise/errors.h"
#include "io/fields.h"
#include "io/label_weights.h"
#include "tasks/segmentation/regions/driver.h"
#include "tasks/segmentation/regions/reader.h"

namespace gapwise::internal {
namespace {

constexpr Index kMostCells = Index{1} << 27;  // joint states of all edges

class RegionTrainingSet final : public TrainingSet {
 public:
  RegionTrainingSet(const DataSource& source, RegionSettings settings)
      : settings_(std::move(settings)) {
    auto data = std::make_shared<FactorGraphData>();
    const std::vector<RegionImage> images = read(source, *data);
    find_classes(images, source.path);
    check_size(images, source.path);
    GraphShapes shapes(true);
    const std::vector<double> weights = class_weights(images);
    for (const RegionImage& image : images) {
      add_region_graph(image, classes_, costs_of(image, weights), shapes, *data);
    }
    finish_region_features(*data);
    num_regions_ = data->kinds.size();
    num_edges_ = data->factor_starts.back();
    problem_ = make_factor_graph_problem(std::move(data), region_layout(settings_, classes_.size()),
                                         FactorGraphLoss::kHamming);
    if (settings_.inference == Inference::kLp) problem_ = make_relaxed_problem(std::move(problem_));
  }

  const Problem& problem() const override { return *problem_; }

  std::string describe() const override {
    return fmt::format("{}, {}, {} and {} classes",
                       counted(static_cast<std::size_t>(problem_->num_blocks()), "image"),
                       counted(num_regions_, "region"), counted(num_edges_, "edge"),
                       classes_.size());
  }

  ModelRecord make_model(Weights w, Keep) const override {
    return encode_region_model(settings_, classes_, w);
  }

 private:
  std::vector<RegionImage> read(const DataSource& source, FactorGraphData& data) const {
    RegionPlan plan{source.path, source.folds, settings_};
    plan.learns = true;
    RegionReader reader(plan);
    std::vector<RegionImage> images;
    RegionImage image;
    while (reader.read(image, data.variables, data.factors)) {
      image.map = {};  // not needed any more
      images.push_back(std::move(image));
    }
    if (images.empty()) throw InputError(reader.complaint());
    return images;
  }

  void find_classes(const std::vector<RegionImage>& images, const std::string& path) {
    std::set<std::int16_t> found;
    for (const RegionImage& image : images)
      found.insert(image.classes.begin(), image.classes.end());
    classes_.assign(found.begin(), found.end());
    if (classes_.size() > 1) return;
    throw InputError(fmt::format(
        "{}: every region is of class {}, so there is nothing to learn; give label maps "
        "with more classes, or take smaller regions with \1scale",
        path, classes_.front()));
  }

  void check_size(const std::vector<RegionImage>& images, const std::string& path) const {
    const auto classes = static_cast<Index>(classes_.size());
    Index cells = 0;
    for (const RegionImage& image : images) cells += std::ssize(image.ends) * classes * classes;
    if (cells <= kMostCells) return;
    throw InputError(fmt::format(
        "{}: edges with {} joint states of {} classes in all, more than {}; take larger "
        "regions with \1scale",
        path, cells, classes, kMostCells));
  }

  /// By the pixels that regions stand for.
  std::vector<double> class_weights(const std::vector<RegionImage>& images) const {
    std::vector<double> sizes(classes_.size(), 0.0);
    for (const RegionImage& image : images) {
      for (std::size_t r = 0; r < image.classes.size(); ++r) {
        sizes[static_cast<std::size_t>(class_number(classes_, image.classes[r]))] += image.sizes[r];
      }
    }
    Alphabet names;
    std::vector<Index> counts;
    for (std::size_t k = 0; k < classes_.size(); ++k) {
      names.add(fmt::to_string(classes_[k]));
      counts.push_back(static_cast<Index>(std::llround(sizes[k])));
    }
    return label_weights(settings_.label_weights, names, counts);
  }

  /// What a wrong class of each region costs.
  std::vector<double> costs_of(const RegionImage& image, const std::vector<double>& weights) const {
    std::map<std::int16_t, double> sizes;  // of each class
    double all = 0.0;
    for (std::size_t r = 0; r < image.classes.size(); ++r) {
      sizes[image.classes[r]] += image.sizes[r];
      all += image.sizes[r];
    }
    std::vector<double> costs;
    for (std::size_t r = 0; r < image.classes.size(); ++r) {
      double cost = image.sizes[r];
      if (settings_.loss == SegmentationLoss::kNormalizedHamming) cost /= all;
      if (settings_.loss == SegmentationLoss::kBalancedHamming) {
        cost /= sizes[image.classes[r]] * static_cast<double>(sizes.size());
      }
      if (!weights.empty()) {
        cost *= weights[static_cast<std::size_t>(class_number(classes_, image.classes[r]))];
      }
      costs.push_back(cost);
    }
    return costs;
  }

  RegionSettings settings_;
  ClassList classes_;
  std::size_t num_regions_ = 0;
  std::size_t num_edges_ = 0;
  std::unique_ptr<Problem> problem_;
};

}  // namespace

std::unique_ptr<TrainingSet> make_region_training_set(const DataSource& source,
                                                      RegionSettings settings) {
  return std::make_unique<RegionTrainingSet>(source, std::move(settings));
}

}  // namespace gapwise::internal
