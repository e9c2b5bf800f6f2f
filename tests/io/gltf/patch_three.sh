#!/usr/bin/env bash
# SPDX-FileCopyrightText: 2026 The Sinew authors
# SPDX-License-Identifier: Apache-2.0
# label: long

# Flesh is put on every rig; three.js poses every clip of what is written at several times, and our
# positions, which the other test compared with the flesh that was given, are the same.
set -eu

. "$SOURCE/scripts/npm_test.sh"
need_rigs
need_npm three@0.187.0

rm -rf patched poses.bin
mkdir patched
bin=$(dirname "$SINEW")/tests/bin
SINEW_KEEP=$PWD/patched "$bin/io_gltf_patch_data" >test.log 2>&1 || {
    cat test.log >&2
    exit 1
}
# modules are looked for beside the script
cp "$SOURCE/tests/io/gltf/three.mjs" gltf_three.mjs
node gltf_three.mjs poses.bin patched/*
SINEW_POSES=poses.bin SINEW_RIGS=$PWD/patched "$bin/io_gltf_data"
rm -rf patched poses.bin
