#!/usr/bin/env bash
# SPDX-FileCopyrightText: 2026 The Sinew authors
# SPDX-License-Identifier: Apache-2.0
# label: full

# sinew check on animations and single surfaces: what is in them, what is wrong with them by number of frame, and exit
# codes. Meshes are in mesh.sh, scenes in call.sh.
set -u

# shellcheck source=tests/cli/expect.bash
. "$SOURCE/tests/cli/expect.bash"
# FROM TO OFFSET BYTES: a copy with other bytes at a place
spoil() {
    cp "$1" "$2"
    printf %b "$4" | dd of="$2" bs=1 seek="$3" conv=notrunc status=none
}

rm -rf work && mkdir work && cd work || exit 1

# the corner of a cube as a body, and its animations: the start, then 12 frames
printf 'v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n' >corner.obj
for kind in glb pc2 mdd; do
    expect 0 "^wrote a.$kind" run corner.obj --cells 20 --duration 0.2 -o a.$kind
    expect 0 "^a.$kind: ${kind^^}, 13 frames, 0 .. 0.2 s" check a.$kind
    expect 0 "^a.$kind: ${kind^^}, 13 frames, 0 .. 0.2 s" info a.$kind
    expect 0 '^  [a-z]*: 4 vertices' check a.$kind
    expect 0 "^a.$kind: fine" check a.$kind
    head -c 200 a.$kind >cut.$kind
    expect 2 "cut.$kind: it has 200 bytes, but .* cut off.* again" check cut.$kind
done
expect 0 '4 vertices, 4 triangles' check a.pc2 --mesh corner.obj
printf 'OFF\n3 1 0\n0 0 0\n1 0 0\n0 1 0\n3 0 1 2\n' >triangle.off
expect 2 'a.pc2: it has 4 points, the mesh 3 vertices; give the mesh' check a.pc2 --mesh triangle.off
expect 2 '--mesh is for animations' check corner.obj --mesh corner.obj
expect 0 '^wrote corner.stl' run corner.obj --cells 20 --duration 0 -o corner.stl --last
expect 2 'corner.stl: STL keeps no order of vertices.* give the mesh as .obj, .ply or .off' check a.pc2 --mesh corner.stl
# a ball, and the same with its vertices in another order
expect 0 '^wrote star.pc2' run starfish_coarse --duration 0 -o star.pc2
expect 0 '^wrote star.obj' run starfish_coarse --duration 0 -o star.obj --last
awk '/^v / { v[++n] = $0; next } /^vn/ { next } n && !done { for (i = 1; i <= n; ++i) print v[1 + i * 7 % n]; done = 1 } 1' star.obj >mixed.obj
expect 0 'star.pc2: fine' check star.pc2 --mesh star.obj
expect 0 '[0-9]* % of the mesh.s edges have quite other lengths at the first frame' check star.pc2 --mesh mixed.obj
expect 0 'star.pc2: can be used as it is' check star.pc2 --mesh mixed.obj
expect 0 'quite other lengths' info star.pc2 --mesh mixed.obj
expect 2 'triangles of its own' check a.glb --mesh corner.obj
expect 0 '13 frames, 0 .. 0.4 s' check a.pc2 --rate 30
expect 2 "cannot open 'none.mdd'" check none.mdd

# what starts in something else
cat >over.json <<'JSON'
{"sinew": 1, "ground": true,
 "characters": [{"character": "starfish_coarse", "position": [0, 0.3, 0]},
                {"character": "starfish_coarse", "position": [0.2, 0.33, 0.1]},
                {"character": "worm", "position": [0, -0.02, 3]}],
 "obstacles": [{"name": "crate", "shape": {"box": [0.1, 0.1, 0.1]}, "position": [0.3, 0.3, 0], "mass": 2},
               {"name": "far", "shape": {"box": [0.1, 0.1, 0.1]}, "position": [9, 0.3, 0]}]}
JSON
expect 0 "'starfish_coarse' (character 0) starts [0-9.]* mm deep in 'starfish_coarse' (character 1)" check over.json
expect 0 "'starfish_coarse' (character 1) starts [0-9.]* mm deep in 'crate' (obstacle 0): move one" check over.json
expect 0 "'worm' (character 2) starts [0-9.]* mm deep in the ground: lift it" check over.json
grep -q "'far'" out.log && fail "an obstacle that nothing touches: $(cat out.log)"
expect 0 'over.json: can be used as it is' check over.json
sed -E 's/"position": \[0.2, 0.33, 0.1\]/"position": [5, 0.3, 5]/; s/-0.02, 3/0.3, 3/; s/\[0.3, 0.3, 0\], "mass"/[9, 1, 0], "mass"/' over.json >apart.json
expect 0 'apart.json: fine' check apart.json
# motion capture that does not fit, or is not there
cp "$SOURCE/scenes/clips/groove.bvh" .
for who in starfish_coarse:groove fatman:none; do
    echo '{"sinew": 1, "characters": [{"character": "'${who%:*}'", "clip": {"file": "'${who#*:}'.bvh"}}]}' >clip.json
    expect 2 "clip.json: line 1, column [0-9]*: " check clip.json
done
grep -q "cannot open 'none.bvh'" out.log || fail "a clip that is not there: $(cat out.log)"
expect 2 "no bone of the character ('hub', .* fits a joint of the clip ('Hips', .*mapping file" run starfish_coarse --clip groove.bvh
expect 0 "moves little of this character: no joint fits '" run worm --clip groove.bvh --duration 0.02

# numbers that are none, of 48 bytes a frame after 32 of the header
spoil a.pc2 nan1.pc2 $((32 + 48 * 3 + 12)) '\0\0\300\177'
expect 2 'nan1.pc2: frame 3: a coordinate is not finite.*(1 of 13 frames, first at point 1)' check nan1.pc2
spoil nan1.pc2 nan2.pc2 $((32 + 48 * 11)) '\0\0\200\177'
expect 2 'nan2.pc2: frames 3, 11: .*(2 of 13 frames' check nan2.pc2
expect 2 'nan2.pc2: frames 3, 11: ' render nan2.pc2 -o x.png
# a header that promises more, or less, than is there
spoil a.pc2 more.pc2 28 '\016'
expect 2 'more.pc2: it has 656 bytes, but 14 frames of 4 points.* take 704: it is cut off' check more.pc2
spoil a.pc2 less.pc2 28 '\014'
expect 2 'less.pc2: .* take 608: the header is wrong' check less.pc2
# times: that of frame 5 before that of frame 4, at the same time, and frames that seem to lack
spoil a.mdd back.mdd 28 '\0\0\0\0'
expect 2 'back.mdd: frame 5: its time, 0 s, is not finite, or before 0.0666667 s' check back.mdd
cp a.mdd same.mdd
dd if=a.mdd of=same.mdd bs=1 skip=24 seek=28 count=4 conv=notrunc status=none
expect 0 '1 frame is at the time of the one before, the first is 5' check same.mdd
expect 0 'same.mdd: can be used as it is' check same.mdd
spoil a.mdd gap.mdd 56 '\077\200\0\0'
expect 0 'apart, most before frame 12; are some missing there' check gap.mdd

# surfaces: a file per frame, or the last frame as one file
for kind in obj ply off stl; do
    expect 0 "^wrote f_0000.$kind .. f_0012.$kind (13 files)" run corner.obj --cells 20 --duration 0.2 -o f.$kind
    expect 0 "^wrote last.$kind" run corner.obj --cells 20 --duration 0.2 -o last.$kind --last
    cmp f_0012.$kind last.$kind || failures=$((failures + 1))
    [ ! -e last_0000.$kind ] || { echo "last_0000.$kind is there" >&2; failures=$((failures + 1)); }
    expect 0 '4 vertices, 4 triangles; ' check last.$kind
    expect 0 "last.$kind: fine" check last.$kind
done
expect 0 '^wrote one.glb' run corner.obj --cells 20 --duration 0.2 -o one.glb --last
expect 0 '^one.glb: GLB, 1 frame, 0 .. 0 s' check one.glb
expect 0 '^wrote b.vtu and b.vtp$' run corner.obj --cells 20 --duration 0.2 -o b.vtu --last
[[ -s b.vtu && -s b.vtp && ! -e b.pvd ]] || { echo "-o b.vtu --last writes $(ls b.* b_*)" >&2; failures=$((failures + 1)); }
expect 0 '^wrote c.pvd, c_0000.vtu .. c_0012.vtu and c_0000.vtp .. c_0012.vtp (27 files)$' run corner.obj --cells 20 --duration 0.2 -o c.pvd
[ "$(find . -name 'c[._]*' | wc -l)" = 27 ] || { echo "not 27 files" >&2; failures=$((failures + 1)); }
expect 2 '--last is for files' run corner.obj --last
expect 2 '--last is for files' run corner.obj --last -o x.png
[ -z "$(find . -name '*tmp*')" ] || { echo "temporary files are left" >&2; failures=$((failures + 1)); }

echo "$failures failures"
[ $failures = 0 ]
