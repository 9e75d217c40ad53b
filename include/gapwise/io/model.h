#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace gapwise {

/// A trained model: data, and nothing that needs a solver to be loaded. Which settings, lists and
/// numbers there are is the task's own business; the container is the same for all.
struct Model {
  std::string task;
  std::map<std::string, std::string> settings;            ///< how it was read and trained, as text
  std::map<std::string, std::vector<std::string>> lists;  ///< alphabets; any bytes
  std::map<std::string, std::vector<std::int64_t>> numbers;
  std::vector<double> w;

  /// The setting, or InputError naming the model's source if it is missing.
  const std::string& setting(const std::string& name) const;
  const std::vector<std::string>& list(const std::string& name) const;

  std::string source = "model";  ///< where it came from, for messages; not saved
};

std::string encode_model(const Model& model);  ///< payload bytes; weights that are 0 take no room
Model decode_model(std::string_view payload, const std::string& source);

void save_model(const Model& model, const std::string& path);
Model load_model(const std::string& path);

}  // namespace gapwise
