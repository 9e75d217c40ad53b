#pragma once

#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>

namespace gapwise {

/// The text with control characters and bytes that are no UTF-8 written as \\xNN.
std::string readable(std::string_view text);

/// The text with `prefix` in the place of each mark that stands before the name of an option. In
/// messages and help texts of this library that mark is the byte 1, as in "\\1lambda": the program
/// puts "--" there, what() nothing.
std::string with_options(std::string_view text, std::string_view prefix);

/// Base of everything this library throws on purpose. Messages say where, what was found, what was
/// expected and what to do. What was found may be any bytes of any length: messages are made
/// readable, and of a long one the middle is left out.
class Error : public std::runtime_error {
 public:
  explicit Error(std::string_view message);  ///< any bytes
  /// The message with its marks before names of options, for with_options.
  const std::string& marked() const { return *marked_; }

 private:
  explicit Error(std::shared_ptr<const std::string> marked);

  std::shared_ptr<const std::string> marked_;
};

/// A file or a stream does not hold what it should (exit code 3 of the program).
class InputError : public Error {
 public:
  using Error::Error;
};

/// An option is unknown, out of range, or contradicts another one (exit code 2).
class OptionError : public Error {
 public:
  using Error::Error;
};

/// A user's oracle broke its contract: wrong dimension, negative loss, a value that is not finite,
/// an answer that claims to be exact and is worse than the truth or than another answer.
class OracleError : public Error {
 public:
  using Error::Error;
};

}  // namespace gapwise
