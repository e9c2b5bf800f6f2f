// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

// Poses that the host feeds.
#include <string.h>

#include "base/message.h"
#include "sim/sim_state.h"
#include "skel/joint.h"

// Of a fed pose: shortest time until it is there, s; largest coordinate or rate
#define LEAST_FEED 1e-4
#define MOST_COORDINATE 1e9

// Square of a quaternion's length that tells a rotation
#define LEAST_QUATERNION 1e-6

static snStatus checkFed(const snSkeleton* skeleton, const double* q, const double* qd,
                         double seconds, snMessage* why)
{
    bool fine = q && seconds >= LEAST_FEED && seconds <= 3600;
    for (int32_t i = 0; fine && i < skeleton->nq; ++i) {
        fine = fabs(q[i]) <= MOST_COORDINATE;
    }
    for (int32_t i = 0; fine && qd && i < skeleton->nv; ++i) {
        fine = fabs(qd[i]) <= MOST_COORDINATE;
    }
    for (int32_t i = 0; fine && i < skeleton->bone_count; ++i) {
        const snBone* b = &skeleton->bones[i];
        snQuat turn =
            b->ball < 0 ? snQ(0, 0, 0, 1) : snLoadQ(q + b->qi + snJoint_Shape(b->type)->nq - 4);
        if (!(snQDot(turn, turn) > LEAST_QUATERNION)) {
            return snFail(why, sn_errorArgument,
                          "the rotation of bone '%s' must be a unit quaternion",
                          skeleton->defs[i].name);
        }
    }
    return fine ? sn_ok
                : snFail(why, sn_errorArgument,
                         "a pose needs %d coordinates and %d rates within %g, and 1e-4..3600 s to "
                         "get there",
                         (int)skeleton->nq, (int)skeleton->nv, MOST_COORDINATE);
}

// Of the present instant, whether frames show them or not.
static const double* coordinatesOf(snSim* sim, int32_t who)
{
    uint32_t* wanted = &sim->data->wants[who].wanted;
    const uint32_t before = *wanted;
    if (!(before & sn_wantedPose)) {
        *wanted = sn_wantedPose;
        sim->frame_step = -1;
    }
    const double* q = snSim_Frame(sim)->characters[who].q;
    if (!(before & sn_wantedPose)) {
        *wanted = before;
        sim->frame_step = -1;
    }
    return q;
}

snStatus snSim_SetPose(snSim* sim, int32_t who, const double* q, const double* qd, double seconds,
                       int32_t with_root, snMessage* why)
{
    snMessage_Clear(why);
    if (!sim || !snScene_Character(sim->scene, who)) {
        (void)snFail(why, sn_errorArgument, "there is no character %d", (int)who);
        return sn_errorArgument; // so that the analyser sees it
    }
    snActor* actor = &sim->scene->world.actors[who];
    const snSkeleton* skeleton = snCharacter_Moving(actor->character);
    const double* now_q = coordinatesOf(sim, who);
    double now = snSim_Time(sim);
    snStatus status = checkFed(skeleton, q, qd, seconds, why);
    for (int32_t i = 0; i < skeleton->bone_count && !status; ++i) {
        const snBone* b = &skeleton->bones[i];
        double rates[6] = {0};
        if (b->type == sn_jointFree && b->parent < 0 && !with_root) {
            if (actor->drive[i] && actor->drive[i]->streamed) { // it is let go
                snDrive_Free(actor->drive[i]);
                actor->drive[i] = NULL;
            }
            continue;
        }
        if (b->nv == 0) {
            continue;
        }
        if (qd) {
            memcpy(rates, qd + b->vi, (size_t)b->nv * sizeof *rates);
        } else {
            snJoint_Difference(b->type, now_q + b->qi, q + b->qi, rates);
        }
        for (int32_t k = 0; k < b->nv && !qd; ++k) {
            rates[k] /= seconds;
        }
        status = snDrive_Feed(&sim->host, skeleton, i, &actor->drive[i], q + b->qi, rates, now,
                              now + seconds, why);
    }
    return status;
}
