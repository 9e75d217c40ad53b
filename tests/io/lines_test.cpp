#include "io/lines.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <string>
#include <vector>

#include "support/reading.h"

namespace gapwise::internal {
namespace {

class Lines : public ::testing::Test {
 protected:
  std::string file(const std::string& bytes) {
    write_file(folder_.path("f"), bytes);
    return folder_.path("f");
  }
  std::vector<std::string> lines_of(const std::string& bytes) { return all(file(bytes)); }
  static std::vector<std::string> all(const std::string& path) {
    LineReader reader(path);
    std::vector<std::string> lines;
    std::string_view line;
    while (reader.next(line)) lines.emplace_back(line);
    EXPECT_FALSE(reader.next(line)) << "the end is final";
    EXPECT_EQ(reader.line_number(), static_cast<Index>(lines.size()));
    return lines;
  }
  std::string error_of(const std::string& bytes) {
    return message_of([&] { lines_of(bytes); });
  }

  ScratchFolder folder_;
};

TEST_F(Lines, TakesOffLineEndsOfBothKinds) {
  EXPECT_EQ(lines_of("a\nb\r\n\r\nc"), (Texts{"a", "b", "", "c"}));
  EXPECT_EQ(lines_of("a\n\n"), (Texts{"a", ""}));
  EXPECT_EQ(lines_of("a\rb\r"), (Texts{"a\rb"}));
}

TEST_F(Lines, FindsNoneInAnEmptyFile) {
  EXPECT_EQ(lines_of(""), Texts{});
}

TEST_F(Lines, TakesOffAByteOrderMarkAtTheStartOnly) {
  EXPECT_EQ(lines_of("\xef\xbb\xbf"
                     "a\n\xef\xbb\xbf"
                     "b\n"),
            (Texts{"a",
                   "\xef\xbb\xbf"
                   "b"}));
  EXPECT_EQ(lines_of("\xef\xbb\xbf"), Texts{});
  EXPECT_EQ(lines_of("\xef\xbb"), (Texts{"\xef\xbb"}));
}

TEST_F(Lines, KeepsAnyOtherBytes) {
  EXPECT_EQ(lines_of("\xff\xfe\n"), (Texts{"\xff\xfe"}));
}

TEST_F(Lines, RefusesANulByteWithItsLine) {
  const std::string message = error_of(std::string("ab\nc\0d\n", 7));
  EXPECT_TRUE(message.starts_with(folder_.path("f") + ":2: a NUL byte")) << message;
}

TEST_F(Lines, ReadsGzipWhateverItsName) {
  EXPECT_EQ(lines_of(gzip("a\nb\n")), (Texts{"a", "b"}));
  EXPECT_EQ(lines_of(gzip("")), Texts{});
}

TEST_F(Lines, ReadsAllMembersOfAGzipFileAndIgnoresPadding) {
  const std::string members = gzip("a\nb") + gzip("") + gzip("c\n");
  EXPECT_EQ(lines_of(members), (Texts{"a", "bc"}));
  EXPECT_EQ(lines_of(members + std::string(1000, '\0')), (Texts{"a", "bc"}));
  EXPECT_NE(error_of(members + "junk").find("bytes that are not gzip"), std::string::npos);
  EXPECT_NE(error_of(members + "\x1f").find("bytes that are not gzip"), std::string::npos);
}

TEST_F(Lines, RefusesGzipCutAtAnyByte) {
  const std::string packed = gzip("some text\nand some more of it\n");
  for (std::size_t size = 2; size < packed.size(); ++size) {
    EXPECT_NE(error_of(packed.substr(0, size)).find("truncated"), std::string::npos) << size;
  }
}

TEST_F(Lines, RefusesGzipWithAnyDamage) {
  const std::string packed = gzip("some text\nand some more of it\n");
  // The header's time stamp, extra flags and system may say anything.
  for (std::size_t k = 10; k < packed.size(); ++k) {
    std::string damaged = packed;
    damaged[k] = static_cast<char>(damaged[k] ^ 0x55);
    EXPECT_NE(error_of(damaged).find("gzip stream is"), std::string::npos) << k;
  }
}

TEST_F(Lines, SaysWhyAFileCannotBeRead) {
  EXPECT_NE(message_of([&] { LineReader reader(folder_.path("none")); }).find("cannot be opened"),
            std::string::npos);
  EXPECT_NE(message_of([&] { LineReader reader(folder_.root().string()); }).find("is a directory"),
            std::string::npos);
}

TEST_F(Lines, KeepsLinesLongerThanItsBlocksWhole) {
  const std::string longest(3'000'000, 'x');
  for (const bool is_packed : {false, true}) {
    const std::string text = "a\n" + longest + "\r\n" + longest + "\nb";
    EXPECT_EQ(lines_of(is_packed ? gzip(text) : text), (Texts{"a", longest, longest, "b"}));
  }
}

TEST_F(Lines, RefusesALineWithoutEndInBoundedMemory) {
  const std::string block = gzip(std::string(std::size_t{1} << 20, 'x'));
  std::string bomb;
  for (int k = 0; k < 300; ++k) bomb += block;
  EXPECT_NE(error_of(bomb).find(":1: the line is longer than 256 MiB"), std::string::npos);
}

TEST_F(Lines, ShowsTheHeadWithoutTakingIt) {
  LineReader reader(
      file("\xef\xbb\xbf"
           "a\nb\n"));
  EXPECT_EQ(reader.head(), "a\nb\n");
  std::string_view line;
  ASSERT_TRUE(reader.next(line));
  EXPECT_EQ(line, "a");
  EXPECT_EQ(reader.line_number(), 1);
  EXPECT_EQ(message_of([&] { reader.fail("bad"); }), reader.name() + ":1: bad");
}

TEST_F(Lines, ReadsStandardInput) {
  const std::string path = file(gzip("a\nb\n"));
  const int saved = ::dup(STDIN_FILENO);
  ASSERT_NE(std::freopen(path.c_str(), "r", stdin), nullptr);
  EXPECT_EQ(all("-"), (Texts{"a", "b"}));
  EXPECT_EQ(LineReader("-").name(), "standard input");
  ::dup2(saved, STDIN_FILENO);
  ::close(saved);
}

}  // namespace
}  // namespace gapwise::internal
