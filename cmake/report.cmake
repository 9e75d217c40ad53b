# What every HTML report carries with it: our own style and script, and uPlot with its licence, which
# is taken from npm by name, version and checksum. Without npm, or without a network, reports are
# static: everything is there as pictures and tables.
set(GAPWISE_UPLOT_VERSION 1.6.32)
set(GAPWISE_UPLOT_SHA512
  2883159c6ebccefbb95d751b0b82d010f9e1c0ec41b8bc96d401eda66e882935c89a46cb824332fa369b8cb8122cc6ac36e186cd09bf7a9ded3a4c93c6989023)
option(GAPWISE_REPORT_UPLOT "Curves of reports can be zoomed (uPlot from npm, if it is there)" ON)

# Sets GAPWISE_UPLOT_DIR, or leaves it empty and says why.
function(gapwise_fetch_uplot)
  set(GAPWISE_UPLOT_DIR "" PARENT_SCOPE)
  set(folder ${CMAKE_CURRENT_BINARY_DIR}/uplot)
  set(archive ${folder}/uplot-${GAPWISE_UPLOT_VERSION}.tgz)
  set(why "")
  if(NOT GAPWISE_REPORT_UPLOT)
    set(why "GAPWISE_REPORT_UPLOT is off")
  elseif(NOT EXISTS ${archive})
    find_program(GAPWISE_NPM npm)
    mark_as_advanced(GAPWISE_NPM)
    if(GAPWISE_NPM)
      file(MAKE_DIRECTORY ${folder})
      execute_process(COMMAND ${GAPWISE_NPM} pack --silent --prefer-offline
          uplot@${GAPWISE_UPLOT_VERSION}
        WORKING_DIRECTORY ${folder} TIMEOUT 60 RESULT_VARIABLE result OUTPUT_QUIET ERROR_QUIET)
      if(NOT result EQUAL 0)
        set(why "npm cannot get uplot@${GAPWISE_UPLOT_VERSION}")
      endif()
    else()
      set(why "npm is not there")
    endif()
  endif()
  if(NOT why AND EXISTS ${archive})
    file(SHA512 ${archive} sum)
    if(NOT sum STREQUAL GAPWISE_UPLOT_SHA512)
      file(REMOVE ${archive})
      set(why "what npm gave for uplot@${GAPWISE_UPLOT_VERSION} has another checksum")
    endif()
  endif()
  if(why)
    message(STATUS "Reports are static, their curves cannot be zoomed: ${why}")
    return()
  endif()
  file(ARCHIVE_EXTRACT INPUT ${archive} DESTINATION ${folder})
  set(GAPWISE_UPLOT_DIR ${folder}/package PARENT_SCOPE)
endfunction()

# The definition of a text that is the content of a file, empty without one, and its SHA-256.
function(gapwise_text_of name file)
  set(bytes "")
  set(sum "")
  if(file)
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${file})
    file(READ ${file} hex HEX)
    string(REGEX REPLACE "([0-9a-f][0-9a-f])" "'\\\\x\\1'," bytes "${hex}")
    string(REGEX REPLACE "('[^']*',)('[^']*',)('[^']*',)('[^']*',)('[^']*',)('[^']*',)('[^']*',)('[^']*',)"
           "\\1\\2\\3\\4\\5\\6\\7\\8\n" bytes "${bytes}")
    file(SHA256 ${file} sum)
  endif()
  set(GAPWISE_ASSET_TEXT
    "${GAPWISE_ASSET_TEXT}const char k${name}[] = {\n${bytes}0};\n"
    PARENT_SCOPE)
  set(GAPWISE_ASSET_ROWS
    "${GAPWISE_ASSET_ROWS}      {k${name}, sizeof k${name} - 1, \"${sum}\"},\n" PARENT_SCOPE)
endfunction()

gapwise_fetch_uplot()
set(GAPWISE_ASSET_TEXT "")
set(GAPWISE_ASSET_ROWS "")
set(assets ${PROJECT_SOURCE_DIR}/src/report/assets)
gapwise_text_of(Style ${assets}/report.css)
gapwise_text_of(Figure ${assets}/figure.py)
if(GAPWISE_UPLOT_DIR)
  gapwise_text_of(Script ${assets}/report.js)
  gapwise_text_of(PlotStyle ${GAPWISE_UPLOT_DIR}/dist/uPlot.min.css)
  gapwise_text_of(PlotScript ${GAPWISE_UPLOT_DIR}/dist/uPlot.iife.min.js)
  gapwise_text_of(PlotLicence ${GAPWISE_UPLOT_DIR}/LICENSE)
else()
  foreach(name Script PlotStyle PlotScript PlotLicence)
    gapwise_text_of(${name} "")
  endforeach()
endif()
configure_file(${PROJECT_SOURCE_DIR}/src/report/assets/assets.cpp.in
               ${CMAKE_CURRENT_BINARY_DIR}/report_assets.cpp @ONLY)
