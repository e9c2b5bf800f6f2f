// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

// The descent of a soft body's points into its own cells, compiled for each instruction set.
#ifndef SN_CONTACT_TISSUE_SELF_PASS_H
#define SN_CONTACT_TISSUE_SELF_PASS_H

#include "contact/tissue_box.h"
#include "contact/tissue_clear.h"
#include "contact/tissue_parts.h"

// Points of a body against its cells.
typedef struct snSelfPass {
    snTissueTree* tree;
    const snTissue* tissue;
    double apart_sq;
    float apart_sq_below; // the same, so that rounding to float loses nothing
    // looking for pairs
    int32_t begin, end; // runs that are looked at
    const snVec4f* x;
    snNear* pairs;
    int32_t count, capacity; // count: one more than there is room for when there is too little
    int32_t* counts;         // of points; NULL = not counted
    int64_t tries;
    snClearBatch batch; // pairs that are looked at closely, together
    // instead, where the descent ends
    bool keep;
    int32_t front_count;
    snTissuePair* front; // NULL = they are counted
} snSelfPass;

typedef void snSelfFcn(snSelfPass* pass);

static inline snSelfPass snSelfPass_Of(snTissueTree* tree, const snTissue* tissue)
{
    snSelfPass pass;
    memset(&pass, 0, sizeof pass);
    pass.tree = tree;
    pass.tissue = tissue;
    pass.apart_sq = tissue->apart * tissue->apart;
    pass.apart_sq_below = apartSqBelow(tissue);
    return pass;
}

#endif
