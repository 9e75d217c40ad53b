#include <fmt/format.h>

#include <charconv>
#include <cmath>

#include "app/example_set.h"
#include "app/loaded_model.h"
#include "app/proof/bounds.h"
#include "app/proof/proof_record.h"
#include "core/weighted_problem.h"
#include "gapwise/proof.h"
#include "io/files.h"

namespace gapwise::internal {
namespace {

/// Values that the run computed and those computed here may differ by so much, relative to the
/// primal, beyond what is known of rounding here.
constexpr double kAgreement = 1e-9;

class Verifier {
 public:
  Verifier(const ModelRecord& model, const std::string& path, const Examples& examples)
      : path_(path),
        model_(model),
        examples_(examples.set()),
        problem_(examples.problem()),
        proof_(decode_proof(read_sealed(FileKind::kProof, path), path)) {}

  Verification run(const Threads& threads) {
    check_belonging();
    const bool is_squared = proof_.objective == Objective::kL2;
    const ObjectiveForm form(problem_, is_squared ? Hinge::kSquared : Hinge::kPlain);
    const ProofObjective objective{form.problem(), proof_.objective, proof_.lambda, nonnegative()};
    std::vector<double> w(static_cast<std::size_t>(problem_.dimension()), 0.0);
    for (const Part& part : proof_.w) w[static_cast<std::size_t>(part.id)] = part.value;
    check_weights(w, objective);

    std::vector<PartSizes> sizes;
    std::vector<double> w_of_alpha;
    const Bounded primal = bound_primal(objective, w, proof_.outputs, threads, sizes);
    const Bounded dual = bound_dual(objective, proof_.outputs, sizes, w_of_alpha);
    const double agreement = kAgreement * (primal.value + std::abs(dual.value));
    check_value("primal", proof_.primal, primal, agreement);
    check_value("dual", proof_.dual, dual, agreement);

    Verification result;
    result.lower = dual.low();
    result.upper = primal.high();
    result.rounding = primal.error + dual.error;
    result.claimed = number("gap");
    result.holds = result.gap() <= result.claimed + kProofTolerance * std::abs(result.upper);
    result.distance = distance(w, w_of_alpha);
    for (const auto& outputs : proof_.outputs) result.outputs += std::ssize(outputs);
    return result;
  }

 private:
  [[noreturn]] void refuse(const std::string& what) const {
    throw InputError(fmt::format("{}: {}", path_, what));
  }

  double number(const std::string& name) const {
    const std::string& text = model_.setting(name);
    double value = 0.0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc() || end != text.data() + text.size()) {
      throw InputError(fmt::format("{}: its {} is '{}'; a model with a proof has a number there",
                                   model_.source, name, text));
    }
    return value;
  }

  /// The proof, the model and the examples are of the same run.
  void check_belonging() const {
    if (proof_.task != model_.task || proof_.task != examples_.task()) {
      refuse(fmt::format("is a proof for task {}, given a model of task {} and examples of task {}",
                         proof_.task, model_.task, examples_.task()));
    }
    if (proof_.fingerprint != problem_.fingerprint() || proof_.dimension != problem_.dimension() ||
        std::ssize(proof_.outputs) != problem_.num_blocks()) {
      refuse(fmt::format(
          "was made from other training data: {} examples and {} weights then, {} and {} now; give "
          "the same file with the same options of the task and the same weights of examples",
          proof_.outputs.size(), proof_.dimension, problem_.num_blocks(), problem_.dimension()));
    }
    for (const auto& [name, value] :
         {std::pair{"lambda", proof_.lambda}, std::pair{"primal", proof_.primal},
          std::pair{"dual", proof_.dual}}) {
      if (number(name) == value) continue;
      refuse(fmt::format("its {} is {}, that of the model {}", name, value, number(name)));
    }
    if (model_.setting("objective") != name_of(proof_.objective)) {
      refuse(fmt::format("is about objective {}, the model about {}", name_of(proof_.objective),
                         model_.setting("objective")));
    }
    const auto group = model_.settings.find("nonnegative");
    if (proof_.nonnegative != (group == model_.settings.end() ? "" : group->second)) {
      refuse("does not keep the same weights >= 0 as the model");
    }
    if (!(proof_.lambda > 0.0)) refuse(fmt::format("its lambda is {}", proof_.lambda));
    if (proof_.model != checksum_of_model(encode_model(model_))) {
      refuse("belongs to another model, or the model was changed");
    }
    if (!proof_.w.empty() && proof_.w[proof_.w.size() - 1].id >= problem_.dimension()) {
      refuse("holds a weight that the problem does not have");
    }
    if (!problem_.make_oracle()->has_recognition()) {
      throw OptionError("this problem does not recognise outputs, so proofs cannot be checked");
    }
  }

  /// These are the weights of the model, and they may be.
  void check_weights(const std::vector<double>& w, const ProofObjective& objective) const {
    for (std::size_t j = 0; j < objective.is_nonnegative.size(); ++j) {
      if (!objective.is_nonnegative[j] || w[j] >= 0.0) continue;
      refuse(fmt::format("weight {} is {} and must be >= 0", j, w[j]));
    }
    if (examples_.is_own()) {
      if (model_.w != w) refuse("its weights are not those of the model");
      return;
    }
    const ModelRecord made = examples_.training().make_model(w);
    if (made.w != model_.w || made.lists != model_.lists || made.numbers != model_.numbers) {
      refuse("its weights are not those of the model");
    }
  }

  std::vector<bool> nonnegative() const {
    std::vector<bool> result;
    if (proof_.nonnegative.empty()) return result;
    result.resize(static_cast<std::size_t>(problem_.dimension()), false);
    for (const WeightGroup& group : problem_.weight_groups()) {
      const std::string list = fmt::format(",{},", proof_.nonnegative);
      if (list.find(fmt::format(",{},", group.name)) == std::string::npos) continue;
      for (Index j = group.begin; j < group.end; ++j) result[static_cast<std::size_t>(j)] = true;
    }
    return result;
  }

  void check_value(const char* name, double claimed, const Bounded& found, double agreement) const {
    if (std::abs(claimed - found.value) <= found.error + agreement) return;
    refuse(fmt::format("claims a {} of {}; from its weights and multipliers it is {}", name,
                       claimed, found.value));
  }

  static double distance(const std::vector<double>& w, const std::vector<double>& other) {
    std::vector<double> difference(w.size());
    for (std::size_t j = 0; j < w.size(); ++j) difference[j] = w[j] - other[j];
    const double length = bound_length(w).value;
    return length > 0.0 ? bound_length(difference).value / length : bound_length(difference).value;
  }

  const std::string& path_;
  const ModelRecord& model_;
  const ExampleSet& examples_;
  const Problem& problem_;
  ProofRecord proof_;
};

}  // namespace
}  // namespace gapwise::internal

namespace gapwise {

Verification verify(const Model& model, const std::string& proof, const Examples& examples,
                    ThreadCount threads) {
  return internal::Verifier(model.loaded().record(), proof, examples)
      .run(*internal::make_threads(threads));
}

}  // namespace gapwise
