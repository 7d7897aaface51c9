# CPack: the packages lastbit, lastbit-data, libmli2 and libmli-dev for Debian. ci/package makes them; what goes into each
# is told where it is installed (COMPONENT).
set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME lastbit)
set(CPACK_PACKAGE_VENDOR lastbit)
set(CPACK_PACKAGE_CONTACT "lastbit maintainers <maintainers@lastbit.example>")
set(CPACK_PACKAGE_HOMEPAGE_URL "https://lastbit.example/")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_COMPONENTS_ALL lastbit lastbit-data libmli2 libmli-dev)
set(CPACK_COMPONENTS_GROUPING IGNORE)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_RELEASE 1)
set(CPACK_DEBIAN_PACKAGE_PRIORITY optional)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_CONTROL_STRICT_PERMISSION ON)
set(CPACK_DEBIAN_COMPRESSION_TYPE xz)
set(CPACK_STRIP_FILES ON)
# Compresses what Debian wants compressed, and gives every file the time of the commit.
set(CPACK_PRE_BUILD_SCRIPTS ${CMAKE_CURRENT_LIST_DIR}/packages_stage.cmake)
set(same "(= ${PROJECT_VERSION}-1)")

set(CPACK_COMPONENT_LASTBIT_DESCRIPTION "conformance of fixed-point neural-network kernels, to the last bit
lastbit runs test vectors on an implementation of the MLI 2.0 API and holds
every output to a recorded result, to an exact integer model and to a
real-number model; where something differs, it names the fault.")
set(CPACK_DEBIAN_LASTBIT_PACKAGE_NAME lastbit)
set(CPACK_DEBIAN_LASTBIT_PACKAGE_SECTION devel)
set(CPACK_DEBIAN_LASTBIT_PACKAGE_DEPENDS "lastbit-data ${same}")
set(CPACK_DEBIAN_LASTBIT_PACKAGE_SUGGESTS "cmake, gcc, libmli-dev")

set(CPACK_COMPONENT_LASTBIT-DATA_DESCRIPTION "suites, specification and port kit of lastbit
Test vectors of the MLI 2.0 kernels with recorded results, platform profiles,
schemas, the specification, and the sources of the port kit.")
set(CPACK_DEBIAN_LASTBIT-DATA_PACKAGE_NAME lastbit-data)
set(CPACK_DEBIAN_LASTBIT-DATA_PACKAGE_SECTION devel)
set(CPACK_DEBIAN_LASTBIT-DATA_PACKAGE_ARCHITECTURE all)
set(CPACK_DEBIAN_LASTBIT-DATA_PACKAGE_SHLIBDEPS OFF)

set(CPACK_COMPONENT_LIBMLI2_DESCRIPTION "MLI 2.0 fixed-point neural-network kernels: shared library
An implementation of the MLI 2.0 C API in portable C, with vector paths for
x86-64 and aarch64 that are chosen at run time.")
set(CPACK_DEBIAN_LIBMLI2_PACKAGE_NAME libmli2)
set(CPACK_DEBIAN_LIBMLI2_PACKAGE_SECTION libs)

set(CPACK_COMPONENT_LIBMLI-DEV_DESCRIPTION "MLI 2.0 fixed-point neural-network kernels: development files
Headers, the static library, a CMake package and a pkg-config file.")
set(CPACK_DEBIAN_LIBMLI-DEV_PACKAGE_NAME libmli-dev)
set(CPACK_DEBIAN_LIBMLI-DEV_PACKAGE_SECTION libdevel)
set(CPACK_DEBIAN_LIBMLI-DEV_PACKAGE_DEPENDS "libmli2 ${same}")
set(CPACK_DEBIAN_LIBMLI-DEV_PACKAGE_SHLIBDEPS OFF)
set(CPACK_LASTBIT_DATE "${LASTBIT_DATE}")
file(WRITE ${CMAKE_CURRENT_BINARY_DIR}/shlibs "libmli 2 libmli2 (>= ${PROJECT_VERSION})\n")
file(WRITE ${CMAKE_CURRENT_BINARY_DIR}/triggers "activate-noawait ldconfig\n")
set(CPACK_DEBIAN_LIBMLI2_PACKAGE_CONTROL_EXTRA ${CMAKE_CURRENT_BINARY_DIR}/shlibs ${CMAKE_CURRENT_BINARY_DIR}/triggers)
include(CPack)
