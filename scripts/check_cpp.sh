#!/usr/bin/env bash
# SPDX-FileCopyrightText: 2026 The Sinew authors
# SPDX-License-Identifier: Apache-2.0

# The headers of the layers that a GPU's code reads are C++17 too: each compiles alone, their functions
# have C's linkage, and those marked as the GPU's compile for it and call nothing that is not. Rigs are
# not among them, nor what makes characters. Exit code 77: no g++. Without clang++ or nvcc, whose part
# of it is skipped, as it says.
set -u
cd "$(dirname "$0")/.." || exit 1

if ! command -v g++ >/dev/null 2>&1; then
    echo 'check_cpp: SKIP: g++ is missing (make deps-all)'
    exit 77
fi

folders='base math linsolve geom skel elastic flesh contact control world'
flags=(-std=c++17 -Isrc -Iinclude)
warnings=(-Wall -Wextra -Werror)
failed=0
scratch=$(mktemp -d) || exit 1
trap 'rm -rf "$scratch"' EXIT

fail() {
    echo "check_cpp: $*" >&2
    failed=1
}

mapfile -t headers < <(cd src && for folder in $folders; do find "$folder" -name '*.h'; done | sort)
[ "${#headers[@]}" != 0 ] || fail 'found no headers'
printf '#include "%s"\n' "${headers[@]}" >"$scratch/all.h"

alone() { # COMPILER
    command -v "$1" >/dev/null 2>&1 || {
        echo "check_cpp: SKIPPED: $1 is missing" >&2
        return
    }
    local header
    for header in "${headers[@]}"; do
        "$1" "${flags[@]}" "${warnings[@]}" -fsyntax-only -xc++ - <<<"#include \"$header\"" ||
            fail "src/$header does not compile alone with $1 as C++17"
    done
}

# What begins a line of all headers together, as CUDA sees them: a function, declared or defined.
functions() { # GREP-ARGUMENTS, of lines
    g++ "${flags[@]}" -D__CUDACC__ -E -P -xc++ "$scratch/all.h" | grep -E '^[a-z].*\bsn[A-Z]\w*\(' |
        grep -v '^typedef' | grep "$@" | sed -E 's/^[^(]*(\(\([^(]*\)\)[^(]*)*\b(sn[A-Z]\w*)\(.*/\2/' | sort -u
}

linkage() {
    functions -v '^static' >"$scratch/names"
    {
        cat "$scratch/all.h"
        echo 'extern const void* const functions[];'
        echo 'const void* const functions[] = {'
        sed 's/.*/(const void*)&,/' "$scratch/names"
        echo '};'
    } >"$scratch/linkage.cpp"
    g++ "${flags[@]}" "${warnings[@]}" -c -o "$scratch/linkage.o" "$scratch/linkage.cpp" ||
        fail 'the headers do not compile together as C++17'
    local mangled
    mangled=$(nm -u -C "$scratch/linkage.o" | grep -F '(')
    [ -z "$mangled" ] || fail "not between SN_BEGIN_C and SN_END_C:"$'\n'"$mangled"
}

device() {
    functions __device__ >"$scratch/device"
    if ! command -v nvcc >/dev/null 2>&1; then
        echo 'check_cpp: SKIPPED: nvcc is missing: nothing was compiled for GPUs' >&2
        return
    fi
    {
        cat "$scratch/all.h"
        echo '__global__ void functions(const void** out)'
        echo '{'
        sed 's/.*/*out++ = (const void*)&;/' "$scratch/device"
        echo '}'
    } >"$scratch/device.cu"
    nvcc "${flags[@]}" -Werror all-warnings,cross-execution-space-call -ptx -o "$scratch/device.ptx" \
        "$scratch/device.cu" || fail 'the headers do not compile with nvcc'
}

alone g++
alone clang++
linkage
device
echo "check_cpp: ${#headers[@]} headers, $(wc -l <"$scratch/names") functions of C," \
    "$(wc -l <"$scratch/device") for GPUs too"
exit $failed
