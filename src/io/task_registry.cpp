#include <fmt/format.h>

#include "gapwise/io/task_driver.h"
#include "io/alignment_driver.h"
#include "io/multiclass_driver.h"
#include "io/multilabel_driver.h"
#include "io/parsing_driver.h"
#include "io/pose_driver.h"
#include "io/segmentation_driver.h"
#include "io/sequence_driver.h"

namespace gapwise {
namespace {

struct Entry {
  std::string_view name;
  std::unique_ptr<TaskDriver> (*make)();
};
constexpr Entry kTasks[] = {
    {"sequence", make_sequence_driver},
    {"multiclass", make_multiclass_driver},
    {"multilabel", make_multilabel_driver},
    {"segmentation", make_segmentation_driver},
    {"alignment", make_alignment_driver},
    {"parsing", make_parsing_driver},
    {"pose", make_pose_driver},
};

}  // namespace

Model TrainingSet::make_kernel_model(const KernelExpansion&) const {
  throw OptionError("this task has no kernel models; train it with another solver");
}

void Predictor::draw(const DataSource&, const Threads&, const std::string&) const {
  throw OptionError("models of this task draw no pictures; leave out --pictures");
}

std::vector<std::string_view> task_names() {
  std::vector<std::string_view> names;
  for (const Entry& entry : kTasks) names.push_back(entry.name);
  return names;
}

std::unique_ptr<TaskDriver> make_task_driver(std::string_view name) {
  for (const Entry& entry : kTasks) {
    if (entry.name == name) return entry.make();
  }
  throw OptionError(fmt::format("task '{}' is not one of {}", name, fmt::join(task_names(), ", ")));
}

}  // namespace gapwise
