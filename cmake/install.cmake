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
install(FILES docs/heddle.1 DESTINATION "${CMAKE_INSTALL_MANDIR}/man1")
install(FILES LICENSE README.md DESTINATION "${documents}")
install(DIRECTORY docs DESTINATION "${documents}" PATTERN heddle.1 EXCLUDE)
install(DIRECTORY examples DESTINATION "${documents}")
install(DIRECTORY contrib/benchexec DESTINATION "${documents}/contrib" PATTERN __pycache__ EXCLUDE)
