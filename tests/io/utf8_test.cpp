#include "io/utf8.h"

#include <gtest/gtest.h>

namespace gapwise::internal {
namespace {

std::string shape(std::string_view text) {
  std::string out;
  append_shape(text, out);
  return out;
}

TEST(Utf8, CutsAtCharacters) {
  const std::string text = "\xc3\xa9t\xe2\x82\xac\xf0\x9f\x98\x80";  // e acute, t, euro, smiley
  EXPECT_EQ(first_characters(text, 1), "\xc3\xa9");
  EXPECT_EQ(first_characters(text, 3), "\xc3\xa9t\xe2\x82\xac");
  EXPECT_EQ(first_characters(text, 4), text);
  EXPECT_TRUE(first_characters(text, 5).empty());
  EXPECT_EQ(last_characters(text, 1), "\xf0\x9f\x98\x80");
  EXPECT_EQ(last_characters(text, 2), "\xe2\x82\xac\xf0\x9f\x98\x80");
  EXPECT_EQ(last_characters(text, 4), text);
  EXPECT_TRUE(last_characters(text, 5).empty());
}

TEST(Utf8, CountsAnInvalidByteAsOneCharacter) {
  EXPECT_EQ(first_characters("\xff\xfe"
                             "a",
                             2),
            "\xff\xfe");
  EXPECT_EQ(last_characters("a\x80\x80", 2), "\x80\x80");
  EXPECT_EQ(first_characters("\xc3", 1), "\xc3");
  EXPECT_EQ(first_characters("\xc0\x80", 1), "\xc0") << "overlong";
  EXPECT_EQ(first_characters("\xe0\x80\x80", 1), "\xe0") << "overlong";
  EXPECT_EQ(first_characters("\xed\xa0\x80", 1), "\xed") << "surrogate";
  EXPECT_EQ(first_characters("\xf4\x90\x80\x80", 1), "\xf4") << "beyond the last code point";
  EXPECT_EQ(last_characters("\xe2\x82", 1), "\x82");
}

TEST(Utf8, LowersLettersOfSeveralScripts) {
  EXPECT_EQ(lowered("AbC-1"), "abc-1");
  EXPECT_EQ(lowered("\xc3\x81\xc3\x91"), "\xc3\xa1\xc3\xb1");  // A acute, N tilde
  EXPECT_EQ(lowered("\xc3\x97"), "\xc3\x97");                  // the sign of multiplication
  EXPECT_EQ(lowered("\xc5\x81\xc5\xbd"), "\xc5\x82\xc5\xbe");  // L stroke, Z caron
  EXPECT_EQ(lowered("\xce\xa9\xd0\x96\xd0\x81"), "\xcf\x89\xd0\xb6\xd1\x91");  // Omega, Zhe, Io
  EXPECT_EQ(lowered("\xe1\xba\xa0"), "\xe1\xba\xa1");                          // A with dot below
  EXPECT_EQ(lowered("\xff\xc3"), "\xff\xc3");
}

TEST(Utf8, ShapesCompressRuns) {
  EXPECT_EQ(shape("McDonald-1998s"), "XxXx-dx");
  EXPECT_EQ(shape("U.S."), "X.X.");
  EXPECT_EQ(shape("..."), ".");
  EXPECT_EQ(shape("\xc3\x81vila"), "Xx");
  EXPECT_EQ(shape("\xff\xff"
                  "a"),
            "x");
  EXPECT_EQ(shape(""), "");
}

}  // namespace
}  // namespace gapwise::internal
