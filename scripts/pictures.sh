#!/usr/bin/env bash
# SPDX-FileCopyrightText: 2026 The Sinew authors
# SPDX-License-Identifier: Apache-2.0

# pictures.sh [SINEW]: draws the pictures of README.md and docs/tuning.md anew, with the given tool or that
# of build/release. Those of docs/tuning.md by the commands that stand there.
set -eu
cd "$(dirname "$0")/.."

sinew=$(realpath "${1:-build/release/sinew}")
docs=$PWD/docs
rigs=$PWD/../shared/data/rigs
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
grep -E '^    sinew (bake|render|rig) docs/examples/' docs/tuning.md >"$work/commands"
cd "$work"
ln -s "$docs" docs
sinew() {
    echo "sinew $*"
    "$sinew" "$@" --quiet
}

while read -r _ words; do
    # shellcheck disable=SC2086
    sinew $words
done <commands

sinew render starfish_fall --camera follow --duration 1.4 --frames 8 --size 288x216 -o docs/images/starfish.png
if [ -d "$rigs" ]; then
    sinew bake "$rigs/greenman.glb" --clip 2_move --softness 3 -o bake.glb
    sinew render "$rigs/greenman.glb" --compare bake.glb --clip 2_move --frames 4 --size 660x240 -o docs/images/bake.png
else
    echo 'pictures: the rigs are not there; docs/images/bake.png stays' >&2
fi
