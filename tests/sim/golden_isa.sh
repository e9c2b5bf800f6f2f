#!/usr/bin/env bash
# SPDX-FileCopyrightText: 2026 The Sinew authors
# SPDX-License-Identifier: Apache-2.0
# label: full

# The golden hashes with each instruction set forced in turn.
set -u

programs=$(dirname "$SINEW")/tests/bin
failures=0
for golden in sim_golden sim_golden_contact sim_golden_follow sim_golden_two_way bake_golden; do
    for isa in baseline avx2 avx512; do
        code=0
        SINEW_ISA=$isa "$programs/$golden" >golden.log 2>&1 || code=$?
        case $code in
        0) echo "$golden, $isa: the golden bits" ;;
        77) grep SKIP golden.log ;;
        *)
            echo "$golden, $isa: other bits" >&2
            cat golden.log >&2
            failures=$((failures + 1))
            ;;
        esac
    done
done
[ $failures = 0 ]
