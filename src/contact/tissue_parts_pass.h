// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

// The pass over the nodes of a part that is compiled for each instruction set.
#ifndef SN_CONTACT_TISSUE_PARTS_PASS_H
#define SN_CONTACT_TISSUE_PARTS_PASS_H

#include "contact/tissue.h"

// Of some nodes: where they were and are, the middle of where they were and what becomes of it when
// they move as one, and their rotation then.
typedef struct snPartPass {
    int32_t count;
    const int32_t* nodes;
    const snVec4f *seen, *x;
    const float* margins;
    float middle[3], to[3], R[9];
} snPartPass;

typedef struct snPartExtent {
    float off_sq;      // from where the rotation takes them, m^2
    float radius_sq;   // from the middle, m^2
    float least, most; // margins, m
} snPartExtent;

typedef snPartExtent snPartFcn(const snPartPass* pass);

#endif
