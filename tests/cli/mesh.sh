#!/usr/bin/env bash
# SPDX-FileCopyrightText: 2026 The Sinew authors
# SPDX-License-Identifier: Apache-2.0
# label: full

# Surfaces and tet meshes of every format are dropped on the ground; check and info say what is wrong and what to do.
# shellcheck disable=SC2016,SC2059 # printf formats with $Nodes in them
set -u

# shellcheck source=tests/cli/expect.bash
. "$SOURCE/tests/cli/expect.bash"

rm -rf work && mkdir work && cd work || exit 1
points='0 0 0\n1 0 0\n0 1 0\n0 0 1\n'
faces='3 0 2 1\n3 0 1 3\n3 0 3 2\n3 1 2 3\n'
printf "OFF\n4 4 0\n$points$faces" >a.off
printf "ply\nformat ascii 1.0\nelement vertex 4\nproperty float x\nproperty float y\nproperty float z\nelement face 4
property list uchar int vertex_indices\nend_header\n$points$faces" >a.ply
facet() { printf 'facet normal 0 0 0\nouter loop\nvertex %s\nvertex %s\nvertex %s\nendloop\nendfacet\n' "$@"; }
{
    echo solid a
    facet '0 0 0' '0 1 0' '1 0 0'
    facet '0 0 0' '1 0 0' '0 0 1'
    facet '0 0 0' '0 0 1' '0 1 0'
    facet '1 0 0' '0 1 0' '0 0 1'
    echo endsolid a
} >a.stl
printf '4 3 0 0\n1 0 0 0\n2 1 0 0\n3 0 1 0\n4 0 0 1\n' >a.node
printf '1 4 0\n1 1 2 3 4\n' >a.ele
printf '*VERTICES\n4 3 0 0\n1 0 0 0\n2 1 0 0\n3 0 1 0\n4 0 0 1\n*ELEMENTS\nTET\n1 4 0\n1 1 2 3 4\n' >a.veg
printf 'MeshVersionFormatted 1\nDimension 3\nVertices 4\n0 0 0 0\n1 0 0 0\n0 1 0 0\n0 0 1 0\nTetrahedra 1\n1 2 3 4 0\n' >a.mesh
head='$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n5\n1 0 0 0\n2 1 0 0\n3 0 1 0\n4 0 0 1\n9 .3 .3 .3\n$EndNodes\n$Elements\n'
printf "${head}1\n1 4 0 1 2 3 4\n\$EndElements\n" >a.msh

for file in a.off a.ply a.stl; do
    expect 0 'surface points* touch' run $file --duration 0.5 --cells 50
    expect 0 "$file: fine" check $file
    expect 0 '4 vertices, 4 triangles; 1 x 1 x 1, volume 0.1667' info $file
done
for file in a.msh a.ele a.node a.veg a.mesh; do
    expect 0 'surface points* touch' run $file --duration 0.5
    expect 0 'nodes, 1 tet, 4 faces around it; 1 x 1 x 1, volume 0.1667' info $file
    expect 0 '^a: 1 cell of .* 4 nodes (0 fixed to bones), 4 vertices, 4 triangles' info $file
    expect 2 '--cells is for surfaces; '$file' has 1 tet of its own' run $file --cells 5
done
expect 0 'a.ele: fine' check a.ele
# scaled with all its nodes
expect 0 'a.veg: scaled by 0.25 from 1 to 0.25 m' run a.veg --size 0.25 --duration 0.1

# what is wrong is said by the file's numbers
expect 0 '1 node belongs to no tet, the first is 9; it is left out' check a.msh
expect 0 'a.msh: can be used as it is' check a.msh
expect 0 "'sinew check a.msh' says what" run a.msh --duration 0.1
printf "${head}5\n1 4 0 1 2 3 4\n3 4 0 9 3 2 4\n4 4 0 4 2 3 1\n6 4 0 1 1 3 4\n7 5 0 1 2 3 4 1 2 3 4\n\$EndElements\n" >bad.msh
expect 0 '1 tet is inside out, the first is 3; it is turned' check bad.msh
expect 0 '1 tet has no volume, the first is 6; it is left out' check bad.msh
expect 0 '1 tet repeats an earlier one, the first is 4; it is left out' check bad.msh
expect 0 '1 hexahedron, prism or pyramid is not taken, so the body lacks it; split it' info bad.msh
expect 0 '1 face has more tets than fit' check bad.msh
printf "${head}1\n8 4 0 1 2 3 5\n\$EndElements\n" >index.msh
expect 2 'index.msh: line 14: element 8 names node 5, which is not in the file' check index.msh
printf "${head}1\n8 11 0 1 2 3 4 1 2 3 4 1 2\n\$EndElements\n" >order.msh
expect 2 'order.msh: line 14: second-order tets of 10 nodes' run order.msh
head -c 40 a.ply >cut.ply
expect 2 'cut.ply: line [0-9]*: ' run cut.ply
printf 'OFF\n5 4 0\n0 0 0\n1 0 0\n1 0 1\n0 0 1\n.5 1 .5\n3 0 4 1\n3 1 4 2\n3 2 4 3\n3 3 4 0\n' >open.off
expect 0 '4 edges have a triangle on one side only: the surface is open' check open.off
printf 'OFF\n4 4 0\n%b' "$points"'3 0 1 2\n3 0 3 1\n3 0 2 3\n3 1 3 2\n' >out.off
expect 0 'the surface is inside out; it is taken the other way round' check out.off
# two cubes of which one is in the other count once, but the triangles enclose both
cube() { # FROM TO
    for z in "$1" "$2"; do for y in "$1" "$2"; do for x in "$1" "$2"; do echo "v $x $y $z"; done; done; done
    echo 'f -8 -6 -5 -7
f -4 -3 -1 -2
f -8 -7 -3 -4
f -6 -2 -1 -5
f -8 -4 -2 -6
f -7 -5 -1 -3'
}
{ cube 0 1 && cube 0.05 0.95; } >twice.obj
expect 0 '16 vertices, 24 triangles in 2 parts' check twice.obj
expect 0 'the triangles enclose 1.729, .* the body is what they wind around, 0.9' check twice.obj
cube 0 1 >once.obj
expect 0 'once.obj: fine' check once.obj
# the same cube with vertices of their own for each face is no open surface
awk '/^v/ { v[++n] = $0 } /^f/ { for (i = 2; i <= 5; ++i) print v[9 + $i]; print "f -4 -3 -2 -1" }' once.obj >cut.obj
expect 0 '16 vertices lie at the place of another one, which cuts the surface along 24 edges' check cut.obj
grep -q 'Merge by Distance' out.log || failures=$((failures + 1))
! grep -q 'is open' out.log || failures=$((failures + 1))
# too soft for its weight, with what would do
expect 0 "'once': young 5 kPa is too soft for a body 1 m tall, .* try 100 kPa" run once.obj --young 5e3 --duration 0.05 --cells 100
expect 0 'try 100 kPa' info once.obj --young 5e3 --cells 100
printf '{"sinew": 1, "ground": true, "characters": [{"name": "c", "body": {"surface": "once.obj", "young": 5e3, "cells": 100}}]}' >soft.json
expect 0 'try 100 kPa' check soft.json
expect 0 'soft.json: can be used as it is' check soft.json
printf '{"sinew": 1, "characters": [{"name": "c", "body":\n{"surface": "a.veg", "cells": 100}}]}' >tets.json
expect 2 'tets.json: line 2, column 22: "cells" is for surfaces; .a.veg. has 1 tet of its own' run tets.json
# the number of cells shows in info too
expect 0 '^once: \([89]\|1[0-9]\)[0-9] cells' info once.obj --cells 100
expect 2 '--cells is for surface files' info starfish --cells 100
# a wrong extension does not matter
cp a.stl stl.obj
expect 0 'stl.obj: STL, 4 vertices' info stl.obj
cp once.obj obj.stl
expect 0 'obj.stl: OBJ, 8 vertices' info obj.stl
{ printf %80s; printf '\377\377\377\177'; printf %100s; } >lie.stl
expect 2 'it promises 2147483647 triangles, only 100 bytes follow, enough for 2: cut, or not an STL' check lie.stl
: >empty.msh
expect 2 'empty.msh: the file is empty' check empty.msh
printf 'v 0 0 0\nv 1 0 \033[2J\n' >terminal.obj
expect 2 '\\x1b\[2J' check terminal.obj
# bones that hold little are remarked on
printf '{"sinew": 1, "characters": [{"name": "c", "skeleton": {"bones": [{"name": "thin", "joint": "free", "position": [0.56, 0.1, 0.44],
"capsule": {"to": [0, 0.8, 0], "radius": 1e-3}}]}, "body": {"surface": "once.obj", "young": 1e5, "cells": 1000}}]}' >thin.json
expect 0 "bone 'thin' of 'c' is 0.8 m long and holds [012] nodes*" check thin.json

exit $((failures > 0))
