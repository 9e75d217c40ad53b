#pragma once

// Where tests put their files.
#include "io/scratch_folder.h"  // IWYU pragma: export
