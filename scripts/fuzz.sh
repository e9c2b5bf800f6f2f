#!/usr/bin/env bash
# SPDX-FileCopyrightText: 2026 The Sinew authors
# SPDX-License-Identifier: Apache-2.0

# fuzz.sh [SECONDS]: replays every corpus, then fuzzes for SECONDS (default 180) in all, shared among
# the fuzzers and done on all cores at once; at most 20 s each unless there are more seconds than that.
# New inputs and crashes stay under build/fuzz.
# Exit code 77: no clang.
set -u
cd "$(dirname "$0")/.." || exit 1

total=${1:-180}
if ! command -v clang >/dev/null 2>&1; then
    echo 'fuzz: SKIP: clang is missing (make deps-all)'
    exit 77
fi
[ -f build/fuzz/build.ninja ] || cmake --preset fuzz >/dev/null || exit 1
cmake --build --preset fuzz || exit 1

mapfile -t names < <(find fuzz -maxdepth 1 -name '*.c' -exec basename {} .c \; | sort)
if [ ${#names[@]} = 0 ]; then
    echo 'fuzz: there are no fuzzers' >&2
    exit 1
fi
seconds=$((total / ${#names[@]}))
if [ "$total" -le 180 ] && [ $seconds -gt 20 ]; then
    seconds=20
fi

fuzz() { # NAME SECONDS
    local name=$1 seconds=$2 mode dictionary=()
    local corpus=fuzz/corpus/$name new=build/fuzz/corpus/$name log=build/fuzz/$name.log
    local crashes=build/fuzz/crashes/$name-
    mkdir -p "$corpus" "$new" build/fuzz/crashes
    [ -f "fuzz/$name.dict" ] && dictionary=("-dict=fuzz/$name.dict")
    for mode in -runs=0 "-max_total_time=$seconds"; do
        if ! "build/fuzz/fuzz_$name" "$mode" -timeout=10 -rss_limit_mb=2048 -verbosity=0 \
            -print_final_stats=1 "-artifact_prefix=$crashes" "${dictionary[@]}" "$new" "$corpus" \
            >"$log" 2>&1; then
            tail -n 60 "$log" >&2
            echo "fuzz: $name failed; the input is $crashes*" >&2
            return 1
        fi
    done
    echo "fuzz: $name: $(find "$corpus" -type f | wc -l) files replayed," \
        "$(sed -n 's/^stat::number_of_executed_units: *//p' "$log") runs in $seconds s"
}
export -f fuzz

printf '%s\n' "${names[@]}" | xargs -P "$(nproc)" -I{} bash -c "fuzz {} $seconds" || exit 1
