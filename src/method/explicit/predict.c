// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

// What nodes that touch something would do in a step if they did not: contact is solved with it.
#include "method/explicit/actor.h"

static snVec3 widen(snVec4f a)
{
    return snV3((double)a.x, (double)a.y, (double)a.z);
}

// Velocity of the bones at a node, as its dampers see them.
static snVec3 carried(const snNodes* n, int32_t node)
{
    const snDamper* damper = &n->flesh->dampers[node];
    snVec3 r = snSub(widen(n->x[node]), widen(n->centre)), v = snV3(0, 0, 0);
    bool bones = n->flesh->skeleton->bone_count > 0;
    for (int k = 0; k < 4; ++k) {
        double w = bones ? (double)damper->weight[k] : (k == 0);
        if (w > 0) {
            const snCarrier* c = &n->carriers[bones ? damper->bone[k] : 0];
            v = snMulAdd(v, w, snAdd(widen(c->v), snCross(widen(c->w), r)));
        }
    }
    return v;
}

// As kickBlock does, with no contact.
static void predictNode(const snActorSpace* a, double h, snContactNode* c)
{
    const snNodes* n = &a->nodes;
    double inverse = (double)n->flesh->inverse_mass[c->node];
    double g = (double)n->flesh->damping[c->node], k = g / (1 + 0.5 * h * g);
    snVec3 v = widen(n->v[c->node]), f = snAdd(widen(n->f[c->node]), widen(n->push[c->node]));
    snVec3 acceleration = snMulAdd(a->gravity, inverse, f);
    snVec3 mean = snMulAdd(v, 0.5 * h, acceleration);
    snVec3 drag = g > 0 ? snScale(-k, snSub(mean, carried(n, c->node))) : snV3(0, 0, 0);
    c->v = snMulAdd(v, h, snAdd(acceleration, drag));
    c->give = inverse * (1 - 0.5 * h * k);
}

// Whether something can push a bone off its way: it, or a bone that carries it, does not follow a
// given motion.
static bool givesWay(const snActorSpace* a, int32_t bone)
{
    bool gives = false;
    for (; bone >= 0 && !gives; bone = a->skeleton->bones[bone].parent) {
        int mode = a->command.mode[bone];
        gives = a->skeleton->bones[bone].type != sn_jointWeld &&
                (mode == sn_modeTorque || mode == sn_modeServo);
    }
    return gives;
}

// Nodes that a bone holds move with it, as one: by its mass, however it may turn.
void snActor_Predict(const void* actor, double h, int32_t count, snContactNode* list)
{
    const snActorSpace* a = actor;
    for (int32_t i = 0; i < count; ++i) {
        snContactNode* c = &list[i];
        if (c->node < 0) {
            c->give = givesWay(a, c->bone) ? 1 / a->skeleton->bones[c->bone].mass : 0;
        } else if (c->bone >= 0) {
            c->v = widen(a->nodes.v[c->node]);
        } else {
            predictNode(a, h, c);
        }
    }
}
