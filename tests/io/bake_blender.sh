#!/usr/bin/env bash
# SPDX-FileCopyrightText: 2026 The Sinew authors
# SPDX-License-Identifier: Apache-2.0
# label: long

# Blender shows what was simulated: vertices of baked characters at keys of their first clips, within
# the error that the bake reports.
set -eu

command -v blender >/dev/null 2>&1 || {
    echo "SKIP: blender is missing (scripts/deps.sh long)"
    exit 77
}
. "$SOURCE/scripts/npm_test.sh"
need_rigs

rm -rf baked
mkdir baked
for name in CesiumMan Fox; do
    SINEW_ONLY=$name SINEW_KEEP=$PWD/baked "$(dirname "$SINEW")/tests/bin/io_bake_data"
    blender -b -noaudio --python-exit-code 1 -P "$(dirname "$0")/bake_blender.py" -- \
        "baked/$name.glb" >blender.log 2>&1 || {
        tail -20 blender.log >&2
        exit 1
    }
    grep "^key" blender.log
done
rm -rf baked
