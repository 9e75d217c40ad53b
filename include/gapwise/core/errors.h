#pragma once

#include <stdexcept>
#include <string>

namespace gapwise {

/// Base of everything this library throws on purpose. Messages say where, what was found, what was
/// expected and what to do.
class Error : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
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

/// A user's oracle broke its contract: wrong dimension, negative loss, a value that is not finite.
class OracleError : public Error {
 public:
  using Error::Error;
};

}  // namespace gapwise
