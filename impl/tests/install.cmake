# install.cmake: installs into a new folder, moves that, and builds and runs programs on it: with pkg-config, and with
# find_package for either library. Variables: BUILD_DIR, WORK_DIR, SOURCE_DIR, LIBDIR, CONFIG, CC, PKG_CONFIG, VERSION,
# GENERATOR, FLAGS (what the library was instrumented with).
function(run)
  cmake_parse_arguments(RUN "" "OUTPUT" "COMMAND" ${ARGN})
  execute_process(COMMAND ${RUN_COMMAND} RESULT_VARIABLE result OUTPUT_VARIABLE output ERROR_VARIABLE error
    OUTPUT_STRIP_TRAILING_WHITESPACE)
  if(NOT result EQUAL 0)
    message(FATAL_ERROR "${RUN_COMMAND}\n${output}\n${error}")
  endif()
  if(RUN_OUTPUT)
    set(${RUN_OUTPUT} "${output}" PARENT_SCOPE)
  endif()
endfunction()

function(expect_output program)
  run(COMMAND ${CMAKE_COMMAND} -E env --unset=MLI_PROFILE LD_LIBRARY_PATH=${prefix}/${LIBDIR} ${program} OUTPUT output)
  if(NOT output STREQUAL "${VERSION} up-full 16 -16")
    message(FATAL_ERROR "${program} printed: ${output}")
  endif()
endfunction()

file(REMOVE_RECURSE ${WORK_DIR})
file(MAKE_DIRECTORY ${WORK_DIR})
foreach(component libmli2 libmli-dev)
  run(COMMAND ${CMAKE_COMMAND} --install ${BUILD_DIR} --component ${component} --config ${CONFIG} --prefix ${WORK_DIR}/first)
endforeach()
# What is installed must not know where it was installed to.
set(prefix ${WORK_DIR}/second)
file(RENAME ${WORK_DIR}/first ${prefix})

set(ENV{PKG_CONFIG_PATH} ${prefix}/${LIBDIR}/pkgconfig)
run(COMMAND ${PKG_CONFIG} --exact-version=${VERSION} mli)
run(COMMAND ${PKG_CONFIG} --cflags --libs mli OUTPUT flags)
separate_arguments(flags UNIX_COMMAND "${flags}")
separate_arguments(extra UNIX_COMMAND "${FLAGS}")
run(COMMAND ${CC} -std=c99 ${extra} ${SOURCE_DIR}/main.c ${flags} -o ${WORK_DIR}/with_pkg_config)
expect_output(${WORK_DIR}/with_pkg_config)

run(COMMAND ${CMAKE_COMMAND} -S ${SOURCE_DIR} -B ${WORK_DIR}/build -G ${GENERATOR} -DCMAKE_C_COMPILER=${CC}
  -DCMAKE_C_FLAGS=${FLAGS} -DCMAKE_BUILD_TYPE=${CONFIG} -DCMAKE_PREFIX_PATH=${prefix} -DMLI_VERSION=${VERSION})
run(COMMAND ${CMAKE_COMMAND} --build ${WORK_DIR}/build --config ${CONFIG})
expect_output(${WORK_DIR}/build/with_shared)
expect_output(${WORK_DIR}/build/with_static)
