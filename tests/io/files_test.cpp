#include "io/files.h"

#define XXH_INLINE_ALL
#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>
#include <xxhash.h>

#include <csignal>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <thread>
#include <vector>

#include "core/archive.h"
#include "gapwise/errors.h"
#include "io/opened_files.h"
#include "support/reading.h"

namespace gapwise::internal {
namespace {

namespace fs = std::filesystem;

class Files : public ::testing::Test {
 protected:
  std::string path(const std::string& name) const { return folder_.path(name); }
  std::size_t entries() const {
    return static_cast<std::size_t>(
        std::distance(fs::directory_iterator(folder_.root()), fs::directory_iterator()));
  }

 private:
  ScratchFolder folder_;
};

TEST_F(Files, ReadsBackWhatItWrote) {
  const std::string bytes("a\0b\r\n\xff", 6);
  write_file(path("f"), bytes);
  EXPECT_EQ(read_file(path("f")), bytes);
  write_file(path("f"), "");
  EXPECT_EQ(read_file(path("f")), "");
  const std::string large(3'000'001, 'x');
  write_file(path("f"), large);
  EXPECT_EQ(read_file(path("f")), large);
  EXPECT_EQ(entries(), 1U);
}

TEST_F(Files, KeepsThePermissionsOfAnExistingFile) {
  write_file(path("f"), "old");
  ASSERT_EQ(::chmod(path("f").c_str(), 0640), 0);
  write_file(path("f"), "new");
  struct stat status {};
  ASSERT_EQ(::stat(path("f").c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 07777U, 0640U);
}

TEST_F(Files, GivesANewFileThePermissionsTheUmaskLeaves) {
  const mode_t old_mask = ::umask(0027);
  write_file(path("f"), "new");
  ::umask(old_mask);
  struct stat status {};
  ASSERT_EQ(::stat(path("f").c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 07777U, 0640U);
}

TEST_F(Files, FollowsSymbolicLinksInsteadOfReplacingThem) {
  fs::create_directory(path("far"));
  write_file(path("far/real"), "old");
  fs::create_symlink("far/real", path("link"));
  fs::create_symlink("link", path("second"));
  write_file(path("second"), "new");
  EXPECT_TRUE(fs::is_symlink(path("second")));
  EXPECT_TRUE(fs::is_symlink(path("link")));
  EXPECT_EQ(read_file(path("far/real")), "new");
}

TEST_F(Files, CreatesTheFileADanglingLinkPointsTo) {
  fs::create_symlink("later", path("link"));
  write_file(path("link"), "new");
  EXPECT_TRUE(fs::is_symlink(path("link")));
  EXPECT_EQ(read_file(path("later")), "new");
}

TEST_F(Files, RefusesLinksThatGoInCircles) {
  fs::create_symlink("a", path("b"));
  fs::create_symlink("b", path("a"));
  EXPECT_THROW(write_file(path("a"), "new"), InputError);
  EXPECT_EQ(entries(), 2U);
}

TEST_F(Files, WritesToDevicesAndPipesDirectly) {
  write_file("/dev/null", "gone");
  EXPECT_FALSE(fs::is_regular_file("/dev/null"));

  ASSERT_EQ(::mkfifo(path("pipe").c_str(), 0600), 0);
  std::string received;
  std::thread reader([&] { received = read_file(path("pipe")); });
  write_file(path("pipe"), "through");
  reader.join();
  EXPECT_EQ(received, "through");
  EXPECT_TRUE(fs::is_fifo(path("pipe")));
}

TEST_F(Files, WritesThroughAProcessDescriptorWithoutReplacingItsFile) {
  const int fd = ::open(path("f").c_str(), O_RDWR | O_CREAT, 0600);
  ASSERT_GE(fd, 0);
  write_file("/dev/fd/" + std::to_string(fd), "into the open file");
  std::string seen(64, '\0');
  const ssize_t got = ::pread(fd, seen.data(), seen.size(), 0);
  ::close(fd);
  EXPECT_EQ(seen.substr(0, static_cast<std::size_t>(got)), "into the open file");
}

TEST_F(Files, SaysWhyAFullDeviceCannotBeWritten) {
  EXPECT_NE(message_of([] { write_file("/dev/full", "x"); }).find("No space left"),
            std::string::npos);
}

TEST_F(Files, NamesTheFileAndTheCauseWhenItCannotWrite) {
  const std::string missing = path("no/such/folder");
  EXPECT_EQ(message_of([&] { write_file(missing, "x"); }).rfind(missing + ": cannot be written", 0),
            0U);
  EXPECT_NE(message_of([&] { write_file(path("."), "x"); }).find("directory"), std::string::npos);
  EXPECT_THROW(write_file("", "x"), InputError);
  EXPECT_EQ(entries(), 0U);
}

TEST_F(Files, RefusesToReplaceAFileItMayNotWrite) {
  if (::geteuid() == 0) GTEST_SKIP() << "root may write everything";
  write_file(path("f"), "old");
  ASSERT_EQ(::chmod(path("f").c_str(), 0440), 0);
  EXPECT_THROW(write_file(path("f"), "new"), InputError);
  EXPECT_EQ(read_file(path("f")), "old");
}

TEST_F(Files, LeavesTheOldFileAndNoTemporaryWhenWritingFailsHalfWay) {
  write_file(path("f"), "old");
  rlimit before{};
  ASSERT_EQ(::getrlimit(RLIMIT_FSIZE, &before), 0);
  const auto old_handler = std::signal(SIGXFSZ, SIG_IGN);
  const rlimit tight{1000, before.rlim_max};
  ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &tight), 0);
  const std::string message = message_of([&] { write_file(path("f"), std::string(5000, 'x')); });
  ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &before), 0);
  std::signal(SIGXFSZ, old_handler);
  EXPECT_NE(message.find("cannot be written"), std::string::npos) << message;
  EXPECT_EQ(read_file(path("f")), "old");
  EXPECT_EQ(entries(), 1U);
}

TEST_F(Files, DoNotMixWhenSeveralThreadsWriteTheSameFile) {
  std::vector<std::thread> writers;
  for (char c = 'a'; c < 'e'; ++c) {
    writers.emplace_back([this, c] {
      for (int k = 0; k < 20; ++k) write_file(path("f"), std::string(10'000, c));
    });
  }
  for (std::thread& writer : writers) writer.join();
  const std::string bytes = read_file(path("f"));
  EXPECT_EQ(bytes, std::string(10'000, bytes[0]));
  EXPECT_EQ(entries(), 1U);
}

TEST_F(Files, RemovesWhatAKilledProgramLeftAndNothingElse) {
  const pid_t child = ::fork();
  if (child == 0) {
    FileWriter file(path("f"));
    file.add("half");
    ::_exit(0);  // as if killed: nothing is cleaned up
  }
  ASSERT_GT(child, 0);
  ASSERT_EQ(::waitpid(child, nullptr, 0), child);
  EXPECT_EQ(entries(), 1U);
  write_file(path("g"), "another place");
  EXPECT_EQ(entries(), 2U) << "who writes elsewhere leaves it alone";
  FileWriter under_way(path("f"));
  under_way.add("first");
  EXPECT_EQ(entries(), 2U) << "in the place of what was left";
  write_file(path("f"), "second");
  EXPECT_EQ(entries(), 3U) << "what is under way is not removed";
  under_way.commit();
  EXPECT_EQ(read_file(path("f")), "first");
  EXPECT_EQ(entries(), 2U);
}

TEST_F(Files, AreInOnePlaceHoweverTheyAreNamed) {
  fs::create_directories(path("folder/deep"));
  fs::create_directory_symlink(path("folder"), path("link"));
  fs::create_symlink(path("folder/new"), path("to_new"));
  const std::string place = place_of(path("folder/new"));
  for (const char* name :
       {"folder/./new", "folder/deep/../new", "link/new", "link/deep/../new", "to_new"}) {
    EXPECT_EQ(place_of(path(name)), place) << name;
  }
  EXPECT_NE(place_of(path("new")), place);
}

TEST_F(Files, ThatWereReadAreKnownByAnyName) {
  write_file(path("read"), "x");
  write_file(path("other"), "x");
  fs::create_hard_link(path("read"), path("hard"));
  fs::create_symlink(path("read"), path("soft"));
  const OpenedFiles before;
  {
    const OpenedFiles opened;
    read_file(path("read"));
    for (const char* name : {"read", "hard", "soft"}) {
      EXPECT_EQ(opened.find(path(name)), path("read")) << name;
    }
    EXPECT_THROW(write_file(path("soft"), "y"), InputError);
    EXPECT_EQ(read_file(path("read")), "x");
    EXPECT_FALSE(opened.find(path("other")));
    EXPECT_FALSE(opened.find(path("missing")));
  }
  EXPECT_FALSE(before.find(path("read")));
  read_file(path("other"));
  EXPECT_TRUE(before.find(path("other")));
}

TEST_F(Files, SaysWhyAFileCannotBeRead) {
  EXPECT_EQ(
      message_of([&] { read_file(path("none")); }).rfind(path("none") + ": cannot be read", 0), 0U);
  EXPECT_NE(message_of([&] { read_file(path(".")); }).find("directory"), std::string::npos);
}

std::string reason(FileKind kind, const std::string& bytes) {
  return message_of([&] { unseal(kind, bytes, "f.gapwise"); });
}

TEST(Sealed, ReturnsThePayload) {
  for (const std::string& payload : {std::string(), std::string("x"), std::string(5000, 'y')}) {
    EXPECT_EQ(unseal(FileKind::kModel, seal(FileKind::kModel, payload), "f"), payload);
  }
}

TEST(Sealed, TellsEmptyForeignAndShortFilesApart) {
  EXPECT_EQ(reason(FileKind::kModel, ""), "f.gapwise: is empty; expected a model");
  EXPECT_EQ(reason(FileKind::kModel, "John NNP B-NP\n"),
            "f.gapwise: is not a gapwise file; expected a model written by gapwise train");
  EXPECT_NE(reason(FileKind::kModel, "GAPWISE").find("cut short"), std::string::npos);
}

TEST(Sealed, SaysWhereAFileOfTheOtherKindBelongs) {
  EXPECT_EQ(reason(FileKind::kModel, seal(FileKind::kCheckpoint, "x")),
            "f.gapwise: is a checkpoint, expected a model; go on with it by resume");
  EXPECT_EQ(
      reason(FileKind::kCheckpoint, seal(FileKind::kModel, "x")),
      "f.gapwise: is a model, expected a checkpoint; a model is for 'predict', 'evaluate' and "
      "'inspect'");
  EXPECT_NE(reason(FileKind::kModel, seal(FileKind{77}, "x")).find("kind 77"), std::string::npos);
}

TEST(Sealed, RefusesEveryTruncationAndSaysHowManyBytesAreMissing) {
  const std::string whole = seal(FileKind::kModel, "payload");
  for (std::size_t size = 1; size < whole.size(); ++size) {
    EXPECT_NE(reason(FileKind::kModel, whole.substr(0, size)).find("cut short"), std::string::npos)
        << size;
  }
  EXPECT_EQ(reason(FileKind::kModel, whole.substr(0, 30)),
            "f.gapwise: is cut short: 30 bytes found where 39 were announced; copy it again or "
            "train again");
  EXPECT_NE(reason(FileKind::kModel, whole + "x").find("too long"), std::string::npos);
}

TEST(Sealed, RefusesEveryFlippedBit) {
  const std::string whole = seal(FileKind::kModel, "payload");
  for (std::size_t at = 0; at < whole.size(); ++at) {
    for (unsigned bit = 0; bit < 8; ++bit) {
      std::string damaged = whole;
      damaged[at] = static_cast<char>(static_cast<unsigned char>(damaged[at]) ^ (1U << bit));
      EXPECT_THROW(unseal(FileKind::kModel, damaged, "f"), InputError) << at << "." << bit;
    }
  }
}

TEST(Sealed, SaysThatANewerFormatNeedsANewerRelease) {
  std::string bytes = seal(FileKind::kModel, "payload");
  bytes.resize(bytes.size() - sizeof(std::uint64_t));
  bytes[8] = 2;  // the format version
  ByteWriter out;
  out.raw(bytes.data(), bytes.size());
  out.u64(XXH3_64bits(bytes.data(), bytes.size()));
  const std::string message = reason(FileKind::kModel, out.bytes());
  EXPECT_NE(message.find("has format version 2"), std::string::npos) << message;
  EXPECT_NE(message.find("reads version 1"), std::string::npos) << message;
}

TEST(Sealed, StopsReadingAFileThatIsNotItsOwn) {
  EXPECT_NE(message_of([] { read_sealed(FileKind::kModel, "/dev/zero"); }).find("not a gapwise"),
            std::string::npos);
}

}  // namespace
}  // namespace gapwise::internal
