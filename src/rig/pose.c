// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

#include "rig/pose.h"

#include <math.h>

// Keys ---------------------------------------------------------------------------

// The last key that is not after the time, which lies between the first and the last key's
static size_t findKey(const snRigChannel* c, double time)
{
    size_t low = 0, high = (size_t)c->key_count - 1;
    while (high - low > 1) {
        size_t middle = (low + high) / 2;
        if ((double)c->times[middle] <= time) {
            low = middle;
        } else {
            high = middle;
        }
    }
    return low;
}

// A key's value; of cubic ones the part 0 in-tangent, 1 value, 2 out-tangent
static const float* valueOf(const snRigChannel* c, size_t key, size_t part)
{
    size_t index = c->interpolation == sn_interpolateCubic ? 3 * key + part : key;
    return c->values + index * (size_t)c->width;
}

static snQuat quatOf(const float* v)
{
    return snQNormalize(snQ((double)v[0], (double)v[1], (double)v[2], (double)v[3]));
}

static void setQuat(double* out, snQuat q)
{
    out[0] = q.x, out[1] = q.y, out[2] = q.z, out[3] = q.w;
}

static void copyKey(const snRigChannel* c, size_t key, double* out)
{
    const float* v = valueOf(c, key, 1);
    for (int32_t k = 0; k < c->width; ++k) {
        out[k] = (double)v[k];
    }
}

// Between two keys, u in 0..1
static void mixLinear(const snRigChannel* c, size_t key, double u, double* out)
{
    const float *a = valueOf(c, key, 1), *b = valueOf(c, key + 1, 1);
    if (c->path == sn_pathRotation) {
        setQuat(out, snQSlerp(quatOf(a), quatOf(b), u));
        return;
    }
    for (int32_t k = 0; k < c->width; ++k) {
        out[k] = (1 - u) * (double)a[k] + u * (double)b[k];
    }
}

// h00 v0 + h10 dt out0 + h01 v1 + h11 dt in1, Hermite's basis in u
static void mixCubic(const snRigChannel* c, size_t key, double u, double dt, double* out)
{
    const float *v0 = valueOf(c, key, 1), *out0 = valueOf(c, key, 2);
    const float *v1 = valueOf(c, key + 1, 1), *in1 = valueOf(c, key + 1, 0);
    double uu = u * u, uuu = uu * u;
    double h01 = 3 * uu - 2 * uuu, h00 = 1 - h01, h10 = uuu - 2 * uu + u, h11 = uuu - uu;
    for (int32_t k = 0; k < c->width; ++k) {
        out[k] = h00 * (double)v0[k] + h10 * dt * (double)out0[k] + h01 * (double)v1[k] +
                 h11 * dt * (double)in1[k];
    }
}

void snRigChannel_Sample(const snRigChannel* c, double time, double* out)
{
    size_t last = (size_t)c->key_count - 1;
    if (!(time > (double)c->times[0])) {
        copyKey(c, 0, out);
    } else if (time >= (double)c->times[last]) {
        copyKey(c, last, out);
    } else {
        size_t key = findKey(c, time);
        double from = (double)c->times[key], dt = (double)c->times[key + 1] - from;
        double u = (time - from) / dt; // dt > 0: the time is in between
        if (c->interpolation == sn_interpolateStep) {
            copyKey(c, key, out);
        } else if (c->interpolation == sn_interpolateLinear) {
            mixLinear(c, key, u, out);
        } else {
            mixCubic(c, key, u, dt, out);
        }
    }
    if (c->path == sn_pathRotation) {
        setQuat(out, snQNormalize(snQ(out[0], out[1], out[2], out[3])));
    }
}

// Nodes --------------------------------------------------------------------------

static void applyChannel(const snRig* rig, const snRigChannel* c, double time, snRigParts* p,
                         double* weights)
{
    double v[4] = {0, 0, 0, 1};
    if (c->path == sn_pathWeights) {
        if (weights) {
            snRigChannel_Sample(c, time, weights + rig->nodes[c->node].weight_first);
        }
        return;
    }
    snRigChannel_Sample(c, time, v);
    if (c->path == sn_pathRotation) {
        p->rotation = snQ(v[0], v[1], v[2], v[3]);
    } else {
        *(c->path == sn_pathTranslation ? &p->translation : &p->scale) = snV3(v[0], v[1], v[2]);
    }
    p->local = snMatrix_FromParts(p->translation, p->rotation, p->scale);
}

// Placement of one node; *next is the clip's first channel that is of no earlier node
static snRigParts placeNode(const snRig* rig, const snRigClipData* clip, double time, int32_t n,
                            int32_t* next, double* weights)
{
    const snRigNode* node = &rig->nodes[n];
    snRigParts p = {node->translation, node->rotation, node->scale, node->local};
    for (; clip && *next < clip->info.channel_count && clip->channels[*next].node == n; ++*next) {
        applyChannel(rig, &clip->channels[*next], time, &p, weights);
    }
    return p;
}

static void restWeights(const snRig* rig, double* weights)
{
    for (int32_t k = 0; weights && k < rig->info.weight_count; ++k) {
        weights[k] = rig->weights[k];
    }
}

void snRigClipData_Local(const snRig* rig, const snRigClipData* clip, double time,
                         snRigParts* parts, double* weights)
{
    int32_t next = 0;
    restWeights(rig, weights);
    for (int32_t n = 0; n < rig->info.node_count; ++n) {
        parts[n] = placeNode(rig, clip, time, n, &next, weights);
    }
}

void snRigClipData_World(const snRig* rig, const snRigClipData* clip, double time, snMatrix* nodes,
                         double* weights)
{
    int32_t next = 0;
    restWeights(rig, weights);
    for (int32_t n = 0; n < rig->info.node_count; ++n) {
        int32_t parent = rig->nodes[n].parent;
        snRigParts p = placeNode(rig, clip, time, n, &next, weights);
        if (nodes) {
            nodes[n] = parent < 0 ? p.local : snMatrix_Mul(&nodes[parent], &p.local);
        }
    }
}

snStatus snRig_Pose(const snRig* rig, int32_t clip, double time, snMatrix* nodes, double* weights,
                    snMessage* why)
{
    if (!rig) {
        return snFail(why, sn_errorArgument, "snRig_Pose: rig is NULL");
    }
    if (clip < -1 || clip >= rig->info.clip_count) {
        return snFail(why, sn_errorArgument, "there is no clip %d; there are %d, from 0", (int)clip,
                      (int)rig->info.clip_count);
    }
    if (!isfinite(time)) {
        return snFail(why, sn_errorArgument, "the time is not finite");
    }
    snRigClipData_World(rig, clip < 0 ? NULL : &rig->clips[clip], time, nodes, weights);
    snMessage_Clear(why);
    return sn_ok;
}
