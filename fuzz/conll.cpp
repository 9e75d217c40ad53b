#include "read_all.h"

/// The input up to the first line "---" is a template (none if it is missing), the rest is data.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using gapwise::Template;
  std::string_view text(reinterpret_cast<const char*>(data), size);
  gapwise::ReadPlan plan;
  plan.format = "conll";
  constexpr std::string_view kDivider = "---\n";
  const std::size_t divider = text.find(kDivider);
  if (divider != std::string_view::npos) {
    try {
      const gapwise::fuzz::MemoryFile file(text.substr(0, divider));
      plan.templates = Template::read(file.path());
    } catch (const gapwise::InputError&) {
      return 0;
    }
    // What is saved in a model must read back as the same template.
    const auto& lines = plan.templates->text();
    gapwise::fuzz::check(Template::parse(lines, "saved").text() == lines);
    text.remove_prefix(divider + kDivider.size());
  }
  gapwise::fuzz::read_all(text, plan);
  return 0;
}
