#!/usr/bin/env bash
# SPDX-FileCopyrightText: 2026 The Sinew authors
# SPDX-License-Identifier: Apache-2.0
# label: full

# What examples/watch.h looks for is made on purpose, one after the other: example_world must see it and say so.
set -u
# what was freed is kept back for a while, but not so much that it looks like growth
export ASAN_OPTIONS="${ASAN_OPTIONS:+$ASAN_OPTIONS:}quarantine_size_mb=8"
world=$(dirname "$SINEW")/example_world
if [ ! -x "$world" ]; then
    echo "SKIP: examples are not built"
    exit 77
fi

expect() { # FAULT WORDS
    "$world" 2.5 1 1e6 "$1" > fault.txt 2>&1 && { echo "nobody saw the fault $1"; exit 1; }
    grep -q "$2" fault.txt || { cat fault.txt; exit 1; }
    echo "$1: seen"
}
expect stall '^world: a frame stalled'
export WATCH_NO_STALL=1 # by itself: docs_engine_minute looks for those
for fault in nan extent speed; do
    expect $fault '^world: flesh has exploded'
done
expect held '^world: the library holds more and more'
expect kept ' 64 bytes left$'
"$world" 2.5 1 > none.txt || { cat none.txt; exit 1; }
if grep -q 'the sanitizer looked on' none.txt; then
    expect leak LeakSanitizer
else
    expect resident '^world: the process takes more and more' # sanitizers keep what was freed
fi
