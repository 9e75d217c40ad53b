#define XXH_INLINE_ALL
#include <fmt/format.h>
#include <xxhash.h>

#include <algorithm>
#include <array>
#include <limits>

#include "core/archive.h"
#include "gapwise/errors.h"
#include "io/files.h"

namespace gapwise::internal {

namespace {

constexpr std::string_view kMagic = "GAPWISE\x1a";
constexpr std::uint32_t kFormatVersion = 1;
constexpr std::size_t kHeaderSize = 8 + 4 + 4 + 8;
constexpr std::size_t kChecksumSize = 8;

struct KindWords {
  std::string_view name;
  std::string_view use;
};
/// In the order of FileKind.
constexpr std::array<KindWords, 4> kKinds{{
    {"model", "a model is for 'predict', 'evaluate' and 'inspect'"},
    {"checkpoint", "go on with it by \1resume"},
    {"proof", "a proof is for 'verify', by \1proof"},
    {"path", "give it as \1path with a \1lambda"},
}};

const KindWords& words_of(FileKind kind) {
  return kKinds[static_cast<std::size_t>(kind) - static_cast<std::size_t>(FileKind::kModel)];
}

std::uint64_t checksum(std::string_view bytes) {
  return XXH3_64bits(bytes.data(), bytes.size());
}

struct Header {
  std::uint32_t version = 0;
  std::uint32_t kind = 0;
  std::uint64_t payload_size = 0;
};

/// Reads the header out of the first bytes of a file.
Header read_header(FileKind expected, std::string_view bytes, const std::string& name) {
  if (bytes.empty())
    throw InputError(fmt::format("{}: is empty; expected a {}", name, words_of(expected).name));
  if (!kMagic.starts_with(bytes.substr(0, kMagic.size()))) {
    throw InputError(
        fmt::format("{}: is not a gapwise file; expected a {} written by gapwise train", name,
                    words_of(expected).name));
  }
  if (bytes.size() < kHeaderSize) {
    throw InputError(
        fmt::format("{}: is cut short: {} bytes found, and the header alone has {}; "
                    "copy it again or train again",
                    name, bytes.size(), kHeaderSize));
  }
  ByteReader in(bytes.substr(kMagic.size()), name);
  Header header;
  header.version = in.u32();
  header.kind = in.u32();
  header.payload_size = in.u64();
  return header;
}

std::uint64_t announced_size(const Header& header) {
  const std::uint64_t around = kHeaderSize + kChecksumSize;
  const std::uint64_t most = std::numeric_limits<std::uint64_t>::max();
  return around + std::min(header.payload_size, most - around);
}

/// Length and checksum come before any meaning, so that damage is never mistaken for something
/// else. They lie where they lie in every format version.
void check_intact(const Header& header, std::string_view bytes, const std::string& name) {
  const std::size_t found = bytes.size();
  const std::uint64_t announced = announced_size(header);
  if (found < announced) {
    throw InputError(fmt::format(
        "{}: is cut short: {} bytes found where {} were announced; copy it again or train again",
        name, found, announced));
  }
  if (found > announced) {
    throw InputError(fmt::format(
        "{}: is too long: it goes on after the {} bytes that were announced; copy it again or "
        "train again",
        name, announced));
  }
  ByteReader tail(bytes.substr(found - kChecksumSize), name);
  if (tail.u64() != checksum(bytes.substr(0, found - kChecksumSize))) {
    throw InputError(
        fmt::format("{}: is damaged: its checksum does not fit its {} bytes; copy it "
                    "again or train again",
                    name, found));
  }
}

void check_meaning(FileKind expected, const Header& header, const std::string& name) {
  if (header.version != kFormatVersion) {
    throw InputError(
        fmt::format("{}: has format version {}; gapwise {} reads version {}: use the "
                    "release that wrote it, or a newer one",
                    name, header.version, GAPWISE_VERSION, kFormatVersion));
  }
  if (header.kind == static_cast<std::uint32_t>(expected)) return;
  const bool is_known = header.kind >= static_cast<std::uint32_t>(FileKind::kModel) &&
                        header.kind <= static_cast<std::uint32_t>(FileKind::kPath);
  if (!is_known) {
    throw InputError(fmt::format("{}: holds something of kind {}; expected a {}", name, header.kind,
                                 words_of(expected).name));
  }
  const auto found = static_cast<FileKind>(header.kind);
  throw InputError(fmt::format("{}: is a {}, expected a {}; {}", name, words_of(found).name,
                               words_of(expected).name, words_of(found).use));
}

}  // namespace

std::string seal(FileKind kind, std::string_view payload) {
  ByteWriter out;
  out.raw(kMagic.data(), kMagic.size());
  out.u32(kFormatVersion);
  out.u32(static_cast<std::uint32_t>(kind));
  out.u64(payload.size());
  out.raw(payload.data(), payload.size());
  out.u64(checksum(out.bytes()));
  return out.take();
}

std::string_view unseal(FileKind kind, std::string_view bytes, const std::string& name) {
  const Header header = read_header(kind, bytes, name);
  check_intact(header, bytes, name);
  check_meaning(kind, header, name);
  return bytes.substr(kHeaderSize, static_cast<std::size_t>(header.payload_size));
}

std::string read_sealed(FileKind kind, const std::string& path) {
  return read_sealed(kind, path, {});
}

namespace {

/// How long the file should be, by its first bytes.
std::uint64_t check_head(FileKind kind, std::string_view bytes, const std::string& name,
                         const PayloadHead& head) {
  const Header header = read_header(kind, bytes, name);
  if (head.accept) {
    check_meaning(kind, header, name);
    head.accept(bytes.substr(kHeaderSize));
  }
  return announced_size(header);
}

}  // namespace

void check_sealed_head(FileKind kind, const std::string& path, const PayloadHead& head) {
  read_file(path, kHeaderSize + head.size, [&](std::string_view bytes) {
    check_head(kind, bytes, path, head);
    return std::uint64_t{0};
  });
}

std::string read_sealed(FileKind kind, const std::string& path, const PayloadHead& head) {
  std::string bytes = read_file(path, kHeaderSize + head.size, [&](std::string_view first) {
    return check_head(kind, first, path, head);
  });
  const std::size_t payload_size = unseal(kind, bytes, path).size();
  bytes.resize(kHeaderSize + payload_size);
  bytes.erase(0, kHeaderSize);
  return bytes;
}

}  // namespace gapwise::internal
