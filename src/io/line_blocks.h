#pragma once

#include <exception>
#include <vector>

#include "core/parallel.h"
#include "io/lines.h"

namespace gapwise::internal {

/// Reads all lines in blocks on all threads: `parse(block, found)` takes the lines of a block out
/// of a LineReader and puts what it finds into a `Found`, which `take(found)` gets in the order of
/// the file. What a block complains of goes on when all that was found before it has been taken.
template <class Found, class Parse, class Take>
void read_blocks(LineReader& lines, const Threads& threads, Parse parse, Take take) {
  constexpr std::size_t kBytes = std::size_t{1} << 20;
  struct Work {
    LineBlock block;
    Found found;
    std::exception_ptr failure;
  };
  std::vector<Work> all(2 * static_cast<std::size_t>(threads.count()));
  std::exception_ptr end;  // a source that cannot be read any further
  for (bool has_more = true; has_more && !end;) {
    std::size_t count = 0;
    try {
      while (count < all.size() && (has_more = lines.take(kBytes, all[count].block))) ++count;
    } catch (...) {
      end = std::current_exception();
    }
    threads.run(static_cast<Index>(count), [&](Index first, Index last, int) {
      for (Index k = first; k < last; ++k) {
        Work& work = all[static_cast<std::size_t>(k)];
        work.found = Found();
        try {
          LineReader block(work.block);
          parse(block, work.found);
        } catch (...) {
          work.failure = std::current_exception();
        }
      }
    });
    for (std::size_t k = 0; k < count; ++k) {
      take(all[k].found);
      if (all[k].failure) std::rethrow_exception(all[k].failure);
    }
  }
  if (end) std::rethrow_exception(end);
}

}  // namespace gapwise::internal
