// json_field NAME: standard input must be exactly one JSON object; prints the named field of it.
// json_field --keys: prints its keys instead, in order, separated by spaces.
#include <cstdio>
#include <iostream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <string>

int main(int argc, char** argv) {
  const std::string text{std::istreambuf_iterator<char>(std::cin), {}};
  const auto json = nlohmann::ordered_json::parse(text, nullptr, false);
  if (argc != 2 || !json.is_object()) {
    std::fprintf(stderr, "json_field: not one JSON object: %s\n", text.c_str());
    return 1;
  }
  const std::string wanted = argv[1];
  std::string out;
  if (wanted == "--keys") {
    for (const auto& item : json.items()) out += (out.empty() ? "" : " ") + item.key();
  } else if (!json.contains(wanted)) {
    std::fprintf(stderr, "json_field: there is no '%s' in %s\n", argv[1], text.c_str());
    return 1;
  } else {
    out = json[wanted].is_string() ? json[wanted].get<std::string>() : json[wanted].dump();
  }
  std::printf("%s\n", out.c_str());
  return 0;
}
