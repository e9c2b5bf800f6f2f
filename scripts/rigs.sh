#!/usr/bin/env bash
# SPDX-FileCopyrightText: 2026 The Sinew authors
# SPDX-License-Identifier: Apache-2.0

# rigs.sh: bakes every clip that moves of every rig of ../shared/data/rigs without tuning, and writes the
# table of docs/rigs.md anew. Takes about ten minutes.
set -eu
cd "$(dirname "$0")/.."

[ -f build/test/build.ninja ] || cmake --preset test >/dev/null
cmake --build --preset test --target bake_data
root=$PWD
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
(cd "$work" && SINEW_TABLE=table.md "$root/build/test/tests/bin/bake_data")
[ -s "$work/table.md" ] || { # the test skips itself
    echo 'rigs: there are no rigs' >&2
    exit 1
}
# what is below the head of the table is replaced
sed '/^| rig |/{n;q}' docs/rigs.md >"$work/rigs.md"
cat "$work/table.md" >>"$work/rigs.md"
cp "$work/rigs.md" docs/rigs.md
