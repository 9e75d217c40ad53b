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

/// Solvers that leave every inner product to the oracle.
const std::vector<Capability> kNothing;

const std::vector<Entry>& registry() {
  static const std::vector<Entry> entries{
      {{.name = "auto",
        .help = "chooses by counted work between exact passes, remembered outputs and leaps",
        .options = {"sampling", "average", "max-active", "inner-steps", "max-cached-passes",
                    "nonnegative"}},
       make_auto},
      {{.name = "fw",
        .help = "batch Frank-Wolfe: all blocks, one common step",
        .options = {"step", "average", "nonnegative"}},
       make_frank_wolfe},
      {{.name = "bcfw",
        .help = "block-coordinate Frank-Wolfe: one block at a time",
        .options = {"sampling", "step", "average", "cache", "max-active", "nonnegative"},
        .needs = kNothing},
       make_bcfw},
      {{.name = "bcpfw",
        .help = "bcfw with pairwise steps between the outputs that carry weight",
        .options = {"sampling", "average", "cache", "max-active", "inner-steps", "nonnegative"}},
       make_bcpfw},
      {{.name = "bcafw",
        .help = "bcfw with away steps",
        .options = {"sampling", "average", "cache", "max-active", "nonnegative"}},
       make_bcafw},
      {{.name = "mpbcfw",
        .help = "multi-plane: cheap passes over remembered outputs between exact ones",
        .options = {"sampling", "average", "max-active", "inner-steps", "max-cached-passes",
                    "nonnegative"}},
       make_mpbcfw},
      {{.name = "sdm",
        .help = "sequential dual method: most violating pairs, sweeps over remembered outputs",
        .options = {"sampling", "average", "max-active", "sweeps", "nonnegative"}},
       make_sdm},
      {{.name = "fasole",
        .help = "sequential dual ascent: best pairs, leaves out blocks that promise little",
        .options = {"sampling", "average", "max-active", "nonnegative"}},
       make_fasole},
      {{.name = "dcd-light",
        .help = "dual coordinate descent for the squared hinge: every visit calls the oracle",
        .objective = Objective::kL2,
        .options = {"sampling", "average", "max-active", "nonnegative"},
        .needs = kNothing},
       make_dcd_light},
      {{.name = "dcd",
        .help = "dcd-light with sweeps over remembered outputs between its passes (DCD-SSVM)",
        .objective = Objective::kL2,
        .options = {"sampling", "average", "max-active", "sweeps", "nonnegative"},
        .needs = kNothing},
       make_dcd},
      {{.name = "cpd",
        .help = "cutting planes for the squared hinge, by dual coordinate descent",
        .objective = Objective::kL2,
        .options = {"max-active", "max-cached-passes", "nonnegative"},
        .needs = kNothing},
       make_cpd},
      {{.name = "kernel-bcfw",
        .help = "bcfw with a kernel between inputs (needs kernel inputs)",
        .options = {"sampling", "step", "average", "kernel", "kernel-degree", "kernel-gamma",
                    "kernel-offset", "kernel-cache-mb"},
        .needs = {Capability::kKernelInputs}},
       make_bcfw},
      {{.name = "eg",
        .help = "online exponentiated gradient (needs expectations)",
        .options = {"sampling"},
        .needs = {Capability::kExpectations},
        .has_block_gaps = false},
       make_exponentiated_gradient},
      {{.name = "excessive-gap",
        .help = "smoothed primal and dual that close in on each other (needs expectations)",
        .needs = {Capability::kPlainWeights, Capability::kExpectations},
        .is_monotone = false},
       make_excessive_gap},
      {{.name = "extragradient",
        .help = "saddle point by prediction and correction (needs expectations or projections)",
        .options = {"average"},
        .needs = {Capability::kPlainWeights, Capability::kMeans},
        .is_monotone = false},
       make_extragradient},
      {{.name = "ssg",
        .help = "stochastic subgradient with the step of Pegasos",
        .has_dual = false,
        .options = {"sampling", "average", "nonnegative"},
        .needs = kNothing,
        .has_block_gaps = false},
       make_ssg},
      {{.name = "sgd",
        .help = "stochastic subgradient with the schedule of Bottou, its first step picked on 1000 "
                "examples",
        .has_dual = false,
        .options = {"sampling", "average", "nonnegative"},
        .needs = kNothing,
        .has_block_gaps = false},
       make_sgd},
      {{.name = "cutting-plane",
        .help = "n-slack cutting planes of SVM-struct: a working set of outputs for every example",
        .options = {"max-active", "nonnegative"}},
       make_cutting_plane},
      {{.name = "one-slack",
        .help = "1-slack cutting planes of SVM-struct, with remembered outputs to find more of "
                "them",
        .options = {"max-planes", "nonnegative"}},
       make_one_slack},
      {{.name = "bmrm",
        .help = "bundle method: the planes of one-slack, and the best weights of all iterations",
        .options = {"max-planes", "nonnegative"}},
       make_bmrm},
      {{.name = "perceptron",
        .help = "averaged structured perceptron",
        .objective = Objective::kNone,
        .has_dual = false,
        .options = {"sampling", "nonnegative"},
        .needs = kNothing,
        .has_block_gaps = false},
       make_perceptron},
      {{.name = "mira",
        .help = "averaged 1-best MIRA: the smallest change that mends a mistake",
        .objective = Objective::kNone,
        .has_dual = false,
        .options = {"sampling", "nonnegative"},
        .needs = kNothing,
        .has_block_gaps = false},
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
  return solver.has_block_gaps || sampling != Sampling::kGap;
}

}  // namespace gapwise

namespace gapwise::internal {

std::unique_ptr<Solver> make_solver(const RunContext& context) {
  return find(context.options.solver).make(context);
}

void Solver::start_from(const Start&) {
  throw OptionError("this solver has no warm start; it begins at w = 0");
}

const DualMixtures& mixtures_of(const Start& start) {
  if (start.mixtures != nullptr) return *start.mixtures;
  throw OptionError(
      "this solver starts from a dual point, and there are only weights; start from a run of a "
      "solver that keeps the mixtures of its blocks");
}

}  // namespace gapwise::internal
