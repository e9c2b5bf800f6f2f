#!/usr/bin/env bash
# SPDX-FileCopyrightText: 2026 The Sinew authors
# SPDX-License-Identifier: Apache-2.0
# label: full

# sinew bake --motion FILE and --as joints on rigs of our own: what they print and write, and what they say to mistakes.
set -u

# shellcheck source=tests/cli/expect.bash
. "$SOURCE/tests/cli/expect.bash"
also() { grep -q -- "$1" out.log || fail "no '$1' in: $(cat out.log)"; }
there() { [ -s "$1" ] || fail "$1 is missing"; }

rm -rf work && mkdir work && cd work || exit 1
cp "$SOURCE/docs/examples/worm.gltf" .
groove=$SOURCE/scenes/clips/groove.bvh
fast='--quality draft --rate 24'

# a clip of another file that is built alike becomes one of this, with flesh
cp worm.gltf other.gltf
# shellcheck disable=SC2086 # options
expect 0 "other.gltf: clip 'Hop' becomes clip 'other'" bake worm.gltf $fast --motion other.gltf --motion-clip Hop
also 'both are built alike: keys of [0-9]* nodes are copied as they are'
also "--motion-clip takes others of its 5"
also '^  other  *[0-9]* '
there worm_soft.glb
expect 0 '^  other ' info worm_soft.glb
expect 0 'worm_soft.glb: fine' check worm_soft.glb
expect 0 "tried clip 'other' for" rig worm.gltf --quality draft --motion other.gltf --motion-clip Wave --save x.json -o x.png
# the same names as before are still motions
# shellcheck disable=SC2086
expect 0 '^  hop  *[0-9]* ' bake worm.gltf $fast --motion hop -o hop.glb

# what does not go
expect 2 "other.gltf: nothing moves in its clip 'Still': it is one pose" bake worm.gltf --motion other.gltf --motion-clip Still
expect 2 "it has no clip 'Wav'; did you mean 'Wave'?" bake worm.gltf --motion other.gltf --motion-clip Wav
expect 2 "groove.bvh: too few joints fit: it would move nothing; the character has 'root'.*--map takes it" bake worm.gltf --motion "$groove"
expect 2 'BVH files hold one clip' bake worm.gltf --motion "$groove" --motion-clip Walk
expect 2 '--map goes with --motion FILE' bake worm.gltf --map names.txt
expect 2 '--motion-clip goes with --motion FILE' bake worm.gltf --motion hop --motion-clip Wave
expect 2 '--clip and --motion do not go together' bake worm.gltf --motion other.gltf --clip Wave
expect 2 '--motion takes hop, shake or turn, or a .glb, .gltf, .vrm, .fbx, .dae or .bvh file' bake worm.gltf --motion jump
expect 2 'nowhere.bvh' bake worm.gltf --motion nowhere.bvh
printf 'Hips middle\nNoSuch top\n' >names.txt
expect 2 "names.txt: line 2.*the clip has no joint 'NoSuch'" bake worm.gltf --motion "$groove" --map names.txt

# rigs that are no persons are not taken silently
rigs=$SOURCE/../shared/data/rigs
if [ -d "$rigs" ]; then
    walk=$rigs/../mocap/cmu_02_01.bvh
    cp "$rigs/Fox.glb" "$rigs/greenman.glb" "$rigs/Smooth_Male_Casual.fbx" "$rigs/Trex.glb" .
    expect 2 "a person stands upright, and this body does not.*nothing fits 'LeftUpLeg'.*--map takes it" bake Fox.glb --motion "$walk"
    expect 0 'feet are not held on the ground' rig greenman.glb --quality draft --motion "$walk" --save x.json -o x.png
    also "only a part of a person's motion fits: nothing here follows its 'LeftArm', 'LeftForeArm', 'RightArm', 'RightForeArm'"
    printf 'LeftUpLeg b_LeftLeg01_015\nLeftLeg b_LeftLeg02_016\nRightUpLeg b_RightLeg01_019\nRightLeg b_RightLeg02_020\n' >fox.txt
    expect 0 'this is no upright body' rig Fox.glb --quality draft --motion "$walk" --map fox.txt --save x.json -o x.png
fi

# a giant stands as often as a person, and animals are no example to him; he is an FBX file
if [ -d "$rigs" ] && "$SINEW" info Smooth_Male_Casual.fbx >/dev/null 2>&1; then
    expect 0 'feet stand 6 times: at most 0.0 mm off the ground' rig Smooth_Male_Casual.fbx --quality draft --motion "$walk" --save x.json -o x.png
    expect 2 'this body stands upright, and what was recorded does not' rig Smooth_Male_Casual.fbx --quality draft --motion Trex.glb --save x.json -o x.png
fi

# fewer shapes with a larger error
count() { sed -n 's/^  \([0-9]*\) shapes, at most .*; they miss .* mm at most.*/\1/p' out.log; }
# shellcheck disable=SC2086
expect 0 'they miss' bake worm.gltf $fast --clip Wave --shapes 4 --error 1e-5 -o small.glb
many=$(count)
# shellcheck disable=SC2086
expect 0 'they miss' bake worm.gltf $fast --clip Wave --shapes 4 --error 0.01 -o large.glb
few=$(count)
[ "$few" -lt "$many" ] || fail "$few shapes with an error of 0.01, $many with 1e-5"
expect 2 '--exact and --error do not go together' bake worm.gltf --exact --error 1
expect 2 '--error' bake worm.gltf --error 0

# flesh as joints
# shellcheck disable=SC2086
expect 0 '12 helper joints show at least [0-9.]*% of the movement' bake worm.gltf $fast --as joints --joints 12 -o joints.glb --report joints.json --sheet
there joints.glb
there joints.Wave.png
grep -q '"captured_share":0.9' joints.json || fail "no share in $(cat joints.json)"
expect 0 'sinew_joint_11' info joints.glb
expect 2 'is baked already' bake joints.glb
expect 2 "--joints goes with '--as joints'" bake worm.gltf --joints 8
expect 2 "--shapes does not go with '--as joints'" bake worm.gltf --as joints --shapes 8
expect 2 '--as takes shapes, joints, pc2 or mdd' bake worm.gltf --as bones
expect 2 '--joints' bake worm.gltf --as joints --joints 0

# feet that are left alone, and names that exporters put armatures before
expect 2 '--no-feet goes with --motion FILE' bake worm.gltf --no-feet
expect 2 "writes a .glb file, but -o says 'x.pc2'" bake worm.gltf --as joints -o x.pc2
expect 2 "no clip 'ave'; did you mean '\*ave'" bake worm.gltf --clip ave

[ $failures = 0 ]
