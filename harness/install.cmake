# What is installed beside the programs, and the packages that it goes into: components lastbit (programs, manual pages,
# completions), lastbit-data (what any machine may share), libmli2 and libmli-dev (impl/CMakeLists.txt).
set(LASTBIT_ZSH_DIR ${CMAKE_INSTALL_DATADIR}/zsh/site-functions CACHE STRING "where the completion for zsh goes")
set(data ${CMAKE_INSTALL_DATADIR}/lastbit)

install(TARGETS lastbit lastbit-agent RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR} COMPONENT lastbit)

install(TARGETS lastbit-host RUNTIME DESTINATION libexec/lastbit COMPONENT lastbit)

install(TARGETS lastbit_mistake LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}/lastbit COMPONENT lastbit)

# The suites with their recordings, profiles, schemas and the tolerance policy: "lastbit run" without a path finds them.
install(DIRECTORY ${CMAKE_SOURCE_DIR}/vectors DESTINATION ${data} COMPONENT lastbit-data
  PATTERN CMakeLists.txt EXCLUDE PATTERN .gitattributes EXCLUDE)
file(GLOB schemas ${CMAKE_SOURCE_DIR}/reports/*.schema.json)
install(FILES ${schemas} DESTINATION ${data}/schemas COMPONENT lastbit-data)
install(DIRECTORY ${CMAKE_SOURCE_DIR}/reference/mli/spec DESTINATION ${data} COMPONENT lastbit-data)
install(DIRECTORY ${CMAKE_SOURCE_DIR}/reference/litert/spec/ DESTINATION ${data}/spec/litert COMPONENT lastbit-data)

# The port kit is installed as sources: that is what a porter compiles.
file(GLOB kit_sources port_kit/lb_*.c port_kit/lb_*.h port_kit/example_*.c port_kit/port_lastbit.c port_kit/*.md)
install(FILES ${kit_sources} DESTINATION ${data}/port_kit COMPONENT lastbit-data)
install(DIRECTORY port_kit/bare_metal DESTINATION ${data}/port_kit COMPONENT lastbit-data)

install(FILES ${CMAKE_SOURCE_DIR}/README.md ${CMAKE_SOURCE_DIR}/CHANGELOG.md ${CMAKE_CURRENT_SOURCE_DIR}/PROMISES.md
  DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/lastbit COMPONENT lastbit)
install(DIRECTORY guide DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/lastbit COMPONENT lastbit)
# What the guides lead to, beside the suites, the specification and the port kit.
install(FILES ${CMAKE_SOURCE_DIR}/reports/FORMAT.md ${CMAKE_CURRENT_SOURCE_DIR}/guard/DEFINITIONS.md
  DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/lastbit COMPONENT lastbit)
file(GLOB pipelines ${CMAKE_SOURCE_DIR}/ci/examples/*.yml)
install(FILES ${pipelines} DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/lastbit/examples COMPONENT lastbit)
foreach(package lastbit lastbit-data libmli2 libmli-dev)
  install(FILES ${CMAKE_SOURCE_DIR}/LICENSE RENAME copyright DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/${package}
    COMPONENT ${package})
endforeach()

# Links of the pages, for the places where they are now.
function(lastbit_install_links folder component)
  install(CODE "
    set(datadir \"\$ENV{DESTDIR}\${CMAKE_INSTALL_PREFIX}/${CMAKE_INSTALL_DATADIR}\")
    file(GLOB_RECURSE pages RELATIVE \${datadir} \${datadir}/${folder}/*.md)
    foreach(page IN LISTS pages)
      execute_process(COMMAND awk -v page=\${page} -f ${CMAKE_CURRENT_SOURCE_DIR}/installed_links.awk \${datadir}/\${page}
        OUTPUT_FILE \${datadir}/\${page}.new COMMAND_ERROR_IS_FATAL ANY)
      file(RENAME \${datadir}/\${page}.new \${datadir}/\${page})
    endforeach()" COMPONENT ${component})
endfunction()
lastbit_install_links(doc/lastbit lastbit)
lastbit_install_links(lastbit lastbit-data)

# Manual pages and completions, by the program just built. A sanitizer or coverage build makes none (they are never
# installed), nor does a cross build, which cannot run its program.
if(LASTBIT_SANITIZE OR LASTBIT_COVERAGE OR CMAKE_CROSSCOMPILING)
  return()
endif()
set(documents ${CMAKE_CURRENT_BINARY_DIR}/documents)
add_custom_command(OUTPUT ${documents}/made
  COMMAND ${CMAKE_COMMAND} -E rm -rf ${documents}
  COMMAND ${CMAKE_COMMAND} -E make_directory ${documents}/man1
  COMMAND lastbit manual --output ${documents}/man1
  COMMAND lastbit completion bash > ${documents}/lastbit
  COMMAND lastbit completion zsh > ${documents}/_lastbit
  COMMAND lastbit completion fish > ${documents}/lastbit.fish
  COMMAND ${CMAKE_COMMAND} -E touch ${documents}/made
  DEPENDS lastbit
  COMMENT "Making manual pages and completions" VERBATIM)
add_custom_target(lastbit_documents ALL DEPENDS ${documents}/made)
install(FILES port_kit/lastbit-agent.1 DESTINATION ${CMAKE_INSTALL_MANDIR}/man1 COMPONENT lastbit)
install(DIRECTORY ${documents}/man1 DESTINATION ${CMAKE_INSTALL_MANDIR} COMPONENT lastbit)
install(FILES ${documents}/lastbit DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions COMPONENT lastbit)
install(FILES ${documents}/_lastbit DESTINATION ${LASTBIT_ZSH_DIR} COMPONENT lastbit)
install(FILES ${documents}/lastbit.fish DESTINATION ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d COMPONENT lastbit)

# All that "cmake --install" needs: ci/conform builds it.
add_custom_target(lastbit_installable DEPENDS lastbit lastbit-host lastbit-agent lastbit_mistake mli mli_static lb_litert lastbit_documents)
