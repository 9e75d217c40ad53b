#include "io/lines.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <vector>

#include "io/byte_source.h"

namespace gapwise::internal {
namespace {

constexpr std::size_t kBlock = std::size_t{1} << 18;
constexpr std::size_t kHead = std::size_t{1} << 16;
constexpr std::size_t kLongestLine = std::size_t{256} << 20;
constexpr std::string_view kByteOrderMark = "\xef\xbb\xbf";

}  // namespace

class LineReader::Impl {
 public:
  explicit Impl(const std::string& path) : source_(path), buffer_(kBlock) {}

  bool next(std::string_view& line);
  std::string_view head();
  Index line_number() const { return line_number_; }
  const std::string& name() const { return source_.name(); }
  [[noreturn]] void fail_at(Index line, const std::string& what) const {
    throw InputError(fmt::format("{}:{}: {}", name(), line, what));
  }

 private:
  std::size_t available() const { return end_ - begin_; }
  bool fill();
  void skip_byte_order_mark();

  ByteSource source_;
  std::vector<char> buffer_;
  std::size_t begin_ = 0;  ///< of the text not yet returned
  std::size_t end_ = 0;
  bool started_ = false;
  Index line_number_ = 0;
};

/// Reads more behind the text at hand, making room as needed; false at the end.
bool LineReader::Impl::fill() {
  if (begin_ > 0) {
    std::memmove(buffer_.data(), buffer_.data() + begin_, available());
    end_ -= begin_;
    begin_ = 0;
  }
  if (end_ == buffer_.size()) buffer_.resize(2 * buffer_.size());
  const std::size_t count = source_.read(buffer_.data() + end_, buffer_.size() - end_);
  end_ += count;
  return count > 0;
}

void LineReader::Impl::skip_byte_order_mark() {
  started_ = true;
  while (available() < kByteOrderMark.size() && fill()) {
  }
  if (std::string_view(buffer_.data() + begin_, available()).starts_with(kByteOrderMark)) {
    begin_ += kByteOrderMark.size();
  }
}

std::string_view LineReader::Impl::head() {
  if (!started_) skip_byte_order_mark();
  while (available() < kHead && fill()) {
  }
  return {buffer_.data() + begin_, std::min(available(), kHead)};
}

bool LineReader::Impl::next(std::string_view& line) {
  if (!started_) skip_byte_order_mark();
  std::size_t searched = 0;
  const char* newline = nullptr;
  while (true) {
    const char* text = buffer_.data() + begin_;
    newline = static_cast<const char*>(std::memchr(text + searched, '\n', available() - searched));
    if (newline != nullptr) break;
    searched = available();
    if (searched > kLongestLine) {
      ++line_number_;
      fail_at(line_number_, "the line is longer than 256 MiB; is this a text file?");
    }
    if (!fill()) break;
  }
  if (newline == nullptr && available() == 0) return false;
  const std::size_t size = newline != nullptr
                               ? static_cast<std::size_t>(newline - (buffer_.data() + begin_))
                               : available();
  line = {buffer_.data() + begin_, size};
  begin_ += size + (newline != nullptr ? 1 : 0);
  ++line_number_;
  if (line.ends_with('\r')) line.remove_suffix(1);
  if (line.find('\0') != std::string_view::npos) {
    fail_at(line_number_,
            "a NUL byte; expected text (convert UTF-16 to UTF-8, remove binary data)");
  }
  return true;
}

LineReader::LineReader(const std::string& path) : impl_(std::make_unique<Impl>(path)) {}
LineReader::~LineReader() = default;
LineReader::LineReader(LineReader&&) noexcept = default;
LineReader& LineReader::operator=(LineReader&&) noexcept = default;

bool LineReader::next(std::string_view& line) {
  return impl_->next(line);
}
std::string_view LineReader::head() {
  return impl_->head();
}
Index LineReader::line_number() const {
  return impl_->line_number();
}
const std::string& LineReader::name() const {
  return impl_->name();
}
void LineReader::fail(const std::string& what) const {
  impl_->fail_at(line_number(), what);
}
void LineReader::fail_at(Index line, const std::string& what) const {
  impl_->fail_at(line, what);
}

}  // namespace gapwise::internal
