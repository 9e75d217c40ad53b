#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "tasks/shared/labelled_examples.h"
#include "tasks/task.h"

namespace gapwise::internal {

/// Puts examples of one row each together, one after the other, as strictly as a line of an
/// svmlight file is read.
class RowMaker {
 public:
  /// Zeros are left out.
  void feature(std::uint32_t number, double value);
  void label(std::string_view name);
  void end_row();
  /// The example at hand, which must have its row.
  const LabelledExample& example() const;
  void start_next();

  /// InputError that says which example it is.
  [[noreturn]] void fail(const std::string& what) const;

 private:
  void check_open() const;

  LabelledExample example_;
  std::uint32_t last_number_ = 0;
  bool has_row_ = false;
  Index count_ = 0;  ///< examples before this one
};

/// OptionError: features have numbers.
[[noreturn]] void refuse_names(std::string_view name);

/// Examples put together in memory, over base class `Rows`: an example is one row, and its features
/// have numbers.
template <class Rows>
class NumberedRows : public Rows {
 public:
  void attribute(std::string_view name, double) final { refuse_names(name); }
  void feature(std::uint32_t number, double value) final { maker_.feature(number, value); }
  void label(std::string_view name) final { maker_.label(name); }
  void end_row() final { maker_.end_row(); }
  void end_example() final {
    add(maker_.example());
    maker_.start_next();
    ++num_examples_;
  }

 protected:
  [[noreturn]] void fail(const std::string& what) const { maker_.fail(what); }
  void check_not_empty() const {
    if (num_examples_ == 0) throw InputError("there are no examples; add at least one");
  }

 private:
  virtual void add(const LabelledExample& example) = 0;

  RowMaker maker_;
  Index num_examples_ = 0;
};

}  // namespace gapwise::internal
