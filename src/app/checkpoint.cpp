#include "app/checkpoint.h"

#include <fmt/format.h>

#include <filesystem>

#include "core/archive.h"
#include "io/files.h"

namespace gapwise::internal {
namespace {

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

void save_checkpoint(const std::string& path, const CheckpointNotes& notes, const Snapshot& run) {
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
  write_file(path, seal(FileKind::kCheckpoint, out.bytes()));
}

void check_checkpoint(const std::string& path) {
  std::error_code ignored;
  if (std::filesystem::exists(path, ignored)) return;
  throw InputError(fmt::format(
      "{}: there is no such checkpoint; leave out \1resume to start from the beginning", path));
}

CheckpointNotes read_checkpoint_notes(const std::string& path) {
  const std::string bytes = read_file(path);
  ByteReader in(unseal(FileKind::kCheckpoint, bytes, path), path);
  return read_notes(in);
}

CheckpointNotes resume(const std::string& path,
                       const std::map<std::string, std::string>& task_options, Training& training) {
  const std::string bytes = read_file(path);
  ByteReader in(unseal(FileKind::kCheckpoint, bytes, path), path);
  CheckpointNotes notes = read_notes(in);
  check_same_options(path, notes.task_options, task_options);
  training.restore(in);
  return notes;
}

}  // namespace gapwise::internal
