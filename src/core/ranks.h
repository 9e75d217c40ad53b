#pragma once

#include <cstdint>
#include <exception>
#include <string>
#include <string_view>
#include <vector>

#include "core/communicator.h"

namespace gapwise::internal {

/// An exception as it is told to other ranks: they throw one of the same kind with the same words.
struct Failure {
  enum class Kind : std::uint8_t { kOther, kOption, kInput, kOracle, kError, kMemory };

  Kind kind = Kind::kOther;
  std::string what;

  static Failure of(const std::exception_ptr& exception);
  [[noreturn]] void raise() const;
};

/// What ranks meet for. All of them come to the same meetings in the same order, because each does
/// the same with the same data, but for what only rank 0 knows (clock, signals) and tells.
enum class Meeting : std::uint8_t { kData, kResume, kStep, kWork, kVerdict, kEnd };

/// The ranks of a job, of which rank 0 leads: it alone prints, writes files and looks at the clock.
/// Whatever happens to one of them, the others hear of it at their next meeting: an exception ends
/// them all, and where rank 0 gives up work (GivenUp, stop.h) all do.
class Ranks {
 public:
  /// `communicator` outlives it.
  explicit Ranks(Communicator& communicator) : communicator_(communicator) {}

  int rank() const { return communicator_.rank(); }
  int size() const { return communicator_.size(); }
  bool leads() const { return rank() == 0; }
  /// "rank 2 on node7".
  std::string name(int rank) const;

  /// What all ranks say. Throws what a rank failed with, GivenUp if rank 0 gave up meanwhile, and
  /// Error if ranks have come to different meetings.
  std::vector<std::string> meet(Meeting what, std::string_view mine);
  /// The same for numbers that must be those of rank 0; the first rank where they are not, or 0.
  int find_other(Meeting what, std::string_view mine);
  /// What rank 0 says.
  std::string share(Meeting what, std::string_view mine);

  /// Before a meeting with work: rank 0 says what there is to do.
  void open(Index count, Index most, int threads) {
    communicator_.open(count, most, Index{threads} * size());
  }
  ItemRange take() { return communicator_.take(); }
  /// In the place of such a meeting: rank 0 gives up, and all throw GivenUp.
  [[noreturn]] void give_up_work();

  /// To be called where GivenUp is caught: if only this rank, rank 0, has given up, the others do
  /// so at the meeting to which they come next.
  void settle_given_up();

  /// This rank ends with an exception; the others throw it at the meeting to which they come next.
  /// Nothing if it came from there.
  void fail(const std::exception_ptr& exception);

 private:
  enum class Status : std::uint8_t { kHere, kGivesUp, kFails };

  static Status status_of(const std::string& message) { return static_cast<Status>(message.at(0)); }
  std::vector<std::string> exchange(Status status, Meeting what, std::string_view payload);
  void raise_failure(const std::vector<std::string>& said);
  void tell_given_up();

  Communicator& communicator_;
  bool has_ended_ = false;
  bool all_gave_up_ = false;
};

}  // namespace gapwise::internal
