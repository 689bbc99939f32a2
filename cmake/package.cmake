# `cpack` (or ./dev package) makes a Debian package of what `cmake --install` installs.
#
# The shared libraries that it depends on are found by dpkg-shlibdeps. clang-19 is called for every check, and needs the
# headers of the C library; the engine circuit asks ABC, and ILP32 programs need headers of their own: without those two,
# only these cases cannot be checked. Library models are inside the executable; their sources are installed to be read.

set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME heddle)
set(CPACK_PACKAGE_VERSION "${PROJECT_VERSION}")
set(CPACK_PACKAGE_VENDOR "The Heddle authors")
set(CPACK_PACKAGE_CONTACT "The Heddle authors <heddle@localhost>")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "verifier for multi-threaded C programs")
set(CPACK_PACKAGE_DIRECTORY "${CMAKE_BINARY_DIR}/package")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_DEB_COMPONENT_INSTALL OFF)
set(CPACK_INSTALL_DEFAULT_DIRECTORY_PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE
    WORLD_READ WORLD_EXECUTE)

set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_RELEASE 1)
set(CPACK_DEBIAN_PACKAGE_SECTION devel)
set(CPACK_DEBIAN_PACKAGE_PRIORITY optional)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_DEPENDS "clang-19, libc6-dev")
set(CPACK_DEBIAN_PACKAGE_RECOMMENDS "berkeley-abc, libc6-dev-i386")
set(CPACK_DEBIAN_PACKAGE_DESCRIPTION "Heddle checks C programs with POSIX threads. It answers SAFE with what the
proof rests on, UNSAFE with an execution that was really executed, or UNKNOWN
with a reason. It looks for failing assertions, data races, deadlocks, invalid
uses of memory, and violations of LTL formulas.")
include(CPack)
