#include "io/lines.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <optional>
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
  explicit Impl(const std::string& path) : source_(std::in_place, path), buffer_(kBlock) {
    text_ = buffer_.data();
  }
  explicit Impl(const LineBlock& block)
      : block_(&block),
        text_(block.text.data()),
        end_(block.text.size()),
        started_(true),
        line_number_(block.first_line - 1) {}

  bool next(std::string_view& line);
  std::string_view head();
  bool take(std::size_t bytes, LineBlock& block);
  Index line_number() const { return line_number_; }
  const std::string& name() const { return source_ ? source_->name() : block_->name; }
  [[noreturn]] void fail_at(Index line, const std::string& what) const {
    throw InputError(fmt::format("{}:{}: {}", name(), line, what));
  }

 private:
  std::size_t available() const { return end_ - begin_; }
  bool fill();
  void skip_byte_order_mark();
  /// Where the line ends that begins so far behind the text not yet returned: at its newline, or at
  /// the end of the text.
  std::size_t find_end(std::size_t ahead);

  std::optional<ByteSource> source_;  ///< none: the text is that of a block
  const LineBlock* block_ = nullptr;
  std::vector<char> buffer_;
  const char* text_ = nullptr;
  std::size_t begin_ = 0;  ///< of the text not yet returned
  std::size_t end_ = 0;
  bool started_ = false;
  Index line_number_ = 0;
};

/// Reads more behind the text at hand, making room as needed; false at the end.
bool LineReader::Impl::fill() {
  if (!source_) return false;
  if (begin_ > 0) {
    std::memmove(buffer_.data(), buffer_.data() + begin_, available());
    end_ -= begin_;
    begin_ = 0;
  }
  if (end_ == buffer_.size()) buffer_.resize(2 * buffer_.size());
  text_ = buffer_.data();
  const std::size_t count = source_->read(buffer_.data() + end_, buffer_.size() - end_);
  end_ += count;
  return count > 0;
}

void LineReader::Impl::skip_byte_order_mark() {
  started_ = true;
  while (available() < kByteOrderMark.size() && fill()) {
  }
  if (std::string_view(text_ + begin_, available()).starts_with(kByteOrderMark)) {
    begin_ += kByteOrderMark.size();
  }
}

std::string_view LineReader::Impl::head() {
  if (!started_) skip_byte_order_mark();
  while (available() < kHead && fill()) {
  }
  return {text_ + begin_, std::min(available(), kHead)};
}

std::size_t LineReader::Impl::find_end(std::size_t ahead) {
  std::size_t searched = ahead;
  while (true) {
    const char* const from = text_ + begin_ + searched;
    const void* const newline =
        searched < available() ? std::memchr(from, '\n', available() - searched) : nullptr;
    if (newline != nullptr) {
      return static_cast<std::size_t>(static_cast<const char*>(newline) - text_) - begin_;
    }
    searched = available();
    if (searched - ahead > kLongestLine) {
      fail_at(line_number_ + 1 + std::count(text_ + begin_, text_ + begin_ + ahead, '\n'),
              "the line is longer than 256 MiB; is this a text file?");
    }
    if (!fill()) return available();
  }
}

bool LineReader::Impl::next(std::string_view& line) {
  if (!started_) skip_byte_order_mark();
  const std::size_t size = find_end(0);
  if (size == 0 && available() == 0) return false;
  line = {text_ + begin_, size};
  begin_ += std::min(size + 1, available());
  ++line_number_;
  if (line.ends_with('\r')) line.remove_suffix(1);
  if (!line.empty() && std::memchr(line.data(), '\0', line.size()) != nullptr) {
    fail_at(line_number_,
            "a NUL byte; expected text (convert UTF-16 to UTF-8, remove binary data)");
  }
  return true;
}

bool LineReader::Impl::take(std::size_t bytes, LineBlock& block) {
  if (!started_) skip_byte_order_mark();
  while (available() < bytes && fill()) {
  }
  if (available() == 0) return false;
  const std::size_t end = find_end(std::min(bytes, available()) - 1);
  const std::size_t size = std::min(end + 1, available());
  block.text.assign(text_ + begin_, size);
  block.name = name();
  block.first_line = line_number_ + 1;
  begin_ += size;
  line_number_ += std::count(block.text.begin(), block.text.end(), '\n');
  if (!block.text.ends_with('\n')) ++line_number_;
  return true;
}

LineReader::LineReader(const std::string& path) : impl_(std::make_unique<Impl>(path)) {}
LineReader::LineReader(const LineBlock& block) : impl_(std::make_unique<Impl>(block)) {}
LineReader::~LineReader() = default;
LineReader::LineReader(LineReader&&) noexcept = default;
LineReader& LineReader::operator=(LineReader&&) noexcept = default;

bool LineReader::next(std::string_view& line) {
  return impl_->next(line);
}
std::string_view LineReader::head() {
  return impl_->head();
}
bool LineReader::take(std::size_t bytes, LineBlock& block) {
  return impl_->take(bytes, block);
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
