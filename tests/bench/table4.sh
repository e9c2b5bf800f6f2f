#!/usr/bin/env bash
# SPDX-FileCopyrightText: 2026 The Sinew authors
# SPDX-License-Identifier: Apache-2.0
# label: long

# sinew bench table4 --json: all characters, at the paper's step and at the automatic one; the stages of the scenes, and
# how much of the glass box is contact.
set -u

command -v python3 >/dev/null || { echo "SKIP: no python3"; exit 77; }

# Of three tries the best: what else the machine does can only add.
for try in 1 2 3; do
    "$SINEW" bench table4 --runs 1 --json >out.json 2>table.log </dev/null || { cat table.log >&2; exit 1; }
    python3 - out.json <<'END' && exit 0
import json, sys

SCENES = {"worm", "fish", "starfish", "glass_box", "fatman", "fatman_contact"}
FALLS = {"starfish_coarse", "starfish_moderate", "starfish_fine", "starfish_very_fine"}
rows = [json.loads(line) for line in open(sys.argv[1], encoding="utf-8")]
own = {(r["case"], r["metric"]): r["value"] for r in rows if r["threads"] == 1}
paper = {(r["case"], r["metric"]): r.get("paper") for r in rows}
assert {case for case, _ in own} == SCENES | FALLS, own
for case in SCENES | FALLS:
    assert own[case, "s_per_s"] > 0 and own[case, "s_per_s:auto"] > 0, case
    assert (paper[case, "s_per_s"] or 0) > 0 or case == "fatman_contact", case
    assert own[case, "h_ms"] <= paper[case, "h_ms"], case  # a whole number of steps makes a frame
for case in SCENES:
    parts = [own[case, "stage_ms:" + stage] for stage in ("begin", "contact", "finish")]
    assert all(p > 0 for p in parts), (case, parts)
    assert abs(sum(parts) / own[case, "step_ms"] - 1) < 1e-3, case
    assert abs(own[case, "contact_share"] - 100 * parts[1] / sum(parts)) < 0.1, case
assert paper["starfish_very_fine", "s_per_s"] == 95.66 and paper["glass_box", "contact_share"] == 40
share = own["glass_box", "contact_share"]
print(f"contact takes {share:.1f} % of the glass box")
# wanted: 20. It was 20 to 23 until direct control, which took 45 % of the scene, took a quarter of that, and 31 until
# bones and cells became faster; the paper: 40
assert share < 40, share
END
    echo "try $try failed" >&2
done
exit 1
