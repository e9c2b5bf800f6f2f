#!/usr/bin/env bash
# SPDX-FileCopyrightText: 2026 The Sinew authors
# SPDX-License-Identifier: Apache-2.0
# label: full

# What is said to those who give the right file to the wrong command, or expect more than there is: each message
# names the way out.
set -u

# shellcheck source=tests/cli/expect.bash
. "$SOURCE/tests/cli/expect.bash"
also() { grep -q -- "$1" out.log || fail "no '$1' in: $(cat out.log)"; }
there() { [ -s "$1" ] || fail "$1 is missing"; }
absent() { [ ! -e "$1" ] || fail "$1 should not be there"; }

rm -rf work && mkdir work && cd work || exit 1
cp "$SOURCE/docs/examples/worm.gltf" .
fast='--quality draft --rate 24 --frames 0..4'

# point caches: their unit is that of the rig, and no rig is their mesh
for kind in pc2 mdd; do
    # shellcheck disable=SC2086 # options
    expect 0 'wrote cache_apply' bake worm.gltf $fast -o cache.$kind
    also "^wrote cache.$kind\$"
    expect 0 '0.6[0-9]*, 0.1[0-9]*), in the unit of what it was made of$' info cache.$kind
    expect 2 'worm.gltf: it is a rig, on which Blender plays the cache.*give one mesh as .obj, .ply or .off' check cache.$kind --mesh worm.gltf
done

# controls and bodies, both at once; what cannot be written is said before anything is made
expect 0 'wrote hero.body' rig worm.gltf --quality draft --save hero.json --save hero.body -o hero.png
also 'wrote hero.json'
there hero.json
there hero.body
absent worm.sinew.json
expect 2 "takes one .json file, found 'a.json' and 'b.json'" rig worm.gltf --save a.json --save b.json
expect 2 "takes one .body file" rig worm.gltf --save a.body --save b.body
for name in nowhere/x.json nowhere/x.body; do
    expect 2 "cannot write '$name': there is no folder 'nowhere/'; make it" rig worm.gltf --save $name
done
expect 2 "there is no folder 'nowhere/'" rig worm.gltf -o nowhere/x.png
for command in 'render hero.body -o x.png' 'run hero.body'; do
    # shellcheck disable=SC2086
    expect 2 "'hero.body' is a saved body.*'sinew info' shows" $command
done

# files with controls under any name
expect 0 'hero.json: fine' check hero.json
expect 2 "'hero.json' holds the controls of a body.*--body hero.json" bake hero.json
expect 2 "'hero.json' holds the controls of a body.*--body hero.json" run hero.json
echo '{"shape": "elastic", "quality": "draft"}' >elastic.json
expect 0 'elastic.json: shape 1, quality draft' rig worm.gltf --body elastic.json --save out.json -o x.png
echo '{"shape": "rubber"}' >rubber.json
expect 2 '"shape" is "rubber"; give "skinned", "elastic" or a number' rig worm.gltf --body rubber.json
echo '{}' >empty.json
expect 2 'a scene must have "sinew"' check empty.json

# a clip without a name has a number
expect 2 "clip '4' has frames 0..60 at 60 a second: frames 500..600 leave nothing" bake worm.gltf --clip 4 --frames 500..600

# names of the wrong kind
expect 2 "'c.png' is no rig.*--sheet takes no name: sheets are called as the result and the clip, as hero_soft.Walk.png. --film takes one" bake worm.gltf --sheet c.png
absent worm_soft.glb
expect 2 "--motion is given twice, as 'hop' and 'turn'; make two calls of it" bake worm.gltf --motion hop --motion turn
expect 2 "--motion is given twice" rig worm.gltf --motion=hop --motion hop
mkdir -p folder.d
expect 2 "'folder.d' is a folder: give the files in it, as in 'folder.d/\*.glb'" bake folder.d
expect 2 "'folder.d/' is a folder: give the files in it, as in 'folder.d/\*.glb'" rig folder.d/
cp "$SOURCE/scenes/clips/groove.bvh" .
for command in bake rig; do
    expect 2 "'groove.bvh' is no rig.*a .bvh file holds motion only: give a character, and this file with --motion" $command groove.bvh
    : >empty.glb
    expect 2 'empty.glb: it is empty, of 0 bytes: copying or exporting it failed; export the file again' $command empty.glb
done

# a clip without a name goes by its number
# shellcheck disable=SC2086
expect 0 '^  4 (two-way) ' bake worm.gltf $fast --clip 4 --two-way -o number.glb
expect 0 '^  4 (two-way)  ' info number.glb

# which clip is tried, and what becomes of several caches and still clips
expect 0 'one clip is tried, the first of the 3 that --clip means' rig worm.gltf --quality draft --clip all --save x.json -o x.png
expect 2 "or of a folder, which ends with /, found 'folder'" bake worm.gltf -o folder
# shellcheck disable=SC2086
expect 0 '^worm.gltf: wrote many/worm_Hop.pc2' bake worm.gltf $fast --clip all -o many/ --as pc2
for name in $(sed -n 's/^worm.gltf: wrote //p' out.log); do there "$name"; done
# shellcheck disable=SC2086
expect 0 'many/worm_Wave.pc2 and 2 more; 2 clips are left out: nothing moves there$' bake worm.gltf $fast --clip all -o many/ --as pc2 --report r.json
python3 - <<'END' || fail "the report lacks something: $(cat r.json)"
import json, os
file = json.load(open("r.json"))["files"][0]
assert len(file["files"]) == 3 and all(os.path.getsize(f) > 100 for f in file["files"])
assert sorted(c["name"] for c in file["clips"] if c["skipped"]) == ["Pose", "Still"]
clips = [c for c in file["clips"] if not c["skipped"]]
assert len(clips) == 3 and all(c["error_mm"] == c["error_percent"] == 0 for c in clips)
END

# how far shapes miss, by the size and by the movement
# shellcheck disable=SC2086
expect 0 'error (mm, %)  missed$' bake worm.gltf $fast --shapes 1 -o shapes.glb
also '^  Wave .* [0-9.e-]* [0-9.]*% *[0-9.]*%$'

# bones of a scene that its clip does not move
echo '{"sinew": 1, "characters": [{"character": "worm", "clip": {"file": "groove.bvh"}}]}' >clip.json
expect 0 "no joint of .groove.bvh. moves these bones, which keep their zero pose: " check clip.json
also 'clip.json: can be used as it is'

# several bakes of one rig in a picture
if "$SINEW" render worm.gltf --at 0 -o probe.png >/dev/null 2>&1; then
    expect 0 'wrote two.png' render worm.gltf --compare shapes.glb --compare shapes.glb --clip Wave --at 0.1 -o two.png
    there two.png
fi
expect 2 '--compare is given 4 times; up to 3' render worm.gltf --compare a.glb --compare b.glb --compare c.glb --compare d.glb -o x.png

exit $((failures > 0))
