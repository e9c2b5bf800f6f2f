// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

// Force fields on flesh that follows.

#include "sim/follow_state.h"

// A function of the host in the file's unit, for fields in metres
static snVec3 callHost(void* user, double time, snVec3 place, snVec3 velocity)
{
    const snFollowCall* c = user;
    double k = 1 / c->unit;
    return snScale(c->unit, c->call(c->user, time, snScale(k, place), snScale(k, velocity)));
}

snStatus snFollow_AddForce(snFollow* follow, const snForceDef* def, snMessage* why)
{
    if (!follow || !def) {
        return snFail(why, sn_errorArgument, "a field needs a follow and a def");
    }
    double unit = follow->body->unit;
    snForceDef metres = *def;
    metres.place = snScale(unit, def->place);
    metres.radius = unit * def->radius;
    metres.value = snScale(unit, def->value);
    metres.towards = unit * def->towards;
    if (def->kind == sn_forceCall && def->call && follow->forces.count < SN_MOST_FORCES) {
        snFollowCall* call = &follow->calls[follow->forces.count];
        *call = (snFollowCall){def->call, def->user, unit};
        metres.call = callHost;
        metres.user = call;
    }
    snStatus status = snForces_Add(&follow->forces, &metres, why);
    if (!status) {
        snFollow_Wake(follow);
    }
    return status;
}

void snFollow_ClearForces(snFollow* follow)
{
    if (follow) {
        snForces_Clear(&follow->forces);
        snFollow_Wake(follow);
    }
}

// By the velocities at the interval's beginning, of what is at its end
void snFollow_UpdateFields(snFollow* s)
{
    const snRigBody* body = s->body;
    double h = s->drive.interval, t = snFollowDrive_Time(&s->drive, s->head->tick);
    for (int32_t i = 0; i < body->tets.node_count && s->forces.count > 0; ++i) {
        const snNodeWeights* weights = &body->weights[i];
        const snVec4f *u = &s->u[i], *w = &s->w[i];
        const snNodeDrive* d = &s->drive.begin[i];
        snVec3 T = snV3(0, 0, 0),
               v = snV3(d->vx + (double)w->x, d->vy + (double)w->y, d->vz + (double)w->z);
        double sum = 0;
        for (int k = 0; k < SN_WEIGHTS_MOST && weights->joint[k] >= 0; ++k) {
            const snMatrix* map = &s->drive.joints[weights->joint[k]].map;
            T = snMulAdd(T, (double)weights->weight[k],
                         snMatrix_Point(map, body->tets.position[i]));
            sum += (double)weights->weight[k];
        }
        snVec3 place = snAdd(snScale(1 / sum, T), snV3((double)u->x, (double)u->y, (double)u->z));
        snVec3 a = snForces_At(&s->forces, t, h, place, v);
        s->blow[i] = (snVec4f){(float)a.x, (float)a.y, (float)a.z, 0};
    }
}
