// A part-of-speech tagger that is trained and used in memory: sentences go in token by token, tags
// come out, and no file is read or written.

#include <gapwise/gapwise.h>

#include <cctype>
#include <cstdio>
#include <string>
#include <utility>
#include <vector>

namespace {

using Token = std::pair<std::string, std::string>;  // a word and its tag
using Sentence = std::vector<Token>;

const std::vector<Sentence> kSentences{
    {{"the", "DET"}, {"dog", "NOUN"}, {"runs", "VERB"}},
    {{"a", "DET"}, {"small", "ADJ"}, {"ship", "NOUN"}, {"sails", "VERB"}},
    {{"Mary", "NAME"}, {"ships", "VERB"}, {"the", "DET"}, {"old", "ADJ"}, {"boat", "NOUN"}},
    {{"the", "DET"}, {"run", "NOUN"}, {"tires", "VERB"}, {"John", "NAME"}},
    {{"John", "NAME"}, {"runs", "VERB"}, {"a", "DET"}, {"ship", "NOUN"}},
    {{"the", "DET"}, {"old", "ADJ"}, {"dog", "NOUN"}, {"sees", "VERB"}, {"Mary", "NAME"}},
};

/// What the tagger sees of a word. The label of the word before is no business of ours: weights of
/// transitions between labels are part of the model.
void add_token(const std::string& word, gapwise::ExampleRows& rows) {
  rows.attribute("word=" + word);
  rows.attribute("end=" + word.substr(word.size() - 1));
  if (std::isupper(static_cast<unsigned char>(word[0])) != 0) rows.attribute("capital");
  rows.attribute("length", static_cast<double>(word.size()) / 10.0);
}

}  // namespace

int main() {
  gapwise::ExampleRows rows("sequence");
  for (const Sentence& sentence : kSentences) {
    for (const auto& [word, tag] : sentence) {
      add_token(word, rows);
      rows.label(tag);
      rows.end_row();
    }
    rows.end_example();
  }
  const gapwise::Examples train = rows.finish();

  gapwise::TrainOptions options;
  options.lambda = gapwise::Lambda::of(0.02);
  options.relative_gap = 0.001;
  const gapwise::Fit fit = gapwise::fit(train, options);
  std::printf("%s\n%s, %.2g %% from the best possible model at the most\n",
              train.describe().c_str(), name_of(fit.report.reason).data(),
              100.0 * fit.report.progress.relative_gap().value_or(1.0));

  // New sentences have no labels; words and attributes that the model does not know are ignored.
  const std::vector<std::string> words{"Mary", "sees", "a", "small", "dog"};
  for (const std::string& word : words) {
    add_token(word, rows);
    rows.end_row();
  }
  const std::vector<gapwise::Output> outputs = fit.model.predict(rows.finish());
  for (std::size_t t = 0; t < words.size(); ++t) {
    std::printf("%-6s %s\n", words[t].c_str(), outputs[0].labels[t].c_str());
  }
  const std::vector<std::string> expected{"NAME", "VERB", "DET", "ADJ", "NOUN"};
  return outputs[0].labels == expected ? 0 : 1;
}
