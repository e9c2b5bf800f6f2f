# SPDX-FileCopyrightText: 2026 The Sinew authors
# SPDX-License-Identifier: Apache-2.0

# libsinew_import.a and libsinew_import.so: src/import, with what was found of the libraries that it
# stands on. The shared one holds its own copies of what it uses of libsinew's inside.

file(GLOB sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/src/import/*.c)
set(definitions "")
set(headers "")
set(SN_IMPORT_LIBS "") # by name, so that what is installed holds no path of this machine

# sn_import(NAME FILES TARGETS...): takes the files where all targets were found
macro(sn_import name files)
    set(found ON)
    foreach(target ${ARGN})
        if(NOT TARGET sn::${target})
            set(found OFF)
        endif()
    endforeach()
    if(found)
        list(APPEND definitions SN_HAVE_${name}=1)
        foreach(target ${ARGN})
            list(APPEND headers ${SN_${target}_INCLUDE})
            list(APPEND SN_IMPORT_LIBS ${target})
        endforeach()
    else()
        list(FILTER sources EXCLUDE REGEX "/${files}")
    endif()
endmacro()
sn_import(ASSIMP assimp_ assimp zlib)
sn_import(ZLIB none zlib)
sn_import(QHULL qhull qhull)
sn_import(LAPACK lapack lapack)
list(TRANSFORM SN_IMPORT_LIBS REPLACE "^qhull$" qhull_r)
list(TRANSFORM SN_IMPORT_LIBS REPLACE "^zlib$" z)
list(REMOVE_DUPLICATES SN_IMPORT_LIBS)

add_library(sinew_import_objects OBJECT ${sources})
target_link_libraries(sinew_import_objects PRIVATE sinew_inside)
target_compile_definitions(sinew_import_objects PRIVATE ${definitions})
target_include_directories(sinew_import_objects SYSTEM PRIVATE ${headers})

add_library(sinew_import_static STATIC $<TARGET_OBJECTS:sinew_import_objects>)
add_library(sinew_import_shared SHARED $<TARGET_OBJECTS:sinew_import_objects>)
foreach(library sinew_import_static sinew_import_shared)
    set_target_properties(${library} PROPERTIES OUTPUT_NAME sinew_import)
    target_include_directories(${library} INTERFACE
        $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include>
        $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
endforeach()
target_link_libraries(sinew_import_static PUBLIC sinew_static ${SN_IMPORT_LIBS})
target_link_libraries(sinew_import_shared PRIVATE $<BUILD_INTERFACE:sinew_static> ${SN_IMPORT_LIBS})
# its users call libsinew too
target_link_libraries(sinew_import_shared INTERFACE sinew_shared)
set_target_properties(sinew_import_shared PROPERTIES
    VERSION ${PROJECT_VERSION} SOVERSION ${PROJECT_VERSION_MAJOR})
if(LINUX)
    target_link_options(sinew_import_shared PRIVATE -Wl,--exclude-libs,ALL)
    if(NOT SN_SANITIZE)
        target_link_options(sinew_import_shared PRIVATE -Wl,--no-undefined)
    endif()
endif()
