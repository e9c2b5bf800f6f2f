#!/usr/bin/env bash
# SPDX-FileCopyrightText: 2026 The Sinew authors
# SPDX-License-Identifier: Apache-2.0
# label: long

# Every rig is baked. Khronos' validator finds nothing in what is written that it does not find in the
# originals, and nothing at all in what FBX and Collada files become; three.js shows what we read in it, which the test itself compares with what was simulated;
# and with what was added taken out again the document is the original one.
set -eu

. "$SOURCE/scripts/npm_test.sh"
need_rigs
need_npm gltf-validator@2.0.0-dev.3.10 three@0.187.0

rm -rf baked poses.bin
mkdir baked
bin=$(dirname "$SINEW")/tests/bin
SINEW_KEEP=$PWD/baked "$bin/bake_data" || exit 1
originals=()
made=() # of FBX and Collada files: there is no document to compare with
for file in baked/*; do
    original=$rigs/$(basename "$file")
    if [ -f "$original" ]; then originals+=("$original"); else made+=("$file"); fi
done
node "$SOURCE/tests/io/gltf/validator.mjs" "$PWD" "${made[@]}"
node "$SOURCE/tests/io/gltf/patch_validator.mjs" "$PWD" baked "${originals[@]}"
python3 "$SOURCE/tests/io/gltf/patch_restore.py" baked "${originals[@]}"
# modules are looked for beside the script
cp "$SOURCE/tests/io/gltf/three.mjs" gltf_three.mjs
node gltf_three.mjs poses.bin baked/*
SINEW_POSES=poses.bin SINEW_RIGS=$PWD/baked "$bin/io_gltf_data"
rm -rf baked poses.bin
