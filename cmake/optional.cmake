# SPDX-FileCopyrightText: 2026 The Sinew authors
# SPDX-License-Identifier: Apache-2.0

# sn_optional(NAME HEADER LIBRARY PURPOSE): looks for a library that Sinew can do without. Found, it
# is the target sn::NAME. Each call adds a row to the table that sn_summary() prints. HEADER "" is for
# libraries whose functions Sinew declares itself.
set_property(GLOBAL PROPERTY sn_optional_rows "")

function(sn_optional name header library purpose)
    if(header)
        find_path(SN_${name}_INCLUDE ${header})
    endif()
    find_library(SN_${name}_LIBRARY ${library})
    mark_as_advanced(SN_${name}_INCLUDE SN_${name}_LIBRARY)
    set(state "missing")
    if(SN_${name}_LIBRARY AND (SN_${name}_INCLUDE OR NOT header))
        add_library(sn::${name} UNKNOWN IMPORTED GLOBAL)
        set_target_properties(sn::${name} PROPERTIES IMPORTED_LOCATION "${SN_${name}_LIBRARY}")
        if(header)
            set_target_properties(sn::${name} PROPERTIES
                INTERFACE_INCLUDE_DIRECTORIES "${SN_${name}_INCLUDE}")
        endif()
        set(state "found")
    endif()
    string(SUBSTRING "${name}                " 0 16 shown)
    string(SUBSTRING "${state}          " 0 10 state)
    set_property(GLOBAL APPEND PROPERTY sn_optional_rows "  ${shown}${state}${purpose}")
endfunction()

function(sn_summary)
    get_property(rows GLOBAL PROPERTY sn_optional_rows)
    list(JOIN rows "\n" rows)
    set(build "${CMAKE_BUILD_TYPE}")
    if(SN_SANITIZE)
        string(APPEND build ", sanitizers ${SN_SANITIZE}")
    endif()
    set(kernels "baseline")
    if(SN_X86_ISA)
        set(kernels "baseline avx2 avx512")
    endif()
    message(STATUS "Sinew ${PROJECT_VERSION}: ${build}, ${CMAKE_C_COMPILER_ID} "
        "${CMAKE_C_COMPILER_VERSION}, kernels: ${kernels}\n${rows}")
endfunction()
