# Writes OUT, a C file with the commit of the tree at ROOT, if it says another one than before.
execute_process(COMMAND git -C ${ROOT} rev-parse --show-cdup
  OUTPUT_VARIABLE above OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
execute_process(COMMAND git --no-optional-locks -C ${ROOT} describe --always --abbrev=12 --exclude=* --dirty=+
  OUTPUT_VARIABLE commit OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET RESULT_VARIABLE failed)
if(failed OR above OR NOT commit MATCHES "^[0-9a-f]+[+]?$")
  set(commit "") # a folder of another tree, or no git
  if(EXISTS ${ROOT}/.commit) # a source tarball
    file(STRINGS ${ROOT}/.commit commit REGEX "^[0-9a-f]+$")
  endif()
endif()
file(CONFIGURE OUTPUT ${OUT} CONTENT "/* Made by harness/commit.cmake. */
#include \"harness/base/command_line.h\"

const char lb_built_from[] = \"${commit}\";
")
