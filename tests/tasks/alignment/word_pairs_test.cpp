#include "tasks/alignment/word_pairs.h"

#include <gtest/gtest.h>

#include "support/reading.h"

namespace gapwise::internal {
namespace {

using Names = std::vector<std::string>;

class WordPairs : public ::testing::Test {
 protected:
  std::string file(const std::string& name, const std::string& text) {
    write_file(folder_.path(name), text);
    return folder_.path(name);
  }
  static std::vector<WordPair> read_all(WordPairReader& reader) {
    std::vector<WordPair> pairs;
    WordPair pair;
    while (reader.read(pair)) pairs.push_back(pair);
    return pairs;
  }
  std::vector<WordPair> read(const std::string& text) {
    return read_all(*make_alignment_reader(file("data", text)));
  }
  /// What reading complains about, without the folder.
  std::string without_folder(const std::string& message) const {
    const std::string folder = folder_.path("");
    return message.starts_with(folder) ? message.substr(folder.size()) : message;
  }
  std::string complaint(const std::string& text) {
    return without_folder(message_of([&] { read(text); }));
  }
  std::vector<WordPair> read_parallel(const ParallelFiles& files) {
    return read_all(*make_parallel_reader(folder_.path("t.pairs"), files));
  }
  std::string parallel_complaint(const ParallelFiles& files) {
    return without_folder(message_of([&] { read_parallel(files); }));
  }

  ScratchFolder folder_;
};

TEST_F(WordPairs, ReadsEverythingFromOneLine) {
  const auto reader = make_alignment_reader(
      file("data", gzip("the  house |||\tla maison ||| 2-2 1p1 2?1 ||| a.b: 1-1 2-2 ||| c:\r\n\n"
                        "x ||| y\n")));
  WordPair pair;
  ASSERT_TRUE(reader->read(pair));
  EXPECT_EQ(pair.source, (Names{"the", "house"}));
  EXPECT_EQ(pair.target, (Names{"la", "maison"}));
  EXPECT_EQ(*pair.gold, (Links{{0, 0, false}, {1, 0, false}, {1, 1, true}}));
  EXPECT_EQ(reader->given_names(), (Names{"a.b", "c"}));
  ASSERT_EQ(pair.given.size(), 2U);
  EXPECT_EQ(pair.given[0], (Links{{0, 0, true}, {1, 1, true}}));
  EXPECT_TRUE(pair.given[1].empty());
  EXPECT_EQ(without_folder(message_of([&] { reader->read(pair); })),
            "data:3: other given alignments than in the lines before (a.b, c); give every pair the "
            "same ones in the same order");
}

TEST_F(WordPairs, TellsNoLinksFromNoGold) {
  const auto pairs = read("a ||| b\na ||| b |||\na ||| b ||| ?\n");
  EXPECT_FALSE(pairs[0].gold);
  ASSERT_TRUE(pairs[1].gold);
  EXPECT_TRUE(pairs[1].gold->empty());
  EXPECT_FALSE(pairs[2].gold);
}

TEST_F(WordPairs, RefusesBadLines) {
  EXPECT_EQ(
      complaint("a b\n"),
      "data:1: no ||| in the line; expected 'source ||| target ||| gold ||| name: links ...'");
  EXPECT_EQ(complaint("a ||| b\n||| b\n"),
            "data:2: a side has no words; expected 'source ||| target' with words on both sides");
  EXPECT_EQ(complaint("a ||| b ||| 1-1 1-2\n"),
            "data:1: link '1-2' lies outside the pair: position 2 of a side of 1 word, counted "
            "from 1; correct the link or the words");
  for (const char* link : {"0-1", "1-0", "2-1", "99999999999999999999-1"}) {
    EXPECT_NE(complaint(std::string("a ||| b ||| ") + link).find("lies outside the pair"),
              std::string::npos)
        << link;
  }
  for (const char* link : {"1", "-", "1-", "-1", "1x1", "a-b", "1--1", "-1-1", "1-1-1", "1.0-1"}) {
    const std::string message = complaint(std::string("a ||| b ||| ") + link);
    EXPECT_TRUE(message.starts_with("data:1: ")) << message;
  }
  EXPECT_EQ(complaint("a ||| b ||| 1-1 1p1\n"),
            "data:1: the link of words 1 and 1 comes twice; leave one of the two out");
  EXPECT_EQ(
      complaint("a ||| b ||| ||| 1-1\n"),
      "data:1: '1-1' has no name; expected the links of a given alignment as 'name: 1-1 2-3'");
  EXPECT_NE(complaint("a ||| b ||| ||| :\n").find("has no name"), std::string::npos);
  EXPECT_NE(complaint("a ||| b ||| ||| a:b: 1-1\n").find("has no name"), std::string::npos);
  EXPECT_NE(complaint("a ||| b ||| |||\n").find("has no name"), std::string::npos);
  EXPECT_EQ(complaint("a ||| b ||| ||| n: 1-1 ||| n: 1-1\n"),
            "data:1: alignment 'n' comes twice; leave one of the two out");
  EXPECT_EQ(complaint("a ||| b ||| ||| n: 1p1\n"),
            "data:1: '1p1' is not a link; expected links such as 1-2, counted from 1");
  std::string words;
  for (int k = 0; k < 501; ++k) words += "w ";
  EXPECT_EQ(complaint(words + "||| b\n"),
            "data:1: a side of 501 words; at most 500 are allowed, split the sentence");
}

TEST_F(WordPairs, ReadsFilesSideBySide) {
  file("t.pairs", "the house ||| la maison\nyes ||| oui\n");
  file("t.gold", "1-1 2p2\n\n");
  file("t.x.talp", "0-0 1-1\n0-0\n");
  file("t.y.talp", "1-0\n\n");
  const auto pairs = read_parallel({"", "gold", {"x.talp", "y.talp:swapped"}});
  ASSERT_EQ(pairs.size(), 2U);
  EXPECT_EQ(*pairs[0].gold, (Links{{0, 0, true}, {1, 1, false}}));
  EXPECT_EQ(pairs[0].given[0], (Links{{0, 0, true}, {1, 1, true}}));
  EXPECT_EQ(pairs[0].given[1], (Links{{0, 1, true}}));
  EXPECT_EQ(pairs[1].given[0], (Links{{0, 0, true}}));
  EXPECT_TRUE(pairs[1].gold->empty());
  EXPECT_FALSE(read_parallel({"", "", {}})[0].gold);
}

TEST_F(WordPairs, ReadsASideFromEachFileAndKeysInAnyOrder) {
  file("t.pairs", "the house\nyes\n");
  file("t.es", "la casa\nclaro que si\n");
  file("t.key", "2 1 3\n1 2 2 P\n1 1 1 S\n2 1 3\n1 2 2 S\n");
  const auto pairs = read_parallel({"es", "key", {}});
  ASSERT_EQ(pairs.size(), 2U);
  EXPECT_EQ(pairs[1].target, (Names{"claro", "que", "si"}));
  EXPECT_EQ(*pairs[0].gold, (Links{{1, 1, true}, {0, 0, true}}));
  EXPECT_EQ(*pairs[1].gold, (Links{{0, 2, true}}));
}

TEST_F(WordPairs, ReplacesTheExtensionOfPackedFilesToo) {
  const std::string path = file("u.full.en.gz", gzip("a\n"));
  file("u.full.es", "b\n");
  EXPECT_EQ(read_all(*make_parallel_reader(path, {"es", "", {}})).size(), 1U);
  EXPECT_THROW(make_parallel_reader("-", {"es", "", {}}), OptionError);
}

TEST_F(WordPairs, RefusesFilesThatDoNotFitTogether) {
  file("t.pairs", "a ||| b\na ||| b\n");
  file("t.gold", "1-1\n");
  EXPECT_EQ(parallel_complaint({"", "gold", {}}),
            "t.gold: ends after 1 line, but there are more pairs; give it a line for each pair");
  file("t.gold", "1-1\n1-1\n\n1-1\n");
  EXPECT_EQ(parallel_complaint({"", "gold", {}}),
            "t.gold:4: there is no pair for this line; give the file as many lines as there are "
            "pairs");
  file("t.gold", "1-1\n1-2\n");
  EXPECT_NE(parallel_complaint({"", "gold", {}}).find("t.gold:2: link '1-2' lies outside"),
            std::string::npos);
  file("t.talp", "0-0\n0-1\n");
  EXPECT_NE(parallel_complaint({"", "", {"talp"}}).find("t.talp:2: link '0-1' lies outside"),
            std::string::npos);
  EXPECT_NE(parallel_complaint({"", "", {"missing"}}).find("t.missing"), std::string::npos);
  EXPECT_NE(parallel_complaint({"", "nothing", {}}).find("t.nothing"), std::string::npos);
  file("t.other", "x\n");
  EXPECT_NE(parallel_complaint({"other", "", {}}).find("t.other: ends after 1 line"),
            std::string::npos);
  file("t.pairs", "a b\n");
  EXPECT_NE(parallel_complaint({"", "", {}}).find("t.pairs:1: no ||| in the line"),
            std::string::npos);
}

TEST_F(WordPairs, RefusesBadKeys) {
  file("t.pairs", "a ||| b\n");
  const auto key_complaint = [&](const std::string& text) {
    file("t.key", text);
    return parallel_complaint({"", "key", {}});
  };
  EXPECT_EQ(key_complaint("1 1 1\n1 2 1\n"),
            "t.key:2: the link of words 2 and 1 lies outside pair 1 of 1 and 1 words; correct the "
            "link or the words");
  EXPECT_EQ(key_complaint("1 1 1\n7 1 1\n"),
            "t.key:2: a link of pair 7, but there are only 1 pairs; does the file belong to the "
            "data?");
  for (const char* line : {"1 1", "1 0 1", "0 1 1", "1 1 1 X", "1 1 1 S 0.5", "1 -1 1", "1 1 x"}) {
    EXPECT_NE(key_complaint(line).find("is not a link; expected 'pair source target'"),
              std::string::npos)
        << line;
  }
}

}  // namespace
}  // namespace gapwise::internal
