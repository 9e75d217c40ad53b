#pragma once

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "support/reading.h"
#include "tasks/sequence/reader.h"

namespace gapwise::internal {

/// Everything a reader finds in a text, as for training.
struct ReadResult {
  SequenceAlphabets alphabets;
  SequenceBatch batch;
  std::vector<std::string> template_lines;

  std::string label(std::size_t token) const {
    return std::string(alphabets.labels.name(static_cast<std::size_t>(batch.gold[token])));
  }
  /// Names and values, "a" or "a:2", in the order they were added.
  std::vector<std::string> attributes(std::size_t token) const {
    return show(batch.data.nodes.row(token), alphabets.nodes);
  }
  std::vector<std::string> edge_attributes(std::size_t token) const {
    return show(batch.data.edges.row(token), alphabets.edges);
  }
  std::vector<int> lengths() const {
    std::vector<int> result;
    for (Index i = 0; i < batch.data.size(); ++i) result.push_back(batch.data.length(i));
    return result;
  }

 private:
  static std::vector<std::string> show(const FeatureRow& row, const Alphabet& alphabet) {
    std::vector<std::string> names;
    for (std::size_t k = 0; k < row.size; ++k) {
      std::string name = alphabet.display_name(row.attributes[k]);
      if (row.values != nullptr && row.values[k] != 1.0) {
        name += ":" + detail::show_number(row.values[k]);
      }
      names.push_back(std::move(name));
    }
    return names;
  }
};

inline ReadResult read_file_as(const std::string& path, const ReadPlan& plan) {
  LineReader lines(path);
  ReadResult result;
  SequenceBuilder builder(&lines, result.alphabets);
  const auto reader = make_sequence_reader(lines, plan);
  while (reader->read(builder)) {
  }
  result.batch = builder.take();
  result.template_lines = reader->template_lines();
  return result;
}

/// Puts `text` into a file named "data" and reads it.
inline ReadResult read_text(const std::string& text, const ReadPlan& plan) {
  ScratchFolder folder;
  write_file(folder.path("data"), text);
  return read_file_as(folder.path("data"), plan);
}

inline ReadResult read_text(const std::string& text, const std::string& format) {
  ReadPlan plan;
  plan.format = format;
  return read_text(text, plan);
}

/// What reading `text` complains about.
inline std::string complaint(const std::string& text, const std::string& format) {
  return message_of([&] { read_text(text, format); });
}
/// Expects that `part` is part of what reading `text` in one format complains about.
struct ExpectComplaint {
  std::string format;
  void operator()(const std::string& text, const std::string& part) const {
    const std::string message = complaint(text, format);
    EXPECT_NE(message.find(part), std::string::npos) << message;
  }
};

}  // namespace gapwise::internal
