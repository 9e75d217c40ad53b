#pragma once

#include "driver.h"
#include "io/files.h"

namespace gapwise::internal::fuzz {

/// `rewrite` reads a payload of some kind of file and writes what it understood. It may refuse any
/// bytes, sealed or not, by an InputError; what it wrote must survive being rewritten.
template <class Rewrite>
void check_sealed(FileKind kind, std::string_view bytes, Rewrite rewrite) {
  const auto check_payload = [&](std::string_view payload) {
    const std::string again = rewrite(payload);
    check(rewrite(again) == again);
  };
  try {
    check_payload(unseal(kind, bytes, "fuzz"));
  } catch (const InputError&) {
  }
  try {  // past the checksum, where a fuzzer seldom gets
    check_payload(bytes);
  } catch (const InputError&) {
  }
}

}  // namespace gapwise::internal::fuzz
