#!/usr/bin/env bash
# SPDX-FileCopyrightText: 2026 The Sinew authors
# SPDX-License-Identifier: Apache-2.0
# label: long

# three.js poses every clip of every rig at several times; our skinned positions are the same.
set -eu

for tool in node npm; do
    command -v "$tool" >/dev/null 2>&1 || {
        echo "SKIP: $tool is missing (make deps-all)"
        exit 77
    }
done
rigs=$SOURCE/../shared/data/rigs
[ -d "$rigs" ] || {
    echo "SKIP: the rigs are not there ($rigs)"
    exit 77
}

package=three@0.187.0
if [ ! -d node_modules/three ]; then
    npm install --no-save --no-audit --no-fund --prefix "$PWD" "$package" || {
        echo "SKIP: npm could not install $package"
        exit 77
    }
fi

rm -f poses.bin
# modules are looked for beside the script
cp "$SOURCE/tests/io/gltf_three.mjs" gltf_three.mjs
node gltf_three.mjs poses.bin "$rigs"/*.glb "$rigs"/*.gltf "$rigs"/*.vrm "$SOURCE"/tests/data/rigs/*.gltf
SINEW_POSES=poses.bin "$(dirname "$SINEW")/tests/bin/io_gltf_data"
rm -f poses.bin
