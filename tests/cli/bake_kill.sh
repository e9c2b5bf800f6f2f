#!/usr/bin/env bash
# SPDX-FileCopyrightText: 2026 The Sinew authors
# SPDX-License-Identifier: Apache-2.0
# label: full

# A bake that is killed at any time goes on with --resume to the same bits; Ctrl-C leaves a GLB that can be used.
# bake_kill_long.sh kills it more often.
set -u
kills=${KILLS:-6}

# shellcheck source=tests/cli/expect.bash
. "$SOURCE/tests/cli/expect.bash"
# FILE: until a bake has begun to write it
wait_for() {
    for _ in $(seq 200); do
        [ -s "$1" ] && break
        sleep 0.01
    done
    sleep 0.1
}
rm -rf work && mkdir work && cd work || exit 1
cp "$SOURCE/docs/examples/worm.gltf" .
# no function: in the background its number would be that of a shell
bake=("$SINEW" bake worm.gltf --quality draft --rate 60 --clip all --threads 1)

start=$(date +%s%N)
"${bake[@]}" -o whole.glb >whole.log 2>&1 || { cat whole.log >&2; exit 1; }
span=$((($(date +%s%N) - start) / 1000000)) # ms
echo "a whole bake takes $span ms"

RANDOM=20261115
resumed=0
for i in $(seq "$kills"); do
    rm -f part.glb part.glb.frames
    "${bake[@]}" -o part.glb >part.log 2>&1 &
    pid=$!
    # every other one when there are frames, however busy the machine is
    [ $((i % 2)) = 0 ] && wait_for part.glb.frames
    sleep "$(awk -v r=$RANDOM -v s=$span 'BEGIN { printf "%.3f", r / 32768 * s / 1000 }')"
    kill -9 $pid 2>/dev/null
    wait $pid 2>/dev/null
    "${bake[@]}" --resume -o part.glb >resume.log 2>&1 || fail "kill $i: --resume fails: $(cat resume.log)"
    grep -q 'frames were there from before' resume.log && resumed=$((resumed + 1))
    cmp -s whole.glb part.glb || fail "kill $i: other bits"
    [ ! -e part.glb.frames ] || fail "kill $i: the side file is left"
done
echo "$resumed of $kills went on with frames that were there"
[ $resumed -ge $((kills / 6)) ] || fail "hardly ever was there anything to go on with"

# Ctrl-C a part of a bake's time after there are frames: PART FILE [OPTION...]. Sets code: 0 when it came too late, as it
# may where the machine was busier before.
interrupt() {
    rm -f "$2.frames"
    "${bake[@]}" "${@:3}" -o "$2" >part.log 2>&1 &
    pid=$!
    for _ in $(seq 200); do
        [ -s "$2.frames" ] && break
        sleep 0.01
    done
    sleep "$(awk -v s=$span -v part="$1" 'BEGIN { printf "%.3f", part * s / 1000 }')"
    kill -INT $pid 2>/dev/null
    wait $pid
    code=$?
}

# exit code 1, a GLB, and how to go on
for part in 0.3 0.1 0.03 0.01; do
    rm -f part.glb
    interrupt $part part.glb
    [ "$code" = 0 ] || break
done
if [ "$code" = 1 ]; then
    grep -q -- '--resume goes on' part.log || fail "nothing about --resume in: $(cat part.log)"
    "$SINEW" check part.glb >check.log 2>&1 || fail "the GLB of a stopped bake: $(cat check.log)"
    grep -q 'part.glb: fine' check.log || fail "the GLB of a stopped bake: $(cat check.log)"
    "${bake[@]}" --resume -o part.glb >resume.log 2>&1 || fail "--resume after Ctrl-C: $(cat resume.log)"
    cmp -s whole.glb part.glb || fail 'other bits after Ctrl-C'
else
    fail "exit code $code after Ctrl-C, not 1: $(cat part.log)"
fi

# what was baked before stays when another bake is stopped
for part in 0.3 0.1 0.03 0.01; do
    cp whole.glb kept.glb
    rm -f kept.part.glb
    interrupt $part kept.glb --softness 4
    [ "$code" = 0 ] || break
done
[ "$code" != 0 ] || fail "a bake that was stopped: exit code 0"
cmp -s whole.glb kept.glb || fail 'Ctrl-C spoiled an older file'
if [ -e kept.part.glb ]; then
    grep -q "'kept.part.glb' has what was made till then, beside the older file" part.log || fail "$(cat part.log)"
else
    grep -q 'stopped before anything was written' part.log || fail "no kept.part.glb: $(cat part.log)"
fi
grep -q 'try ' part.log && fail "advice about half a bake: $(cat part.log)"
# a damaged side file is told
printf 'junk' >>kept.glb.frames
"${bake[@]}" --softness 4 --resume -o kept.glb >resume.log 2>&1 || fail "--resume: $(cat resume.log)"
grep -q 'warning: .*kept.glb.frames.*damaged' resume.log || fail "nothing about damage in: $(cat resume.log)"

# the side file of another bake is refused
"${bake[@]}" -o part.glb >part.log 2>&1 &
pid=$!
wait_for part.glb.frames
kill -9 $pid 2>/dev/null
wait $pid 2>/dev/null
if [ -e part.glb.frames ]; then
    "${bake[@]}" --softness 4 --resume -o part.glb >other.log 2>&1 && fail 'frames of another bake were taken'
    "${bake[@]}" --softness 4 -o part.glb >anew.log 2>&1 || fail "a new bake over old frames: $(cat anew.log)"
    grep -q 'part.glb.frames of a bake that was stopped' anew.log || fail "nothing about old frames in: $(cat anew.log)"
    grep -q 'part.glb.frames' other.log || fail "the side file is not named in: $(cat other.log)"
fi

exit $((failures > 0))
