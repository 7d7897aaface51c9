# lastbit_script_test(NAME LABEL COMMAND ARGUMENT...): a test that runs in the root of the tree. One that ends with 77 was
# skipped and has said why, in a line "SKIPPED: reason (what brings it)". LABEL is "source" (says nothing of how lastbit was
# built: ci/test runs it in one build), "build" (looks at what was built), "runner" (what the program does with ports and
# documents: a second compiler adds nothing, sanitizers do); with ";long" behind it, one that only ci/test --all runs. The
# time limit is for what hangs: watched builds on a busy machine are slow. Scripts take longer than programs of unit tests,
# and start first.
function(lastbit_script_test name label)
  add_test(NAME ${name} COMMAND ${ARGN} WORKING_DIRECTORY ${CMAKE_SOURCE_DIR})
  set_tests_properties(${name} PROPERTIES SKIP_RETURN_CODE 77 LABELS "${label}" TIMEOUT 1800)
  lastbit_test_cost(${name} 10)
endfunction()
