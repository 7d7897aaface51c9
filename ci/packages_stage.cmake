# Runs in CPack when all files of the packages are in place: manual pages and changelogs are compressed as Debian asks,
# modes and times are made the same for every build.
function(run)
  execute_process(COMMAND ${ARGN} RESULT_VARIABLE failed)
  if(failed)
    message(FATAL_ERROR "${ARGN}: ${failed}")
  endif()
endfunction()

string(REGEX REPLACE "([0-9]+)-([0-9]+)-([0-9]+)" "\\1-\\2-\\3" date "${CPACK_LASTBIT_DATE}")
execute_process(COMMAND date -u -R -d "${date}" OUTPUT_VARIABLE stamp OUTPUT_STRIP_TRAILING_WHITESPACE)
foreach(package IN LISTS CPACK_COMPONENTS_ALL)
  set(root ${CPACK_TEMPORARY_DIRECTORY}/${package}/usr)
  set(doc ${root}/share/doc/${package})
  if(NOT IS_DIRECTORY ${doc})
    message(FATAL_ERROR "no ${doc}")
  endif()
  file(WRITE ${doc}/changelog.Debian "${package} (${CPACK_PACKAGE_VERSION}-1) unstable; urgency=medium\n\n"
    "  * Release ${CPACK_PACKAGE_VERSION}; CHANGELOG.md of the sources tells what is new.\n\n"
    " -- ${CPACK_PACKAGE_CONTACT}  ${stamp}\n")
  # These packages are not Debian's own; CPack calls ldconfig where debhelper has a trigger.
  file(WRITE ${root}/share/lintian/overrides/${package} "${package}: initial-upload-closes-no-bugs *\n")
  if(package STREQUAL libmli2)
    file(APPEND ${root}/share/lintian/overrides/${package} "${package}: maintscript-calls-ldconfig *\n")
  endif()
  file(GLOB pages ${root}/share/man/man1/*.1)
  run(gzip -9nf ${doc}/changelog.Debian ${pages})
  if(EXISTS ${doc}/CHANGELOG.md)
    file(RENAME ${doc}/CHANGELOG.md ${doc}/changelog)
    run(gzip -9nf ${doc}/changelog)
  endif()
  run(find ${CPACK_TEMPORARY_DIRECTORY}/${package} ! -type l -exec chmod u=rwX,go=rX {} +)
  # As a library of Debian is: not executable.
  run(find ${CPACK_TEMPORARY_DIRECTORY}/${package} -name "*.so.*" -type f -exec chmod 644 {} +)
  if(DEFINED ENV{SOURCE_DATE_EPOCH})
    run(find ${CPACK_TEMPORARY_DIRECTORY}/${package} -exec touch -hd @$ENV{SOURCE_DATE_EPOCH} {} +)
  endif()
endforeach()
