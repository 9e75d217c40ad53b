#include "app/loaded_model.h"
#include "app/proof/proof_record.h"
#include "app/training_run.h"
#include "gapwise/fit.h"
#include "io/files.h"

namespace gapwise {

using namespace internal;  // NOLINT(google-build-using-namespace)

void Fit::save_proof(const std::string& path) const {
  if (!report.progress.primal || !report.progress.is_certified) {
    throw OptionError(
        "there is nothing to prove: the run has no certificate, because its oracle is not exact or "
        "because it ended before it was measured");
  }
  const Problem& problem = run->data->problem();
  if (!problem.make_oracle()->has_recognition()) {
    throw OptionError(
        "this problem does not recognise its outputs (Oracle::recognize), so nobody could check a "
        "proof");
  }
  const TrainOptions& options = run->training.options();
  ProofRecord proof;
  proof.task = model.task();
  proof.fingerprint = problem.fingerprint();
  proof.model = checksum_of_model(encode_model(model.loaded().record()));
  proof.objective = solver_info(options.solver).objective;
  proof.lambda = report.lambda;
  proof.dimension = problem.dimension();
  proof.nonnegative = options.nonnegative;
  proof.primal = *report.progress.primal;
  proof.dual = report.progress.dual;
  for (std::size_t j = 0; j < report.w.size(); ++j) {
    if (report.w[j] != 0.0) proof.w.append(static_cast<Index>(j), report.w[j]);
  }
  proof.outputs = run->training.outputs();
  write_file(path, seal(FileKind::kProof, encode_proof(proof)));
}

}  // namespace gapwise
