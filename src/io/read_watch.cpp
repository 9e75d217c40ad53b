#include "io/read_watch.h"

#include <utility>

namespace gapwise::internal {
namespace {

thread_local ReadWatch* current = nullptr;

}  // namespace

ReadWatch::ReadWatch(Tell tell) : tell_(std::move(tell)), outer_(std::exchange(current, this)) {}

ReadWatch::~ReadWatch() {
  current = outer_;
}

void ReadWatch::note(const std::string& name, std::uint64_t read, std::uint64_t size) {
  if (current != nullptr) current->tell_(name, read, size);
}

}  // namespace gapwise::internal
