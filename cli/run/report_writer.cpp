#include "run/report_writer.h"

#include "io/files.h"

namespace gapwise::internal::cli {

ReportWriter::ReportWriter(std::string file, std::optional<double> every, ReportInput base)
    : file_(std::move(file)), every_(every), input_(std::move(base)) {}

void ReportWriter::on_progress(const std::vector<std::string>& lines, const std::string& label) {
  if (!every_ || lines.empty()) return;
  const auto now = std::chrono::steady_clock::now();
  if (written_ && std::chrono::duration<double>(now - *written_).count() < *every_) return;
  written_ = now;
  ReportInput page = input_;
  page.set.runs.push_back(parse_run(lines, label, "the trace so far"));
  page.reload_seconds = *every_;
  write_file(file_, to_html(page));
}

void ReportWriter::add(const std::vector<std::string>& lines, const std::string& label) {
  if (!lines.empty()) input_.set.runs.push_back(parse_run(lines, label, "the trace"));
}

void ReportWriter::write() const {
  write_file(file_, to_html(input_));
}

}  // namespace gapwise::internal::cli
