#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace gapwise::internal {

/// Lines of the input with a place for what is predicted, to be written out again.
class EchoText {
 public:
  void add_line(std::string_view before, std::string_view after);
  void add_plain(std::string_view line);
  /// The lines that have a place, one for each token.
  std::vector<std::size_t> lines_with_place() const;
  /// Appends one of these to `out`, its place filled with `text`.
  void write_line(std::size_t line, std::string_view text, std::string& out) const;
  /// Appends the lines to `out`, the k-th place filled with text_of(k).
  template <class TextOf>
  void write(TextOf text_of, std::string& out) const {
    std::size_t begin = 0;
    std::size_t token = 0;
    for (const Line& line : lines_) {
      const std::string_view text = std::string_view(text_).substr(begin, line.end - begin);
      if (line.has_place) {
        const std::size_t place = line.place_at - begin;
        out.append(text.substr(0, place)).append(text_of(token++)).append(text.substr(place));
      } else {
        out.append(text);
      }
      out.push_back('\n');
      begin = line.end;
    }
  }

 private:
  struct Line {
    std::size_t place_at;
    std::size_t end;
    bool has_place;
  };
  std::string text_;
  std::vector<Line> lines_;
};

}  // namespace gapwise::internal
