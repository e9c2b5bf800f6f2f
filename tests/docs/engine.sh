#!/usr/bin/env bash
# SPDX-FileCopyrightText: 2026 The Sinew authors
# SPDX-License-Identifier: Apache-2.0
# label: full

# The crowd of examples/engine.c runs for three seconds of random calls: nothing explodes, no memory grows or is
# left. Then some of what it looks for is made on purpose, and it must say so (docs_world does that with the rest).
set -u
export WATCH_NO_STALL=1 # docs_engine_minute looks for stalls
# what was freed is kept back for a while, but not so much that it looks like growth
export ASAN_OPTIONS="${ASAN_OPTIONS:+$ASAN_OPTIONS:}quarantine_size_mb=8"
rig=$SOURCE/../shared/data/rigs/CesiumMan.glb
if [ ! -f "$rig" ]; then
    echo "SKIP: the rig is not there ($rig)"
    exit 77
fi
engine=$(dirname "$SINEW")/example_engine
cp "$rig" hero.glb
# what draws its picture leaks, in drivers
ASAN_OPTIONS=$ASAN_OPTIONS:detect_leaks=0 "$SINEW" rig hero.glb --quality draft --quiet --save hero.body -o hero.png || exit 1
"$engine" hero.body 3 1 60 | tee engine.txt
[ "${PIPESTATUS[0]}" = 0 ] || exit 1
grep -q ' 0 bytes left$' engine.txt || exit 1

while read -r fault words; do
    "$engine" hero.body 3 1 60 "$fault" > fault.txt 2>&1 && { echo "nobody saw the fault $fault"; exit 1; }
    grep -q "^engine: $words" fault.txt || { cat fault.txt; exit 1; }
    echo "$fault: seen"
done << 'END'
nan flesh has exploded
extent flesh has exploded
speed flesh has exploded
held the library holds other memory
END
