#!/usr/bin/env bash
# SPDX-FileCopyrightText: 2026 The Sinew authors
# SPDX-License-Identifier: Apache-2.0
# label: full

# sinew bench bake: the first clip of a rig, simulated and with all its files; nothing is left behind.
set -u

command -v python3 >/dev/null || { echo "SKIP: no python3"; exit 77; }
rig=$SOURCE/../shared/data/rigs/Fox.glb
[ -f "$rig" ] || { echo "SKIP: no rigs"; exit 77; }
rm -rf rigs scratch
mkdir -p rigs
cp "$rig" rigs/
echo 'no rig' >rigs/Junk.glb
"$SINEW" bench bake --runs 1 --rigs rigs --json >out.json 2>table.log </dev/null || { cat table.log >&2; exit 1; }
grep -q '^note: Junk.glb is left out: ' table.log || { echo "a file that is no rig is not noted" >&2; exit 1; }
python3 - out.json <<'END' || exit 1
import json, sys

own = {(r["case"], r["metric"]): r["value"] for r in map(json.loads, open(sys.argv[1], encoding="utf-8"))}
assert {case for case, _ in own} == {"Fox"}, own
assert own["Fox", "build_s"] > 0
assert 0 < own["Fox", "s_per_s"] < own["Fox", "s_per_s:all"], own
END
