#include <fmt/format.h>

#include <algorithm>

#include "io/alphabet.h"
#include "io/fields.h"
#include "tasks/multilabel/arff.h"
#include "tasks/multilabel/reader.h"

namespace gapwise::internal {
namespace {

bool is_zero_one(const ArffAttribute& attribute) {
  const Alphabet& values = attribute.values;
  return values.size() == 2 && values.find("0") != Alphabet::kUnknown &&
         values.find("1") != Alphabet::kUnknown;
}

class ArffSets final : public MultilabelReader {
 public:
  ArffSets(LineReader& lines, const MultilabelPlan& plan)
      : lines_(lines), reader_(lines), needs_labels_(plan.needs_labels) {
    find_labels(plan.labels);
    number_features(plan);
    for (std::size_t a = 0; a < columns_.size(); ++a) {
      if (!attribute(a).is_numeric && attribute(a).values.name(0) != "0") defaults_.push_back(a);
    }
  }

  std::vector<std::string> labels() const override { return labels_; }
  std::vector<std::string> features() const override { return features_; }

  bool read(LabelledExample& example) override {
    if (!reader_.read(cells_)) return false;
    add_defaults();
    example.labels.clear();
    found_.clear();
    for (const ArffCell& cell : cells_) {
      if (columns_[cell.attribute].is_label) {
        read_label(cell, example.labels);
      } else {
        read_feature(cell);
      }
    }
    if (!std::is_sorted(found_.begin(), found_.end())) std::sort(found_.begin(), found_.end());
    example.indices.clear();
    example.values.clear();
    for (const auto& [index, value] : found_) {
      example.indices.push_back(index);
      example.values.push_back(value);
    }
    return true;
  }

 private:
  /// What an attribute of the file is for.
  struct Column {
    bool is_label = false;
    bool is_number = false;              ///< else a feature for each value
    std::vector<std::uint32_t> indices;  ///< of its features; kNoIndex: not in use
  };
  static constexpr std::uint32_t kNoIndex = 0;

  const ArffAttribute& attribute(std::size_t a) const { return reader_.attributes()[a]; }

  void find_labels(const std::vector<std::string>& names) {
    columns_.resize(reader_.attributes().size());
    const Alphabet wanted = Alphabet::from_names(names);
    for (std::size_t a = 0; a < columns_.size(); ++a) {
      if (wanted.find(attribute(a).name) == Alphabet::kUnknown) continue;
      if (!attribute(a).is_numeric && !is_zero_one(attribute(a))) {
        lines_.fail(
            fmt::format("the values of label '{}' must be 0 and 1; change its type to {{0,1}}",
                        attribute(a).name));
      }
      columns_[a].is_label = true;
      labels_.push_back(attribute(a).name);
    }
    if (labels_.size() == names.size() || !needs_labels_) return;
    const Alphabet found = Alphabet::from_names(labels_);
    const auto missing = std::find_if(names.begin(), names.end(), [&](const std::string& name) {
      return found.find(name) == Alphabet::kUnknown;
    });
    lines_.fail(
        fmt::format("label '{}' is not among the attributes; add it, or take it out of the "
                    "list of labels",
                    *missing));
  }

  void number_features(const MultilabelPlan& plan) {
    const Alphabet known = Alphabet::from_names(plan.feature_names);
    const auto add = [&](const std::string& name, Column& column) {
      features_.push_back(name);
      auto index = static_cast<std::uint32_t>(features_.size());
      if (!plan.feature_names.empty()) {
        const std::uint32_t at = known.find(name);
        index = at == Alphabet::kUnknown ? kNoIndex : plan.feature_indices[at];
      }
      column.indices.push_back(index);
    };
    for (std::size_t a = 0; a < columns_.size(); ++a) {
      if (columns_[a].is_label) continue;
      columns_[a].is_number = attribute(a).is_numeric || is_zero_one(attribute(a));
      if (columns_[a].is_number) {
        add(attribute(a).name, columns_[a]);
        continue;
      }
      for (const std::string& value : attribute(a).values.names()) {
        add(attribute(a).name + "=" + value, columns_[a]);
      }
    }
    if (Alphabet::from_names(features_).size() < features_.size()) {
      lines_.fail(
          "an attribute has the name of another one with '=' and a value behind it; rename it");
    }
  }

  /// What a sparse row does not list has its first value, which may not be 0.
  void add_defaults() {
    if (cells_.size() == columns_.size()) return;
    const std::size_t listed = cells_.size();
    std::size_t k = 0;
    for (const std::size_t a : defaults_) {
      while (k < listed && cells_[k].attribute < a) ++k;
      if (k < listed && cells_[k].attribute == a) continue;
      cells_.push_back({a, std::string(attribute(a).values.name(0)), false});
    }
  }

  double number(const ArffCell& cell) const {
    double value = 0.0;
    if (parse_value(cell.text, value) != ValueText::kGood) {
      lines_.fail(
          fmt::format("value '{}' of attribute '{}' is not a finite number of at most {} in size; "
                      "correct or rescale it",
                      cell.text, attribute(cell.attribute).name, kLargestValue));
    }
    return value;
  }

  void read_label(const ArffCell& cell, std::vector<std::string>& labels) const {
    const std::string& name = attribute(cell.attribute).name;
    if (cell.is_missing && !needs_labels_) return;
    const double value = cell.is_missing ? -1.0 : number(cell);
    if (value != 0.0 && value != 1.0) {
      lines_.fail(fmt::format("label '{}' is '{}'; expected 1 or 0", name, cell.text));
    }
    if (value == 1.0) labels.push_back(name);
  }

  void read_feature(const ArffCell& cell) {
    const ArffAttribute& what = attribute(cell.attribute);
    const Column& column = columns_[cell.attribute];
    if (cell.is_missing) {
      lines_.fail(
          fmt::format("the value of attribute '{}' is missing; fill it in or leave out the "
                      "row",
                      what.name));
    }
    std::size_t at = 0;
    double value = 1.0;
    if (!what.is_numeric) {
      at = what.values.find(cell.text);
      if (at == Alphabet::kUnknown) {
        lines_.fail(
            fmt::format("'{}' is not one of the values of attribute '{}'; correct it or "
                        "declare it",
                        cell.text, what.name));
      }
    }
    if (column.is_number) {
      at = 0;
      value = number(cell);
    }
    if (value != 0.0 && column.indices[at] != kNoIndex) {
      found_.emplace_back(column.indices[at], value);
    }
  }

  LineReader& lines_;
  ArffReader reader_;
  bool needs_labels_;
  std::vector<std::string> labels_;
  std::vector<std::string> features_;
  std::vector<Column> columns_;
  std::vector<std::size_t> defaults_;  ///< attributes that are not 0 where a sparse row is silent
  std::vector<ArffCell> cells_;
  std::vector<std::pair<std::uint32_t, double>> found_;
};

}  // namespace

std::unique_ptr<MultilabelReader> make_arff_sets(LineReader& lines, const MultilabelPlan& plan) {
  return std::make_unique<ArffSets>(lines, plan);
}

}  // namespace gapwise::internal
