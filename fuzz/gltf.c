// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

#include "rig.h"

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size)
{
    return fuzzRig(data, size);
}
