#include "io/byte_source.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <cstring>
#include <new>
#include <system_error>
#include <vector>

#include "gapwise/errors.h"
#include "io/opened_files.h"
#include "io/read_watch.h"

namespace gapwise::internal {
namespace {

constexpr std::size_t kBlock = std::size_t{1} << 18;
constexpr unsigned char kGzipMagic[2] = {0x1f, 0x8b};

bool starts_gzip(const char* bytes) {
  return std::memcmp(bytes, kGzipMagic, sizeof kGzipMagic) == 0;
}

std::string reason(int error) {
  return std::error_code(error, std::generic_category()).message();
}

}  // namespace

class ByteSource::Impl {
 public:
  explicit Impl(const std::string& path);
  ~Impl();
  Impl(const Impl&) = delete;
  Impl& operator=(const Impl&) = delete;

  std::size_t read(char* into, std::size_t size);
  const std::string& name() const { return name_; }

 private:
  std::size_t read_raw(char* into, std::size_t size);
  void refill();
  void look_for_gzip();
  std::size_t inflate_some(char* into, std::size_t size);
  /// After a member: starts the next one, or false at the end of the file.
  bool next_member();
  [[noreturn]] void fail(const std::string& what) const;

  std::string name_;
  int file_ = -1;
  std::uint64_t size_ = 0;    ///< of the file; 0 if it has none
  std::uint64_t read_ = 0;    ///< of it
  std::vector<char> packed_;  ///< bytes as they are in the file
  std::size_t begin_ = 0;     ///< of what is left in packed_
  std::size_t end_ = 0;
  bool started_ = false;
  bool is_gzip_ = false;
  bool is_finished_ = false;  ///< the last gzip member has ended
  bool at_end_ = false;       ///< of the file
  z_stream stream_{};
};

ByteSource::Impl::Impl(const std::string& path)
    : name_(path == "-" ? "standard input" : path), packed_(kBlock) {
  if (path == "-") {
    file_ = STDIN_FILENO;
  } else {
    file_ = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
    if (file_ < 0) fail(fmt::format("cannot be opened: {}; check the path", reason(errno)));
    OpenedFiles::note(path, file_);
    struct stat info {};
    const bool is_told = ::fstat(file_, &info) == 0;
    if (is_told && S_ISDIR(info.st_mode)) {
      ::close(file_);
      fail("is a directory; give the path of a file in it");
    }
    if (is_told && S_ISREG(info.st_mode)) size_ = static_cast<std::uint64_t>(info.st_size);
  }
}

ByteSource::Impl::~Impl() {
  if (is_gzip_) inflateEnd(&stream_);
  if (file_ > STDIN_FILENO) ::close(file_);
}

std::size_t ByteSource::Impl::read(char* into, std::size_t size) {
  if (!started_) look_for_gzip();
  if (is_gzip_) return inflate_some(into, size);
  if (begin_ == end_) return read_raw(into, size);
  const std::size_t count = std::min(size, end_ - begin_);
  std::memcpy(into, packed_.data() + begin_, count);
  begin_ += count;
  return count;
}

std::size_t ByteSource::Impl::read_raw(char* into, std::size_t size) {
  while (!at_end_) {
    const ssize_t count = ::read(file_, into, size);
    if (count > 0) {
      read_ += static_cast<std::uint64_t>(count);
      ReadWatch::note(name_, read_, size_);
      return static_cast<std::size_t>(count);
    }
    if (count == 0) {
      at_end_ = true;
    } else if (errno != EINTR) {
      fail(fmt::format("cannot be read: {}", reason(errno)));
    }
  }
  return 0;
}

/// Moves what is left to the front and reads one more block behind it.
void ByteSource::Impl::refill() {
  std::memmove(packed_.data(), packed_.data() + begin_, end_ - begin_);
  end_ -= begin_;
  begin_ = 0;
  end_ += read_raw(packed_.data() + end_, packed_.size() - end_);
}

void ByteSource::Impl::look_for_gzip() {
  started_ = true;
  while (end_ < sizeof kGzipMagic && !at_end_) refill();
  if (end_ < sizeof kGzipMagic || !starts_gzip(packed_.data())) return;
  constexpr int kGzipOnly = 16 + MAX_WBITS;
  if (inflateInit2(&stream_, kGzipOnly) != Z_OK) throw std::bad_alloc();
  is_gzip_ = true;
}

std::size_t ByteSource::Impl::inflate_some(char* into, std::size_t size) {
  if (is_finished_) return 0;
  size = std::min(size, kBlock);
  stream_.next_out = reinterpret_cast<Bytef*>(into);
  stream_.avail_out = static_cast<uInt>(size);
  while (stream_.avail_out == size) {
    if (begin_ == end_) refill();
    if (begin_ == end_) {
      fail("the gzip stream is truncated; copy or compress the file again");
    }
    stream_.next_in = reinterpret_cast<Bytef*>(packed_.data() + begin_);
    stream_.avail_in = static_cast<uInt>(end_ - begin_);
    const int status = inflate(&stream_, Z_NO_FLUSH);
    begin_ = end_ - stream_.avail_in;
    if (status == Z_STREAM_END) {
      is_finished_ = !next_member();
      if (is_finished_) break;
    } else if (status == Z_MEM_ERROR) {
      throw std::bad_alloc();
    } else if (status != Z_OK && status != Z_BUF_ERROR) {
      fail(fmt::format("the gzip stream is damaged ({}); copy or compress the file again",
                       stream_.msg != nullptr ? stream_.msg : "unexpected data"));
    }
  }
  return size - stream_.avail_out;
}

bool ByteSource::Impl::next_member() {
  while (true) {
    while (end_ - begin_ < sizeof kGzipMagic && !at_end_) refill();
    // Tapes and block devices pad with zeros.
    while (begin_ < end_ && packed_[begin_] == '\0') ++begin_;
    if (end_ - begin_ >= sizeof kGzipMagic) break;
    if (at_end_) {
      if (begin_ == end_) return false;
      break;
    }
  }
  if (end_ - begin_ < sizeof kGzipMagic || !starts_gzip(packed_.data() + begin_)) {
    fail("the gzip stream is followed by bytes that are not gzip; compress the file again");
  }
  inflateReset(&stream_);
  return true;
}

void ByteSource::Impl::fail(const std::string& what) const {
  throw InputError(fmt::format("{}: {}", name_, what));
}

ByteSource::ByteSource(const std::string& path) : impl_(make_hidden<Impl>(path)) {}
std::size_t ByteSource::read(char* into, std::size_t size) {
  return impl_->read(into, size);
}
const std::string& ByteSource::name() const {
  return impl_->name();
}

}  // namespace gapwise::internal
