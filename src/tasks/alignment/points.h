#pragma once

#include <map>
#include <string>
#include <vector>

#include "io/folds.h"
#include "io/lines.h"
#include "tasks/alignment/link_builder.h"
#include "tasks/task.h"

namespace gapwise::internal {

/// One set of points, each with a row of numbers.
struct PointSet {
  std::vector<Index> points;  ///< their names, increasing
  std::vector<double> values;
};

/// The point sets of files with lines `set point value ...`, side by side: every file tells of the
/// same points.
class PointTable {
 public:
  /// Files are looked for in the folder of `data_path`.
  PointTable(const std::string& data_path, const std::vector<std::string>& files);

  const PointSet* find(Index set) const;
  /// "points 1" for the first number of points.txt.
  const std::vector<std::string>& columns() const { return columns_; }
  /// The standard deviation of each column; 1 where it is 0.
  std::vector<double> spreads() const;

 private:
  struct Rows;
  void add_file(const std::string& path);
  void append(Rows rows, const std::string& name);

  std::map<Index, PointSet> sets_;
  std::vector<std::string> columns_;
};

/// Reads pairs of point sets, `... set set` on each line, of which points of the same name belong
/// together. The features of a link are the squared differences of the numbers of its points, over
/// the square of `spreads`, and a constant.
class PointPairReader {
 public:
  PointPairReader(const DataSource& source, const PointTable& table,
                  const std::vector<double>& spreads, LinkBuilder& builder);
  /// Takes the next pair that was asked for; false at the end.
  bool read();
  const LineReader& lines() const { return lines_; }

 private:
  const PointSet& set_of(std::string_view text) const;
  void add(const PointSet& a, const PointSet& b, std::string prefix);

  LineReader lines_;
  Folds folds_;
  const PointTable& table_;
  const std::vector<double>& spreads_;
  LinkBuilder& builder_;
  std::uint32_t bias_;
  std::vector<std::uint32_t> numbers_;  ///< of the columns
  Index pair_ = 0;
};

}  // namespace gapwise::internal
