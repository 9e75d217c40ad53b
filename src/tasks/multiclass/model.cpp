#include "tasks/multiclass/model.h"

#include <fmt/format.h>

#include "tasks/shared/model_fields.h"

namespace gapwise::internal {
namespace {

ModelRecord start_model(const std::string& loss, const Alphabet& classes) {
  ModelRecord model = start_record("multiclass", "svmlight");
  model.settings["loss"] = loss;
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

ModelRecord encode_multiclass_model(const std::string& loss, const Alphabet& classes,
                                    const FeatureNumbers& features, Weights w, Keep keep) {
  ModelRecord model = start_model(loss, classes);
  encode_features(features, w, static_cast<Index>(classes.size()), keep, model);
  return model;
}

ModelRecord encode_multiclass_kernel_model(const std::string& loss, const Alphabet& classes,
                                           const FeatureNumbers& features,
                                           const KernelExpansion& expansion,
                                           const FeatureRows& inputs) {
  ModelRecord model = start_model(loss, classes);
  encode_features(features, model);
  encode_support(expansion, inputs, model);
  return model;
}

MulticlassModel decode_multiclass_model(ModelRecord model) {
  ModelFields parts(std::move(model), "multiclass");
  MulticlassModel result;
  result.loss = parts.model().setting("loss");
  result.classes = parts.labels("labels");
  result.features = decode_features(parts);
  result.kernel = decode_support(parts, result.features.size(), result.classes.size());
  const std::size_t features = result.kernel ? 0 : result.features.size();
  result.w = parts.take_weights(
      multiclass_dimension(features, result.classes.size(), parts.model().source));
  return result;
}

}  // namespace gapwise::internal
