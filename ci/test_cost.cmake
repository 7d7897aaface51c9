# lastbit_test_cost(NAME OTHERWISE): lets ctest begin with what takes longest, so that all cores have work until the end.
# ctest learns times of its own only by running, and a fresh tree has none. Seconds on two cores, the greater of release
# and of the sanitizers' build; only their order matters.
set(lastbit_test_costs
  harness.diagnose 217
  harness.broken_ports 159
  harness.characterize_rows 140
  harness.truth 139
  vectors.own 133 # reports.schema and vectors.bounds wait for it
  harness.ports 127
  harness.hostile 110
  harness.characterize_odd 82
  harness.explain 60
  ci.guides 59
  harness.cmsis_nn 60
  harness.reproduce 58
  harness.port_new 53
  vectors.schema 52
  harness.guard_witness 48
  reports.schema 45
  harness.cli 44
  vectors.coverage 41
  harness.explain_faults 34
  harness.bank 32
  reference.float4 31
  harness.sweep 28
  harness.networks 24
  harness.tolerance_property 24
  harness.claims 23
  harness.fault_views 21
  harness.demo 21
  harness.pack 19
  harness.combinations 12
  impl.float4 18
  ci.pipelines 17
  ci.tree 16
  ci.format 14
  reports.render_html 13
  ci.install 13
  cross.aarch64 110
  ci.bare 110
  ci.browser 100
  cross.s390x 90
  cross.cortex-m4 80
  harness.torture_memory 80
  cross.arm 77
  cross.riscv64 54
  ci.slurm 48)

function(lastbit_test_cost name otherwise)
  list(FIND lastbit_test_costs ${name} at)
  set(cost ${otherwise})
  if(NOT at EQUAL -1)
    math(EXPR at "${at} + 1")
    list(GET lastbit_test_costs ${at} cost)
  endif()
  set_tests_properties(${name} PROPERTIES COST ${cost})
endfunction()
