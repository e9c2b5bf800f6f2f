#!/usr/bin/env bash
# SPDX-FileCopyrightText: 2026 The Sinew authors
# SPDX-License-Identifier: Apache-2.0
# label: quick

# Ten seconds of examples/world.c, which does to a scene that runs all that hosts can, at random: nothing explodes,
# no memory grows or is left, and every call was made. Where the build has sanitizers, they look on.
set -u
export WATCH_NO_STALL=1 # docs_engine_minute looks for stalls
# what was freed is kept back for a while, but not so much that it looks like growth
export ASAN_OPTIONS="${ASAN_OPTIONS:+$ASAN_OPTIONS:}quarantine_size_mb=8"
world=$(dirname "$SINEW")/example_world
if [ ! -x "$world" ]; then
    echo "SKIP: examples are not built"
    exit 77
fi
"$world" 10 1 | tee world.txt
[ "${PIPESTATUS[0]}" = 0 ] || exit 1
grep -q ' 0 bytes left$' world.txt || exit 1
grep ' added,' world.txt | tr ',' '\n' | awk '$1 == 0 { print "never:", $0; bad = 1 } END { exit bad }'
