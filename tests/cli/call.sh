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
for command in run info check bench; do
    expect 0 "^sinew $command" - $command --help
    expect 0 "^sinew $command" - help $command
done
# the help names every option there is
for option in -o --duration --fps --step --integrator --threads --isa --hash --quiet; do
    expect 0 "  $option " - run --help
done

# wrong calls: 2, one line on stderr, nothing on stdout
expect 2 - 'usage: sinew'
expect 2 - "no command 'dance'" dance
expect 2 - "no command 'dance'" help dance
expect 2 - "no option '--jump'" run starfish_fall --jump
expect 2 - "no option '--jump'" info starfish --jump
expect 2 - "no option '-x'" check starfish_fall -x
expect 2 - 'which scene' run
expect 2 - 'which one' info
expect 2 - 'which one' check
expect 2 - "too many: 'ragdoll'" run starfish_fall ragdoll
expect 2 - "too many: 'b'" info starfish b
for option in -o --output --duration --fps --step --integrator --threads --isa; do
    expect 2 - "^sinew: $option needs a value" run starfish_fall $option
done
for bad in x -1 1e9 nan inf '' 1s '1 2'; do
    expect 2 - "^sinew: --duration takes a number" run starfish_fall --duration "$bad"
    expect 2 - "^sinew: --fps takes a number" run starfish_fall --fps "$bad"
    expect 2 - "^sinew: --step takes a number" run starfish_fall --step "$bad"
    expect 2 - "^sinew: --threads takes" run starfish_fall --threads "$bad"
done
expect 2 - "whole number, found '1.5'" run starfish_fall --threads 1.5
expect 2 - '--threads takes' run starfish_fall --threads 65
expect 2 - '--integrator takes midpoint or euler' run starfish_fall --integrator rk4
expect 2 - '--isa takes auto, baseline' run starfish_fall --isa neon
SINEW_ISA=neon expect 2 - "'neon'" run starfish_fall
expect 2 - "no benchmark 'sleep'" bench sleep
expect 2 - "no option '--xml'" bench --xml
expect 0 'skeleton' - bench --list

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

# info and check
expect 0 '16 bones, 26 degrees of freedom' - info starfish
expect 0 '60 degrees of freedom' - info humanoid
expect 0 '4 bones, 9 degrees of freedom' - info fish
expect 0 '4 bones, 9 degrees of freedom' - info worm
for scene in starfish_fall starfish_swarm pendulum_chain ragdoll; do
    expect 0 "scene $scene: " - info $scene
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
