#include "tasks/multilabel/mulan_labels.h"

#include <fmt/format.h>

#include <algorithm>
#include <pugixml.hpp>
#include <string_view>

#include "io/alphabet.h"
#include "io/lines.h"
#include "tasks/shared/labels.h"

namespace gapwise::internal {
namespace {

constexpr std::string_view kForm = "expected '<labels><label name=\"...\"/>...</labels>'";
constexpr std::size_t kLargestText = std::size_t{1} << 26;
constexpr int kDeepestLabel = 1000;

/// What a text is that is no XML.
std::string_view complaint(pugi::xml_parse_status status) {
  switch (status) {
    case pugi::status_bad_comment:
      return "'<!--' is never closed";
    case pugi::status_bad_pi:
      return "'<?' is never closed";
    case pugi::status_bad_cdata:
      return "'<![CDATA[' is never closed";
    case pugi::status_bad_doctype:
      return "document types are not understood; take the declaration out";
    case pugi::status_bad_attribute:
      return "an attribute of a tag is not of the form name=\"value\"";
    case pugi::status_bad_start_element:
    case pugi::status_bad_end_element:
      return "a tag does not end in '>'";
    case pugi::status_end_element_mismatch:
      return "an element is never closed, or closed by the tag of another one";
    default:
      return "a tag is broken; is this really XML?";
  }
}

/// Reads the list of labels from a text in memory.
class LabelParser {
 public:
  LabelParser(std::string name, const std::string& text) : name_(std::move(name)), text_(text) {}

  std::vector<std::string> parse() {
    // Bytes stay as they are, as in the ARFF file. Entities other than the five of XML are never
    // expanded. Text outside of the tags is kept, to complain about it.
    constexpr unsigned kOptions =
        pugi::parse_cdata | pugi::parse_escapes | pugi::parse_doctype | pugi::parse_fragment;
    const pugi::xml_parse_result result =
        document_.load_buffer(text_.data(), text_.size(), kOptions, pugi::encoding_utf8);
    // An element that is not closed is in the tree with all it says; others that are broken are
    // not.
    if (result.status == pugi::status_ok || result.status == pugi::status_end_element_mismatch) {
      visit_all();
    }
    if (!result) fail(result.offset, complaint(result.status));
    if (labels_.size() == 0) {
      throw InputError(fmt::format("{}: there are no labels; {}", name_, kForm));
    }
    return labels_.names();
  }

 private:
  /// Goes through the tree in the order of the text, without recursion: it may be deep.
  void visit_all() {
    int depth = 0;
    for (pugi::xml_node node = document_.first_child(); node;) {
      visit(node, depth);
      if (node.first_child()) {
        node = node.first_child();
        if (++depth > kDeepestLabel) {
          fail(node, fmt::format("labels stand in each other more than {} deep", kDeepestLabel));
        }
        continue;
      }
      for (; depth > 0 && !node.next_sibling(); --depth) node = node.parent();
      node = node.next_sibling();
    }
  }

  void visit(const pugi::xml_node& node, int depth) {
    if (node.type() == pugi::node_doctype) fail(node, complaint(pugi::status_bad_doctype));
    if (node.type() != pugi::node_element) {
      fail(node, fmt::format("text between the tags; {}", kForm));
    }
    const std::string_view element = node.name();
    const bool is_root = element == "labels" && depth == 0 && !has_root_;
    if (!is_root && (element != "label" || depth == 0)) {
      fail(node, fmt::format("'<{}>' does not belong here; {}", element, kForm));
    }
    has_root_ = true;
    if (!is_root) add(node);
  }

  void add(const pugi::xml_node& node) {
    const pugi::xml_attribute name = node.attribute("name");
    if (!name) fail(node, fmt::format("a label without a name; {}", kForm));
    const std::string_view label = name.value();
    if (label.empty()) fail(node, "a label has an empty name");
    if (labels_.find(label) != Alphabet::kUnknown) {
      fail(node, fmt::format("label '{}' comes twice; leave one of the two out", label));
    }
    labels_.add(label);
    if (labels_.size() > kMostLabels) fail(node, too_many_labels(label));
  }

  [[noreturn]] void fail(const pugi::xml_node& node, std::string_view what) const {
    fail(node.offset_debug(), what);
  }
  [[noreturn]] void fail(std::ptrdiff_t offset, std::string_view what) const {
    const auto end = std::clamp<std::ptrdiff_t>(offset, 0, std::ssize(text_));
    const auto line = std::count(text_.begin(), text_.begin() + end, '\n');
    throw InputError(fmt::format("{}:{}: {}", name_, line + 1, what));
  }

  std::string name_;
  const std::string& text_;
  pugi::xml_document document_;
  bool has_root_ = false;
  Alphabet labels_;
};

}  // namespace

std::vector<std::string> read_label_names(const std::string& path) {
  LineReader lines(path);
  std::string text;
  std::string_view line;
  while (lines.next(line)) {
    text.append(line).push_back('\n');
    if (text.size() > kLargestText) {
      lines.fail(fmt::format("the list of labels has more than {} bytes; is this really one?",
                             kLargestText));
    }
  }
  return LabelParser(lines.name(), text).parse();
}

}  // namespace gapwise::internal
