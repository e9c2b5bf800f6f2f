#!/usr/bin/env bash
# SPDX-FileCopyrightText: 2026 The Sinew authors
# SPDX-License-Identifier: Apache-2.0
# label: long

# Rigs with helper joints, and rigs with motions of other files: Khronos' validator finds nothing in them that it does not
# find in the originals, what was added can be taken out again, and three.js shows joints as we read them.
set -eu

. "$SOURCE/scripts/npm_test.sh"
need_rigs
need_npm gltf-validator@2.0.0-dev.3.10 three@0.187.0

rm -rf joints motion poses.bin
mkdir joints motion
bin=$(dirname "$SINEW")/tests/bin
fast=(--quality draft --rate 24 --quiet)
mocap=$rigs/../mocap
baked=()
for name in CesiumMan.glb Fox.glb greenman.glb RiggedSimple.glb; do
    "$SINEW" bake "$rigs/$name" "${fast[@]}" --clip all --as joints -o "joints/$name"
    baked+=("$rigs/$name")
done
node "$SOURCE/tests/io/gltf/patch_validator.mjs" "$PWD" joints "${baked[@]}"
python3 "$SOURCE/tests/io/gltf/patch_restore.py" joints "${baked[@]}"

"$SINEW" bake "$rigs/CesiumMan.glb" "${fast[@]}" --motion "$mocap/cmu_02_03.bvh" -o motion/CesiumMan.glb
"$SINEW" bake "$rigs/100Avatars_010_Froggy.vrm" "${fast[@]}" --motion "$mocap/cmu_02_01.bvh" -o motion/froggy.glb
mv motion/froggy.glb motion/100Avatars_010_Froggy.vrm
baked=("$rigs/CesiumMan.glb" "$rigs/100Avatars_010_Froggy.vrm")
node "$SOURCE/tests/io/gltf/patch_validator.mjs" "$PWD" motion "${baked[@]}"
python3 "$SOURCE/tests/io/gltf/patch_restore.py" motion "${baked[@]}"
if "$SINEW" info "$rigs/Female_Adult_01.fbx" >/dev/null 2>&1; then
    "$SINEW" bake "$rigs/Female_Adult_01.fbx" "${fast[@]}" --motion "$rigs/f_walk_neutral.max.fbx" -o female.glb
    node "$SOURCE/tests/io/gltf/validator.mjs" "$PWD" female.glb
else
    echo 'SKIP: the FBX walk, which needs Assimp'
fi

# the comparison wants all files
cp -n "$rigs"/*.glb "$rigs"/*.gltf "$rigs"/*.vrm "$SOURCE"/tests/data/rigs/*.gltf joints
cp "$SOURCE/tests/io/gltf/three.mjs" gltf_three.mjs
node gltf_three.mjs poses.bin joints/*
SINEW_POSES=poses.bin SINEW_RIGS=$PWD/joints SINEW_JOINTS=1 "$bin/io_gltf_data"
rm -rf joints motion poses.bin female.glb
