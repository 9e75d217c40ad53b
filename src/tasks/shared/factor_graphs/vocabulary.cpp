#include "tasks/shared/factor_graphs/vocabulary.h"

namespace gapwise::internal {

std::string KindAttributes::key_of(std::string_view kind, std::string_view name, bool is_table) {
  std::string key(kind);
  key += ' ';
  key += name;
  if (is_table) key += '=';
  return key;
}

std::uint32_t KindAttributes::add(std::string_view kind, std::string_view name, bool is_table,
                                  Index cells) {
  const std::uint32_t a = names_.add(key_of(kind, name, is_table));
  if (a == widths_.size()) widths_.push_back(is_table ? 1 : cells);
  return a;
}

std::uint32_t KindAttributes::find(std::string_view kind, std::string_view name,
                                   bool is_table) const {
  return names_.find(key_of(kind, name, is_table));
}

std::vector<Index> KindAttributes::offsets(Index begin) const {
  std::vector<Index> offsets{begin};
  for (const Index width : widths_) offsets.push_back(offsets.back() + width);
  return offsets;
}

Index GraphVocabulary::num_cells(std::int32_t factor_kind) const {
  Index cells = 1;
  for (const std::int32_t kind : factors.scopes[static_cast<std::size_t>(factor_kind)]) {
    cells *= variables.num_states(kind);
  }
  return cells;
}

GraphWeightLayout::GraphWeightLayout(const GraphVocabulary& names)
    : variables(names.variable_attributes.offsets(0)),
      factors(names.factor_attributes.offsets(variables.back())) {}

GraphWeightLayout::GraphWeightLayout(Index variable_attributes, Index factor_attributes,
                                     Index states)
    : variables{0} {
  for (Index a = 0; a < variable_attributes; ++a) variables.push_back(variables.back() + states);
  factors.push_back(variables.back());
  for (Index a = 0; a < factor_attributes; ++a) factors.push_back(factors.back() + states * states);
}

}  // namespace gapwise::internal
