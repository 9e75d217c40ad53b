#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "gapwise/problem.h"
#include "gapwise/train.h"
#include "gapwise/train_options.h"

namespace gapwise {

namespace {

Option lambda_option(Lambda& slot) {
  Option row;
  row.name = "lambda";
  row.placeholder = "X|1/n|auto";
  row.help =
      "weight of the L2 term: a positive number, a number over n, the examples, or one that is "
      "chosen by held-out examples";
  row.get = [&slot]() -> std::string {
    if (slot.is_auto) return "auto";
    return slot.is_over_n ? fmt::format("{}/n", slot.value) : fmt::format("{}", slot.value);
  };
  row.fallback = row.get();
  row.set = [&slot](std::string_view text) {
    if (text == "auto") {
      slot = Lambda::chosen();
      return;
    }
    Lambda parsed;
    parsed.is_over_n = text.ends_with("/n");
    if (parsed.is_over_n) text.remove_suffix(2);
    parsed.value = detail::parse_number("lambda", text);
    slot = parsed;
  };
  row.complaint = [&slot]() -> std::optional<std::string> {
    if (std::isfinite(slot.value) && slot.value > 0.0) return std::nullopt;
    return fmt::format("lambda = {} must be a finite number > 0, or such a number over n as in 1/n",
                       slot.value);
  };
  return row;
}

/// A row whose default is not a value of the option but a rule.
Option with_default(Option row, std::string words) {
  row.fallback = std::move(words);
  return row;
}

std::vector<std::string_view> solver_names() {
  std::vector<std::string_view> names;
  for (const SolverInfo& info : solvers()) names.push_back(info.name);
  return names;
}

/// There are too many to name them all in one line; help texts list them on their own.
Option solver_option(std::string& slot) {
  Option row =
      choice("solver", slot, solver_names(), "training algorithm, one of the list of solvers");
  row.placeholder = "NAME";
  return row;
}

void check_order(const TrainOptions& options, Index num_blocks) {
  if (options.order.empty()) return;
  if (options.sampling != Sampling::kCyclic) {
    throw OptionError("an order of the examples needs \1sampling cyclic");
  }
  std::vector<bool> seen(static_cast<std::size_t>(num_blocks), false);
  for (const Index i : options.order) {
    if (i < 0 || i >= num_blocks) {
      throw OptionError(
          fmt::format("the order names example {}; there are examples 1 to {}", i + 1, num_blocks));
    }
    if (seen[static_cast<std::size_t>(i)]) {
      throw OptionError(fmt::format("the order names example {} twice; name each one once", i + 1));
    }
    seen[static_cast<std::size_t>(i)] = true;
  }
  if (std::ssize(options.order) != num_blocks) {
    throw OptionError(fmt::format("the order names {} examples of {}; name each one once",
                                  options.order.size(), num_blocks));
  }
}

std::vector<std::string_view> solvers_with(std::string_view option) {
  std::vector<std::string_view> names;
  for (const SolverInfo& solver : solvers()) {
    if (has_option(solver, option)) names.push_back(solver.name);
  }
  return names;
}

/// No option is given that is for other solvers only.
void check_meaning(const TrainOptions& options) {
  const auto defaults = values_of(TrainOptions());
  const auto values = values_of(options);
  for (std::size_t k = 0; k < values.size(); ++k) {
    const auto& [name, value] = values[k];
    if (has_option(solver_info(options.solver), name)) continue;
    if (value == defaults[k].second && !options.given.contains(name)) continue;
    throw OptionError(fmt::format("\1{} {} has no meaning for solver {}; it is for {}", name, value,
                                  options.solver, fmt::join(solvers_with(name), ", ")));
  }
}

/// Whether a list of names separated by commas has this one.
bool names_group(const std::string& list, const std::string& name) {
  return fmt::format(",{},", list).find(fmt::format(",{},", name)) != std::string::npos;
}

std::vector<std::string_view> solvers_for(const Problem& problem) {
  std::vector<std::string_view> names;
  for (const SolverInfo& solver : solvers()) {
    const auto has = [&](Capability need) { return offers(problem, need); };
    if (std::all_of(solver.needs.begin(), solver.needs.end(), has)) names.push_back(solver.name);
  }
  return names;
}

/// The problem offers what the solver and the options need.
void check_needs(const TrainOptions& options, const Problem& problem) {
  for (const Capability need : solver_info(options.solver).needs) {
    if (offers(problem, need)) continue;
    throw OptionError(
        fmt::format("solver {} needs {}, which this problem does not offer; choose one of {}",
                    options.solver, name_of(need), fmt::join(solvers_for(problem), ", ")));
  }
  if (offers(problem, Capability::kPlainWeights)) return;
  const auto refuse = [](std::string_view option) {
    throw OptionError(
        fmt::format("\1{} needs plain weights, which this problem does not offer", option));
  };
  if (!options.nonnegative.empty()) refuse("nonnegative");
  if (options.cache > 0) refuse("cache");
}

void check_keeps_nonnegative(std::string_view solver, const std::string& group) {
  if (has_option(solver_info(solver), "nonnegative")) return;
  throw OptionError(
      fmt::format("this problem needs its weights of group '{}' to be >= 0, which solver {} cannot "
                  "keep; choose one of {}",
                  group, solver, fmt::join(solvers_with("nonnegative"), ", ")));
}

}  // namespace

namespace {

OptionTable rows_of(TrainOptions& o) {
  return {
      solver_option(o.solver),
      lambda_option(o.lambda),
      option("nonnegative", o.nonnegative, "GROUPS",
             "groups of weights kept >= 0, separated by commas: all, or groups of the model "
             "(docs/design/nonnegative.md); a group that decoding needs to be >= 0 is kept so in "
             "any case"),
      option("gap", o.gap, at_least(0), "E", "stop when the certified duality gap is at most this"),
      with_default(option("relative-gap", o.relative_gap, between(0, 1), "E",
                          "the same relative to the primal"),
                   "0.01 if no gap is given"),
      option("max-passes", o.max_passes, at_least(1), "N",
             "stop after so many passes over the data (gap passes not counted)"),
      option("max-seconds", o.max_seconds, positive(), "S",
             "stop after so many seconds of training; what follows (last gap pass, test, training "
             "loss) may take a tenth more, at least 1 s, and is left out otherwise"),
      option("max-oracle-calls", o.max_oracle_calls, at_least(1), "N",
             "stop after so many calls of the max oracle (gap passes counted)"),
      choice("sampling", o.sampling, "which example comes next"),
      choice("step", o.step, "step size: exact line search, or the fixed schedule of the paper"),
      choice("decay", o.decay,
             "the steps of sgd: eta0 / (1 + X eta0 k)^0.75 with X = lambda, or lambda times n as "
             "[CY13] prints it"),
      choice("average", o.average, "which average of the iterates is returned"),
      option("gap-every", o.gap_every, at_least(1), "N",
             "passes between two certified gaps at the most; sooner when it is likely to pay"),
      option("cache", o.cache, between(0, 1e6), "N",
             "outputs remembered per example to save oracle calls (bcfw, bcpfw, bcafw); 0: none"),
      option(
          "cache-fraction", o.cache_fraction, at_least(0), "F",
          "with \1cache, a remembered output will do only if its gap is at least F times the gap "
          "of its example when the oracle was last asked"),
      option("cache-share", o.cache_share, at_least(0), "NU",
             "with \1cache, the same with NU times the mean gap of all examples at the last gap pass"),
      option("max-active", o.max_active, between(2, 1e6), "N",
             "outputs kept per example by solvers that remember them, and with \1cache"),
      option("max-planes", o.max_planes, between(2, 1e6), "N",
             "planes kept by one-slack and bmrm; above that, planes without weight go and light "
             "ones are merged"),
      option("inner-steps", o.inner_steps, between(1, 1e6), "N",
             "pairwise steps per visit (auto, bcpfw, mpbcfw); above 1 each takes the best pair"),
      option("max-cached-passes", o.max_cached_passes, at_least(0), "N",
             "passes over remembered outputs between two exact ones (auto, mpbcfw, cpd)"),
      option("sweeps", o.sweeps, between(0, 1e6), "N",
             "passes over remembered outputs after each exact one (dcd, sdm)"),
      flag("keep-outputs", o.keep_outputs,
           "remember the outputs that carry weight, so that a proof can be written; takes memory, "
           "and \1max-active then only bounds those without weight"),
      flag("deterministic", o.deterministic,
           "decide by counted operations, so that the same seed gives the same run; "
           "no: by the clock"),
      with_default(option("rho", o.rho, between(1e-6, 1e6), "X",
                          "how soft factors are coupled by soft-bcfw and gdmm: the smaller, the "
                          "harder (docs/design/factorwise.md)"),
                   "1 for soft-bcfw; gdmm picks it on a sample"),
      choice(
          "coupling", o.coupling,
          "how soft-bcfw makes factors agree: multipliers, a rho that falls, or nothing but rho, "
          "which solves the softened problem only"),
      with_default(option("smoothing", o.smoothing, between(1e-6, 1e6), "X",
                          "how smooth smooth-dlpw makes maxima: X log sum exp(x / X)"),
                   "the largest cost at first, then less with every pass"),
      choice("kernel", o.kernel,
             "kernel between the inputs x, z (kernel-bcfw): <x,z>, (G <x,z> + X)^N, or "
             "exp(-G |x-z|^2)"),
      option("kernel-degree", o.kernel_degree, between(1, 100), "N", "N of kernel polynomial"),
      with_default(option("kernel-gamma", o.kernel_gamma, positive(), "G",
                          "G of kernels polynomial and rbf"),
                   "1 / mean of |x|^2"),
      option("kernel-offset", o.kernel_offset, at_least(0), "X", "X of kernel polynomial"),
      option("kernel-cache-mb", o.kernel_cache_mb, between(0, 1e7), "N",
             "memory for kernel values, in MiB; changes no result"),
      with_default(option("threads", o.threads, between(1, 1024), "N",
                          "threads; results do not depend on it"),
                   "all cores"),
      option("seed", o.seed, "N", "seed of every random choice"),
  };
}

/// For reading: nobody may set these rows.
OptionTable rows_of(const TrainOptions& options) {
  return rows_of(
      const_cast<TrainOptions&>(options));  // NOLINT(cppcoreguidelines-pro-type-const-cast)
}

}  // namespace

OptionTable option_table(TrainOptions& options) {
  OptionTable table = rows_of(options);
  for (Option& row : table) {
    row.set = [&options, name = row.name, set = std::move(row.set)](std::string_view value) {
      set(value);
      options.given.insert(name);
    };
  }
  return table;
}

void set_option(TrainOptions& options, std::string_view name, std::string_view value) {
  set_option(option_table(options), name, value);
}

std::vector<std::pair<std::string, std::string>> values_of(const TrainOptions& options) {
  std::vector<std::pair<std::string, std::string>> values;
  for (const Option& row : rows_of(options)) values.emplace_back(row.name, row.get());
  return values;
}

void validate(const TrainOptions& options, Index num_blocks) {
  validate(rows_of(options));
  detail::parse_choice("solver", options.solver, solver_names());  // throws if there is none such
  if (options.lambda.is_auto) {
    throw OptionError("\1lambda auto is for a fit that chooses; give a single run a number");
  }
  if (!(options.lambda.resolve(num_blocks) > 0.0)) {
    throw OptionError("lambda over n is too small to be told from 0");
  }
  check_meaning(options);
  if (!allows(solver_info(options.solver), options.sampling)) {
    throw OptionError(fmt::format(
        "\1sampling gap draws by the gaps of examples, and solver {} sees none; use permutation, "
        "uniform or cyclic",
        options.solver));
  }
  if (options.keep_outputs && options.average != Average::kNone) {
    throw OptionError(
        "a proof is of the last iterate, not of an average; leave out \1average or the proof");
  }
  check_order(options, num_blocks);
}

TrainOptions fitted(TrainOptions options, const Problem& problem) {
  validate(options, problem.num_blocks());
  for (const WeightGroup& group : problem.weight_groups()) {
    if (!group.must_be_nonnegative || names_group(options.nonnegative, group.name)) continue;
    check_keeps_nonnegative(options.solver, group.name);
    options.nonnegative += (options.nonnegative.empty() ? "" : ",") + group.name;
  }
  check_needs(options, problem);
  return options;
}

}  // namespace gapwise
