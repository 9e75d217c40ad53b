#include <fmt/format.h>

#include <filesystem>
#include <sstream>

#include "demo/demo_data.h"
#include "io/files.h"
#include "run/outputs.h"
#include "run/training.h"
#include "shell/command.h"
#include "verbs/model_input.h"

namespace gapwise::internal::cli {
namespace {

constexpr int kWords = 1000;
constexpr int kTestFolds = 2;  // 0 and 1, of ten
constexpr const char* kTestFoldNames = "0-1";
constexpr std::size_t kMostLettersShown = 7;  // in 80 columns

/// The word as the shell must see it.
std::string quoted(const std::string& word) {
  if (word.find_first_of(" \t\n'\"\\$&;|<>()*?[]#~`!{}") == std::string::npos) return word;
  std::string out = "'";
  for (const char c : word) out += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return out + "'";
}

std::vector<DrawnWord> test_words(const std::vector<DrawnWord>& words) {
  std::vector<DrawnWord> chosen;
  for (const DrawnWord& word : words) {
    if (word.fold < kTestFolds) chosen.push_back(word);
  }
  return chosen;
}

std::size_t count_wrong(const std::string& truth, const std::string& guess) {
  std::size_t wrong = 0;
  for (std::size_t t = 0; t < truth.size(); ++t) wrong += truth[t] != guess[t] ? 1 : 0;
  return wrong;
}

/// The predicted letters, word by word, out of the lines `word_id position fold letter bits`.
std::vector<std::string> parse_predictions(const std::string& text) {
  std::vector<std::string> words;
  std::istringstream in(text);
  std::string id, position, fold, letter, bits;
  while (in >> id >> position >> fold >> letter >> bits) {
    if (position == "1") words.emplace_back();
    words.back() += letter;
  }
  return words;
}

class Demo : public Command {
 public:
  OptionTable rows() override {
    return {option("output", folder_, "DIR", "where to put the data, the model and the trace"),
            option("seed", seed_, "N", "seed of the data"), threads_row(threads_),
            flag("quiet", quiet_, "no progress on standard error")};
  }

  void run(const std::set<std::string>&) override {
    make_folder("output", folder_);
    check_output("output", place("words.txt"));
    const std::vector<DrawnWord> words = draw_words(kWords, seed_);
    write_file(place("words.txt"), to_letters_format(words));
    fmt::print("{} words, drawn letter by letter as noisy 16x8 pictures, are in\n{}.\n", kWords,
               place("words.txt"));
    fmt::print("Learning to read them from {} and testing on the other {}.\n\n",
               kWords - std::ssize(test_words(words)), std::ssize(test_words(words)));
    std::fflush(stdout);

    const Trained trained = train();
    fmt::print("{}\n", to_table(trained.figures, {place("words.model"), place("words.jsonl"), ""}));
    if (trained.failure) throw InputError(*trained.failure);
    write_report(trained);
    if (trained.figures.status != StopReason::kInterrupted) {
      show_mistakes(test_words(words), predictions(trained.model));
      show_next_steps();
    }
  }

 private:
  std::string place(const char* file) const {
    return (std::filesystem::path(folder_) / file).string();
  }

  Trained train() const {
    TrainSettings settings;
    settings.data = place("words.txt");
    settings.test_folds = kTestFoldNames;
    settings.model = place("words.model");
    settings.trace = place("words.jsonl");
    settings.quiet = quiet_;
    TrainOptions options;
    options.lambda = Lambda::of(0.05);
    options.relative_gap = 0.01;
    options.max_passes = 10000;
    options.threads = threads_;
    const auto data = read_data(settings);
    return run_training(data, settings, options, data->examples().describe());
  }

  void write_report(const Trained& trained) const {
    ReportInput page;
    page.title = "Reading noisy words";
    ReportWriter report(place("words.html"), {}, std::move(page));
    report.add(trained.lines, trained.figures.solver);
    report.input().model = view_model(trained.model, test_source(), threads_);
    report.write();
    fmt::print("Curves and errors are on the page {}.\n\n", place("words.html"));
  }

  DataSource test_source() const { return {place("words.txt"), "letters", kTestFoldNames}; }

  std::vector<std::string> predictions(const Model& model) const {
    std::string text;
    model.predict(
        test_source(), [&](std::string_view piece) { text += piece; }, threads_);
    return parse_predictions(text);
  }

  static void show_mistakes(const std::vector<DrawnWord>& words,
                            const std::vector<std::string>& guesses) {
    std::size_t letters = 0;
    std::size_t wrong_letters = 0;
    for (std::size_t k = 0; k < words.size(); ++k) {
      letters += words[k].letters.size();
      wrong_letters += count_wrong(words[k].letters, guesses[k]);
    }
    fmt::print("{} of the {} test letters are read wrong.\n\n", wrong_letters, letters);
    int shown = 0;
    for (std::size_t k = 0; k < words.size() && shown < 2; ++k) {
      const DrawnWord& word = words[k];
      const std::size_t wrong = count_wrong(word.letters, guesses[k]);
      if (wrong == 0 || word.letters.size() < 4 || word.letters.size() > kMostLettersShown)
        continue;
      fmt::print("A mistake: '{}' read as '{}'\n{}\n", word.letters, guesses[k],
                 to_picture(word, {word.letters, guesses[k]}));
      ++shown;
    }
  }

  void show_next_steps() const {
    const std::string program = quoted(program_invocation_name);
    const auto file = [&](const char* name) { return quoted(place(name)); };
    fmt::print("Next, try:\n");
    fmt::print("  {} inspect {} --top 3\n", program, file("words.model"));
    fmt::print("  {} evaluate --model {} --data {} --folds {}\n", program, file("words.model"),
               file("words.txt"), kTestFoldNames);
    fmt::print("  {} predict --model {} --data {} --folds 0 --output {}\n", program,
               file("words.model"), file("words.txt"), file("predicted.txt"));
    fmt::print("  {} train --data {} --test-folds {} --lambda 1/n --model {}\n", program,
               file("words.txt"), kTestFoldNames, file("sharper.model"));
    fmt::print("  {} help train\n", program);
  }

  std::string folder_ = "gapwise-demo";
  std::uint64_t seed_ = 4;
  std::optional<Index> threads_;
  bool quiet_ = false;
};

}  // namespace

const MakeCommand make_demo = make_command<Demo>;

}  // namespace gapwise::internal::cli
