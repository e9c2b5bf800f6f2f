#!/usr/bin/env bash
# SPDX-FileCopyrightText: 2026 The Sinew authors
# SPDX-License-Identifier: Apache-2.0
# label: full

# The examples build outside of the tree as docs/engine.md says, from what `make install` installs: by its pkg-config line and by
# its CMakeLists.txt. One of each then runs. So does a program with the importers.
set -eu
command -v pkg-config > /dev/null || { echo "SKIP: pkg-config is not there"; exit 77; }
build=$(dirname "$SINEW")
if grep -q '^SN_SANITIZE:STRING=.' "$build/CMakeCache.txt"; then
    echo "SKIP: what is built with sanitizers is not installed"
    exit 77
fi
rm -rf there game fbx
cmake --install "$build" --prefix "$PWD/there" > install.txt
PKG_CONFIG_PATH=$(dirname "$(find "$PWD/there" -name sinew.pc)")
LD_LIBRARY_PATH=$(dirname "$(find "$PWD/there" -name libsinew.so | head -n 1)")
export PKG_CONFIG_PATH LD_LIBRARY_PATH
mkdir game
cp "$SOURCE"/examples/*.[ch] game/
cd game

# the line of the docs, as it stands
line=$(grep -m 1 -oE '^    cc .*pkg-config.*' "$SOURCE/docs/engine.md")
echo "$line"
bash -euc "$line"
./engine && exit 1 # without a file it says how it is called
./world 2 1 > world.txt || { cat world.txt; exit 1; }

# its CMake project
awk '/^```cmake$/ { on = 1; next } /^```$/ { on = 0 } on' "$SOURCE/docs/engine.md" > CMakeLists.txt
grep -q find_package CMakeLists.txt
cmake -S . -B build -DCMAKE_BUILD_TYPE=Release -DCMAKE_PREFIX_PATH="$PWD/../there" > cmake.txt
cmake --build build > make.txt || { cat make.txt; exit 1; }
build/world 2 1

# a program with the importers, by both pkg-config and CMake
mkdir -p ../fbx
cd ../fbx
cat > fbx.c <<'END'
#include <sinew/import.h>
#include <sinew/sinew.h>
#include <stdio.h>
int main(void)
{
    static const char TEXT[] = "FBXHeaderExtension:  {\n\tFBXVersion: 6100\n}\n";
    snHost host;
    snRig* rig;
    snMessage why;
    snHost_Init(&host);
    snImport_Register(&host);
    snStatus status = snRig_Parse(&host, TEXT, sizeof TEXT - 1, "old.fbx", &rig, &why);
    puts(why.text);
    return status == sn_ok;
}
END
cat > CMakeLists.txt <<'END'
cmake_minimum_required(VERSION 3.25)
project(fbx LANGUAGES C)
find_package(sinew REQUIRED)
add_executable(fbx fbx.c)
target_link_libraries(fbx PRIVATE sinew::sinew_import sinew::sinew)
END
# shellcheck disable=SC2046 # several flags
cc -std=c17 fbx.c $(pkg-config --cflags --libs sinew_import) -o fbx
./fbx | tee said.txt
grep -q 'save it as FBX 2011 or newer\|libassimp-dev' said.txt
cmake -S . -B build -DCMAKE_PREFIX_PATH="$PWD/../there" > cmake.txt
cmake --build build > make.txt || { cat make.txt; exit 1; }
build/fbx | diff said.txt -
