#pragma once

#include "solve/fields.h"

namespace gapwise::internal {

/// A moment of the run: what was reached, and what it has cost so far.
struct Mark {
  double dual = 0.0;
  double cost = 0.0;

  template <class Self>
  static void fields(Self& self, auto&& each) {
    each(self.dual, self.cost);
  }
  void save(StateWriter& out) const { fields(*this, FieldWriter(out)); }
  void load(StateReader& in) { fields(*this, FieldReader(in)); }
};

}  // namespace gapwise::internal
