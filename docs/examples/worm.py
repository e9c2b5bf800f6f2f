#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The Sinew authors
# SPDX-License-Identifier: Apache-2.0

"""worm.py >worm.gltf: a fat worm of 0.6 m on three joints, with an eye, clips of every kind, and attributes to paint by."""

import base64
import json
import math
import struct

RINGS, AROUND, LENGTH, RADIUS = 21, 16, 0.6, 0.15

# Attributes for --paint, by how high a vertex is, 0..1
PAINTS = {
    "_ABOVE": lambda s: min(max(4 * s - 1.5, 0.0), 1.0),
    "_BELOW": lambda s: min(max(2.5 - 4 * s, 0.0), 1.0),
    "_BELT": lambda s: min(max(1.8 - 6 * abs(s - 0.5), 0.0), 1.0),
}


def lathe():
    """Vertices and triangles of a closed body along y; poles are single vertices."""
    points = [(0.0, 0.0, 0.0)]
    for i in range(1, RINGS - 1):
        s = i / (RINGS - 1)
        r = RADIUS * math.sqrt(1 - abs(2 * s - 1) ** 3) * (1 - 0.4 * s)
        for k in range(AROUND):
            a = 2 * math.pi * k / AROUND
            points.append((r * math.sin(a), LENGTH * s, r * math.cos(a)))
    points.append((0.0, LENGTH, 0.0))
    top, triangles = len(points) - 1, []
    for k in range(AROUND):
        n = (k + 1) % AROUND
        triangles.append((0, 1 + n, 1 + k))
        for i in range(RINGS - 3):
            a, b = 1 + i * AROUND, 1 + (i + 1) * AROUND
            triangles += [(a + k, a + n, b + n), (a + k, b + n, b + k)]
        last = 1 + (RINGS - 3) * AROUND
        triangles.append((last + k, last + n, top))
    return points, triangles


def eye(points, triangles):
    """An octahedron on the front."""
    first, (x, y, z), r = len(points), (0.0, 0.45, 0.1), 0.02
    for d in ((1, 0, 0), (-1, 0, 0), (0, 1, 0), (0, -1, 0), (0, 0, 1), (0, 0, -1)):
        points.append((x + r * d[0], y + r * d[1], z + r * d[2]))
    for sx in (0, 1):
        for sy in (2, 3):
            for sz in (4, 5):
                t = (first + sx, first + sy, first + sz)
                flip = (sx + (sy - 2) + (sz - 4)) % 2
                triangles.append((t[0], t[2], t[1]) if flip else t)


def skin(y):
    """Joints at 0, 0.2 and 0.4 m."""
    s = min(max(y / 0.2 - 0.5, 0), 2)
    low = min(int(s), 1)
    return (low, low + 1, 0, 0), (1 - (s - low), s - low, 0.0, 0.0)


class Document:
    def __init__(self):
        self.bytes, self.views, self.accessors = b"", [], []

    def add(self, kind, component, form, rows, bounds=False):
        data = b"".join(struct.pack("<" + form, *row) for row in rows)
        self.views.append({"buffer": 0, "byteOffset": len(self.bytes), "byteLength": len(data)})
        self.bytes += data + b"\0" * (-len(data) % 4)
        accessor = {"bufferView": len(self.views) - 1, "componentType": component, "count": len(rows), "type": kind}
        if bounds:
            exact = [struct.unpack("<" + form, struct.pack("<" + form, *row)) for row in rows]
            accessor["min"] = [min(c) for c in zip(*exact)]
            accessor["max"] = [max(c) for c in zip(*exact)]
        self.accessors.append(accessor)
        return len(self.accessors) - 1


def clip(document, name, times, channels):
    at = document.add("SCALAR", 5126, "f", [(t,) for t in times], bounds=True)
    out = {"samplers": [], "channels": []}
    if name:
        out["name"] = name
    for node, path, keys in channels:
        kind, form = ("VEC4", "4f") if path == "rotation" else ("VEC3", "3f")
        out["samplers"].append({"input": at, "output": document.add(kind, 5126, form, keys)})
        out["channels"].append({"sampler": len(out["samplers"]) - 1, "target": {"node": node, "path": path}})
    return out


def bend(angle):
    return (math.sin(angle / 2), 0.0, 0.0, math.cos(angle / 2))


def main():
    d = Document()
    points, triangles = lathe()
    eye(points, triangles)
    weights = [skin(p[1]) for p in points]
    position = d.add("VEC3", 5126, "3f", points, bounds=True)
    joints = d.add("VEC4", 5121, "4B", [w[0] for w in weights])
    weight = d.add("VEC4", 5126, "4f", [w[1] for w in weights])
    indices = d.add("SCALAR", 5123, "H", [(i,) for t in triangles for i in t])
    inverse = d.add("MAT4", 5126, "16f", [(1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, -0.2 * j, 0, 1) for j in range(3)])
    times = [i / 24 for i in range(25)]
    wave = [bend(0.5 * math.sin(2 * math.pi * t)) for t in times]
    hop = [(0.0, max(0.0, 4 * (t - 0.25) * (0.75 - t)), 0.0) for t in times]
    nod = [bend(0.8 * t * t) for t in times]
    clips = [
        clip(d, "Pose", [0.0], [(1, "rotation", [bend(0.2)])]),
        clip(d, "Wave", times, [(1, "rotation", wave), (2, "rotation", wave)]),
        clip(d, "Still", [0.0, 1.0], [(1, "rotation", [bend(0)] * 2)]),
        clip(d, "Hop", times, [(0, "translation", hop)]),
        clip(d, "", times, [(2, "rotation", nod)]),
    ]
    attributes = {"POSITION": position, "JOINTS_0": joints, "WEIGHTS_0": weight}
    for name, paint in PAINTS.items():
        attributes[name] = d.add("SCALAR", 5126, "f", [(paint(p[1] / LENGTH),) for p in points])
    nodes = [
        {"name": "root", "children": [1]},
        {"name": "middle", "translation": [0, 0.2, 0], "children": [2]},
        {"name": "top", "translation": [0, 0.2, 0]},
        {"name": "worm", "mesh": 0, "skin": 0},
    ]
    document = {
        "asset": {"version": "2.0", "generator": "worm.py"},
        "scene": 0,
        "scenes": [{"nodes": [0, 3]}],
        "nodes": nodes,
        "skins": [{"joints": [0, 1, 2], "inverseBindMatrices": inverse}],
        "materials": [{"name": "skin", "pbrMetallicRoughness": {"baseColorFactor": [0.8, 0.5, 0.5, 1]}}],
        "meshes": [{"name": "body", "primitives": [{
            "attributes": attributes,
            "indices": indices, "material": 0}]}],
        "animations": clips,
        "accessors": d.accessors,
        "bufferViews": d.views,
        "buffers": [{"byteLength": len(d.bytes),
                     "uri": "data:application/octet-stream;base64," + base64.b64encode(d.bytes).decode()}],
    }
    print(json.dumps(document, separators=(",", ":")))


main()
