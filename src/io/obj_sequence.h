// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

// Surfaces as a file per frame: x.obj becomes x_0000.obj, x_0001.obj ... (docs/formats.md).
#ifndef SN_IO_OBJ_SEQUENCE_H
#define SN_IO_OBJ_SEQUENCE_H

#include "io/sink.h"

extern const snSinkFormat snObjFormat;

#endif
