#!/usr/bin/env bash
# SPDX-FileCopyrightText: 2026 The Sinew authors
# SPDX-License-Identifier: Apache-2.0
# label: full

# sinew rig --save hero.body, and info and check of what it wrote.
set -u

# shellcheck source=tests/cli/expect.bash
. "$SOURCE/tests/cli/expect.bash"

rm -rf work && mkdir work && cd work || exit 1

rigs=$SOURCE/../shared/data/rigs
if [ ! -d "$rigs" ]; then
    echo "SKIP: the rigs are not there ($rigs)"
    exit 77
fi
cp "$rigs/CesiumMan.glb" hero.glb
expect 0 'wrote hero.body, which snBody_Load reads' rig hero.glb --quality draft --save hero.body -o hero.png
[ -s hero.sinew.json ] || fail 'the controls were not kept beside the rig'
expect 0 '3273 vertices, 4672 triangles, 1 clip' info hero.body
expect 0 '^flesh: [0-9]* cells' info hero.body
expect 0 'Skeleton_torso_joint\*  .* Hz' info hero.body
expect 0 '^hero.body: fine' check hero.body

head -c 5000 hero.body >cut.body
cp hero.body flipped.body
printf 'x' | dd of=flipped.body bs=1 seek=100000 conv=notrunc 2>/dev/null
for command in info check; do
    expect 2 'cut.body: .*not copied whole' $command cut.body
    expect 2 'flipped.body: .*checksum' $command flipped.body
done
expect 2 'hero.body.*is no rig.*saved body' rig hero.body
expect 2 'ends with .json, or with .body' rig hero.glb --save hero.txt

exit $((failures > 0))
