#include "tasks/segmentation/netpbm.h"

#include <fmt/format.h>

#include <algorithm>

#include "gapwise/errors.h"

namespace gapwise::internal {
namespace {

constexpr std::size_t kBlock = std::size_t{1} << 16;
constexpr Index kLargestSide = 65535;
constexpr Index kLargestSample = 65535;

bool is_space(int c) {
  return c == ' ' || (c >= '\t' && c <= '\r');
}

std::string show(int c) {
  if (c < 0) return "the end of the file";
  return c > ' ' && c < 127 ? fmt::format("'{}'", static_cast<char>(c))
                            : fmt::format("the byte {}", c);
}

}  // namespace

NetpbmStack::NetpbmStack(const std::string& path, int channels)
    : source_(path), channels_(channels), buffer_(kBlock) {}

void NetpbmStack::fail(const std::string& what) const {
  throw InputError(
      fmt::format("{}: image {}, byte {}: {}", name(), num_images_ + 1, offset_, what));
}

bool NetpbmStack::fill() {
  begin_ = 0;
  end_ = source_.read(buffer_.data(), buffer_.size());
  return end_ > 0;
}

int NetpbmStack::peek() {
  if (begin_ == end_ && !fill()) return -1;
  return static_cast<unsigned char>(buffer_[begin_]);
}

int NetpbmStack::take() {
  const int c = peek();
  if (c < 0) return c;
  ++begin_;
  ++offset_;
  return c;
}

/// White space and comments, which go from '#' to the end of the line.
void NetpbmStack::skip_space() {
  while (is_space(peek()) || peek() == '#') {
    if (take() != '#') continue;
    while (peek() >= 0 && peek() != '\n') take();
  }
}

Index NetpbmStack::read_number(const char* what, Index largest) {
  skip_space();
  if (peek() < '0' || peek() > '9') {
    fail(
        fmt::format("{} where the {} should be; write 'P{} width height maxval' before the bytes "
                    "of each image",
                    show(peek()), what, channels_ == 3 ? 6 : 5));
  }
  Index number = 0;
  while (peek() >= '0' && peek() <= '9') {
    number = number * 10 + (take() - '0');
    if (number > largest) fail(fmt::format("the {} is more than {}", what, largest));
  }
  if (number == 0) fail(fmt::format("the {} is 0; it must be at least 1", what));
  return number;
}

bool NetpbmStack::read(StackImage& image) {
  if (peek() < 0) return false;
  const int digit = channels_ == 3 ? '6' : '5';
  const int first = take();
  if (first != 'P' || peek() != digit) {
    fail(
        fmt::format("{} instead of 'P{}'; expected binary {} images one after the other, with "
                    "nothing between them",
                    first != 'P' ? show(first) : fmt::format("'P' and {}", show(peek())),
                    static_cast<char>(digit), channels_ == 3 ? "PPM" : "PGM"));
  }
  take();
  image.channels = channels_;
  image.width = read_number("width", kLargestSide);
  image.height = read_number("height", kLargestSide);
  if (image.width * image.height > kMostPixels) fail(too_many_pixels(image.width, image.height));
  image.max_value = static_cast<int>(read_number("maxval", kLargestSample));
  if (image.max_value > 255) {
    fail(fmt::format("maxval {} means two bytes a sample; convert the image to maxval 255",
                     image.max_value));
  }
  if (!is_space(peek())) fail(fmt::format("{} behind maxval; expected a line end", show(peek())));
  take();
  read_samples(image);
  ++num_images_;
  return true;
}

/// Memory grows with what is there, not with what the header promises.
void NetpbmStack::read_samples(StackImage& image) {
  const auto count =
      static_cast<std::size_t>(image.width * image.height) * static_cast<std::size_t>(channels_);
  image.samples.clear();
  while (image.samples.size() < count) {
    if (begin_ == end_ && !fill()) {
      fail(fmt::format("the file ends after {} of the {} bytes of a {}x{} image; copy it again",
                       image.samples.size(), count, image.width, image.height));
    }
    const std::size_t some = std::min(end_ - begin_, count - image.samples.size());
    const char* from = buffer_.data() + begin_;
    const char* bad = std::find_if(
        from, from + some, [&](char c) { return static_cast<unsigned char>(c) > image.max_value; });
    if (bad != from + some) {
      offset_ += bad - from;
      fail(fmt::format("a sample is {}, more than maxval {}; write the image again",
                       static_cast<unsigned char>(*bad), image.max_value));
    }
    image.samples.insert(image.samples.end(), from, from + some);
    begin_ += some;
    offset_ += static_cast<Index>(some);
  }
}

}  // namespace gapwise::internal
