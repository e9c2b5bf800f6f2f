#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The Sinew authors
# SPDX-License-Identifier: Apache-2.0

"""Checks that a tag of a struct, union or enum means one thing in the whole tree.

A tag that begins with sn is defined in one file, and so is one that a header shares: C has one space of
tags for all three kinds, and a reader has one head. A file may define a tag in several branches of an
#if. Tags of a .c file's own, without the prefix, may come again in other .c files.
"""

import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
FOLDERS = ["include", "src", "scenes", "bench", "apps", "tests", "fuzz", "examples"]
HEADERS = {".h", ".inl", ".cuh", ".hpp"}
SUFFIXES = HEADERS | {".c", ".cu", ".cpp"}
TAG = re.compile(r"^\s*(?:typedef\s+)?(?:struct|union|enum)\s+(?:SN_\w+(?:\([^)]*\))?\s+)?(\w+)\s*\{",
                 re.M)


def definitions():
    """tag -> {file: line of its first definition there}"""
    found = {}
    for folder in FOLDERS:
        for path in sorted((ROOT / folder).rglob("*")):
            name = path.relative_to(ROOT)
            if path.suffix not in SUFFIXES or name.parts[:2] == ("tests", "data"):
                continue
            text = path.read_text(encoding="utf-8")
            for match in TAG.finditer(text):
                line = text.count("\n", 0, match.start(1)) + 1
                found.setdefault(match.group(1), {}).setdefault(name, line)
    return found


def is_program(name):
    """Headers of tests and fuzzers belong to the one program that includes them."""
    return name.parts[0] in ("tests", "fuzz")


def main():
    errors, count = [], 0
    for tag, places in sorted(definitions().items()):
        count += 1
        shared = [p for p in places if p.suffix in HEADERS and not is_program(p)]
        if len(places) > 1 and (tag.startswith("sn") or len(shared) > 1):
            where = ", ".join(f"{p}:{line}" for p, line in places.items())
            errors.append(f"{tag} is defined in {len(places)} files: {where}")
    for error in errors:
        print(error, file=sys.stderr)
    print(f"check_names: {count} tags, {len(errors)} wrong")
    return 1 if errors else 0


if __name__ == "__main__":
    sys.exit(main())
