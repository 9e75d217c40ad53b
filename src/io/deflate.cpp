#include "io/deflate.h"

#include <zlib.h>

#include <algorithm>
#include <limits>
#include <new>

#include "gapwise/errors.h"

namespace gapwise::internal {
namespace {

constexpr std::size_t kChunk = std::size_t{1} << 20;

/// Gives zlib its input, which it counts in 32 bits, a piece at a time.
class Feed {
 public:
  explicit Feed(std::string_view bytes) : left_(bytes) {}

  void refill(z_stream& stream) {
    if (stream.avail_in > 0 || left_.empty()) return;
    const std::size_t size = std::min(left_.size(), kPiece);
    // zlib reads through this pointer and never writes; it has no const.
    stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(left_.data()));
    stream.avail_in = static_cast<uInt>(size);
    left_.remove_prefix(size);
  }
  bool is_empty() const { return left_.empty(); }

 private:
  static constexpr std::size_t kPiece = std::numeric_limits<uInt>::max() / 2;
  std::string_view left_;
};

/// Lets zlib write up to `room` more bytes behind `out`.
template <class Step>
int append(z_stream& stream, std::string& out, std::size_t room, Step step) {
  const std::size_t before = out.size();
  out.resize(before + room);
  stream.next_out = reinterpret_cast<Bytef*>(out.data() + before);
  stream.avail_out = static_cast<uInt>(room);
  const int status = step(stream);
  out.resize(before + room - stream.avail_out);
  return status;
}

template <int (*end)(z_stream*)>
struct Closer {
  ~Closer() { end(&stream); }
  z_stream& stream;
};

}  // namespace

std::string deflate_bytes(std::string_view bytes) {
  z_stream stream{};
  if (deflateInit(&stream, Z_BEST_SPEED) != Z_OK) throw std::bad_alloc();
  const Closer<deflateEnd> closer{stream};
  Feed feed(bytes);
  std::string out;
  for (int status = Z_OK; status != Z_STREAM_END;) {
    feed.refill(stream);
    status = append(stream, out, kChunk, [&](z_stream& s) {
      return ::deflate(&s, feed.is_empty() ? Z_FINISH : Z_NO_FLUSH);
    });
  }
  return out;
}

std::string inflate_bytes(std::string_view packed, std::uint64_t size, const std::string& name) {
  z_stream stream{};
  if (inflateInit(&stream) != Z_OK) throw std::bad_alloc();
  const Closer<inflateEnd> closer{stream};
  Feed feed(packed);
  std::string out;
  for (int status = Z_OK; status != Z_STREAM_END;) {
    feed.refill(stream);
    // One byte of room beyond the size, so that a stream that is too long is noticed.
    const auto room =
        static_cast<std::size_t>(std::min<std::uint64_t>(kChunk, size - out.size() + 1));
    status = append(stream, out, room, [](z_stream& s) { return ::inflate(&s, Z_NO_FLUSH); });
    if (status == Z_MEM_ERROR) throw std::bad_alloc();
    const bool goes_on = status == Z_OK && out.size() <= size;
    const bool is_complete =
        status == Z_STREAM_END && out.size() == size && stream.avail_in == 0 && feed.is_empty();
    if (!goes_on && !is_complete) {
      throw InputError(name + ": holds packed bytes that do not unpack; it is damaged");
    }
  }
  return out;
}

}  // namespace gapwise::internal
