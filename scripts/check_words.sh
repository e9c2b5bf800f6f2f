#!/usr/bin/env bash
# SPDX-FileCopyrightText: 2026 The Sinew authors
# SPDX-License-Identifier: Apache-2.0

# Nothing unfinished, nothing of one machine, and the SPDX header in every source file.
# Letters in brackets keep the patterns from finding this file.
set -u
cd "$(dirname "$0")/.." || exit 1

mapfile -t files < <(git ls-files --cached --others --exclude-standard |
    grep -vE '^(tests/data|fuzz/corpus)/' | while read -r f; do [ -f "$f" ] && echo "$f"; done)
if [ ${#files[@]} = 0 ]; then
    echo 'check_words: no files; is this a git checkout?' >&2
    exit 1
fi
failed=0

refuse() { # WHAT PATTERN: no file may hold the pattern
    local found
    found=$(grep -nIE "$2" -- "${files[@]}" | cut -c1-160)
    if [ -n "$found" ]; then
        printf 'check_words: %s:\n%s\n' "$1" "$found" >&2
        failed=1
    fi
}

refuse 'unfinished work' '\b(T[O]DO|F[I]XME|X[X]X|H[A]CK)\b'
refuse 'switched-off code' '^[[:space:]]*#[[:space:]]*if[[:space:]]+[0]([^-9xX]|$)'
refuse 'a path of one machine' \
    '(^|[^A-Za-z0-9_.})/-])/(h[o]me|r[o]ot|w[o]rk|U[s]ers|f[a]rm|t[m]p)/'
refuse 'a package registry' \
    'deb[.]d[e]bian|archive[.]u[b]untu|registry[.]n[p]m|p[y]pi[.]org|p[y]thonhosted|c[r]ates[.]io'

copyright='SPDX-FileCopyrightText: 2026 The Sinew authors'
license='SPDX-License-Identifier: Apache-2.0'
for file in "${files[@]}"; do
    case $file in
    *.c | *.h | *.inl | *.cu | *.cuh | *.cpp | *.hpp | *.js | *.mjs | *.ts) sign='//' ;;
    *.py | *.sh | *.cmake | *.in | *CMakeLists.txt | Makefile | .clang-* | .gitignore | .ci/run)
        sign='#' ;;
    *) continue ;;
    esac
    # the first two lines, after #! where there is one
    if [ "$(sed '1{/^#!/d}' "$file" | head -n 2)" != "$sign $copyright
$sign $license" ]; then
        echo "check_words: $file: does not begin with the two SPDX lines" >&2
        failed=1
    fi
done

echo "check_words: ${#files[@]} files, $([ $failed = 0 ] && echo clean || echo not clean)"
exit $failed
