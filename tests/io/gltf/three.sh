#!/usr/bin/env bash
# SPDX-FileCopyrightText: 2026 The Sinew authors
# SPDX-License-Identifier: Apache-2.0
# label: long

# three.js poses every clip of every rig at several times; our skinned positions are the same.
set -eu

. "$SOURCE/scripts/npm_test.sh"
need_rigs
need_npm three@0.187.0

rm -f poses.bin
# modules are looked for beside the script
cp "$SOURCE/tests/io/gltf/three.mjs" gltf_three.mjs
node gltf_three.mjs poses.bin "$rigs"/*.glb "$rigs"/*.gltf "$rigs"/*.vrm "$SOURCE"/tests/data/rigs/*.gltf
SINEW_POSES=poses.bin "$(dirname "$SINEW")/tests/bin/io_gltf_data"
rm -f poses.bin
