// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

#include "animation.h"
#include "rig.h"

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size)
{
    fuzzRig(data, size);
    return fuzzAnimation(sn_animationGlb, data, size);
}
