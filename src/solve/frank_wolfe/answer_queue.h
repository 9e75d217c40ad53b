#pragma once

#include <span>
#include <vector>

#include "solve/oracle_team.h"
#include "solve/state_archive.h"

namespace gapwise::internal {

/// Answers of the max oracle about a few blocks at one w, asked for at the same time on all threads
/// and used one after the other. Which blocks share a w does not depend on the number of threads.
class AnswerQueue {
 public:
  struct Answer {
    Index i = 0;
    Corner corner;
  };

  bool is_empty() const { return next_ == answers_.size(); }
  /// Asks about `blocks`; `check(i, theta, corner)` looks at each answer where it was found.
  template <class Check>
  void ask(OracleTeam& team, std::span<const Index> blocks, Weights w, const Check& check) {
    answers_.resize(blocks.size());
    next_ = 0;
    OracleTeam::Visit visit;
    visit.look = [&](Index i, const PartScores& theta, const Corner& corner,
                     OracleTeam::Facts& facts) {
      check(i, theta, corner);
      facts[0] = violation(corner.loss, corner.parts, theta);
    };
    visit.take = [&](std::size_t k, Index i, const Corner& corner, const OracleTeam::Facts& facts) {
      answers_[k].i = i;
      answers_[k].corner = corner;
      if (facts[0] < 0.0) answers_[k].corner.set_truth();
    };
    team.visit(blocks, w, visit);
  }
  const Answer& next() { return answers_[next_++]; }

  void save(StateWriter& out) const {
    out.count(static_cast<Index>(answers_.size() - next_));
    for (std::size_t k = next_; k < answers_.size(); ++k) {
      out.count(answers_[k].i);
      out.small(answers_[k].corner.loss);
      out.parts(answers_[k].corner.parts);
    }
  }
  void load(StateReader& in) {
    constexpr std::size_t kLeastAnswer = 3;
    answers_.assign(in.size(kLeastAnswer), {});
    next_ = 0;
    for (Answer& answer : answers_) {
      answer.i = in.count_up_to(in.problem().num_blocks() - 1);
      answer.corner.loss = in.small();
      in.parts(answer.i, answer.corner.parts);
    }
  }

 private:
  std::vector<Answer> answers_;
  std::size_t next_ = 0;
};

}  // namespace gapwise::internal
