#include "gapwise/model.h"

#include <fmt/format.h>

#include <cmath>

#include "app/example_set.h"
#include "app/loaded_model.h"
#include "io/files.h"

namespace gapwise::internal {

const Predictor& LoadedModel::predictor() const {
  if (record_.task == kOwnTask) {
    throw OptionError(
        "this model belongs to a problem of somebody's own, which is not part of it: take its "
        "weights and decode with the oracle it was trained with");
  }
  std::call_once(is_open_, [this] { predictor_ = make_task_driver(record_.task)->open(record_); });
  return *predictor_;
}

Model make_model(ModelRecord record) {
  auto loaded = std::make_shared<const LoadedModel>(std::move(record));
  if (loaded->record().task != kOwnTask) loaded->predictor();
  return Model(std::move(loaded));
}

Model make_trained_model(ModelRecord record) {
  return Model(std::make_shared<const LoadedModel>(std::move(record)));
}

void expect_task(const Model& model, const Examples& examples) {
  if (model.task() == examples.task()) return;
  throw OptionError(fmt::format("a model of task {} cannot work on examples of task {}",
                                model.task(), examples.task()));
}

}  // namespace gapwise::internal

namespace gapwise {

using internal::expect_task;
using internal::make_threads;

void Model::save(const std::string& path) const {
  internal::save_model(loaded_->record(), path);
}

std::string Model::bytes() const {
  return internal::seal(internal::FileKind::kModel, internal::encode_model(loaded_->record()));
}

const std::string& Model::task() const {
  return loaded_->record().task;
}
const std::map<std::string, std::string>& Model::settings() const {
  return loaded_->record().settings;
}
Weights Model::weights() const {
  return loaded_->record().w;
}

std::map<std::string, std::size_t> Model::sizes() const {
  std::map<std::string, std::size_t> sizes;
  for (const auto& [name, items] : loaded_->record().lists) sizes[name] = items.size();
  return sizes;
}

std::vector<std::string> Model::names(const std::string& kind) const {
  const auto& lists = loaded_->record().lists;
  const auto found = lists.find(kind);
  return found == lists.end() ? std::vector<std::string>() : found->second;
}

std::vector<WeightMatrix> Model::weight_matrices() const {
  if (task() == internal::kOwnTask) return {};
  return loaded_->predictor().weight_matrices();
}

std::vector<WeightTable> Model::top_weights(std::size_t count) const {
  if (task() == internal::kOwnTask) return {};
  return loaded_->predictor().top_weights(count);
}

std::vector<Output> Model::predict(const Examples& examples, ThreadCount threads) const {
  expect_task(*this, examples);
  const internal::Predictor& predictor = loaded_->predictor();
  const auto team = make_threads(threads);
  std::vector<Output> outputs;
  for (const auto& batch : examples.set().batches(predictor, internal::Purpose::kPredict)) {
    predictor.label(*batch, *team);
    for (Index i = 0; i < batch->size(); ++i) outputs.push_back(predictor.output(*batch, i));
  }
  return outputs;
}

void Model::predict(const DataSource& source, const TextSink& out, ThreadCount threads) const {
  loaded_->predictor().predict(source, *make_threads(threads), out);
}

namespace {

/// With the temperature of the model where none is given.
RankSettings checked(const Model& model, RankSettings settings) {
  if (settings.nbest < 1) {
    throw OptionError(fmt::format("nbest = {} must be >= 1", settings.nbest));
  }
  if (settings.explain < 0) {
    throw OptionError(fmt::format("explain = {} must be >= 0", settings.explain));
  }
  if (!settings.temperature) settings.temperature = model.temperature().value_or(1.0);
  if (!(*settings.temperature > 0.0 && std::isfinite(*settings.temperature))) {
    throw OptionError(fmt::format("temperature = {} must be > 0", *settings.temperature));
  }
  return settings;
}

}  // namespace

std::optional<double> Model::temperature() const {
  const auto found = settings().find(std::string(internal::kTemperature));
  if (found == settings().end()) return std::nullopt;
  return detail::parse_number(internal::kTemperature, found->second);
}

Model Model::with_temperature(double temperature) const {
  checked(*this, {.temperature = temperature});
  internal::ModelRecord record = loaded_->record();
  record.settings[std::string(internal::kTemperature)] = detail::show_number(temperature);
  return internal::make_model(std::move(record));
}

std::vector<Ranking> Model::rank(const Examples& examples, const RankSettings& settings,
                                 ThreadCount threads) const {
  expect_task(*this, examples);
  const internal::Predictor& predictor = loaded_->predictor();
  const RankSettings complete = checked(*this, settings);
  const auto team = make_threads(threads);
  std::vector<Ranking> rankings;
  for (const auto& batch : examples.set().batches(predictor, internal::Purpose::kPredict)) {
    for (Ranking& ranking : predictor.rank(*batch, complete, *team)) {
      rankings.push_back(std::move(ranking));
    }
  }
  return rankings;
}

void Model::rank(const DataSource& source, const RankSettings& settings, const RankingSink& visit,
                 ThreadCount threads) const {
  loaded_->predictor().rank(source, checked(*this, settings), *make_threads(threads), visit);
}

void Model::write_ranked(const DataSource& source, const RankSettings& settings, bool with_scores,
                         const TextSink& out, ThreadCount threads) const {
  loaded_->predictor().write_ranked(source, {checked(*this, settings), with_scores},
                                    *make_threads(threads), out);
}

Metrics Model::evaluate(const Examples& examples, ThreadCount threads) const {
  expect_task(*this, examples);
  const internal::Predictor& predictor = loaded_->predictor();
  const auto batches = examples.set().batches(predictor, internal::Purpose::kEvaluate);
  return predictor.evaluate(batches, *make_threads(threads));
}

Metrics Model::evaluate(const DataSource& source, ThreadCount threads) const {
  return loaded_->predictor().evaluate(source, *make_threads(threads));
}

void Model::draw(const DataSource& source, const std::string& folder, ThreadCount threads) const {
  loaded_->predictor().draw(source, *make_threads(threads), folder);
}

Model load_model(const std::string& path) {
  return internal::make_model(internal::load_model(path));
}

Model load_model_bytes(std::string_view bytes, const std::string& name) {
  return internal::make_model(
      internal::decode_model(internal::unseal(internal::FileKind::kModel, bytes, name), name));
}

}  // namespace gapwise
