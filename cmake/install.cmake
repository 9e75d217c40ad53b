# `find_package(gapwise)` gives gapwise::gapwise; `cmake --install` puts library, headers, package
# files and, at top level, the program where the prefix says.
include(CMakePackageConfigHelpers)

set(GAPWISE_PACKAGE_DIR ${CMAKE_INSTALL_LIBDIR}/cmake/gapwise)

install(TARGETS gapwise EXPORT gapwiseTargets
  ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR}
  LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(DIRECTORY include/gapwise DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}
  FILES_MATCHING PATTERN *.h)
install(EXPORT gapwiseTargets NAMESPACE gapwise:: DESTINATION ${GAPWISE_PACKAGE_DIR})

configure_package_config_file(cmake/gapwiseConfig.cmake.in gapwiseConfig.cmake
  INSTALL_DESTINATION ${GAPWISE_PACKAGE_DIR})
write_basic_package_version_file(gapwiseConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES
  ${CMAKE_CURRENT_BINARY_DIR}/gapwiseConfig.cmake
  ${CMAKE_CURRENT_BINARY_DIR}/gapwiseConfigVersion.cmake
  ${PROJECT_SOURCE_DIR}/cmake/FindClp.cmake
  DESTINATION ${GAPWISE_PACKAGE_DIR})

if(TARGET gapwise-cli)
  install(TARGETS gapwise-cli RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
endif()
