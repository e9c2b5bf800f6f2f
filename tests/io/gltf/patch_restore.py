# SPDX-FileCopyrightText: 2026 The Sinew authors
# SPDX-License-Identifier: Apache-2.0

"""gltf_patch_restore.py PATCHED ORIGINAL...: takes out what a patch says that it added, and finds the
original document and its data. Besides, all text that had no reason to change is there byte for byte."""

import base64
import json
import os
import struct
import sys


def read(path):
    """Text of the document and the binary chunk (or None) of a glTF or GLB file."""
    with open(path, "rb") as file:
        data = file.read()
    if data[:4] != b"glTF":
        return data.decode(), None
    size = struct.unpack("<I", data[12:16])[0]
    rest = data[20 + size:]
    chunk = rest[8:8 + struct.unpack("<I", rest[:4])[0]]
    assert struct.unpack("<I", data[8:12])[0] == len(data)
    assert rest[4:8] == b"BIN\0"
    return data[20:20 + size].decode(), chunk


def members(text):
    """Raw text of each member of the document."""
    decoder, out = json.JSONDecoder(), {}
    at = text.index("{") + 1
    while True:
        while text[at] in " \t\r\n,":
            at += 1
        if text[at] == "}":
            return out
        key, at = decoder.raw_decode(text, at)
        while text[at] in " \t\r\n:":
            at += 1
        _, end = decoder.raw_decode(text, at)
        out[key] = text[at:end]
        at = end


def cut_names(new, old, count):
    """Names of targets in extras."""
    names = new.get("extras", {}).get("targetNames")
    if not isinstance(names, list) or len(names) <= count:
        return
    assert all(name.startswith("sinew_") for name in names[count:])
    del names[count:]
    if "targetNames" not in old.get("extras", {}):
        del new["extras"]["targetNames"]
    if "extras" not in old:
        del new["extras"]


def put_back(table, key, value):
    """A member as it was; -1: it was not there."""
    if value < 0:
        del table[key]
    else:
        table[key] = value


def restore_joints(note, new, old):
    """Takes out helper joints."""
    for mesh, primitive, accessor, name in note.get("influences", []):
        put_back(new["meshes"][mesh]["primitives"][primitive]["attributes"], name, accessor)
    for skin, joints, accessor in note.get("skins", []):
        del new["skins"][skin]["joints"][joints:]
        put_back(new["skins"][skin], "inverseBindMatrices", accessor)
    for node, children in note.get("children", []):
        del new["nodes"][node]["children"][children:]
        if "children" not in old["nodes"][node]:
            del new["nodes"][node]["children"]
    for (nodes,) in note.get("joints", []):
        del new["nodes"][nodes:]


def restore(new, old):
    """Takes out what was added. `old` says only whether lists were empty or not there."""
    note = new["asset"]["extras"].pop("sinew")
    if "extras" not in old["asset"]:
        del new["asset"]["extras"]
    counts, meshes = {}, len(old["meshes"])
    for mesh, primitive, target, name in note.get("filled", []):
        del new["meshes"][mesh]["primitives"][primitive]["targets"][target][name]
    for node, mesh in note.get("nodes", []):
        assert new["nodes"][node]["mesh"] >= meshes
    for image, uri in note.get("images", []):
        new["images"][image]["uri"] = uri
    restore_joints(note, new, old)
    for mesh, count in note.get("targets", []):
        counts[mesh] = count
        twin = old["meshes"][mesh] if mesh < meshes else {"primitives": []}
        if mesh < meshes:
            del new["meshes"][mesh].get("weights", [])[count:]
            cut_names(new["meshes"][mesh], twin, count)
        for primitive, before in zip(new["meshes"][mesh]["primitives"], twin["primitives"]):
            del primitive["targets"][count:]
            if "targets" not in before:
                del primitive["targets"]
            cut_names(primitive, before, count)
    for node in new["nodes"]:
        if node.get("mesh") in counts and "weights" in node:
            del node["weights"][counts[node["mesh"]]:]
    for node, mesh in note.get("nodes", []):
        new["nodes"][node]["mesh"] = mesh
    for animation, channel, sampler in note.get("samplers", []):
        new["animations"][animation]["channels"][channel]["sampler"] = sampler
    for animation, samplers, channels in note.get("lists", []):
        del new["animations"][animation]["samplers"][samplers:]
        del new["animations"][animation]["channels"][channels:]
    for name in ("accessors", "bufferViews", "meshes", "animations"):
        del new.get(name, [])[note[name]:]
        if name not in old:
            new.pop(name, None)
    new["buffers"][0]["byteLength"] = note["byteLength"]
    return note


def gather(old):
    """A document with data: buffers as it is when all of them are one; and that data."""
    data, offsets = b"", []
    for buffer in old["buffers"]:
        offsets.append(len(data))
        data += base64.b64decode(buffer.pop("uri").split(",", 1)[1])[:buffer["byteLength"]]
        data += b"\0" * (-len(data) % 4)
    for view in old["bufferViews"]:
        if view["buffer"] > 0:
            view["byteOffset"] = view.get("byteOffset", 0) + offsets[view["buffer"]]
            view["buffer"] = 0
    del old["buffers"][1:]
    return data


# Lists to which things are added; of the others nothing may change
GROWN = ("accessors", "bufferViews")
CHANGED = ("asset", "buffers", "meshes", "nodes", "animations")


def check(patched, original):
    text, data = read(patched)
    old_text, old_data = read(original)
    new, old = json.loads(text), json.loads(old_text)
    raw, old_raw = members(text), members(old_text)
    one_buffer = len(old["buffers"]) == 1
    if old_data is None:
        old_data = gather(old)
    note = restore(new, old)
    changed = CHANGED + tuple(key for key in ("skins", "images") if key in note)
    same = [list(new) == list(old) and json.dumps(new) == json.dumps(old)]
    same.append(data[:len(old_data)] == old_data)
    for key, value in old_raw.items():
        if key in GROWN and (one_buffer or key == "accessors"):
            same.append(raw[key].startswith(value.rstrip("] \r\n\t")))
        elif key not in GROWN + changed:
            same.append(raw[key] == value)
    print(f"{os.path.basename(original)}: {len(old_text)} -> {len(text)} bytes of text, "
          f"{len(old_data)} -> {len(data)} of data: {'restored' if all(same) else same}")
    return all(same)


results = [check(os.path.join(sys.argv[1], os.path.basename(path)), path) for path in sys.argv[2:]]
sys.exit(0 if results and all(results) else 1)
