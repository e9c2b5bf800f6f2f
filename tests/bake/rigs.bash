# SPDX-FileCopyrightText: 2026 The Sinew authors
# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash

# The shared rigs as tests of baking take them; they source this after scripts/npm_test.sh.

# Why a file cannot be baked; empty: it can
refusal_of() {
    case $1 in
    max7_* | *_6100_*) echo 'from before 2011' ;;
    synthetic_broken_cluster_*) echo 'has no bone' ;;
    f_walk_*) echo 'holds motion only' ;;
    SimpleSkin.gltf) echo 'encloses a volume' ;;
    esac
}

# What moves a file that nothing moves in
motion_of() {
    case $1 in
    Female_* | 100Avatars_*) echo '--motion hop' ;;
    esac
}

# Options for clips of all kinds; nothing where motion_of says something
clips_of() {
    case $1 in
    Barbarian.glb) echo '--clip Running_* --clip Jump_* --clip Death_* --clip Sit_*' ;; # of 76
    *) [ -n "$(motion_of "$1")" ] || echo '--clip all' ;;
    esac
}

# FILE OUT.glb OPTION...: bakes it, or finds it refused for the right reason. Fails otherwise; what is
# printed is in out.log. Returns 2 when it is rightly refused.
bake_or_refuse() {
    local name code=0 reason motion
    name=$(basename "$1")
    reason=$(refusal_of "$name")
    read -ra motion <<<"$(motion_of "$name")"
    "$SINEW" bake "$1" -o "$2" "${motion[@]}" "${@:3}" >out.log 2>&1 || code=$?
    if [ $code = 2 ] && grep -q 'was missing when Sinew was' out.log; then
        return 2 # no Assimp
    elif [ -z "$reason" ]; then
        [ $code = 0 ] || cat out.log >&2
        [ $code = 0 ]
    elif [ $code = 2 ] && grep -q "$reason" out.log; then
        return 2
    else
        echo "$name is not refused because it $reason" >&2
        return 1
    fi
}
