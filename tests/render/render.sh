#!/usr/bin/env bash
# SPDX-FileCopyrightText: 2026 The Sinew authors
# SPDX-License-Identifier: Apache-2.0
# label: full

# sinew render, and sinew run to pictures and films: files that other programs read, with the character in them.
set -u

failures=0
complain() {
    echo "$*" >&2
    failures=$((failures + 1))
}
code=0
sinew() {
    code=0
    "$SINEW" "$@" >out.log 2>err.log </dev/null || code=$?
}

rm -rf work && mkdir work
sinew render starfish_bones --at 0 -o work/probe.png
if [ $code = 2 ] && grep -q 'cannot draw' err.log; then
    grep -qi install err.log || { echo "the complaint names no remedy: $(cat err.log)" >&2; exit 1; }
    echo "SKIP: $(cat err.log)"
    exit 77
fi
[ $code = 0 ] || { cat err.log >&2; exit 1; }
command -v python3 >/dev/null || { echo "SKIP: python3, which reads the pictures, is missing"; exit 77; }

# a decoder of its own, with zlib and checksums from Python's library
cat >work/look.py <<'PY'
"""look.py FILE WIDTH HEIGHT [MARGIN]: checks a PNG; with a margin, that one character is inside it. Without
one, of large pictures, which take seconds to decode in Python, the upper part."""
import struct, sys, zlib

def read(path):
    data = open(path, "rb").read()
    assert data[:8] == b"\x89PNG\r\n\x1a\n", "no PNG"
    at, kinds, packed = 8, [], b""
    while at < len(data):
        count, kind = struct.unpack(">I4s", data[at:at + 8])
        body = data[at + 8:at + 8 + count]
        assert struct.unpack(">I", data[at + 8 + count:at + 12 + count])[0] == zlib.crc32(kind + body), "CRC"
        kinds.append(kind)
        if kind == b"IHDR":
            width, height, *rest = struct.unpack(">IIBBBBB", body)
            assert rest == [8, 2, 0, 0, 0], rest
        packed += body if kind == b"IDAT" else b""
        at += 12 + count
    assert kinds[0] == b"IHDR" and kinds[-1] == b"IEND", kinds
    raw, stride, rows, last = zlib.decompress(packed), 3 * width + 1, [], bytearray(3 * width)
    assert len(raw) == stride * height, "size of the data"
    for y in range(height if len(sys.argv) > 4 else min(height, 400000 // width)):
        kind, row = raw[y * stride], bytearray(raw[y * stride + 1:(y + 1) * stride])
        assert kind in (2, 4), kind
        up = 3 if kind == 4 else 3 * width
        row[:up] = bytes((x + b) & 255 for x, b in zip(row[:up], last))
        for i in range(up, 3 * width):
            a, b, c = row[i - 3], last[i], last[i - 3]
            pa, pb, pc = abs(b - c), abs(a - c), abs(a + b - 2 * c)
            row[i] = (row[i] + (a if pa <= pb and pa <= pc else b if pb <= pc else c)) & 255
        rows.append(row)
        last = row
    return width, height, rows

width, height, rows = read(sys.argv[1])
assert [width, height] == [int(x) for x in sys.argv[2:4]], (width, height)
pixels = [p for row in rows for p in zip(row[::3], row[1::3], row[2::3])]
colours = len(set(pixels))
assert colours > 300, f"only {colours} colours"
if len(sys.argv) > 4:
    # characters are orange, everything else is grey or bluish
    body = [(i % width, i // width) for i, (r, g, b) in enumerate(pixels) if r > b + 40]
    part = len(body) / len(pixels)
    assert part > 0.002, f"the character covers {100 * part:.3f} % of the picture"
    margin = int(sys.argv[4])
    xs, ys = [x for x, _ in body], [y for _, y in body]
    room = min(min(xs), min(ys), width - 1 - max(xs), height - 1 - max(ys))
    assert room >= margin, f"the character is {room} pixels from the border"
PY
look() {
    python3 work/look.py "$@" || complain "look $*: see above"
}

# one picture, in all views and by all cameras
look work/probe.png 960 720 20
for view in iso front side top back right; do
    sinew render ragdoll --at 0.3 --view $view --size 320x240 -o work/$view.png
    [ $code = 0 ] || complain "--view $view: $(cat err.log)"
    look work/$view.png 320 240 6
done
for view in front side top back right; do
    cmp -s work/iso.png work/$view.png && complain "--view $view is --view iso"
done
sinew render ragdoll --at 0 --size 320x240 --eye 1,1.2,5 --target 0,1,0 -o work/fixed.png
look work/fixed.png 320 240 0
sinew render ragdoll --at 0.3 --view left --size 320x240 -o work/left.png
cmp work/side.png work/left.png || complain "--view left is not --view side"
# half as large and nearer, both with the character in the middle
sinew render ragdoll --at 0.3 --zoom 0.5 --size 320x240 -o work/small.png
look work/small.png 320 240 50
sinew render ragdoll --at 0.3 --zoom 2 --size 320x240 -o work/large.png
[ $code = 0 ] || complain "--zoom 2: $(cat err.log)"
cmp -s work/large.png work/iso.png && complain "--zoom 2 does nothing"

# the same bits each time
sinew render ragdoll --at 0.3 --size 320x240 -o work/again.png
cmp work/iso.png work/again.png || complain "the same picture differs"

# sheets: 4 x 3 pictures with margins and labels; full rows of small ones
sinew render starfish_bones -o work/sheet.png
grep -q 'wrote work/sheet.png' out.log || complain "sheet: $(cat err.log)"
look work/sheet.png 1970 1192
sinew render ragdoll --frames 3 --size 160x120 --camera follow -o work/small.png
look work/small.png 520 157
sinew render ragdoll --frames 4 --size 160x120 -o work/four.png
look work/four.png 350 304
sinew render ragdoll --frames 8 --size 160x120 -o work/eight.png
look work/eight.png 690 304
if command -v file >/dev/null; then
    file work/sheet.png | grep -q 'PNG image data, 1970 x 1192, 8-bit/color RGB, non-interlaced' ||
        complain "file says: $(file work/sheet.png)"
fi

# a coarse starfish, which is soon simulated, on the ground
cat >work/fall.json <<'JSON'
{"sinew": 1, "duration": 0.5, "ground": true, "characters": [{"character": "starfish_coarse", "position": [0, 0.15, 0]}]}
JSON
sed 's/"ground": true/"gravity": [0, 0, 0]/' work/fall.json >work/float.json

# flesh: the surface, and what is inside it; all looks differ; the camera leaves room around it
looks="surface wire stretch bones mesh fill mass contacts surface,bones surface,mesh surface,mass"
for show in $looks; do
    sinew render work/fall.json --at 0.4 --size 160x120 --show "$show" -o "work/$show.png"
    [ $code = 0 ] || complain "--show $show: $(cat err.log)"
    look "work/$show.png" 160 120
    for other in $looks; do
        [ "$other" = "$show" ] && break
        cmp -s "work/$other.png" "work/$show.png" && complain "--show $show is --show $other"
    done
done
look work/surface.png 160 120 3
sinew render work/fall.json --at 0.4 --size 160x120 --show stretch --range 0.95,1.05 -o work/range.png
[ $code = 0 ] || complain "--range: $(cat err.log)"
cmp -s work/stretch.png work/range.png && complain "--range does nothing"
# a built-in character is dropped
sinew render starfish_coarse --at 0.1 --height 0.1 --size 160x120 -o work/dropped.png
look work/dropped.png 160 120 3
sinew render work/fall.json --at 0.4 --size 160x120 -o work/default.png
cmp work/surface.png work/default.png || complain "flesh is not shown by its surface"

# what goes far is followed, not made tiny: the character keeps a twentieth of each of two pictures
cat >work/far.json <<'JSON'
{"sinew": 1, "duration": 2, "characters": [{"character": "starfish_coarse", "velocity": [20, 8, 0]}]}
JSON
sinew render work/far.json --frames 2 --size 160x120 -o work/far.png
[ $code = 0 ] || complain "far: $(cat err.log)"
python3 - <<'PY' || complain "what goes far: see above"
import sys
sys.argv = ["", "work/far.png", "350", "157"]
exec(open("work/look.py").read())
for first in 10, 180:
    body = [1 for row in rows[10:130] for x in range(first, first + 160) if row[3 * x] > row[3 * x + 2] + 40]
    assert len(body) > 160 * 120 / 20, f"{len(body)} pixels of the character"
PY

# side by side: scenes and animations, in any pair; the same thing twice gives the same picture twice
sinew run work/fall.json -o work/star.glb
sinew run work/fall.json -o work/star.pc2
for pair in work/fall.json,work/float.json work/fall.json,work/star.glb work/star.glb,work/fall.json \
    work/star.glb,work/star.pc2; do
    sinew render "${pair%,*}" --beside "${pair#*,}" --at 0.4 --size 484x204 -o work/pair.png
    [ $code = 0 ] || complain "$pair: $(cat err.log)"
    same=0
    case $pair in *glb,*fall.json | *fall.json,*glb) same=1 ;; esac
    python3 - work/pair.png $same <<'PY' || complain "beside, $pair: see above"
import sys
sys.argv[1:], same = [sys.argv[1], "484", "204"], sys.argv[2] == "1"
exec(open("work/look.py").read())
halves = [[tuple(row[3 * x:3 * x + 3]) for row in rows[:180] for x in range(first, first + 240)] for first in (0, 244)]
for half in halves:
    part = sum(r > b + 40 for r, g, b in half) / len(half)
    assert part > 0.01, f"a character covers {100 * part:.3f} % of its half"
ink = [sum(max(row[3 * x:3 * x + 3]) < 120 for row in rows[185:] for x in range(first, first + 240)) for first in (0, 244)]
assert min(ink) > 50, "no names under the pictures"
apart = sum(max(abs(a - b) for a, b in zip(p, q)) > 24 for p, q in zip(*halves)) / len(halves[0])
assert apart < 0.005 if same else apart > 0.005, f"the halves differ in {100 * apart:.2f} % of their pixels"
PY
done
sinew render starfish_fall --beside starfish_float --frames 2 --duration 0.2 -o work/beside.png
look work/beside.png 980 798
sinew run starfish_fall --duration 0.2 -o work/flesh.png
[ $code = 0 ] || complain "run -o .png: $(cat err.log)"
look work/flesh.png 1970 1192

# films
if command -v ffmpeg >/dev/null; then
    for camera in fit follow orbit; do
        sinew render starfish_bones --duration 0.3 --camera $camera --size 320x240 --fps 10 -o "work/a b:$camera.mp4"
        [ $code = 0 ] || complain "film, $camera: $(cat err.log)"
        ffmpeg -v error -y -i "file:work/a b:$camera.mp4" -f rawvideo -pix_fmt rgb24 work/film.rgb </dev/null
        [ "$(wc -c <work/film.rgb)" = $((4 * 320 * 240 * 3)) ] || complain "film, $camera: not 4 pictures of 320 x 240"
        rm -f work/film.rgb
    done
    sinew run starfish_bones --duration 0.1 -o work/run.mp4
    [ $code = 0 ] && [ -s work/run.mp4 ] || complain "run -o .mp4: $(cat err.log)"
    sinew render ragdoll --size 321x240 -o work/odd.mp4
    [ $code = 2 ] && grep -q even err.log || complain "an odd width: code $code, $(cat err.log)"
    # Ctrl-C: what there is becomes a film
    trap - INT
    set -m
    "$SINEW" render starfish_swarm --duration 80000 --fps 1 --size 64x48 -o work/stopped.mp4 >out.log 2>err.log </dev/null &
    job=$!
    sleep 2
    kill -INT $job
    code=0
    wait $job || code=$?
    set +m
    [ $code = 1 ] && grep -q 'stopped at' err.log && [ -s work/stopped.mp4 ] ||
        complain "interrupted: code $code, $(cat err.log)"
    # a second one, while it is drawn: the film ends there
    set -m
    "$SINEW" render starfish_bones --duration 20 --size 640x480 -o work/ended.mp4 >out.log 2>err.log </dev/null &
    job=$!
    for _ in $(seq 200); do
        sleep 0.1
        grep -q ' pictures ' err.log && break
    done
    kill -INT $job
    code=0
    wait $job || code=$?
    set +m
    [ $code = 1 ] && grep -qE "stopped while drawing: 'work/ended.mp4' has the first [0-9]+ of [0-9]+ frames" err.log ||
        complain "interrupted while drawing: code $code, $(cat err.log)"
    ffprobe -v error work/ended.mp4 2>err.log && [ ! -s err.log ] || complain "the film that was ended: $(cat err.log)"
else
    echo "SKIP: ffmpeg is missing, so films are not tested"
fi
# without ffmpeg the complaint names it
code=0
PATH=/nowhere "$SINEW" render ragdoll --duration 0.1 -o work/none.mp4 >out.log 2>err.log </dev/null || code=$?
[ $code = 2 ] && grep -q 'install ffmpeg' err.log || complain "no ffmpeg: code $code, $(cat err.log)"

# wrong calls: 2, at once
mkdir work/folder.png
refused() { # PATTERN ARGUMENT...
    local pattern=$1
    shift
    sinew render "$@"
    [ $code = 2 ] || complain "render $*: code $code, not 2"
    grep -q -- "$pattern" err.log || complain "render $*: $(cat err.log)"
    [ ! -s out.log ] || complain "render $*: stdout is not empty"
}
refused 'ends with .png or .mp4' ragdoll
refused "found 'work/a.gif'" ragdoll -o work/a.gif
refused 'which scene' -o work/a.png
refused "'rag'" rag -o work/a.png
refused "cannot write 'work/none/a.png'" ragdoll -o work/none/a.png
refused 'it is a folder' ragdoll -o work/folder.png
refused '--size takes' ragdoll -o work/a.png --size 100
refused '16..4096' ragdoll -o work/a.png --size 9999x100
refused '--camera takes fit, follow or orbit' ragdoll -o work/a.png --camera pan
refused '--view takes' ragdoll -o work/a.png --view behind
refused "--turns is for '--camera orbit'" ragdoll -o work/a.png --turns 2
refused 'are the same place' ragdoll -o work/a.png --eye 1,2,3 --target 1,2,3
refused 'without --camera, --view and --zoom' ragdoll -o work/a.png --eye 1,2,3 --target 0,0,0 --zoom 2
refused '--range takes' starfish_coarse -o work/a.png --show stretch --range 1.1,0.9
refused "--range is for '--show stretch'" starfish_coarse -o work/a.png --range 0.9,1.1
refused 'such as 1280x720' starfish_coarse -o work/a.png --size 0.5
refused 'come together' ragdoll -o work/a.png --target 1,2,3
refused "'rag'" ragdoll --beside rag -o work/a.png
refused '--rate is for' ragdoll --beside work/star.glb --rate 30 -o work/a.png
refused 'surface and wire' work/star.glb --show mass -o work/a.png
refused '--show takes' ragdoll -o work/a.png --show bones,hair
refused '--eye takes' ragdoll -o work/a.png --eye 1,2 --target 0,0,0
refused 'come together' ragdoll -o work/a.png --eye 1,2,3
refused 'not two of them' ragdoll -o work/a.png --frames 3 --at 1
refused 'not two of them' ragdoll -o work/a.mp4 --at 1
refused '--frames takes' ragdoll -o work/a.png --frames 0
[ -z "$(find work -name '*tmp*')" ] || complain "temporary files are left: $(find work -name '*tmp*')"

echo "$failures failures"
[ $failures = 0 ]
