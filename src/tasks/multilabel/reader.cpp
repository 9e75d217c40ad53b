#include "tasks/multilabel/reader.h"

#include <fmt/format.h>

#include <algorithm>

#include "io/folds.h"
#include "io/svmlight.h"
#include "tasks/multilabel/arff.h"
#include "tasks/shared/formats.h"

namespace gapwise::internal {
namespace {

/// "3,7 1:0.5 4:2": labels separated by commas, perhaps none.
class SvmlightSets final : public MultilabelReader {
 public:
  explicit SvmlightSets(LineReader& lines) : lines_(lines), reader_(lines) {}

  bool read(LabelledExample& example) override {
    if (!reader_.read(line_)) return false;
    example.indices.swap(line_.indices);
    example.values.swap(line_.values);
    example.labels.clear();
    if (!line_.label.empty()) read_labels(line_.label, example.labels);
    return true;
  }

 private:
  void read_labels(std::string_view text, std::vector<std::string>& labels) const {
    std::size_t begin = 0;
    while (begin <= text.size()) {
      const std::size_t end = std::min(text.find(',', begin), text.size());
      if (end == begin) {
        lines_.fail(fmt::format("'{}' has an empty label; separate labels by single commas", text));
      }
      std::string label = class_name(text.substr(begin, end - begin),
                                     [this](const std::string& what) { lines_.fail(what); });
      if (std::find(labels.begin(), labels.end(), label) != labels.end()) {
        lines_.fail(fmt::format("label '{}' comes twice; leave one of the two out", label));
      }
      labels.push_back(std::move(label));
      begin = end + 1;
    }
  }

  LineReader& lines_;
  SvmlightReader reader_;
  SvmlightExample line_;
};

}  // namespace

std::vector<std::string_view> multilabel_formats() {
  return {"svmlight", "arff"};
}

std::string multilabel_format(const DataSource& source, LineReader& lines) {
  std::string format = source.format;
  if (format.empty()) format = looks_like_arff(lines.head()) ? "arff" : "svmlight";
  check_format(format, multilabel_formats());
  if (!source.folds.empty()) refuse_folds("format " + format);
  return format;
}

std::unique_ptr<MultilabelReader> make_multilabel_reader(LineReader& lines,
                                                         const MultilabelPlan& plan) {
  if (plan.format == "arff") return make_arff_sets(lines, plan);
  return std::make_unique<SvmlightSets>(lines);
}

void fail_without_examples(const std::string& format, const LineReader& lines) {
  throw InputError(fmt::format(
      "{}: {}; expected {}", lines.name(),
      lines.line_number() == 0 ? "is empty" : "holds no examples",
      format == "arff" ? "rows behind '@data'"
                       : "'label,label,... index:value ...' on each line, or an ARFF file"));
}

}  // namespace gapwise::internal
