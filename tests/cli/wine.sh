#!/usr/bin/env bash
# SPDX-FileCopyrightText: 2026 The Sinew authors
# SPDX-License-Identifier: Apache-2.0
# label: long

# A scene and a bake on Windows, as Wine has it, have the bits that they have here.
set -eu
wine=$(command -v wine64 || command -v wine || ls /usr/lib/wine/wine64 2>/dev/null) || {
    echo 'SKIP: wine64 is missing (make test-long installs it)'
    exit 77
}
"$SOURCE/scripts/mingw.sh" || exit $?
build=$(dirname "$SINEW")
"${CC:-cc}" -std=c17 -I"$SOURCE/include" -I"$SOURCE" "$SOURCE/tests/windows/runner.c" \
    "$build/libsinew_scenes.a" "$build/libsinew.a" -lm -pthread -o runner
cp "$SOURCE/build/mingw/runner.exe" "$SOURCE/docs/examples/worm.gltf" .
rm -rf prefix
export WINEPREFIX=$PWD/prefix WINEDEBUG=-all
there() { # ARGUMENTS of the runner
    "$wine" runner.exe "$@" 2>errors.txt || { cat errors.txt >&2; exit 1; }
}
for scene in worm_fall starfish_fall; do
    ./runner scene $scene 0.3 >here.txt
    there scene $scene 0.3 | tr -d '\r' >there.txt
    cat there.txt
    [ "$(wc -l <here.txt)" = 10 ]
    diff here.txt there.txt
done
./runner bake worm.gltf here.glb
there bake worm.gltf there.glb
there bake worm.gltf there.glb # in the place of the first
cmp here.glb there.glb
rm -rf prefix || { sleep 5; rm -rf prefix; } # its server may still write there
