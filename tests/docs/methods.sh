#!/usr/bin/env bash
# SPDX-FileCopyrightText: 2026 The Sinew authors
# SPDX-License-Identifier: Apache-2.0
# label: full

# docs/methods.md is what the tool prints, and the description has every field of every public def.
set -eu
"$SINEW" describe --markdown >methods.md
cmp methods.md "$SOURCE/docs/methods.md" || {
    echo "write docs/methods.md anew: sinew describe --markdown >docs/methods.md" >&2
    exit 1
}
command -v python3 >/dev/null 2>&1 || {
    echo 'SKIP: python3 is missing'
    exit 77
}
"$SINEW" describe --json >all.json
python3 - "$SOURCE/include/sinew" all.json <<'END'
import json
import pathlib
import re
import sys

described = {d["name"]: {f["name"] for f in d["fields"]} for d in json.load(open(sys.argv[2]))["defs"]}
wrong = []
for path in sorted(pathlib.Path(sys.argv[1]).glob("*.h")):
    text = re.sub(r"//[^\n]*", "", path.read_text(encoding="utf-8"))
    for name, body in re.findall(r"typedef struct (sn\w+) \{(.*?)\n\} \1;", text, re.S):
        if not name.endswith("Def") and name not in described:
            continue
        fields = set()
        for field in body.split(";"):
            hook = re.search(r"\(\*(\w+)\)", field)
            if hook:
                fields.add(hook.group(1))
            elif field.strip():
                for part in field.split(","):
                    fields.add(re.search(r"(\w+)\s*(\[\w+\])?\s*$", part).group(1))
        fields.discard("size")
        for missing in sorted(fields ^ described.get(name, set())):
            wrong.append(f"{path.name}: {name}.{missing} is in only one of the header and the description")
print("\n".join(wrong) or f"{len(described)} defs, {sum(map(len, described.values()))} fields")
sys.exit(1 if wrong else 0)
END
