// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

// What is wrong with a patch that a caller gives.
#include <math.h>

#include "io/gltf/patcher.h"

static bool areFinite(const float* values, size_t count, size_t* bad)
{
    for (size_t i = 0; i < count; ++i) {
        if (!isfinite(values[i])) {
            *bad = i;
            return false;
        }
    }
    return true;
}

static snStatus checkPart(const snGltfPatch* p, const snGltfFlesh* f, int32_t i, snMessage* why)
{
    const snGltfPart* part = &f->parts[i];
    if (part->instance < 0 || part->instance >= p->rig->info.mesh_count ||
        p->rig->instances[part->instance].info.node != f->node || !part->position) {
        return snFail(why, sn_errorArgument,
                      "flesh of node %d: part %d is no mesh instance (%d) on that node, or has no "
                      "shapes",
                      (int)f->node, (int)i, (int)part->instance);
    }
    for (int32_t k = 0; k < i; ++k) {
        if (f->parts[k].instance == part->instance) {
            return snFail(why, sn_errorArgument,
                          "flesh of node %d: mesh instance %d is there twice", (int)f->node,
                          (int)part->instance);
        }
    }
    size_t bad = 0, count = 3 * (size_t)p->rig->instances[part->instance].info.vertex_count;
    for (int32_t k = 0; k < f->shape_count; ++k) {
        const float* lists[2] = {part->position[k], part->normal ? part->normal[k] : NULL};
        for (int n = 0; n < 2; ++n) {
            if ((n == 0 || part->normal) && (!lists[n] || !areFinite(lists[n], count, &bad))) {
                return snFail(why, sn_errorArgument,
                              "shape %d of mesh instance %d: the difference of %s of vertex %zu is "
                              "missing or not finite",
                              (int)k, (int)part->instance, n == 0 ? "the position" : "the normal",
                              bad / 3);
            }
        }
    }
    return sn_ok;
}

static snStatus checkTimes(const float* times, int32_t count, const char* what, int32_t clip,
                           snMessage* why)
{
    for (int32_t k = 0; k < count && times; ++k) {
        if (!(times[k] >= 0) || !isfinite(times[k]) || (k > 0 && !(times[k] > times[k - 1]))) {
            return snFail(why, sn_errorArgument,
                          "%s in clip %d: the time of key %d is negative, not finite, or not after "
                          "the key before it",
                          what, (int)clip, (int)k);
        }
    }
    return count > 0 && times
               ? sn_ok
               : snFail(why, sn_errorArgument, "%s in clip %d: there are no keys", what, (int)clip);
}

static snStatus checkTrack(const snGltfPatch* p, const snGltfFlesh* f, int32_t i, snMessage* why)
{
    const snGltfTrack* t = &f->tracks[i];
    int32_t clips = snRig_OwnClips(p->rig) + p->clip_count;
    if (t->clip < 0 || t->clip >= clips) {
        return snFail(why, sn_errorArgument, "flesh of node %d: there is no clip %d; there are %d",
                      (int)f->node, (int)t->clip, (int)clips);
    }
    for (int32_t k = 0; k < i; ++k) {
        if (f->tracks[k].clip == t->clip) {
            return snFail(why, sn_errorArgument, "flesh of node %d: clip %d is there twice",
                          (int)f->node, (int)t->clip);
        }
    }
    snStatus status = checkTimes(t->times, t->key_count, "weights", t->clip, why);
    size_t bad = 0;
    if (!status && (!t->weights ||
                    !areFinite(t->weights, (size_t)t->key_count * (size_t)f->shape_count, &bad))) {
        return snFail(why, sn_errorArgument,
                      "flesh of node %d, clip %d: the weights of key %zu are missing or not finite",
                      (int)f->node, (int)t->clip, bad / (size_t)f->shape_count);
    }
    return status;
}

static snStatus checkFlesh(const snGltfPatch* p, int32_t i, snMessage* why)
{
    const snGltfFlesh* f = &p->flesh[i];
    bool has_mesh = false;
    for (int32_t k = 0; k < p->rig->info.mesh_count; ++k) {
        has_mesh = has_mesh || p->rig->instances[k].info.node == f->node;
    }
    if (!has_mesh || f->shape_count < 1) {
        return snFail(why, sn_errorArgument,
                      "flesh %d: expected a node with a mesh and at least one shape; found node %d "
                      "and %d shapes",
                      (int)i, (int)f->node, (int)f->shape_count);
    }
    for (int32_t k = 0; k < i; ++k) {
        if (p->flesh[k].node == f->node) {
            return snFail(why, sn_errorArgument, "node %d has flesh twice", (int)f->node);
        }
    }
    snStatus status = sn_ok;
    for (int32_t k = 0; k < f->part_count && !status; ++k) {
        status = checkPart(p, f, k, why);
    }
    for (int32_t k = 0; k < f->track_count && !status; ++k) {
        status = checkTrack(p, f, k, why);
    }
    return status;
}

// A clip that is new moves something, and its channels are sound.
static snStatus checkClip(const snGltfPatch* p, int32_t i, snMessage* why)
{
    const snRigClipData* clip = &p->clips[i];
    int32_t number = snRig_OwnClips(p->rig) + i;
    bool moves = clip->info.channel_count > 0;
    for (int32_t f = 0; f < p->flesh_count; ++f) {
        for (int32_t k = 0; k < p->flesh[f].track_count; ++k) {
            moves = moves || p->flesh[f].tracks[k].clip == number;
        }
    }
    for (int32_t k = 0; p->joints && k < p->joints->track_count; ++k) {
        moves = moves || p->joints->tracks[k].clip == number;
    }
    snStatus status = moves ? sn_ok
                            : snFail(why, sn_errorArgument,
                                     "clip %d: it has neither channels nor "
                                     "tracks",
                                     (int)number);
    for (int32_t k = 0; k < clip->info.channel_count && !status; ++k) {
        const snRigChannel* c = &clip->channels[k];
        int32_t width = c->path == sn_pathRotation ? 4 : 3;
        bool fine = c->node >= 0 && c->node < p->rig->info.node_count && c->path >= 0 &&
                    c->path < sn_pathWeights && c->width == width && c->values &&
                    c->interpolation >= 0 && c->interpolation <= sn_interpolateCubic;
        status = fine ? checkTimes(c->times, c->key_count, "a channel", number, why)
                      : snFail(why, sn_errorArgument,
                               "clip %d: channel %d is no translation, rotation or scale of a node",
                               (int)number, (int)k);
        size_t parts = c->interpolation == sn_interpolateCubic ? 3 : 1, bad;
        if (!status && !areFinite(c->values, parts * (size_t)c->key_count * (size_t)width, &bad)) {
            status = snFail(why, sn_errorArgument, "clip %d: channel %d is not finite", (int)number,
                            (int)k);
        }
    }
    return status;
}

snStatus snGltfPatch_Check(const snGltfPatch* p, snMessage* why)
{
    if (!p || !p->rig || (p->flesh_count > 0 && !p->flesh) || (p->clip_count > 0 && !p->clips)) {
        return snFail(why, sn_errorArgument, "the patch, its rig, flesh or clips are NULL");
    }
    if (p->rig->source.json_size == 0) {
        return snFail(why, sn_errorUnsupported,
                      "the rig does not come from a glTF document, which flesh could be added to");
    }
    snStatus status = sn_ok;
    for (int32_t i = 0; i < p->flesh_count && !status; ++i) {
        status = checkFlesh(p, i, why);
    }
    for (int32_t i = 0; i < p->clip_count && !status; ++i) {
        status = checkClip(p, i, why);
    }
    return status || !p->joints ? status : snGltfJoints_Check(p, why);
}
