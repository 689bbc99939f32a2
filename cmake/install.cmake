# What `cmake --install` puts where. The executable needs nothing of it at run time: the library models are inside it.

include(GNUInstallDirs)
set(documents "${CMAKE_INSTALL_DATADIR}/doc/heddle")

if(TARGET heddle)
  install(TARGETS heddle RUNTIME DESTINATION "${CMAKE_INSTALL_BINDIR}")
  set(completion "${CMAKE_BINARY_DIR}/completions/heddle")
  file(MAKE_DIRECTORY "${CMAKE_BINARY_DIR}/completions")
  add_custom_command(
    OUTPUT "${completion}"
    COMMAND heddle --completion bash > "${completion}"
    DEPENDS heddle
    COMMENT "Writing the completion for bash"
    VERBATIM)
  add_custom_target(completion ALL DEPENDS "${completion}")
  install(FILES "${completion}" DESTINATION "${CMAKE_INSTALL_DATADIR}/bash-completion/completions")
endif()
# Debian's policy wants the page compressed, and without a time of its own. Other systems read it either way.
find_program(HEDDLE_GZIP gzip)
if(HEDDLE_GZIP)
  set(manual "${CMAKE_BINARY_DIR}/heddle.1.gz")
  add_custom_command(
    OUTPUT "${manual}"
    COMMAND "${HEDDLE_GZIP}" -9nc "${CMAKE_SOURCE_DIR}/docs/heddle.1" > "${manual}"
    DEPENDS "${CMAKE_SOURCE_DIR}/docs/heddle.1"
    COMMENT "Compressing the manual page"
    VERBATIM)
  add_custom_target(manual ALL DEPENDS "${manual}")
else()
  set(manual docs/heddle.1)
endif()
install(FILES "${manual}" DESTINATION "${CMAKE_INSTALL_MANDIR}/man1")
install(FILES LICENSE README.md CHANGELOG.md CONTRIBUTING.md DESTINATION "${documents}")
install(FILES LICENSE DESTINATION "${documents}" RENAME copyright) # where Debian looks for it
install(DIRECTORY docs DESTINATION "${documents}" PATTERN heddle.1 EXCLUDE)
install(DIRECTORY lib DESTINATION "${documents}") # to be read; what is used is inside the executable
install(DIRECTORY examples DESTINATION "${documents}")
install(DIRECTORY contrib/benchexec DESTINATION "${documents}/contrib" PATTERN __pycache__ EXCLUDE)
