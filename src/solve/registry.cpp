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

using Make = decltype(Entry::make);
using Names = std::vector<std::string_view>;

/// A solver of the dual that keeps weights.
Entry dual(std::string_view name, std::string_view help, Names options, Make make) {
  return {{.name = name, .help = help, .options = std::move(options)}, make};
}

/// A solver of the squared hinge.
Entry squared(std::string_view name, std::string_view help, Names options, Make make) {
  return {{.name = name,
           .help = help,
           .objective = Objective::kL2,
           .options = std::move(options),
           .needs = kNothing},
          make};
}

/// A method that keeps weights and nothing else.
Entry primal(std::string_view name, std::string_view help, Objective objective, Names options,
             Make make) {
  return {{.name = name,
           .help = help,
           .objective = objective,
           .has_dual = false,
           .options = std::move(options),
           .needs = kNothing,
           .has_block_gaps = false},
          make};
}

/// A solver of the relaxed problem that steps from one variable or factor to the next.
Entry factorwise(std::string_view name, std::string_view help, Names options, Make make) {
  return {{.name = name,
           .help = help,
           .options = std::move(options),
           .needs = {Capability::kPlainWeights, Capability::kFactorGraphs},
           .is_monotone = false},
          make};
}

/// One that descends in the primal, by examples that must not come by their gaps.
Entry message_passing(std::string_view name, std::string_view help, Names options, Make make) {
  Entry entry = factorwise(name, help, std::move(options), make);
  entry.info.has_block_gaps = false;
  return entry;
}

const std::vector<Entry>& registry() {
  static const std::vector<Entry> entries{
      dual("auto", "chooses by counted work between exact passes, remembered outputs and leaps",
           {"sampling", "average", "max-active", "inner-steps", "max-cached-passes", "nonnegative",
            "keep-outputs"},
           make_auto),
      dual("fw", "batch Frank-Wolfe: all blocks, one common step",
           {"step", "average", "nonnegative", "keep-outputs"}, make_frank_wolfe),
      {{.name = "bcfw",
        .help = "block-coordinate Frank-Wolfe: one block at a time",
        .options = {"sampling", "step", "average", "cache", "cache-fraction", "cache-share",
                    "max-active", "nonnegative", "keep-outputs"},
        .needs = kNothing},
       make_bcfw},
      dual("bcpfw", "bcfw with pairwise steps between the outputs that carry weight",
           {"sampling", "average", "cache", "cache-fraction", "cache-share", "max-active",
            "inner-steps", "nonnegative", "keep-outputs"},
           make_bcpfw),
      dual("bcafw", "bcfw with away steps",
           {"sampling", "average", "cache", "cache-fraction", "cache-share", "max-active",
            "nonnegative", "keep-outputs"},
           make_bcafw),
      dual("mpbcfw", "multi-plane: cheap passes over remembered outputs between exact ones",
           {"sampling", "average", "max-active", "inner-steps", "max-cached-passes", "nonnegative",
            "keep-outputs"},
           make_mpbcfw),
      dual("sdm", "sequential dual method: most violating pairs, sweeps over remembered outputs",
           {"sampling", "average", "max-active", "sweeps", "nonnegative", "keep-outputs"},
           make_sdm),
      dual("fasole", "sequential dual ascent: best pairs, leaves out blocks that promise little",
           {"sampling", "average", "max-active", "nonnegative", "keep-outputs"}, make_fasole),
      squared("dcd-light",
              "dual coordinate descent for the squared hinge: every visit calls the oracle",
              {"sampling", "average", "max-active", "nonnegative", "keep-outputs"}, make_dcd_light),
      squared("dcd", "dcd-light with sweeps over remembered outputs between its passes (DCD-SSVM)",
              {"sampling", "average", "max-active", "sweeps", "nonnegative", "keep-outputs"},
              make_dcd),
      squared("cpd", "cutting planes for the squared hinge, by dual coordinate descent",
              {"max-active", "max-cached-passes", "nonnegative", "keep-outputs"}, make_cpd),
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
      factorwise("soft-bcfw",
                 "bcfw over single variables and factors whose beliefs are coupled softly",
                 {"sampling", "nonnegative", "rho", "coupling"}, make_soft_bcfw),
      factorwise("gdmm", "single variables and factors by pair moves, made to agree by multipliers",
                 {"sampling", "nonnegative", "rho"}, make_gdmm),
      message_passing("dlpw", "subgradient steps of the weights between sweeps of message passing",
                      {"sampling", "nonnegative"}, make_dlpw),
      message_passing("smooth-dlpw", "the same with soft maxima, whose smoothing falls",
                      {"sampling", "nonnegative", "smoothing"}, make_smooth_dlpw),
      primal("ssg", "stochastic subgradient with the step of Pegasos", Objective::kL1,
             {"sampling", "average", "nonnegative"}, make_ssg),
      primal("sgd",
             "stochastic subgradient with the schedule of Bottou, its first step picked on 1000 "
             "examples",
             Objective::kL1, {"sampling", "average", "decay", "nonnegative"}, make_sgd),
      dual("cutting-plane",
           "n-slack cutting planes of SVM-struct: a working set of outputs for every example",
           {"max-active", "nonnegative", "keep-outputs"}, make_cutting_plane),
      dual("one-slack",
           "1-slack cutting planes of SVM-struct, with remembered outputs to find more of "
           "them",
           {"max-planes", "nonnegative"}, make_one_slack),
      dual("bmrm", "bundle method: the planes of one-slack, and the best weights of all iterations",
           {"max-planes", "nonnegative"}, make_bmrm),
      primal("perceptron", "averaged structured perceptron", Objective::kNone,
             {"sampling", "nonnegative"}, make_perceptron),
      primal("mira", "averaged 1-best MIRA: the smallest change that mends a mistake",
             Objective::kNone, {"sampling", "nonnegative"}, make_mira),
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
