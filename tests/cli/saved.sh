#!/usr/bin/env bash
# SPDX-FileCopyrightText: 2026 The Sinew authors
# SPDX-License-Identifier: Apache-2.0
# label: full

# sinew rig --save hero.body, and info and check of what it wrote.
set -u

# shellcheck source=tests/cli/expect.bash
. "$SOURCE/tests/cli/expect.bash"

rm -rf work && mkdir work && cd work || exit 1

# characters: what is saved runs as what was built
expect 0 'wrote star.character, which snCharacter_Load reads' info starfish_coarse --save star.character
expect 0 '180 cells' info star.character
expect 0 '^star.character: fine' check star.character
"$SINEW" run starfish_coarse --duration 0.5 --hash --quiet >built.txt
"$SINEW" run star.character --duration 0.5 --hash --quiet >loaded.txt
cmp built.txt loaded.txt || fail 'a saved character moves otherwise than the built one'
head -c 5000 star.character >cut.character
expect 2 'cut.character: .*not copied whole' run cut.character
expect 2 '--cells is for surface files' run star.character --cells 5
expect 2 'ends with .character' info starfish --save star.body
expect 2 '--save is for characters: built-in ones' info star.character --save other.character
expect 0 'wrote penguin.character' info "$SOURCE/docs/examples/penguin.json" --save penguin.character
expect 0 'bones' info penguin.character
expect 2 "did you mean 'info'?" inof star.character

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
cp hero.body named.glb
cp hero.glb named.body
expect 2 'named.glb: it is a saved body, which snBody_Load reads' info named.glb
expect 2 "named.body: it is not a saved body.*'sinew rig hero.glb --save hero.body' makes one" info named.body
expect 2 'ends with .json, or with .body' rig hero.glb --save hero.txt

exit $((failures > 0))
