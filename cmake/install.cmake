# SPDX-FileCopyrightText: 2026 The Sinew authors
# SPDX-License-Identifier: Apache-2.0

# `cmake --install`: libraries, headers, the tool, and what pkg-config and find_package(sinew) read.
include(CMakePackageConfigHelpers)

set(package ${CMAKE_INSTALL_LIBDIR}/cmake/sinew)

set_target_properties(sinew_shared PROPERTIES EXPORT_NAME sinew)
set_target_properties(sinew_import_shared PROPERTIES EXPORT_NAME sinew_import)
install(TARGETS sinew_static sinew_shared sinew_import_static sinew_import_shared
    EXPORT sinewTargets)
if(TARGET sinew)
    install(TARGETS sinew)
    # the manual page is what the tool says, so it must be able to run
    find_program(SN_BASH bash)
    if(SN_BASH AND NOT CMAKE_CROSSCOMPILING)
        add_custom_command(OUTPUT ${PROJECT_BINARY_DIR}/sinew.1
            COMMAND ${SN_BASH} ${PROJECT_SOURCE_DIR}/scripts/man.sh $<TARGET_FILE:sinew>
                > ${PROJECT_BINARY_DIR}/sinew.1
            DEPENDS sinew ${PROJECT_SOURCE_DIR}/scripts/man.sh)
        add_custom_target(man ALL DEPENDS ${PROJECT_BINARY_DIR}/sinew.1)
        install(FILES ${PROJECT_BINARY_DIR}/sinew.1 DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)
    endif()
endif()
install(DIRECTORY ${PROJECT_SOURCE_DIR}/include/sinew TYPE INCLUDE FILES_MATCHING PATTERN "*.h")
install(FILES ${PROJECT_SOURCE_DIR}/LICENSE TYPE DOC)

# relative, so that the installed tree can be moved
file(RELATIVE_PATH prefix /${CMAKE_INSTALL_LIBDIR}/pkgconfig /)
list(TRANSFORM SN_IMPORT_LIBS PREPEND -l OUTPUT_VARIABLE private)
list(JOIN private " " private)
foreach(file sinew.pc sinew_import.pc)
    configure_file(
        ${CMAKE_CURRENT_LIST_DIR}/${file}.in ${PROJECT_BINARY_DIR}/cmake/${file} @ONLY)
    install(FILES ${PROJECT_BINARY_DIR}/cmake/${file}
        DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
endforeach()

install(EXPORT sinewTargets NAMESPACE sinew:: DESTINATION ${package})
configure_package_config_file(${CMAKE_CURRENT_LIST_DIR}/sinewConfig.cmake.in
    ${PROJECT_BINARY_DIR}/cmake/sinewConfig.cmake INSTALL_DESTINATION ${package})
write_basic_package_version_file(${PROJECT_BINARY_DIR}/cmake/sinewConfigVersion.cmake
    COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/cmake/sinewConfig.cmake
    ${PROJECT_BINARY_DIR}/cmake/sinewConfigVersion.cmake DESTINATION ${package})
