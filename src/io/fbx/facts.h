// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

// What an FBX file says that the library that reads it does not pass on: which control point each
// corner of a polygon has, how scale is inherited, which way is up, when clips begin, and what
// is damaged.
#ifndef SN_IO_FBX_FACTS_H
#define SN_IO_FBX_FACTS_H

#include "io/fbx/tree.h"
#include <sinew/base.h>

// Polygons of a mesh with one material, corner after corner
typedef struct snFbxPart {
    const char* node;     // that shows it
    int32_t number;       // of the mesh's parts, by where they first appear
    size_t corner_count;  // of all polygons
    const int32_t* point; // control points; (corner_count)
    size_t point_count;   // of the mesh
} snFbxPart;

// An animation
typedef struct snFbxStack {
    const char* name;
    double start; // when it begins, s: the library lets all begin at 0
} snFbxStack;

typedef struct snFbxFacts {
    double unit;         // m
    int32_t axis[3];     // of the file, that goes to the right, up, and to the front: 0..2
    double sign[3];      // of these, 1 or -1
    size_t part_count;   // parts
    snFbxPart* parts;    // (part_count)
    size_t loner_count;  // nodes that do not inherit their parent's own scale
    const char** loners; // their names; (loner_count)
    size_t stack_count;  // animations
    snFbxStack* stacks;  // (stack_count)
    size_t bent_count;   // curves that are no straight lines between keys far apart
} snFbxFacts;

// Refuses what is damaged, and versions before 7.
snStatus snFbxFacts_Read(snArena* arena, const uint8_t* bytes, size_t count, snFbxFacts* facts,
                         snMessage* why);

#endif
