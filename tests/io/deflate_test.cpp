// Packed bytes come back, and damaged ones are refused.

#include "io/deflate.h"

#include <gtest/gtest.h>

#include "core/random.h"
#include "gapwise/errors.h"

namespace gapwise::internal {
namespace {

TEST(Deflate, BringsEverythingBackAndNothingElse) {
  std::string noise;
  Rng rng(1);
  for (int k = 0; k < 3'000'000; ++k) noise.push_back(static_cast<char>(rng.below(256)));
  for (const std::string& bytes :
       {std::string(), std::string("abc"), std::string(5 << 20, 'x'), noise}) {
    const std::string packed = deflate_bytes(bytes);
    EXPECT_EQ(inflate_bytes(packed, bytes.size(), "f"), bytes);
    EXPECT_THROW(inflate_bytes(packed, bytes.size() + 1, "f"), InputError);
    EXPECT_THROW(inflate_bytes(packed + "x", bytes.size(), "f"), InputError);
    EXPECT_THROW(inflate_bytes(packed.substr(0, packed.size() - 1), bytes.size(), "f"), InputError);
    if (!bytes.empty()) {
      EXPECT_THROW(inflate_bytes(packed, bytes.size() - 1, "f"), InputError);
    }
  }
  EXPECT_THROW(inflate_bytes("", 0, "f"), InputError);
}

}  // namespace
}  // namespace gapwise::internal
