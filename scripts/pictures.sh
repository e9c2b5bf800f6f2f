#!/usr/bin/env bash
# SPDX-FileCopyrightText: 2026 The Sinew authors
# SPDX-License-Identifier: Apache-2.0

# pictures.sh [SINEW [PART...]]: draws the pictures of README.md (part readme), docs/tuning.md (tuning),
# docs/gallery.md (gallery) and docs/scenes.md (scenes) anew, with the given tool or that of build/release. Takes a few
# minutes, of which most are for scenes.
set -eu
cd "$(dirname "$0")/.."

sinew=$(realpath "${1:-build/release/sinew}")
parts=${*:2}
docs=$PWD/docs
rigs=$PWD/../shared/data/rigs
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
ln -s "$docs" docs
sinew() {
    echo "sinew $*"
    "$sinew" "$@" --quiet
}
wanted() { [ -z "$parts" ] || [[ " $parts " == *" $1 "* ]]; }

readme() {
    sinew render starfish_fall --camera follow --duration 1.4 --frames 8 --size 288x216 -o docs/images/starfish.png
    [ -d "$rigs" ] || return 0
    sinew bake "$rigs/greenman.glb" --clip 2_move --softness 3 -o bake.glb
    sinew render "$rigs/greenman.glb" --compare bake.glb --clip 2_move --frames 4 --size 660x240 -o docs/images/bake.png
}

# CONTROL 'RIG OPTIONS' 'CAMERA' VALUE...: the control at three values, side by side
strip() {
    local control=$1 bake picture compare=() value
    read -ra bake <<<"$2"
    read -ra picture <<<"$3"
    for value in "${@:4}"; do
        sinew bake "${bake[@]}" "--$control" "$value" -o "$control=$value.glb"
        compare+=(--compare "$control=$value.glb")
    done
    sinew render "${bake[0]}" "${compare[@]}" "${picture[@]}" --size 600x270 -o "docs/pictures/tuning_$control.png"
}

tuning() {
    local worm="docs/examples/worm.gltf --quality draft --clip Hop"
    local hop="--clip Hop --view front --camera follow"
    strip softness "$worm" "$hop --at 0.55" 2 4 8
    strip damping "$worm --softness 4" "$hop --at 0.95" 0.02 0.2 1
    strip limit "$worm --softness 2" "$hop --at 0.55" 0.02 0.1 0.3
    strip inertia "$worm --softness 5" "$hop --at 0.3" 0 1 2
    strip gravity "$worm --softness 2" "$hop --at 0.13" -1 0 1
    strip shape "docs/examples/worm.gltf --quality draft --clip Wave" "--clip Wave --at 0.25 --view side" 0 0.5 1
    strip rigid "$worm --softness 3" "$hop --at 0.4" root middle top
    strip paint "$worm --softness 3" "$hop --at 0.4" _ABOVE _BELT _BELOW
    [ ! -d "$rigs" ] ||
        strip quality "$rigs/horse-animations.glb --clip Run --softness 3" "--clip Run --at 0.2 --view side --zoom 1.35" draft normal fine
}

# NAME FILE 'OPTIONS OF BAKE' 'OPTIONS OF RENDER': before, after and difference with the defaults
gallery_of() {
    local bake picture
    read -ra bake <<<"$3"
    read -ra picture <<<"$4"
    sinew bake "$rigs/$2" "${bake[@]}" -o "$1.glb"
    sinew render "$rigs/$2" --compare "$1.glb" "${picture[@]}" --frames 4 --size 450x190 -o "docs/pictures/gallery_$1.png"
}

gallery() {
    [ -d "$rigs" ] || return 0
    gallery_of CesiumMan CesiumMan.glb "" ""
    gallery_of Fox Fox.glb "--clip Run" ""
    gallery_of greenman greenman.glb "--clip 2_move" ""
    gallery_of horse horse-animations.glb "--clip Run" ""
    gallery_of snake snake-animations.glb "--clip Dance" ""
    gallery_of kaiju kaiju-animations.glb "--clip Attack" ""
    gallery_of Trex Trex.glb "--clip *Run" ""
    gallery_of Manta_ray Manta_ray.glb "" ""
    gallery_of Barbarian Barbarian.glb "--clip Running_A" ""
    gallery_of Froggy 100Avatars_010_Froggy.vrm "--motion hop" ""
    gallery_of Froggy_dances 100Avatars_010_Froggy.vrm "--motion $rigs/../mocap/cmu_60_12.bvh" "--camera follow"
    gallery_of woman_walks Female_Adult_01.fbx "--motion $rigs/f_walk_neutral.max.fbx" "--camera follow"
}

# NAME END FRAMES SIZE [OPTION...]: a built-in scene up to a time, s
scene() {
    sinew render "$1" --duration "$2" --frames "$3" --size "$4" "${@:5}" -o "docs/pictures/scene_$1.png"
}

scenes() {
    scene jump_turn_starfish 2.1 8 320x240
    scene glass_box 16 12 250x190
    scene free_fall 1.05 8 320x150
    scene rolling_worm 2.8 8 300x220 --view side --camera follow
    scene jumping_fish 2.2 12 300x220 --view side
    scene tug_of_war 9.3 8 280x180
    scene starfish_bowl 10 8 320x240
    scene fatman_stairs 5.5 8 320x240
    scene dancing_fatman 8.75 8 240x300
    scene three_fills 3 2 320x240 --view front
}

[ -d "$rigs" ] || echo 'pictures: the rigs are not there; pictures of them stay' >&2
! wanted readme || readme
! wanted tuning || tuning
! wanted gallery || gallery
! wanted scenes || scenes
