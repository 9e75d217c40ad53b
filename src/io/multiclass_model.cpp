#include "io/multiclass_model.h"

#include <fmt/format.h>

#include "io/model_parts.h"

namespace gapwise {
namespace {

FeatureNumbers decode_features(const ModelParts& parts) {
  FeatureNumbers features;
  features.has_bias = parts.yes_or_no("bias");
  std::int64_t last = 0;
  for (const std::int64_t index : parts.numbers("features")) {
    if (index <= last || index > kLargestFeature) {
      parts.fail(fmt::format("feature {} after {}, expected larger ones up to {}", index, last,
                             kLargestFeature));
    }
    features.indices.push_back(static_cast<std::uint32_t>(index));
    last = index;
  }
  return features;
}

Model start_model(const std::string& loss, const Alphabet& classes,
                  const FeatureNumbers& features) {
  Model model;
  model.task = "multiclass";
  model.settings["format"] = "svmlight";
  model.settings["loss"] = loss;
  model.settings["bias"] = features.has_bias ? "yes" : "no";
  model.lists["labels"] = classes.names();
  return model;
}

}  // namespace

Index multiclass_dimension(std::size_t features, std::size_t classes, const std::string& source) {
  const Index dimension = static_cast<Index>(features) * static_cast<Index>(classes);
  if (dimension > kLargestDimension) {
    throw InputError(
        fmt::format("{}: {} features of {} classes make {} weights, more than {}; leave out rare "
                    "features or merge classes",
                    source, features, classes, dimension, kLargestDimension));
  }
  return dimension;
}

Model encode_multiclass_model(const std::string& loss, const Alphabet& classes,
                              const FeatureNumbers& features, Weights w) {
  Model model = start_model(loss, classes, features);
  const auto width = static_cast<Index>(classes.size());
  const auto add = [&](Index attribute) {
    const auto row = w.subspan(static_cast<std::size_t>(attribute * width), classes.size());
    model.w.insert(model.w.end(), row.begin(), row.end());
  };
  const auto count = static_cast<Index>(features.indices.size());
  std::vector<std::int64_t>& used = model.numbers["features"];
  for (const std::uint32_t attribute : used_attributes(w, 0, width, count)) {
    used.push_back(features.indices[attribute]);
    add(attribute);
  }
  if (features.has_bias) add(count);
  return model;
}

Model encode_multiclass_kernel_model(const std::string& loss, const Alphabet& classes,
                                     const FeatureNumbers& features,
                                     const KernelExpansion& expansion, const FeatureRows& inputs) {
  Model model = start_model(loss, classes, features);
  model.numbers["features"].assign(features.indices.begin(), features.indices.end());
  encode_support(expansion, inputs, model);
  return model;
}

MulticlassModel decode_multiclass_model(Model model) {
  ModelParts parts(std::move(model));
  parts.expect_task("multiclass");
  MulticlassModel result;
  result.loss = parts.model().setting("loss");
  result.classes = parts.labels("labels");
  result.features = decode_features(parts);
  if (is_kernel_model(parts.model())) {
    result.kernel = decode_support(parts, 0, result.features.size(), result.classes.size());
    return result;
  }
  result.w = parts.take_weights(
      multiclass_dimension(result.features.size(), result.classes.size(), parts.model().source));
  return result;
}

}  // namespace gapwise
