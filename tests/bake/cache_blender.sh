#!/usr/bin/env bash
# SPDX-FileCopyrightText: 2026 The Sinew authors
# SPDX-License-Identifier: Apache-2.0
# label: long

# Blender plays point caches of baked rigs, set up by the script beside them on the rig that its own importer reads:
# vertices are where it has them when it plays the same bake as a shape for every frame. Those of FBX fit the mesh of
# its FBX importer, which also puts what hardly moves where they do.
set -eu

command -v blender >/dev/null 2>&1 || {
    echo "SKIP: blender is missing (scripts/deps.sh long)"
    exit 77
}
. "$SOURCE/scripts/npm_test.sh"
need_rigs

rm -rf work
mkdir work
cd work
for job in CesiumMan.glb/pc2 Fox.glb/mdd RobotExpressive.glb/pc2 \
    animation_with_skeleton.fbx/pc2 maya_kenney_character_7700_binary.fbx/mdd Smooth_Male_Casual.fbx/pc2; do
    file=${job%/*} kind=${job#*/}
    name=${file%.*}
    rig=$(find "$SOURCE/../shared/data/rigs/" -name "$file")
    "$SINEW" bake "$rig" --quality draft --softness 2 --rate 24 --frames 3..15 -o "$name.$kind" >"$name.log"
    "$SINEW" bake "$rig" --quality draft --softness 2 --rate 24 --frames 3..15 --exact -o exact.glb >>"$name.log"
    blender -b -noaudio --python-exit-code 1 -P "$(dirname "$0")/cache_blender.py" -- \
        "$rig" "${name}_apply_in_blender.py" exact.glb >blender.log 2>&1 || {
        tail -20 blender.log >&2
        exit 1
    }
    sed -n "s/^sample/$name, sample/p" blender.log
done
