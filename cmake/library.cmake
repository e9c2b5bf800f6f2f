# SPDX-FileCopyrightText: 2026 The Sinew authors
# SPDX-License-Identifier: Apache-2.0

# libsinew.a and libsinew.so from the same objects; they need the C library alone. Files named *_isa.c hold the vector kernels; on
# x86-64 they are compiled once per instruction set, which src/base/cpu chooses from at run time.

# Not on Windows, where gcc keeps 32-byte and 64-byte registers on a stack that is aligned to 16 bytes
# (GCC bug 54412): such kernels crash.
set(SN_X86_ISA OFF)
if(NOT WIN32 AND CMAKE_SYSTEM_PROCESSOR MATCHES "^(x86_64|AMD64|amd64)$" AND CMAKE_SIZEOF_VOID_P EQUAL 8)
    set(SN_X86_ISA ON)
endif()

# what the library's own files, tests and fuzzers see: the private headers
add_library(sinew_inside INTERFACE)
target_include_directories(sinew_inside INTERFACE
    ${PROJECT_SOURCE_DIR}/include ${PROJECT_SOURCE_DIR}/src)
if(NOT WIN32) # which has its own
    target_link_libraries(sinew_inside INTERFACE Threads::Threads)
endif()
if(SN_X86_ISA)
    target_compile_definitions(sinew_inside INTERFACE SN_HAVE_X86_ISA=1)
endif()

file(GLOB_RECURSE sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/src/*.c)
set(kernels ${sources})
list(FILTER sources EXCLUDE REGEX "_isa\\.c$|/src/import/")
list(FILTER kernels INCLUDE REGEX "_isa\\.c$")

add_library(sinew_objects OBJECT ${sources})
target_link_libraries(sinew_objects PRIVATE sinew_inside)
# gcc 12 folds (double)(float)x to x where it packs straight-line code: other bits than clang's
target_compile_options(sinew_objects PRIVATE $<$<C_COMPILER_ID:GNU>:-fno-tree-slp-vectorize>)
set(objects $<TARGET_OBJECTS:sinew_objects>)

# recursions over bones only lose by packing two numbers here and there
set_source_files_properties(
    ${PROJECT_SOURCE_DIR}/src/skel/kinematics_isa.c ${PROJECT_SOURCE_DIR}/src/skel/hybrid_isa.c
    PROPERTIES COMPILE_OPTIONS -fno-tree-slp-vectorize)

macro(sn_kernels isa)
    if(kernels)
        add_library(sinew_isa${isa} OBJECT ${kernels})
        target_link_libraries(sinew_isa${isa} PRIVATE sinew_inside)
        target_compile_definitions(sinew_isa${isa} PRIVATE SN_ISA=${isa})
        target_compile_options(sinew_isa${isa} PRIVATE -O3 -fopenmp-simd ${ARGN})
        list(APPEND objects $<TARGET_OBJECTS:sinew_isa${isa}>)
    endif()
endmacro()

# the numbers are snIsa's
if(SN_X86_ISA)
    sn_kernels(1 -march=x86-64)
    sn_kernels(2 -march=x86-64-v3)
    sn_kernels(3 -march=x86-64-v4 -mprefer-vector-width=512)
else()
    sn_kernels(1)
endif()

add_library(sinew_static STATIC ${objects})
add_library(sinew_shared SHARED ${objects})
foreach(library sinew_static sinew_shared)
    set_target_properties(${library} PROPERTIES OUTPUT_NAME sinew)
    target_include_directories(${library} INTERFACE
        $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include>
        $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
endforeach()
target_link_libraries(sinew_static PUBLIC m)
target_link_libraries(sinew_shared PRIVATE m)
if(WIN32)
    target_compile_definitions(sinew_objects PRIVATE SN_SHARED SN_BUILDING)
    target_compile_definitions(sinew_shared INTERFACE SN_SHARED)
    target_link_options(sinew_shared PRIVATE -static-libgcc)
else()
    target_link_libraries(sinew_static PUBLIC Threads::Threads)
    target_link_libraries(sinew_shared PRIVATE Threads::Threads)
endif()
set_target_properties(sinew_shared PROPERTIES
    VERSION ${PROJECT_VERSION} SOVERSION ${PROJECT_VERSION_MAJOR})
if(LINUX AND NOT SN_SANITIZE)
    target_link_options(sinew_shared PRIVATE -Wl,--no-undefined)
endif()

# sn_client_library(NAME SOURCES...): code on the public API, found as "scenes/x.h", "peers/x.h".
# Without sources it is an empty interface library.
function(sn_client_library name)
    if(ARGN)
        add_library(${name} STATIC ${ARGN})
        set(scope PUBLIC)
    else()
        add_library(${name} INTERFACE)
        set(scope INTERFACE)
    endif()
    target_include_directories(${name} ${scope}
        ${PROJECT_SOURCE_DIR}/include ${PROJECT_SOURCE_DIR} ${PROJECT_SOURCE_DIR}/bench)
endfunction()
