#!/usr/bin/env bash
# SPDX-FileCopyrightText: 2026 The Sinew authors
# SPDX-License-Identifier: Apache-2.0
# label: full

# sinew info, check and render on rigs: what is in them, what is odd, clips by name, errors with places in the document.
set -u

# shellcheck source=tests/cli/expect.bash
. "$SOURCE/tests/cli/expect.bash"

rm -rf work && mkdir work && cd work || exit 1

# a triangle without a skin is an animation of one frame
zeros=AAAAAAAAAAAAAAAAAACAPwAAAAAAAAAAAAAAAAAAgD8AAAAA
document() { # ACCESSOR_COUNT MORE
    printf '{"asset":{"version":"2.0"},"nodes":[{"mesh":0}],"meshes":[{"primitives":[{"attributes":{"POSITION":0}}]}],'
    printf '"accessors":[{"bufferView":0,"componentType":5126,"type":"VEC3","count":%d}],' "$1"
    printf '"bufferViews":[{"buffer":0,"byteLength":36}],"buffers":[{"byteLength":36,"uri":"data:;base64,%s"}]%s}' $zeros "$2"
}
document 3 '' >plain.gltf
expect 0 '^plain.gltf: glTF, 1 frame' info plain.gltf
expect 0 '3 vertices, 1 triangles' info plain.gltf
expect 0 '^plain.gltf: fine' check plain.gltf

# what is wrong is said with its place and a remedy
document 4 '' >beyond.gltf
document 3 ',"extensionsRequired":["KHR_draco_mesh_compression"]' >packed.gltf
document 3 ',"skins":[{"joints":[9]}]' >skin.gltf
for command in info check; do
    expect 2 'beyond.gltf: .*accessors\[0\].*beyond its data.*export' $command beyond.gltf
    expect 2 'KHR_draco_mesh_compression.*without Draco' $command packed.gltf
    expect 2 'skins\[0\].joints\[0\]: there is no such node' $command skin.gltf
done
expect 2 'beyond.gltf: .*accessors\[0\]' render beyond.gltf -o x.png
expect 2 'it has no clips' render plain.gltf --clip Run -o x.png
[ ! -e x.png ] || { echo 'a refused call left a picture' >&2; failures=$((failures + 1)); }

rigs=$SOURCE/../shared/data/rigs
if [ ! -d "$rigs" ]; then
    echo "SKIP: the rigs are not there ($rigs)"
    [ $failures = 0 ] && exit 77
    exit 1
fi
fox=$rigs/Fox.glb
expect 0 'rig (GLB.*24 joints in 1 skin.*1728 vertices, 576 triangles, 3 clips' info "$fox"
expect 0 'probably in cm' info "$fox"
expect 0 '^  Survey .* 3.417 ' info "$fox"
expect 0 'b_Tail01' info "$fox"
expect 0 'Fox.glb: fine' check "$fox"
expect 2 "no clip 'Wolk'; did you mean 'Walk'" render "$fox" --clip Wolk -o x.png
expect 2 'for .pc2 and .mdd' info "$fox" --rate 30
cp "$fox" fox.glb # rig writes beside it
expect 0 "'b_LeftFoot.* and 1 more should be soft, but each follows.*too thin for cells of .*finer quality" rig fox.glb --quality draft --soft '*foot*'
expect 0 '' rig fox.glb --quality draft --soft '*neck*'
! grep -q 'should be soft' out.log || fail 'a neck is said to be too thin'
# limbs that are soft by their names and too thin for a coarse quality
expect 0 "^  'b_RightForeArm_07', 'b_LeftForeArm_010': each follows its skinning: at most .* mm thick, too thin for cells of .*finer quality" rig fox.glb --quality draft
expect 0 '' rig fox.glb
! grep -q 'too thin' out.log || fail 'there is no thin part at the usual quality'
# the table's names are patterns that mean these joints, and their flesh is as thick as it is in the middle
expect 0 '^  b_Tail\*  *[0-9]' rig fox.glb --quality draft --clip Walk
cp out.log table.log
while read -r name _; do
    expect 0 '' rig fox.glb --quality draft --soft "$name"
done < <(sed -n '/^  soft region/,/^  tried/p' table.log | sed '1d;$d')
expect 0 '' rig fox.glb --quality draft --rigid 'b_Tail*'
cat table.log out.log | awk '/^  b_Tail/ { soft[++count] = $3 } END { exit !(count == 1 || 4 * soft[2] < soft[1]) }' ||
    fail "more than the root of a tail that should be rigid is soft: $(cat out.log)"
awk '/^  b_Spine/ { spine = $4 } /^  b_Tail/ { tail = $4 } END { exit !(120 < tail && tail < 0.8 * spine && spine < 260) }' table.log ||
    fail "thickness of trunk or tail: $(cat table.log)"
expect 0 'a humanoid: 52 bones' info "$rigs/100Avatars_010_Froggy.vrm"
expect 0 'worst sum 1.755' check "$rigs/RobotExpressive.glb"
expect 0 'can be used as it is' check "$rigs/RobotExpressive.glb"
if "$SINEW" render "$fox" --clip Run --frames 2 --size 160x120 -o run.png >render.log 2>&1; then
    expect 0 'wrote walk.png' render "$fox" --clip Walk --frames 2 --size 160x120 -o walk.png
    cmp -s run.png walk.png && { echo 'two clips look the same' >&2; failures=$((failures + 1)); }
elif ! grep -q 'cannot draw' render.log; then
    cat render.log >&2
    failures=$((failures + 1))
fi

exit $((failures > 0))
