#pragma once

#include <memory>
#include <mutex>

#include "gapwise/model.h"
#include "io/model_record.h"
#include "tasks/task.h"

namespace gapwise::internal {

/// The setting of a model that is calibrated.
inline constexpr std::string_view kTemperature = "temperature";

/// What a `Model` is a handle of: the record that goes into a file, and its predictor, made when it
/// is first asked for.
class LoadedModel {
 public:
  explicit LoadedModel(ModelRecord record) : record_(std::move(record)) {}

  const ModelRecord& record() const { return record_; }
  /// OptionError for the model of a problem of one's own.
  const Predictor& predictor() const;

 private:
  ModelRecord record_;
  mutable std::once_flag is_open_;
  mutable std::unique_ptr<Predictor> predictor_;
};

/// OptionError if the examples are of another task than the model.
void expect_task(const Model& model, const Examples& examples);

/// A model of this record, checked at once if it is of a task.
Model make_model(ModelRecord record);
/// A model of a record that training has just made: its predictor, which takes as much memory
/// again, is not made before somebody asks for it.
Model make_trained_model(ModelRecord record);

}  // namespace gapwise::internal
