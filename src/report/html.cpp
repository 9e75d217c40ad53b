#include "report/html.h"

#include <fmt/format.h>

#include <cmath>

#include "io/utf8.h"

namespace gapwise::internal {
namespace {

constexpr std::string_view kNoCharacter = "&#xFFFD;";

void append_escaped(std::string_view character, std::string& out) {
  const unsigned char first = static_cast<unsigned char>(character.front());
  if (character.size() == 1 && (first >= 0x80 || first < 0x20 || first == 0x7f)) {
    out += first == '\n' || first == '\t' ? character : kNoCharacter;
  } else if (character == "&") {
    out += "&amp;";
  } else if (character == "<") {
    out += "&lt;";
  } else if (character == ">") {
    out += "&gt;";
  } else if (character == "\"") {
    out += "&quot;";
  } else {
    out += character;
  }
}

}  // namespace

std::string escaped(std::string_view text) {
  std::string out;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t size = character_size(text, at);
    append_escaped(text.substr(at, size), out);
    at += size;
  }
  return out;
}

std::string base64(std::string_view bytes) {
  constexpr std::string_view kDigits =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string out;
  for (std::size_t at = 0; at < bytes.size(); at += 3) {
    std::uint32_t word = 0;
    for (std::size_t k = 0; k < 3; ++k) {
      const bool is_there = at + k < bytes.size();
      word = word << 8 | (is_there ? static_cast<unsigned char>(bytes[at + k]) : 0u);
    }
    for (std::size_t k = 0; k < 4; ++k) {
      out += at + k > bytes.size() ? '=' : kDigits[word >> (18 - 6 * k) & 63u];
    }
  }
  return out;
}

std::string from_hex(std::string_view digits) {
  std::string bytes;
  for (std::size_t k = 0; k + 1 < digits.size(); k += 2) {
    bytes += static_cast<char>(std::stoi(std::string(digits.substr(k, 2)), nullptr, 16));
  }
  return bytes;
}

std::string show_number(double value) {
  return fmt::format("{:.6g}", value);
}

std::string show_short(double value) {
  return fmt::format("{:.4g}", value);
}

std::string show_whole(double value) {
  const std::string digits = fmt::format("{:.0f}", std::abs(value));
  std::string out = value < 0.0 ? "-" : "";
  for (std::size_t k = 0; k < digits.size(); ++k) {
    if (k > 0 && (digits.size() - k) % 3 == 0) out += ',';
    out += digits[k];
  }
  return out;
}

std::string show_share(double value) {
  return fmt::format("{:.3g} %", 100.0 * value);
}

std::string show_bytes(double value) {
  return value < 1e9 ? fmt::format("{:.0f} MB", value / 1e6)
                     : fmt::format("{:.2f} GB", value / 1e9);
}

std::string show_number(const std::optional<double>& value) {
  return value ? show_number(*value) : std::string();
}

Table::Table(std::string caption, std::vector<Column> columns)
    : caption_(std::move(caption)), columns_(std::move(columns)) {}

Table& Table::mark(std::string attributes) {
  attributes_ = " " + std::move(attributes);
  return *this;
}

void Table::add(std::vector<Cell> row) {
  rows_ += "<tr>";
  for (std::size_t k = 0; k < row.size(); ++k) {
    const Cell& cell = row[k];
    const bool is_head = k == 0 || cell.is_head;
    std::string classes = columns_[k].is_text ? "t" : "";
    if (!cell.shade.empty()) classes += (classes.empty() ? "" : " ") + cell.shade;
    const std::string marks = classes.empty() ? "" : fmt::format(" class=\"{}\"", classes);
    rows_ += is_head ? fmt::format("<th scope=\"row\"{}>{}", marks, cell.text)
                     : fmt::format("<td{}>{}", marks, cell.text);
  }
  rows_ += "\n";
}

void Table::add_text(const std::vector<std::string>& row) {
  std::vector<Cell> cells;
  for (const std::string& text : row) cells.push_back({escaped(text), {}, false});
  add(std::move(cells));
}

std::string Table::html() const {
  std::string head;
  for (const Column& column : columns_) {
    head += fmt::format("<th scope=\"col\"{}{}>{}", column.is_text ? " class=\"t\"" : "",
                        column.key.empty() ? "" : fmt::format(" data-key=\"{}\"", column.key),
                        column.title);
  }
  return fmt::format(
      "<div class=\"frame\" tabindex=\"0\" role=\"group\" aria-label=\"{0}\"><table{1}>"
      "<caption>{0}</caption>\n<thead><tr>{2}\n<tbody>{3}</table></div>\n",
      caption_, attributes_, head, rows_);
}

std::string folded(std::string_view summary, std::string_view content, bool is_open) {
  return fmt::format("<details{}><summary>{}</summary>\n{}</details>\n", is_open ? " open" : "",
                     summary, content);
}

std::string section(std::string_view id, std::string_view title, std::string_view content) {
  return fmt::format(
      "<section id=\"{0}\" aria-labelledby=\"{0}-h\"><h2 id=\"{0}-h\">{1}</h2>\n{2}"
      "</section>\n",
      id, title, content);
}

}  // namespace gapwise::internal
