#include <stdexcept>

#include "gapwise/solve/train.h"
#include "solve/solver.h"

namespace gapwise {
namespace {

struct Entry {
  SolverInfo info;
  std::unique_ptr<Solver> (*make)(const RunContext&);
};

const std::vector<Entry>& registry() {
  static const std::vector<Entry> entries{
      {{"auto", "chooses by counted work between exact passes, remembered outputs and leaps"},
       make_auto},
      {{"fw", "batch Frank-Wolfe: all blocks, one common step"}, make_frank_wolfe},
      {{"bcfw", "block-coordinate Frank-Wolfe: one block at a time"}, make_bcfw},
      {{"bcpfw", "bcfw with pairwise steps between the outputs that carry weight"}, make_bcpfw},
      {{"bcafw", "bcfw with away steps"}, make_bcafw},
      {{"mpbcfw", "multi-plane: cheap passes over remembered outputs between exact ones"},
       make_mpbcfw},
      {{"kernel-bcfw", "bcfw with a kernel between inputs (tasks multiclass and sequence)"},
       make_bcfw},
  };
  return entries;
}

}  // namespace

const std::vector<SolverInfo>& solvers() {
  static const std::vector<SolverInfo> infos = [] {
    std::vector<SolverInfo> all;
    for (const Entry& entry : registry()) all.push_back(entry.info);
    return all;
  }();
  return infos;
}

std::unique_ptr<Solver> make_solver(const RunContext& context) {
  for (const Entry& entry : registry()) {
    if (entry.info.name == context.options.solver) return entry.make(context);
  }
  throw std::logic_error("solver names are validated before they are looked up");
}

}  // namespace gapwise
