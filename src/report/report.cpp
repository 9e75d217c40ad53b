#include "report/report.h"

#include <fmt/format.h>

#include <cmath>

#include "report/assets.h"
#include "report/html.h"
#include "report/sections.h"

namespace gapwise::internal {
namespace {

std::string source_of(const Asset& asset) {
  return fmt::format("'sha256-{}'", base64(from_hex(asset.sha256)));
}

/// Nothing may be loaded from anywhere, and nothing runs but what was there at build time.
std::string policy() {
  const Assets& all = assets();
  std::string styles = source_of(all.style);
  std::string scripts = "'none'";
  if (all.script.is_there()) {
    styles += " " + source_of(all.plot_style);
    scripts = source_of(all.plot_script) + " " + source_of(all.script);
  }
  return fmt::format(
      "default-src 'none'; img-src data:; style-src {}; script-src {}; base-uri 'none'; "
      "form-action 'none'",
      styles, scripts);
}

std::string head_of(const ReportInput& input) {
  const Assets& all = assets();
  std::string head = fmt::format(
      "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
      "<meta http-equiv=\"Content-Security-Policy\" content=\"{}\">\n"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
      "<meta name=\"generator\" content=\"gapwise {}\">\n",
      policy(), GAPWISE_VERSION);
  if (input.reload_seconds) {
    head += fmt::format("<meta http-equiv=\"refresh\" content=\"{:.0f}\">\n",
                        std::max(1.0, std::ceil(*input.reload_seconds)));
  }
  head += fmt::format("<title>{} - gapwise</title>\n<style>{}</style>\n", escaped(input.title),
                      all.style.text());
  if (all.script.is_there()) head += fmt::format("<style>{}</style>\n", all.plot_style.text());
  return head + "</head>\n";
}

std::string licence() {
  const Assets& all = assets();
  if (!all.script.is_there()) return {};
  return folded("Licence of uPlot, which draws the curves",
                fmt::format("<pre>{}</pre>\n", escaped(all.plot_licence.text())));
}

std::string scripts() {
  const Assets& all = assets();
  if (!all.script.is_there()) return {};
  return fmt::format("<script>{}</script>\n<script>{}</script>\n", all.plot_script.text(),
                     all.script.text());
}

}  // namespace

std::string to_html(const ReportInput& input) {
  std::string notes;
  for (const std::string& note : input.notes) notes += "<p>" + escaped(note) + "</p>\n";
  if (input.reload_seconds) {
    notes += fmt::format(
        "<p class=\"live-note\" role=\"status\">The run goes on; this page loads "
        "itself anew every {} s.</p>\n",
        show_short(std::max(1.0, std::ceil(*input.reload_seconds))));
  }
  return head_of(input) +
         fmt::format("<body>\n<header><h1>{}</h1>\n{}</header>\n<main>\n", escaped(input.title),
                     notes) +
         overview_section(input) + curves_section(input) + time_to_gap_section(input) +
         block_gap_section(input) + lambda_section(input) +
         (input.model ? model_section(*input.model) : std::string()) + decisions_section(input) +
         measurements_section(input) + settings_section(input) +
         fmt::format("</main>\n<footer><p>Made by gapwise {}.</p>\n{}</footer>\n", GAPWISE_VERSION,
                     licence()) +
         scripts() + "</body>\n</html>\n";
}

}  // namespace gapwise::internal
