#!/usr/bin/env bash
# SPDX-FileCopyrightText: 2026 The Sinew authors
# SPDX-License-Identifier: Apache-2.0
# label: full

# The tool refuses each of 1000 malformed scene files: exit code 2, and the message on stderr starts
# with the file's name and line. `check` sees all of them, `run` every fifth.
set -u

maker=$(dirname "$SINEW")/tests/bin/io_scene_malformed
rm -rf malformed
mkdir -p malformed
SN_MALFORMED_DIR=malformed "$maker" >maker.log 2>&1 || { cat maker.log >&2; exit 1; }

failures=0
refused() { # COMMAND FILE
    local code=0
    "$SINEW" "$1" "$2" >out.log 2>err.log </dev/null || code=$?
    if [ $code != 2 ] || ! grep -q "$2: line [0-9]*, column [0-9]*: " err.log; then
        echo "sinew $1 $2: exit code $code, stderr: $(head -n 3 err.log)" >&2
        failures=$((failures + 1))
    fi
}

count=0
for file in malformed/*.json; do
    refused check "$file"
    [ $((count % 5)) = 0 ] && refused run "$file"
    count=$((count + 1))
    [ $failures -gt 9 ] && break
done

for good in "$SOURCE"/docs/examples/*.json; do
    if ! "$SINEW" check "$good" >out.log 2>err.log; then
        echo "sinew check $good: $(cat err.log)" >&2
        failures=$((failures + 1))
    fi
done

echo "$count malformed files, $failures failures"
[ $failures = 0 ] && [ $count = 1000 ]
