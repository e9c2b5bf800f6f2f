#!/usr/bin/env bash
# SPDX-FileCopyrightText: 2026 The Sinew authors
# SPDX-License-Identifier: Apache-2.0
# label: long

# Every rig that can be baked is, with all its clips or many; Blender shows every vertex of all its meshes where
# we read it in what was written, in every clip. That we read there what was simulated, the test bake_data finds.
set -eu

command -v blender >/dev/null 2>&1 || {
    echo "SKIP: blender is missing (scripts/deps.sh long)"
    exit 77
}
. "$SOURCE/scripts/npm_test.sh"
. "$SOURCE/tests/bake/rigs.bash"
need_rigs

rm -rf baked poses.bin
mkdir baked
for file in "$rigs"/*.glb "$rigs"/*.gltf "$rigs"/*.vrm "$rigs"/*.fbx "$rigs"/*.dae; do
    name=$(basename "$file") code=0
    read -ra clips <<<"$(clips_of "$name")"
    bake_or_refuse "$file" "baked/$name.glb" "${clips[@]}" --quality draft || code=$?
    [ $code != 1 ] || exit 1
done
blender -b -noaudio --factory-startup --python-exit-code 1 -P "$SOURCE/tests/bake/blender.py" -- \
    poses.bin baked/* >blender.log 2>&1 || {
    tail -20 blender.log >&2
    exit 1
}
grep '^played' blender.log
SINEW_POSES=poses.bin SINEW_RIGS=$PWD/baked "$(dirname "$SINEW")/tests/bin/io_gltf_data"
rm -rf baked poses.bin
