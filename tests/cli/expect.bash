# SPDX-FileCopyrightText: 2026 The Sinew authors
# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash

# What tests of the tool share: they source this, and end with [ $failures = 0 ].
failures=0
fail() {
    echo "$*" >&2
    failures=$((failures + 1))
}
# CODE PATTERN ARGUMENT...: the pattern is looked for in all that is printed
expect() {
    local wanted=$1 pattern=$2 code=0
    shift 2
    "$SINEW" "$@" >out.log 2>&1 </dev/null || code=$?
    if [ "$code" != "$wanted" ] || ! grep -q -- "$pattern" out.log; then
        echo "sinew $*: exit code $code, not $wanted, or no '$pattern' in:" >&2
        head -n 12 out.log >&2
        failures=$((failures + 1))
    fi
}
