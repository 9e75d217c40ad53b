#pragma once

namespace gapwise::internal::cli {

/// Sets some memory aside for the moment in which there is no more: an allocation that fails then
/// gets another try, and what cleans up and tells of it has memory to work with. Some destructors
/// of the JSON library need a little, and end the program if they do not get it.
void keep_reserve();

}  // namespace gapwise::internal::cli
