// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

// How the parts of a soft body have moved against each other since its last list.
#ifndef SN_CONTACT_TISSUE_PARTS_H
#define SN_CONTACT_TISSUE_PARTS_H

#include "contact/tissue.h"

SN_BEGIN_C

// Of distances that are kept as floats
#define SN_SELF_ROUNDING 1e-6

// Notes by how much the parts of each run can have come nearer to each other since the last list,
// with x and tree->margins as they are now, and keeps x for the next one.
void snTissueTree_MoveParts(snIsa isa, snTissueTree* tree, const snTissue* tissue,
                            const snVec4f* x);

// How far the parts of a run will have closed in on each other, at most, before the next list, m.
static inline float snTissueTree_Reached(const snTissueTree* tree, const snTissue* tissue,
                                         int32_t run)
{
    double most = tree->point_parts[tissue->runs[run].point].most +
                  tree->cell_parts[tissue->runs[run].cell].most;
    return (float)((1 + SN_SELF_ROUNDING) * (tree->closed[run] + most));
}

SN_END_C

#endif
