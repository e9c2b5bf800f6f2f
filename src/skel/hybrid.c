// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

#include "skel/hybrid.h"

#include "skel/pass.h"

SN_ISA_DECLARE(snBonesRunFcn, snBonesRun);
SN_ISA_DECLARE(snBonesAgainFcn, snBonesAgain);
SN_ISA_DECLARE(snBonesAnswerFcn, snBonesAnswer);

void snFactor_Push(snFactor* factor, const snSkeleton* skeleton, snArena* arena)
{
    size_t n = (size_t)skeleton->bone_count;
    factor->bones = snArena_Push(arena, n, sizeof(snBoneFactor));
    factor->axes = snArena_Push(arena, (size_t)skeleton->nv, sizeof(snAxisFactor));
    factor->balls = snArena_Push(arena, (size_t)skeleton->ball_count, sizeof(snBallFactor));
    factor->joints = snArena_Push(arena, n, sizeof(snJointFactor));
}

bool snHybrid_Run(const snSkeleton* skeleton, snBoneMotion* motion, const snHybridStep* step,
                  const snHybridLoad* load, snFactor* factor, double* qdd, double* tau,
                  int32_t* bad)
{
    return SN_ISA_CHOOSE(skeleton->isa, snBonesRun)(skeleton, motion, step, load, factor, qdd, tau,
                                                    bad);
}

void snHybrid_Again(const snSkeleton* skeleton, snBoneMotion* motion, const snHybridStep* step,
                    const snHybridLoad* load, snFactor* factor, double* qdd, double* tau)
{
    SN_ISA_CHOOSE(skeleton->isa, snBonesAgain)(skeleton, motion, step, load, factor, qdd, tau);
}

snTwist snHybrid_Answer(const snSkeleton* skeleton, int32_t root, const snBoneMotion* motion,
                        snFactor* factor, snWrench bias)
{
    return SN_ISA_CHOOSE(skeleton->isa, snBonesAnswer)(skeleton, root, motion, factor, bias);
}
