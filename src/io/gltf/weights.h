// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

// Keys of morph weights with columns added.
#ifndef SN_IO_GLTF_WEIGHTS_H
#define SN_IO_GLTF_WEIGHTS_H

#include "io/gltf/patch.h"

typedef struct snGltfKeys {
    size_t count, width;
    int32_t interpolation; // an snRigInterpolation
    bool moved;            // the times are others than the channel's
    const float* times;    // (count)
    const float* values;   // (count, width); cubic: in-tangent, value, out-tangent of each key
} snGltfKeys;

// Keys of a channel of weights with `added` columns behind its own: those of a track, or zeros when
// that is NULL. Without a channel (NULL) its own columns are `rest`, which does not move; (own).
//
// The channel's keys stay, bit by bit, and the track's times come between them:
//   LINEAR       its own columns there are the values on the way; the lines stay the same.
//   CUBICSPLINE  its own columns there are value and slope of the polynomial, which cuts it in two
//                without changing it; the track's lines are cubic ones with tangents along them.
//   STEP         becomes LINEAR, with a key more before each jump, one float earlier.
// With zeros nothing comes between, and the interpolation stays.
// False when memory runs out.
bool snGltfKeys_Build(snArena* arena, const snRigChannel* channel, const double* rest, size_t own,
                      const snGltfTrack* track, size_t added, snGltfKeys* out);

#endif
