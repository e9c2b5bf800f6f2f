#!/usr/bin/env bash
# SPDX-FileCopyrightText: 2026 The Sinew authors
# SPDX-License-Identifier: Apache-2.0
# label: full

# How the tool is called: exit codes, what goes to stdout and what to stderr, and that complaints name the culprit.
set -u

failures=0
# CODE STDOUT-PATTERN STDERR-PATTERN ARGUMENT...; '-' = must be empty
expect() {
    local wanted=$1 out=$2 err=$3 code=0
    shift 3
    "$SINEW" "$@" >out.log 2>err.log </dev/null || code=$?
    local bad=""
    [ "$code" = "$wanted" ] || bad="exit code $code, not $wanted"
    if [ "$out" = - ]; then [ ! -s out.log ] || bad="$bad; stdout is not empty"
    else grep -q -- "$out" out.log || bad="$bad; no '$out' on stdout"; fi
    if [ "$err" = - ]; then [ ! -s err.log ] || bad="$bad; stderr is not empty"
    else grep -q -- "$err" err.log || bad="$bad; no '$err' on stderr"; fi
    if [ -n "$bad" ]; then
        echo "sinew $*: $bad" >&2
        head -n 5 out.log err.log >&2
        failures=$((failures + 1))
    fi
}

rm -rf work && mkdir work

# asking for help is no error
expect 0 'usage: sinew' - --help
expect 0 'usage: sinew' - -h
expect 0 'usage: sinew' - help
expect 0 'starfish_fall' - --help
expect 0 '^sinew [0-9]*\.[0-9]*\.[0-9]*$' - --version
for command in run render info check bench; do
    expect 0 "^sinew $command" - $command --help
    expect 0 "^sinew $command" - help $command
done
# the help names every option there is
for option in -o --last --duration --fps --step --method --set --no-self-contact --threads --isa --hash --balance --quiet --cells --young \
    --density --size --height; do
    expect 0 "  $option " - run --help
done
for option in -o --frames --at --fps --duration --size --camera --view --zoom --turns --eye --target --show --range --method --set --threads --quiet; do
    expect 0 "  $option " - render --help
done
for option in --cells --young --density --height; do
    expect 0 "$option" - render --help
done

# wrong calls: 2, one line on stderr, nothing on stdout
expect 2 - 'usage: sinew'
expect 2 - "no command 'dance'" dance
expect 2 - "no command 'dance'" help dance
expect 2 - "no option '--jump'" run starfish_bones --jump
expect 2 - "no option '--jump'" info starfish --jump
expect 2 - "no option '-x'" check starfish_bones -x
expect 2 - 'which scene' run
expect 2 - 'which one' check
expect 2 - "too many: 'ragdoll'" run starfish_bones ragdoll
expect 2 - "too many: 'b'" info starfish b
for option in -o --output --duration --fps --step --method --set --threads --isa --cells --young --density --size --height; do
    expect 2 - "^sinew: $option needs a value" run starfish_bones $option
done
for bad in x -1 1e9 nan inf '' 1s '1 2'; do
    expect 2 - "^sinew: --duration takes a number" run starfish_bones --duration "$bad"
    expect 2 - "^sinew: --fps takes a number" run starfish_bones --fps "$bad"
    expect 2 - "^sinew: --step takes a number" run starfish_bones --step "$bad"
    expect 2 - "^sinew: --threads takes" run starfish_bones --threads "$bad"
done
expect 2 - "whole number, found '1.5'" run starfish_bones --threads 1.5
expect 2 - '--threads takes' run starfish_bones --threads 65
expect 2 - '--isa takes auto, baseline' run starfish_bones --isa neon
SINEW_ISA=neon expect 2 - "'neon'" run starfish_bones
expect 2 - "no benchmark 'sleep'" bench sleep
expect 2 - "no option '--xml'" bench --xml
expect 0 'table3' - bench --list

# what is not there
expect 2 - "there is no scene 'starfish_fal'" run starfish_fal
expect 2 - 'starfish_fall' run starfish_fal
expect 2 - "cannot open 'work/none.json': No such file" run work/none.json
expect 2 - "cannot open 'work/none.json': No such file" info work/none.json
expect 2 - "cannot open 'work/none.json': No such file" check work/none.json
expect 2 - "'work'" run work
expect 2 - "work/bad.json" check work/bad.json
printf '{"sinew": 1, "characters": [\n  {"skelton": "starfish"}]}\n' >work/bad.json
expect 2 - 'work/bad.json: line 2' check work/bad.json
expect 2 - 'work/bad.json: line 2' run work/bad.json
expect 2 - 'work/bad.json: line 2' info work/bad.json

# surfaces: a cube of 24, millimetres perhaps, which is said and scaled
printf '%s\n' 'v 0 0 0' 'v 24 0 0' 'v 24 24 0' 'v 0 24 0' 'v 0 0 24' 'v 24 0 24' 'v 24 24 24' 'v 0 24 24' \
    'f 1 4 3 2' 'f 5 6 7 8' 'f 1 2 6 5' 'f 3 4 8 7' 'f 1 5 8 4' 'f 2 3 7 6' >work/cube.obj
expect 0 'scaled by 0.04167 from 24 to 1 m; .sinew run --size M. chooses' - run work/cube.obj --duration 0.1 --cells 100
expect 0 'scaled by 0.02083 from 24 to 0.5 m$' - run work/cube.obj --duration 0.1 --cells 100 --size 0.5
expect 0 '[1-9][0-9]* surface points touch the ground' - run work/cube.obj --duration 0.1 --cells 100 --height 0
expect 0 ' 0 surface points touch the ground\|^0 surface' - run work/cube.obj --duration 0.1 --cells 100 --height 5
expect 0 - - run work/cube.obj --duration 0.1 --cells 100 --quiet
expect 0 '^cube: [0-9]* cells of [0-9.]* m, [0-9]* nodes (0 fixed to bones), 8 vertices, 12 triangles' - info work/cube.obj
# as exactly as sampling can tell
expect 0 'mass \(99\|100\)[0-9.]* kg, of that flesh \(99\|100\)[0-9.]* kg; volume \(0.99\|1\)[0-9.]* m^3' - info work/cube.obj
expect 0 'work/cube.obj: fine' - check work/cube.obj
expect 2 - '--cells takes a number' run work/cube.obj --cells 0
expect 2 - '--young takes a number' run work/cube.obj --young -1
expect 2 - '--density takes a number' run work/cube.obj --density 0
expect 2 - '--size takes a number' run work/cube.obj --size 0
expect 2 - '--height takes a number' run work/cube.obj --height -1
expect 2 - '--young is for surface files' run starfish_bones --young 1e4
expect 2 - '--cells is for surface files' render starfish_bones --cells 100 -o work/a.png
expect 2 - "cannot open 'work/none.obj': No such file" run work/none.obj
printf 'v 0 0 0\nv 1 0 0\nv 0 1 zero\nf 1 2 3\n' >work/bad.obj
expect 2 - 'work/bad.obj.*line 3' run work/bad.obj
expect 2 - 'work/bad.obj.*line 3' check work/bad.obj
printf 'v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n' >work/flat.obj
expect 2 - 'work/flat.obj' run work/flat.obj

# info and check
expect 0 'built-in characters' - info
for word in starfish_coarse humanoid ragdoll; do
    expect 0 "^  $word " - info
done
expect 0 '^starfish: [0-9]* cells of [0-9.]* m, [0-9]* nodes ([1-9][0-9]* fixed to bones)' - info starfish
for words in 'mass [0-9.]* kg' 'floored node masses' 'largest stable step' '^step [0-9.]* ms, chosen automatically'; do
    expect 0 "$words" - info starfish
done
expect 0 'ground at 0 m, friction' - info starfish_fall
for words in '  3 obstacles, friction 0.6, restitution 0$' '^obstacle 0 slope: box 2 x 0.1 x 1 m, .* of ice, fixed$' \
    '^obstacle 1 ball: sphere of radius 0.12 m, .* 2 kg, can be pushed$' '^obstacle 2 paddle: 2 shapes, .* a path of 3 keys'; do
    expect 0 "$words" - info "$SOURCE/docs/examples/obstacles.json"
done
# characters are dropped, or stand when they are held; skeletons cannot be
expect 0 ' 0 surface points touch the ground\|^0 surface' - run starfish_coarse --duration 0.05
expect 0 '[1-9][0-9]* surface points* touch' - run starfish_coarse --duration 0.5 --height 0
expect 0 '[1-9][0-9]* surface points* touch' - run fill_thin --duration 0.1
expect 0 "'sinew run starfish_coarse' drops it, its joints limp, on the ground" - info starfish_coarse
expect 0 "'sinew run fill_thin' stands it on the ground" - info fill_thin
expect 2 - '--young is for surface files' run starfish_coarse --young 1e4
expect 2 - "'humanoid' is a skeleton, not a scene" run humanoid
expect 0 'of which 1.62 kg (10 %, bone_mass) count besides the flesh' - info starfish_coarse
expect 0 ' mass  nodes  place on the parent' - info starfish_coarse
expect 0 '16 bones, 26 degrees of freedom' - info starfish
expect 0 '60 degrees of freedom' - info humanoid
expect 0 '4 bones, 9 degrees of freedom' - info fish
expect 0 '4 bones, 9 degrees of freedom' - info worm
for scene in starfish_bones starfish_swarm pendulum_chain ragdoll; do
    expect 0 "^$scene: scene, " - info $scene
    expect 0 "$scene: fine" - check $scene
done
mkdir 'work/a b'
cp "$SOURCE/docs/examples/pendulum.json" 'work/a b/my scene.json'
expect 0 'my scene.json: fine' - check 'work/a b/my scene.json'
expect 0 'degrees of freedom' - info 'work/a b/my scene.json'
expect 0 'simulated 0.100' - run 'work/a b/my scene.json' --duration 0.1 -o 'work/a b/out put.glb'
[ -s 'work/a b/out put.glb' ] || { echo "no file with spaces in its path" >&2; failures=$((failures + 1)); }

echo "$failures failures"
[ $failures = 0 ]
