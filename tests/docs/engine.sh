#!/usr/bin/env bash
# SPDX-FileCopyrightText: 2026 The Sinew authors
# SPDX-License-Identifier: Apache-2.0
# label: full

# The crowd of examples/engine.c runs for three seconds of random calls: nothing explodes, nothing is left.
set -u
rig=$SOURCE/../shared/data/rigs/CesiumMan.glb
if [ ! -f "$rig" ]; then
    echo "SKIP: the rig is not there ($rig)"
    exit 77
fi
cp "$rig" hero.glb
"$SINEW" rig hero.glb --quality draft --quiet --save hero.body -o hero.png || exit 1
"$(dirname "$SINEW")/example_engine" hero.body 3 1 40 | tee engine.txt
[ "${PIPESTATUS[0]}" = 0 ] || exit 1
grep -q ' 0 bytes left$' engine.txt
