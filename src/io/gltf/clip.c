// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

// Animations of a glTF document as clips.
#include <stdio.h>

#include "io/gltf/accessor.h"

// A channel as it is read: what of it is left out in the end has no keys.
typedef struct Place {
    size_t clip, channel; // in the document
    char text[64];        // animations[0].channels[3]
} Place;

static int pathOf(const snJson* path)
{
    static const char* const NAMES[sn_pathCount] = {"translation", "rotation", "scale", "weights"};
    int found = sn_pathCount;
    for (int i = 0; i < sn_pathCount; ++i) {
        found = snGltf_IsText(path, NAMES[i]) ? i : found;
    }
    return found;
}

static int interpolationOf(const snJson* name)
{
    return !name || snGltf_IsText(name, "LINEAR") ? sn_interpolateLinear
           : snGltf_IsText(name, "STEP")          ? sn_interpolateStep
           : snGltf_IsText(name, "CUBICSPLINE")   ? sn_interpolateCubic
                                                  : -1;
}

// What is left out, and why; NULL: nothing
static const char* whyNot(const snGltf* g, const snJson* target, const snRigChannel* c)
{
    const snRigNode* node = c->node < 0 ? NULL : &g->rig->nodes[c->node];
    return !node                     ? (snJson_Get(target, "node") ? NULL : "it moves no node")
           : c->path == sn_pathCount ? "it moves none of translation, rotation, scale, weights"
           : c->path == sn_pathWeights && node->weight_count == 0 ? "its node has no morph targets"
                                                                  : NULL;
}

static snStatus readTimes(snGltf* g, const snJson* sampler, const Place* at, snRigChannel* c)
{
    snGltfNumbers n;
    snStatus status = snGltf_Floats(g, snJson_Get(sampler, "input"), "SCALAR", &n);
    if (status) {
        snMessage_Prefix(g->why, "%s, input of its sampler", at->text);
        return status;
    }
    if (n.count > INT32_MAX / 3) {
        return snFail(g->why, sn_errorUnsupported, "%s: too many keys", at->text);
    }
    for (size_t i = 1; i < n.count; ++i) {
        if (n.floats[i] < n.floats[i - 1]) {
            return snFail(g->why, sn_errorFile,
                          "%s: the time of key %zu, %g s, is before that of the key before it, %g "
                          "s" SN_GLTF_AGAIN,
                          at->text, i, (double)n.floats[i], (double)n.floats[i - 1]);
        }
    }
    c->key_count = (int32_t)n.count;
    c->times = n.floats;
    return sn_ok;
}

static snStatus readValues(snGltf* g, const snJson* sampler, const Place* at, snRigChannel* c)
{
    snGltfNumbers n;
    const char* type = c->path == sn_pathRotation  ? "VEC4"
                       : c->path == sn_pathWeights ? "SCALAR"
                                                   : "VEC3";
    snStatus status = snGltf_Floats(g, snJson_Get(sampler, "output"), type, &n);
    if (status) {
        snMessage_Prefix(g->why, "%s, output of its sampler", at->text);
        return status;
    }
    uint64_t parts = c->interpolation == sn_interpolateCubic ? 3 : 1;
    uint64_t wanted = parts * (uint64_t)c->key_count * (uint64_t)c->width;
    uint64_t found = (uint64_t)n.count * n.width;
    if (found != wanted) {
        return snFail(g->why, sn_errorFile,
                      "%s: expected %llu numbers for its %d keys, found %llu" SN_GLTF_AGAIN,
                      at->text, (unsigned long long)wanted, (int)c->key_count,
                      (unsigned long long)found);
    }
    c->values = n.floats;
    return sn_ok;
}

static snStatus readChannel(snGltf* g, const snJson* json, const snGltfList* samplers,
                            const Place* at, snRigChannel* c)
{
    const snJson* target = snJson_Get(json, "target");
    int64_t s = snGltf_Index(snJson_Get(json, "sampler"), samplers->count);
    int64_t n = snGltf_Member(target, "node", g->nodes.count, -1);
    const snJson* sampler = s < 0 ? NULL : samplers->items[s];
    int way = interpolationOf(snJson_Get(sampler, "interpolation"));
    *c = (snRigChannel){.node = n < 0 ? -1 : g->place[n],
                        .path = pathOf(snJson_Get(target, "path"))};
    const char* out = whyNot(g, target, c);
    if (out) {
        snRig_Warn(g->rig, "%s: %s; left out", at->text, out);
        return sn_ok;
    }
    if (n < 0 || !sampler || way < 0) {
        return snFail(g->why, sn_errorFile,
                      "%s: expected a node that is there, and a sampler that is LINEAR, STEP or "
                      "CUBICSPLINE" SN_GLTF_AGAIN,
                      at->text);
    }
    const snRigNode* node = &g->rig->nodes[c->node];
    c->interpolation = way;
    c->width = c->path == sn_pathRotation ? 4 : c->path == sn_pathWeights ? node->weight_count : 3;
    snStatus status = readTimes(g, sampler, at, c);
    status = status ? status : readValues(g, sampler, at, c);
    c->key_count = status ? 0 : c->key_count;
    return status;
}

// Sorts by node, in the order of the file otherwise, and drops what has no keys or comes twice.
// start, seen: scratch; (node_count + 1), zero between calls
static void sortChannels(snGltf* g, size_t clip, const snRigChannel* given, size_t count,
                         int32_t* start, uint8_t* seen, snRigClipData* out)
{
    int32_t nodes = g->rig->info.node_count, twice = 0, total = 0;
    for (size_t i = 0; i < count; ++i) {
        bool again = given[i].key_count > 0 && (seen[given[i].node] >> given[i].path & 1);
        if (given[i].key_count > 0 && !again) {
            ++start[given[i].node + 1];
            seen[given[i].node] |= (uint8_t)(1 << given[i].path);
        }
        twice += again;
    }
    for (int32_t n = 0; n < nodes; ++n) {
        start[n + 1] += start[n];
        seen[n] = 0;
    }
    for (size_t i = 0; i < count; ++i) {
        int32_t n = given[i].node;
        if (given[i].key_count > 0 && !(seen[n] >> given[i].path & 1)) {
            seen[n] |= (uint8_t)(1 << given[i].path);
            out->channels[start[n]++] = given[i];
            ++total;
        }
    }
    for (int32_t n = 0; n <= nodes; ++n) {
        start[n] = 0;
        seen[n] = 0;
    }
    out->info.channel_count = total;
    if (twice > 0) {
        snRig_Warn(g->rig,
                   "animations[%zu]: %d channels move what another one moves; the first one "
                   "counts",
                   clip, (int)twice);
    }
}

static void measureClip(snRig* rig, snRigClipData* clip, size_t number)
{
    int32_t sheared = 0;
    snRigClip* info = &clip->info;
    for (int32_t i = 0; i < info->channel_count; ++i) {
        const snRigChannel* c = &clip->channels[i];
        const snRigNode* node = &rig->nodes[c->node];
        double first = (double)c->times[0], last = (double)c->times[c->key_count - 1];
        info->first = i == 0 || first < info->first ? first : info->first;
        info->last = i == 0 || last > info->last ? last : info->last;
        snVec3 t, s;
        snQuat q;
        sheared += node->has_matrix && c->path != sn_pathWeights &&
                   !snMatrix_Split(&node->local, &t, &q, &s);
    }
    info->duration = info->last - info->first;
    if (sheared > 0) {
        snRig_Warn(rig,
                   "animations[%zu]: it moves nodes whose matrix has shear, which is lost then",
                   number);
    }
}

// Where a clip began in the file that this document was made of
static double startOf(const snJson* json)
{
    const snJson* extras = snJson_Get(json, "extras");
    const snJson* start =
        extras && extras->kind == sn_jsonObject ? snJson_Get(extras, SN_CLIP_START) : NULL;
    bool fine = start && start->kind == sn_jsonNumber && fabs(start->number) <= SN_RIG_LARGEST;
    return fine ? start->number : 0;
}

static snStatus readClip(snGltf* g, const snJson* json, size_t i, int32_t* start, uint8_t* seen)
{
    snRig* rig = g->rig;
    snRigClipData* clip = &rig->clips[i];
    const snJson* channels = snJson_Get(json, "channels");
    size_t count = channels && channels->kind == sn_jsonArray ? channels->count : 0, k = 0;
    snGltfList samplers = snGltfList_Of(&g->arena, snJson_Get(json, "samplers"));
    snRigChannel* given = snArena_Push(&g->arena, count, sizeof *given);
    clip->info.name = snGltf_Name(g, json, "name");
    clip->start = startOf(json);
    clip->channels = snArena_Push(&rig->arena, count, sizeof *clip->channels);
    if (g->arena.failed || rig->arena.failed || count > INT32_MAX) {
        return snGltf_FailMemory(g);
    }
    for (const snJson* j = count > 0 ? channels->child : NULL; j; j = j->next, ++k) {
        Place at = {i, k, ""};
        snprintf(at.text, sizeof at.text, "animations[%zu].channels[%zu]", i, k);
        snStatus status = readChannel(g, j, &samplers, &at, &given[k]);
        if (status) {
            return status;
        }
    }
    sortChannels(g, i, given, count, start, seen, clip);
    measureClip(rig, clip, i);
    return sn_ok;
}

snStatus snGltf_ReadClips(snGltf* g)
{
    snRig* rig = g->rig;
    snGltfList list = snGltfList_Of(&g->arena, snJson_Get(g->root, "animations"));
    size_t nodes = (size_t)rig->info.node_count;
    int32_t* start = snArena_Push(&g->arena, nodes + 1, sizeof *start);
    uint8_t* seen = snArena_Push(&g->arena, nodes + 1, sizeof *seen);
    rig->clips = snArena_Push(&rig->arena, list.count, sizeof *rig->clips);
    if (g->arena.failed || !rig->clips || list.count > INT32_MAX) {
        return snGltf_FailMemory(g);
    }
    snStatus status = sn_ok;
    for (size_t i = 0; i < list.count && !status; ++i) {
        status = readClip(g, list.items[i], i, start, seen);
        rig->info.clip_count += !status;
    }
    return status;
}
