#include "io/files.h"

#define XXH_INLINE_ALL
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>
#include <xxhash.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <filesystem>
#include <limits>
#include <new>
#include <optional>
#include <stdexcept>
#include <system_error>
#include <utility>

#include "gapwise/errors.h"
#include "io/opened_files.h"

namespace gapwise::internal {

namespace {

namespace fs = std::filesystem;

constexpr std::size_t kChunk = std::size_t{1} << 20;
constexpr int kMaxLinks = 40;  // as many symbolic links in a row as the kernel follows
constexpr int kMaxTries = 1000;
constexpr std::uint64_t kAnySize = std::numeric_limits<std::uint64_t>::max();

[[noreturn]] void fail(const std::string& path, std::string_view what, int error,
                       std::string_view remedy) {
  throw InputError(
      fmt::format("{}: {}: {}; {}", path, what, std::generic_category().message(error), remedy));
}

[[noreturn]] void fail_write(const std::string& path, int error) {
  const char* remedy = "check the folder, its permissions and the space left, or name another file";
  fail(path, "cannot be written", error, remedy);
}

[[noreturn]] void fail_read(const std::string& path, int error) {
  fail(path, "cannot be read", error, "check the name and the permissions");
}

/// An open file that is closed on every way out.
class Descriptor {
 public:
  explicit Descriptor(int fd = -1) : fd_(fd) {}
  ~Descriptor() { close(); }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  Descriptor& operator=(Descriptor&& other) noexcept {
    std::swap(fd_, other.fd_);
    return *this;
  }

  int get() const { return fd_; }
  bool is_open() const { return fd_ >= 0; }
  /// Closes now; false if the last bytes could not be written.
  bool close() { return !is_open() || ::close(std::exchange(fd_, -1)) == 0; }

 private:
  int fd_;
};

/// Writes everything; returns 0 or the errno of the write that failed.
int write_all(int fd, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t written = ::write(fd, bytes.data(), std::min(bytes.size(), kChunk));
    if (written >= 0) {
      bytes.remove_prefix(static_cast<std::size_t>(written));
    } else if (errno != EINTR) {
      return errno;
    }
  }
  return 0;
}

/// Some file systems have no fsync; there the file is as safe as it can be made.
int sync(int fd) {
  if (::fsync(fd) == 0 || errno == EINVAL || errno == ENOSYS || errno == ENOTSUP) return 0;
  return errno;
}

fs::path folder_of(const fs::path& path) {
  return path.has_parent_path() ? path.parent_path() : ".";
}

/// Where the bytes really go, so that a link stays a link.
struct Target {
  fs::path path;
  bool is_process_file = false;  ///< reached through /proc, as /dev/stdout is: not ours to replace
};

Target follow_links(const std::string& path) {
  Target target{path};
  std::error_code error;
  for (int links = 0; fs::is_symlink(fs::symlink_status(target.path, error)); ++links) {
    if (links == kMaxLinks) fail_write(path, ELOOP);
    const fs::path next = fs::read_symlink(target.path, error);
    if (error) fail_write(path, error.value());
    const fs::path folder = fs::canonical(folder_of(target.path), error);
    if (folder.native().starts_with("/proc/")) return {path, true};
    target.path = folder / next;
  }
  return target;
}

/// A file that goes away unless it takes the place of its target. Its name follows from that of the
/// target, and whoever writes it holds a lock on it, which ends with the process: a file without a
/// lock was left by one that was killed.
class TemporaryFile {
 public:
  TemporaryFile(const fs::path& place, std::string target) : target_(std::move(target)) {
    const std::string name = place.filename().native();
    const std::uint64_t hash = XXH3_64bits(name.data(), name.size());
    const auto numbered = [&](int number) {
      return folder_of(place) / fmt::format(".gapwise-{:016x}-{}.tmp", hash, number);
    };
    int number = 0;
    for (; number < kMaxTries && !file_.is_open(); ++number) take(numbered(number));
    if (!file_.is_open()) fail_write(target_, EEXIST);
    // Others that wrote at the same time may have been killed, too.
    while (number < kMaxTries && remove_if_left(numbered(number))) ++number;
  }
  TemporaryFile(const TemporaryFile&) = delete;
  TemporaryFile& operator=(const TemporaryFile&) = delete;

  /// The permissions are kept; the owner too where we may, and before them, since giving a file
  /// away clears some of them.
  void adopt_owner_and_mode(const struct stat& old) {
    if (::fchown(file_.get(), old.st_uid, old.st_gid) != 0 && errno != EPERM) {
      fail_write(target_, errno);
    }
    if (::fchmod(file_.get(), old.st_mode & 07777U) != 0) fail_write(target_, errno);
  }

  void add(std::string_view bytes) {
    if (const int error = write_all(file_.get(), bytes)) fail_write(target_, error);
  }

  void move_to(const fs::path& place) {
    if (const int error = sync(file_.get())) fail_write(target_, error);
    const Descriptor lock(::fcntl(file_.get(), F_DUPFD_CLOEXEC, 0));  // until the file has moved
    if (!file_.close()) fail_write(target_, errno);
    if (::rename(made_.path.c_str(), place.c_str()) != 0) fail_write(target_, errno);
    made_.path.clear();
  }

 private:
  static bool lock(int fd) { return ::flock(fd, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK; }

  /// Makes the file and opens it, unless somebody alive has it.
  void take(fs::path path) {
    constexpr int kNew = O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC;
    int fd = ::open(path.c_str(), kNew, 0666);
    const bool is_there = fd < 0 && errno == EEXIST;
    if (is_there && !remove_if_left(path)) return;
    if (is_there) fd = ::open(path.c_str(), kNew, 0666);
    if (fd < 0 && errno != EEXIST) fail_write(target_, errno);
    Descriptor file(fd);
    struct stat status {};
    // Between making and locking it, another process may have thought it was left.
    if (!file.is_open() || !lock(fd) || ::fstat(fd, &status) != 0 || status.st_nlink == 0) return;
    made_.path.swap(path);
    file_ = std::move(file);
  }

  /// True if there was such a file and it is gone.
  static bool remove_if_left(const fs::path& path) {
    const Descriptor left(::open(path.c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC));
    return left.is_open() && ::flock(left.get(), LOCK_EX | LOCK_NB) == 0 &&
           ::unlink(path.c_str()) == 0;
  }

  /// What goes away, even if this object is never complete.
  struct Made {
    ~Made() {
      if (!path.empty()) ::unlink(path.c_str());
    }
    fs::path path;
  };

  std::string target_;  ///< as the user named it, for messages
  Made made_;
  Descriptor file_;
};

/// Appends what can be read to `bytes`, until it holds `limit` of them or the file ends.
void read_until(std::size_t limit, int fd, const std::string& path, std::string& bytes) {
  while (bytes.size() < limit) {
    const std::size_t before = bytes.size();
    const std::size_t wanted = std::min(kChunk, limit - before);
    bytes.resize(before + wanted);
    const ssize_t got = ::read(fd, bytes.data() + before, wanted);
    const int error = errno;
    bytes.resize(before + static_cast<std::size_t>(std::max<ssize_t>(got, 0)));
    if (got == 0) return;
    if (got < 0 && error != EINTR) fail_read(path, error);
  }
}

void read_rest(std::size_t limit, int fd, const std::string& path, std::string& bytes) {
  struct stat status {};
  if (::fstat(fd, &status) == 0 && S_ISREG(status.st_mode)) {
    bytes.reserve(std::min(limit, static_cast<std::size_t>(status.st_size) + kChunk));
  }
  read_until(limit, fd, path, bytes);
}

int open_to_read(const std::string& path) {
  const int fd = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (fd < 0) fail_read(path, errno);
  OpenedFiles::note(path, fd);
  return fd;
}

}  // namespace

class FileWriter::Impl {
 public:
  explicit Impl(const std::string& path) : path_(path), target_(follow_links(path)) {
    struct stat old {};
    const bool exists = ::stat(path.c_str(), &old) == 0;
    if (exists && S_ISDIR(old.st_mode)) fail_write(path, EISDIR);
    if (exists) OpenedFiles::check_not_opened(path);
    if (exists && (!S_ISREG(old.st_mode) || target_.is_process_file)) {
      direct_ = Descriptor(::open(path.c_str(), O_WRONLY | O_APPEND | O_CLOEXEC));
      if (!direct_.is_open()) fail_write(path, errno);
      return;
    }
    if (exists && ::access(path.c_str(), W_OK) != 0) fail_write(path, errno);
    temporary_.emplace(target_.path, path);
    if (exists) temporary_->adopt_owner_and_mode(old);
  }

  void add(std::string_view bytes) {
    if (temporary_) return temporary_->add(bytes);
    if (const int error = write_all(direct_.get(), bytes)) fail_write(path_, error);
  }

  void commit() {
    if (!temporary_) {
      if (!direct_.close()) fail_write(path_, errno);
      return;
    }
    temporary_->move_to(target_.path);
    // The new file is in place and whole; that its name survives a power cut can only be attempted.
    const fs::path folder = folder_of(target_.path);
    const Descriptor directory(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
    if (directory.is_open()) sync(directory.get());
  }

 private:
  std::string path_;
  Target target_;
  Descriptor direct_;  ///< open for what is not replaced but written to
  std::optional<TemporaryFile> temporary_;
};

FileWriter::FileWriter(const std::string& path) : impl_(std::make_unique<Impl>(path)) {}
FileWriter::~FileWriter() = default;
void FileWriter::add(std::string_view bytes) {
  impl_->add(bytes);
}
void FileWriter::commit() {
  impl_->commit();
}

void write_file(const std::string& path, std::string_view bytes) {
  FileWriter file(path);
  file.add(bytes);
  file.commit();
}

void append_file(const std::string& path, std::size_t size, std::string_view bytes) {
  Descriptor file(::open(path.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0666));
  if (!file.is_open() || ::ftruncate(file.get(), static_cast<off_t>(size)) != 0 ||
      ::lseek(file.get(), 0, SEEK_END) < 0) {
    fail_write(path, errno);
  }
  if (const int error = write_all(file.get(), bytes)) fail_write(path, error);
  if (const int error = sync(file.get())) fail_write(path, error);
  if (!file.close()) fail_write(path, errno);
}

/// A file that is not there passes: whoever reads it has a better message.
bool can_be_read_again(const std::string& path) {
  std::error_code error;
  const fs::file_status status = fs::status(path, error);
  return path != "-" &&
         (!fs::exists(status) || fs::is_regular_file(status) || fs::is_directory(status));
}

std::string place_of(const std::string& path) {
  const Target target = follow_links(path);
  if (target.is_process_file) return path;
  std::error_code error;
  const fs::path folder = fs::canonical(folder_of(target.path), error);
  return (error ? target.path : folder / target.path.filename()).string();
}

std::string read_file(const std::string& path) {
  return read_file(path, 0, [](std::string_view) { return kAnySize; });
}

std::string read_file(const std::string& path, std::size_t head, const AcceptHead& accept) {
  const Descriptor file(open_to_read(path));
  std::string bytes;
  read_until(head, file.get(), path, bytes);
  const std::uint64_t expected = accept(bytes);
  try {
    read_rest(std::min(expected, kAnySize - 1) + 1, file.get(), path, bytes);
  } catch (const std::bad_alloc&) {
    fail_read(path, ENOMEM);
  } catch (const std::length_error&) {
    fail_read(path, EFBIG);
  }
  return bytes;
}

}  // namespace gapwise::internal
