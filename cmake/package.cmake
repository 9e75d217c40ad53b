# Debian packages of the program, the library and, if it is built, the Python package:
#   cmake --preset debian && cmake --build build-debian && (cd build-debian && cpack -G DEB)
# Who packages says so as for Debian's own tools: DEBFULLNAME and DEBEMAIL in the environment.
set(name "$ENV{DEBFULLNAME}")
set(address "$ENV{DEBEMAIL}")
if(NOT name)
  set(name "The gapwise developers")
endif()
if(NOT address)
  set(address "gapwise@localhost")
endif()
set(GAPWISE_MAINTAINER "${name} <${address}>" CACHE STRING "Name and address that packages carry")
set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME gapwise)
set(CPACK_PACKAGE_VENDOR gapwise)
set(CPACK_PACKAGE_CONTACT "${GAPWISE_MAINTAINER}")
set(CPACK_PACKAGE_VERSION ${PROJECT_VERSION})
set(CPACK_STRIP_FILES ON)
set(CPACK_INSTALL_PREFIX /usr)
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_COMPONENTS_ALL program dev)
if(GAPWISE_BUILD_PYTHON)
  list(APPEND CPACK_COMPONENTS_ALL python)
endif()
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_RELEASE 0gapwise1)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_CONTROL_STRICT_PERMISSION ON)

set(CPACK_DEBIAN_PROGRAM_PACKAGE_NAME gapwise)
set(CPACK_DEBIAN_PROGRAM_PACKAGE_SECTION science)
set(CPACK_COMPONENT_PROGRAM_DESCRIPTION
"Trains sequence taggers, parsers, aligners, segmenters and classifiers of
several labels by large-margin optimisation, and stops on a certified duality
gap: a bound on the distance to the best possible value of the objective.")

set(CPACK_DEBIAN_DEV_PACKAGE_NAME libgapwise-dev)
set(CPACK_DEBIAN_DEV_PACKAGE_SECTION libdevel)
set(CPACK_DEBIAN_DEV_PACKAGE_SHLIBDEPS OFF)
set(CPACK_DEBIAN_DEV_PACKAGE_DEPENDS
    "libfmt-dev, libtbb-dev, libhwy-dev, zlib1g-dev, libpng-dev, libpugixml-dev, coinor-libclp-dev")
set(CPACK_COMPONENT_DEV_DESCRIPTION
"Structural support vector machines with certified duality gaps: problems of
one's own from a function that finds the most violated output, or the tasks
that the program gapwise knows.
.
This package holds what programs are built with; CMake and pkg-config find it.")

set(CPACK_DEBIAN_PYTHON_PACKAGE_NAME python3-gapwise)
set(CPACK_DEBIAN_PYTHON_PACKAGE_SECTION python)
set(CPACK_DEBIAN_PYTHON_PACKAGE_DEPENDS "python3 (>= 3.11), python3 (<< 3.12), python3-numpy, python3-scipy, python3-sklearn")
set(CPACK_COMPONENT_PYTHON_DESCRIPTION
"Estimators with the manners of scikit-learn for sequence labelling, parsing,
alignment, segmentation and classification, and for problems of one's own.
Models are those of the program gapwise.")

# Every package says its licence and its changes, as Debian wants them.
if(GAPWISE_DEBIAN_PACKAGES)
  find_program(GZIP gzip REQUIRED)
  string(TIMESTAMP date "%a, %d %b %Y 00:00:00 +0000" UTC)
  configure_file(cmake/debian/copyright.in debian/copyright @ONLY)
  foreach(name gapwise:program libgapwise-dev:dev python3-gapwise:python)
    string(REPLACE ":" ";" pair ${name})
    list(GET pair 0 GAPWISE_DEB_NAME)
    list(GET pair 1 component)
    if(NOT component IN_LIST CPACK_COMPONENTS_ALL)
      continue()
    endif()
    set(folder ${CMAKE_CURRENT_BINARY_DIR}/debian/${GAPWISE_DEB_NAME})
    configure_file(cmake/debian/changelog.in ${folder}/changelog.Debian @ONLY)
    configure_file(CHANGELOG.md ${folder}/changelog COPYONLY)
    execute_process(COMMAND ${GZIP} -9nf ${folder}/changelog.Debian ${folder}/changelog)
    install(FILES ${folder}/changelog.Debian.gz ${folder}/changelog.gz
                  ${CMAKE_CURRENT_BINARY_DIR}/debian/copyright
      DESTINATION share/doc/${GAPWISE_DEB_NAME} COMPONENT ${component})
  endforeach()
endif()
include(CPack)

if(GAPWISE_DEBIAN_PACKAGES)
  enable_testing()
  add_test(NAME package.InstallsOnAPristineDebian
    COMMAND ${PROJECT_SOURCE_DIR}/tests/install/packages_test.sh ${CMAKE_CURRENT_BINARY_DIR})
  set_tests_properties(package.InstallsOnAPristineDebian PROPERTIES TIMEOUT 1200)
endif()
