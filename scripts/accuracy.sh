#!/usr/bin/env bash
# SPDX-FileCopyrightText: 2026 The Sinew authors
# SPDX-License-Identifier: Apache-2.0

# accuracy.sh [TEST...]: runs the tests that docs/accuracy.md has rows of, all or those named, from build/test,
# and writes what they measure into the page. Minutes for all.
set -eu
cd "$(dirname "$0")/.."

if [ $# -eq 0 ]; then
    mapfile -t tests < <(sed -n 's/^<!-- rows: \(.*\) -->$/\1/p' docs/accuracy.md)
    set -- "${tests[@]}"
fi
cmake --build build/test --target "${@/#/test_}"
for test in "$@"; do
    SINEW_WRITE_ACCURACY=1 "build/test/tests/bin/$test"
done
