// Put before a program by LD_PRELOAD, this makes the k-th call of one kind fail: what a full disk,
// a broken one or too little memory would do, at a moment that a test can choose.
//
//   FAULT_KIND   open, read, write, fsync, rename, close, truncate or malloc
//   FAULT_AT     which of these calls fails first, from 1; 0: none
//   FAULT_STAYS  1: all later ones fail, too
//   FAULT_WIDTH  how many in a row fail, if not one
//   FAULT_LEAST  malloc of fewer bytes does not count
//   FAULT_ERROR  the errno they leave
//   FAULT_UNDER  only files with this in their name count, and what is written to them
//   FAULT_COUNT  a file for the number of calls
//
// Calls are counted from main on. A write that fails once has written half of its bytes before.

#include <dlfcn.h>
#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <cstring>

namespace {

enum Kind { kOpen, kRead, kWrite, kFsync, kRename, kClose, kTruncate, kMalloc, kNone };
constexpr const char* kNames[] = {"open",   "read",  "write",    "fsync",
                                  "rename", "close", "truncate", "malloc"};
constexpr int kMostFiles = 1024;

// Plain data only: calls come before constructors and after destructors.
std::atomic<bool> is_armed{false};
std::atomic<long> calls{0};
Kind kind = kNone;
long fails_at = 0;
long width = 1;
bool stays = false;
int error_number = 0;
std::size_t least = 0;
const char* under = nullptr;
bool is_watched[kMostFiles];

template <class Function>
Function* next(const char* name) {
  return reinterpret_cast<Function*>(dlsym(RTLD_NEXT, name));
}

/// Counts a call; true if it is to fail.
bool fails(Kind which) {
  if (which != kind || !is_armed.load()) return false;
  const long call = ++calls;
  const bool is_chosen = fails_at > 0 && call >= fails_at && (stays || call < fails_at + width);
  if (is_chosen) errno = error_number;
  return is_chosen;
}

bool counts(const char* path) {
  return under != nullptr && std::strstr(path, under) != nullptr;
}
bool counts(int file) {
  return file >= 0 && file < kMostFiles && is_watched[file];
}
int watch(int file, bool is_counted) {
  if (file >= 0 && file < kMostFiles) is_watched[file] = is_counted;
  return file;
}

void read_settings() {
  const char* name = std::getenv("FAULT_KIND");
  for (int k = 0; name != nullptr && k < kNone; ++k) {
    if (std::strcmp(name, kNames[k]) == 0) kind = static_cast<Kind>(k);
  }
  const auto number = [](const char* variable) {
    const char* text = std::getenv(variable);
    return text != nullptr ? std::atol(text) : 0;
  };
  fails_at = number("FAULT_AT");
  stays = number("FAULT_STAYS") != 0;
  error_number = static_cast<int>(number("FAULT_ERROR"));
  width = std::max(1L, number("FAULT_WIDTH"));
  least = static_cast<std::size_t>(number("FAULT_LEAST"));
  under = std::getenv("FAULT_UNDER");
}

/// Everything failed calls may need was set up by now.
void tell_count() {
  is_armed = false;
  const char* name = std::getenv("FAULT_COUNT");
  if (name == nullptr) return;
  if (std::FILE* file = std::fopen(name, "w")) {
    std::fprintf(file, "%ld\n", calls.load());
    std::fclose(file);
  }
}

int (*program_main)(int, char**, char**) = nullptr;

int armed_main(int argc, char** argv, char** environment) {
  read_settings();
  std::atexit(tell_count);
  is_armed = true;
  return program_main(argc, argv, environment);
}

}  // namespace

extern "C" {

int __libc_start_main(int (*main)(int, char**, char**), int argc, char** argv, void (*init)(),
                      void (*fini)(), void (*rtld_fini)(), void* stack_end) {
  program_main = main;
  using Start =
      int(int (*)(int, char**, char**), int, char**, void (*)(), void (*)(), void (*)(), void*);
  return next<Start>("__libc_start_main")(armed_main, argc, argv, init, fini, rtld_fini, stack_end);
}

int open(const char* path, int flags, ...) {
  std::va_list rest;
  va_start(rest, flags);
  const unsigned mode = (flags & O_CREAT) != 0 ? va_arg(rest, unsigned) : 0;
  va_end(rest);
  const bool is_counted = counts(path);
  if (is_counted && fails(kOpen)) return -1;
  return watch(next<int(const char*, int, ...)>("open")(path, flags, mode), is_counted);
}

int open64(const char* path, int flags, ...) {
  std::va_list rest;
  va_start(rest, flags);
  const unsigned mode = (flags & O_CREAT) != 0 ? va_arg(rest, unsigned) : 0;
  va_end(rest);
  return open(path, flags, mode);
}

ssize_t read(int file, void* into, size_t size) {
  if (counts(file) && fails(kRead)) return -1;
  return next<ssize_t(int, void*, size_t)>("read")(file, into, size);
}

ssize_t write(int file, const void* from, size_t size) {
  const auto real = next<ssize_t(int, const void*, size_t)>("write");
  if (!counts(file) || !fails(kWrite)) return real(file, from, size);
  if (!stays && size > 1) return real(file, from, size / 2);
  return -1;
}

int fsync(int file) {
  if (counts(file) && fails(kFsync)) return -1;
  return next<int(int)>("fsync")(file);
}

int rename(const char* from, const char* to) {
  if (counts(to) && fails(kRename)) return -1;
  return next<int(const char*, const char*)>("rename")(from, to);
}

int ftruncate(int file, off_t size) {
  if (counts(file) && fails(kTruncate)) return -1;
  return next<int(int, off_t)>("ftruncate")(file, size);
}

/// A close that fails has closed.
int close(int file) {
  const bool is_bad = counts(file) && fails(kClose);
  watch(file, false);
  const int result = next<int(int)>("close")(file);
  if (!is_bad) return result;
  errno = error_number;
  return -1;
}

#ifdef FAULT_MALLOC
// The allocator of glibc under the names that it keeps for this.
void* __libc_malloc(size_t size);
void* __libc_calloc(size_t count, size_t size);
void* __libc_realloc(void* old, size_t size);
void* __libc_memalign(size_t alignment, size_t size);

void* malloc(size_t size) {
  return size >= least && fails(kMalloc) ? nullptr : __libc_malloc(size);
}
void* calloc(size_t count, size_t size) {
  return count * size >= least && fails(kMalloc) ? nullptr : __libc_calloc(count, size);
}
void* realloc(void* old, size_t size) {
  return size >= least && fails(kMalloc) ? nullptr : __libc_realloc(old, size);
}
void* aligned_alloc(size_t alignment, size_t size) {
  return size >= least && fails(kMalloc) ? nullptr : __libc_memalign(alignment, size);
}
#endif

}  // extern "C"
