// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

// Groove: eight seconds of dance, made up for this project, as a BVH file. In the public domain.
#ifndef SINEW_SCENES_GROOVE_H
#define SINEW_SCENES_GROOVE_H

#include <sinew/clip.h>

// Bytes that the text never needs more of, the final 0 included.
#define SN_GROOVE_SIZE 200000

// Writes the file's text; returns its length. scenes/clips/groove.bvh is this text.
size_t snGroove_Write(char text[SN_GROOVE_SIZE]);

#endif
