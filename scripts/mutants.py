#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The Sinew authors
# SPDX-License-Identifier: Apache-2.0

"""Changes one token of the library at a time and runs the tests of that file's folder.

A mutant that no test fails with shows a law that no test states, or a token that does not matter. Tokens are drawn
from src/ (or the FOLDERs of it) as it was last committed: operators, comparisons, constants, true and false, a
negation or a call left out, two arguments exchanged. Comments, strings, preprocessor lines, messages and asserts stay.
The same SEED gives the same mutants for the same src/. A mutant that does not compile is drawn again and not counted.

All work happens in a scratch copy below the folder for temporary files, removed at the end and on Ctrl-C. Its tests
run once without a change: those that fail or take too long are left out, and the others must end within ten times
their time. Labels quick and full are run, the mirror of the file first. ccache is used if it is there.

A line per mutant: its number (numbers left out did not compile), place, change and what became of it. The exit code is
0 when every mutant was killed, 1 when some survived.
"""

import argparse
import concurrent.futures
import contextlib
import dataclasses
import io
import json
import os
import pathlib
import random
import re
import shutil
import signal
import subprocess
import sys
import tarfile
import tempfile
import threading
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent

# source folder -> test folders that also hold tests of it
ELSEWHERE = {
    "character": ["flesh", "sim"],
    "contact": ["sim"],
    "control": ["sim"],
    "method": ["sim"],
    "world": ["contact", "sim"],
}

# their arguments are text for people, or conditions that already end the program
QUIET = re.compile(r"snFail\w*|snLog\w*|snMessage_\w+|snRemark\w*|assert|static_assert|_Static_assert|SN_ASSERT\w*")
# only the address checks see a missing one
CLEANING = re.compile(r"free|\w*_(Free|Release)")
# warnings of gcc and clang about an exchange of arguments that is no C
WRONG_TYPE = re.compile(r"-Wincompatible-pointer-types|-Wint-conversion")

TOKEN = re.compile(
    r"""(?P<skip>\s+|//[^\n]*|/\*.*?\*/|"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*')
      | (?P<number>(?:0[xX][0-9a-fA-F]+|(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?)[uUlLfF]*)
      | (?P<name>[A-Za-z_]\w*)
      | (?P<sign>->|\+\+|--|<<=|>>=|<<|>>|<=|>=|==|!=|&&|\|\||[-+*/%&|^]=|\.\.\.|.)""",
    re.S | re.X,
)

SWAPS = {
    "+": ["-"], "-": ["+"], "*": ["/"], "/": ["*"],
    "+=": ["-="], "-=": ["+="], "*=": ["/="], "/=": ["*="],
    "<": ["<=", ">="], "<=": ["<", ">"], ">": [">=", "<="], ">=": [">", "<"],
    "==": ["!="], "!=": ["=="], "&&": ["||"], "||": ["&&"],
    "true": ["false"], "false": ["true"],
    "snAdd": ["snSub"], "snSub": ["snAdd"], "fmin": ["fmax"], "fmax": ["fmin"],
    "fminf": ["fmaxf"], "fmaxf": ["fminf"],
}  # fmt: skip
BINARY = set("+-*/<>") | {"<=", ">="}
KEYWORDS = {"if", "for", "while", "switch", "return", "sizeof", "do", "else", "case", "goto"}


@dataclasses.dataclass
class Token:
    text: str
    kind: str
    begin: int
    end: int


@dataclasses.dataclass
class Mutant:
    path: str  # below ROOT
    begin: int  # of the text that is replaced
    end: int
    new: str
    place: str  # line:column
    what: str


# Drawing ---------------------------------------------------------------------


def without_directives(text):
    """The text with preprocessor lines blanked, of the same length."""
    directive = re.compile(r"^[ \t]*#(?:[^\n\\]|\\.)*", re.M | re.S)
    return directive.sub(lambda m: re.sub(r"[^\n]", " ", m[0]), text)


def tokenize(text):
    tokens = []
    for m in TOKEN.finditer(text):
        if m.lastgroup != "skip":
            tokens.append(Token(m[0], m.lastgroup, m.start(), m.end()))
    return tokens


def closing(tokens, i):
    """The index of the parenthesis that closes the one at i."""
    depth = 0
    for k in range(i, len(tokens)):
        depth += {"(": 1, ")": -1}.get(tokens[k].text, 0)
        if depth == 0:
            return k
    return len(tokens) - 1


def numbers(token):
    text = token.text
    if re.search(r"[xX]", text):
        return [f"({text} + 1)"]
    whole = re.fullmatch(r"\d+[uUlL]*", text)
    value = float(re.sub(r"[uUlLfF]+$", "", text))
    if value == 0:
        return ["1" if whole else "1.0f" if text[-1] in "fF" else "1.0"]
    return [f"({text} * 2)", f"({text} / 2)", f"({text} + 1)"] if value != 1 else [f"({text} * 2)", "0"]


def call_begin(tokens, i):
    """Where the statement begins that calls the function named at i, None if that is not a statement of its own."""
    while i >= 2 and tokens[i - 1].text in ("->", ".") and tokens[i - 2].kind == "name":
        i -= 2
    return i if i > 0 and tokens[i - 1].text in (";", "{", "}") else None


def call_changes(text, tokens, i):
    """Of the call of the function named at i: left out, or two arguments exchanged."""
    last = closing(tokens, i + 1)
    inside = tokens[i + 2 : last]
    begin = call_begin(tokens, i)
    if begin is not None and tokens[last + 1 : last + 2] and tokens[last + 1].text == ";":
        if not CLEANING.fullmatch(tokens[i].text):
            yield tokens[begin].begin, tokens[last].end, "(void)0", f"{tokens[i].text}(...) left out"
    if len(inside) == 3 and inside[1].text == "," and inside[0].kind == inside[2].kind == "name":
        old = text[inside[0].begin : inside[2].end]
        new = f"{inside[2].text}, {inside[0].text}"
        yield inside[0].begin, inside[2].end, new, f"{tokens[i].text}({old}) -> ({new})"


def token_changes(text, tokens, i):
    token = tokens[i]
    spaced = text[token.begin - 1].isspace() and text[token.end : token.end + 1].isspace()
    news = []
    if token.kind == "number":
        news = numbers(token)
    elif token.text in SWAPS and (spaced or token.text not in BINARY):
        news = SWAPS[token.text]
    elif token.text == "!":
        yield token.begin, token.end, "", "! left out"
    for new in news:
        yield token.begin, token.end, new, f"{token.text} -> {new}"
    if token.kind == "name" and token.text not in KEYWORDS and i + 1 < len(tokens) and tokens[i + 1].text == "(":
        yield from call_changes(text, tokens, i)


def place_of(text, at):
    line, column = text.count("\n", 0, at) + 1, at - text.rfind("\n", 0, at)
    return f"{line}:{column}"


def changes(path, text):
    """All mutants of one file, one list per token."""
    plain = without_directives(text)
    tokens = tokenize(plain)
    found, i = [], 0
    while i < len(tokens):
        if QUIET.fullmatch(tokens[i].text) and i + 1 < len(tokens) and tokens[i + 1].text == "(":
            i = closing(tokens, i + 1)
        else:
            ways = [
                Mutant(path, b, e, new, place_of(plain, b), what)
                for b, e, new, what in token_changes(plain, tokens, i)
            ]
            if ways:
                found.append(ways)
        i += 1
    return found


def committed(folders):
    """Path and text of each source file of the last commit."""
    data = subprocess.run(["git", "archive", "HEAD", "src"], cwd=ROOT, check=True, capture_output=True).stdout
    with tarfile.open(fileobj=io.BytesIO(data)) as archive:
        for member in sorted(archive.getmembers(), key=lambda m: m.name):
            inside = not folders or any(member.name.startswith(f"src/{f.strip('/')}/") for f in folders)
            if inside and member.isfile() and member.name.endswith((".c", ".inl")):
                yield member.name, archive.extractfile(member).read().decode("utf-8")


def draw(seed, folders):
    """All mutants in the order they are tried: each token once, with one of its changes."""
    sites = [ways for path, text in committed(folders) for ways in changes(path, text)]
    dice = random.Random(seed)
    dice.shuffle(sites)
    return [dice.choice(ways) for ways in sites]


# Running ---------------------------------------------------------------------


@dataclasses.dataclass
class Test:
    name: str
    command: list
    folder: str
    environment: dict
    seconds: float = 0.0  # of the run without a change


class Stopped(Exception):
    """Another test has failed already."""


def run_test(test, limit, stop):
    """What a run of the test says: 'ok', 'failed', 'skipped' or 'timed out'."""
    with subprocess.Popen(
        test.command,
        cwd=test.folder,
        env={**os.environ, **test.environment},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    ) as process:
        end = time.monotonic() + limit
        try:
            while True:
                with contextlib.suppress(subprocess.TimeoutExpired):
                    code = process.wait(0.1)
                    return "ok" if code == 0 else "skipped" if code == 77 else "failed"
                if stop.is_set():
                    raise Stopped
                if time.monotonic() > end:
                    return "timed out"
        finally:
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.killpg(process.pid, signal.SIGKILL)


class Copy:
    """A scratch copy of the last commit with its own build."""

    def __init__(self, jobs, longest):
        self.jobs, self.longest = jobs, longest
        self.top = pathlib.Path(tempfile.mkdtemp(prefix="sinew-mutants-"))
        self.tree, self.build = self.top / "tree", self.top / "build"
        self.programs, self.tests, self.ready = {}, {}, {}

    def __enter__(self):
        try:
            self.make()
        except BaseException:
            self.__exit__()
            raise
        return self

    def __exit__(self, *_):
        subprocess.run(["git", "worktree", "remove", "--force", self.tree], cwd=ROOT, capture_output=True, check=False)
        shutil.rmtree(self.top, ignore_errors=True)
        subprocess.run(["git", "worktree", "prune"], cwd=ROOT, capture_output=True, check=False)

    def make(self):
        subprocess.run(
            ["git", "worktree", "add", "--detach", self.tree, "HEAD"], cwd=ROOT, check=True, capture_output=True
        )
        if (ROOT.parent / "shared").exists():  # data that some tests look for beside the project
            (self.top / "shared").symlink_to((ROOT.parent / "shared").resolve())
        call = ["cmake", "-G", "Ninja", "-S", self.tree, "-B", self.build, "-DCMAKE_BUILD_TYPE=RelWithDebInfo"]
        if shutil.which("ccache"):
            call += ["-DCMAKE_C_COMPILER_LAUNCHER=ccache", "-DCMAKE_CXX_COMPILER_LAUNCHER=ccache"]
            os.environ.setdefault("CCACHE_BASEDIR", str(self.top))
            os.environ.setdefault("CCACHE_NOHASHDIR", "1")
        done = subprocess.run(call, capture_output=True, text=True, check=False)
        if done.returncode:
            sys.exit(f"mutants: the copy cannot be configured:\n{done.stderr}")
        self.read_programs()

    def read_programs(self):
        """Program of each test. ctest tells commands only of those that are built."""
        line = re.compile(r'^add_test\((?:\[=*\[)?([\w.-]+)(?:\]=*\])? "([^"]*)"', re.M)
        for path in self.build.rglob("CTestTestfile.cmake"):
            self.programs.update(line.findall(path.read_text(encoding="utf-8")))

    def read_tests(self, names):
        text = subprocess.run(
            ["ctest", "--test-dir", self.build, "--show-only=json-v1"], check=True, capture_output=True, text=True
        ).stdout
        for entry in json.loads(text)["tests"]:
            facts = {p["name"]: p["value"] for p in entry.get("properties", [])}
            if entry["name"] in names and "long" not in facts.get("LABELS", []) and entry["name"] not in self.tests:
                environment = dict(e.split("=", 1) for e in facts.get("ENVIRONMENT", []))
                self.tests[entry["name"]] = Test(
                    entry["name"], entry["command"], facts["WORKING_DIRECTORY"], environment
                )

    def compile(self, names):
        programs = {pathlib.Path(self.programs[n]) for n in names}
        inside = sorted(str(p.relative_to(self.build)) for p in programs if p.is_relative_to(self.build))
        done = subprocess.run(
            ["cmake", "--build", self.build, "-j", str(self.jobs), "--target", "sinew", *inside],
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            check=False,
        )
        return done.returncode == 0 and not WRONG_TYPE.search(done.stdout), done.stdout

    def each(self, work, tests, stop):
        """Calls work(test) for all of them, in their order, so many at a time, until stop is set."""
        with concurrent.futures.ThreadPoolExecutor(self.jobs) as pool:
            try:
                for done in [pool.submit(lambda t: stop.is_set() or work(t), test) for test in tests]:
                    done.result()
            finally:
                stop.set()

    def run(self, tests):
        """What each test says, up to the first that fails."""
        stop, said = threading.Event(), {}

        def one(test):
            with contextlib.suppress(Stopped):
                said[test.name] = run_test(test, 10 * test.seconds + 10, stop)
                if said[test.name] in ("failed", "timed out"):
                    stop.set()

        self.each(one, tests, stop)
        return said

    def tests_of(self, path):
        """Tests of the folder of a source file that pass without a change; the mirror of the file, then the quick."""
        folder = pathlib.PurePath(path).parent.relative_to("src")
        if folder not in self.ready:
            self.ready[folder] = self.find_tests(folder)
        mirror = "_".join([*folder.parts, pathlib.PurePath(path).stem])
        return sorted(self.ready[folder], key=lambda t: (t.name != mirror, not t.name.startswith(mirror), t.seconds))

    def names_of(self, folder):
        own = folder
        while own.parts and not any(n.startswith("_".join(own.parts) + "_") for n in self.programs):
            own = own.parent
        prefixes = ["_".join(own.parts) + "_"] if own.parts else []
        prefixes += [f"{name}_" for name in ELSEWHERE.get(folder.parts[0], [])]
        return [n for n in sorted(self.programs) if n.startswith(tuple(prefixes))]

    def find_tests(self, folder):
        names = self.names_of(folder)
        good, output = self.compile(names)
        if not good:
            sys.exit(f"mutants: the copy cannot be built:\n{output}")
        self.read_tests(names)
        return self.passing([self.tests[n] for n in names if n in self.tests])

    def passing(self, tests):
        """Those that pass without a change; how long they take is measured once."""
        fresh, stop, said = [t for t in tests if t.seconds == 0], threading.Event(), {}

        def timed(test):
            begin = time.monotonic()
            with contextlib.suppress(Stopped):
                said[test.name] = run_test(test, self.longest, stop)
            test.seconds = time.monotonic() - begin

        self.each(timed, fresh, stop)
        for test in fresh:
            if said[test.name] != "ok":
                test.seconds = float("inf")
                print(f"  # without {test.name}: {said[test.name]} without a change", flush=True)
        return [t for t in tests if t.seconds < float("inf")]


def try_mutant(copy, mutant):
    """What became of it, or None if it does not compile."""
    tests = copy.tests_of(mutant.path)
    path = copy.tree / mutant.path
    text = path.read_text(encoding="utf-8")
    try:
        path.write_text(text[: mutant.begin] + mutant.new + text[mutant.end :], encoding="utf-8")
        good, _ = copy.compile([t.name for t in tests])
        if not good:
            return None
        said = copy.run(tests)
    finally:
        path.write_text(text, encoding="utf-8")
    for test in tests:
        if said.get(test.name) == "failed":
            return f"killed by {test.name}"
    for test in tests:
        if said.get(test.name) == "timed out":
            return f"timed out in {test.name}"
    return f"survived {len(tests)} tests"


def parse():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter, usage="%(prog)s SEED N [FOLDER...]"
    )
    parser.add_argument("seed", type=int, metavar="SEED", help="whole number that the mutants follow from")
    parser.add_argument("count", type=int, metavar="N", help="how many mutants")
    parser.add_argument("folders", nargs="*", metavar="FOLDER", help="folders of src/, for example flesh (all)")
    parser.add_argument("--only", metavar="NUMBERS", help="run these numbers of the drawn ones, for example 3,17")
    parser.add_argument("--list", action="store_true", help="print what would be run and end")
    parser.add_argument("-j", "--jobs", type=int, default=os.cpu_count(), metavar="J", help="processors used (all)")
    parser.add_argument(
        "--longest", type=float, default=60, metavar="S", help="leave out tests that take longer than this, s (60)"
    )
    args = parser.parse_args()
    if args.count < 1 or args.jobs < 1 or args.longest <= 0:
        parser.error("N, the jobs and the longest time must be positive")
    for folder in args.folders:
        if not (ROOT / "src" / folder).is_dir():
            parser.error(f"src/{folder} is no folder; expected one like flesh or method/explicit")
    args.only = {int(n) for n in args.only.split(",")} if args.only else None
    return args


def show(number, mutant, result):
    print(f"{number:4} {mutant.path}:{mutant.place}: {mutant.what}: {result}", flush=True)


def run(args):
    drawn = draw(args.seed, args.folders)
    if args.list:
        for number, mutant in enumerate(drawn[: args.count], 1):
            show(number, mutant, "not run")
        return 0
    results, refused = [], 0
    with Copy(args.jobs, args.longest) as copy:
        for number, mutant in enumerate(drawn, 1):
            if len(results) == args.count or (args.only and number > max(args.only)):
                break
            if args.only and number not in args.only:
                continue
            result = try_mutant(copy, mutant)
            if result is None:
                refused += 1
                continue
            results.append(result)
            show(number, mutant, result)
    survived = sum(r.startswith("survived") for r in results)
    late = sum(r.startswith("timed out") for r in results)
    print(
        f"{len(results)} mutants: {len(results) - survived} killed ({late} by the time limit), {survived} survived; "
        f"{refused} more did not compile"
    )
    return 1 if survived else 0


def interrupt(*_):
    raise KeyboardInterrupt


def main():
    signal.signal(signal.SIGTERM, interrupt)
    signal.signal(signal.SIGINT, interrupt)
    try:
        return run(parse())
    except KeyboardInterrupt:
        print("mutants: stopped; the copy is removed", file=sys.stderr)
        return 130


if __name__ == "__main__":
    sys.exit(main())
