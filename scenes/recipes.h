// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

// What built-in characters are made of: lumps of flesh around bones, melted together. To make one
// of your own, list its lumps, look at it (`sinew render SCENE --at 0`), and move them about.
#ifndef SINEW_RECIPES_H
#define SINEW_RECIPES_H

#include "geom/iso.h"
#include "scenes.h"

// One lump. Lengths in m.
typedef struct snLump {
    int shape;     // an snLumpShape
    snVec3 a;      // an end, or the middle
    snVec3 b;      // the other end, or the semi-axes
    double ra, rb; // radii at the ends
    double blend;  // width of the fillet with what comes before it in the list
    snVec3 normal; // plate: of its plane, unit, across b - a
    double half;   // plate: half of its thickness, less than the radii
} snLump;

typedef enum snLumpShape {
    sn_lumpCone = 0, // all balls from (a, ra) to (b, rb)
    sn_lumpCarved,   // a cone that is taken away
    sn_lumpOval,     // an ellipsoid
    sn_lumpPlate,    // a cone pressed flat
} snLumpShape;

// Entries of a list of lumps. A limb from (ax, ay, az), ra thick, to (bx, by, bz), rb thick:
#define SN_CONE(ax, ay, az, ra, bx, by, bz, rb, blend)                       \
    {                                                                        \
        sn_lumpCone, {ax, ay, az}, {bx, by, bz}, ra, rb, blend, {0, 0, 0}, 0 \
    }
// The same, taken away:
#define SN_CARVED(ax, ay, az, ra, bx, by, bz, rb, blend)                       \
    {                                                                          \
        sn_lumpCarved, {ax, ay, az}, {bx, by, bz}, ra, rb, blend, {0, 0, 0}, 0 \
    }
// A ball with its middle at (x, y, z), stretched to the semi-axes:
#define SN_OVAL(x, y, z, rx, ry, rz, blend)                             \
    {                                                                   \
        sn_lumpOval, {x, y, z}, {rx, ry, rz}, 0, 0, blend, {0, 0, 0}, 0 \
    }
// A fin: a limb pressed flat, `half` to either side of the plane with this SN_NORMAL:
#define SN_PLATE(ax, ay, az, ra, bx, by, bz, rb, blend, half, normal)         \
    {                                                                         \
        sn_lumpPlate, {ax, ay, az}, {bx, by, bz}, ra, rb, blend, normal, half \
    }
#define SN_NORMAL(x, y, z) \
    {                      \
        x, y, z            \
    }

#define SN_MOST_LUMPS 64

// A body, the same on the left and on the right: lumps are those of the left (x >= 0), and the
// middle's. The right mirrors the left, with a crease where two lumps meet in the middle.
typedef struct snLumps {
    const snLump* lumps;
    int count;      // at most SN_MOST_LUMPS
    snBox box;      // around it all
    snIsoSize size; // of the triangles
} snLumps;

typedef snStatus snBonesFcn(const snHost* host, snSkeleton** skeleton, snMessage* why);

// Builds a def that lacks only bones and surface.
snStatus snRecipe_Build(const snHost* host, snCharacterDef* def, snBonesFcn* bones,
                        const snSurface* surface, snCharacter** character, snMessage* why);

// The same with a body of lumps.
snStatus snRecipe_BuildLumps(const snHost* host, snCharacterDef* def, snBonesFcn* bones,
                             const snLumps* lumps, snCharacter** character, snMessage* why);

// A cage of cells made by hand, for a long body along z: two by two boxes between cross-sections.
// It begins in an edge when the first one has no width.
#define SN_CAGE_MOST_BOXES 12
#define SN_CAGE_MOST_NODES (9 + 13 * SN_CAGE_MOST_BOXES)
#define SN_CAGE_MOST_TETS (48 * SN_CAGE_MOST_BOXES)

typedef struct snSection {
    double at;        // z
    double low, high; // y of its lower and upper side; the middle is at 0
    double half[3];   // half of its width at the lower edges, in the middle, at the upper edges
    double share;     // how far down and up the edges are, as parts of low and high
} snSection;

typedef struct snCage {
    int boxes;    // along z
    bool pointed; // begins in an edge
    int32_t node_count, tet_count;
    snVec3 nodes[SN_CAGE_MOST_NODES];
    int32_t tets[4 * SN_CAGE_MOST_TETS];
} snCage;

// sections: boxes + 1 of them
void snCage_Make(const snSection* sections, int boxes, snCage* cage);

// The characters that have a file of their own.
snStatus snMakeFishBody(const snHost* host, snCharacter** character, snMessage* why);
snStatus snMakeFirmFish(const snHost* host, snCharacter** character, snMessage* why);
snStatus snMakeFatman(const snHost* host, snCharacter** character, snMessage* why);
snStatus snMakeThick(const snHost* host, snCharacter** character, snMessage* why);
snStatus snMakeMedium(const snHost* host, snCharacter** character, snMessage* why);
snStatus snMakeThin(const snHost* host, snCharacter** character, snMessage* why);

// Gives every joint of a fatman, the root's too, its part of a dance of 4 s that begins in the zero
// pose.
snStatus snDanceFatman(snScene* scene, int32_t who, snMessage* why);

#endif
