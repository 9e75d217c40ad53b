#include "run/label_rounds.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "run/signals.h"
#include "shell/text.h"

namespace gapwise::internal::cli {

void RoundConsole::on_round(const LabelRound& round) {
  if (is_quiet_) return;
  const std::optional<double> gap = round.progress.relative_gap();
  const std::string proof =
      !gap ? "no gap"
           : fmt::format("gap {}{}", show_percent(*gap),
                         round.progress.is_certified ? " certified" : ", not certified");
  fmt::print(stderr, "round {}: {} ({}) on {}; {} labels {}\n", round.number, proof,
             name_of(round.reason), round.number == 1 ? "what is known alone" : "completed labels",
             round.changed, round.number == 1 ? "completed" : "changed");
}

bool RoundConsole::wants_stop() {
  return is_interrupted();
}

std::string to_json(const LabelRounds& rounds) {
  using Json = nlohmann::ordered_json;
  const auto number = [](std::optional<double> value) { return value ? Json(*value) : Json(); };
  Json json{{"unknown", rounds.unknown}, {"settled", rounds.is_settled()}};
  json["rounds"] = Json::array();
  for (const LabelRound& round : rounds.rounds) {
    const Progress& progress = round.progress;
    json["rounds"].push_back({{"round", round.number},
                              {"changed", round.changed},
                              {"status", name_of(round.reason)},
                              {"n", progress.n},
                              {"passes", progress.passes},
                              {"oracle_calls", progress.oracle_calls},
                              {"seconds", progress.seconds},
                              {"primal", number(progress.primal)},
                              {"gap", number(progress.gap())},
                              {"relative_gap", number(progress.relative_gap())},
                              {"certified", progress.primal && progress.is_certified}});
  }
  return json.dump();
}

std::string headline_of(const LabelRounds& rounds) {
  return fmt::format("round {}, the last one: {} labels as completed by round {}",
                     rounds.rounds.size() + 1, rounds.unknown, rounds.rounds.size());
}

}  // namespace gapwise::internal::cli
