// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

// Surfaces as a binary PLY file per frame: x.ply becomes x_0000.ply ... (docs/formats.md).
#ifndef SN_IO_PLY_SEQUENCE_H
#define SN_IO_PLY_SEQUENCE_H

#include "io/sink.h"

extern const snSinkFormat snPlyFormat;

#endif
