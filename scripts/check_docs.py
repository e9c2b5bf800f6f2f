#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The Sinew authors
# SPDX-License-Identifier: Apache-2.0

"""Checks that what README.md and docs/*.md name is there.

    check_docs.py [TOOL]

In code (between backticks, fenced or indented): paths, source files by their names, symbols of the
library, tests, make targets, commands of the tool and their options (options alone may be a
script's); in text: files that links lead to. TOOL, a built sinew, is asked what commands and options
there are; without it these are not checked. CHANGELOG.md may name what is gone.

Paragraphs have at most 80 words, docs/architecture.md 150 lines.
"""

import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent

MOST_WORDS = 80
MOST_LINES = {"docs/architecture.md": 150}

TOPS = "apps bench cmake docs examples fuzz include scenes scripts src tests .ci".split()
CODE = "include src scenes bench apps examples cmake".split()
SUFFIXES = {".c", ".h", ".inl", ".cu", ".cuh", ".cpp", ".hpp", ".cmake", ".txt"}

# what readers write or the tool makes
OTHERS = {"hello.c", "hero_apply_in_blender.py", "snMakeSnowman"}

SPAN = re.compile(r"(`+)(.+?)\1")
LINK = re.compile(r"\]\(([^)#\s]+)[^)]*\)")
SYMBOL = re.compile(r"\b(?:sn[A-Z]\w*|sn_[a-z]\w*|SN_[A-Z]\w*)(?!\w*[*…{])")
FILE = re.compile(r"^\w+\.(?:c|h|inl|sh|py|cmake)$")
TEST = re.compile(r"^[a-z]+(?:_[a-z0-9]+)+$")
CAMEL = re.compile(r"^[a-z]+(?:[A-Z][a-z0-9]*)+$")
COMMAND = re.compile(r"(?:^|[\s/(])sinew ([a-z]+)\b([^|;&]*)")
OPTION = re.compile(r"(?<![\w-])--[a-z][a-z-]*")


def words_of_code():
    """Every identifier of the project's code and build."""
    files = [ROOT / "CMakeLists.txt"]
    for top in CODE:
        files += [f for f in (ROOT / top).rglob("*") if f.suffix in SUFFIXES and f.is_file()]
    words = set()
    for file in files:
        words.update(re.findall(r"[A-Za-z_]\w*", file.read_text(encoding="utf-8")))
    return words


def commands_of(tool):
    """Name -> options of every command, as TOOL says; none without it."""

    def ask(*arguments):
        return subprocess.run([tool, *arguments], check=True, capture_output=True, text=True).stdout

    names = re.findall(r"^ *sinew ([a-z]+)", ask("--help"), re.MULTILINE) if tool else []
    return {name: set(OPTION.findall(ask(name, "--help"))) | {"--help"} for name in names}


def tests():
    """Names of all tests, as tests/CMakeLists.txt makes them."""
    base = ROOT / "tests"
    return {"_".join(f.relative_to(base).with_suffix("").parts)
            for f in base.rglob("*") if f.suffix in (".c", ".sh") and "data" not in f.parts}


class Page:
    """A page's code with the lines it is on, and its paragraphs."""

    def __init__(self, path):
        self.name = path.relative_to(ROOT).as_posix()
        self.path = path
        self.code, self.links, self.paragraphs = [], [], []
        lines = path.read_text(encoding="utf-8").splitlines()
        self.line_count = len(lines)
        fenced, text, begun = False, [], 0
        for number, line in enumerate([*lines, ""], 1):
            fence = line.lstrip().startswith("```")
            if fence:
                fenced = not fenced
            is_code = fenced or line.startswith("    ") and not text
            if is_code and not fence:
                self.code.append((number, line.strip(), True))
            alone = fence or is_code or not line.strip() or line.startswith(("#", "|", "!["))
            if text and (alone or re.match(r"\s*([-*]|\d+\.) ", line)):
                self.read("\n".join(text), begun)
                text = []
            if alone:
                if not is_code and not fence:
                    self.inline(line, number)
                continue
            begun = begun if text else number
            text.append(line)

    def read(self, text, begun):
        """A paragraph, whose code and links may go over ends of lines."""
        self.paragraphs.append((begun, len(text.split())))
        self.inline(text, begun)

    def inline(self, text, begun):
        for match in SPAN.finditer(text.replace("\n", " ")):
            line = begun + text.count("\n", 0, match.start())
            self.code.append((line, match.group(2).strip(), False))
        for match in LINK.finditer(SPAN.sub("", text)):
            self.links.append((begun + text.count("\n", 0, match.start()), match.group(1)))


class Checker:
    def __init__(self, tool):
        self.words = words_of_code()
        self.commands = commands_of(tool)
        self.options = {o for options in self.commands.values() for o in options}
        for script in (ROOT / "scripts").glob("*.*"):
            self.options.update(OPTION.findall(script.read_text(encoding="utf-8")))
        self.tests = tests()
        self.folders = {f.name for f in (ROOT / "src").iterdir() if f.is_dir()}
        self.test_folders = {f.name for f in (ROOT / "tests").iterdir() if f.is_dir()}
        makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
        self.targets = set(re.findall(r"^([a-z-]+):", makefile, re.MULTILINE))
        self.files = {f.name for top in TOPS for f in (ROOT / top).rglob("*") if f.is_file()}
        self.stems = {f.stem for f in (ROOT / "src").rglob("*.c")}
        self.faults = []

    def fault(self, page, line, what):
        self.faults.append(f"{page.name}:{line}: {what}")

    def path(self, word):
        """True when `word` is a path of the project, whole or below src/ or tests/."""
        word = word.split(":")[0].rstrip("/")
        pattern = re.sub(r"[…<>]|[A-Z]{3,}", "*", word)
        if pattern.split("/")[0] in TOPS:
            return any(ROOT.glob(pattern))
        return any(any((ROOT / top).glob(pattern + end))
                   for top in ("src", "tests", "include") for end in ("", ".c", ".h", ".sh"))

    def check_word(self, page, line, word):
        word = word.strip("()[]\"',.;")
        top = word.split("/")[0]
        if "/" in word and (top in TOPS or top in self.folders) and not self.path(word):
            self.fault(page, line, f"there is no {word}")
        elif FILE.match(word) and word not in self.files | OTHERS:
            self.fault(page, line, f"no file is called {word}")

    def check_span(self, page, line, span):
        """What is one name alone."""
        if TEST.match(span) and span.split("_")[0] in self.test_folders:
            if span not in self.tests | self.words | self.stems:
                self.fault(page, line, f"{span} is neither a test nor a name of the code")
        elif CAMEL.match(span) and span not in self.words:
            self.fault(page, line, f"no code has the name {span}")
        elif self.commands and OPTION.match(span) and OPTION.match(span).group() not in self.options:
            self.fault(page, line, f"no command has the option {span.split()[0]}")

    def check_command(self, page, line, name, rest):
        if name not in self.commands:
            self.fault(page, line, f"sinew has no command '{name}'")
            return
        for option in OPTION.findall(rest):
            if option not in self.commands[name]:
                self.fault(page, line, f"'sinew {name}' has no option {option}")

    def check_code(self, page, line, text, is_block):
        for symbol in SYMBOL.findall(text):
            if symbol not in self.words | OTHERS:
                self.fault(page, line, f"there is no {symbol} in the code")
        if self.commands and not text.startswith("scripts/"):
            for name, rest in COMMAND.findall(text):
                self.check_command(page, line, name, rest)
        for target in re.findall(r"(?:^|&& )make ([a-z][a-z-]*)", text):
            if target not in self.targets:
                self.fault(page, line, f"the Makefile has no target {target}")
        if not is_block:
            for word in text.split():
                self.check_word(page, line, word)
            self.check_span(page, line, text)

    def check(self, page):
        for line, text, is_block in page.code:
            self.check_code(page, line, text, is_block)
        for line, target in page.links:
            if "://" not in target and not (page.path.parent / target).exists():
                self.fault(page, line, f"the link leads to {target}, which is not there")


def lengths(page):
    """What is too long on a page."""
    found = [f"{page.name}:{line}: a paragraph of {count} words, {MOST_WORDS} are the most"
             for line, count in page.paragraphs if count > MOST_WORDS]
    most = MOST_LINES.get(page.name, page.line_count)
    if page.line_count > most:
        found.append(f"{page.name}: {page.line_count} lines, {most} are the most")
    return found


def main():
    checker = Checker(sys.argv[1] if len(sys.argv) > 1 else None)
    pages = [Page(f) for f in [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]]
    for page in pages:
        checker.check(page)
        checker.faults += lengths(page)
    for fault in checker.faults:
        print(f"check_docs: {fault}", file=sys.stderr)
    names = sum(len(page.code) for page in pages)
    print(f"check_docs: {len(pages)} pages, {names} pieces of code, "
          f"{'all there' if not checker.faults else f'{len(checker.faults)} faults'}")
    sys.exit(1 if checker.faults else 0)


main()
