#!/usr/bin/env bash
# SPDX-FileCopyrightText: 2026 The Sinew authors
# SPDX-License-Identifier: Apache-2.0
# label: long
# needs: assimp zlib

# Every FBX and Collada rig that is read gets a body and flesh in a clip, or hops when nothing moves in
# its clips; the rest is refused for the reason that is expected. Prints what 'sinew bake' says.
set -eu

. "$SOURCE/scripts/npm_test.sh"
need_rigs

failed=0
for file in "$rigs"/*.fbx "$rigs"/*.dae; do
    name=$(basename "$file")
    reason=
    motion=()
    case $name in
    max7_* | *_6100_*) reason='from before 2011' ;;
    synthetic_broken_cluster_*) reason='has no bone' ;;
    f_walk_*) reason='holds motion only' ;;
    Female_*) motion=(--motion hop) ;; # its clip stands still
    esac
    code=0
    "$SINEW" bake "$file" "${motion[@]}" -o "$name.glb" --threads 1 >out.log 2>err.log || code=$?
    if [ -n "$reason" ]; then
        { [ $code = 2 ] && grep -q "$reason" err.log; } || code=wrong
    fi
    echo "$name: code $code"
    grep -vE '^(wrote|clip )' out.log || cat err.log
    if [ "$code" != 0 ] && { [ -z "$reason" ] || [ "$code" = wrong ]; }; then
        failed=1
    fi
    [ -n "$reason" ] || "$SINEW" check "$name.glb" >/dev/null || failed=1
    rm -f "$name.glb"
done
exit $failed
