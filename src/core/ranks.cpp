#include "core/ranks.h"

#include <fmt/format.h>

#include <algorithm>
#include <new>

#include "core/stop.h"
#include "gapwise/errors.h"

namespace gapwise::internal {
namespace {

constexpr std::size_t kHeadSize = 2;

std::string pack(const Failure& failure) {
  return static_cast<char>(failure.kind) + failure.what;
}

Failure unpack(std::string_view bytes) {
  return {static_cast<Failure::Kind>(bytes.at(0)), std::string(bytes.substr(1))};
}

}  // namespace

Failure Failure::of(const std::exception_ptr& exception) {
  try {
    std::rethrow_exception(exception);
  } catch (const OptionError& error) {
    return {Kind::kOption, error.marked()};
  } catch (const InputError& error) {
    return {Kind::kInput, error.marked()};
  } catch (const OracleError& error) {
    return {Kind::kOracle, error.marked()};
  } catch (const Error& error) {
    return {Kind::kError, error.marked()};
  } catch (const std::bad_alloc&) {
    return {Kind::kMemory, "out of memory"};
  } catch (const std::exception& error) {
    return {Kind::kOther, error.what()};
  } catch (...) {
    return {Kind::kOther, "ended for an unknown reason"};
  }
}

void Failure::raise() const {
  switch (kind) {
    case Kind::kOption:
      throw OptionError(what);
    case Kind::kInput:
      throw InputError(what);
    case Kind::kOracle:
      throw OracleError(what);
    case Kind::kError:
      throw Error(what);
    case Kind::kMemory:
    case Kind::kOther:
      break;
  }
  throw Error(what);
}

std::string Ranks::name(int rank) const {
  const std::string place = communicator_.place(rank);
  return place.empty() ? fmt::format("rank {}", rank) : fmt::format("rank {} on {}", rank, place);
}

/// Every message begins with the status of who sends it, so it is heard whatever the others expect.
std::vector<std::string> Ranks::exchange(Status status, Meeting what, std::string_view payload) {
  std::string mine;
  mine.reserve(kHeadSize + payload.size());
  mine += static_cast<char>(status);
  mine += static_cast<char>(what);
  mine += payload;
  return communicator_.exchange(mine);
}

void Ranks::raise_failure(const std::vector<std::string>& said) {
  for (std::size_t r = 0; r < said.size(); ++r) {
    if (status_of(said[r]) != Status::kFails) continue;
    has_ended_ = true;
    Failure failure = unpack(std::string_view(said[r]).substr(kHeadSize));
    if (r > 0) failure.what = name(static_cast<int>(r)) + ": " + failure.what;
    failure.raise();
  }
}

std::vector<std::string> Ranks::meet(Meeting what, std::string_view mine) {
  if (has_ended_) throw Error("the job has ended");
  std::vector<std::string> said = exchange(Status::kHere, what, mine);
  raise_failure(said);
  if (status_of(said[0]) == Status::kGivesUp) {
    all_gave_up_ = true;
    throw GivenUp();
  }
  for (std::size_t r = 1; r < said.size(); ++r) {
    if (said[r].at(1) != said[0].at(1)) {
      has_ended_ = true;
      throw Error(
          fmt::format("{} has gone another way than rank 0; all ranks must run the same "
                      "program with the same options on processors of the same kind",
                      name(static_cast<int>(r))));
    }
  }
  for (std::string& message : said) message.erase(0, kHeadSize);
  return said;
}

int Ranks::find_other(Meeting what, std::string_view mine) {
  const std::vector<std::string> said = meet(what, mine);
  const auto other =
      std::find_if(said.begin(), said.end(), [&](const std::string& x) { return x != said[0]; });
  return other == said.end() ? 0 : static_cast<int>(other - said.begin());
}

std::string Ranks::share(Meeting what, std::string_view mine) {
  return meet(what, leads() ? mine : std::string_view())[0];
}

void Ranks::give_up_work() {
  tell_given_up();
  all_gave_up_ = true;
  throw GivenUp();
}

void Ranks::settle_given_up() {
  if (!all_gave_up_) tell_given_up();
  all_gave_up_ = false;
}

void Ranks::tell_given_up() {
  communicator_.open(0, 1, 1);
  raise_failure(exchange(Status::kGivesUp, Meeting::kWork, {}));
}

void Ranks::fail(const std::exception_ptr& exception) {
  if (has_ended_) return;
  has_ended_ = true;
  communicator_.open(0, 1, 1);
  exchange(Status::kFails, Meeting::kEnd, pack(Failure::of(exception)));
}

}  // namespace gapwise::internal
