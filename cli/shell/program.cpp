#include "shell/program.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <exception>
#include <new>
#include <string_view>

#include "shell/arguments.h"
#include "shell/exit_codes.h"
#include "shell/standard_output.h"
#include "verbs/help.h"

namespace gapwise::internal::cli {
namespace {

bool asks_for_help(const Arguments& args) {
  return std::any_of(args.begin(), args.end(),
                     [](const std::string& arg) { return arg == "--help" || arg == "-h"; });
}

/// The exit code of the exception in flight, and its message.
int report_failure(const std::string& who) {
  const auto say = [&](std::string_view what) {
    std::fputs(fmt::format("{}: {}\n", who, what).c_str(), stderr);
  };
  const auto tell = [&](const Error& error) { say(with_options(error.marked(), "--")); };
  try {
    throw;
  } catch (const OptionError& error) {
    tell(error);
    return kUsage;
  } catch (const InputError& error) {
    tell(error);
    return kBadInput;
  } catch (const EndedEarly& error) {
    tell(error);
    return error.code();
  } catch (const Error& error) {
    tell(error);
    return kInternal;
  } catch (const std::bad_alloc&) {
    std::fputs(who.c_str(), stderr);  // and nothing that would need memory
    std::fputs(": out of memory; use fewer or smaller examples, or a machine with more memory\n",
               stderr);
    return kInternal;
  } catch (const std::exception& error) {
    say(error.what());
    return kInternal;
  }
}

/// A verb, unless it is one that only rank 0 runs and this is another one.
void run_verb(const Program& program, const Verb& verb, const Arguments& args) {
  const bool leads = program.ranks == nullptr || program.ranks->leads();
  if (asks_for_help(args)) {
    if (leads) fmt::print("{}", help_on(verb, args));
    return;
  }
  const auto command = verb.make();
  if (program.ranks != nullptr && command->spreads()) {
    command->join(*program.ranks);
  } else if (!leads) {
    return;
  }
  command->run(parse_arguments(args, *command));
}

void run(const Program& program, const Arguments& words) {
  const bool leads = program.ranks == nullptr || program.ranks->leads();
  if (words[0] == "--version") {
    if (!leads) return;
    fmt::print("{} {}{}\n", program.name, GAPWISE_VERSION,
               program.commit.empty() ? "" : fmt::format(" (commit {})", program.commit));
  } else if (words[0] == "--help" || words[0] == "-h") {
    if (leads) fmt::print("{}", help_overview());
  } else {
    run_verb(program, find_verb(words[0]), {words.begin() + 1, words.end()});
  }
  flush_output();
}

bool is_verb(const std::string& word) {
  return std::any_of(verbs().begin(), verbs().end(),
                     [&](const Verb& verb) { return verb.name == word; });
}

}  // namespace

int run_program(const Program& program, const Arguments& words) {
  Ranks* const ranks = program.ranks;
  const bool leads = ranks == nullptr || ranks->leads();
  if (words.empty()) {
    if (leads) std::fputs(help_overview().c_str(), stderr);
    return leads ? kUsage : kDone;
  }
  try {
    run(program, words);
    if (ranks != nullptr) ranks->meet(Meeting::kEnd, {});
    return kDone;
  } catch (...) {
    // The others are told, and only rank 0 says it to people and to who started the job.
    if (ranks != nullptr) ranks->fail(std::current_exception());
    if (!leads) return kDone;
    std::string who(program.name);
    if (is_verb(words[0])) who += " " + words[0];
    return report_failure(who);
  }
}

int run_program(const Program& program, std::span<char* const> words) {
  try {
    return run_program(program, Arguments(words.begin(), words.end()));
  } catch (...) {  // there is not even memory for the words
    return report_failure(std::string(program.name));
  }
}

}  // namespace gapwise::internal::cli
