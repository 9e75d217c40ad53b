#include "app/proof/proof_record.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

#include <cmath>

#include "core/archive.h"
#include "io/model_record.h"
#include "io/varint.h"

namespace gapwise::internal {
namespace {

constexpr std::uint32_t kVersion = 1;
/// Counts up to this are written as whole numbers.
constexpr double kLargestCount = 1e9;

double read_finite(ByteReader& in, const char* what) {
  const double value = in.f64();
  if (!std::isfinite(value)) in.fail(std::string("holds a ") + what + " that is not finite");
  return value;
}

/// A whole number v as 4 |v|, plus 2 if it is negative; 1 stands before any other number.
void write_value(double value, ByteWriter& out) {
  const bool is_whole = std::trunc(value) == value && std::abs(value) < kLargestCount;
  if (!is_whole) {
    out.u8(1);
    return out.f64(value);
  }
  write_varint(out, 4 * static_cast<std::uint64_t>(std::abs(value)) + (value < 0.0 ? 2 : 0));
}

double read_value(ByteReader& in) {
  const std::uint64_t code = read_varint(in);
  if (code % 2 == 1) return read_finite(in, "part or weight");
  const auto size = static_cast<double>(code / 4);
  return code % 4 == 2 ? -size : size;
}

void write_parts(const Parts& parts, ByteWriter& out) {
  write_varint(out, parts.size());
  Index last = -1;
  for (const Part& part : parts) {
    write_varint(out, static_cast<std::uint64_t>(part.id - last - 1));
    write_value(part.value, out);
    last = part.id;
  }
}

void read_parts(ByteReader& in, Parts& parts) {
  Index last = -1;
  for (std::uint64_t left = read_varint(in); left > 0; --left) {
    const std::uint64_t gap = read_varint(in);
    if (gap >= kMaxDimension || last >= static_cast<Index>(kMaxDimension)) {
      in.fail("names a part or a weight that there cannot be");
    }
    last += static_cast<Index>(gap) + 1;
    parts.append(last, read_value(in));
  }
}

}  // namespace

std::string encode_proof(const ProofRecord& proof) {
  ByteWriter out;
  out.u32(kVersion);
  out.text(proof.task);
  out.u64(proof.fingerprint);
  out.u64(proof.model);
  out.u8(static_cast<std::uint8_t>(proof.objective));
  out.f64(proof.lambda);
  out.i64(proof.dimension);
  out.text(proof.nonnegative);
  out.f64(proof.primal);
  out.f64(proof.dual);
  write_parts(proof.w, out);
  out.u64(proof.outputs.size());
  for (const auto& outputs : proof.outputs) {
    write_varint(out, outputs.size());
    for (const WeightedOutput& output : outputs) {
      out.f64(output.weight);
      write_parts(output.parts, out);
    }
  }
  return out.take();
}

ProofRecord decode_proof(std::string_view payload, const std::string& source) {
  ByteReader in(payload, source);
  if (in.u32() != kVersion) in.fail("was made by another version of gapwise; verify it with that");
  ProofRecord proof;
  proof.task = in.text();
  proof.fingerprint = in.u64();
  proof.model = in.u64();
  const std::uint8_t objective = in.u8();
  if (objective > static_cast<std::uint8_t>(Objective::kL2)) in.fail("is of an unknown objective");
  proof.objective = static_cast<Objective>(objective);
  proof.lambda = read_finite(in, "lambda");
  proof.dimension = in.i64();
  proof.nonnegative = in.text();
  proof.primal = read_finite(in, "primal");
  proof.dual = read_finite(in, "dual");
  read_parts(in, proof.w);
  proof.outputs.resize(in.count(1));
  for (auto& outputs : proof.outputs) {
    for (std::uint64_t left = read_varint(in); left > 0; --left) {
      WeightedOutput& output = outputs.emplace_back();
      output.weight = read_finite(in, "multiplier");
      read_parts(in, output.parts);
    }
  }
  in.expect_end();
  return proof;
}

std::uint64_t checksum_of_model(std::string_view payload) {
  return XXH3_64bits(payload.data(), payload.size());
}

}  // namespace gapwise::internal
