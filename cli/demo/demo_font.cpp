#include "demo/demo_font.h"

namespace gapwise::internal::cli {
namespace {

constexpr std::size_t kLettersInRow = 13;
constexpr std::size_t kRowSize = kLettersInRow * (Glyph::kColumns + 1) - 1;

// Letters side by side, with a column between them.
// clang-format off
constexpr std::string_view kSheet =
      // a     b     c     d     e     f     g     h     i     j     k     l     m
      "      #               #         ##        #       #      #  #      ##        "
      "      #               #        #  #       #                 #       #        "
      " ###  # ##   ###   ## #  ###   #     #### # ##   ##     ##  #  #    #   ## # "
      "    # ##  # #   # #  ## #   # ###   #   # ##  #   #      #  # #     #   # # #"
      " #### #   # #     #   # #####  #    #   # #   #   #      #  ##      #   # # #"
      "#   # ##  # #   # #  ## #      #     #### #   #   #      #  # #     #   # # #"
      " #### # ##   ###   ## #  ###   #        # #   #  ###     #  #  #   ###  # # #"
      "                                        #             #  #                   "
      "                                     ###               ##                    "

      // n     o     p     q     r     s     t     u     v     w     x     y     z
      "                                     #                                       "
      "                                     #                                       "
      "# ##   ###  # ##   ## # # ##   #### ###   #   # #   # #   # #   # #   # #####"
      "##  # #   # ##  # #  ## ##  # #      #    #   # #   # # # #  # #  #   #    # "
      "#   # #   # #   # #   # #      ###   #    #   # #   # # # #   #   #   #   #  "
      "#   # #   # ##  # #  ## #         #  #  # #  ##  # #  # # #  # #   ####  #   "
      "#   #  ###  # ##   ## # #     ####    ##   ## #   #    # #  #   #     # #####"
      "            #         #                                               #      "
      "            #         #                                            ###       ";
// clang-format on
static_assert(kSheet.size() == 2 * Glyph::kRows * kRowSize);

}  // namespace

bool Glyph::is_ink(int row, int column) const {
  if (row < 0 || row >= kRows || column < 0 || column >= kColumns) return false;
  const std::size_t line = number / kLettersInRow * kRows + static_cast<std::size_t>(row);
  const std::size_t left = number % kLettersInRow * (kColumns + 1);
  return kSheet[line * kRowSize + left + static_cast<std::size_t>(column)] == '#';
}

}  // namespace gapwise::internal::cli
