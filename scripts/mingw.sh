#!/usr/bin/env bash
# SPDX-FileCopyrightText: 2026 The Sinew authors
# SPDX-License-Identifier: Apache-2.0

# The whole core and the scenes for 64-bit Windows, by Debian's MinGW-w64: both libraries, and a program that links
# nothing but what every Windows has. tests/cli/wine.sh runs it. Exit code 77: a tool is missing.
set -eu
cd "$(dirname "$0")/.."

command -v x86_64-w64-mingw32-gcc >/dev/null 2>&1 || {
    echo 'mingw: SKIP: x86_64-w64-mingw32-gcc is missing (make deps-all)'
    exit 77
}
out=build/mingw
[ -f $out/build.ninja ] || cmake -S . -B $out -G Ninja --toolchain cmake/mingw.cmake -DCMAKE_BUILD_TYPE=Release \
    -DSN_OPTIONAL=OFF -DSN_TESTS=OFF -DSN_WERROR=ON
cmake --build $out --target sinew_static sinew_shared sinew_scenes
x86_64-w64-mingw32-gcc -std=c17 -Wall -Wextra -Werror -Iinclude -I. tests/windows/runner.c \
    $out/libsinew_scenes.a $out/libsinew.a -o $out/runner.exe
for file in $out/runner.exe $out/libsinew.dll; do
    if x86_64-w64-mingw32-objdump -p $file | sed -n 's/.*DLL Name: //p' | grep -viE '^(kernel32|msvcrt)\.dll$'; then
        echo "mingw: $file needs more than the C library" >&2
        exit 1
    fi
done
echo "mingw: libsinew.dll has $(stat -c %s $out/libsinew.dll) bytes"
