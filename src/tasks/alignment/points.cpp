#include "tasks/alignment/points.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <span>
#include <utility>

#include "io/fields.h"
#include "tasks/alignment/word_pairs.h"

namespace gapwise::internal {
namespace {

constexpr double kLargestPointValue = 1e12;  ///< differences are squared, features multiplied
constexpr double kLeastSpread = 1e-9;        ///< a column that varies less is constant

}  // namespace

/// What one file tells, before it is joined with the others.
struct PointTable::Rows {
  std::map<Index, std::map<Index, std::vector<double>>> sets;
  std::size_t width = 0;
};

PointTable::PointTable(const std::string& data_path, const std::vector<std::string>& files) {
  if (files.empty()) {
    throw OptionError("format points needs \1points FILE,...: the numbers of each point");
  }
  const std::filesystem::path folder = std::filesystem::path(data_path).parent_path();
  for (const std::string& file : files) add_file((folder / file).string());
}

void PointTable::add_file(const std::string& path) {
  LineReader lines(path);
  Rows rows;
  std::string_view line;
  std::vector<std::string_view> fields;
  while (lines.next(line)) {
    split_blanks(line, fields);
    if (fields.empty()) continue;
    Index set = 0;
    Index point = 0;
    if (fields.size() < 3 || !parse_index(fields[0], set) || !parse_index(fields[1], point)) {
      lines.fail("expected 'set point value ...' with whole numbers for set and point");
    }
    if (rows.width == 0) rows.width = fields.size() - 2;
    if (rows.width != fields.size() - 2 || fields.size() > kMostColumns) {
      lines.fail(
          fmt::format("{}, but the lines before have {}; every point has the same (at most "
                      "{})",
                      counted(fields.size() - 2, "value"), rows.width, kMostColumns - 2));
    }
    auto& points = rows.sets[set];
    const auto [at, is_new] = points.try_emplace(point);
    if (!is_new) {
      lines.fail(
          fmt::format("point {} of set {} comes twice; leave one of the two out", point, set));
    }
    if (points.size() > kMostWords) {
      lines.fail(fmt::format("set {} has more than {} points; split it", set, kMostWords));
    }
    for (const std::string_view field : std::span(fields).subspan(2)) {
      double value = 0.0;
      if (parse_value(field, value) != ValueText::kGood || std::fabs(value) > kLargestPointValue) {
        lines.fail(fmt::format("value '{}' is not a finite number of at most {} in size", field,
                               kLargestPointValue));
      }
      at->second.push_back(value);
    }
  }
  if (rows.sets.empty()) {
    throw InputError(fmt::format("{}: holds no points; expected 'set point value ...' on each line",
                                 lines.name()));
  }
  append(std::move(rows), path);
}

/// Puts the numbers of each point behind those it has.
void PointTable::append(Rows rows, const std::string& name) {
  const bool is_first = columns_.empty();
  const std::size_t before = columns_.size();
  for (const auto& [set, points] : rows.sets) {
    const PointSet old = std::exchange(sets_[set], {});
    PointSet& joined = sets_[set];
    for (const auto& [point, numbers] : points) {
      const std::size_t row = joined.points.size();
      joined.points.push_back(point);
      if (!is_first && row < old.points.size()) {
        const double* values = old.values.data() + row * before;
        joined.values.insert(joined.values.end(), values, values + before);
      }
      joined.values.insert(joined.values.end(), numbers.begin(), numbers.end());
    }
    if (!is_first && joined.points != old.points) {
      throw InputError(
          fmt::format("{}: other points of set {} than in the file before; all files must tell of "
                      "the same points",
                      name, set));
    }
  }
  if (rows.sets.size() != sets_.size()) {
    throw InputError(
        fmt::format("{}: {} sets of points, but {} in the file before; all files must "
                    "tell of the same points",
                    name, rows.sets.size(), sets_.size()));
  }
  std::string stem = std::filesystem::path(name).filename().string();
  stem.resize(std::min(stem.size(), stem.find('.')));
  for (std::size_t k = 1; k <= rows.width; ++k) columns_.push_back(fmt::format("{} {}", stem, k));
}

const PointSet* PointTable::find(Index set) const {
  const auto found = sets_.find(set);
  return found == sets_.end() ? nullptr : &found->second;
}

std::vector<double> PointTable::spreads() const {
  const std::size_t width = columns_.size();
  std::vector<double> sums(width, 0.0);
  std::vector<double> squares(width, 0.0);
  double count = 0.0;
  const auto for_each_point = [&](auto visit) {
    for (const auto& [set, points] : sets_) {
      for (std::size_t p = 0; p < points.points.size(); ++p)
        visit(points.values.data() + p * width);
    }
  };
  for_each_point([&](const double* row) {
    count += 1.0;
    for (std::size_t k = 0; k < width; ++k) sums[k] += row[k];
  });
  for_each_point([&](const double* row) {
    for (std::size_t k = 0; k < width; ++k) {
      const double from_mean = row[k] - sums[k] / count;
      squares[k] += from_mean * from_mean;
    }
  });
  std::vector<double> spreads;
  for (const double square : squares) {
    const double spread = std::sqrt(square / count);
    spreads.push_back(spread > kLeastSpread ? spread : 1.0);
  }
  return spreads;
}

PointPairReader::PointPairReader(const DataSource& source, const PointTable& table,
                                 const std::vector<double>& spreads, LinkBuilder& builder)
    : lines_(source.path),
      folds_(source.folds),
      table_(table),
      spreads_(spreads),
      builder_(builder),
      bias_(builder.number("bias")) {
  for (const std::string& column : table.columns()) numbers_.push_back(builder.number(column));
}

bool PointPairReader::read() {
  std::string_view line;
  std::vector<std::string_view> fields;
  while (lines_.next(line)) {
    split_blanks(line, fields);
    if (fields.empty()) continue;
    if (fields.size() < 2) lines_.fail("expected the two sets of a pair at the end of the line");
    const PointSet& a = set_of(fields[fields.size() - 2]);
    const PointSet& b = set_of(fields.back());
    if (!folds_.contains(++pair_)) continue;
    add(a, b, fmt::format("{} {} ", fields[fields.size() - 2], fields.back()));
    return true;
  }
  return false;
}

const PointSet& PointPairReader::set_of(std::string_view text) const {
  Index set = 0;
  if (!parse_index(text, set)) {
    lines_.fail(
        fmt::format("'{}' is not the number of a set of points; expected two such numbers "
                    "at the end of the line",
                    text));
  }
  const PointSet* found = table_.find(set);
  if (found == nullptr) {
    lines_.fail(fmt::format("set {} has no points; add it to the files of \1points", set));
  }
  return *found;
}

void PointPairReader::add(const PointSet& a, const PointSet& b, std::string prefix) {
  const std::size_t width = numbers_.size();
  std::vector<Gold> gold;
  for (std::size_t s = 0; s < a.points.size(); ++s) {
    for (std::size_t t = 0; t < b.points.size(); ++t) {
      builder_.add(bias_);
      for (std::size_t k = 0; k < width; ++k) {
        const double difference = (a.values[s * width + k] - b.values[t * width + k]) / spreads_[k];
        builder_.add(numbers_[k], difference * difference);
      }
      builder_.end_link();
      gold.push_back(a.points[s] == b.points[t] ? Gold::kSure : Gold::kWrong);
    }
  }
  builder_.end_pair({std::move(prefix), a.points, b.points}, gold);
}

}  // namespace gapwise::internal
