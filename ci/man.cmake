# The manual page lastbit.1, made at build time by asking the program just built, and installed with it.
# A sanitizer or coverage build makes none (they are never installed), nor does a cross build, which cannot run its program.
if(LASTBIT_SANITIZE OR LASTBIT_COVERAGE OR CMAKE_CROSSCOMPILING)
  return()
endif()

set(page ${CMAKE_CURRENT_BINARY_DIR}/lastbit.1)
add_custom_command(OUTPUT ${page}
  COMMAND ${CMAKE_CURRENT_SOURCE_DIR}/make-man $<TARGET_FILE:lastbit> ${PROJECT_VERSION} > ${page}.new
  COMMAND ${CMAKE_COMMAND} -E rename ${page}.new ${page}
  DEPENDS lastbit make-man make-man.awk
  COMMENT "Making lastbit.1 from lastbit --help" VERBATIM)
add_custom_target(lastbit_man ALL DEPENDS ${page})
install(FILES ${page} DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)
set(LASTBIT_MAN_PAGE ${page})
