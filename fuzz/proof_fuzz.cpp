// A proof of any bytes is either refused with an InputError or read as a proof that survives being
// written and read again.

#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "app/proof/proof_record.h"
#include "gapwise/errors.h"
#include "io/files.h"

namespace {

void check_payload(std::string_view payload) {
  const std::string again =
      gapwise::internal::encode_proof(gapwise::internal::decode_proof(payload, "fuzz"));
  if (gapwise::internal::encode_proof(gapwise::internal::decode_proof(again, "fuzz")) != again)
    std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  try {
    check_payload(gapwise::internal::unseal(gapwise::internal::FileKind::kProof, bytes, "fuzz"));
  } catch (const gapwise::InputError&) {
  }
  try {  // past the checksum, where a fuzzer seldom gets
    check_payload(bytes);
  } catch (const gapwise::InputError&) {
  }
  return 0;
}
