#include "tasks/sequence/template.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "tasks/sequence/reading.h"

namespace gapwise::internal {
namespace {

/// Two columns: He/PRP likes/VBZ McGill/NNP.
ColumnTable small_table() {
  ColumnTable table;
  for (const auto& [word, tag] :
       {std::pair{"He", "PRP"}, std::pair{"likes", "VBZ"}, std::pair{"McGill", "NNP"}}) {
    table.add_cell(word);
    table.add_cell(tag);
    table.end_row();
  }
  return table;
}

Texts names(const Expansion& expansion) {
  Texts result;
  std::size_t begin = 0;
  for (const std::size_t end : expansion.ends) {
    result.push_back(expansion.text.substr(begin, end - begin));
    begin = end;
  }
  return result;
}

Texts expand(const Texts& lines, std::size_t row) {
  const ColumnTable table = small_table();
  TemplateExpander expander(Template::parse(lines, "t"), 2);
  expander.set_table(table);
  Expansion expansion;
  expander.expand(row, expansion);
  return names(expansion);
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
