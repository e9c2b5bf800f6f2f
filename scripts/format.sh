#!/usr/bin/env bash
# SPDX-FileCopyrightText: 2026 The Sinew authors
# SPDX-License-Identifier: Apache-2.0

# format.sh [--write]: checks that clang-format 14 would change nothing; --write lets it. Other versions
# disagree with it in places, so only this one counts. Exit code 77: it is missing.
set -u
cd "$(dirname "$0")/.." || exit 1

if ! command -v clang-format-14 >/dev/null 2>&1; then
    echo 'format: SKIP: clang-format-14 is missing (make deps-all)'
    exit 77
fi
mapfile -t files < <(find include src scenes bench apps tests fuzz -path tests/data -prune -o \
    -type f \( -name '*.c' -o -name '*.h' -o -name '*.inl' -o -name '*.cu' -o -name '*.cuh' \
    -o -name '*.cpp' \) -print | sort)
if [ "${1:-}" = --write ]; then
    clang-format-14 -i "${files[@]}"
else
    places=$(clang-format-14 --dry-run -Werror "${files[@]}" 2>&1 |
        sed -n 's/:[0-9]*: error: code should be clang-formatted.*//p' | uniq)
    if [ -n "$places" ]; then
        printf 'format: not formatted (make format does it):\n%s\n' "$places" >&2
        exit 1
    fi
    echo "format: ${#files[@]} files are formatted"
fi
