#include <fmt/format.h>

#include <optional>

#include "io/fields.h"
#include "tasks/alignment/word_pairs.h"

namespace gapwise::internal {
namespace {

constexpr std::string_view kSwapped = ":swapped";

/// "dir/name.ext" or "dir/name.ext.gz" with another extension.
std::string companion(const std::string& path, const std::string& extension) {
  if (path == "-") {
    throw OptionError(
        "format parallel finds its files by the name of the data file; standard input has none: "
        "use format alignment");
  }
  std::string stem = path;
  if (stem.ends_with(".gz")) stem.resize(stem.size() - 3);
  const std::size_t slash = stem.rfind('/');
  const std::size_t dot = stem.rfind('.');
  const bool has_extension =
      dot != std::string::npos && (slash == std::string::npos || dot > slash + 1);
  return fmt::format("{}.{}", has_extension ? stem.substr(0, dot) : stem, extension);
}

struct GivenFile {
  LineReader lines;
  bool is_swapped;
};

class ParallelReader final : public WordPairReader {
 public:
  ParallelReader(const std::string& path, const ParallelFiles& files) : source_(path) {
    if (!files.target.empty()) target_.emplace(companion(path, files.target));
    if (!files.gold.empty()) gold_ = make_gold_reader(companion(path, files.gold));
    for (const std::string& entry : files.given) {
      names_.push_back(alignment_name(entry));
      given_.push_back({LineReader(companion(path, names_.back())), entry.ends_with(kSwapped)});
    }
  }

  bool read(WordPair& pair) override {
    if (!read_sides(source_, target_, pair)) {
      finish();
      return false;
    }
    pair.gold.reset();
    if (gold_) pair.gold = gold_->read(pair);
    pair.given.clear();
    for (GivenFile& file : given_) {
      const LinkForm form{.base = 0, .is_swapped = file.is_swapped, .has_possible = false};
      pair.given.push_back(read_links(file.lines, next_pair_line(file.lines), form, pair));
    }
    return true;
  }
  const std::vector<std::string>& given_names() const override { return names_; }
  const LineReader& lines() const override { return source_; }

 private:
  void finish() {
    if (target_) expect_end(*target_);
    if (gold_) gold_->finish();
    for (GivenFile& file : given_) expect_end(file.lines);
  }

  LineReader source_;
  std::optional<LineReader> target_;
  std::unique_ptr<GoldReader> gold_;
  std::vector<GivenFile> given_;
  std::vector<std::string> names_;
};

}  // namespace

std::string alignment_name(const std::string& given) {
  return given.ends_with(kSwapped) ? given.substr(0, given.size() - kSwapped.size()) : given;
}

std::unique_ptr<WordPairReader> make_parallel_reader(const std::string& path,
                                                     const ParallelFiles& files) {
  return std::make_unique<ParallelReader>(path, files);
}

}  // namespace gapwise::internal
