#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The Sinew authors
# SPDX-License-Identifier: Apache-2.0

"""Checks every #include of the project against the layers.

A folder of src/ may include only itself and folders earlier in LAYERS. Methods never include each
other, and only src/method/*.c may name one. Files and simulation meet in MEETINGS alone: of io these
rooms may include sim, and of the other folders only those may include both io and sim.

scenes/ and apps/ are clients of the public API, bench/ may time what lies below it;
examples/ use nothing but the public API and what they share; recipes in scenes/ may also use the header-only mathematics and geometry.
Headers must not include each other in a circle.
"""

import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent

LAYERS = """base math linsolve geom skel rig elastic flesh character contact control world gpu method sim
io bake import""".split()

# where files and simulation meet
MEETINGS = {("io", "scene"), ("io", "sink"), ("bake",)}

# top folder -> top folders it may include; include/ is open to all
CLIENTS = {
    "include": {"include"},
    "scenes": {"include", "scenes", "src/math", "src/geom"},
    "bench": {"include", "src", "scenes", "bench"},
    "apps": {"include", "scenes", "bench", "apps"},
    "tests": {"include", "src", "scenes", "bench", "apps", "tests"},
    "fuzz": {"include", "src", "scenes", "fuzz"},
    "examples": {"include", "examples"},
}

# where the compiler looks, beside the including file's own folder
SEARCH = {
    "include": ["include"],
    "src": ["include", "src"],
    "scenes": ["include", ".", "src"],
    "bench": ["include", "src", ".", "bench"],
    "apps": ["include", ".", "bench", "apps"],
    "tests": ["include", "src", ".", "bench", "apps", "tests"],
    "fuzz": ["include", "src", ".", "fuzz"],
    "examples": ["include"],
}

SUFFIXES = {".c", ".h", ".inl", ".cu", ".cuh", ".cpp", ".hpp"}
INCLUDE = re.compile(r'^\s*#\s*include\s*([<"])([^>"]+)[>"]')


def resolve(path, top, bracket, name):
    """The project's file that `name` means, relative to ROOT, or None for a system header."""
    folders = [ROOT / folder for folder in SEARCH[top]]
    if bracket == '"':
        folders.insert(0, path.parent)
    for folder in folders:
        found = folder / name
        if found.is_file():
            return found.resolve().relative_to(ROOT)
    return None


def method_of(parts):
    """NAME of src/method/NAME/..., else None."""
    return parts[2] if parts[:2] == ("src", "method") and len(parts) > 3 else None


def may_meet(source):
    """Whether a file of src/ may include both io and sim; those of io include io by being there."""
    return source.parts[1:2] in MEETINGS or source.parts[1:3] in MEETINGS


def complaint(source, target, bracket, name):
    """Why source must not include target, or None."""
    top = source.parts[0]
    if target is None:
        if bracket == '"':
            return "is not a file of the project; write system headers in <>"
        if name.startswith("sinew/") or name.split("/")[0] in LAYERS:
            return "does not exist"
        return None
    if ".." in name.split("/"):
        return "leaves its folder; name the file from src/ or include/"
    if target.parts[0] == "include":
        return None
    if top != "src":
        if target.parts[0] in CLIENTS[top] or "/".join(target.parts[:2]) in CLIENTS[top]:
            return None
        return f"is not for {top}/, which may include {', '.join(sorted(CLIENTS[top]))}"

    if target.parts[0] != "src":
        return "is outside src/ and include/"
    if "/" not in name:
        return f"must name its folder: {'/'.join(target.parts[1:])}"
    own, other = source.parts[1], target.parts[1]
    if LAYERS.index(other) > LAYERS.index(own):
        return f"belongs to the layer {other}, which comes after {own}"
    if own == "io" and other == "sim" and not may_meet(source):
        return "is of sim, which of io only scene/ and sink/ include"
    method = method_of(target.parts)
    if method and method != method_of(source.parts):
        registry = source.parts[:-1] == ("src", "method") and source.suffix == ".c"
        if not registry:
            return f"belongs to the method {method}; only it and src/method/*.c may include it"
    return None


def meetings(graph):
    """One message for each folder of src/, but those allowed to, that includes both io and sim."""
    seen = {}
    for source, targets in graph.items():
        if source.parts[0] == "src" and source.parts[1] not in ("io", "sim") and not may_meet(source):
            seen.setdefault(source.parts[1], set()).update(t.parts[1] for t in targets)
    return [f"src/{folder} includes both io and sim, which only src/bake may"
            for folder, others in sorted(seen.items()) if {"io", "sim"} <= others]


def circles(graph):
    """One message for each circle of includes found by depth-first search."""
    done, found = set(), []

    def visit(node, trail):
        if node in trail:
            circle = trail[trail.index(node):] + [node]
            found.append("circle of includes: " + " -> ".join(str(p) for p in circle))
        elif node not in done:
            for other in graph.get(node, ()):
                visit(other, trail + [node])
            done.add(node)

    for node in sorted(graph):
        visit(node, [])
    return found


def main():
    errors, graph, count = [], {}, 0
    for folder in ["include", "src", "scenes", "bench", "apps", "tests", "fuzz", "examples"]:
        for path in sorted((ROOT / folder).rglob("*")):
            if path.suffix not in SUFFIXES or not path.is_file():
                continue
            source = path.relative_to(ROOT)
            if source.parts[:2] == ("tests", "data"):
                continue
            if source.parts[0] == "src" and source.parts[1] not in LAYERS:
                errors.append(f"{source}: src/{source.parts[1]} is not in the list of layers")
                continue
            for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
                match = INCLUDE.match(line)
                if not match:
                    continue
                count += 1
                bracket, name = match.groups()
                target = resolve(path, source.parts[0], bracket, name)
                why = complaint(source, target, bracket, name)
                if why:
                    errors.append(f'{source}:{number}: "{name}" {why}')
                if target:
                    graph.setdefault(source, []).append(target)
    errors += meetings(graph) + circles(graph)
    for error in errors:
        print(error, file=sys.stderr)
    print(f"check_layers: {count} includes, {len(errors)} wrong")
    return 1 if errors else 0


if __name__ == "__main__":
    sys.exit(main())
