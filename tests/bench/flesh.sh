#!/usr/bin/env bash
# SPDX-FileCopyrightText: 2026 The Sinew authors
# SPDX-License-Identifier: Apache-2.0
# label: full

# sinew bench flesh --json, briefly: all characters, stages and units, figures that fit together.
set -u

command -v python3 >/dev/null || { echo "SKIP: no python3"; exit 77; }
"$SINEW" bench flesh --runs 3 --json >out.json 2>table.log </dev/null || { cat table.log >&2; exit 1; }
python3 - out.json <<'END' || exit 1
import json, math, sys

KEYS = {"bench", "case", "metric", "value", "unit", "spread", "threads", "machine"}
CASES = {"starfish_coarse", "starfish", "starfish_fine", "starfish_very_fine", "worm", "starfish_ground"}
UNITS = {"nodes": "count", "cells": "count", "diagonalized": "count", "contacts": "count", "auto_step": "ms",
         "step": "us", "elastic": "us", "passes": "us", "bones": "us", "frame": "us", "contact": "us",
         "elastic_rate": "M/s", "run": "s/s", "run_at_paper_step": "s/s"}
TIMED = ("step", "elastic", "passes", "bones", "frame", "run", "run_at_paper_step")
rows = [json.loads(line) for line in open(sys.argv[1], encoding="utf-8")]
own, paper = {}, {}
for row in rows:
    assert set(row) - {"peer"} == KEYS, row
    assert row["bench"] == "flesh" and row["case"] in CASES, row
    assert row["unit"] == UNITS[row["metric"].removesuffix("_best")], row
    least = 0 if row["metric"] == "diagonalized" else 1e-12
    assert math.isfinite(row["value"]) and row["value"] >= least and row["spread"] >= 0, row
    key = (row["case"], row["metric"], row["threads"])
    into = paper if "peer" in row else own
    assert key not in into, row
    into[key] = row["value"]
threads = {t for _, _, t in own}
assert 1 in threads
for case in CASES:
    for t in threads:
        for metric in TIMED + (("contact",) if case == "starfish_ground" else ()):
            assert own[case, metric + "_best", t] <= own[case, metric, t], (case, metric)
        rate = own[case, "cells", 1] / own[case, "elastic", t]
        assert abs(own[case, "elastic_rate", t] / rate - 1) < 1e-3, (case, t)
assert own["starfish_ground", "contacts", 1] > 0
# 200 times the cells cannot be had for 3 times the time: nothing skips its work (best measured: 20 times and more)
for metric in ("step", "elastic", "passes", "frame", "run"):
    few, many = (own[case, metric + "_best", 1] for case in ("starfish_coarse", "starfish_very_fine"))
    assert many > 3 * few, (metric, few, many)
assert paper["starfish_very_fine", "run_at_paper_step", 1] == 95.66
print(len(rows), "rows")
END
# the table for people has the same rows
rows=$(wc -l <out.json)
[ "$(grep -c '^flesh ' table.log)" = "$rows" ] || { echo "the table has other rows" >&2; exit 1; }
