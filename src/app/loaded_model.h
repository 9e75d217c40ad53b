#pragma once

#include <memory>
#include <mutex>

#include "gapwise/model.h"
#include "io/model_record.h"
#include "tasks/task.h"

namespace gapwise::internal {

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

/// A model of this record, checked at once if it is of a task.
Model make_model(ModelRecord record);

}  // namespace gapwise::internal
