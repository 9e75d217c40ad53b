# `find_package(gapwise)` gives gapwise::gapwise, pkg-config knows `gapwise`; `cmake --install` puts
# library, headers, package files and, at top level, the program with its manual and completions
# where the prefix says. Components: program, dev, python.
include(CMakePackageConfigHelpers)

set(GAPWISE_PACKAGE_DIR ${CMAKE_INSTALL_LIBDIR}/cmake/gapwise)

install(TARGETS gapwise EXPORT gapwiseTargets COMPONENT dev
  ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR}
  LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(DIRECTORY include/gapwise DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} COMPONENT dev
  FILES_MATCHING PATTERN *.h)
install(EXPORT gapwiseTargets NAMESPACE gapwise:: DESTINATION ${GAPWISE_PACKAGE_DIR} COMPONENT dev)

configure_package_config_file(cmake/gapwiseConfig.cmake.in gapwiseConfig.cmake
  INSTALL_DESTINATION ${GAPWISE_PACKAGE_DIR})
write_basic_package_version_file(gapwiseConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES
  ${CMAKE_CURRENT_BINARY_DIR}/gapwiseConfig.cmake
  ${CMAKE_CURRENT_BINARY_DIR}/gapwiseConfigVersion.cmake
  ${PROJECT_SOURCE_DIR}/cmake/FindClp.cmake
  DESTINATION ${GAPWISE_PACKAGE_DIR} COMPONENT dev)
configure_file(cmake/gapwise.pc.in gapwise.pc @ONLY)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/gapwise.pc
  DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig COMPONENT dev)

if(TARGET gapwise-cli)
  set(pages ${CMAKE_CURRENT_BINARY_DIR}/pages)
  add_custom_command(OUTPUT ${pages}.stamp
    COMMAND ${CMAKE_COMMAND} -D PROGRAM=$<TARGET_FILE:gapwise-cli> -D FOLDER=${pages}
            -P ${PROJECT_SOURCE_DIR}/cmake/pages.cmake
    COMMAND ${CMAKE_COMMAND} -E touch ${pages}.stamp
    DEPENDS gapwise-cli cmake/pages.cmake VERBATIM)
  add_custom_target(gapwise-pages ALL DEPENDS ${pages}.stamp)

  install(TARGETS gapwise-cli RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR} COMPONENT program)
  install(DIRECTORY ${pages}/man/ DESTINATION ${CMAKE_INSTALL_MANDIR}/man1 COMPONENT program)
  set(completions ${pages}/completions)
  install(FILES ${completions}/gapwise COMPONENT program
    DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions)
  install(FILES ${completions}/_gapwise COMPONENT program
    DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/vendor-completions)
  install(FILES ${completions}/gapwise.fish COMPONENT program
    DESTINATION ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d)
  install(FILES README.md COMPONENT program DESTINATION ${CMAKE_INSTALL_DOCDIR})
  install(DIRECTORY docs COMPONENT program DESTINATION ${CMAKE_INSTALL_DOCDIR}
    FILES_MATCHING PATTERN *.md PATTERN *.svg PATTERN *.png)
  if(NOT GAPWISE_DEBIAN_PACKAGES)  # which say it in another form
    install(FILES LICENSE CHANGELOG.md COMPONENT program DESTINATION ${CMAKE_INSTALL_DOCDIR})
  endif()
endif()

if(TARGET gapwise-python AND GAPWISE_DEBIAN_PACKAGES)
  install(DIRECTORY ${PROJECT_BINARY_DIR}/python/gapwise COMPONENT python
    DESTINATION lib/python3/dist-packages
    FILES_MATCHING PATTERN *.py PATTERN *.pyi PATTERN py.typed PATTERN __pycache__ EXCLUDE)
  install(TARGETS gapwise-native COMPONENT python
    LIBRARY DESTINATION lib/python3/dist-packages/gapwise)
endif()

if(PROJECT_IS_TOP_LEVEL)
  include(cmake/package.cmake)
endif()
