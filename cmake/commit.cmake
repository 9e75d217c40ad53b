# Run at every build: writes HEADER with the commit of SOURCE_DIR, only if it changed.
set(commit "")
find_package(Git QUIET)
if(GIT_FOUND AND EXISTS ${SOURCE_DIR}/.git)
  execute_process(COMMAND ${GIT_EXECUTABLE} describe --always --dirty --abbrev=9 --exclude=*
    WORKING_DIRECTORY ${SOURCE_DIR} OUTPUT_VARIABLE commit ERROR_QUIET
    OUTPUT_STRIP_TRAILING_WHITESPACE)
endif()
file(CONFIGURE OUTPUT ${HEADER} CONTENT "#pragma once\n#define GAPWISE_COMMIT \"${commit}\"\n")
