#include "io/lines.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <string>
#include <vector>

#include "io/line_blocks.h"
#include "io/read_watch.h"
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

TEST_F(Lines, AreTakenInBlocksOfWholeLinesThatKnowTheirNumbers) {
  std::string text = "\xef\xbb\xbf";
  Texts expected;
  for (int k = 1; k <= 2000; ++k) {
    expected.push_back(std::to_string(k) + std::string(static_cast<std::size_t>(k % 37), 'x'));
    text += expected.back() + (k % 5 == 0 ? "\r\n" : "\n");
  }
  for (const std::size_t bytes : {1U, 10U, 1000U, 1'000'000U}) {
    for (const bool has_end : {true, false}) {
      LineReader reader(file(has_end ? text : text.substr(0, text.size() - 2)));
      std::string_view line;
      ASSERT_TRUE(reader.next(line));
      Texts found{std::string(line)};
      LineBlock block;
      while (reader.take(bytes, block)) {
        LineReader inner(block);
        EXPECT_EQ(inner.name(), reader.name());
        while (inner.next(line)) {
          found.emplace_back(line);
          EXPECT_EQ(inner.line_number(), std::ssize(found));
        }
      }
      EXPECT_EQ(found, expected) << bytes;
      EXPECT_EQ(reader.line_number(), 2000);
    }
  }
}

TEST_F(Lines, ComplainOfTheFirstFaultOfAllBlocks) {
  const auto complaint = [&](const std::string& text, int threads) {
    return message_of([&] {
      LineReader reader(file(text));
      read_blocks<Texts>(
          reader, Threads(threads),
          [](LineReader& block, Texts& found) {
            std::string_view line;
            while (block.next(line)) {
              if (line == "bad") block.fail("bad");
              found.emplace_back(line);
            }
          },
          [&](const Texts& found) {
            if (std::find(found.begin(), found.end(), "odd") != found.end()) reader.fail("odd");
          });
    });
  };
  std::string good;
  for (int k = 0; k < 400'000; ++k) good += "a line\n";
  const auto half = [](const std::string& bytes) { return bytes.substr(0, bytes.size() / 2); };
  for (const int threads : {1, 2, 3}) {
    EXPECT_EQ(complaint(good + good + "x", threads), "no error");
    EXPECT_TRUE(complaint(good + "bad\n" + good + "bad\n", threads).ends_with(":400001: bad"));
    EXPECT_TRUE(complaint("odd\nbad\n" + good, threads).ends_with(": odd"));
    EXPECT_TRUE(complaint("bad\nodd\n" + good, threads).ends_with(":1: bad"));
    EXPECT_NE(complaint(half(gzip("bad\n" + good)), threads).find(":1: bad"), std::string::npos);
    EXPECT_NE(complaint(half(gzip(good)), threads).find("truncated"), std::string::npos);
  }
}

TEST_F(Lines, TellWhoWatchesHowFarTheyAre) {
  const std::string path = file(std::string(1'000'000, '\n'));
  std::vector<std::uint64_t> told;
  {
    const ReadWatch watch([&](const std::string& name, std::uint64_t read, std::uint64_t size) {
      EXPECT_EQ(name, path);
      EXPECT_EQ(size, 1'000'000U);
      told.push_back(read);
    });
    all(path);
  }
  EXPECT_GE(told.size(), 3U);
  EXPECT_TRUE(std::is_sorted(told.begin(), told.end()));
  ASSERT_FALSE(told.empty());
  EXPECT_EQ(told.back(), 1'000'000U);
  all(path);  // nobody is watching
}

}  // namespace
}  // namespace gapwise::internal
