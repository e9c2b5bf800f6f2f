#!/usr/bin/env bash
# SPDX-FileCopyrightText: 2026 The Sinew authors
# SPDX-License-Identifier: Apache-2.0
# label: full

# Methods and their settings: what the tool says of them, and what it says when one is wrong.
set -u
# shellcheck source=tests/cli/expect.bash
. "$SOURCE/tests/cli/expect.bash"

# for people
expect 0 '^explicit: Kim & Pollard 2011' describe
expect 0 '^explicit: Kim & Pollard 2011' describe all
expect 0 '^  two-way           flesh, contact and inertia move joints$' describe explicit
expect 0 '^  quasistatic, grab, gpu$' describe explicit
expect 0 '^  integrator        midpoint or euler; otherwise midpoint$' describe explicit
expect 0 '^  keep_momentum     true or false; otherwise true$' describe explicit
expect 0 '^  contact           penalty or projection; otherwise penalty$' describe explicit
for command in run render; do
    expect 0 '^Settings of the method explicit, for --set and scene files:$' $command --help
    expect 0 '^  integrator        midpoint or euler; otherwise midpoint$' $command --help
done

# for programs
expect 0 '^  "name": "explicit",$' describe explicit --json
expect 0 '"midpoint",' describe explicit --json
expect 0 '"stages"' describe explicit --json
expect 0 '^  "name": "snSceneDef",$' describe snSceneDef --json
expect 0 '"snBakeDef"' describe --json
"$SINEW" describe --json >all.json
"$SINEW" describe all --json | cmp -s all.json - || fail "describe all --json differs from describe --json"

# wrong names
expect 2 "no method and no def 'explict'; did you mean 'explicit'?" describe explict
expect 2 "did you mean 'snSceneDef'?" describe snScenDef --json
expect 2 "'snSceneDef' is a def: add --json" describe snSceneDef
expect 2 'without a name and --json' describe explicit --markdown
expect 2 "too many: 'x'" describe explicit x

# settings of a run: misspelt, out of range, of no method, not a setting at all
expect 0 '^simulated 0.100 s' run starfish_bones --duration 0.1 --method explicit --set integrator=euler --set keep_momentum=false
expect 2 "^sinew: --set intergrator=euler: method 'explicit' has no setting 'intergrator'; did you mean 'integrator'?$" \
    run starfish_bones --set intergrator=euler
expect 2 "'integrator' takes midpoint or euler, found 'rk4'" run starfish_bones --set integrator=rk4
expect 2 "'keep_momentum' takes true or false, found '1'" run starfish_bones --set keep_momentum=1
expect 2 "has no setting 'modes'; it has integrator, keep_momentum, contact" run starfish_bones --set modes=5
expect 2 "--set takes NAME=VALUE, found 'integrator'" run starfish_bones --set integrator
expect 2 "--set takes NAME=VALUE, found '=1'" run starfish_bones --set =1
expect 2 "there is no method 'explict' in this version; did you mean 'explicit'? there is: explicit" \
    run starfish_bones --method explict
expect 2 "'integrator' is a setting of a method: write --set integrator=VALUE" run starfish_bones --integrator euler
expect 2 "'contact' is a setting of a method" run starfish_bones --contact=projection
expect 2 "has no setting 'intergrator'" render starfish_bones -o x.png --set intergrator=euler
expect 2 '--set is for what is simulated, which .* is not' render "$SOURCE/docs/examples/worm.gltf" -o x.png --set integrator=euler
expect 2 'without --beside, --show, --method and --set' render "$SOURCE/docs/examples/worm.gltf" -o x.png --compare x.glb --method explicit

# scene files
scene() { printf '{"sinew": 1, %s, "characters": [{"name": "c", "skeleton": "starfish"}]}\n' "$1" >scene.json; }
scene '"settings": {"explicit": {"integrator": "euler"}}'
expect 0 '^  settings: integrator euler$' info scene.json
scene '"settings": {"explicit": {"integrater": "euler"}}'
expect 2 "scene.json: line 1, column 40: method 'explicit' has no setting 'integrater'; did you mean 'integrator'?" check scene.json
scene '"integrator": "euler"'
expect 2 'scene.json: line 1, column 14: "integrator" is a setting of the method "explicit"; write "settings": {"explicit": {"integrator": ...}}' \
    run scene.json
[ $failures = 0 ]
