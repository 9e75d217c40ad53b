#include "app/checkpoint.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "core/archive.h"
#include "io/deflate.h"
#include "io/files.h"

namespace gapwise::internal {
namespace {

/// Changes whenever the state of a run is written in another way.
constexpr std::uint32_t kLayout = 5;
constexpr std::size_t kVersionSize = 16;
constexpr std::size_t kStampSize = sizeof(std::uint32_t) + kVersionSize + sizeof(std::uint64_t);
/// No zlib stream unpacks to more than this many times its size.
constexpr std::uint64_t kMostUnpacked = 1032;

/// What stands before the packed bytes: who wrote them, and how many there are when unpacked.
std::string make_stamp(std::uint64_t unpacked_size) {
  static_assert(std::string_view(GAPWISE_VERSION).size() <= kVersionSize);
  std::string version(GAPWISE_VERSION);
  version.resize(kVersionSize, '\0');
  ByteWriter out;
  out.u32(kLayout);
  out.raw(version.data(), version.size());
  out.u64(unpacked_size);
  return out.take();
}

/// The unpacked size. A run goes on bit for bit only in the program that began it.
std::uint64_t check_stamp(std::string_view stamp, const std::string& path) {
  ByteReader in(stamp, path);
  const std::uint32_t layout = in.u32();
  std::string version(kVersionSize, '\0');
  in.raw(version.data(), version.size());
  version.resize(std::min(version.find('\0'), version.size()));
  if (layout != kLayout || version != GAPWISE_VERSION) {
    const auto is_plain = [](char c) { return c > ' ' && c < '\x7f'; };
    const bool has_name = !version.empty() && std::all_of(version.begin(), version.end(), is_plain);
    in.fail(
        fmt::format("was made by {}, this is gapwise {} (layout {}); resume it with the program "
                    "that made it, or start a new run",
                    has_name ? fmt::format("gapwise {} (layout {})", version, layout)
                             : "another version of gapwise",
                    GAPWISE_VERSION, kLayout));
  }
  return in.u64();
}

/// Looks at the stamp before the rest of the file is read; what is cut short is told later.
PayloadHead stamp_head(const std::string& path) {
  return {kStampSize, [path](std::string_view head) {
            if (head.size() == kStampSize) check_stamp(head, path);
          }};
}

std::string read_unpacked(const std::string& path) {
  const std::string payload = read_sealed(FileKind::kCheckpoint, path, stamp_head(path));
  const std::string_view bytes = payload;
  const std::uint64_t size = check_stamp(bytes.substr(0, kStampSize), path);
  const std::string_view packed = bytes.substr(kStampSize);
  if (size / kMostUnpacked > packed.size()) {
    ByteReader(packed, path).fail("announces more than its bytes can hold; it is damaged");
  }
  return inflate_bytes(packed, size, path);
}

CheckpointNotes read_notes(ByteReader& in) {
  CheckpointNotes notes;
  for (std::size_t left = in.count(2 * sizeof(std::uint64_t)); left > 0; --left) {
    std::string name = in.text();
    notes.task_options[std::move(name)] = in.text();
  }
  for (std::size_t left = in.count(sizeof(std::uint64_t)); left > 0; --left) {
    notes.trace.push_back(in.text());
  }
  return notes;
}

}  // namespace

void check_same_options(const std::string& path, const std::map<std::string, std::string>& saved,
                        const std::map<std::string, std::string>& now) {
  const auto words = [](const std::string& value) { return value.empty() ? "not set" : value; };
  const auto value_in = [](const auto& options, const std::string& name) {
    const auto found = options.find(name);
    return found == options.end() ? std::string() : found->second;
  };
  const auto check = [&](const std::string& name) {
    const std::string before = value_in(saved, name);
    const std::string after = value_in(now, name);
    if (before == after) return;
    throw InputError(fmt::format(
        "{}: was made with \1{} {}, this run has {}; give the same value, or start without "
        "\1resume",
        path, name, words(before), words(after)));
  };
  check("task");  // before the options, which another task has not
  for (const auto& [name, value] : saved) check(name);
  for (const auto& [name, value] : now) check(name);
}

std::string checkpoint_bytes(const CheckpointNotes& notes, const Snapshot& run) {
  ByteWriter out;
  out.u64(notes.task_options.size());
  for (const auto& [name, value] : notes.task_options) {
    out.text(name);
    out.text(value);
  }
  out.u64(notes.trace.size());
  for (const std::string& line : notes.trace) out.text(line);
  const std::string state = run.state();
  out.raw(state.data(), state.size());
  return out.take();
}

std::string seal_checkpoint(std::string_view bytes) {
  return seal(FileKind::kCheckpoint, make_stamp(bytes.size()) + deflate_bytes(bytes));
}

void save_checkpoint(const std::string& path, const CheckpointNotes& notes, const Snapshot& run) {
  write_file(path, seal_checkpoint(checkpoint_bytes(notes, run)));
}

void check_checkpoint(const std::string& path) {
  std::error_code ignored;
  if (std::filesystem::is_regular_file(path, ignored)) {
    return check_sealed_head(FileKind::kCheckpoint, path, stamp_head(path));
  }
  if (std::filesystem::exists(path, ignored)) return;  // perhaps a pipe, which is read only once
  throw InputError(fmt::format(
      "{}: there is no such checkpoint; leave out \1resume to start from the beginning", path));
}

CheckpointNotes read_checkpoint_notes(const std::string& path) {
  const std::string bytes = read_unpacked(path);
  ByteReader in(bytes, path);
  return read_notes(in);
}

CheckpointNotes resume(const std::string& path,
                       const std::map<std::string, std::string>& task_options, Training& training,
                       Ranks* ranks) {
  std::string bytes;
  if (ranks == nullptr || ranks->leads()) bytes = read_unpacked(path);
  if (ranks != nullptr) bytes = ranks->share(Meeting::kResume, bytes);
  ByteReader in(bytes, path);
  CheckpointNotes notes = read_notes(in);
  check_same_options(path, notes.task_options, task_options);
  training.restore(in.rest(), path);
  return notes;
}

}  // namespace gapwise::internal
