// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

// What is known while a rig's body is made.
#ifndef SN_CHARACTER_BODY_MAKER_H
#define SN_CHARACTER_BODY_MAKER_H

#include "character/body.h"

// What becomes of a shell
typedef enum snShellFate {
    sn_fateFixed = 0,
    sn_fateFlesh,
    sn_fateRides,
    sn_fateDrapes,
} snShellFate;

// Controls that are painted besides
typedef enum snPaint {
    sn_paintSoftness = 0,
    sn_paintDamping,
    sn_paintLimit,
    sn_paintInertia,
    sn_paintGravity,
    sn_paintShape,
    sn_paintCount,
} snPaint;

// Largest factor of a painted control
#define SN_PAINT_MOST 4.0f

typedef struct snBodyMaker {
    const snBodyDef* def;
    snRigPatterns patterns; // of the def
    snArena* arena;         // of the body
    snArena scratch;        // of the making
    snRigBody* out;
    const snMatrix* bind; // world matrices of the rig's nodes in the bind pose, the file's unit
    uint8_t* fate;        // snShellFate of each shell
    // shells of flesh as one surface
    snSurface solid;
    int32_t* welded;             // vertex of the weld; (solid.vertex_count)
    int32_t* solid_of;           // the other way round, -1: none
    double* thickness;           // m; (solid.vertex_count)
    float* soft;                 // 0..1, by names, patterns and paint; (solid.vertex_count)
    float* paint[sn_paintCount]; // factors; NULL: nobody painted; (solid.vertex_count)
    snInfluences skin;           // joints by their place in out->joint
    uint8_t* is_tail;            // of each joint; (out->joint_count)
    double* bulk; // m: thickness, of tails no less than the mean, so that they are soft, stiff and
                  // bounded as a whole; (solid.vertex_count)
    // cells, before those that nothing moves leave
    snFlesh flesh;
    float* mask;     // how soft each node is, 0..1
    float* tether;   // how much of it is tail, 0..1
    int32_t* number; // of each node in the end, -1: it left
} snBodyMaker;

// Nodes softer than this are free, unless they are near a bone.
#define SN_BODY_SOFT 0.1

// shells: which are flesh, `solid`, joints, skin, thickness, soft
snStatus snBodyMaker_Skin(snBodyMaker* m, snMessage* why);

// is_tail, bulk
snStatus snBodyMaker_Trail(snBodyMaker* m, snMessage* why);

// How much of a node is moved by joints of tails
double snBodyMaker_Tether(const snBodyMaker* m, const snNodeWeights* weights);

// cells, masks, weights, what is held, regions, stiffness
snStatus snBodyMaker_Flesh(snBodyMaker* m, snMessage* why);

// ties and riders
snStatus snBodyMaker_Surface(snBodyMaker* m, snMessage* why);

// after all others: what should be soft and is too thin for it
snStatus snBodyMaker_Remark(snBodyMaker* m, snMessage* why);

// Hz of the slowest jiggle that suits the body and its clips; after cells, masses and what is held
snStatus snBodyMaker_ChooseFrequency(snBodyMaker* m, double* softness, snMessage* why);

// 0 below a, 1 above b, smooth between
static inline double snSmoothStep(double a, double b, double x)
{
    double t = (x - a) / (b - a);
    t = t < 0 ? 0 : t > 1 ? 1 : t;
    return t * t * (3 - 2 * t);
}

#endif
