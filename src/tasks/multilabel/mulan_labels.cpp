#include "tasks/multilabel/mulan_labels.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

#include "io/alphabet.h"
#include "io/lines.h"
#include "tasks/shared/labels.h"

namespace gapwise::internal {
namespace {

constexpr std::string_view kForm = "expected '<labels><label name=\"...\"/>...</labels>'";

bool is_space(char c) {
  return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

/// As much of XML as such files need: elements with attributes, comments, processing instructions
/// and the five named entities.
class LabelScanner {
 public:
  LabelScanner(std::string name, std::string text)
      : name_(std::move(name)), text_(std::move(text)) {}

  std::vector<std::string> scan() {
    while (skip_to_tag()) {
      if (skip("<?", "?>") || skip("<!--", "-->")) continue;
      if (starts_with("<!")) fail("document types are not understood; take the declaration out");
      ++at_;
      if (starts_with("/")) {
        close();
      } else {
        open();
      }
    }
    if (!open_.empty()) fail(fmt::format("'<{}>' is never closed", open_.back()));
    if (labels_.size() == 0) fail(fmt::format("there are no labels; {}", kForm));
    return labels_.names();
  }

 private:
  bool starts_with(std::string_view what) const {
    return std::string_view(text_).substr(at_).starts_with(what);
  }
  void skip_spaces() {
    while (at_ < text_.size() && is_space(text_[at_])) ++at_;
  }
  bool skip_to_tag() {
    skip_spaces();
    if (at_ == text_.size()) return false;
    if (text_[at_] != '<') fail(fmt::format("text between the tags; {}", kForm));
    return true;
  }
  bool skip(std::string_view begin, std::string_view end) {
    if (!starts_with(begin)) return false;
    const std::size_t found = text_.find(end, at_ + begin.size());
    if (found == std::string::npos) fail(fmt::format("'{}' is never closed", begin));
    at_ = found + end.size();
    return true;
  }

  std::string_view word() {
    const std::size_t begin = at_;
    while (at_ < text_.size() && !is_space(text_[at_]) && text_[at_] != '=' && text_[at_] != '>' &&
           text_[at_] != '/') {
      ++at_;
    }
    return std::string_view(text_).substr(begin, at_ - begin);
  }

  void close() {
    ++at_;
    const std::string_view element = word();
    skip_spaces();
    if (open_.empty() || open_.back() != element || !starts_with(">")) {
      fail(fmt::format("'</{}>' closes nothing; {}", element, kForm));
    }
    open_.pop_back();
    ++at_;
  }

  void open() {
    const std::string element(word());
    const bool is_root = element == "labels";
    if (is_root != open_.empty() || (!is_root && element != "label") || (is_root && has_root_)) {
      fail(fmt::format("'<{}>' does not belong here; {}", element, kForm));
    }
    has_root_ = true;
    bool has_name = false;
    skip_spaces();
    while (at_ < text_.size() && text_[at_] != '>' && text_[at_] != '/') {
      const std::string key(word());
      const std::string value = read_value();
      if (!is_root && key == "name") add(value);
      has_name = has_name || key == "name";
      skip_spaces();
    }
    if (!is_root && !has_name) fail(fmt::format("a label without a name; {}", kForm));
    const bool is_closed = starts_with("/");
    if (is_closed) ++at_;
    if (!starts_with(">")) fail(fmt::format("the tag '<{}' does not end in '>'", element));
    ++at_;
    if (!is_closed) open_.push_back(element);
  }

  std::string read_value() {
    skip_spaces();
    const bool has_sign = starts_with("=");
    if (has_sign) ++at_;
    skip_spaces();
    if (!has_sign || !(starts_with("\"") || starts_with("'"))) {
      fail("an attribute of a tag is not of the form name=\"value\"");
    }
    const std::size_t end = text_.find(text_[at_], at_ + 1);
    if (end == std::string::npos) fail("the quoted value is never closed");
    std::string value = unescape(std::string_view(text_).substr(at_ + 1, end - at_ - 1));
    at_ = end + 1;
    return value;
  }

  std::string unescape(std::string_view text) const {
    constexpr std::pair<std::string_view, char> kEntities[] = {
        {"&amp;", '&'}, {"&lt;", '<'}, {"&gt;", '>'}, {"&quot;", '"'}, {"&apos;", '\''}};
    std::string plain;
    while (!text.empty()) {
      const auto* entity = std::find_if(std::begin(kEntities), std::end(kEntities),
                                        [&](const auto& e) { return text.starts_with(e.first); });
      if (entity != std::end(kEntities)) {
        plain.push_back(entity->second);
        text.remove_prefix(entity->first.size());
      } else if (text.front() == '&') {
        fail("'&' is not followed by amp; lt; gt; quot; or apos;");
      } else {
        plain.push_back(text.front());
        text.remove_prefix(1);
      }
    }
    return plain;
  }

  void add(const std::string& label) {
    if (label.empty()) fail("a label has an empty name");
    if (labels_.find(label) != Alphabet::kUnknown) {
      fail(fmt::format("label '{}' comes twice; leave one of the two out", label));
    }
    labels_.add(label);
    if (labels_.size() > kMostLabels) fail(fmt::format("more than {} labels", kMostLabels));
  }

  [[noreturn]] void fail(const std::string& what) const {
    const auto line =
        std::count(text_.begin(), text_.begin() + static_cast<std::ptrdiff_t>(at_), '\n');
    throw InputError(fmt::format("{}:{}: {}", name_, line + 1, what));
  }

  std::string name_;
  std::string text_;
  std::size_t at_ = 0;
  std::vector<std::string> open_;
  bool has_root_ = false;
  Alphabet labels_;
};

}  // namespace

std::vector<std::string> read_label_names(const std::string& path) {
  LineReader lines(path);
  std::string text;
  std::string_view line;
  while (lines.next(line)) text.append(line).push_back('\n');
  return LabelScanner(lines.name(), std::move(text)).scan();
}

}  // namespace gapwise::internal
