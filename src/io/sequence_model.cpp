#include "io/sequence_model.h"

#include <fmt/format.h>

#include <algorithm>
#include <cassert>
#include <charconv>
#include <limits>
#include <utility>

#include "gapwise/core/errors.h"
#include "io/fields.h"
#include "io/sequence_reader.h"
#include "io/template.h"

namespace gapwise {
namespace {

constexpr Index kLargestDimension = Index{1} << 32;

/// The numbers of the attributes that own a weight other than zero.
std::vector<std::uint32_t> used_attributes(Weights w, Index begin, Index size_each, Index count) {
  std::vector<std::uint32_t> used;
  for (Index k = 0; k < count; ++k) {
    const Weights row = w.subspan(static_cast<std::size_t>(begin + k * size_each),
                                  static_cast<std::size_t>(size_each));
    const bool is_zero = std::all_of(row.begin(), row.end(), [](double x) { return x == 0.0; });
    if (!is_zero) used.push_back(static_cast<std::uint32_t>(k));
  }
  return used;
}

void save_alphabet(const Alphabet& alphabet, const std::string& prefix, Model& model) {
  if (alphabet.is_hashed()) {
    model.numbers[prefix + "buckets"] = alphabet.buckets();
  } else {
    model.lists[prefix + "attributes"] = alphabet.names();
  }
}

/// Reads the parts of a model, each complaint starting with the model's source.
class Decoder {
 public:
  explicit Decoder(Model model) : model_(std::move(model)) {}

  SequenceModel decode() {
    SequenceModel result;
    result.settings = settings();
    result.alphabets.labels = labels();
    result.alphabets.nodes = attributes("", result.settings.hash_bits);
    result.alphabets.edges = attributes("edge-", result.settings.hash_bits);
    result.layout = chain_layout(result.alphabets, model_.source);
    if (static_cast<Index>(model_.w.size()) != result.layout.dimension()) {
      fail(fmt::format("{} weights, but its labels and attributes need {}", model_.w.size(),
                       result.layout.dimension()));
    }
    result.w = std::move(model_.w);
    return result;
  }

 private:
  SequenceSettings settings() {
    if (model_.task != "sequence") {
      fail(fmt::format("a model of task '{}', expected sequence", model_.task));
    }
    SequenceSettings result;
    result.format = model_.setting("format");
    const std::vector<std::string_view> formats = sequence_formats();
    if (std::find(formats.begin(), formats.end(), result.format) == formats.end()) {
      fail(fmt::format("unknown format '{}'", result.format));
    }
    result.hash_bits = static_cast<int>(number("hash-bits", 0, Alphabet::kMostHashBits));
    result.min_count = number("min-count", 1, std::numeric_limits<Index>::max());
    const auto& losses = EnumNames<SequenceLoss>::value;
    const auto loss = std::find(losses.begin(), losses.end(), model_.setting("loss"));
    if (loss == losses.end()) fail(fmt::format("unknown loss '{}'", model_.setting("loss")));
    result.loss = static_cast<SequenceLoss>(loss - losses.begin());
    if (result.format == "conll") {
      result.num_columns = static_cast<int>(number("columns", 2, kMostColumns));
      result.template_lines = model_.list("template");
      Template::parse(result.template_lines, model_.source + ": template")
          .check_columns(result.num_columns - 1);
    }
    return result;
  }

  Index number(const std::string& name, Index low, Index high) {
    const std::string& text = model_.setting(name);
    Index value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc() || end != text.data() + text.size() || value < low || value > high) {
      fail(fmt::format("setting {} is '{}', expected a whole number from {} to {}", name, text, low,
                       high));
    }
    return value;
  }

  Alphabet labels() {
    const std::vector<std::string>& names = model_.list("labels");
    if (names.empty() || names.size() > kMostLabels) {
      fail(fmt::format("{} labels, expected 1 to {}", names.size(), kMostLabels));
    }
    return unique(Alphabet::from_names(names), names.size(), "label");
  }

  Alphabet attributes(const std::string& prefix, int hash_bits) {
    if (hash_bits == 0) {
      const std::vector<std::string>& names = model_.list(prefix + "attributes");
      return unique(Alphabet::from_names(names), names.size(), "attribute");
    }
    const auto found = model_.numbers.find(prefix + "buckets");
    if (found == model_.numbers.end()) fail(fmt::format("no {}buckets", prefix));
    for (const std::int64_t bucket : found->second) {
      if (bucket < 0 || bucket >= std::int64_t{1} << hash_bits) {
        fail(fmt::format("bucket {} does not fit in {} bits", bucket, hash_bits));
      }
    }
    return unique(Alphabet::from_buckets(hash_bits, found->second), found->second.size(), "bucket");
  }

  Alphabet unique(Alphabet alphabet, std::size_t count, std::string_view what) {
    if (alphabet.size() != count) fail(fmt::format("the same {} twice", what));
    return alphabet;
  }

  [[noreturn]] void fail(const std::string& what) const {
    throw InputError(
        fmt::format("{}: {}; the model is damaged or not made by this program: train it again",
                    model_.source, what));
  }

  Model model_;
};

}  // namespace

ChainLayout chain_layout(const SequenceAlphabets& alphabets, const std::string& source) {
  ChainLayout layout;
  layout.node_attributes = static_cast<Index>(alphabets.nodes.size());
  layout.edge_attributes = static_cast<Index>(alphabets.edges.size());
  layout.labels = static_cast<int>(alphabets.labels.size());
  if (layout.dimension() > kLargestDimension) {
    throw InputError(fmt::format(
        "{}: {} labels, {} attributes and {} edge attributes make {} weights, more than {}; use "
        "--min-count, --hash-bits or a smaller template",
        source, layout.labels, layout.node_attributes, layout.edge_attributes, layout.dimension(),
        kLargestDimension));
  }
  return layout;
}

Model encode_sequence_model(const SequenceSettings& settings, const SequenceAlphabets& alphabets,
                            const ChainLayout& layout, Weights w) {
  assert(static_cast<Index>(w.size()) == layout.dimension());
  const Index num_pairs = static_cast<Index>(layout.labels) * layout.labels;
  const auto nodes = used_attributes(w, 0, layout.labels, layout.node_attributes);
  const auto edges = used_attributes(w, layout.edge(0), num_pairs, layout.edge_attributes);

  Model model;
  model.task = "sequence";
  model.settings["format"] = settings.format;
  model.settings["loss"] = name_of(settings.loss);
  model.settings["min-count"] = fmt::to_string(settings.min_count);
  model.settings["hash-bits"] = fmt::to_string(settings.hash_bits);
  if (settings.format == "conll") {
    model.settings["columns"] = fmt::to_string(settings.num_columns);
    model.lists["template"] = settings.template_lines;
  }
  model.lists["labels"] = alphabets.labels.names();
  save_alphabet(alphabets.nodes.select(nodes), "", model);
  save_alphabet(alphabets.edges.select(edges), "edge-", model);

  const auto copy = [&](Index begin, Index count) {
    model.w.insert(model.w.end(), w.begin() + begin, w.begin() + begin + count);
  };
  for (const std::uint32_t id : nodes) copy(layout.node(id), layout.labels);
  copy(layout.start(), layout.edge(0) - layout.start());
  for (const std::uint32_t id : edges) copy(layout.edge(id), num_pairs);
  return model;
}

SequenceModel decode_sequence_model(Model model) {
  return Decoder(std::move(model)).decode();
}

}  // namespace gapwise
