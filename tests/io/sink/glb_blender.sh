#!/usr/bin/env bash
# SPDX-FileCopyrightText: 2026 The Sinew authors
# SPDX-License-Identifier: Apache-2.0
# label: long

# Blender shows what we wrote: vertices of an imported GLB against the OBJ sequence of the same run, on
# several frames, within the error that the file states.
set -eu

command -v blender >/dev/null 2>&1 || {
    echo "SKIP: blender is missing (scripts/deps.sh long)"
    exit 77
}

rm -f ./star*
"$SINEW" run starfish_fall --quiet -o star.glb
"$SINEW" run starfish_fall --quiet -o star.obj
blender -b -noaudio --python-exit-code 1 -P "$(dirname "$0")/glb_blender.py" -- star.glb star 0.002 >blender.log 2>&1 || {
    tail -20 blender.log >&2
    exit 1
}
grep "^frame" blender.log
