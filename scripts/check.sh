#!/usr/bin/env bash
# SPDX-FileCopyrightText: 2026 The Sinew authors
# SPDX-License-Identifier: Apache-2.0

# The checks of CI that need no test run. What lacks its tools is skipped, loudly.
set -u
cd "$(dirname "$0")/.." || exit 1

make --no-print-directory all || exit 1

failed=
for part in 'format.sh' 'check_layers.py' 'check_names.py' 'check_words.sh' \
    'check_api.py build/release/libsinew.so' 'check_docs.py build/release/sinew' \
    'check_vector.sh build/release' 'check_cpp.sh' 'tidy.sh' 'wasm.sh' 'mingw.sh'; do
    # shellcheck disable=SC2086 # a command and its arguments
    scripts/$part
    case $? in
    0) ;;
    77) echo "SKIPPED: $part" >&2 ;;
    *) failed="$failed ${part%% *}" ;;
    esac
done
if [ -n "$failed" ]; then
    echo "check: failed:$failed" >&2
    exit 1
fi
