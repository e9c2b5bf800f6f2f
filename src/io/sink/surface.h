// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

// Surfaces as a file per frame, x.obj becomes x_0000.obj, x_0001.obj ..., or of one frame alone
// (docs/formats.md).
#ifndef SN_IO_SINK_SURFACE_H
#define SN_IO_SINK_SURFACE_H

#include "io/sink/sink.h"

// Of .obj, .ply, .off and .stl.
extern const snSinkFormat snSurfaceFormat;

#endif
