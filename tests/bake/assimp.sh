#!/usr/bin/env bash
# SPDX-FileCopyrightText: 2026 The Sinew authors
# SPDX-License-Identifier: Apache-2.0
# label: long
# needs: assimp zlib

# Every FBX and Collada rig that is read gets a body and flesh in a clip, or hops when nothing moves in
# its clips; the rest is refused for the reason that is expected. Prints what 'sinew bake' says. Khronos'
# validator finds nothing in what is written, and three.js shows what we read in it.
set -eu

. "$SOURCE/scripts/npm_test.sh"
. "$SOURCE/tests/bake/rigs.bash"
need_rigs
need_npm gltf-validator@2.0.0-dev.3.10 three@0.187.0

rm -rf baked poses.bin
mkdir baked
failed=0
for file in "$rigs"/*.fbx "$rigs"/*.dae; do
    name=$(basename "$file")
    code=0
    bake_or_refuse "$file" "baked/$name.glb" --threads 1 || code=$?
    echo "$name: code $code"
    grep -vE '^(wrote|clip )' out.log
    [ $code != 1 ] || failed=1
    [ $code != 0 ] || "$SINEW" check "baked/$name.glb" >/dev/null || failed=1
done
node "$SOURCE/tests/io/gltf/validator.mjs" "$PWD" baked/*
# modules are looked for beside the script
cp "$SOURCE/tests/io/gltf/three.mjs" gltf_three.mjs
node gltf_three.mjs poses.bin baked/*
SINEW_POSES=poses.bin SINEW_RIGS=$PWD/baked "$(dirname "$SINEW")/tests/bin/io_gltf_data"
rm -rf baked poses.bin
exit $failed
