#pragma once

#include "gapwise/train.h"

namespace gapwise::internal::testing {

/// Interrupts a run after some steps and keeps its checkpoint.
class StopAfterSteps : public Observer {
 public:
  explicit StopAfterSteps(int steps) : left_(steps) {}
  bool wants_stop() override { return left_-- <= 0; }
  void on_stop(const Progress&, const Snapshot& snapshot) override { saved = snapshot.state(); }
  std::string saved;

 private:
  int left_;
};

}  // namespace gapwise::internal::testing
