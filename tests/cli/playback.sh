#!/usr/bin/env bash
# SPDX-FileCopyrightText: 2026 The Sinew authors
# SPDX-License-Identifier: Apache-2.0
# label: full

# Animations written by sinew run: what sinew info says of them, and pictures of them that look like those of the
# scene.
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
for kind in glb pc2 mdd obj ply pvd csv; do
    sinew run starfish_fall --duration 0.5 -o work/star.$kind
    [ $code = 0 ] || complain "run -o .$kind: code $code, $(cat err.log)"
    grep -q '^wrote work/star' out.log || complain ".$kind: stdout does not say what was written"
done
for kind in obj ply vtu vtp; do
    [ "$(find work -name "star_*.$kind" | wc -l)" = 31 ] || complain "there are not 31 .$kind files"
done

# of several characters there is a file each, and each is named
sinew run free_fall --duration 0 -o work/four.pc2
[ "$(find work -name 'four*.pc2' | wc -l)" = 4 ] || complain "there are not four caches"
for file in work/four*.pc2; do
    grep -q "^wrote .*$file" out.log || complain "$file is not named: $(cat out.log)"
done

# rigs are baked and not run, and that is said
printf 'Kaydara FBX Binary' >work/hero.fbx
printf '{"asset": {"version": "2.0"}}' >work/hero.gltf
for words in "run work/hero.fbx" "run work/hero.gltf" "run work/star.glb"; do
    # shellcheck disable=SC2086 # a list of words
    sinew $words
    [ $code = 2 ] || complain "$words: code $code, not 2"
    grep -qE 'is a rig: .sinew bake' err.log || complain "$words: $(cat err.log)"
done

# what is in them: the start, then one frame every 1/60 s
for kind in glb pc2 mdd; do
    sinew info work/star.$kind
    [ $code = 0 ] || complain "info .$kind: code $code, $(cat err.log)"
    grep -q "31 frames, 0 .. 0.5 s" out.log || complain "info .$kind: $(cat out.log)"
    vertices=$(grep -c '^v ' work/star_0000.obj)
    grep -q "$vertices vertices" out.log || complain "info .$kind: not $vertices vertices: $(cat out.log)"
done
sinew info work/star.pc2 --mesh work/star_0000.obj --rate 30
triangles=$(grep -c '^f ' work/star_0000.obj)
grep -q "0 .. 1 s" out.log || complain "info --rate 30: $(cat out.log)"
grep -q "$triangles triangles" out.log || complain "info --mesh: $(cat out.log)"

# calls and files that are wrong
head -c 1000 work/star.mdd >work/cut.mdd
head -c 1000 work/star.glb >work/cut.glb
for words in "info work/cut.mdd" "info work/cut.glb" "info work/star.glb --mesh work/star_0000.obj" \
    "info work/absent.pc2" "render work/cut.mdd -o work/x.png" "render work/star.glb -o work/x.png --at 7" \
    "render work/star.glb -o work/x.png --show mesh" "render starfish_fall -o work/x.png --mesh work/star_0000.obj"; do
    # shellcheck disable=SC2086 # a list of words
    sinew $words
    [ $code = 2 ] || complain "$words: code $code, not 2"
    [ -s err.log ] || complain "$words: no complaint"
done
[ ! -e work/x.png ] || complain "a refused call left a picture"
[ -z "$(find work -name '*tmp*')" ] || complain "temporary files are left: $(find work -name '*tmp*')"

# pictures
camera="--eye 1,1,2 --target 0,0.2,0 --size 320x240 --at 0.4"
# shellcheck disable=SC2086 # a list of words
sinew render starfish_fall $camera -o work/scene.png
if [ $code = 2 ] && grep -q 'cannot draw' err.log; then
    echo "no pictures here: $(cat err.log)"
else
    for kind in glb pc2 mdd; do
        mesh="--mesh work/star_0000.obj"
        [ $kind != glb ] || mesh=
        # shellcheck disable=SC2086 # a list of words
        sinew render work/star.$kind $mesh $camera -o work/$kind.png
        [ $code = 0 ] || complain "render .$kind: code $code, $(cat err.log)"
        command -v ffmpeg >/dev/null || continue
        # of a scene that differs by nothing but the rounding of positions and normals
        psnr=$(ffmpeg -hide_banner -i work/scene.png -i work/$kind.png -lavfi psnr -f null - 2>&1 |
            sed -n 's/.*average:\([0-9]*\|inf\).*/\1/p')
        [ "$psnr" = inf ] || [ "${psnr:-0}" -ge 45 ] || complain ".$kind looks otherwise: PSNR $psnr dB"
    done
    sinew render work/star.pc2 -o work/points.png --frames 4
    [[ $code = 0 && -s work/points.png ]] || complain "bare points: code $code, $(cat err.log)"
fi

exit $((failures > 0))
