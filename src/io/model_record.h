#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace gapwise::internal {

/// A trained model: data, and nothing that needs a solver to be loaded. Which settings, lists and
/// numbers there are is the task's own business; the container is the same for all.
struct ModelRecord {
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

inline constexpr std::uint64_t kMaxDimension = std::uint64_t{1} << 33U;  ///< 64 GiB of weights

/// The payload of a model file: equal models give equal bytes, weights that are 0 take no room.
/// Throws InputError if a weight is not finite.
std::string encode_model(const ModelRecord& model);
/// Reads a payload back. Never trusts it: counts that the bytes cannot hold, weights that are not
/// finite or lie outside the vector, more weights than `max_dimension` or than the machine has
/// memory for, and leftovers are InputErrors that start with `source`.
ModelRecord decode_model(std::string_view payload, const std::string& source,
                         std::uint64_t max_dimension = kMaxDimension);

/// A whole model file, sealed and replaced safely (files.h).
void save_model(const ModelRecord& model, const std::string& path);
ModelRecord load_model(const std::string& path);

}  // namespace gapwise::internal
