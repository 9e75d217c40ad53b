#include "io/model_record.h"

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <map>
#include <string>
#include <vector>

#include "core/archive.h"
#include "gapwise/errors.h"
#include "io/files.h"
#include "support/scratch_folder.h"

namespace gapwise::internal {
namespace {

ModelRecord small_model() {
  ModelRecord model;
  model.task = "sequence";
  model.settings = {{"lambda", "0.01"}, {"template", "U:%x[0,0]\nB\n"}};
  model.lists = {{"labels", {"B-NP", "I-NP", std::string("\xff\0", 2)}}, {"none", {}}};
  model.numbers = {{"counts", {-1, 0, std::numeric_limits<std::int64_t>::max()}}};
  model.w = {0.0, 0.0, 1.5, 0.0, -2.25, 0.0, 0.0, 0.0, 1e-300};
  return model;
}

void expect_equal(const ModelRecord& a, const ModelRecord& b) {
  EXPECT_EQ(a.task, b.task);
  EXPECT_EQ(a.settings, b.settings);
  EXPECT_EQ(a.lists, b.lists);
  EXPECT_EQ(a.numbers, b.numbers);
  EXPECT_EQ(a.w, b.w);
}

std::string reason(const std::string& payload) {
  try {
    decode_model(payload, "m.gapwise");
  } catch (const InputError& error) {
    return error.what();
  }
  return "accepted";
}

/// A payload with empty maps, up to where the weights begin.
ByteWriter before_weights() {
  ByteWriter out;
  out.text("sequence");
  for (int map = 0; map < 3; ++map) out.u64(0);
  return out;
}

constexpr std::uint64_t kHuge = std::uint64_t{1} << 60U;
constexpr std::uint64_t kFew = 10'000;
constexpr std::uint8_t kDense = 0;
constexpr std::uint8_t kSparse = 1;

TEST(ModelFile, ReadsBackWhatItWrote) {
  const ScratchFolder folder;
  const std::string path = folder.path("m.gapwise");
  save_model(small_model(), path);
  const ModelRecord loaded = load_model(path);
  expect_equal(loaded, small_model());
  EXPECT_EQ(loaded.source, path);
}

TEST(ModelFile, HoldsAnyModel) {
  EXPECT_TRUE(rc::check([](const std::map<std::string, std::string>& settings,
                           const std::map<std::string, std::vector<std::string>>& lists,
                           const std::map<std::string, std::vector<std::int64_t>>& numbers,
                           const std::vector<double>& w, const std::vector<bool>& zero) {
    ModelRecord model{"any", settings, lists, numbers, w, "model"};
    for (std::size_t j = 0; j < std::min(w.size(), zero.size()); ++j) {
      if (zero[j]) model.w[j] = 0.0;
    }
    const std::string payload = encode_model(model);
    expect_equal(decode_model(payload, "m"), model);
    RC_ASSERT(encode_model(decode_model(payload, "m")) == payload);
  }));
}

TEST(ModelFile, TakesNoRoomForZeros) {
  ModelRecord model;
  model.w.assign(1'000'000, 0.0);
  model.w[999'999] = 1.0;
  EXPECT_LT(encode_model(model).size(), 100U);
  expect_equal(decode_model(encode_model(model), "m"), model);
}

TEST(ModelFile, TakesEightBytesAWeightAtTheMost) {
  ModelRecord model;
  model.w.assign(1000, 0.5);
  EXPECT_LT(encode_model(model).size(), 8000U + 100U);
}

TEST(ModelFile, ForgetsTheSignOfZeroInEitherForm) {
  ModelRecord model;
  for (const std::size_t others : {0U, 1U}) {
    model.w.assign(20, others == 0 ? 0.0 : 3.0);
    model.w[7] = -0.0;
    const ModelRecord loaded = decode_model(encode_model(model), "m");
    EXPECT_FALSE(std::signbit(loaded.w[7]));
  }
}

TEST(ModelFile, IsRefusedWhenCutAtAnyByte) {
  const std::string whole = seal(FileKind::kModel, encode_model(small_model()));
  const ScratchFolder folder;
  for (std::size_t size = 0; size < whole.size(); ++size) {
    write_file(folder.path("m"), whole.substr(0, size));
    EXPECT_THROW(load_model(folder.path("m")), InputError) << size;
  }
}

TEST(ModelFile, IsRefusedWhenAnyByteIsAnother) {
  const std::string whole = seal(FileKind::kModel, encode_model(small_model()));
  for (std::size_t at = 0; at < whole.size(); ++at) {
    for (int change = 1; change < 256; ++change) {
      std::string damaged = whole;
      damaged[at] = static_cast<char>(static_cast<unsigned char>(damaged[at]) + change);
      EXPECT_THROW(decode_model(unseal(FileKind::kModel, damaged, "m"), "m"), InputError) << at;
    }
  }
}

TEST(ModelFile, IsRefusedWhenThePayloadIsCutUnderAValidChecksum) {
  const std::string payload = encode_model(small_model());
  for (std::size_t size = 0; size < payload.size(); ++size) {
    EXPECT_THROW(decode_model(payload.substr(0, size), "m"), InputError) << size;
  }
  EXPECT_THROW(decode_model(payload + "x", "m"), InputError);
}

TEST(ModelFile, RefusesHugeCountsWithoutMakingRoomForThem) {
  const std::string payload = encode_model(small_model());
  ByteWriter huge;
  huge.u64(kHuge);
  for (std::size_t at = 0; at + huge.bytes().size() <= payload.size(); ++at) {
    std::string hostile = payload;
    hostile.replace(at, huge.bytes().size(), huge.bytes());
    try {  // not every place holds a count; whatever is accepted must be small
      EXPECT_LE(decode_model(hostile, "m", kFew).w.size(), kFew) << at;
    } catch (const InputError&) {
    }
  }
  for (const std::uint64_t dimension : {kHuge, std::uint64_t{1} << 63U, ~std::uint64_t{0}}) {
    for (const std::uint8_t form : {kDense, kSparse}) {
      ByteWriter out = before_weights();
      out.u64(dimension);
      out.u8(form);
      out.u64(0);
      EXPECT_NE(reason(out.bytes()).find(std::to_string(dimension) + " weights"),
                std::string::npos);
    }
  }
}

TEST(ModelFile, RefusesWeightsThatAreNotFinite) {
  for (const double bad :
       {std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity(),
        -std::numeric_limits<double>::infinity()}) {
    ModelRecord model = small_model();
    model.w[3] = bad;
    EXPECT_THROW(encode_model(model), InputError);

    ByteWriter dense = before_weights();
    dense.u64(1);
    dense.u8(kDense);
    dense.f64(bad);
    EXPECT_NE(reason(dense.bytes()).find("weight 0"), std::string::npos);

    ByteWriter sparse = before_weights();
    sparse.u64(5);
    sparse.u8(kSparse);
    sparse.u64(1);
    sparse.u8(4);
    sparse.f64(bad);
    EXPECT_NE(reason(sparse.bytes()).find("weight 4"), std::string::npos);
  }
}

TEST(ModelFile, RefusesWeightsOutsideTheVector) {
  for (const int skipped : {0, 4, 5, 127}) {
    ByteWriter out = before_weights();
    out.u64(5);
    out.u8(kSparse);
    out.u64(1);
    out.u8(static_cast<std::uint8_t>(skipped));
    out.f64(1.0);
    EXPECT_EQ(reason(out.bytes()) == "accepted", skipped < 5) << skipped;
  }
  ByteWriter endless = before_weights();
  endless.u64(5);
  endless.u8(kSparse);
  endless.u64(1);
  for (int k = 0; k < 20; ++k) endless.u8(0xff);
  EXPECT_NE(reason(endless.bytes()).find("63 bits"), std::string::npos);
}

TEST(ModelFile, RefusesAnUnknownFormOfWeights) {
  ByteWriter out = before_weights();
  out.u64(0);
  out.u8(9);
  EXPECT_NE(reason(out.bytes()).find("form 9"), std::string::npos);
}

TEST(ModelFile, RefusesNamesOutOfOrder) {
  for (const char* second : {"a", "b"}) {
    ByteWriter out;
    out.text("sequence");
    out.u64(2);
    out.text("b");
    out.text("value");
    out.text(second);
    out.text("value");
    EXPECT_NE(reason(out.bytes()).find("not sorted"), std::string::npos);
  }
}

TEST(ModelFile, SurvivesArbitraryPayloads) {
  EXPECT_TRUE(
      rc::check([](std::string start, const std::vector<std::uint8_t>& noise, std::uint16_t where) {
        std::string payload = encode_model(small_model());
        const std::size_t at = where % payload.size();
        payload.replace(at, noise.size(), std::string(noise.begin(), noise.end()));
        for (const std::string& bytes : {payload, start + payload, start}) {
          try {
            const ModelRecord model = decode_model(bytes, "m", kFew);
            expect_equal(decode_model(encode_model(model), "m"), model);
          } catch (const InputError&) {
          }
        }
      }));
}

TEST(ModelRecord, NamesWhatIsMissing) {
  ModelRecord model = small_model();
  model.source = "m.gapwise";
  EXPECT_EQ(model.setting("lambda"), "0.01");
  EXPECT_EQ(model.list("labels").size(), 3U);
  try {
    model.setting("loss");
    FAIL();
  } catch (const InputError& error) {
    EXPECT_STREQ(error.what(),
                 "m.gapwise: the sequence model has no setting 'loss'; train it again with this "
                 "version");
  }
  EXPECT_THROW(model.list("attributes"), InputError);
}

}  // namespace
}  // namespace gapwise::internal
