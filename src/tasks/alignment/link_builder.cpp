#include "tasks/alignment/link_builder.h"

#include <utility>

namespace gapwise::internal {

void LinkBuilder::end_pair(PairEcho echo, const std::vector<Gold>& gold) {
  AlignmentData& data = batch_.data;
  data.sources.push_back(std::ssize(echo.sources));
  data.targets.push_back(std::ssize(echo.targets));
  data.gold.insert(data.gold.end(), gold.begin(), gold.end());
  data.starts.push_back(data.gold.size());
  batch_.echoes.push_back(std::move(echo));
}

AlignmentBatch LinkBuilder::take() {
  batch_.data.attributes = static_cast<Index>(names_.size());
  batch_.data.links.finish(static_cast<std::uint32_t>(names_.size()));
  return std::exchange(batch_, {});
}

}  // namespace gapwise::internal
