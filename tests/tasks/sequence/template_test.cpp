#include <gtest/gtest.h>

#include <algorithm>

#include "tasks/sequence/reading.h"
#include "tasks/sequence/template/template_expander.h"

namespace gapwise::internal {
namespace {

/// Numbers names as an alphabet does, and remembers for how many it was asked.
class Numbering final : public TemplateExpander::Names {
 public:
  std::uint32_t number_node(std::string_view name) override { return number(name, nodes); }
  std::uint32_t number_edge(std::string_view name) override { return number(name, edges); }

  Alphabet nodes;
  Alphabet edges;
  int asked = 0;

 private:
  std::uint32_t number(std::string_view name, Alphabet& alphabet) {
    ++asked;
    return alphabet.add(name);
  }
};

using Rows = std::vector<Texts>;

void load(const Rows& rows, TemplateExpander& expander) {
  expander.clear();
  for (const Texts& row : rows) {
    for (const std::string& cell : row) expander.add_cell(cell);
    expander.end_row();
  }
}

Texts names_of(std::size_t row, TemplateExpander& expander, Numbering& numbering) {
  const TemplateExpander::Attributes found = expander.expand(row, numbering);
  Texts names;
  for (const std::uint32_t k : found.nodes) names.emplace_back(numbering.nodes.name(k));
  for (const std::uint32_t k : found.edges) names.emplace_back(numbering.edges.name(k));
  return names;
}

const Rows kSmall{{"He", "PRP"}, {"likes", "VBZ"}, {"McGill", "NNP"}};

Texts expand(const Texts& lines, std::size_t row) {
  TemplateExpander expander(Template::parse(lines, "t"), 2);
  load(kSmall, expander);
  Numbering numbering;
  return names_of(row, expander, numbering);
}

std::string error_of(const std::string& line) {
  return message_of([&] { Template::parse({"# comment", line}, "t"); });
}

TEST(Template, ExpandsCellsAsCrfppDoes) {
  EXPECT_EQ(expand({"U00:%x[0,0]", "U01:%x[-1,0]/%x[0,1]", "U02:%x[ 1 , 1 ]x"}, 1),
            (Texts{"U00:likes", "U01:He/VBZ", "U02:NNPx"}));
}

TEST(Template, NamesRowsOutsideTheSequence) {
  EXPECT_EQ(expand({"U1:%x[-1,0]", "U2:%x[-2,1]", "U3:%x[2,0]", "U4:%x[4,0]"}, 0),
            (Texts{"U1:_B-1", "U2:_B-2", "U3:McGill", "U4:_B+2"}));
  EXPECT_EQ(expand({"U1:%x[1,0]", "U2:%x[99,0]", "U3:%l[1,0]", "U4:%h[1,0]", "U5:%p[1,0,2]"}, 2),
            (Texts{"U1:_B+1", "U2:_B+99", "U3:_B+1", "U4:_B+1", "U5:_B+1"}));
}

TEST(Template, HasMacrosForAffixesCaseAndShape) {
  EXPECT_EQ(expand({"Up%p[0,0,2]", "Us%s[0,0,3]", "Ul%l[0,0]", "Uh%h[0,0]", "Ul%l[0,1]"}, 2),
            (Texts{"UpMc", "Usill", "Ulmcgill", "UhXxXx", "Ulnnp"}));
}

TEST(Template, GivesNothingForAnAffixLongerThanTheToken) {
  EXPECT_EQ(expand({"Ua:%p[0,0,3]", "Ub:%s[0,0,3]", "Uc:%x[0,1]/%p[0,0,3]", "Ud:%p[0,0,2]"}, 0),
            (Texts{"Ud:He"}));
}

TEST(Template, GivesConstantsAndIgnoresCommentsAndBlankLines) {
  EXPECT_EQ(expand({"# U0:%x[9,9]", "", "   ", "U:bias", "B", "B07"}, 0), (Texts{"U:bias"}));
}

TEST(Template, PutsEdgeAttributesLastAndNoneAtTheStart) {
  const Texts lines{"B1:%x[0,1]", "U:%x[0,0]", "B2:%x[-1,1]/%x[0,1]"};
  EXPECT_EQ(expand(lines, 0), (Texts{"U:He"}));
  EXPECT_EQ(expand(lines, 1), (Texts{"U:likes", "B1:VBZ", "B2:PRP/VBZ"}));
}

TEST(Template, SpellsAnAttributeOutOnlyWhenItsCellsMeetForTheFirstTime) {
  const Texts lines{"U:b",
                    "Ua:%x[0,0]",
                    "Up:%p[0,0,3]",
                    "Uc:%x[-1,1]/%x[0,1]/%l[1,0]",
                    "Ud:%h[0,0]|%s[0,0,2]",
                    "B:%x[0,1]"};
  TemplateExpander expander(Template::parse(lines, "t"), 2);
  Numbering numbering;
  const Rows once{{"He", "PRP"}, {"likes", "VBZ"}, {"He", "PRP"}, {"likes", "VBZ"}, {"me", "PRP"}};
  load(once, expander);
  Rows found;
  for (std::size_t row = 0; row < once.size(); ++row) {
    found.push_back(names_of(row, expander, numbering));
  }
  EXPECT_EQ(found[1], (Texts{"U:b", "Ua:likes", "Up:lik", "Uc:PRP/VBZ/he", "Ud:x|es", "B:VBZ"}));
  EXPECT_EQ(found[3], (Texts{"U:b", "Ua:likes", "Up:lik", "Uc:PRP/VBZ/me", "Ud:x|es", "B:VBZ"}));
  EXPECT_EQ(found[4], (Texts{"U:b", "Ua:me", "Uc:VBZ/PRP/_B+1", "Ud:x|me", "B:PRP"}));
  const int asked = numbering.asked;
  load(once, expander);
  for (std::size_t row = 0; row < once.size(); ++row) {
    EXPECT_EQ(names_of(row, expander, numbering), found[row]) << row;
  }
  EXPECT_EQ(numbering.asked, asked);
}

TEST(Template, GivesTwoLinesOfOneNameOneNumber) {
  const Texts lines{"U:%x[-1,0]", "U:%x[1,0]", "U:%x[0,0]%x[1,0]"};
  TemplateExpander expander(Template::parse(lines, "t"), 1);
  load({{"a"}, {"b"}, {"a"}, {"aa"}, {"_B-1"}}, expander);
  Numbering numbering;
  EXPECT_EQ(names_of(1, expander, numbering), (Texts{"U:a", "U:a", "U:ba"}));
  EXPECT_EQ(names_of(0, expander, numbering), (Texts{"U:_B-1", "U:b", "U:ab"}));
  EXPECT_EQ(names_of(2, expander, numbering), (Texts{"U:b", "U:aa", "U:aaa"}));
  EXPECT_EQ(names_of(3, expander, numbering), (Texts{"U:a", "U:_B-1", "U:aa_B-1"}));
  EXPECT_EQ(numbering.nodes.size(), 8U);
}

TEST(Template, KeepsItsTextWithoutComments) {
  EXPECT_EQ(Template::parse({"# c", " U:%x[0,0] ", "", "B"}, "t").text(),
            (Texts{"U:%x[0,0]", "B"}));
}

TEST(Template, ComplainsWithPlaceAndRemedy) {
  EXPECT_TRUE(error_of("X:%x[0,0]").starts_with("t:2: the line starts with 'X'; write U or B"));
  EXPECT_TRUE(error_of("U:%q[0,0]").starts_with("t:2: '%q' is not a macro; write"));
  EXPECT_TRUE(error_of("U:%").starts_with("t:2: '%' is not a macro"));
  EXPECT_TRUE(error_of("U:%x").starts_with("t:2: '%x' is not followed by [...]"));
  EXPECT_TRUE(error_of("U:%x[0,0").starts_with("t:2: '%x' is not followed by [...]"));
  EXPECT_TRUE(error_of("U:%x[0]").starts_with("t:2: '%x[0]' needs 2 whole numbers"));
  EXPECT_TRUE(error_of("U:%x[0,a]").starts_with("t:2: '%x[0,a]' needs 2 whole numbers"));
  EXPECT_TRUE(error_of("U:%p[0,0]").starts_with("t:2: '%p[0,0]' needs 3 whole numbers"));
  EXPECT_TRUE(error_of("U:%x[99999999999,0]").starts_with("t:2: '%x[99999999999,0]' needs"));
  EXPECT_EQ(error_of("U:%x[100,0]"), "t:2: row 100 must be from -99 to 99");
  EXPECT_EQ(error_of("U:%x[-100,0]"), "t:2: row -100 must be from -99 to 99");
  EXPECT_EQ(error_of("U:%x[0,-1]"), "t:2: column -1 must be from 0 to 999");
  EXPECT_EQ(error_of("U:%p[0,0,0]"), "t:2: number of characters 0 must be from 1 to 99");
  EXPECT_TRUE(error_of("# nothing").starts_with("t: no template in it"));
}

TEST(Template, RefusesColumnsTheDataDoNotHave) {
  const Template parsed = Template::parse({"U:%x[0,1]", "U:%l[0,2]"}, "t");
  EXPECT_NO_THROW(parsed.check_columns(3));
  EXPECT_TRUE(message_of([&] {
                parsed.check_columns(2);
              }).starts_with("t:2: column 2 is out of range: the data have 2 columns"));
}

TEST(Template, StandardOneSuitsAnyNumberOfColumns) {
  for (const int columns : {1, 2, 3, 5}) {
    const Template standard = Template::standard(columns);
    EXPECT_NO_THROW(standard.check_columns(columns));
    Texts lines = standard.text();
    EXPECT_EQ(Template::parse(lines, "t").text(), lines);
    const auto name = [](const std::string& line) { return line.substr(0, line.find('=')); };
    std::transform(lines.begin(), lines.end(), lines.begin(), name);
    std::sort(lines.begin(), lines.end());
    EXPECT_EQ(std::unique(lines.begin(), lines.end()), lines.end()) << "names must differ";
  }
  const std::size_t size = Template::standard(2).lines().size();
  EXPECT_GE(size, 25U);
  EXPECT_LE(size, 45U);
}

}  // namespace
}  // namespace gapwise::internal
