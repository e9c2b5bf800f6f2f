#!/usr/bin/env bash
# SPDX-FileCopyrightText: 2026 The Sinew authors
# SPDX-License-Identifier: Apache-2.0
# label: full

# The manual page has every command and every line of its --help, and roff has nothing to say against it.
set -eu
"$SOURCE/scripts/man.sh" "$SINEW" >sinew.1
commands=$("$SINEW" --help | awk '$1 == "sinew" && $2 ~ /^[a-z]+$/ { print $2 }')
[ "$(wc -w <<<"$commands")" -ge 7 ]
for command in $commands; do
    grep -qi "^\.SH sinew $command$" sinew.1 || {
        echo "no part about $command in: $(grep '^\.SH' sinew.1)" >&2
        exit 1
    }
done
command -v groff >/dev/null 2>&1 || {
    echo 'SKIP: groff is missing'
    exit 77
}
groff -man -Tascii -P-c -P-b -P-u -ww -rLL=200n sinew.1 >page.txt 2>page.log
[ ! -s page.log ] || {
    cat page.log >&2
    exit 1
}
sed 's/^ *//; s/ *$//' page.txt >lines.txt
for command in $commands; do
    "$SINEW" "$command" --help | sed 's/^ *//; s/ *$//' | while read -r line; do
        grep -qxF -- "$line" lines.txt || {
            echo "the page misses this line of $command: $line" >&2
            exit 1
        }
    done
done
grep -q '^0 done, 1 the run failed' lines.txt
