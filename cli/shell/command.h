#pragma once

#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "core/ranks.h"
#include "gapwise/option_table.h"

namespace gapwise::internal::cli {

using Arguments = std::vector<std::string>;

/// Options that stand under one heading in the help.
struct OptionGroup {
  std::string title;
  OptionTable rows;
};

/// One verb of the program: its options, bound to this object, and what it does with them.
class Command {
 public:
  virtual ~Command() = default;
  /// A first look at the arguments, for options that decide which other options there are.
  virtual void prepare(const Arguments&) {}
  virtual std::vector<OptionGroup> options() { return {{"options", rows()}}; }
  virtual std::vector<std::string_view> required() const { return {}; }
  /// The option that may be given without its name; empty if there is none.
  virtual std::string_view positional() const { return {}; }
  /// Whether that option may be given several times.
  virtual bool takes_many() const { return false; }
  /// Whether `--task` decides which options there are.
  virtual bool depends_on_task() const { return false; }
  /// Whether it runs on every rank of a job and shares its work, rather than on rank 0 alone.
  virtual bool spreads() const { return false; }
  /// Before `run`: the job, which outlives this.
  virtual void join(Ranks&) {}
  /// `given` holds the names of the options that were on the command line.
  virtual void run(const std::set<std::string>& given) = 0;

 protected:
  /// All options, of a verb whose options need no headings.
  virtual OptionTable rows() { return {}; }
};

using MakeCommand = std::unique_ptr<Command> (*)();
template <class OneCommand>
std::unique_ptr<Command> make_command() {
  return std::make_unique<OneCommand>();
}

struct Verb {
  std::string_view name;
  std::string_view usage;    ///< "--model M --data F [--output F]"
  std::string_view summary;  ///< one line
  MakeCommand make;
};

/// All verbs, in the order of the help.
const std::vector<Verb>& verbs();
/// Throws OptionError with a suggestion if there is no such verb.
const Verb& find_verb(const std::string& name);

extern const MakeCommand make_train;
extern const MakeCommand make_predict;
extern const MakeCommand make_evaluate;
extern const MakeCommand make_calibrate;
extern const MakeCommand make_verify;
extern const MakeCommand make_compare;
extern const MakeCommand make_path;
extern const MakeCommand make_inspect;
extern const MakeCommand make_report;
extern const MakeCommand make_export;
extern const MakeCommand make_cite;
extern const MakeCommand make_demo;
extern const MakeCommand make_sample;
extern const MakeCommand make_help;

}  // namespace gapwise::internal::cli
