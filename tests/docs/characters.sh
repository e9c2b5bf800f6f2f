#!/usr/bin/env bash
# SPDX-FileCopyrightText: 2026 The Sinew authors
# SPDX-License-Identifier: Apache-2.0
# label: full

# docs/characters.md: its C program compiles with the libraries it names and prints what it says; its scene runs
# without trouble; its table has every built-in character; its pictures are there.
set -eu
page=$SOURCE/docs/characters.md
folder=$(dirname "$SINEW")

# the program is indented by four blanks
awk '/^    #include <sinew\/sinew.h>$/ { on = 1 } /^It prints/ { on = 0 } on' "$page" | sed 's/^    //' >snowman.c
grep -q snRecipe_BuildLumps snowman.c
# shellcheck disable=SC2086 # several flags: sanitizers where the library has them
"${CC:-cc}" -std=c17 -Wall -Wextra -Werror ${SN_TEST_FLAGS:-} -I"$SOURCE" -I"$SOURCE/include" -I"$SOURCE/src" snowman.c \
    "$folder/libsinew_scenes.a" "$folder/libsinew.a" -lm -lpthread -o snowman 2>link.log ||
    if grep -qE 'asan|ubsan' link.log; then
        echo "SKIP: the library is built with sanitizers"
        exit 77
    else
        cat link.log >&2
        exit 1
    fi
said=$(sed -n 's/^It prints `\(.*\)`\. recipes.h.*/\1/p' "$page")
[ -n "$said" ]
[ "$(./snowman)" = "$said" ] || { echo "the program prints '$(./snowman)', not '$said'" >&2; exit 1; }

"$SINEW" check "$SOURCE/docs/examples/penguin.json" | grep 'penguin.json: fine'
"$SINEW" run "$SOURCE/docs/examples/penguin.json" -o penguin.csv | grep '^no trouble'

"$SINEW" info | sed -n '/^built-in characters/,/^$/p' | awk '/^  / { print $1 }' | while read -r name; do
    grep -q "^| \`$name\` |" "$page" || { echo "$name is not in the table" >&2; exit 1; }
done
grep -oE '\]\([a-zA-Z_/.]+\.(png|json|md)\)' "$page" | tr -d '()]' | while read -r file; do
    [ -s "$SOURCE/docs/$file" ] || { echo "$file is not there" >&2; exit 1; }
done
