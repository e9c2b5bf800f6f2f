#!/usr/bin/env bash
# SPDX-FileCopyrightText: 2026 The Sinew authors
# SPDX-License-Identifier: Apache-2.0
# label: full

# sinew bake --two-way and sinew rig --joints on a rig of our own: what they print and write, and what they say to mistakes.
set -u

# shellcheck source=tests/cli/expect.bash
. "$SOURCE/tests/cli/expect.bash"
also() { grep -q -- "$1" out.log || fail "no '$1' in: $(cat out.log)"; }

rm -rf work && mkdir work && cd work || exit 1
cp "$SOURCE/docs/examples/worm.gltf" .
fast='--quality draft --rate 24'

expect 0 '^  joint  *hangs on  *skin %' rig worm.gltf --joints
also '^  root  *- .* root'
also '^  middle  *root '
[ ! -e worm.sinew.json ] || fail '--joints wrote controls'

# shellcheck disable=SC2086 # options
expect 0 '^  Wave (two-way) ' bake worm.gltf $fast --clip Wave --clip Hop --two-way --ground -o two.glb
also '^  Hop (two-way) '
also 'joints miss it by'
expect 0 '^  Wave  ' info two.glb
also '^  Wave (two-way)  '
also '^  Hop (two-way)  '
expect 0 'two.glb: fine' check two.glb
# shellcheck disable=SC2086
expect 0 'wrote one.glb' bake worm.gltf $fast --clip Wave --clip Hop --two-way --ground --threads 1 -o one.glb
cmp -s two.glb one.glb || fail 'the result depends on the number of threads'
# shellcheck disable=SC2086
expect 0 'wrote weak.glb' bake worm.gltf $fast --clip Wave --two-way --strength 0.05 -o weak.glb
# shellcheck disable=SC2086
expect 0 'wrote fell.glb' bake worm.gltf $fast --clip Wave --two-way --free --ground -o fell.glb
# a motion is a clip like others; several files have reports
# shellcheck disable=SC2086
expect 0 'hop (two-way)' bake worm.gltf $fast --motion hop --two-way -o hop.glb
# shellcheck disable=SC2086
expect 0 'wrote hop.glb' bake worm.gltf $fast --clip Wave --two-way --report report.json -o hop.glb
grep -q '"joints_rms_degrees":' report.json || fail 'the report does not say how joints went'

expect 2 'strength is for --two-way' bake worm.gltf --strength 2
expect 2 'free is for --two-way' bake worm.gltf --free
expect 2 'strength' bake worm.gltf --two-way --strength 1000

exit $((failures > 0))
