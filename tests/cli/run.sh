#!/usr/bin/env bash
# SPDX-FileCopyrightText: 2026 The Sinew authors
# SPDX-License-Identifier: Apache-2.0
# label: full

# sinew run: files, refusals to write, interruption, progress, and results that no option for speed changes.
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

# files, by extension
for extension in glb csv; do
    sinew run starfish_bones --duration 0.5 -o work/a.$extension
    [[ $code = 0 && -s work/a.$extension ]] || complain "run -o .$extension: code $code, $(cat err.log)"
    grep -q "wrote work/a.$extension" out.log || complain ".$extension: stdout does not say what was written"
done
[ "$(head -c 4 work/a.glb)" = glTF ] || complain "a.glb is no GLB"
# the start, then one frame every 1/60 s, one line per character, after the heading
[ "$(wc -l <work/a.csv)" = 32 ] || complain "a.csv has $(wc -l <work/a.csv) lines, not 32"
[ "$(cut -d, -f1 work/a.csv | tail -n 1)" = 0.5 ] || complain "the last frame is not at 0.5 s"
sinew run starfish_bones --duration 0.5 --fps 10 -o work/b.csv
[ "$(wc -l <work/b.csv)" = 7 ] || complain "b.csv has $(wc -l <work/b.csv) lines, not 7"
sinew run three_fills --duration 0.05
grep -q '^nothing touched anything$' out.log || complain "three_fills: $(cat out.log)"
sinew run starfish_bones --duration 0 -o work/zero.csv
[[ $code = 0 && $(wc -l <work/zero.csv) = 2 ]] || complain "--duration 0 does not write the start alone"
# a second run replaces the first one's file
sinew run starfish_bones --duration 0.1 -o work/a.csv
[ "$(wc -l <work/a.csv)" = 8 ] || complain "a.csv was not replaced"

# flesh: an OBJ file per frame, none of them left by a run that cannot write
sinew run starfish_fall --duration 0.1 -o work/flesh.obj
[[ $code = 0 && $(find work -name 'flesh_*.obj' | wc -l) = 7 ]] || complain "run -o .obj: code $code, $(cat err.log)"
grep -q 'surface points touch the ground' out.log || complain "flesh: stdout says nothing of the ground"

# what a run says of contact: how deep, and that all went well; and what joints did
for mode in penalty projection; do
    sinew run fish --height 0.02 --duration 0.3 --set contact=$mode --no-self-contact
    for words in '^no trouble: no frame was done again, no cell is inside out, no contact was deep$' '^fish: deepest contact [0-9.]* mm; squeezed by [0-9.]* % of its thickness$'; do
        grep -q "$words" out.log || complain "contact $mode: no '$words' in $(cat out.log)"
    done
done
# where energy went: a table that closes, numbers in the file, and the same bits as without
sinew run fish --height 0.02 --duration 0.3 --balance --hash -o work/balance.csv
cp out.log work/balance.log
for words in '^energy \[J\]  *start  *gravity  *contact  *damping  *remainder  *end$' '^fish  *[0-9.e+-]' '^all  *[0-9.e+-]' \
    '^the remainder is -\?[0-9.e-]* % of the [0-9.]* J of work done$'; do
    grep -q "$words" work/balance.log || complain "--balance: no '$words' in $(cat work/balance.log)"
done
part=$(sed -n 's/^the remainder is -\?\([0-9.e-]*\) %.*/\1/p' work/balance.log)
awk -v part="$part" 'BEGIN { exit !(part + 0 < 1) }' || complain "--balance: $part % are left over"
[[ $(head -n 1 work/balance.csv) = *',work of host [J],remainder [J]' ]] || complain "--balance: no columns in the table"
[[ $(tail -n 1 work/balance.csv) =~ (,-?[0-9.e-]+){8}$ ]] || complain "--balance: no work in the table"
sinew run fish --height 0.02 --duration 0.3 --hash
[ "$(grep '^hash' out.log)" = "$(grep '^hash' work/balance.log)" ] || complain "--balance changes the run"
# what goes wrong is said, with what to do: a fall from 10 m on flesh of 1 kPa
cat >work/heap.json <<'END'
{"sinew": 1, "ground": true, "duration": 1.6, "step": 0.005, "self_contact": false, "characters": [{"name": "heap", "position": [0, 10, 0],
    "body": {"surface": "jelly.obj", "young": 1000, "cells": 200}}]}
END
cp "$SOURCE/docs/examples/jelly.obj" work
sinew run work/heap.json
grep -q '^no trouble' out.log && complain "a heap is no trouble: $(cat out.log)"
grep -q "^trouble: .*Try .*young [0-9.e+]* kPa" out.log || complain "a heap: no trouble with a remedy in $(cat out.log)"
grep -q 'is too soft for a body 0.32 m tall' out.log || complain "a heap is not called soft: $(cat out.log)"
# bones alone have no surface, which is said before the run
for extension in ply pc2; do
    sinew run ragdoll -o work/bones.$extension
    [ $code = 2 ] || complain "bones to .$extension: code $code, not 2"
    grep -q 'bones alone, and such files hold surfaces; write .glb' err.log || complain "bones: $(cat err.log)"
done
sinew run starfish_bones --duration 0.1
grep -q '; built in [0-9.e-]* s$' out.log || complain "the summary does not say how long building took: $(cat out.log)"
grep -q '^starfish: peak torque [0-9.e+]* Nm, peak power [0-9.e+]* W$' out.log || complain "no peaks: $(cat out.log)"

# where nothing can be written: 2, at once, and nothing is left behind
mkdir work/folder.glb
for out in work/a.txt work/a work/none/a.glb work/folder.glb; do
    sinew run starfish_bones --duration 0.1 -o $out
    [ $code = 2 ] || complain "-o $out: code $code, not 2"
    [ ! -s out.log ] || complain "-o $out: stdout is not empty"
    grep -q "^sinew: cannot write '$out'" err.log || complain "-o $out: $(cat err.log)"
done
sinew run starfish_bones --duration 0.1 -o work/a.txt
for extension in glb pc2 mdd obj ply off stl pvd vtu csv mp4 png; do
    grep -q "[.]$extension " err.log || complain "the list of formats lacks .$extension: $(cat err.log)"
done
if [ "$(id -u)" != 0 ]; then
    mkdir work/locked && chmod 555 work/locked
    sinew run starfish_bones --duration 0.1 -o work/locked/a.glb
    [ $code = 2 ] || complain "an unwritable folder: code $code, not 2"
fi
[ -z "$(find work -name '*tmp*')" ] || complain "temporary files are left: $(find work -name '*tmp*')"

# --quiet prints nothing, --hash one line; neither threads nor instruction sets change it
sinew run starfish_swarm --duration 0.2 --quiet
[[ ! -s out.log && ! -s err.log ]] || complain "--quiet is not quiet"
sinew run starfish_swarm --duration 0.2 --quiet --hash
expected=$(cat out.log)
echo "$expected" | grep -qx 'hash [0-9a-f]\{16\}' || complain "--hash printed '$expected'"
for option in threads=1 threads=2 threads=5 isa=baseline isa=avx2 isa=avx512; do
    sinew run starfish_swarm --duration 0.2 --quiet --hash "--${option%=*}" "${option#*=}"
    [ "$(cat out.log)" = "$expected" ] || complain "--$option changes the hash"
done
SINEW_ISA=baseline sinew run starfish_swarm --duration 0.2 --quiet --hash
[ "$(cat out.log)" = "$expected" ] || complain "SINEW_ISA changes the hash"
for option in set=integrator=euler step=0.0005 duration=0.3 fps=50; do
    sinew run starfish_swarm --duration 0.2 --quiet --hash "--${option%=*}" "${option#*=}"
    [ "$(cat out.log)" != "$expected" ] || complain "--$option does nothing"
done
if [ -c /dev/full ]; then # a hash that nobody got is no success
    code=0
    "$SINEW" run starfish_swarm --duration 0.1 --quiet --hash >/dev/full 2>err.log || code=$?
    [ $code = 1 ] || complain "a full standard output: code $code, not 1"
fi

# a run that fails half-way: exit code 1, who and when on stderr, the frames before it in the file
cat >work/wild.json <<'END'
{"sinew": 1, "characters": [{"name": "wild",
    "skeleton": {"bones": [{"name": "sled", "joint": "prismatic", "mass": 1}]},
    "drives": [{"bone": "sled", "kind": "acceleration", "value": 5e5}]}]}
END
sinew run work/wild.json -o work/wild.csv
[ $code = 1 ] || complain "a run that fails: code $code, not 1"
grep -qE "^sinew: .*bone 'sled'.*character 'wild'.*last good frame" err.log ||
    complain "a run that fails: $(cat err.log)"
[[ -s work/wild.csv && $(wc -l <work/wild.csv) -ge 10 ]] || complain "the frames before the failure are missing"
grep -qi nan work/wild.csv && complain "a frame has a NaN"

# Ctrl-C: soon, exit code 1, frames so far in the file; also in the middle of a very long frame
interrupt() { # FRAMES-AT-LEAST OPTION...
    local least=$1 job code=0
    shift
    rm -f work/stopped.csv
    "$SINEW" run starfish_swarm -o work/stopped.csv "$@" >out.log 2>err.log </dev/null &
    job=$!
    sleep 1
    kill -INT $job
    wait $job || code=$?
    [ $code = 1 ] || complain "interrupted ($*): code $code, not 1"
    grep -q 'stopped at' err.log || complain "interrupted ($*): stderr: $(cat err.log)"
    [[ -s work/stopped.csv && $(wc -l <work/stopped.csv) -gt $least ]] ||
        complain "interrupted ($*): the frames so far are missing"
}
# scripts start background jobs with SIGINT ignored; this undoes it
trap - INT
set -m
interrupt 24 --duration 80000
interrupt 12 --duration 100 --fps 1 --step 1e-7
set +m

# progress: lines on a pipe in a long run, in place on a terminal
timeout -s INT 7 "$SINEW" run starfish_swarm --duration 80000 >out.log 2>err.log </dev/null
grep -qE '^ *[0-9]+ %  [0-9.]+ of 80000\.00 s  [0-9.e+]+ x real time  [0-9]+ s left' err.log ||
    complain "no progress on a pipe: $(cat err.log)"
if command -v script >/dev/null; then
    script -qec "timeout -s INT 2 '$SINEW' run starfish_swarm --duration 80000" tty.log >/dev/null 2>&1 </dev/null
    [ "$(tr '\r' '\n' <tty.log | grep -c ' of 80000.00 s ')" -ge 5 ] || complain "no progress on a terminal"
    tr '\r' '\n' <tty.log | grep -q '^building starfish_swarm' || complain "no word of building on a terminal"
else
    echo "SKIP: no script(1), so progress on a terminal is not tested"
fi

echo "$failures failures"
[ $failures = 0 ]
