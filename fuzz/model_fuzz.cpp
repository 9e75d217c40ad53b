// A model file of any bytes is either refused with an InputError or read as a model that survives
// being written and read again.

#include "io/model_record.h"
#include "sealed.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace gapwise::internal;
  constexpr std::uint64_t kMaxFuzzDimension = 1'000'000;
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  fuzz::check_sealed(FileKind::kModel, bytes, [](std::string_view payload) {
    return encode_model(decode_model(payload, "fuzz", kMaxFuzzDimension));
  });
  return 0;
}
