// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

// How thick a body is behind each vertex of its surface: how far one goes in, straight or
// a little aside, until one comes out. Where shells lie in one another (a coat around a body) what
// counts is coming out of all of them.
#ifndef SN_GEOM_THICKNESS_H
#define SN_GEOM_THICKNESS_H

#include "geom/bvh.h"

SN_BEGIN_C

// Gaps up to `gap` (m) between two shells one behind the other count as body. Vertices where
// nothing lies behind take what their neighbours have, 0 if those have nothing. Averaged over
// neighbours a few times: one ray tells little. out: m; (vertex_count)
snStatus snThickness_Find(const snHost* host, const snSurface* surface, double gap, double* out,
                          snMessage* why);

SN_END_C

#endif
