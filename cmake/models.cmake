# The library models (lib/*.c): compiled to bitcode for both data models and embedded in the library `front` as
# read-only data. The symbols are heddle_models_ilp32, heddle_models_ilp32_end and the same for lp64.

file(GLOB model_sources CONFIGURE_DEPENDS "${CMAKE_SOURCE_DIR}/lib/*.c")
# The flags that the front end gives clang for user programs, too: nothing may add, drop or reorder an access.
set(model_flags -O1 -Xclang -disable-llvm-passes -fno-discard-value-names -gline-tables-only -fgnu89-inline -w
    "-ffile-prefix-map=${CMAKE_SOURCE_DIR}/lib=lib" -fdebug-compilation-dir=.)

# The kernel's headers (<asm/...>) are installed for the host's architecture only, and serve both.
function(heddle_models name)
  set(folder "${CMAKE_BINARY_DIR}/models/${name}")
  file(MAKE_DIRECTORY "${folder}")
  set(modules "")
  foreach(source IN LISTS model_sources)
    cmake_path(GET source STEM stem)
    set(module "${folder}/${stem}.bc")
    add_custom_command(
      OUTPUT "${module}"
      COMMAND "${HEDDLE_CLANG}" ${ARGN} ${model_flags} -MD -MF "${module}.d" -MT "${module}" -emit-llvm -c
              "${source}" -o "${module}"
      DEPENDS "${source}"
      DEPFILE "${module}.d"
      COMMENT "Compiling lib/${stem}.c for ${name}"
      VERBATIM)
    list(APPEND modules "${module}")
  endforeach()
  set(linked "${CMAKE_BINARY_DIR}/models-${name}.bc")
  add_custom_command(
    OUTPUT "${linked}"
    COMMAND "${HEDDLE_LLVM_LINK}" ${modules} -o "${linked}"
    DEPENDS ${modules}
    COMMENT "Linking models-${name}.bc"
    VERBATIM)
endfunction()

if(TARGET front AND model_sources)
  heddle_models(ilp32 -m32 -idirafter /usr/include/${CMAKE_LIBRARY_ARCHITECTURE})
  heddle_models(lp64 -m64)
  configure_file(cmake/models.S.in "${CMAKE_BINARY_DIR}/models.S" @ONLY)
  set_source_files_properties("${CMAKE_BINARY_DIR}/models.S" PROPERTIES OBJECT_DEPENDS
    "${CMAKE_BINARY_DIR}/models-ilp32.bc;${CMAKE_BINARY_DIR}/models-lp64.bc")
  target_sources(front PRIVATE "${CMAKE_BINARY_DIR}/models.S" "${CMAKE_BINARY_DIR}/models-ilp32.bc"
                 "${CMAKE_BINARY_DIR}/models-lp64.bc")
endif()
