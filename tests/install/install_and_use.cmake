# Run by ctest: install, look at what was installed, configure the consumer with nothing but the
# prefix, build it, run it; then the examples in the same way.
function(run)
  execute_process(COMMAND ${ARGV} COMMAND_ECHO STDOUT RESULT_VARIABLE result)
  if(NOT result EQUAL 0)
    message(FATAL_ERROR "exit status ${result}")
  endif()
endfunction()

file(REMOVE_RECURSE ${WORK_DIR})
run(${CMAKE_COMMAND} --install ${BUILD_DIR} --prefix ${WORK_DIR}/prefix)

file(GLOB promised RELATIVE ${INCLUDE_DIR} ${INCLUDE_DIR}/gapwise/*.h)
file(GLOB_RECURSE installed RELATIVE ${WORK_DIR}/prefix/include ${WORK_DIR}/prefix/include/*)
list(SORT promised)
list(SORT installed)
if(NOT promised OR NOT installed STREQUAL promised)
  message(FATAL_ERROR "installed headers are ${installed}, but promised are ${promised}")
endif()

run(${CMAKE_COMMAND} -S ${CONSUMER_DIR} -B ${WORK_DIR}/consumer -G ${GENERATOR}
    -D CMAKE_CXX_COMPILER=${COMPILER} -D CMAKE_BUILD_TYPE=Release
    -D CMAKE_PREFIX_PATH=${WORK_DIR}/prefix -D GAPWISE_EXPECTED_VERSION=${VERSION})
run(${CMAKE_COMMAND} --build ${WORK_DIR}/consumer)
run(${WORK_DIR}/consumer/consumer)
# The same with pkg-config and nothing else.
find_program(PKG_CONFIG pkg-config)
file(GLOB_RECURSE pc ${WORK_DIR}/prefix/*gapwise.pc)
if(PKG_CONFIG)
  get_filename_component(pc_dir ${pc} DIRECTORY)
  execute_process(
    COMMAND ${CMAKE_COMMAND} -E env PKG_CONFIG_PATH=${pc_dir}
            ${PKG_CONFIG} --define-variable=prefix=${WORK_DIR}/prefix --cflags --libs gapwise
    OUTPUT_VARIABLE flags RESULT_VARIABLE result OUTPUT_STRIP_TRAILING_WHITESPACE)
  if(NOT result EQUAL 0)
    message(FATAL_ERROR "pkg-config does not know gapwise")
  endif()
  separate_arguments(flags)
  run(${COMPILER} -std=c++20 ${EXAMPLES_DIR}/early_stop.cpp -o ${WORK_DIR}/by_pkg_config ${flags})
  run(${WORK_DIR}/by_pkg_config)
endif()
run(${CMAKE_COMMAND} -S ${EXAMPLES_DIR} -B ${WORK_DIR}/examples -G ${GENERATOR}
    -D CMAKE_CXX_COMPILER=${COMPILER} -D CMAKE_BUILD_TYPE=Release
    -D CMAKE_PREFIX_PATH=${WORK_DIR}/prefix)
run(${CMAKE_COMMAND} --build ${WORK_DIR}/examples)
file(GLOB examples ${EXAMPLES_DIR}/*.cpp)
foreach(example ${examples})
  get_filename_component(name ${example} NAME_WE)
  run(${WORK_DIR}/examples/example_${name})
endforeach()
if(EXISTS ${WORK_DIR}/prefix/bin/gapwise)
  run(${WORK_DIR}/prefix/bin/gapwise --version)
  foreach(file share/man/man1/gapwise.1 share/man/man1/gapwise-train.1
               share/bash-completion/completions/gapwise share/zsh/vendor-completions/_gapwise
               share/fish/vendor_completions.d/gapwise.fish share/doc/gapwise/LICENSE
               share/doc/gapwise/docs/options.md)
    file(GLOB found ${WORK_DIR}/prefix/${file} ${WORK_DIR}/prefix/${file}.gz)
    if(NOT found)
      message(FATAL_ERROR "${file} is not installed")
    endif()
  endforeach()
endif()
file(REMOVE_RECURSE ${WORK_DIR})
