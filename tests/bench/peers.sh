#!/usr/bin/env bash
# SPDX-FileCopyrightText: 2026 The Sinew authors
# SPDX-License-Identifier: Apache-2.0
# label: full

# sinew bench peers --json: what is ours and what is another program's, skeletons and beams; where Bullet is there its
# beam sags as ours does.
set -u

command -v python3 >/dev/null || { echo "SKIP: no python3"; exit 77; }
"$SINEW" bench peers --small --json >out.json 2>table.log </dev/null || { cat table.log >&2; exit 1; }
python3 - out.json "$(dirname "$SINEW")" <<'END' || exit 1
import json, os, sys

rows = [json.loads(line) for line in open(sys.argv[1], encoding="utf-8")]
own = {(r["case"], r["metric"]): r["value"] for r in rows if "peer" not in r}
peer = {(r["case"], r["metric"]): r for r in rows if "peer" in r}
for case in ("starfish_26dof", "humanoid_60dof"):
    assert own[case, "midpoint_step"] > 0, case
    assert own[case, "kinematics_and_hybrid_best"] <= own[case, "kinematics_and_hybrid"], case
    if os.path.exists(sys.argv[2] + "/sinew-peer-mujoco.so"):
        assert peer[case, "kinematics_and_hybrid"]["peer"].startswith("MuJoCo "), case
assert 1 < own["beam_3k", "sag_mm"] < 100, own
if os.path.exists(sys.argv[2] + "/sinew-peer-bullet.so"):
    bullet = peer["beam_3k", "sag_mm"]
    assert bullet["peer"].startswith("Bullet "), bullet
    # the same law, mesh and masses; steps and schemes differ (measured: 1 %)
    assert abs(bullet["value"] / own["beam_3k", "sag_mm"] - 1) < 0.05, bullet
    assert own["beam_3k", "speedup"] > 0, own
print(len(rows), "rows")
END
