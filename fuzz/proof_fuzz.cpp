// A proof of any bytes is either refused with an InputError or read as a proof that survives being
// written and read again.

#include "app/proof/proof_record.h"
#include "sealed.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace gapwise::internal;
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  fuzz::check_sealed(FileKind::kProof, bytes, [](std::string_view payload) {
    return encode_proof(decode_proof(payload, "fuzz"));
  });
  return 0;
}
