#pragma once

#include <gtest/gtest.h>

#include <filesystem>

namespace gapwise::internal::testing {

/// Tests on the public data sets, skipped where these are not at hand.
class SharedDataTest : public ::testing::Test {
 protected:
  void SetUp() override {
    if (!std::filesystem::exists(GAPWISE_SHARED_DATA)) {
      GTEST_SKIP() << "the public data sets are not at hand: '" GAPWISE_SHARED_DATA "'";
    }
  }
};

}  // namespace gapwise::internal::testing
