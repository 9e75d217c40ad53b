#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "gapwise/types.h"
#include "io/alphabet.h"

namespace gapwise::internal {

inline constexpr Index kMostStates = 10'000;                ///< of a variable
inline constexpr Index kMostJointStates = Index{1} << 20U;  ///< of a factor

/// Kinds of variables, each with its states.
struct VariableKinds {
  Alphabet names;
  std::vector<Alphabet> states;

  Index num_states(std::int32_t kind) const {
    return static_cast<Index>(states[static_cast<std::size_t>(kind)].size());
  }
};

/// Kinds of factors, each with the kinds of the variables it joins.
struct FactorKinds {
  Alphabet names;
  std::vector<std::vector<std::int32_t>> scopes;
};

/// The attributes of variables, or of factors. Each belongs to a kind. A number counts for every
/// state on its own: it owns a weight for each state (each joint state of a factor). A table has a
/// number for each of them already and owns one weight.
class KindAttributes {
 public:
  /// Its number, a new one if need be; `cells` is the number of (joint) states of the kind.
  std::uint32_t add(std::string_view kind, std::string_view name, bool is_table, Index cells);
  /// Its number or Alphabet::kUnknown.
  std::uint32_t find(std::string_view kind, std::string_view name, bool is_table) const;

  std::size_t size() const { return names_.size(); }
  /// "kind name", with a '=' behind it if it is a table.
  std::string name(std::size_t a) const { return std::string(names_.name(a)); }
  Index width(std::size_t a) const { return widths_[a]; }  ///< how many weights it owns
  /// Where its weights begin, the first one's at `begin`; one entry more is where they end.
  std::vector<Index> offsets(Index begin) const;

 private:
  static std::string key_of(std::string_view kind, std::string_view name, bool is_table);

  Alphabet names_;
  std::vector<Index> widths_;
};

/// Everything that has a name in factor graphs.
struct GraphVocabulary {
  VariableKinds variables;
  FactorKinds factors;
  KindAttributes variable_attributes;
  KindAttributes factor_attributes;

  /// How many joint states a factor of this kind has.
  Index num_cells(std::int32_t factor_kind) const;
};

/// Where the weights of each attribute lie in w: those of variables first.
struct GraphWeightLayout {
  std::vector<Index> variables;  ///< one entry more than attributes
  std::vector<Index> factors;

  explicit GraphWeightLayout(const GraphVocabulary& names);
  /// For variables of one kind with `states` states and factors that join two of them: so many
  /// attributes, all of which are numbers.
  GraphWeightLayout(Index variable_attributes, Index factor_attributes, Index states);
  Index dimension() const { return factors.back(); }
};

}  // namespace gapwise::internal
