#include "tasks/parsing/treebank.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "support/reading.h"

namespace gapwise::internal {
namespace {

using Heads = std::vector<std::int32_t>;

constexpr const char* kTwo =
    "# sent_id = 1\n"
    "1-2\tDont\t_\t_\t_\t_\t_\t_\t_\t_\n"
    "1\tDo\tdo\tAUX\tVBP\t_\t3\taux\t3:aux\t_\n"
    "2\tnt\tnot\tPART\tRB\t_\t3\tadvmod\t3:advmod\t_\n"
    "2.1\tghost\t_\t_\t_\t_\t_\t_\t1:x\t_\n"
    "3\tgo\tgo\tVERB\tVB\t_\t0\troot\t0:root\tSpaceAfter=No\n"
    "\n"
    "1\tYes\tyes\tINTJ\tUH\t_\t0\troot\t0:root\t_\n";

struct Reading {
  Treebank bank;
  Alphabet labels;
  Alphabet tags;
};

Reading read(const std::string& text, TreebankPlan plan = {.format = "conllu"}) {
  ScratchFolder folder;
  write_file(folder.path("data"), text);
  LineReader lines(folder.path("data"));
  TreebankReader reader(lines, plan);
  while (reader.read()) {
  }
  Treebank bank = reader.take();
  if (bank.data.size() == 0) reader.fail_empty();
  return {std::move(bank), reader.labels(), reader.tags()};
}

/// What reading `text` complains about, without the folder.
std::string complaint(const std::string& text, const std::string& format,
                      RootCount roots = RootCount::kOne) {
  const std::string message = message_of([&] { read(text, {.format = format, .roots = roots}); });
  const std::size_t name = message.find("data:");
  return name == std::string::npos ? message : message.substr(name);
}

/// A line of CoNLL-U.
std::string word(int id, const std::string& head) {
  return fmt::format("{}\tw{}\t_\tX\t_\t_\t{}\tdep\t_\t_\n", id, id, head);
}

TEST(Treebank, ReadsUniversalDependencies) {
  for (const std::string& text : {std::string(kTwo), gzip(kTwo)}) {
    const Reading reading = read(text);
    const ParsingData& data = reading.bank.data;
    ASSERT_EQ(data.size(), 2);
    EXPECT_EQ(data.heads, (Heads{3, 3, 0, 0}));
    EXPECT_EQ(data.labels, (Heads{0, 1, 2, 2}));
    EXPECT_EQ(reading.labels.names(), (std::vector<std::string>{"aux", "advmod", "root"}));
    EXPECT_EQ(reading.tags.names(), (std::vector<std::string>{"VBP", "RB", "VB", "UH"}));
    EXPECT_EQ(reading.bank.lines, (std::vector<Index>{3, 8}));
    EXPECT_EQ(data.words[0].form, hash_text("Do"));
    EXPECT_EQ(data.words[0].lemma, hash_text("do"));
    EXPECT_EQ(data.words[0].tag, hash_text("VBP"));
    EXPECT_EQ(data.words[0].coarse_tag, hash_text("AUX"));
  }
}

TEST(Treebank, ReadsTheOlderFormatWithAndWithoutProjectiveHeads) {
  const Reading reading = read(
      "1\tA b\t_\tN\tNN\tx|y\t2\tatt\t_\t_\n2\tc\t_\tV\t_\t_\t0\tROOT\t_\t_\n\n"
      "1\td\t_\tV\tV\t_\t0\tROOT\n",
      {.format = "conllx"});
  EXPECT_EQ(reading.bank.data.heads, (Heads{2, 0, 0}));
  EXPECT_EQ(reading.bank.data.words[0].form, hash_text("A b"));
  EXPECT_EQ(reading.tags.names(), (std::vector<std::string>{"NN", "V"}));
  EXPECT_EQ(reading.bank.data.words[1].coarse_tag, 0U);  // the one tag there is
}

TEST(Treebank, ReadsTabSeparatedTreesInWhichANumberSignIsAWord) {
  const Reading plain = read("# wsj_0001.1\n#\t#\t2\nAmounts\tNNS\t0\n", {.format = "malttab"});
  EXPECT_EQ(plain.bank.data.heads, (Heads{2, 0}));
  EXPECT_EQ(plain.labels.names(), std::vector<std::string>{"_"});
  EXPECT_EQ(plain.bank.data.words[0].form, hash_text("#"));
  EXPECT_EQ(plain.bank.data.words[1].lemma, hash_text("amoun"));
  const Reading labelled = read("a\tA\t2\tx\nb\tB\t0\ty\n", {.format = "malttab"});
  EXPECT_EQ(labelled.labels.names(), (std::vector<std::string>{"x", "y"}));
}

TEST(Treebank, TellsFormatsByTheFirstWord) {
  EXPECT_EQ(detect_treebank_format(kTwo), "conllu");
  EXPECT_EQ(detect_treebank_format("\n# wsj_0001.1\r\n\r\na\tA\t0\n"), "malttab");
  EXPECT_EQ(detect_treebank_format("a\tA\t0\tx"), "malttab");
  EXPECT_EQ(detect_treebank_format(""), "conllu");
}

TEST(Treebank, LooksAtNoTreesInPrediction) {
  const Reading reading = read(word(1, "nonsense"), {.format = "conllu", .needs_trees = false});
  EXPECT_EQ(reading.bank.data.heads, Heads{-1});
  EXPECT_EQ(reading.bank.data.labels, Heads{-1});
}

TEST(Treebank, LabelsAreOneWhereTheyAreNotWanted) {
  const Reading reading = read(kTwo, {.format = "conllu", .has_labels = false});
  EXPECT_EQ(reading.bank.data.labels, (Heads{0, 0, 0, 0}));
}

TEST(Treebank, RefusesWhatIsNotATree) {
  EXPECT_EQ(complaint(word(1, "2") + word(2, "3") + word(3, "1"), "conllu"),
            "data:1: the heads of words 1, 2 and 3 form a cycle, expected a tree; mend it or leave "
            "the sentence out");
  EXPECT_EQ(complaint(word(1, "0") + word(2, "3") + word(3, "2"), "conllu"),
            "data:2: the heads of words 2 and 3 form a cycle, expected a tree; mend it or leave "
            "the sentence out");
  EXPECT_EQ(complaint(word(1, "0") + word(2, "2"), "conllu"),
            "data:2: word 2 is its own head; give it another one, or 0");
  EXPECT_EQ(complaint(word(1, "0") + word(2, "1") + word(3, "0"), "conllu"),
            "data:3: words 1 and 3 have head 0, expected one; mend the tree, or train with roots "
            "many");
  EXPECT_EQ(complaint(word(1, "0") + word(2, "0"), "conllu", RootCount::kMany), "no error");
}

TEST(Treebank, RefusesHeadsThatAreNoWords) {
  EXPECT_EQ(complaint(word(1, "0") + "\n" + word(1, "3") + word(2, "0"), "conllu"),
            "data:3: the head of word 1 lies outside its sentence of 2 words; heads are positions "
            "in the sentence from 1, 0 for the root");
  for (const std::string head : {"-1", "_", "1x", "", "99999999999999999999", "1.5"}) {
    EXPECT_TRUE(complaint(word(1, head), "conllu").starts_with("data:1: ")) << head;
    EXPECT_TRUE(complaint("a\tA\t" + head + "\n", "malttab").starts_with("data:1: ")) << head;
  }
  EXPECT_TRUE(complaint(word(1, "2147483648"), "conllu").starts_with("data:1: the head of word 1"));
}

TEST(Treebank, RefusesOtherLines) {
  EXPECT_EQ(complaint(word(1, "0") + word(3, "1"), "conllu"),
            "data:2: word number '3', expected 2; words count 1, 2, ... and a blank line ends a "
            "sentence");
  EXPECT_EQ(complaint("1\ta\t_\n", "conllu"),
            "data:1: 3 columns, not 10; expected the columns ID FORM LEMMA UPOS XPOS FEATS HEAD "
            "DEPREL DEPS MISC, separated by tabs");
  EXPECT_EQ(complaint("# text\n" + word(1, "0"), "conllx"),
            "data:1: 1 column, not 10 or 8; format conllx has no comments: pass format conllu");
  EXPECT_EQ(complaint("a b\n", "malttab"),
            "data:1: 1 column; expected the columns word, tag, head and perhaps label, separated "
            "by tabs");
  EXPECT_EQ(complaint("1\ta\t_\tX\t\t_\t0\tdep\t_\t_\n", "conllu"),
            "data:1: column 5 is empty; write _ for what is missing");
  EXPECT_EQ(complaint("", "malttab"),
            "data: is empty; expected the columns word, tag, head and perhaps label, separated by "
            "tabs, and a blank line after each sentence");
  EXPECT_TRUE(complaint("# only\n", "conllu").starts_with("data: holds no sentences; expected"));
  std::string endless;
  for (int m = 1; m <= 1001; ++m) endless += "w\tT\t0\n";
  EXPECT_EQ(complaint(endless, "malttab", RootCount::kMany),
            "data:1001: the sentence has more than 1000 words; is a blank line missing between "
            "sentences?");
  EXPECT_THROW(read("", {.format = "conll"}), OptionError);
}

TEST(Treebank, RefusesMoreLabelledArcsThanMemoryIsGoodFor) {
  ScratchFolder folder;
  std::string text = "a\tA\t0\n\n";
  for (int m = 1; m <= 900; ++m) text += fmt::format("w\tT\t{}\n", m - 1);
  write_file(folder.path("data"), text);
  LineReader lines(folder.path("data"));
  TreebankReader reader(lines, {.format = "malttab"});
  while (reader.read()) {
  }
  const Treebank bank = reader.take();
  EXPECT_NO_THROW(check_treebank_size(bank, 60, lines));
  EXPECT_NE(message_of([&] {
              check_treebank_size(bank, 200, lines);
            }).find("data:3: a sentence of 900 words and 200 labels"),
            std::string::npos);
}

}  // namespace
}  // namespace gapwise::internal
