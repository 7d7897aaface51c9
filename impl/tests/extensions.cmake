# Extensions of compilers stand in src/simd, src/x86 and src/arm alone; compiler.h has what is asked of any compiler.
# First the search is shown to find what it must.
file(GLOB sources ${SOURCE_DIR}/src/*.[ch] ${SOURCE_DIR}/src/portable/*.[ch] ${SOURCE_DIR}/litert/*.[ch]
  ${SOURCE_DIR}/litert/include/*.h)
list(REMOVE_ITEM sources ${SOURCE_DIR}/src/compiler.h)
list(LENGTH sources count)
if(count LESS 50)
  message(FATAL_ERROR "${count} sources in ${SOURCE_DIR}/src")
endif()

set(extension "__attribute__|__asm|__builtin|__extension__|__typeof|__has_|_Pragma|#[ \t]*pragma|_mm(256|512)?_|__m(128|256|512)")
function(find_extensions file result)
  file(STRINGS ${file} lines REGEX "${extension}")
  set(${result} "${lines}" PARENT_SCOPE)
endfunction()

foreach(seed IN ITEMS "__attribute__((noinline))" "x = __builtin_clz(y)" "#pragma GCC unroll 4" "__asm__(\"\")" "__m256i v")
  file(WRITE ${WORK_DIR}/seed.c "int a\n${seed}\n")
  find_extensions(${WORK_DIR}/seed.c found)
  if(found STREQUAL "")
    message(FATAL_ERROR "not found: ${seed}")
  endif()
endforeach()

foreach(source IN LISTS sources)
  find_extensions(${source} found)
  foreach(line IN LISTS found)
    message(SEND_ERROR "${source}: ${line}: an extension belongs to src/simd, src/x86 or src/arm")
  endforeach()
endforeach()
