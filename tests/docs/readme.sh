#!/usr/bin/env bash
# SPDX-FileCopyrightText: 2026 The Sinew authors
# SPDX-License-Identifier: Apache-2.0
# label: full

# The README's C program compiles as it stands and prints what it says; its commands on scenes run.
set -eu
awk '/^```c$/ { on = 1; next } /^```$/ { on = 0 } on' "$SOURCE/README.md" > hello.c
grep -q snSim_Advance hello.c
folder=$(dirname "$SINEW")
"${CC:-cc}" -std=c17 -Wall -Wextra -Werror -I"$SOURCE/include" hello.c -L"$folder" \
    -Wl,-rpath,"$folder" -lsinew -o hello
./hello | tee hello.txt
"${CC:-cc}" -std=c17 -I"$SOURCE/include" hello.c "$folder/libsinew.a" -lm -pthread -o hello_static
./hello_static | diff hello.txt -
grep -qE '^after 1 s the elbow is at \(-?[0-9.]+, -?[0-9.]+\) m$' hello.txt

# the pictures are there
grep -oE '\]\([a-zA-Z_/.]+\.png\)' "$SOURCE/README.md" | tr -d '()]' | while read -r picture; do
    [ -s "$SOURCE/$picture" ]
done

# every built-in name and file that the README mentions after `sinew run` or `sinew info`
grep -oE 'sinew (run|info) [a-zA-Z_/.]+' "$SOURCE/README.md" | sort -u | while read -r _ command what; do
    case $what in
    my_*) continue ;; # the reader's own
    */*) what=$SOURCE/$what ;;
    esac
    if [ "$command" = run ]; then
        "$SINEW" run "$what" --duration 0.1 -o out.glb
    else
        "$SINEW" info "$what" > /dev/null
    fi
done

# rigs that it bakes, the reader's own aside
grep -oE 'sinew bake docs/[a-zA-Z_/.]+ --clip [A-Za-z]+' "$SOURCE/README.md" | while read -r _ _ what _ clip; do
    cp "$SOURCE/$what" rig.gltf
    "$SINEW" bake rig.gltf --clip "$clip" --quality draft -o soft.glb
    "$SINEW" check soft.glb | grep 'soft.glb: fine'
done
