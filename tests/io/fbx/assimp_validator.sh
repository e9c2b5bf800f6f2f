#!/usr/bin/env bash
# SPDX-FileCopyrightText: 2026 The Sinew authors
# SPDX-License-Identifier: Apache-2.0
# label: long
# needs: assimp zlib

# Khronos' glTF validator finds no error and no warning in the documents that FBX and Collada files
# become.
set -eu

. "$SOURCE/scripts/npm_test.sh"
need_rigs
need_npm gltf-validator@2.0.0-dev.3.10

rm -f ./*.glb
SINEW_KEEP=$PWD "$(dirname "$SINEW")/tests/bin/io_fbx_assimp_data" >test.log 2>&1 || {
    cat test.log >&2
    exit 1
}
node "$SOURCE/tests/io/gltf/validator.mjs" "$PWD" ./*.glb
rm -f ./*.glb
