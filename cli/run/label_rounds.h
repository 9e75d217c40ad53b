#pragma once

#include <string>

#include "gapwise/train.h"

namespace gapwise::internal::cli {

/// Tells of every round that completes labels which are not known, a line each.
class RoundConsole final : public Observer {
 public:
  explicit RoundConsole(bool is_quiet) : is_quiet_(is_quiet) {}
  void on_round(const LabelRound& round) override;
  bool wants_stop() override;

 private:
  bool is_quiet_;
};

std::string to_json(const LabelRounds& rounds);
/// One line for people, before the last round.
std::string headline_of(const LabelRounds& rounds);

}  // namespace gapwise::internal::cli
