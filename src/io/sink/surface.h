// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

// Surfaces as a file per frame, x.obj becomes x_0000.obj, x_0001.obj ..., or of one frame alone
// (docs/formats.md).
#ifndef SN_IO_SINK_SURFACE_H
#define SN_IO_SINK_SURFACE_H

#include "io/sink/sink.h"

typedef enum snSurfaceFormat {
    sn_surfaceObj = 0,
    sn_surfacePly,
    sn_surfaceOff,
    sn_surfaceStl,
    sn_surfaceFormatCount,
} snSurfaceFormat;

extern const snSinkFormat snSurfaceFormats[sn_surfaceFormatCount];

#endif
