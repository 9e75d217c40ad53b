#pragma once

#include <zlib.h>

#include <string>
#include <vector>

#include "gapwise/core/errors.h"
#include "gapwise/io/files.h"
#include "io/scratch_folder.h"
#include "io/sequence_reader.h"

namespace gapwise::testing {

/// The message of the error of type E that `call` throws.
template <class E = InputError, class Call>
std::string message_of(Call call) {
  try {
    call();
  } catch (const E& error) {
    return error.what();
  }
  return "no error";
}

/// `text` as one gzip member.
inline std::string gzip(const std::string& text) {
  z_stream stream{};
  deflateInit2(&stream, Z_DEFAULT_COMPRESSION, Z_DEFLATED, 16 + MAX_WBITS, 8, Z_DEFAULT_STRATEGY);
  std::string packed(deflateBound(&stream, text.size()) + 64, '\0');
  std::string input = text;
  stream.next_in = reinterpret_cast<Bytef*>(input.data());
  stream.avail_in = static_cast<uInt>(input.size());
  stream.next_out = reinterpret_cast<Bytef*>(packed.data());
  stream.avail_out = static_cast<uInt>(packed.size());
  deflate(&stream, Z_FINISH);
  packed.resize(stream.total_out);
  deflateEnd(&stream);
  return packed;
}

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
  SequenceBuilder builder(lines, result.alphabets);
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

}  // namespace gapwise::testing
