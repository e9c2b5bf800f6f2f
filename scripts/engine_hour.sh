#!/usr/bin/env bash
# SPDX-FileCopyrightText: 2026 The Sinew authors
# SPDX-License-Identifier: Apache-2.0

# engine_hour.sh [SECONDS [FOLDER]]: both examples of docs/engine.md side by side with address, leak and undefined-behaviour
# checks, calling everything at random for SECONDS of the clock (default 3600), built into FOLDER (default build/engine).
# First each check of examples/watch.h is seen to fail: every fault is made once on purpose. Then the runs themselves: they
# fail on a stall (processor time of a frame, or of one character in it), an explosion (places and speeds of flesh), memory that grows (the library's by its
# hooks, the process's as the system has it), a leak, or whatever a sanitizer finds. Prints what they printed.
set -eu
cd "$(dirname "$0")/.."
seconds=${1:-3600} folder=${2:-build/engine}
rig=../shared/data/rigs/CesiumMan.glb
[ -f "$rig" ] || { echo "SKIP: the rig is not there ($rig)"; exit 77; }
cmake -S . -B "$folder" -G Ninja -DCMAKE_BUILD_TYPE=Debug "-DCMAKE_C_FLAGS_DEBUG=-O1 -g" -DSN_SANITIZE=address,undefined > /dev/null
ninja -C "$folder" sinew example_engine example_world > "$folder/build.txt" || { cat "$folder/build.txt"; exit 1; }
cp "$rig" "$folder/hero.glb"
# what draws its picture leaks, in drivers
ASAN_OPTIONS=detect_leaks=0 "$folder/sinew" rig "$folder/hero.glb" --quality draft --quiet --save "$folder/hero.body" -o "$folder/hero.png"

# what was freed is kept back for a while, but not so much that growth would hide in it
export ASAN_OPTIONS=quarantine_size_mb=8

run() { # NAME SECONDS SEED CLOCK [FAULT]
    local name=$1 file=() status=0
    shift
    [ "$name" = engine ] && file=("$folder/hero.body")
    "$folder/example_$name" "${file[@]}" "$@" > "$folder/$name.txt" 2>&1 || status=$?
    return $status
}

# expected NAME WORDS FAULT: the check that must see it
expected() {
    if run "$1" 4 1 1e6 "$3" || ! grep -q "$2" "$folder/$1.txt"; then
        echo "$1: nobody saw the fault '$3'"
        cat "$folder/$1.txt"
        exit 1
    fi
    echo "$1, $3 on purpose: $(grep -m 1 "$2" "$folder/$1.txt")"
}
expected engine 'one character stalled' stall
expected world 'a frame stalled' stall
for name in engine world; do
    for fault in nan extent speed; do
        expected $name 'flesh has exploded' $fault
    done
    expected $name 'the library holds' held
    expected $name 'the process takes more and more' resident
    expected $name 'the library holds\|64 bytes left' kept
    expected $name 'LeakSanitizer' leak
done

seed=$(date +%s)
echo "seed $seed, $seconds s each"
failed=0
run engine 1e6 "$seed" "$seconds" & engine=$!
run world 1e6 "$seed" "$seconds" & world=$!
wait $engine || { failed=1; echo "engine failed"; }
wait $world || { failed=1; echo "world failed"; }
for name in engine world; do
    echo "== $name"
    cat "$folder/$name.txt"
    grep -q 'the sanitizer looked on' "$folder/$name.txt" || { failed=1; echo "$name: did not end"; }
done
exit $failed
