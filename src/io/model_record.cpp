#include "io/model_record.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <new>
#include <utility>

#include "core/archive.h"
#include "gapwise/errors.h"
#include "io/files.h"
#include "io/varint.h"

namespace gapwise::internal {

namespace {

// How the weights lie in the file.
constexpr std::uint8_t kDense = 0;
constexpr std::uint8_t kSparse = 1;

constexpr std::size_t kMinTextBytes = 8;  // a text is at least its length

std::size_t varint_size(std::uint64_t value) {
  return std::max<std::size_t>(1, (static_cast<std::size_t>(std::bit_width(value)) + 6) / 7);
}

/// Calls visit(zeros skipped since the last one, weight) for every weight that is not 0.
template <class Visit>
void for_each_nonzero(const std::vector<double>& w, Visit visit) {
  std::uint64_t skipped = 0;
  for (const double weight : w) {
    if (weight == 0.0) {
      ++skipped;
    } else {
      visit(skipped, weight);
      skipped = 0;
    }
  }
}

std::string not_finite(std::uint64_t index, double weight) {
  return fmt::format("weight {} is {}; every weight must be finite", index, weight);
}

void check_finite(const ModelRecord& model) {
  const auto bad = std::find_if_not(model.w.begin(), model.w.end(),
                                    [](double weight) { return std::isfinite(weight); });
  if (bad == model.w.end()) return;
  const auto index = static_cast<std::uint64_t>(bad - model.w.begin());
  throw InputError(fmt::format("{}: {}", model.source, not_finite(index, *bad)));
}

void write_weights(ByteWriter& out, const std::vector<double>& w) {
  std::uint64_t count = 0;
  std::size_t sparse_size = sizeof(std::uint64_t);
  for_each_nonzero(w, [&](std::uint64_t skipped, double) {
    ++count;
    sparse_size += varint_size(skipped) + sizeof(double);
  });
  out.u64(w.size());
  if (sparse_size < w.size() * sizeof(double)) {
    out.u8(kSparse);
    out.u64(count);
    for_each_nonzero(w, [&](std::uint64_t skipped, double weight) {
      write_varint(out, skipped);
      out.f64(weight);
    });
  } else {
    out.u8(kDense);
    for (const double weight : w) out.f64(weight + 0.0);  // -0 becomes 0, as in the sparse form
  }
}

double read_weight(ByteReader& in, std::uint64_t index) {
  const double weight = in.f64();
  if (!std::isfinite(weight)) in.fail(not_finite(index, weight));
  return weight;
}

/// How many weights there may be, which in the sparse form the size of the file does not bound: no
/// more than the machine has memory for, rather than be driven out of it by a hostile file.
std::uint64_t largest_dimension() {
  const auto pages = static_cast<std::uint64_t>(std::max(0L, ::sysconf(_SC_PHYS_PAGES)));
  const auto page_size = static_cast<std::uint64_t>(std::max(0L, ::sysconf(_SC_PAGESIZE)));
  const std::uint64_t fits = pages * page_size / sizeof(double);
  return fits == 0 ? kMaxDimension : std::min(kMaxDimension, fits);
}

std::vector<double> make_zeros(std::uint64_t dimension, std::uint64_t limit, const ByteReader& in) {
  if (dimension <= limit) {
    try {
      return std::vector<double>(static_cast<std::size_t>(dimension));
    } catch (const std::bad_alloc&) {
    }
  }
  in.fail(
      fmt::format("announces {} weights, more than there is memory for (at most {}); it is "
                  "damaged or needs a larger machine",
                  dimension, limit));
}

void read_sparse(ByteReader& in, std::vector<double>& w) {
  const std::size_t count = in.count(1 + sizeof(double));
  std::uint64_t index = 0;  // of the next weight
  for (std::size_t k = 0; k < count; ++k) {
    const std::uint64_t skipped = read_varint(in);
    if (skipped >= w.size() - index) {
      in.fail(fmt::format("weight {} of {} lies beyond the last; it is damaged", k + 1, count));
    }
    index += skipped;
    w[index] = read_weight(in, index);
    ++index;
  }
}

std::vector<double> read_weights(ByteReader& in, std::uint64_t max_dimension) {
  const std::uint64_t dimension = in.u64();
  const std::uint8_t form = in.u8();
  if (form != kDense && form != kSparse) {
    in.fail(fmt::format("stores its weights in form {}; known are 0 and 1", form));
  }
  if (form == kDense && dimension > in.left() / sizeof(double)) {
    in.fail(fmt::format("announces {} weights but only {} bytes follow; it is damaged", dimension,
                        in.left()));
  }
  std::vector<double> w = make_zeros(dimension, std::min(max_dimension, largest_dimension()), in);
  if (form == kSparse) {
    read_sparse(in, w);
  } else {
    for (std::size_t j = 0; j < w.size(); ++j) w[j] = read_weight(in, j);
  }
  return w;
}

template <class Value, class WriteValue>
void write_map(ByteWriter& out, const std::map<std::string, Value>& map, WriteValue write_value) {
  out.u64(map.size());
  for (const auto& [name, value] : map) {
    out.text(name);
    write_value(value);
  }
}

/// Names come sorted and once each, so that equal models are equal files.
template <class ReadValue>
auto read_map(ByteReader& in, ReadValue read_value) {
  std::map<std::string, decltype(read_value())> map;
  const std::size_t count = in.count(2 * kMinTextBytes);
  for (std::size_t k = 0; k < count; ++k) {
    std::string name = in.text();
    if (!map.empty() && name <= map.rbegin()->first) {
      in.fail("names are not sorted; it is damaged");
    }
    map.emplace_hint(map.end(), std::move(name), read_value());
  }
  return map;
}

void write_texts(ByteWriter& out, const std::vector<std::string>& texts) {
  out.u64(texts.size());
  for (const std::string& text : texts) out.text(text);
}

std::vector<std::string> read_texts(ByteReader& in) {
  std::vector<std::string> texts(in.count(kMinTextBytes));
  for (std::string& text : texts) text = in.text();
  return texts;
}

template <class Value>
const Value& require(const std::map<std::string, Value>& map, const std::string& name,
                     std::string_view kind, const ModelRecord& model) {
  const auto found = map.find(name);
  if (found == map.end()) {
    throw InputError(
        fmt::format("{}: the {} model has no {} '{}'; train it again with this version",
                    model.source, model.task, kind, name));
  }
  return found->second;
}

}  // namespace

const std::string& ModelRecord::setting(const std::string& name) const {
  return require(settings, name, "setting", *this);
}

const std::vector<std::string>& ModelRecord::list(const std::string& name) const {
  return require(lists, name, "list", *this);
}

std::string encode_model(const ModelRecord& model) {
  check_finite(model);
  ByteWriter out;
  out.text(model.task);
  write_map(out, model.settings, [&](const auto& value) { out.text(value); });
  write_map(out, model.lists, [&](const auto& value) { write_texts(out, value); });
  write_map(out, model.numbers, [&](const auto& value) { out.i64s(value); });
  write_weights(out, model.w);
  return out.take();
}

ModelRecord decode_model(std::string_view payload, const std::string& source,
                         std::uint64_t max_dimension) {
  ByteReader in(payload, source);
  ModelRecord model;
  model.source = source;
  model.task = in.text();
  model.settings = read_map(in, [&] { return in.text(); });
  model.lists = read_map(in, [&] { return read_texts(in); });
  model.numbers = read_map(in, [&] { return in.i64s(); });
  model.w = read_weights(in, max_dimension);
  in.expect_end();
  return model;
}

void save_model(const ModelRecord& model, const std::string& path) {
  write_file(path, seal(FileKind::kModel, encode_model(model)));
}

ModelRecord load_model(const std::string& path) {
  return decode_model(read_sealed(FileKind::kModel, path), path);
}

}  // namespace gapwise::internal
