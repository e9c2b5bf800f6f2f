// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

// Which parts of the body lie in each cell of a lattice. A sheet is a piece of surface that hangs
// together inside the cell; below it is one part of the body. So a cell with one sheet holds one
// part, however thin; of several, those are one part that see each other through material.
#ifndef SN_FLESH_SHEETS_H
#define SN_FLESH_SHEETS_H

#include "flesh/cover.h"
#include "geom/bcc_split.h"

SN_BEGIN_C

// tets are cells of the cover's lattice, origin their numbers there. Things are the surface's
// triangles. More than 64 sheets in one cell are taken for one part.
snStatus snSheets_Find(snArena* arena, const snCover* cover, const snTets* tets,
                       const int64_t* origin, snContents* out, snMessage* why);

// The part of a cell in which a place with material lies.
int32_t snSheets_Part(const snCover* cover, const snTets* tets, const snContents* contents,
                      int32_t tet, snVec3 p);

SN_END_C

#endif
