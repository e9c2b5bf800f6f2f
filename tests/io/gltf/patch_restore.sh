#!/usr/bin/env bash
# SPDX-FileCopyrightText: 2026 The Sinew authors
# SPDX-License-Identifier: Apache-2.0
# label: full

# Flesh is put on every rig, and taken out again by what the file says about itself: the document and
# its data are then the original ones.
set -eu

command -v python3 >/dev/null 2>&1 || {
    echo "SKIP: python3 is missing (make deps)"
    exit 77
}
rigs=$SOURCE/../shared/data/rigs
[ -d "$rigs" ] || {
    echo "SKIP: the rigs are not there ($rigs)"
    exit 77
}

rm -rf patched
mkdir patched
SINEW_KEEP=$PWD/patched "$(dirname "$SINEW")/tests/bin/io_gltf_patch_data" >test.log 2>&1 || {
    cat test.log >&2
    exit 1
}
python3 "$SOURCE/tests/io/gltf/patch_restore.py" patched \
    "$rigs"/*.glb "$rigs"/*.gltf "$rigs"/*.vrm "$SOURCE"/tests/data/rigs/*.gltf
rm -rf patched
