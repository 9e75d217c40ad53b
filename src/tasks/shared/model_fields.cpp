#include "tasks/shared/model_fields.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "gapwise/errors.h"
#include "io/fields.h"
#include "tasks/shared/labels.h"

namespace gapwise::internal {

ModelFields::ModelFields(ModelRecord model, std::string_view task) : model_(std::move(model)) {
  if (model_.task == task) return;
  fail(fmt::format("a model of task '{}', expected {}", model_.task, task));
}

const std::string& ModelFields::format(const std::vector<std::string_view>& formats) const {
  const std::string& found = model_.setting("format");
  if (std::find(formats.begin(), formats.end(), found) == formats.end()) {
    fail(fmt::format("format '{}', expected {}", found, fmt::join(formats, " or ")));
  }
  return found;
}

Index ModelFields::number(const std::string& name, Index low, Index high) const {
  const std::string& text = model_.setting(name);
  Index value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size() || value < low || value > high) {
    fail(fmt::format("setting {} is '{}', expected a whole number from {} to {}", name, text, low,
                     high));
  }
  return value;
}

double ModelFields::real(std::string_view text, std::string_view what, double low,
                         double high) const {
  double value = 0.0;
  if (parse_value(text, value) != ValueText::kGood || value < low || value > high) {
    fail(fmt::format("{} is '{}', expected a number from {} to {}", what, text, low, high));
  }
  return value;
}

double ModelFields::real(const std::string& name, double low, double high) const {
  return real(model_.setting(name), "setting " + name, low, high);
}

bool ModelFields::yes_or_no(const std::string& name) const {
  const std::string& text = model_.setting(name);
  if (text != "yes" && text != "no") {
    fail(fmt::format("setting {} is '{}', expected yes or no", name, text));
  }
  return text == "yes";
}

const std::vector<std::int64_t>& ModelFields::numbers(const std::string& name) const {
  const auto found = model_.numbers.find(name);
  if (found == model_.numbers.end()) fail(fmt::format("no {}", name));
  return found->second;
}

Alphabet ModelFields::labels(const std::string& list) const {
  const std::size_t count = model_.list(list).size();
  if (count == 0 || count > kMostLabels) {
    fail(fmt::format("{} labels, expected 1 to {}", count, kMostLabels));
  }
  return names(list, "label");
}

Alphabet ModelFields::names(const std::string& list, std::string_view what) const {
  const std::vector<std::string>& texts = model_.list(list);
  return unique(Alphabet::from_names(texts), texts.size(), what);
}

std::vector<double> ModelFields::take_weights(Index dimension) {
  if (static_cast<Index>(model_.w.size()) != dimension) {
    fail(fmt::format("{} weights, but its labels and attributes need {}", model_.w.size(),
                     dimension));
  }
  return std::move(model_.w);
}

std::vector<double> ModelFields::take_weights(Index dimension, Index first, std::string_view what) {
  std::vector<double> w = take_weights(dimension);
  if (std::any_of(w.begin() + first, w.end(), [](double weight) { return weight < 0.0; })) {
    fail(fmt::format("the weight of {} is negative", what));
  }
  return w;
}

Alphabet ModelFields::unique(Alphabet alphabet, std::size_t count, std::string_view what) const {
  if (alphabet.size() != count) fail(fmt::format("the same {} twice", what));
  return alphabet;
}

void ModelFields::fail(const std::string& what) const {
  throw InputError(
      fmt::format("{}: {}; the model is damaged or not made by this program: train it again",
                  model_.source, what));
}

ModelRecord start_record(std::string task, std::string format) {
  ModelRecord model;
  model.task = std::move(task);
  model.settings["format"] = std::move(format);
  return model;
}

std::vector<std::uint32_t> used_attributes(Weights w, Index begin, Index size_each, Index count,
                                           Keep keep) {
  std::vector<std::uint32_t> used;
  for (Index k = 0; k < count; ++k) {
    const Weights row = w.subspan(static_cast<std::size_t>(begin + k * size_each),
                                  static_cast<std::size_t>(size_each));
    const bool is_zero = std::all_of(row.begin(), row.end(), [](double x) { return x == 0.0; });
    if (keep == Keep::kAll || !is_zero) used.push_back(static_cast<std::uint32_t>(k));
  }
  return used;
}

void encode_attributes(const Alphabet& alphabet, Weights w, Keep keep, const std::string& list,
                       ModelRecord& model) {
  std::vector<std::string>& names = model.lists[list];
  for (const std::uint32_t a :
       used_attributes(w, 0, 1, static_cast<Index>(alphabet.size()), keep)) {
    names.emplace_back(alphabet.name(a));
    model.w.push_back(w[a]);
  }
}

}  // namespace gapwise::internal
