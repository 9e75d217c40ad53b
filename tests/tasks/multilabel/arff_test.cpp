#include "tasks/multilabel/arff.h"

#include <gtest/gtest.h>

#include <chrono>

#include "support/reading.h"
#include "tasks/multilabel/mulan_labels.h"

namespace gapwise::internal {
namespace {

/// Rows as "0=1.5 2=?": attribute and text.
struct File {
  std::vector<ArffAttribute> attributes;
  Texts rows;
};

File read(const std::string& bytes) {
  ScratchFolder folder;
  write_file(folder.path("data"), bytes);
  LineReader lines(folder.path("data"));
  ArffReader reader(lines);
  File file{reader.attributes(), {}};
  std::vector<ArffCell> cells;
  while (reader.read(cells)) {
    std::string row;
    for (const ArffCell& cell : cells) {
      if (!row.empty()) row += " ";
      row +=
          std::to_string(cell.attribute) + "=" + cell.text + (cell.is_missing ? "(missing)" : "");
    }
    file.rows.push_back(row);
  }
  return file;
}

std::string complaint(const std::string& bytes) {
  const std::string message = message_of([&] { read(bytes); });
  return message.substr(std::min(message.size(), message.find("data:")));
}

const std::string kHeader =
    "% a comment\n@RELATION 'x y'\n\n@attribute size numeric\n@Attribute 'a b' {red, 'dark blue'}\n"
    "@attribute on {0,1}\n@data\n";

TEST(Arff, ReadsAttributes) {
  const File file = read(kHeader);
  ASSERT_EQ(file.attributes.size(), 3U);
  EXPECT_EQ(file.attributes[0].name, "size");
  EXPECT_TRUE(file.attributes[0].is_numeric);
  EXPECT_EQ(file.attributes[1].name, "a b");
  EXPECT_FALSE(file.attributes[1].is_numeric);
  EXPECT_EQ(file.attributes[1].values.names(), (Texts{"red", "dark blue"}));
  EXPECT_EQ(file.attributes[2].values.names(), (Texts{"0", "1"}));
  EXPECT_TRUE(file.rows.empty());
}

TEST(Arff, ManyValuesTakeNoLongerEachThanFew) {
  std::string header = "@relation x\n@attribute a {v0";
  for (int k = 1; k < 300'000; ++k) header += ",v" + std::to_string(k);
  const auto began = std::chrono::steady_clock::now();
  const File file = read(header + "}\n@data\nv299999\n");
  const std::chrono::duration<double> took = std::chrono::steady_clock::now() - began;
  EXPECT_EQ(file.attributes[0].values.size(), 300'000U);
  EXPECT_LT(took.count(), 5.0);
}

TEST(Arff, ReadsDenseAndSparseRows) {
  const std::string text = kHeader +
                           "1.5,red,0\n\n% more\n -2 , 'dark blue' ,1\r\n?,'?',0\n"
                           "{0 3,2 1}\n{}\n{1 'dark blue'}\n{ 2 ? }\n";
  const Texts rows{"0=1.5 1=red 2=0", "0=-2 1=dark blue 2=1", "0=?(missing) 1=? 2=0", "0=3 2=1", "",
                   "1=dark blue",     "2=?(missing)"};
  EXPECT_EQ(read(text).rows, rows);
  EXPECT_EQ(read(gzip(text)).rows, rows);
}

TEST(Arff, UnderstandsQuotesAndEscapes) {
  const File file = read("@attribute \"it's\" real\n@attribute 'a\\'b\\\\' integer\n@data\n1,2\n");
  EXPECT_EQ(file.attributes[0].name, "it's");
  EXPECT_EQ(file.attributes[1].name, "a'b\\");
  for (const char* text : {"plain", "a b", "it's", "a,b", "back\\slash", "", "?", "{x}"}) {
    EXPECT_EQ(read("@attribute " + arff_word(text) + " real\n@data\n").attributes[0].name, text);
  }
  EXPECT_EQ(arff_word("plain"), "plain");
}

TEST(Arff, IsRecognisedByItsFirstLine) {
  EXPECT_TRUE(looks_like_arff("% c\n\r\n@RELATION x\n"));
  EXPECT_TRUE(looks_like_arff("  @attribute a real"));
  EXPECT_FALSE(looks_like_arff("1,2 1:0.5\n@data\n"));
  EXPECT_FALSE(looks_like_arff("@relations\n"));
  EXPECT_FALSE(looks_like_arff(""));
  EXPECT_FALSE(looks_like_arff("% only a comment"));
}

TEST(Arff, RefusesBadHeaders) {
  EXPECT_EQ(complaint(""),
            "data: has no @data line; expected lines '@attribute NAME TYPE', then '@data', then a "
            "row of values on each line");
  EXPECT_EQ(complaint("@data\n1\n"), "data:1: there are no attributes before @data; declare them");
  EXPECT_EQ(complaint("@attribute\n"),
            "data:1: the attribute has no name; expected '@attribute NAME TYPE'");
  EXPECT_EQ(complaint("@attribute a real\n@attribute a real\n@data\n"),
            "data:2: attribute 'a' is declared twice; rename or leave out one of them");
  EXPECT_EQ(complaint("@attribute a string\n"),
            "data:1: attribute 'a' has type 'string', expected numeric, real, integer or values in "
            "braces; turn it into one of these or leave it out");
  EXPECT_EQ(complaint("@attribute a {x,,y}\n"),
            "data:1: attribute 'a' has an empty value; separate its values by commas");
  EXPECT_EQ(complaint("@attribute a {x,x}\n"),
            "data:1: attribute 'a' has the value 'x' twice; leave one of the two out");
  EXPECT_EQ(complaint("@attribute a {x y}\n"),
            "data:1: the values of attribute 'a' must end in a closing brace, found 'y}'");
  EXPECT_EQ(complaint("@attribute 'a real\n"),
            "data:1: the quote ' is never closed; close it on the same line");
  EXPECT_EQ(complaint("hello\n").substr(0, 44), "data:1: 'hello' is no line of an ARFF header");
}

TEST(Arff, RefusesBadRows) {
  const auto row = [](const std::string& text) { return complaint(kHeader + text + "\n"); };
  EXPECT_EQ(row("1,red"), "data:8: the row has 2 values, expected 3, one for each attribute");
  EXPECT_EQ(row("1,red,0,1"),
            "data:8: the row has more values, expected 3, one for each attribute");
  EXPECT_EQ(row("1 2,red,0"),
            "data:8: the row has 1 values and then '2,red,0', expected 3, one for each attribute");
  EXPECT_EQ(row("1,,0"), "data:8: value 2 of the row is empty; write ? for a missing one");
  for (const char* number : {"3", "-1", "x", "1.0", "99999999999999999999"}) {
    EXPECT_EQ(
        row(std::string("{") + number + " 1}"),
        std::string("data:8: attribute number '") + number + "' is not a whole number from 0 to 2");
  }
  EXPECT_EQ(row("{1 red,0 1}"),
            "data:8: attribute 0 comes after 1; list each once, in increasing order");
  EXPECT_EQ(row("{1 red,1 red}"),
            "data:8: attribute 1 comes after 1; list each once, in increasing order");
  EXPECT_EQ(row("{1}"), "data:8: attribute 1 has no value; expected '{number value, ...}'");
  EXPECT_EQ(row("{0 1 2 1}"), "data:8: found '2 1}' where a comma or a closing brace was expected");
  EXPECT_EQ(row("{0 1"), "data:8: found '' where a comma or a closing brace was expected");
  EXPECT_EQ(row("{0 1}, {5}"), "data:8: ', {5}' follows the closing brace; take it away");
}

Texts label_names(const std::string& bytes) {
  ScratchFolder folder;
  write_file(folder.path("data"), bytes);
  return read_label_names(folder.path("data"));
}

std::string label_complaint(const std::string& bytes) {
  const std::string message = message_of([&] { label_names(bytes); });
  return message.substr(std::min(message.size(), message.find("data:")));
}

TEST(MulanLabels, ReadsNamesInTheirOrder) {
  EXPECT_EQ(label_names("<?xml version=\"1.0\" encoding=\"utf-8\"?>\n"
                        "<labels xmlns=\"http://mulan.sourceforge.net/labels\">\n"
                        "<label name=\"b\"></label>\n<!-- <label name=\"c\"/> -->\n"
                        "<label\n  name='a &lt;&amp;&quot;' />\n</labels>\n"),
            (Texts{"b", "a <&\""}));
  EXPECT_EQ(label_names("<labels><label name=\"x\"><label name=\"y\"/></label></labels>"),
            (Texts{"x", "y"}));
  EXPECT_EQ(label_names("<?xml version='1.0' encoding='iso-8859-1'?>"
                        "<labels><label name='\xe4\t&#65;'/></labels>"),
            (Texts{"\xe4\tA"}))
      << "bytes stay as they are";
}

TEST(MulanLabels, KeepsWithinItsLimits) {
  const std::string bomb =
      "<!DOCTYPE labels [<!ENTITY a \"aaaa\"><!ENTITY b \"&a;&a;&a;&a;\">]>\n"
      "<labels><label name='&b;'/></labels>";
  EXPECT_EQ(label_complaint(bomb),
            "data:1: document types are not understood; take the declaration out");
  EXPECT_EQ(label_names("<labels><label name='&b;'/></labels>"), (Texts{"&b;"}))
      << "entities that XML does not have are never expanded";
  std::string deep = "<labels>\n";
  for (int k = 0; k < 100'000; ++k) deep += "<label name='" + std::to_string(k) + "'>";
  EXPECT_EQ(label_complaint(deep), "data:2: labels stand in each other more than 1000 deep");
  std::string many = "<labels>\n";
  for (int k = 0; k <= 10'000; ++k) many += "<label name='" + std::to_string(k) + "'/>\n";
  EXPECT_TRUE(label_complaint(many + "</labels>")
                  .starts_with("data:10002: label '10000' is one more than the 10000"));
  const std::string line(std::size_t{1} << 20, ' ');
  std::string large;
  for (int k = 0; k < 64; ++k) large += line + "\n";
  EXPECT_TRUE(label_complaint(gzip(large)).starts_with("data:64: the list of labels has more"));
}

TEST(MulanLabels, RefusesWhatIsNoListOfLabels) {
  const std::string form = "; expected '<labels><label name=\"...\"/>...</labels>'";
  EXPECT_EQ(label_complaint(""), "data: there are no labels" + form);
  EXPECT_EQ(label_complaint("<labels>\n</labels>\n"), "data: there are no labels" + form);
  EXPECT_EQ(label_complaint("a\n"), "data:1: text between the tags" + form);
  EXPECT_EQ(label_complaint("<label name='a'/>"), "data:1: '<label>' does not belong here" + form);
  EXPECT_EQ(label_complaint("<labels/>\n<labels/>"),
            "data:2: '<labels>' does not belong here" + form);
  EXPECT_EQ(label_complaint("<labels>\n<label/></labels>"),
            "data:2: a label without a name" + form);
  EXPECT_EQ(label_complaint("<labels><label name='a'/><label name='a'/></labels>"),
            "data:1: label 'a' comes twice; leave one of the two out");
  EXPECT_EQ(label_complaint("<labels><label name=''/></labels>"),
            "data:1: a label has an empty name");
  EXPECT_EQ(label_complaint("<labels>\n<label name='a'/>"),
            "data:2: an element is never closed, or closed by the tag of another one");
  EXPECT_EQ(label_complaint("<labels></label>"),
            "data:1: an element is never closed, or closed by the tag of another one");
  EXPECT_EQ(label_complaint("<labels><label name=a/></labels>"),
            "data:1: an attribute of a tag is not of the form name=\"value\"");
  EXPECT_EQ(label_complaint("<labels><label name='a"),
            "data:1: an attribute of a tag is not of the form name=\"value\"");
  EXPECT_EQ(label_complaint("<!-- x"), "data:1: '<!--' is never closed");
  EXPECT_EQ(label_complaint("<!DOCTYPE x>"),
            "data:1: document types are not understood; take the declaration out");
  EXPECT_EQ(label_complaint("<labels <"), "data:1: a tag does not end in '>'");
  EXPECT_EQ(label_complaint("<labels>\n<>"), "data:2: a tag is broken; is this really XML?");
  EXPECT_EQ(label_complaint("<labels>\n<label/>"), "data:2: a label without a name" + form)
      << "though it is not closed either";
  EXPECT_EQ(label_complaint("<labels>\n<![CDATA[x]]></labels>"),
            "data:2: text between the tags" + form);
}

}  // namespace
}  // namespace gapwise::internal
