#!/usr/bin/env bash
# SPDX-FileCopyrightText: 2026 The Sinew authors
# SPDX-License-Identifier: Apache-2.0
# label: full

# sinew bench skeleton --json: every line of stdout is one object with the promised keys, nothing else.
set -u

command -v python3 >/dev/null || { echo "SKIP: no python3"; exit 77; }
"$SINEW" bench skeleton --json >out.json 2>table.log </dev/null || { cat table.log >&2; exit 1; }
python3 - out.json <<'END' || exit 1
import json, math, sys

KEYS = {"bench", "case", "metric", "value", "unit", "spread", "threads", "machine"}
rows = [json.loads(line) for line in open(sys.argv[1], encoding="utf-8")]
assert rows
for row in rows:
    assert set(row) - {"peer"} == KEYS, row
    assert all(isinstance(row[k], str) and row[k] for k in set(row) - {"value", "spread", "threads"}), row
    assert row["bench"] == "skeleton" and isinstance(row["threads"], int), row
    assert math.isfinite(row["value"]) and row["value"] > 0 and row["spread"] >= 0, row
for case in ("starfish_26dof", "humanoid_60dof"):
    own = [r for r in rows if r["case"] == case and "peer" not in r]
    metrics = [r["metric"] for r in own]
    assert "kinematics_and_hybrid" in metrics and "midpoint_step" in metrics, metrics
    assert len(set(metrics)) == len(metrics), metrics
    assert all(r["unit"] == "us" for r in own), own
    best = {r["metric"]: r["value"] for r in own}
    assert best["kinematics_and_hybrid_best"] <= best["kinematics_and_hybrid"], own
    assert best["kinematics"] <= best["kinematics_and_hybrid"] * 1.5, own
print(len(rows), "rows")
END
# the table for people has the same rows
rows=$(wc -l <out.json)
[ "$(grep -c '^skeleton ' table.log)" = "$rows" ] || { echo "the table has other rows" >&2; exit 1; }
