#!/usr/bin/env bash
# SPDX-FileCopyrightText: 2026 The Sinew authors
# SPDX-License-Identifier: Apache-2.0

# clang-tidy 14 over src, apps and scenes as the preset ci-clang compiles them, with the checks of
# .clang-tidy. Exit code 77: it is missing.
set -u
cd "$(dirname "$0")/.." || exit 1

for tool in clang run-clang-tidy-14 python3; do
    command -v "$tool" >/dev/null 2>&1 || {
        echo "tidy: SKIP: $tool is missing (make deps-all)"
        exit 77
    }
done
[ -f build/ci-clang/build.ninja ] || cmake --preset ci-clang >/dev/null || exit 1

# kernels are compiled once per instruction set: once is enough here
mkdir -p build/tidy
python3 - build/ci-clang/compile_commands.json build/tidy/compile_commands.json <<'PY' || exit 1
import json, os, sys
entries = {}
for entry in json.load(open(sys.argv[1], encoding="utf-8")):
    if os.path.relpath(entry["file"]).split(os.sep)[0] in ("src", "apps", "scenes"):
        entries.setdefault(entry["file"], entry)
json.dump(list(entries.values()), open(sys.argv[2], "w", encoding="utf-8"), indent=1)
print(f"tidy: {len(entries)} files")
PY

if ! run-clang-tidy-14 -quiet -p build/tidy >build/tidy/log 2>&1; then
    # colours, commands and the counts of suppressed warnings are noise
    sed 's/\x1b\[[0-9;]*m//g' build/tidy/log |
        grep -vE '^(clang-tidy-14 |[0-9]+ warnings? |Suppressed |Use -header-filter)' >&2
    exit 1
fi
