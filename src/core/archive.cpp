#include "core/archive.h"

#include <bit>

namespace gapwise::internal {

static_assert(std::endian::native == std::endian::little,
              "files are little-endian; a big-endian machine needs byte swapping here");

void ByteWriter::raw(const void* data, std::size_t size) {
  bytes_.append(static_cast<const char*>(data), size);
}

void ByteWriter::text(std::string_view s) {
  u64(s.size());
  raw(s.data(), s.size());
}

void ByteWriter::f64s(std::span<const double> values) {
  u64(values.size());
  raw(values.data(), values.size_bytes());
}

void ByteWriter::i64s(std::span<const std::int64_t> values) {
  u64(values.size());
  raw(values.data(), values.size_bytes());
}

ByteReader::ByteReader(std::string_view bytes, std::string where)
    : bytes_(bytes), where_(std::move(where)) {}

void ByteReader::fail(const std::string& what) const {
  throw InputError(where_ + ": " + what);
}

void ByteReader::raw(void* into, std::size_t size) {
  if (size > left()) fail("ends too early at byte " + std::to_string(at_) + "; it is damaged");
  if (size > 0) std::memcpy(into, bytes_.data() + at_, size);
  at_ += size;
}

namespace {

template <class T>
T read(ByteReader& in) {
  T value;
  in.raw(&value, sizeof value);
  return value;
}

}  // namespace

std::uint8_t ByteReader::u8() {
  return read<std::uint8_t>(*this);
}
std::uint32_t ByteReader::u32() {
  return read<std::uint32_t>(*this);
}
std::uint64_t ByteReader::u64() {
  return read<std::uint64_t>(*this);
}
std::int64_t ByteReader::i64() {
  return read<std::int64_t>(*this);
}
double ByteReader::f64() {
  return read<double>(*this);
}

std::size_t ByteReader::count(std::size_t min_bytes_each) {
  const std::uint64_t announced = u64();
  if (announced > left() / min_bytes_each) {
    fail("announces " + std::to_string(announced) + " items at byte " + std::to_string(at_ - 8) +
         " but only " + std::to_string(left()) + " bytes follow; it is damaged");
  }
  return static_cast<std::size_t>(announced);
}

std::string ByteReader::text() {
  std::string s(count(1), '\0');
  raw(s.data(), s.size());
  return s;
}

std::vector<double> ByteReader::f64s() {
  std::vector<double> values(count(sizeof(double)));
  raw(values.data(), values.size() * sizeof(double));
  return values;
}

std::vector<std::int64_t> ByteReader::i64s() {
  std::vector<std::int64_t> values(count(sizeof(std::int64_t)));
  raw(values.data(), values.size() * sizeof(std::int64_t));
  return values;
}

void ByteReader::f64s(std::span<double> into) {
  const std::size_t found = count(sizeof(double));
  if (found != into.size()) {
    fail("holds " + std::to_string(found) + " numbers where " + std::to_string(into.size()) +
         " were expected");
  }
  raw(into.data(), into.size_bytes());
}

void ByteReader::expect_end() const {
  if (left() > 0) fail("has " + std::to_string(left()) + " bytes too many; it is damaged");
}

}  // namespace gapwise::internal
