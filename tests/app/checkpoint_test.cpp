// A checkpoint is taken only as it was written, by this program and from this data; that anything
// else is refused, or at least harmless, is what fuzz/checkpoint_fuzz.cpp looks for.

#include "app/checkpoint.h"

#include <gtest/gtest.h>

#include "app/small_data.h"
#include "core/archive.h"

namespace gapwise::internal {
namespace {

using testing::says;
using testing::short_run;

class Checkpoint : public ::testing::Test {
 protected:
  std::string path(const std::string& name = "state") const { return folder_.path(name); }

  /// The bytes of a short run before they are packed.
  std::string begun(const std::string& solver = "bcfw") {
    struct Keeper : Observer {
      void on_stop(const Progress&, const Snapshot& run) override {
        bytes = checkpoint_bytes({}, run);
      }
      std::string bytes;
    } keeper;
    train(examples_.problem(), short_run(solver), keeper);
    return keeper.bytes;
  }

  /// Why the file is refused; empty if it is not.
  std::string refusal(const std::string& solver = "bcfw") {
    Training training(examples_.problem(), short_run(solver));
    try {
      resume(path(), {}, training);
    } catch (const InputError& error) {
      return error.what();
    }
    return {};
  }
  std::string refusal_of(const std::string& file_bytes) {
    write_file(path(), file_bytes);
    return refusal();
  }

  ScratchFolder folder_;
  Examples examples_ = testing::samples(folder_, "sequence", 12);
};

TEST_F(Checkpoint, IsTakenAsItWasWritten) {
  for (const char* solver : {"auto", "bcfw", "cutting-plane", "one-slack", "dcd", "sgd"}) {
    write_file(path(), seal_checkpoint(begun(solver)));
    EXPECT_EQ(refusal(solver), "") << solver;
    EXPECT_NO_THROW(check_checkpoint(path()));
  }
}

/// What a run makes of a checkpoint with other bytes in it.
TEST_F(Checkpoint, WithChangedBytesIsRefusedOrHarmless) {
  Rng rng(1);
  int refused = 0;
  int resumed = 0;
  for (const char* solver : {"auto", "bcfw", "bcpfw", "mpbcfw", "fw", "cutting-plane", "one-slack",
                             "dcd", "eg", "ssg", "kernel-bcfw"}) {
    const std::string bytes = begun(solver);
    TrainOptions longer = short_run(solver);
    longer.max_passes = 9;
    longer.max_oracle_calls = 400;
    for (int trial = 0; trial < 60; ++trial) {
      std::string patched = bytes;
      const auto at = static_cast<std::size_t>(rng.below(std::ssize(bytes)));
      patched[at] = static_cast<char>(rng.below(256));
      write_file(path(), seal_checkpoint(patched));
      Training training(examples_.problem(), longer);
      try {
        resume(path(), {}, training);
        ++resumed;
      } catch (const InputError&) {
        ++refused;
        continue;
      }
      try {
        Observer nobody;
        training.run(nobody);
      } catch (const OptionError&) {  // numbers have grown beyond what a double holds
      } catch (const OracleError&) {  // its answers contradict the outputs of the checkpoint
      }
    }
  }
  EXPECT_GT(refused, 100) << resumed << " were resumed";
  EXPECT_GT(resumed, 100) << refused << " were refused";
}

TEST_F(Checkpoint, EndsWhereItsStateEnds) {
  const std::string bytes = begun();
  EXPECT_TRUE(says(refusal_of(seal_checkpoint(bytes + '\0')), "1 bytes too many"));
  EXPECT_TRUE(says(refusal_of(seal_checkpoint(bytes.substr(0, bytes.size() - 1))), "damaged"));
  EXPECT_TRUE(says(refusal_of(seal_checkpoint(bytes) + "x"), "too long"));
  EXPECT_TRUE(says(refusal_of(seal_checkpoint("")), "ends too early"));
}

/// The file with its stamp, which begins behind the header, made something else.
std::string with_stamp(std::string file, std::string_view stamp) {
  constexpr std::size_t kHeader = 24;
  constexpr std::size_t kChecksum = 8;
  std::string payload = file.substr(kHeader, file.size() - kHeader - kChecksum);
  payload.replace(0, stamp.size(), stamp);
  return seal(FileKind::kCheckpoint, payload);
}

std::string stamp(std::uint32_t layout, std::string version) {
  version.resize(16, '\0');
  ByteWriter out;
  out.u32(layout);
  out.raw(version.data(), version.size());
  return out.take();
}

TEST_F(Checkpoint, IsForTheProgramThatWroteItAndSaysWhichThatWas) {
  const std::string file = seal_checkpoint(begun());
  const std::string older = with_stamp(file, stamp(3, "0.0.1"));
  EXPECT_TRUE(says(refusal_of(older), "was made by gapwise 0.0.1 (layout 3), this is gapwise"));
  EXPECT_THROW(check_checkpoint(path()), InputError) << "before the data are read";
  EXPECT_TRUE(says(refusal_of(with_stamp(file, stamp(2, "9.9"))), "(layout 2)"));
  const std::string odd = refusal_of(with_stamp(file, stamp(3, "\x1b[2J\n")));
  EXPECT_TRUE(says(odd, "was made by another version of gapwise, this"));
}

TEST_F(Checkpoint, IsLookedAtBeforeItIsRead) {
  Training training(examples_.problem(), short_run());
  try {
    resume("/dev/zero", {}, training);
    ADD_FAILURE();
  } catch (const InputError& error) {
    EXPECT_TRUE(says(error.what(), "not a gapwise file"));
  }
  write_file(path(), seal(FileKind::kModel, "model"));
  EXPECT_THROW(check_checkpoint(path()), InputError);
}

TEST_F(Checkpoint, AnnouncesNoMoreThanItHolds) {
  const std::string file = seal_checkpoint(begun());
  for (const std::uint64_t size :
       {std::uint64_t{0}, std::uint64_t{1} << 20, std::uint64_t{1} << 62, ~std::uint64_t{0}}) {
    ByteWriter out;
    out.raw(file.data() + 24, 20);
    out.u64(size);
    EXPECT_NE(refusal_of(with_stamp(file, out.bytes())), "") << size;
  }
}

}  // namespace
}  // namespace gapwise::internal
