// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

// Point caches: the vertices of a surface at every frame, a file per character (docs/formats.md).
//
// PC2: "POINTCACHE2" and a 0; int32 version 1, int32 points, float first frame, float frames per
// sample, int32 samples; then the samples, float xyz of every point. Little-endian.
// MDD: int32 frames, int32 points; the time of every frame, float, s; then the frames, float xyz of
// every point. Big-endian.
#ifndef SN_IO_SINK_POINT_CACHE_H
#define SN_IO_SINK_POINT_CACHE_H

#include "io/sink/sink.h"

#define SN_PC2_HEADER 32       // bytes
#define SN_PC2_COUNT_OFFSET 28 // of the number of samples

extern const snSinkFormat snPc2Format, snMddFormat;

#endif
