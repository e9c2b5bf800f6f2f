#!/usr/bin/env bash
# SPDX-FileCopyrightText: 2026 The Sinew authors
# SPDX-License-Identifier: Apache-2.0
# label: long

# VTK opens what we wrote: names, sizes and values of the arrays, against the OBJ sequence of the same run and
# against strain computed from the file's own points.
set -eu

for python in python3 /usr/bin/python3 none; do
    [ "$python" = none ] || "$python" -c 'import numpy, vtk' >/dev/null 2>&1 && break
done
[ "$python" != none ] || {
    echo "SKIP: VTK for Python is missing (scripts/deps.sh long)"
    exit 77
}

rm -f ./star*
"$SINEW" run starfish_fall --quiet --duration 1.5 -o star.pvd
"$SINEW" run starfish_fall --quiet --duration 1.5 -o star.obj
"$python" "$(dirname "$0")/vtu_vtk.py" star
