#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The Sinew authors
# SPDX-License-Identifier: Apache-2.0

"""check_api.py [LIBRARY]: checks include/sinew/*.h, and that LIBRARY (libsinew.so) and libsinew_import.so beside
it export exactly what they declare.

Every SN_API function, type, enumerator, field and macro has a comment: on the line directly above or
behind it on its line. A type with a single line of fields is covered by the comment of the type. Each
header compiles alone, twice over, as C17 and C++17. Exit code 77: a tool is missing.
"""

import pathlib
import re
import shutil
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
WARNINGS = ["-Wall", "-Wextra", "-Wpedantic", "-Werror"]
COMPILERS = [["gcc", "-std=c17", "-xc"], ["clang", "-std=c17", "-xc"],
             ["g++", "-std=c++17", "-xc++"], ["clang++", "-std=c++17", "-xc++"]]


class Header:
    """A header with its comments blanked out, and which lines had them."""

    def __init__(self, path):
        self.name = path.relative_to(ROOT)
        text = path.read_text(encoding="utf-8")
        self.comments = set()  # lines that hold (part of) a comment

        def blank(match):
            first = text.count("\n", 0, match.start()) + 1
            for line in range(first, first + match.group().count("\n") + 1):
                self.comments.add(line)
            return re.sub(r"[^\n]", " ", match.group())

        text = re.sub(r"//[^\n]*|/\*.*?\*/", blank, text, flags=re.S)
        self.directives = []  # (line, text) of preprocessor lines

        def lift(match):
            self.directives.append((text.count("\n", 0, match.start()) + 1, match.group()))
            return re.sub(r"[^\n]", " ", match.group())

        code = re.sub(r"^[ \t]*#(?:[^\n]*\\\n)*[^\n]*", lift, text, flags=re.M)
        # extern "C" { ... } opens and closes between directives and leaves no declaration
        code = re.sub(r'extern\s+"C"\s*\{', lambda m: " " * len(m.group()), code)
        self.code = code
        self.bare = text.split("\n")

    def line(self, position):
        return self.code.count("\n", 0, position) + 1

    def documented(self, first, last):
        """A comment behind the lines first..last, or alone on the line above."""
        if any(line in self.comments for line in range(first, last + 1)):
            return True
        return first - 1 in self.comments and not self.bare[first - 2].strip()


def split(header, begin, end, separators):
    """Pieces of code[begin:end] between separators outside brackets, as (begin, end)."""
    depth, start = 0, begin
    for i in range(begin, end):
        c = header.code[i]
        if c in "{([":
            depth += 1
        elif c in "})]":
            depth -= 1
            # the lone brace that closes extern "C"
            if depth < 0:
                depth, start = 0, i + 1
        elif depth == 0 and c in separators:
            yield start, i
            start = i + 1
    yield start, end


def trim(header, begin, end):
    while begin < end and header.code[begin].isspace():
        begin += 1
    while begin < end and header.code[end - 1].isspace():
        end -= 1
    return begin, end


def check_body(header, begin, end, kind, owner, errors):
    """Members between the braces of a struct, union or enum."""
    pieces = [trim(header, *p) for p in split(header, begin, end, "," if kind == "enum" else ";")]
    pieces = [p for p in pieces if p[0] < p[1]]
    lone = kind != "enum" and len(pieces) == 1
    for b, e in pieces:
        text = header.code[b:e]
        if not lone and not header.documented(header.line(b), header.line(e)):
            what = "enumerator" if kind == "enum" else "field"
            shown = " ".join(text.split("{")[0].split())
            errors.append(f"{header.name}:{header.line(b)}: {what} '{shown}' of {owner} has no comment")
        inner = text.find("{")
        if kind != "enum" and inner >= 0:
            check_body(header, b + inner + 1, b + text.rfind("}"), "struct", owner, errors)


def check_declarations(header, functions, errors):
    for b, e in split(header, 0, len(header.code), ";"):
        b, e = trim(header, b, e)
        if b == e:
            continue
        text = header.code[b:e]
        first, last = header.line(b), header.line(e)
        head = " ".join(text.split("{")[0].split())
        aggregate = re.match(r"(?:typedef\s+)?(struct|union|enum)\b[^;()]*\{", text)
        if aggregate:
            kind = aggregate.group(1)
            last_brace = text.rfind("}")
            owner = (text[last_brace + 1:].strip() or head.split()[-1])
            if not header.documented(first, first):
                errors.append(f"{header.name}:{first}: type {owner} has no comment above it")
            check_body(header, b + aggregate.end(), b + last_brace, kind, owner, errors)
            continue
        if not header.documented(first, last):
            errors.append(f"{header.name}:{first}: '{head}' has no comment")
        if head.startswith("SN_API"):
            functions.add(re.search(r"(\w+)\s*\(", head[len("SN_API"):]).group(1))
        elif not re.match(r"typedef\b|struct\b|union\b|enum\b|static inline\b", head):
            errors.append(f"{header.name}:{first}: '{head}' is neither a type nor marked SN_API")


def check_macros(header, errors):
    guard, seen, opened = None, {}, []
    for line, text in header.directives:
        word = text.strip().lstrip("# ").split()
        if word[0] in ("if", "ifdef", "ifndef"):
            opened.append(line)
            guard = guard or (word[1] if word[0] == "ifndef" else None)
        elif word[0] == "endif":
            opened.pop()
        elif word[0] == "define" and (name := re.match(r"\w+", word[1]).group()) != guard:
            # the comment above the #if of a choice between definitions covers them all
            lines = [line] + opened[1:]
            ok = header.documented(line, line + text.count("\n"))
            ok = ok or any(header.documented(l, l) for l in lines)
            seen[name] = seen.get(name, False) or ok
            if not seen[name]:
                errors.append(f"{header.name}:{line}: macro {name} has no comment")


def check_alone(path, errors):
    """Compiles the header alone; returns the compilers that are missing."""
    missing = []
    name = path.relative_to(ROOT / "include")
    program = f"#include <{name}>\n#include <{name}>\nint main(void);\n"
    for compiler, *flags in COMPILERS:
        if not shutil.which(compiler):
            missing.append(compiler)
            continue
        command = [compiler, *flags, *WARNINGS, "-I", str(ROOT / "include"), "-fsyntax-only", "-"]
        done = subprocess.run(command, input=program, text=True, capture_output=True, check=False)
        if done.returncode:
            errors.append(f"{path.relative_to(ROOT)}: {compiler} {flags[0]}:\n{done.stderr.strip()}")
    return missing


def check_exports(library, functions, errors):
    done = subprocess.run(["nm", "-D", "--defined-only", library], text=True, capture_output=True,
                          check=False)
    if done.returncode:
        errors.append(f"{library}: {done.stderr.strip()}")
        return
    exported = {line.split()[-1] for line in done.stdout.splitlines()}
    for name in sorted(functions - exported):
        errors.append(f"{library}: {name} is declared SN_API but not exported (no definition?)")
    for name in sorted(exported - functions):
        errors.append(f"{library}: {name} is exported but no public header declares it")


def main():
    library = sys.argv[1] if len(sys.argv) > 1 else str(ROOT / "build/release/libsinew.so")
    beside = str(pathlib.Path(library).with_name("libsinew_import.so"))
    errors, functions, imports, missing = [], set(), set(), set()
    for path in sorted((ROOT / "include/sinew").glob("*.h")):
        header = Header(path)
        check_declarations(header, imports if path.name == "import.h" else functions, errors)
        check_macros(header, errors)
        missing.update(check_alone(path, errors))
    if shutil.which("nm"):
        check_exports(library, functions, errors)
        check_exports(beside, imports, errors)
    else:
        missing.add("nm")
    for error in errors:
        print(error, file=sys.stderr)
    print(f"check_api: {len(functions | imports)} functions, {len(errors)} errors")
    if missing:
        print(f"check_api: SKIP: not checked for want of {', '.join(sorted(missing))}")
    return 1 if errors else 77 if missing else 0


if __name__ == "__main__":
    sys.exit(main())
