#include <fmt/format.h>

#include <algorithm>
#include <csignal>
#include <cstdio>
#include <exception>
#include <string_view>

#include "gapwise_commit.h"
#include "run/signals.h"
#include "shell/arguments.h"
#include "shell/command.h"
#include "shell/exit_codes.h"
#include "shell/reserve.h"
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

}  // namespace
}  // namespace gapwise::internal::cli

int main(int argc, char** argv) {
  using namespace gapwise::internal::cli;
  std::signal(SIGXFSZ, SIG_IGN);  // a file that may not grow is then told as any that cannot
  keep_reserve();
  std::string who = "gapwise";
  catch_checkpoint_requests();
  try {
    const Arguments words(argv + 1, argv + argc);
    if (words.empty()) {
      std::fputs(help_overview().c_str(), stderr);
      return kUsage;
    }
    const Arguments args(words.begin() + 1, words.end());
    if (words[0] == "--version") {
      const std::string_view commit = GAPWISE_COMMIT;
      fmt::print("gapwise {}{}\n", GAPWISE_VERSION,
                 commit.empty() ? "" : fmt::format(" (commit {})", commit));
    } else if (words[0] == "--help" || words[0] == "-h") {
      fmt::print("{}", help_overview());
    } else {
      const Verb& verb = find_verb(words[0]);
      who += " " + words[0];
      if (asks_for_help(args)) {
        fmt::print("{}", help_on(verb, args));
      } else {
        const auto command = verb.make();
        command->run(parse_arguments(args, *command));
      }
    }
    flush_output();
    return kDone;
  } catch (...) {
    return report_failure(who);
  }
}
