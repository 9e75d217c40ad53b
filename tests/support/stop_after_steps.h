#pragma once

#include "gapwise/solve/train.h"

namespace gapwise::testing {

/// Interrupts a run after some steps and keeps its checkpoint.
class StopAfterSteps : public Observer {
 public:
  explicit StopAfterSteps(int steps) : left_(steps) {}
  bool wants_stop() override { return left_-- <= 0; }
  void on_stop(const Progress&, const Snapshot& snapshot) override { snapshot.save(saved); }
  ByteWriter saved;

 private:
  int left_;
};

}  // namespace gapwise::testing
