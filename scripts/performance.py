#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The Sinew authors
# SPDX-License-Identifier: Apache-2.0

"""performance.py BENCH.json [DOC]: puts the figures of `sinew bench --json` into docs/performance.md.

Tables stand between <!-- NAME --> and <!-- end -->; text around them stays. Figures are the best of their runs, or what
was emitted once. Tables and targets of what was not measured stay as they are.
"""

import json
import pathlib
import re
import sys

STARFISH = ["starfish_coarse", "starfish_moderate", "starfish_fine", "starfish_very_fine"]


class Figures:
    def __init__(self, path):
        self.rows = [json.loads(line) for line in open(path, encoding="utf-8")]
        self.value, self.paper = {}, {}
        for r in self.rows:
            key = (r["bench"], r["case"], r["metric"], r["threads"], r.get("peer", "").split(" ")[0])
            self.value[key] = r["value"]
            self.paper[key] = r.get("paper")
        self.threads = max(r["threads"] for r in self.rows)

    def get(self, bench, case, metric, threads=1, peer=""):
        """The best, or the only one; None where there is none."""
        for name in (metric + "_best", metric):
            if (bench, case, name, threads, peer) in self.value:
                return self.value[bench, case, name, threads, peer]
        return None

    def theirs(self, bench, case, metric):
        return self.paper.get((bench, case, metric, 1, ""))

    def cases(self, bench):
        return list(dict.fromkeys(r["case"] for r in self.rows if r["bench"] == bench))


def show(x, scale=1.0):
    if x is None:
        return ""
    x *= scale
    return f"{x:.0f}" if abs(x) >= 1000 else f"{x:.3g}"


def many(n):
    return f"{n} thread{'s' if n > 1 else ''}"


def table(head, rows):
    lines = ["| " + " | ".join(head) + " |", "|" + "---|" * len(head)]
    return "\n".join(lines + ["| " + " | ".join(row) + " |" for row in rows])


def machine(f):
    return f"The tables hold the best of the runs. Machine: {f.rows[0]['machine']}."


def targets(f):
    def met(x, bound, less):
        return "" if x is None else "yes" if (x <= bound if less else x >= bound) else "**no**"

    def worst(metric):
        found = [f.get("table4", c, metric) for c in ("starfish", "fish", "worm")]
        return None if None in found else max(found)

    sizes = [f.get("scaling", c, "ns_per_tet") for c in ("tets_10k", "tets_100k", "tets_1M", "tets_10M")]
    growth = None if None in sizes else max(sizes) / min(sizes)
    n = f.threads
    rows = [
        ("elastic forces, very fine starfish, one thread, M tets/s", "2.1", "≥ 120",
         f.get("kernels", "starfish_very_fine", "tets_per_s"), 1e-6, 120e6, False),
        ("3 × 3 SVD, one thread, AVX-512, ns", "", "≤ 25", f.get("kernels", "svd_avx512", "svd_ns"), 1, 25, True),
        (f"step of the very fine starfish, free fall, {many(n)}, ms", "19.1", "≤ 0.30",
         f.get("table3", "starfish_very_fine", "step_ms", n), 1, 0.30, True),
        (f"the same, {many(n)} against one", "", "≥ 1.7", f.get("table3", "starfish_very_fine", "speedup", n), 1, 1.7,
         False),
        (f"Fatman dancing, 0.5 ms steps, {many(n)}, s/s", "13.24", "≤ 0.12", f.get("table4", "fatman", "s_per_s", n), 1,
         0.12, True),
        ("starfish, fish, worm, 1 ms steps, one thread, the slowest, s/s", "0.57", "≤ 0.015", worst("s_per_s"), 1, 0.015,
         True),
        ("starfish and glass box, 1 ms steps, one thread, s/s", "0.94", "≤ 0.03", f.get("table4", "glass_box", "s_per_s"),
         1, 0.03, True),
        ("contact's part of the glass box, %", "40", "< 20", f.get("table4", "glass_box", "contact_share"), 1, 20, True),
        ("time per tet, 10k to 10M tets, most over least", "", "≤ 1.5", growth, 1, 1.5, True),
        (f"coarse starfish in real time, floating, 3 ms steps, {many(n)}", "6", "≥ 150",
         f.get("crowd", "starfish_coarse", "characters_real_time", n), 1, 150, False),
        ("the same on the ground, 1 ms steps", "2", "≥ 150", f.get("crowd", "starfish_coarse_ground", "characters_real_time", n), 1,
         150, False),
        ("beam of 3k tets, Bullet's time over ours", "", "≥ 10", f.get("peers", "beam_3k", "speedup"), 1, 10, False),
        ("beam of 9k tets, Bullet's time over ours", "", "≥ 10", f.get("peers", "beam_9k", "speedup"), 1, 10, False),
    ]
    return table(["what", "paper", "target", "measured", "met"],
                 [[what, paper, goal, show(x, scale), met(x, bound, less)]
                  for what, paper, goal, x, scale, bound, less in rows])


def table3(f):
    stages = ["step_ms"] + ["stage_ms:" + s for s in ("elastic", "passes", "bones", "contact", "frame")]
    rows = []
    for case in STARFISH:
        rows.append([case, show(f.get("table3", case, "tets")), "paper"] +
                    [show(f.theirs("table3", case, m), 1e3) for m in stages] +
                    [show(f.theirs("table3", case, "tets_per_s"), 1e-6)])
        for n in sorted({1, f.threads}):
            rows.append(["", "", many(n)] +
                        [show(f.get("table3", case, m, n), 1e3) for m in stages] +
                        [show(f.get("table3", case, "tets_per_s", n), 1e-6)])
    return table(["µs", "tets", "", "step", "elastic", "passes", "bones", "contact", "frame", "M tets/s"], rows)


def table4(f):
    n = f.threads
    rows = [[case, show(f.theirs("table4", case, "h_ms")), show(f.theirs("table4", case, "s_per_s")),
             show(f.get("table4", case, "s_per_s")), show(f.get("table4", case, "s_per_s", n)),
             show(f.get("table4", case, "h_ms:auto")), show(f.get("table4", case, "s_per_s:auto")),
             show(f.get("table4", case, "s_per_s:auto", n)), show(f.get("table4", case, "contact_share"))]
            for case in f.cases("table4")]
    return table(["s/s", "paper's step, ms", "paper", "ours, 1 thread", f"{many(n)}", "automatic step, ms", "1 thread",
                  f"{many(n)}", "contact, %"], rows)


def table5(f):
    rows = [[case, show(f.get("table5", case, "diagonalized"))] +
            [show(f.get("table5", case, m), 1e3) for m in ("step_ms:3x3", "step_ms:3x3_always", "step_ms:mxn",
                                                          "step_ms:mxn_always")] +
            [text for svd in ("3x3", "mxn") for text in (show(f.theirs("table5", case, "speedup:" + svd)),
                                                         show(f.get("table5", case, "speedup:" + svd)))]
            for case in f.cases("table5")]
    return table(["step, µs", "diagonalised", "3 × 3", "all cells", "m × n", "all cells", "gain, 3 × 3: paper", "ours",
                  "gain, m × n: paper", "ours"], rows)


def scaling(f):
    tets = [[case, show(f.get("scaling", case, "tets")), show(f.get("scaling", case, "ns_per_tet")) + " ns a tet"]
            for case in f.cases("scaling") if case.startswith("tets")]
    bones = [[case, case[6:], show(f.get("scaling", case, "ns_per_bone")) + " ns a bone"]
             for case in f.cases("scaling") if case.startswith("bones")]
    return table(["case", "count", "one thread"], tets + bones)


def crowd(f):
    rows = []
    for case in ("starfish_coarse", "starfish_coarse_ground"):
        thousand = case + "_x1000"
        for n in sorted({1, f.threads}):
            rows.append([case, str(n), show(f.theirs("crowd", case, "characters_real_time"))] +
                        [show(f.get("crowd", case, m, n)) for m in ("h_ms", "characters_real_time", "h_ms:auto",
                                                                    "characters_real_time:auto")] +
                        [show(f.get("crowd", thousand, "s_per_s", n))])
    return table(["case", "threads", "paper", "step, ms", "in real time", "automatic step, ms", "in real time",
                  "a thousand, s/s"], rows)


def kernels(f):
    n = f.threads
    rows = []
    for case, metric, unit in (("copy_memory", "bandwidth_GBps", "GB/s"), ("copy_cache", "bandwidth_GBps", "GB/s"),
                               ("fma", "fma_GFLOPs", "GFLOP/s")):
        rows.append([case, unit, show(f.get("kernels", case, metric)), show(f.get("kernels", case, metric, n)), "", ""])
    for case in f.cases("kernels"):
        if case.startswith("svd"):
            rows.append([case, "ns", show(f.get("kernels", case, "svd_ns")), "", "", ""])
    for case in STARFISH + ["fatman"]:
        rows.append([case, "M tets/s", show(f.get("kernels", case, "tets_per_s"), 1e-6),
                     show(f.get("kernels", case, "tets_per_s", n), 1e-6), show(f.get("kernels", case, "share:fma")),
                     show(f.get("kernels", case, "share:cache"))])
    return table(["case", "unit", "1 thread", f"{many(n)}", "of the multiply-adds, %", "of the cache, %"], rows)


def bake(f):
    n = f.threads
    rows = [[case, show(f.get("bake", case, "build_s", n)), show(f.get("bake", case, "s_per_s", n)),
             show(f.get("bake", case, "s_per_s:all", n))] for case in f.cases("bake")]
    return table(["rig", "body built, s", "simulating, s/s", "the whole bake, s/s"], rows)


def peers(f):
    rows = []
    for case in ("starfish_26dof", "humanoid_60dof"):
        rows.append([case + ", forward dynamics", "µs", show(f.get("peers", case, "kinematics_and_hybrid")), "MuJoCo",
                     show(f.get("peers", case, "kinematics_and_hybrid", 1, "MuJoCo"))])
    for case in ("beam_3k", "beam_9k"):
        for metric, unit in (("s_per_s", "s/s"), ("step_ms", "ms"), ("h_ms", "ms"), ("sag_mm", "mm")):
            rows.append([f"{case}, `{metric}`", unit, show(f.get("peers", case, metric)), "Bullet",
                         show(f.get("peers", case, metric, 1, "Bullet"))])
    return table(["what", "unit", "ours", "other", "its"], rows)


def keep_unmeasured(made, before):
    """Rows without a figure are taken from the table that is there."""
    known = {line.split(" | ")[0]: line for line in before.splitlines()}
    return "\n".join(known.get(line.split(" | ")[0], line) if line.endswith("|  |  |") else line
                     for line in made.splitlines())


def main():
    doc = pathlib.Path(sys.argv[2] if len(sys.argv) > 2 else
                       pathlib.Path(__file__).resolve().parent.parent / "docs/performance.md")
    figures = Figures(sys.argv[1])
    measured = {r["bench"] for r in figures.rows}
    text = doc.read_text(encoding="utf-8")
    for make in (machine, targets, table3, table4, table5, scaling, crowd, kernels, bake, peers):
        block = re.compile(f"(<!-- {make.__name__} -->\n).*?(<!-- end -->)", re.S)
        if not block.search(text):
            sys.exit(f"performance: {doc} has no place for {make.__name__}")
        if make not in (machine, targets) and make.__name__ not in measured:
            continue
        made = make(figures)
        if make is targets:
            made = keep_unmeasured(made, block.search(text).group(0))
        text = block.sub(lambda m, made=made: m.group(1) + made + "\n" + m.group(2), text)
    doc.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    main()
