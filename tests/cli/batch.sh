#!/usr/bin/env bash
# SPDX-FileCopyrightText: 2026 The Sinew authors
# SPDX-License-Identifier: Apache-2.0
# label: full

# sinew bake of several rigs: where results go, what is said and reported, and that nothing that goes wrong with one, be
# it a bad file, a kill or Ctrl-C, spoils another.
set -u

# shellcheck source=tests/cli/expect.bash
. "$SOURCE/tests/cli/expect.bash"
also() { grep -q -- "$1" out.log || fail "no '$1' in: $(cat out.log)"; }
there() { [ -s "$1" ] || fail "$1 is missing"; }
absent() { [ ! -e "$1" ] || fail "$1 should not be there"; }
# of a report: an expression in r, its files
report() { python3 -c "import json, sys; r = json.load(open('$1'))['files']; sys.exit(not ($2))" || fail "$1: not $2: $(cat "$1")"; }

rm -rf work && mkdir -p work/other && cd work || exit 1
for name in a b c other/b; do cp "$SOURCE/docs/examples/worm.gltf" $name.gltf; done
printf junk >bad.glb
fast='--quality draft --rate 24'

# one result each, the same bits as alone; the bad one is named, and stops nobody
# shellcheck disable=SC2086 # options
expect 1 '^  bad.glb .* FAILED: bad.glb: it is no GLB' bake a.gltf bad.glb b.gltf -o deep/out/ $fast --jobs 2 --report r.json
also '^sinew: 1 of 3 files failed'
also '^a.gltf:   Wave  *25 '
also '^bad.glb: sinew: bad.glb: it is no GLB'
also '^  b.gltf  *1  *[0-9]* .* deep/out/b.glb$'
# shellcheck disable=SC2086
expect 0 'wrote alone.glb' bake a.gltf $fast -o alone.glb
for name in a b; do cmp -s alone.glb deep/out/$name.glb || fail "$name has other bits than alone"; done
absent deep/out/bad.glb
report r.json '[f["input"] for f in r] == ["a.gltf", "bad.glb", "b.gltf"] and [f["exit_code"] for f in r] == [0, 2, 0]'
report r.json '"no GLB" in r[1]["error"] and r[0]["error"] is None and r[1]["clips"] == []'
report r.json 'r[0]["output"] == "deep/out/a.glb" and r[0]["cells"] > 100 and 0 < r[0]["step_s"] < 0.1'
report r.json 'r[0]["unit_m"] == 1 and r[0]["softness_hz"] == 5.5 and r[0]["shapes"] >= r[0]["shapes_active"] > 0 and r[0]["joints"] == 0'
report r.json 'len(r[0]["warnings"]) == 1 and "Wave: you will see little" in r[0]["warnings"][0] and r[1]["warnings"] == []'
report r.json 'r[0]["clips"][0]["name"] == "Wave" and r[0]["clips"][0]["frames"] == 25'
report r.json 'all(r[2]["clips"][0][k] >= 0 for k in "seconds seconds_per_second largest_mm largest_percent median_mm median_percent limited_share guard seam_mm error_mm".split())'

# names: beside the rigs, with a suffix, a report of one, some frames
# shellcheck disable=SC2086
expect 0 ' other/b_soft.glb$' bake a.gltf other/b.gltf $fast --frames 4..9
there a_soft.glb
also '^a.gltf:   Wave  *6 '
# shellcheck disable=SC2086
expect 0 ' out/a_x.glb$' bake a.gltf $fast --suffix _x -o out/ --clip Hop --report one.json
report one.json 'r[0]["clips"][0]["name"] == "Hop"'
# shellcheck disable=SC2086
expect 0 'wrote a_y.glb' bake a.gltf $fast --suffix _y --frames 2..4
# shellcheck disable=SC2086
said=$("$SINEW" bake a.gltf b.gltf $fast --quiet --frames 0..2 -o quiet 2>&1)
[ -z "$said" ] || fail "--quiet: '$said'"
there quiet/b.glb

# point caches, for which --resume knows from their script whether they are finished
# shellcheck disable=SC2086
expect 0 ' caches/b.pc2$' bake a.gltf b.gltf $fast --frames 0..2 -o caches --as pc2
there caches/a_apply_in_blender.py
there caches/b.pc2
# shellcheck disable=SC2086
expect 0 '^  b.gltf .* kept caches/b.pc2$' bake a.gltf b.gltf $fast --frames 0..2 -o caches --as pc2 --resume
# shellcheck disable=SC2086
expect 0 'wrote alone_apply_in_blender.py' bake a.gltf $fast --frames 0..2 -o alone.mdd
expect 0 'alone.mdd' info alone.mdd
expect 2 '--as takes shapes' bake a.gltf --as jelly
expect 2 "'--as pc2' writes a .pc2 file, but -o says 'x.glb'" bake a.gltf --as pc2 -o x.glb
expect 2 'ends with .glb, .pc2 or .mdd, whatever the rig is' bake a.gltf -o x.obj
expect 2 '--sheet is for .glb files' bake a.gltf -o x.pc2 --sheet

# sheets, where pictures can be drawn
if "$SINEW" render a.gltf --at 0 -o probe.png >out.log 2>&1; then
    # shellcheck disable=SC2086
    expect 0 'wrote sheets/b.Hop.png' bake a.gltf b.gltf $fast --frames 0..6 --clip Hop --clip Wave -o sheets --sheet
    there sheets/a.Wave.png
    # the first moment and others of the frames that were baked, of which frame 6 is at 0.25 s
    # shellcheck disable=SC2086
    expect 0 '^wrote part.Wave.png: at 0.25, .*, 0.[34][0-9] s$' bake a.gltf $fast --frames 6..12 --clip Wave -o part.glb --sheet
    # shellcheck disable=SC2086
    expect 0 '^wrote part.png: at 0.25, ' bake a.gltf $fast --frames 6..12 --clip Wave -o part.glb --film part.png
fi

# mistakes, told before anything starts
expect 2 "'b.gltf' and 'other/b.gltf' would both become 'none/b.glb'" bake a.gltf b.gltf other/b.gltf -o none/
cp alone.glb c.glb
expect 2 "'./c.glb' is one of the rigs, which are never overwritten" bake a.gltf c.glb -o .
expect 2 "'./c.glb' is one of the rigs, which are never overwritten" bake c.gltf c.glb a.gltf -o ./
cmp -s alone.glb c.glb || fail 'an input was changed'
expect 2 "give '-o OUT/', not 'x.glb'" bake a.gltf b.gltf -o x.glb
expect 2 '--film is for one rig' bake a.gltf b.gltf -o none/ --film x.png
expect 2 '--jobs takes a whole number' bake a.gltf b.gltf -o none/ --jobs 1.5
expect 2 "cannot write 'nowhere/r.json'" bake a.gltf b.gltf --report nowhere/r.json -o out2/
expect 2 '--frames takes the first and a later frame' bake a.gltf --frames 9..4
expect 2 '--frames takes the first and a later frame' bake a.gltf --frames 9
expect 2 'has frames 0..24 at 24 a second: frames 90..99 leave nothing' bake a.gltf --rate 24 --frames 90..99 -o x.glb
expect 2 '--report takes a name that ends with .json' bake a.gltf --report a.gltf
cmp -s a.gltf "$SOURCE/docs/examples/worm.gltf" || fail 'a report took the place of a rig'
expect 2 "--suffix is for results in a folder" bake a.gltf --suffix _x -o x.glb
touch file
expect 2 "and 'file' is none" bake a.gltf b.gltf -o file
absent none
absent x.glb

# one process is killed: the others go on
# shellcheck disable=SC2086
long=("$SINEW" bake a.gltf b.gltf c.gltf --quality draft --rate 120 --clip all --threads 1)
"${long[@]}" -o whole/ >whole.log 2>&1 || fail "a batch: $(cat whole.log)"
"${long[@]}" -o killed/ --report k.json >killed.log 2>&1 &
pid=$!
for _ in $(seq 300); do
    [ -s killed/a.glb.frames ] && break
    sleep 0.02
done
kill -9 "$(pgrep -P $pid | head -n 1)"
wait $pid
[ $? = 1 ] || fail "not exit code 1 after a process was killed: $(cat killed.log)"
report k.json '"signal 9" in r[0]["error"] and [f["exit_code"] for f in r] == [1, 0, 0]'
cmp -s whole/c.glb killed/c.glb || fail 'a kill changes another file'

# Ctrl-C: what was made till then can be used, nothing more is begun, --resume goes on
"${long[@]}" -o stopped/ --jobs 2 >stopped.log 2>&1 &
pid=$!
for _ in $(seq 300); do
    [ -s stopped/a.glb.frames ] && [ -s stopped/b.glb.frames ] && break
    sleep 0.02
done
kill -INT $pid
wait $pid
[ $? = 1 ] || fail "not exit code 1 after Ctrl-C: $(cat stopped.log)"
grep -q '3 of 3 files are not finished; the same call with --resume goes on' stopped.log || fail "Ctrl-C: $(cat stopped.log)"
grep -q '^  c.gltf .* not begun$' stopped.log || fail "something was begun after Ctrl-C: $(cat stopped.log)"
for name in a b; do expect 0 "$name.glb: fine" check stopped/$name.glb; done
cp whole/c.glb whole/.sinew_bakes stopped/
"${long[@]}" -o stopped/ --jobs 2 --resume --report resumed.json >resumed.log 2>&1 || fail "--resume: $(cat resumed.log)"
report resumed.json '[f["kept"] for f in r] == [False, False, True]'
for name in a b c; do cmp -s whole/$name.glb stopped/$name.glb || fail "$name: other bits after --resume"; done

# finished results stay only if they were made with the same options, of the same rig and controls
again() { # PATTERN KEPT OPTION...: the same call once more
    local pattern=$1 kept=$2
    shift 2
    # shellcheck disable=SC2086
    expect 0 "$pattern" bake a.gltf b.gltf $fast --frames 0..2 -o again --resume --report again.json "$@"
    report again.json "[f['kept'] for f in r] == $kept"
}
again '^  b.gltf ' '[False, False]'
again '^  b.gltf .* kept again/b.glb$' '[True, True]'
again '^a.gltf: again/a.glb was made with other options, .* have changed; it is made anew$' '[False, False]' --softness 4
again '^  a.gltf .* kept ' '[True, True]' --softness 4 --jobs 2 --threads 1
again 'was made with other options' '[False, False]' --softness 4 --clip Hop
again 'was made with other options' '[False, False]'
echo '{"damping": 0.3}' >b.sinew.json
again '^b.gltf: again/b.glb was made with other options, or the rig or its controls have changed' '[True, False]'
echo '{"damping": 0.4}' >b.sinew.json
again 'it is made anew' '[True, False]'
sed 's/"worm.py"/"worm.pi"/' a.gltf >a2.gltf && mv a2.gltf a.gltf
again '^a.gltf: again/a.glb was made' '[False, True]'
rm again/.sinew_bakes
again 'again/b.glb is there, but nothing says with which options it was made; it is made anew' '[False, False]'

exit $((failures > 0))
