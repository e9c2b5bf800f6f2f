# SPDX-FileCopyrightText: 2026 The Sinew authors
# SPDX-License-Identifier: Apache-2.0

# Flags of every C file of the project, and of the C++ of benchmarks.

# Same bits everywhere: no contraction into FMA. sqrt without errno is one instruction and vectorises.
add_compile_options(-ffp-contract=off -fno-math-errno)

# __FILE__ in asserts and messages is relative to the project, not to one machine
add_compile_options(-fmacro-prefix-map=${PROJECT_SOURCE_DIR}/=)

add_compile_options(
    -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wsign-conversion -Wdouble-promotion
    $<$<COMPILE_LANGUAGE:C>:-Wstrict-prototypes> $<$<COMPILE_LANGUAGE:C>:-Wmissing-prototypes>
    -Wcast-qual -Wpointer-arith -Wwrite-strings -Wvla -Wundef)
if(WIN32) # its isfinite and others choose by size between casts that are never taken
    add_compile_options(-Wno-float-conversion -Wno-double-promotion)
endif()
if(SN_WERROR)
    add_compile_options(-Werror)
endif()

if(SN_SANITIZE)
    add_compile_options(-fsanitize=${SN_SANITIZE} -fno-sanitize-recover=all -fno-omit-frame-pointer)
    add_link_options(-fsanitize=${SN_SANITIZE})
endif()
if(SN_FUZZ)
    add_compile_options(-fsanitize=fuzzer-no-link)
endif()
