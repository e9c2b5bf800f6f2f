# SPDX-FileCopyrightText: 2026 The Sinew authors
# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash

# For tests that need a package of npm or the shared rigs; sourced by them. What is missing skips.

# PACKAGE@VERSION...: beside the test, once
need_npm() {
    local tool package missing=
    for tool in node npm; do
        command -v "$tool" >/dev/null 2>&1 || {
            echo "SKIP: $tool is missing (make deps-all)"
            exit 77
        }
    done
    for package in "$@"; do
        [ -d "node_modules/${package%@*}" ] || missing=1
    done
    # all at once: npm removes what it is not told
    [ -z "$missing" ] || npm install --no-save --no-audit --no-fund --prefix "$PWD" "$@" || {
        echo "SKIP: npm could not install $*"
        exit 77
    }
}

# Sets rigs.
need_rigs() {
    rigs=$SOURCE/../shared/data/rigs
    [ -d "$rigs" ] || {
        echo "SKIP: the rigs are not there ($rigs)"
        exit 77
    }
}
