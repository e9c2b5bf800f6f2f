// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

#ifndef SINEW_BENCH_SOFT_BEAM_H
#define SINEW_BENCH_SOFT_BEAM_H

#include "bench.h"

// A soft beam, held at one end, that sags: ours and Bullet's.
snStatus snBench_Beam(const snBenchOut* out, snMessage* why);

#endif
