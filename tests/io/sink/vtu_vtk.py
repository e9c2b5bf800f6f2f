# SPDX-FileCopyrightText: 2026 The Sinew authors
# SPDX-License-Identifier: Apache-2.0

# Run by vtu_vtk.sh: STEM of a run of starfish_fall
import sys
import xml.etree.ElementTree

import numpy
import vtk
from vtk.util.numpy_support import vtk_to_numpy

stem = sys.argv[1]
errors = vtk.vtkStringOutputWindow()  # VTK complains there, and goes on
vtk.vtkOutputWindow.SetInstance(errors)


def read(reader, path):
    assert reader.CanReadFile(path)
    reader.SetFileName(path)
    reader.Update()
    assert not errors.GetOutput(), errors.GetOutput()
    return reader.GetOutput()


def arrays(data):
    return {data.GetArrayName(i): vtk_to_numpy(data.GetArray(i)) for i in range(data.GetNumberOfArrays())}


def gradients(points, tets, rest):
    edges = lambda x: numpy.swapaxes(x[tets[:, 1:]] - x[tets[:, :1]], 1, 2)
    return edges(points) @ numpy.linalg.inv(edges(rest))


collection = xml.etree.ElementTree.parse(f"{stem}.pvd").getroot()
entries = [(float(e.get("timestep")), e.get("name"), e.get("file")) for e in collection.iter("DataSet")]
assert len(entries) == 2 * 91
times = [t for t, name, _ in entries if name == "cells"]
assert numpy.allclose(times, numpy.arange(91) / 60, atol=1e-3), times

rest, before = None, None
for frame in (0, 20, 46, 90):
    grid = read(vtk.vtkXMLUnstructuredGridReader(), entries[2 * frame][2])
    points = vtk_to_numpy(grid.GetPoints().GetData())
    tets = vtk_to_numpy(grid.GetCells().GetConnectivityArray()).reshape(-1, 4)
    rest = points if rest is None else rest
    nodes, cells = arrays(grid.GetPointData()), arrays(grid.GetCellData())
    assert sorted(nodes) == ["bone", "velocity"] and nodes["velocity"].shape == points.shape
    assert sorted(cells) == ["character", "fill", "inverted", "stress", "stretch"]
    assert all(len(a) == grid.GetNumberOfCells() == len(tets) for a in cells.values())
    assert all(grid.GetCellType(i) == vtk.VTK_TETRA for i in range(len(tets)))
    assert (nodes["bone"].max() >= 0) and (nodes["bone"].min() == -1)
    assert 0 < cells["fill"].min() and cells["fill"].max() <= 1

    F = gradients(points, tets, rest)
    stretch = numpy.linalg.svd(F, compute_uv=False)[:, 0]
    worst = numpy.abs(stretch - cells["stretch"]).max()
    # the rest shape here is that of the first frame, in floats
    assert worst < 1e-4, worst
    assert ((numpy.linalg.det(F) <= 0) == (cells["inverted"] != 0)).all()
    assert numpy.isfinite(cells["stress"]).all()
    assert (cells["stress"].max() > 100) == (frame > 0), cells["stress"].max()

    surface = read(vtk.vtkXMLPolyDataReader(), entries[2 * frame + 1][2])
    lines = [l.split() for l in open(f"{stem}_{frame:04d}.obj")]
    wanted = {w: numpy.array([l[1:] for l in lines if l[0] == w]) for w in ("v", "vn", "f")}
    shown = vtk_to_numpy(surface.GetPoints().GetData())
    assert (shown.astype("f4") == wanted["v"].astype("f4")).all()
    assert (vtk_to_numpy(surface.GetPointData().GetNormals()) == wanted["vn"].astype("f4")).all()
    corners = vtk_to_numpy(surface.GetPolys().GetConnectivityArray()).reshape(-1, 3)
    assert (corners == [[int(c.split("/")[0]) - 1 for c in f] for f in wanted["f"]]).all()
    assert surface.GetNumberOfCells() == len(corners)
    print(
        f"frame {frame}: {len(points)} points, {len(tets)} cells, stretch to {cells['stretch'].max():.3f}"
        f" (numpy's differs by {worst:.1e}), stress to {cells['stress'].max():.0f} Pa,"
        f" {len(corners)} triangles"
    )
