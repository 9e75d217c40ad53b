// json_field NAME: standard input must be exactly one JSON object; prints the named field of it.
// json_field --keys: prints its keys instead, in order, separated by spaces.
// json_field NUMBER: standard input must be exactly one JSON array; prints that item of it, from 0.
// json_field --size: prints the number of its items instead.
#include <cstdio>
#include <cstdlib>
#include <iostream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <string>

namespace {

using Json = nlohmann::ordered_json;

int complain(const std::string& what, const std::string& text) {
  std::fprintf(stderr, "json_field: %s: %s\n", what.c_str(), text.c_str());
  return 1;
}

int show(const std::string& text) {
  std::printf("%s\n", text.c_str());
  return 0;
}

int show_item(const Json& array, const std::string& wanted) {
  if (wanted == "--size") return show(std::to_string(array.size()));
  const std::size_t k = std::strtoul(wanted.c_str(), nullptr, 10);
  if (k >= array.size()) return complain("there is no item " + wanted, array.dump());
  return show(array[k].dump());
}

int show_field(const Json& object, const std::string& wanted) {
  if (wanted == "--keys") {
    std::string keys;
    for (const auto& item : object.items()) keys += (keys.empty() ? "" : " ") + item.key();
    return show(keys);
  }
  if (!object.contains(wanted)) return complain("there is no '" + wanted + "'", object.dump());
  const Json& value = object[wanted];
  return show(value.is_string() ? value.get<std::string>() : value.dump());
}

}  // namespace

int main(int argc, char** argv) {
  const std::string text{std::istreambuf_iterator<char>(std::cin), {}};
  const auto json = Json::parse(text, nullptr, false);
  if (argc != 2 || !(json.is_object() || json.is_array())) {
    return complain("not one JSON object or array", text);
  }
  return json.is_array() ? show_item(json, argv[1]) : show_field(json, argv[1]);
}
