# lastbit_script_test(NAME LABEL COMMAND ARGUMENT...): a test that runs in the root of the tree. One that ends with 77 was
# skipped and has said why. LABEL is "source" (looks at the sources alone: the same in every build, so ci/test runs it in
# one) or "build" (looks at what was built). The time limit is for what hangs: watched builds on a busy machine are slow.
function(lastbit_script_test name label)
  add_test(NAME ${name} COMMAND ${ARGN} WORKING_DIRECTORY ${CMAKE_SOURCE_DIR})
  set_tests_properties(${name} PROPERTIES SKIP_RETURN_CODE 77 LABELS ${label} TIMEOUT 1800)
endfunction()
