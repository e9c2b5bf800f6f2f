#!/usr/bin/env bash
# SPDX-FileCopyrightText: 2026 The Sinew authors
# SPDX-License-Identifier: Apache-2.0
# label: long

# Flesh is put on every rig; Khronos' glTF validator finds nothing in what is written that it does not
# find in the originals.
set -eu

. "$SOURCE/scripts/npm_test.sh"
need_rigs
need_npm gltf-validator@2.0.0-dev.3.10

rm -rf patched
mkdir patched
SINEW_KEEP=$PWD/patched "$(dirname "$SINEW")/tests/bin/io_gltf_patch_data" >test.log 2>&1 || {
    cat test.log >&2
    exit 1
}
node "$SOURCE/tests/io/gltf/patch_validator.mjs" "$PWD" patched \
    "$rigs"/*.glb "$rigs"/*.gltf "$rigs"/*.vrm "$SOURCE"/tests/data/rigs/*.gltf
rm -rf patched
