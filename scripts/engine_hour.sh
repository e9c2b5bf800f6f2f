#!/usr/bin/env bash
# SPDX-FileCopyrightText: 2026 The Sinew authors
# SPDX-License-Identifier: Apache-2.0

# engine_hour.sh [SECONDS [FOLDER]]: both examples of docs/engine.md side by side with address, leak and undefined-behaviour
# checks, calling everything at random for SECONDS of the clock (default 3600), built into FOLDER (default build/engine).
# Prints frames, the worst of them, how often each call was made, and memory; the peak of each process besides. Fails when one
# explodes, leaks, trips a check, or holds more in its second half than in its first by more than a quarter and 4 MB.
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

bounded() { # FILE: memory of both halves, as the program printed it
    awk '/ MB at most in the first half/ { found = 1; if ($9 > 1.25 * $1 + 4) bad = 1 } END { exit !found || bad }' "$1"
}

run() { # NAME ARGUMENTS...
    local name=$1 status=0
    shift
    local watch=()
    if [ -x /usr/bin/time ]; then
        watch=(/usr/bin/time -f "%M KB resident at most, %U s of processor time")
    fi
    "${watch[@]}" "$folder/example_$name" "$@" > "$folder/$name.txt" 2>&1 || status=$?
    return $status
}

seed=$(date +%s)
echo "seed $seed, $seconds s each"
failed=0
run engine "$folder/hero.body" 1e6 "$seed" "$seconds" & engine=$!
run world 1e6 "$seed" "$seconds" & world=$!
wait $engine || { failed=1; echo "engine failed"; }
wait $world || { failed=1; echo "world failed"; }
for name in engine world; do
    echo "== $name"
    cat "$folder/$name.txt"
    grep -q ' 0 bytes left$' "$folder/$name.txt" && bounded "$folder/$name.txt" || { failed=1; echo "$name: memory"; }
done
exit $failed
