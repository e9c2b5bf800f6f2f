#!/usr/bin/env bash
# SPDX-FileCopyrightText: 2026 The Sinew authors
# SPDX-License-Identifier: Apache-2.0
# label: full

# sinew rig and sinew bake on a rig of our own: what they print and write, which clips and controls they take, and what
# they say to mistakes.
set -u

# shellcheck source=tests/cli/expect.bash
. "$SOURCE/tests/cli/expect.bash"
also() { grep -q -- "$1" out.log || fail "no '$1' in: $(cat out.log)"; }
there() { [ -s "$1" ] || fail "$1 is missing"; }
absent() { [ ! -e "$1" ] || fail "$1 should not be there"; }

rm -rf work && mkdir work && cd work || exit 1
cp "$SOURCE/docs/examples/worm.gltf" .
fast='--quality draft --rate 24'

# the body: unit, table, outlook, picture, controls
expect 0 "0.6 units tall: taken as m, 0.6 m; --height says otherwise" rig worm.gltf --quality draft
also '^  soft region, by joint  *cells  *mass (kg)'
also '^  middle  *[0-9]* '
also '1 small part rides on the flesh under it'
also "tried clip 'Wave' for 1 s: flesh moves by up to"
also 'wrote worm.sinew.json'
also 'quality draft is for trying and is not kept'
there worm.sinew.json
grep -q 'wrote worm.sinew.png' out.log && there worm.sinew.png
expect 0 'worm.sinew.json: fine' check worm.sinew.json
grep -q '"damping": 0.2' worm.sinew.json || fail 'the controls are not in worm.sinew.json'
grep -q '"quality": "normal"' worm.sinew.json || fail 'a draft was saved'
expect 0 'worm.sinew.json: nothing but defaults' rig worm.gltf --quality draft
# options are laid over what was saved, and saved
printf '{"quality": "draft", "damping": 0.3}' >worm.sinew.json
expect 0 'worm.sinew.json: damping 0.3, quality draft$' rig worm.gltf --softness 4 --rigid top --rigid 'ro?t'
grep -q '"softness": 4' worm.sinew.json || fail 'the new softness was not saved'
grep -q '"quality": "draft"' worm.sinew.json || fail 'the old quality was not kept'
tr -d ' \n' <worm.sinew.json | grep -q '"rigid":\["top","ro?t"\]' || fail 'the patterns were not saved'
expect 0 '0.6 units tall, 1.2 m as --height says' rig worm.gltf --height 1.2 --save big.json -o big.png
there big.json
expect 0 '0.6 units tall, 1.2 m as saved' rig worm.gltf --body big.json --save big2.json -o big.png
cmp -s big.json big2.json || fail 'saved controls change when they are saved again'
expect 0 'you will see nothing: the largest movement is .* try --softness' rig worm.gltf --softness 50 --save x.json -o x.png
expect 0 'the limit will be hit in [0-9]* % of frames: try --limit' rig worm.gltf --clip Hop --softness 1 --limit 0.02 --save x.json -o x.png
rm -f worm.sinew.json

# a bake: the report, and the file is a rig that plays
# shellcheck disable=SC2086 # options
expect 0 "clip 'Wave' of 5; --clip takes 'Pose', 'Still', 'Hop', '4', or all" bake worm.gltf $fast
also '^  Wave  *25 '
also 'wrote worm_soft.glb'
there worm_soft.glb
absent worm_soft.glb.frames
absent worm.sinew.json
expect 0 'worm_soft.glb: fine' check worm_soft.glb
# shellcheck disable=SC2086
expect 0 "clip 'Pose' is left out: it is a single pose" bake worm.gltf $fast --clip all -o all.glb
also "clip 'Still' is left out: nothing moves in it"
for clip in Wave Hop 4; do also "^  $clip  *25 "; done
# shellcheck disable=SC2086
expect 0 '^  Hop  *25 ' bake worm.gltf $fast --clip 'h*' --clip 4 --clip hop -o some.glb
also '^  4  *25 '
[ "$(grep -c '^  Hop' out.log)" = 1 ] || fail 'a clip that was named twice was baked twice'
# shellcheck disable=SC2086
expect 0 'one for every frame' bake worm.gltf $fast --exact -o exact.glb
# shellcheck disable=SC2086
expect 0 'wrote again.glb' bake worm.gltf $fast --threads 1 -o again.glb
cmp -s worm_soft.glb again.glb || fail 'the result depends on the number of threads'
# shellcheck disable=SC2086
said=$("$SINEW" bake worm.gltf $fast --quiet -o quiet.glb 2>&1)
[ -z "$said" ] || fail "--quiet: '$said'"
# shellcheck disable=SC2086
expect 0 'wrote hop.glb' bake worm.gltf $fast --motion hop -o hop.glb
# shellcheck disable=SC2086
expect 0 'wrote ground.glb' bake worm.gltf $fast --clip Hop --ground --gravity 1 -o ground.glb
# shellcheck disable=SC2086
expect 0 'wrote five.glb' bake worm.gltf $fast --softness 5 -o five.glb
printf '{"softness": 3, "quality": "draft"}' >worm.sinew.json
expect 0 'worm.sinew.json: softness 3 Hz, quality draft$' bake worm.gltf --rate 24 -o soft.glb
cmp -s soft.glb worm_soft.glb && fail 'saved controls change nothing'
expect 0 'wrote same.glb' bake worm.gltf --rate 24 --softness 5 -o same.glb
cmp -s same.glb five.glb || fail 'options do not win over saved controls'
printf '{"softnes": 3}' >worm.sinew.json
expect 2 'worm.sinew.json: line 1, column 2: a body has no key "softnes"; did you mean "softness"?; mend or delete' bake worm.gltf
printf '{"rigid": ["tial"]}' >worm.sinew.json
expect 2 "no joint, mesh or material is called 'tial'.*controls of 'worm.sinew.json' are used" bake worm.gltf
rm worm.sinew.json
# advice: a line for each clip that needs one
# shellcheck disable=SC2086
expect 0 '^  Wave: you will see nothing' bake worm.gltf $fast --clip Wave --clip Hop --softness 50 -o stiff.glb
also '^  Hop: you will see '
# shellcheck disable=SC2086
expect 0 'shapes miss [0-9]* % of the movement' bake worm.gltf $fast --clip Hop --shapes 1 -o one.glb
# the first example of README: no warning
expect 0 'softness 5.5 Hz, chosen for a lively' bake worm.gltf --clip Hop -o readme.glb
grep -q 'try ' out.log && fail "the first example warns: $(cat out.log)"

# films of the difference, where pictures can be drawn
if "$SINEW" render worm.gltf --at 0 -o probe.png >out.log 2>&1; then
    # shellcheck disable=SC2086
    expect 0 'wrote film.png' bake worm.gltf $fast --clip Hop -o film.glb --film film.png
    expect 0 'wrote hop.png' render worm.gltf --compare hop.glb --clip '*hop*' --frames 2 --size 300x120 -o hop.png
    expect 0 "^clip 'Hop'" render worm.gltf --compare film.glb --at 0.5 -o at.png
    # shellcheck disable=SC2086
    expect 0 "the film is of 'Hop', which moves most" bake worm.gltf $fast --clip Wave --clip Hop -o two.glb --film two.png
    expect 0 'wrote at.png' render worm.gltf --compare film.glb --clip Hop --at 0.5 -o at.png
    # what was baked is seen
    "$SINEW" render worm.gltf --clip Hop --at 0.9 -o before.png >out.log 2>&1
    "$SINEW" render film.glb --clip Hop --at 0.9 -o after.png >out.log 2>&1
    cmp -s before.png after.png && fail 'a baked clip looks as it did before'
    expect 2 "film.glb: it has no clip 'Hip'; did you mean 'Hop'" render worm.gltf --compare film.glb --clip Hip -o x.png
    expect 2 'is for rigs' render starfish_bones --compare film.glb -o x.png
elif ! grep -q 'cannot draw' out.log; then
    fail "$(cat out.log)"
fi

# mistakes
expect 2 'which rig' bake
expect 2 'which rig' rig
expect 2 "cannot open 'none.glb'" bake none.glb
expect 2 "it has no clip 'Wawe'; did you mean 'Wave'" bake worm.gltf --clip Wawe
expect 2 'nothing moves in what --clip names.*--motion hop' bake worm.gltf --clip Still --clip Pose
expect 2 "would both become .worm_soft.glb" bake worm.gltf worm.gltf
cp all.glb input.glb
for name in input.glb ./input.glb; do
    expect 2 'is the rig itself, which is never overwritten' bake input.glb -o $name
done
cmp -s all.glb input.glb || fail 'the input was changed'
expect 2 "there is no folder 'nowhere/'" bake worm.gltf -o nowhere/x.glb
expect 2 "there is no folder 'nowhere/'" bake worm.gltf -o x.glb --film nowhere/x.mp4
expect 2 'ends with .glb' bake worm.gltf -o x.txt
expect 2 "add '--film x.mp4'" bake worm.gltf -o x.mp4
expect 2 'ends with .mp4 or .png' bake worm.gltf --film x.avi
expect 2 '--softness takes a number in 0.5..50' bake worm.gltf --softness 1e9
expect 2 '--softness takes a number' bake worm.gltf --softness soft
expect 2 "no option '--softnes'; did you mean --softness" bake worm.gltf --softnes 3
expect 2 "no option '--sotfness'; did you mean --softness" bake worm.gltf --sotfness=3
expect 2 '--clip needs a value' bake worm.gltf --clip
expect 2 '--clip needs a value' bake worm.gltf --clip --softness 3
expect 2 '--softness takes a number in 0.5..50' bake worm.gltf --softness=100
expect 2 '--exact takes no value' bake worm.gltf --exact=1
expect 2 'worm_soft.glb. is baked already.*--clip all' bake worm_soft.glb
expect 2 'do not go together' bake worm.gltf --clip Wave --motion hop
expect 2 '--motion takes hop, shake or turn' bake worm.gltf --motion jump
expect 2 'do not go together' bake worm.gltf --exact --shapes 4
expect 2 'do not go together' bake worm.gltf --loop --no-loop
expect 2 '--quality takes draft, normal or fine' bake worm.gltf --quality best
expect 2 "no joint, mesh or material is called 'tial'" bake worm.gltf --rigid tial
printf 'FBXHeaderExtension:  {\n\tFBXVersion: 6100\n}\n' >hero.fbx
# what is wrong with it, or that this build has no Assimp
expect 2 'save it as FBX 2011 or newer\|install libassimp-dev' bake hero.fbx
expect 2 "is no rig" bake hero.obj
expect 2 'ends with .png' rig worm.gltf -o x.glb
expect 2 'ends with .json' rig worm.gltf --save x.txt
printf junk >junk.glb
expect 2 'junk.glb: ' bake junk.glb
sed 's/"animations":\[.*\],"accessors"/"accessors"/' worm.gltf >still.gltf
expect 2 "has no clips; '--motion hop', shake or turn" bake still.gltf
expect 0 "tried the motion 'hop'" rig still.gltf --quality draft
# a scene goes to sinew run
expect 0 'simulated' bake "$SOURCE/docs/examples/pendulum.json" -o pendulum.csv
there pendulum.csv
expect 2 'is a scene' bake starfish_fall
absent x.glb

exit $((failures > 0))
