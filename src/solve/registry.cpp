#include <algorithm>
#include <stdexcept>

#include "gapwise/train.h"
#include "solve/solver.h"

namespace gapwise {

using namespace internal;  // NOLINT(google-build-using-namespace)

namespace {

struct Entry {
  SolverInfo info;
  std::unique_ptr<Solver> (*make)(const RunContext&);
};

constexpr auto kL1 = Objective::kL1;
constexpr bool kFalls = false;  ///< the dual may
constexpr auto kNone = Objective::kNone;
constexpr auto kL2 = Objective::kL2;

const std::vector<Entry>& registry() {
  static const std::vector<Entry> entries{
      {{"auto",
        "chooses by counted work between exact passes, remembered outputs and leaps",
        kL1,
        true,
        {"sampling", "average", "max-active", "inner-steps", "max-cached-passes", "nonnegative"}},
       make_auto},
      {{"fw",
        "batch Frank-Wolfe: all blocks, one common step",
        kL1,
        true,
        {"step", "average", "nonnegative"}},
       make_frank_wolfe},
      {{"bcfw",
        "block-coordinate Frank-Wolfe: one block at a time",
        kL1,
        true,
        {"sampling", "step", "average", "cache", "max-active", "nonnegative"}},
       make_bcfw},
      {{"bcpfw",
        "bcfw with pairwise steps between the outputs that carry weight",
        kL1,
        true,
        {"sampling", "average", "cache", "max-active", "inner-steps", "nonnegative"}},
       make_bcpfw},
      {{"bcafw",
        "bcfw with away steps",
        kL1,
        true,
        {"sampling", "average", "cache", "max-active", "nonnegative"}},
       make_bcafw},
      {{"mpbcfw",
        "multi-plane: cheap passes over remembered outputs between exact ones",
        kL1,
        true,
        {"sampling", "average", "max-active", "inner-steps", "max-cached-passes", "nonnegative"}},
       make_mpbcfw},
      {{"sdm",
        "sequential dual method: most violating pairs, sweeps over remembered outputs",
        kL1,
        true,
        {"sampling", "average", "max-active", "sweeps", "nonnegative"}},
       make_sdm},
      {{"fasole",
        "sequential dual ascent: best pairs, leaves out blocks that promise little",
        kL1,
        true,
        {"sampling", "average", "max-active", "nonnegative"}},
       make_fasole},
      {{"dcd-light",
        "dual coordinate descent for the squared hinge: every visit calls the oracle",
        kL2,
        true,
        {"sampling", "average", "max-active", "nonnegative"}},
       make_dcd_light},
      {{"dcd",
        "dcd-light with sweeps over remembered outputs between its passes (DCD-SSVM)",
        kL2,
        true,
        {"sampling", "average", "max-active", "sweeps", "nonnegative"}},
       make_dcd},
      {{"cpd",
        "cutting planes for the squared hinge, by dual coordinate descent",
        kL2,
        true,
        {"max-active", "max-cached-passes", "nonnegative"}},
       make_cpd},
      {{"kernel-bcfw",
        "bcfw with a kernel between inputs (tasks multiclass, multilabel and sequence)",
        kL1,
        true,
        {"sampling", "step", "average", "kernel", "kernel-degree", "kernel-gamma", "kernel-offset",
         "kernel-cache-mb"}},
       make_bcfw},
      {{"eg",
        "online exponentiated gradient (tasks multiclass and sequence)",
        kL1,
        true,
        {"sampling"}},
       make_exponentiated_gradient},
      {{"excessive-gap",
        "smoothed primal and dual that close in on each other (tasks multiclass and sequence)",
        kL1,
        true,
        {},
        kFalls},
       make_excessive_gap},
      {{"extragradient",
        "saddle point by prediction and correction (tasks multiclass, sequence and alignment)",
        kL1,
        true,
        {"average"},
        kFalls},
       make_extragradient},
      {{"ssg",
        "stochastic subgradient with the step of Pegasos",
        kL1,
        false,
        {"sampling", "average", "nonnegative"}},
       make_ssg},
      {{"sgd",
        "stochastic subgradient with the schedule of Bottou, its first step picked on 1000 "
        "examples",
        kL1,
        false,
        {"sampling", "average", "nonnegative"}},
       make_sgd},
      {{"cutting-plane",
        "n-slack cutting planes of SVM-struct: a working set of outputs for every example",
        kL1,
        true,
        {"max-active", "nonnegative"}},
       make_cutting_plane},
      {{"one-slack",
        "1-slack cutting planes of SVM-struct, with remembered outputs to find more of them",
        kL1,
        true,
        {"max-planes", "nonnegative"}},
       make_one_slack},
      {{"bmrm",
        "bundle method: the planes of one-slack, and the best weights of all iterations",
        kL1,
        true,
        {"max-planes", "nonnegative"}},
       make_bmrm},
      {{"perceptron", "averaged structured perceptron", kNone, false, {"sampling", "nonnegative"}},
       make_perceptron},
      {{"mira",
        "averaged 1-best MIRA: the smallest change that mends a mistake",
        kNone,
        false,
        {"sampling", "nonnegative"}},
       make_mira},
  };
  return entries;
}

const Entry& find(std::string_view name) {
  for (const Entry& entry : registry()) {
    if (entry.info.name == name) return entry;
  }
  throw std::logic_error("solver names are validated before they are looked up");
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

const SolverInfo& solver_info(std::string_view name) {
  return find(name).info;
}

bool has_option(const SolverInfo& solver, std::string_view option) {
  if (option == "gap" || option == "relative-gap") return solver.has_dual;
  const auto lists = [option](const SolverInfo& info) {
    return std::find(info.options.begin(), info.options.end(), option) != info.options.end();
  };
  return lists(solver) || std::none_of(solvers().begin(), solvers().end(), lists);
}

bool allows(const SolverInfo& solver, Sampling sampling) {
  return solver.has_dual || sampling != Sampling::kGap;
}

}  // namespace gapwise

std::unique_ptr<gapwise::internal::Solver> gapwise::internal::make_solver(
    const RunContext& context) {
  return find(context.options.solver).make(context);
}
