#!/usr/bin/env bash
# SPDX-FileCopyrightText: 2026 The Sinew authors
# SPDX-License-Identifier: Apache-2.0
# label: full

# sinew bench table3 table5 --json, briefly: every line of stdout is one object with the promised keys, nothing
# else; all starfish and stages; figures that fit together.
set -u

command -v python3 >/dev/null || { echo "SKIP: no python3"; exit 77; }
"$SINEW" bench table3 table5 --runs 3 --json >out.json 2>table.log </dev/null || { cat table.log >&2; exit 1; }
python3 - out.json <<'END' || exit 1
import json, math, sys

KEYS = {"bench", "case", "metric", "value", "unit", "spread", "threads", "machine"}
STARFISH = ["starfish_" + size for size in ("coarse", "moderate", "fine", "very_fine")]
TIMED = ["step_ms"] + ["stage_ms:" + stage for stage in ("elastic", "passes", "bones", "contact", "frame")]
rows = [json.loads(line) for line in open(sys.argv[1], encoding="utf-8")]
value, paper = {}, {}
for row in rows:
    assert set(row) - {"peer", "paper"} == KEYS, row
    assert all(isinstance(row[k], str) and row[k] for k in ("bench", "case", "metric", "unit", "machine")), row
    assert isinstance(row["threads"], int) and math.isfinite(row["value"]) and row["spread"] >= 0, row
    key = (row["bench"], row["case"], row["metric"], row["threads"])
    assert key not in value, row
    value[key] = row["value"]
    paper[key] = row.get("paper")
three = {key[1:]: v for key, v in value.items() if key[0] == "table3"}
threads = {t for _, _, t in three}
assert 1 in threads and {case for case, _, _ in three} == set(STARFISH)
for case in STARFISH:
    for t in threads:
        for metric in TIMED:
            assert 0 < three[case, metric + "_best", t] <= three[case, metric, t], (case, metric)
        rate = 1e3 * three[case, "tets", 1] / three[case, "stage_ms:elastic", t]
        assert abs(three[case, "tets_per_s", t] / rate - 1) < 1e-3, (case, t)
assert paper["table3", "starfish_very_fine", "step_ms", 1] == 19.132
for case in STARFISH:
    if ("table5", case, "speedup:mxn", 1) in value:
        assert value["table5", case, "speedup:mxn", 1] > 0, case
    assert value["table5", case, "speedup:3x3", 1] > 0, case
    assert paper["table5", case, "speedup:3x3", 1] > 1, case
print(len(rows), "rows")
END
# the table for people has the same rows
rows=$(wc -l <out.json)
[ "$(grep -c '^table[35] ' table.log)" = "$rows" ] || { echo "the table has other rows" >&2; exit 1; }
