# Programs for a board without operating system: board.c starts them, the linker script places them.
set(board ${kit}/bare_metal)

# lastbit_board_program(NAME SOURCE...)
function(lastbit_board_program name)
  lastbit_platform_program(${name} ${board}/board.c ${ARGN})
  set_target_properties(${name} PROPERTIES SUFFIX .elf LINK_DEPENDS ${board}/mps2.ld)
  target_include_directories(${name} PRIVATE ${board})
  target_link_options(${name} PRIVATE -nostartfiles -T ${board}/mps2.ld -Wl,--gc-sections -Wl,-Map,${name}.map)
endfunction()

foreach(name lastbit-agent lastbit-agent-faulty)
  lastbit_board_program(${name} ${board}/agent.c ${kit}/lb_kit.c)
endforeach()
lastbit_seed_fault(lastbit-agent-faulty)

foreach(name ${pack_programs})
  lastbit_board_program(${name} ${pack_files})
  target_compile_definitions(${name} PRIVATE LB_PACK_SAY=lb_board_say)
endforeach()
