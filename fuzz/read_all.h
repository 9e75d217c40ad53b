#pragma once

#include <sys/mman.h>
#include <unistd.h>

#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "gapwise/core/errors.h"
#include "io/sequence_reader.h"

namespace gapwise::fuzz {

/// A file that lives in memory.
class MemoryFile {
 public:
  explicit MemoryFile(std::string_view bytes) : file_(::memfd_create("fuzz", 0)) {
    if (file_ < 0 ||
        ::write(file_, bytes.data(), bytes.size()) != static_cast<ssize_t>(bytes.size())) {
      std::abort();
    }
  }
  ~MemoryFile() { ::close(file_); }
  MemoryFile(const MemoryFile&) = delete;
  MemoryFile& operator=(const MemoryFile&) = delete;

  std::string path() const { return "/proc/self/fd/" + std::to_string(file_); }

 private:
  int file_;
};

inline void check(bool holds) {
  if (!holds) std::abort();
}

/// Reads `bytes` as training data and again as data for the model that came of it: the second time
/// nothing may be unknown. Anything may be refused, but only by an InputError.
inline void read_all(std::string_view bytes, const ReadPlan& plan) {
  try {
    const MemoryFile file(bytes);
    SequenceAlphabets alphabets;
    LineReader lines(file.path());
    SequenceBuilder builder(lines, alphabets);
    const auto reader = make_sequence_reader(lines, plan);
    while (reader->read(builder)) {
    }
    const SequenceBatch trained = builder.take();

    LineReader again(file.path());
    SequenceBuilder second(again, alphabets, true);
    const auto rereader = make_sequence_reader(again, plan);
    while (rereader->read(second)) {
    }
    const SequenceBatch batch = second.take();
    check(batch.gold == trained.gold && batch.data.labels == trained.data.labels);
    check(batch.data.starts == trained.data.starts);
    check(batch.data.nodes.num_values() == trained.data.nodes.num_values());
    check(batch.data.nodes.num_rows() == batch.gold.size());
    std::string text;
    std::size_t num_places = 0;
    batch.echo.write([&](std::size_t k) { return check(k == num_places++), std::string_view("?"); },
                     text);
    check(num_places == batch.gold.size());
  } catch (const InputError&) {
  }
}

}  // namespace gapwise::fuzz
