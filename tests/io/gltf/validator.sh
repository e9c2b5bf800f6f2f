#!/usr/bin/env bash
# SPDX-FileCopyrightText: 2026 The Sinew authors
# SPDX-License-Identifier: Apache-2.0
# label: long

# Khronos' glTF validator finds no error and no warning in the GLB files of built-in scenes, with bones
# alone and with flesh, of a tiny one (one bone that hangs still), of flesh without bones, and in those
# that the tests of surfaces and obstacles leave: every frame a morph target, rigid, still, mixed with
# bones, beside obstacles of every shape.
set -eu

. "$SOURCE/scripts/npm_test.sh"
need_npm gltf-validator@2.0.0-dev.3.10

cat >tiny.json <<'END'
{
    "sinew": 1,
    "duration": 0.1,
    "characters": [
        { "name": "tiny", "skeleton": { "bones": [{ "name": "only", "joint": "weld" }] } }
    ]
}
END

rm -f ./*.glb
for test in io_sink_glb_surface io_sink_glb_obstacle; do
    SINEW_KEEP=$PWD "$(dirname "$SINEW")/tests/bin/$test" >test.log 2>&1 || {
        cat test.log >&2
        exit 1
    }
done
"$SINEW" run starfish_bones -o bones.glb
"$SINEW" run starfish_fall -o starfish.glb
"$SINEW" run tiny.json -o tiny.glb
"$SINEW" run "$SOURCE/docs/examples/jelly.json" -o jelly.glb
node "$SOURCE/tests/io/gltf/validator.mjs" "$PWD" ./*.glb
