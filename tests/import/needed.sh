#!/usr/bin/env bash
# SPDX-FileCopyrightText: 2026 The Sinew authors
# SPDX-License-Identifier: Apache-2.0
# label: full

# libsinew.so needs the C library alone; libsinew_import.so has what needs others, and exports its one call.
set -eu
build=$(dirname "$SINEW")
command -v readelf >/dev/null || { echo 'SKIP: readelf is not there'; exit 77; }
if grep -q '^SN_SANITIZE:STRING=.' "$build/CMakeCache.txt"; then
    echo 'SKIP: sanitizers need libraries of their own'
    exit 77
fi
needed() {
    readelf -d "$1" | sed -nE 's/.*\(NEEDED\).*\[(.*)\]$/\1/p'
}
needed "$build/libsinew.so" | tee needed.txt
grep -q '^libc\.so' needed.txt
if grep -vE '^(libc|libm|libpthread)\.so\.[0-9]+$|^ld-linux' needed.txt; then
    echo 'libsinew.so needs more than the C library' >&2
    exit 1
fi
needed "$build/libsinew_import.so"
[ "$(nm -D --defined-only "$build/libsinew_import.so" | awk '{ print $3 }')" = snImport_Register ]
