#!/bin/sh
# SPDX-FileCopyrightText: 2026 The Sinew authors
# SPDX-License-Identifier: Apache-2.0

# deps.sh [build|minimal|all|long]: installs what is missing on Debian and Ubuntu, says what is needed elsewhere.
#   build    what building needs, and small optional libraries
#   minimal  also what the tests need
#   all      also what CI needs: clang and its tools, the toolchains for wasm and Windows, node
#   long     also what the long tests compare with: Blender, VTK, Wine
# Asks nothing, needs no network when nothing is missing, uses sudo only when not root.
set -eu

what=${1:-minimal}
case $what in
build | minimal | all | long) ;;
*)
    echo "deps.sh: unknown argument '$what'; use build, minimal, all or long" >&2
    exit 2
    ;;
esac

required="make cmake ninja-build"
[ "$what" = build ] || required="$required libcmocka-dev"
command -v cc >/dev/null 2>&1 || required="gcc libc6-dev $required"
optional="libmujoco-dev libepoxy-dev libegl-dev libgl-dev libegl-mesa0 libgl1-mesa-dri zlib1g-dev"
optional="$optional ffmpeg libqhull-dev libassimp-dev"
[ "$what" = build ] || optional="$optional libmujoco-dev liblapack-dev libbullet-dev g++"
if [ "$what" = all ] || [ "$what" = long ]; then
    optional="$optional gcc binutils python3 clang clang-14 clang-format-14 clang-tidy-14"
    optional="$optional libclang-rt-14-dev wasi-libc libclang-rt-14-dev-wasm32 lld-14 nodejs npm"
    optional="$optional gcc-mingw-w64-x86-64"
fi
[ "$what" != long ] || optional="$optional blender python3-numpy python3-vtk9 wine64"

# a program that is there counts, whoever installed it
provided() {
    case $1 in
    make | cmake | gcc | g++ | clang | clang-14 | clang-format-14 | clang-tidy-14 | python3 | npm | ffmpeg | blender)
        command -v "$1" ;;
    ninja-build) command -v ninja ;;
    nodejs) command -v node ;;
    binutils) command -v objdump ;;
    *) false ;;
    esac >/dev/null 2>&1
}

installed() {
    provided "$1" ||
        [ "$(dpkg-query -W -f '${db:Status-Status}' "$1" 2>/dev/null)" = installed ]
}

if ! command -v apt-get >/dev/null 2>&1 || ! command -v dpkg-query >/dev/null 2>&1; then
    status=0
    for tool in cc make cmake ninja; do
        command -v "$tool" >/dev/null 2>&1 || {
            echo "deps.sh: missing: $tool" >&2
            status=1
        }
    done
    echo "deps.sh: this is not Debian or Ubuntu, so nothing was installed. Needed are a C17 compiler," \
        "make, CMake 3.25 or later, ninja, and cmocka with its header for the tests. Optional: MuJoCo" \
        "and Bullet with a C++ compiler (comparisons), libepoxy, EGL with Mesa and zlib (pictures), ffmpeg (films), Assimp (FBX and Collada), clang and" \
        "clang-format 14, clang-tidy 14, wasi-libc, node (checks of CI)."
    exit $status
fi

missing=
for package in $required; do
    installed "$package" || missing="$missing $package"
done
wanted=
for package in $optional; do
    installed "$package" || wanted="$wanted $package"
done
if [ -z "$missing$wanted" ]; then
    exit 0
fi

as_root=
if [ "$(id -u)" != 0 ]; then
    if ! command -v sudo >/dev/null 2>&1; then
        echo "deps.sh: missing:$missing$wanted; not root and no sudo here. As root:" \
            "apt-get install$missing$wanted" >&2
        [ -z "$missing" ]
        exit
    fi
    as_root="sudo -n"
fi

install() {
    $as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y -q --no-install-recommends "$@" \
        </dev/null
}

echo "deps.sh: missing:$missing$wanted"
$as_root apt-get update -q </dev/null || echo "deps.sh: apt-get update failed, going on" >&2
if [ -n "$missing" ]; then
    # shellcheck disable=SC2086 # a list of words
    install $missing || {
        echo "deps.sh: could not install what is required. As root: apt-get install$missing" >&2
        exit 1
    }
fi
for package in $wanted; do
    install "$package" || echo "deps.sh: $package could not be installed; going on without it" >&2
done
