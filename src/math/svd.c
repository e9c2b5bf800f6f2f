// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

#include "math/svd.h"
#include "math/isa.h"

SN_ISA_DECLARE(snSvdBatchFcn, snSvdBlocks);

snSvdBatchFcn* snSvdBatch(snIsa isa)
{
    return SN_ISA_CHOOSE(isa, snSvdBlocks);
}
