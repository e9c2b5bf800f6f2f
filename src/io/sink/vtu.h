// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

// For ParaView and VTK: cells (.vtu) and surfaces (.vtp) as files per frame, and a collection
// (.pvd) with their times (docs/formats.md). A file has a piece for every character with flesh.
#ifndef SN_IO_SINK_VTU_H
#define SN_IO_SINK_VTU_H

#include "io/sink/sink.h"

// Of .pvd and .vtu: the same, whichever of the names is given.
extern const snSinkFormat snVtuFormat;

#endif
