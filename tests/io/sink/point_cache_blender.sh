#!/usr/bin/env bash
# SPDX-FileCopyrightText: 2026 The Sinew authors
# SPDX-License-Identifier: Apache-2.0
# label: long

# Blender's Mesh Cache modifier plays PC2 and MDD: vertices on several frames against the OBJ sequence of the
# same run, with the settings that docs/formats.md gives.
set -eu

command -v blender >/dev/null 2>&1 || {
    echo "SKIP: blender is missing (scripts/deps.sh long)"
    exit 77
}

rm -f ./star*
for kind in obj pc2 mdd; do
    "$SINEW" run starfish_fall --quiet -o "star.$kind"
done
blender -b -noaudio --python-exit-code 1 -P "$(dirname "$0")/point_cache_blender.py" -- star >blender.log 2>&1 || {
    tail -20 blender.log >&2
    exit 1
}
grep "^frame" blender.log
