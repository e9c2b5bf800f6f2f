#!/usr/bin/env bash
# SPDX-FileCopyrightText: 2026 The Sinew authors
# SPDX-License-Identifier: Apache-2.0

# check_vector.sh BUILD...: each kernel file (*_isa.c) of each build was vectorised to the full width
# of its instruction set (unless it says that it is not), and holds nothing that would change its bits: no fused multiply-add, no
# approximate reciprocal. Exit code 77: no objdump, or not x86-64.
set -u
cd "$(dirname "$0")/.." || exit 1

if ! command -v objdump >/dev/null 2>&1 || [ "$(uname -m)" != x86_64 ]; then
    echo 'check_vector: SKIP: needs objdump and x86-64'
    exit 77
fi

mapfile -t kernels < <(find src -name '*_isa.c' | sort)
registers=('' xmm ymm zmm)
failed=0
objects=0
for build in "$@"; do
    for kernel in "${kernels[@]}"; do
        for isa in 1 2 3; do
            object=$build/CMakeFiles/sinew_isa$isa.dir/$kernel.o
            if [ ! -f "$object" ]; then
                echo "check_vector: $object is missing; build $build first" >&2
                failed=1
                continue
            fi
            objects=$((objects + 1))
            code=$(objdump -d --no-show-raw-insn "$object")
            excused='^// Not vectorised'
            [ $isa -lt 3 ] && excused+='|^// By gcc vectorised for AVX-512 alone'
            if ! grep -qE "$excused" "$kernel" &&
                ! grep -qE "\bv?mulp[sd] .*%${registers[isa]}" <<<"$code"; then
                echo "check_vector: $object: no packed multiply on ${registers[isa]} registers" >&2
                failed=1
            fi
            if grep -qE '\b(vfn?m(add|sub)|v?rcp(14)?[ps]s|v?rsqrt(14)?[ps]s)' <<<"$code"; then
                echo "check_vector: $object: fused or approximate instructions" >&2
                failed=1
            fi
        done
    done
done
echo "check_vector: ${#kernels[@]} kernel files, $objects objects looked at"
exit $failed
