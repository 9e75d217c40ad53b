#pragma once

#include <cstdint>
#include <cstdlib>

namespace gapwise::internal {

/// The features of a parser that are made of the tags of head and word only. They are few enough to
/// be listed, so that weights can be shown by name although features are hashed.
enum class TagFeature : std::uint64_t {
  kArc = 1,          ///< an arc feature, by the side the head is on
  kArcDistance = 2,  ///< an arc feature, by side and distance
  kLabel = 3,        ///< a label feature, by side
};

/// On which side of the word its head is.
enum class Side { kLeft, kRight };
inline Side side_of(int h, int m) {
  return h < m ? Side::kLeft : Side::kRight;
}

/// Distances from word to head in steps: 1, 2, 3, 4, 5, up to 10, more.
constexpr int kDistanceSteps = 7;

/// Where head h of word m is: its side, and with distances twice the step more.
inline int place_of(Side side) {
  return static_cast<int>(side);
}
inline int distance_place(int h, int m) {
  const int distance = std::abs(h - m);
  const int step = distance > 10 ? 6 : distance > 5 ? 5 : distance - 1;
  return 2 * step + place_of(side_of(h, m));
}

/// The hash of the feature, from hashes of the tags and the place of the head.
std::uint64_t tag_feature(TagFeature kind, std::uint64_t head_tag, std::uint64_t tag, int place);

/// Stands for the tag of the artificial root.
constexpr std::uint64_t kRootTag = 0x2545f4914f6cdd1dULL;

}  // namespace gapwise::internal
