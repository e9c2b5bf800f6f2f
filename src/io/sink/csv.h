// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

// Energies, momenta and counts as a table, to plot: one row per frame and character or movable
// obstacle (RFC 4180).
#ifndef SN_IO_SINK_CSV_H
#define SN_IO_SINK_CSV_H

#include "io/sink/sink.h"

extern const snSinkFormat snCsvFormat;

#endif
