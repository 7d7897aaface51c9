# tests.cmake: tests that are more than a C17 program with CMocka: private headers, other languages, the library as a file
# and as installed.

# Programs that look inside need the private headers.
foreach(name IN ITEMS conv_loops element_loops fixed loops quant rnn_loops rows tap_loops tiles vector_loops)
  target_include_directories(impl_test_${name} PRIVATE ${CMAKE_CURRENT_SOURCE_DIR}/src)
endforeach()

# The loops of every level but the last, which impl.loops itself takes; one that the processor lacks is tested as its
# best.
list(POP_BACK mli_levels)
foreach(level IN LISTS mli_levels)
  add_test(NAME impl.loops_${level} COMMAND impl_test_loops)
  set_tests_properties(impl.loops_${level} PROPERTIES ENVIRONMENT MLI_CPU=${level} TIMEOUT 300)
endforeach()

# Entries of look-up tables by their formulas.
target_link_libraries(impl_test_lut PRIVATE m)
target_link_libraries(impl_test_float4 PRIVATE m)

# Makes the library's allocations fail.
foreach(name IN ITEMS conv2d gru lstm)
  target_link_options(impl_test_${name} PRIVATE -Wl,--wrap=aligned_alloc)
endforeach()

add_executable(impl_headers_c99 tests/headers_c99.c)
set_target_properties(impl_headers_c99 PROPERTIES C_STANDARD 99)
target_link_libraries(impl_headers_c99 PRIVATE mli_static lastbit_flags)
add_test(NAME impl.headers_c99 COMMAND impl_headers_c99)

add_executable(impl_headers_cxx tests/test_headers_cxx.cpp)
target_link_libraries(impl_headers_cxx PRIVATE mli_static lastbit_flags)
# Programs for MLI start their structures with { 0 }. As options of the source these come last.
set_source_files_properties(tests/test_headers_cxx.cpp PROPERTIES
  COMPILE_OPTIONS "-Wno-missing-field-initializers;-Wno-missing-braces")
add_test(NAME impl.headers_cxx COMMAND impl_headers_cxx)

add_test(NAME impl.extensions COMMAND ${CMAKE_COMMAND} -DSOURCE_DIR=${CMAKE_CURRENT_SOURCE_DIR}
  -DWORK_DIR=${CMAKE_CURRENT_BINARY_DIR}/extensions -P ${CMAKE_CURRENT_SOURCE_DIR}/tests/extensions.cmake)
set_tests_properties(impl.extensions PROPERTIES LABELS source)
set_tests_properties(impl.float4 PROPERTIES LABELS long) # all numbers of 32 bits

set(instrumentation "")
if(LASTBIT_SANITIZE)
  string(APPEND instrumentation " -fsanitize=address,undefined")
endif()
if(LASTBIT_COVERAGE)
  string(APPEND instrumentation " --coverage")
endif()

add_test(NAME impl.install COMMAND ${CMAKE_COMMAND} -DBUILD_DIR=${CMAKE_BINARY_DIR}
  -DWORK_DIR=${CMAKE_CURRENT_BINARY_DIR}/install_test -DSOURCE_DIR=${CMAKE_CURRENT_SOURCE_DIR}/tests/install
  -DLIBDIR=${CMAKE_INSTALL_LIBDIR} -DCONFIG=$<CONFIG> -DCC=${CMAKE_C_COMPILER} -DPKG_CONFIG=${PKG_CONFIG_EXECUTABLE}
  -DVERSION=${MLI_VERSION} -DGENERATOR=${CMAKE_GENERATOR} "-DFLAGS=${instrumentation}"
  -P ${CMAKE_CURRENT_SOURCE_DIR}/tests/install.cmake)
set_tests_properties(impl.install PROPERTIES TIMEOUT 300)

# Instrumented libraries export the instrumentation's own names.
if(CMAKE_NM AND NOT instrumentation)
  add_test(NAME impl.exports COMMAND ${CMAKE_COMMAND} -DNM=${CMAKE_NM} -DLIBRARY=$<TARGET_FILE:mli>
    -P ${CMAKE_CURRENT_SOURCE_DIR}/tests/exports.cmake)
endif()
