#include "app/path_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <filesystem>

#include "core/archive.h"
#include "io/files.h"

namespace gapwise::internal {
namespace {

/// Changes whenever pieces are written in another way.
constexpr std::uint32_t kPathVersion = 3;

std::string encode_header(const PathHeader& header) {
  ByteWriter out;
  out.u32(kPathVersion);
  out.u64(header.identity.size());
  for (const auto& [name, value] : header.identity) {
    out.text(name);
    out.text(value);
  }
  out.u64(header.fingerprint);
  out.f64(header.mean_loss);
  out.u8(header.is_grid ? 1 : 0);
  out.text(encode_model(header.model));
  return out.take();
}

PathHeader decode_header(std::string_view payload, const std::string& path) {
  ByteReader in(payload, path);
  if (in.u32() != kPathVersion) in.fail("was made by another version of gapwise; make it anew");
  PathHeader header;
  for (std::size_t left = in.count(2 * sizeof(std::uint64_t)); left > 0; --left) {
    std::string name = in.text();
    header.identity[std::move(name)] = in.text();
  }
  header.fingerprint = in.u64();
  header.mean_loss = in.f64();
  header.is_grid = in.u8() != 0;
  header.model = decode_model(in.text(), path);
  header.model.source = path;
  in.expect_end();
  return header;
}

std::string encode_point(const PathPoint& point, double epsilon, std::string_view weights) {
  ByteWriter out;
  out.f64(epsilon);
  for (const double x :
       {point.lambda, point.primal, point.dual, point.dual_loss, point.squared_length}) {
    out.f64(x);
  }
  out.u8(point.is_certified ? 1 : 0);
  for (const Index x : {point.passes, point.oracle_calls, point.cached_steps}) out.i64(x);
  out.f64(point.seconds);
  const Metrics metrics = point.test.value_or(Metrics());
  out.u64(metrics.size());
  for (const Metric& metric : metrics) {
    out.text(metric.name);
    out.f64(metric.value);
    out.u8(static_cast<std::uint8_t>(metric.better));
    out.u8(metric.is_main ? 1 : 0);
  }
  out.text(weights);
  return out.take();
}

PathPoint decode_point(ByteReader& in, double& epsilon) {
  epsilon = in.f64();
  PathPoint point;
  for (double* x :
       {&point.lambda, &point.primal, &point.dual, &point.dual_loss, &point.squared_length}) {
    *x = in.f64();
    const bool is_unknown = x == &point.dual && *x < 0.0 && std::isinf(*x);
    if (!std::isfinite(*x) && !is_unknown) in.fail("has a point with a number that is not finite");
  }
  if (point.lambda <= 0.0) in.fail(fmt::format("has a point with lambda {}", point.lambda));
  point.is_certified = in.u8() != 0;
  for (Index* x : {&point.passes, &point.oracle_calls, &point.cached_steps}) *x = in.i64();
  point.seconds = in.f64();
  Metrics metrics;
  for (std::size_t left = in.count(18); left > 0; --left) {
    Metric metric;
    metric.name = in.text();
    metric.value = in.f64();
    metric.better = in.u8() == 0 ? Better::kHigher : Better::kLower;
    metric.is_main = in.u8() != 0;
    metrics.push_back(std::move(metric));
  }
  if (!metrics.empty()) point.test = std::move(metrics);
  return point;
}

}  // namespace

bool PathFile::exists() const {
  std::error_code ignored;
  return is_kept() && std::filesystem::exists(path_, ignored);
}

void PathFile::start(const PathHeader& header) {
  ends_.clear();
  append(encode_header(header));
}

void PathFile::add(const PathPoint& point, double epsilon, std::string_view weights) {
  append(encode_point(point, epsilon, weights));
}

void PathFile::append(std::string_view payload) {
  if (!is_kept()) return;
  const std::string sealed = seal(FileKind::kPath, payload);
  ByteWriter piece;
  piece.text(sealed);
  const std::size_t end = ends_.empty() ? 0 : ends_.back();
  if (ends_.empty()) {
    write_file(path_, piece.bytes());  // there is a whole header or no file
  } else {
    append_file(path_, end, piece.bytes());
  }
  ends_.push_back(end + piece.bytes().size());
}

PathData PathFile::read(std::optional<std::size_t> most) {
  constexpr std::size_t kLength = sizeof(std::uint64_t);
  const std::string bytes = read_file(path_);
  if (bytes.starts_with("GAPWISE")) unseal(FileKind::kPath, bytes, path_);  // says what it is
  ends_.clear();
  std::optional<PathData> data;
  std::size_t at = 0;
  while (bytes.size() - at >= kLength && (!most || size() < *most || ends_.empty())) {
    std::uint64_t length = 0;
    std::memcpy(&length, bytes.data() + at, kLength);
    if (length > bytes.size() - at - kLength && !ends_.empty()) break;  // cut short
    const std::string_view sealed = std::string_view(bytes).substr(
        at + kLength, std::min<std::uint64_t>(length, bytes.size() - at - kLength));
    const std::string_view payload = unseal(FileKind::kPath, sealed, path_);
    if (!data) {
      data.emplace(decode_header(payload, path_));
    } else {
      ByteReader in(payload, path_);
      double epsilon = 0.0;
      PathPoint point = decode_point(in, epsilon);
      data->set_epsilon(epsilon);
      std::string weights = in.text();
      in.expect_end();
      const std::size_t dimension = data->header().model.w.size();
      if (!weights.empty() && decode_weights(weights, path_).size() != dimension) {
        in.fail("has a point of other weights");
      }
      data->add(std::move(point), std::move(weights));
    }
    at += kLength + length;
    ends_.push_back(at);
  }
  if (!data) throw InputError(fmt::format("{}: is cut short or no path; make it anew", path_));
  return std::move(*data);
}

}  // namespace gapwise::internal
