// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

// Stick figures as rigs: the same body with other names, axes of its nodes, size and facing, and a
// clip in which it bends every joint and walks.
#ifndef SN_TESTS_RIG_FIGURE_H
#define SN_TESTS_RIG_FIGURE_H

#include "base/random.h"
#include "check.h"
#include "math/trig.h"
#include "rig/pose.h"

#define FIGURE_NODES 20
#define FIGURE_KEYS 31
#define FIGURE_RATE 30.0

// What of a body each node is: name of two schools, parent, where it is
static const struct {
    const char* names[2];
    int32_t parent;
    snVec3 at; // m, facing z
} FIGURE[FIGURE_NODES] = {
    {{"Armature", "Scene"}, -1, {0, 0, 0}},
    {{"mixamorig:Hips", "Bip01 Pelvis"}, 0, {0, 1, 0}},
    {{"mixamorig:Spine", "Bip01 Spine"}, 1, {0, 1.1, 0}},
    {{"mixamorig:Spine1", "Bip01 Spine1"}, 2, {0, 1.25, 0}},
    {{"mixamorig:Neck", "Bip01 Neck"}, 3, {0, 1.5, 0}},
    {{"mixamorig:Head", "Bip01 Head"}, 4, {0, 1.6, 0}},
    {{"mixamorig:LeftArm", "Bip01 L UpperArm"}, 3, {0.2, 1.45, 0}},
    {{"mixamorig:LeftForeArm", "Bip01 L Forearm"}, 6, {0.5, 1.45, 0}},
    {{"mixamorig:LeftHand", "Bip01 L Hand"}, 7, {0.75, 1.45, 0}},
    {{"mixamorig:RightArm", "Bip01 R UpperArm"}, 3, {-0.2, 1.45, 0}},
    {{"mixamorig:RightForeArm", "Bip01 R Forearm"}, 9, {-0.5, 1.45, 0}},
    {{"mixamorig:RightHand", "Bip01 R Hand"}, 10, {-0.75, 1.45, 0}},
    {{"mixamorig:LeftUpLeg", "Bip01 L Thigh"}, 1, {0.1, 0.95, 0}},
    {{"mixamorig:LeftLeg", "Bip01 L Calf"}, 12, {0.1, 0.52, 0}},
    {{"mixamorig:LeftFoot", "Bip01 L Foot"}, 13, {0.1, 0.1, 0}},
    {{"mixamorig:LeftToeBase", "Bip01 L Toe0"}, 14, {0.1, 0.02, 0.13}},
    {{"mixamorig:RightUpLeg", "Bip01 R Thigh"}, 1, {-0.1, 0.95, 0}},
    {{"mixamorig:RightLeg", "Bip01 R Calf"}, 16, {-0.1, 0.52, 0}},
    {{"mixamorig:RightFoot", "Bip01 R Foot"}, 17, {-0.1, 0.1, 0}},
    {{"mixamorig:RightToeBase", "Bip01 R Toe0"}, 18, {-0.1, 0.02, 0.13}},
};

typedef struct FigureDef {
    int school;    // 0, 1
    uint64_t axes; // seed of the nodes' axes; 0: those of the world
    double size;   // of all lengths
    double facing; // angle about y from z
    double arms;   // how far they hang down in the own pose, rad
} FigureDef;

typedef struct Figure {
    snRig rig;
    snRigNode nodes[FIGURE_NODES];
    snQuat turned[FIGURE_NODES]; // in the world at rest
    snRigClipData clip;
    snRigChannel channels[FIGURE_NODES + 1];
    float times[FIGURE_KEYS], turns[FIGURE_NODES][4 * FIGURE_KEYS], moves[3 * FIGURE_KEYS];
} Figure;

static inline snQuat figureAxes(uint64_t seed, int32_t n)
{
    snRandom r = snRandom_Seed(seed + (uint64_t)n);
    snVec3 v =
        snV3(snRandom_Range(&r, -2, 2), snRandom_Range(&r, -2, 2), snRandom_Range(&r, -2, 2));
    return seed ? snQExp(v) : snQIdentity();
}

static inline void makeFigure(Figure* f, FigureDef d)
{
    snVec3 at[FIGURE_NODES];
    snQuat face = snQFromAxisAngle(snV3(0, 1, 0), d.facing);
    memset(f, 0, sizeof *f);
    snHost_Init(&f->rig.host);
    f->rig.nodes = f->nodes;
    snOwners_Init(&f->rig.owners);
    snArena_Init(&f->rig.arena, NULL);
    f->rig.info = (snRigInfo){.node_count = FIGURE_NODES,
                              .joint_count = FIGURE_NODES - 1,
                              .low = snV3(-0.75 * d.size, 0, -0.2 * d.size),
                              .high = snV3(0.75 * d.size, 1.7 * d.size, 0.2 * d.size),
                              .unit = 1 / d.size,
                              .unit_name = "",
                              .kind = "glb",
                              .generator = ""};
    for (int32_t n = 0; n < FIGURE_NODES; ++n) {
        int32_t parent = FIGURE[n].parent;
        bool left = n >= 6 && n <= 8, right = n >= 9 && n <= 11;
        snQuat hang = snQFromAxisAngle(snV3(0, 0, 1), left ? -d.arms : right ? d.arms : 0);
        snVec3 p = snScale(d.size, FIGURE[n].at);
        if (n == 7 || n == 8 || n == 10 || n == 11) {
            snVec3 shoulder = snScale(d.size, FIGURE[left ? 6 : 9].at);
            p = snAdd(shoulder, snQRotate(hang, snSub(p, shoulder)));
        }
        at[n] = snQRotate(face, p);
        f->turned[n] = snQMul(face, snQMul(hang, figureAxes(n > 0 ? d.axes : 0, n)));
        snQuat up = parent < 0 ? snQIdentity() : f->turned[parent];
        snVec3 from = parent < 0 ? snV3(0, 0, 0) : at[parent];
        snRigNode* node = &f->nodes[n];
        *node = (snRigNode){.name = FIGURE[n].names[d.school],
                            .parent = parent,
                            .file_index = n,
                            .is_joint = n > 0,
                            .translation = snQRotate(snQConj(up), snSub(at[n], from)),
                            .rotation = snQNormalize(snQMul(snQConj(up), f->turned[n])),
                            .scale = snV3(1, 1, 1)};
        node->local = snMatrix_FromParts(node->translation, node->rotation, node->scale);
    }
}

// How far a part has turned from rest against its parent, in the body's axes
static inline snQuat figureBend(int32_t n, double t)
{
    double a = snSin(5 * t + n), b = 0.5 - 0.5 * snCos(4 * t + n);
    bool knee = n == 13 || n == 17;
    if (knee) {
        return snQFromAxisAngle(snV3(1, 0, 0), 0.2 + b);
    }
    return n == 0 ? snQIdentity() : snQExp(snScale(n == 1 ? 0.2 : 0.4, snV3(a, b, a * b)));
}

// Keys for all nodes
static inline void moveFigure(Figure* f)
{
    for (int32_t k = 0; k < FIGURE_KEYS; ++k) {
        double t = k / FIGURE_RATE;
        snQuat bent[FIGURE_NODES], now[FIGURE_NODES];
        f->times[k] = (float)t;
        snVec3 p = snAdd(f->nodes[1].translation, snV3(0, 0.02 * snSin(9 * t), 0));
        p = snMulAdd(p, t / f->rig.info.unit, snQRotate(f->turned[0], snV3(0, 0, 1)));
        f->moves[3 * k] = (float)p.x, f->moves[3 * k + 1] = (float)p.y;
        f->moves[3 * k + 2] = (float)p.z;
        for (int32_t n = 0; n < FIGURE_NODES; ++n) {
            int32_t parent = FIGURE[n].parent;
            snQuat up = parent < 0 ? snQIdentity() : bent[parent];
            snQuat face = f->turned[0];
            snQuat bend = snQMul(face, snQMul(figureBend(n, t), snQConj(face)));
            bent[n] = snQMul(up, bend);
            now[n] = snQMul(bent[n], f->turned[n]);
            snQuat q = snQMul(parent < 0 ? snQIdentity() : snQConj(now[parent]), now[n]);
            float* to = f->turns[n] + 4 * k;
            to[0] = (float)q.x, to[1] = (float)q.y, to[2] = (float)q.z, to[3] = (float)q.w;
        }
    }
    int32_t count = 0;
    for (int32_t n = 1; n < FIGURE_NODES; ++n) {
        if (n == 1) {
            f->channels[count++] = (snRigChannel){
                n, sn_pathTranslation, sn_interpolateLinear, FIGURE_KEYS, 3, f->times, f->moves};
        }
        f->channels[count++] = (snRigChannel){n, sn_pathRotation, sn_interpolateLinear, FIGURE_KEYS,
                                              4, f->times,        f->turns[n]};
    }
    f->clip = (snRigClipData){.info = {.name = "Walk",
                                       .last = (FIGURE_KEYS - 1) / FIGURE_RATE,
                                       .duration = (FIGURE_KEYS - 1) / FIGURE_RATE,
                                       .channel_count = count},
                              .channels = f->channels};
    f->rig.clips = &f->clip;
    f->rig.info.clip_count = 1;
}

static inline void freeFigure(Figure* f)
{
    snArena_Free(&f->rig.arena);
}

#endif
