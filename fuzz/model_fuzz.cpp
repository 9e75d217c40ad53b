// A model file of any bytes is either refused with an InputError or read as a model that survives
// being written and read again.

#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "gapwise/errors.h"
#include "io/files.h"
#include "io/model_record.h"

namespace {

constexpr std::uint64_t kMaxFuzzDimension = 1'000'000;

void check_payload(std::string_view payload) {
  const gapwise::internal::ModelRecord model =
      gapwise::internal::decode_model(payload, "fuzz", kMaxFuzzDimension);
  const std::string again = gapwise::internal::encode_model(model);
  if (gapwise::internal::encode_model(gapwise::internal::decode_model(again, "fuzz")) != again)
    std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  try {
    check_payload(gapwise::internal::unseal(gapwise::internal::FileKind::kModel, bytes, "fuzz"));
  } catch (const gapwise::InputError&) {
  }
  try {  // past the checksum, where a fuzzer seldom gets
    check_payload(bytes);
  } catch (const gapwise::InputError&) {
  }
  return 0;
}
