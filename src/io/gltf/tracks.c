// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

// Tracks of a patch: samplers and channels of clips.
//
// A channel that moves weights of a node with new targets gets a sampler of its own, also in clips
// that were not baked: there with zeros. The old sampler stays where it is, since other channels
// may use it, and since numbers of samplers must not change.
#include <math.h>
#include <string.h>

#include "io/gltf/patcher.h"
#include "io/gltf/weights.h"

// An animation that is being changed or made
typedef struct Clip {
    size_t number;
    const snJson* json;          // NULL: a new one
    const snRigClipData* motion; // as it was
    size_t sampler_count, channel_count;
    snJsonWriter samplers, channels; // what is added
} Clip;

static size_t addSampler(Clip* clip, size_t input, size_t output, int32_t interpolation)
{
    static const char* const NAMES[] = {"STEP", "LINEAR", "CUBICSPLINE"};
    snJsonWriter* w = &clip->samplers;
    snJsonWriter_BeginObject(w);
    snJsonWriter_Key(w, "input");
    snJsonWriter_Int(w, (int64_t)input);
    snJsonWriter_Key(w, "interpolation");
    snJsonWriter_String(w, NAMES[interpolation]);
    snJsonWriter_Key(w, "output");
    snJsonWriter_Int(w, (int64_t)output);
    snJsonWriter_EndObject(w);
    return clip->sampler_count++;
}

static void addChannel(Clip* clip, size_t sampler, int32_t file_index, int32_t path)
{
    static const char* const NAMES[] = {"translation", "rotation", "scale", "weights"};
    snJsonWriter* w = &clip->channels;
    snJsonWriter_BeginObject(w);
    snJsonWriter_Key(w, "sampler");
    snJsonWriter_Int(w, (int64_t)sampler);
    snJsonWriter_Key(w, "target");
    snJsonWriter_BeginObject(w);
    snJsonWriter_Key(w, "node");
    snJsonWriter_Int(w, file_index);
    snJsonWriter_Key(w, "path");
    snJsonWriter_String(w, NAMES[path]);
    snJsonWriter_EndObject(w);
    snJsonWriter_EndObject(w);
    ++clip->channel_count;
}

// Weights --------------------------------------------------------------------------

static bool movesWeights(const snJson* channel, int32_t file_index)
{
    const snJson* target = snJson_Get(channel, "target");
    return snGltf_IsText(snJson_Get(target, "path"), "weights") &&
           snGltf_Index(snJson_Get(target, "node"), INT32_MAX) == file_index;
}

static const snRigChannel* weightsOf(const snRigClipData* motion, int32_t node)
{
    for (int32_t i = 0; i < motion->info.channel_count; ++i) {
        const snRigChannel* c = &motion->channels[i];
        if (c->node == node && c->path == sn_pathWeights) {
            return c;
        }
    }
    return NULL;
}

static const snGltfTrack* trackOf(const snGltfFlesh* flesh, size_t clip)
{
    for (int32_t i = 0; i < flesh->track_count; ++i) {
        if ((size_t)flesh->tracks[i].clip == clip) {
            return &flesh->tracks[i];
        }
    }
    return NULL;
}

static double firstTime(const snRigClipData* motion)
{
    double first = (double)INFINITY;
    for (int32_t i = 0; i < motion->info.channel_count; ++i) {
        double begin = (double)motion->channels[i].times[0];
        first = begin < first ? begin : first;
    }
    return first;
}

// A track that begins where its clip begins: Blender's importer (of 3.4) lets the first key of each
// object in a clip fall on the clip's begin, so a track that begins later would run ahead.
static bool stretch(snArena* arena, const snRigClipData* motion, size_t width, snGltfTrack* track)
{
    double first = firstTime(motion);
    size_t count = (size_t)track->key_count;
    if (!(first < (double)track->times[0]) || first < 0) {
        return true;
    }
    float* times = snArena_Push(arena, count + 1, sizeof *times);
    float* weights = snArena_Push(arena, (count + 1) * width, sizeof *weights);
    if (arena->failed) {
        return false;
    }
    times[0] = (float)first;
    memcpy(times + 1, track->times, count * sizeof *times);
    memcpy(weights, track->weights, width * sizeof *weights);
    memcpy(weights + width, track->weights, count * width * sizeof *weights);
    *track = (snGltfTrack){track->clip, track->key_count + 1, times, weights};
    return true;
}

// The sampler of the document's channel that a channel of the rig is
static const snJson* samplerOf(const Clip* clip, int32_t file_index)
{
    const snJson* channels = snJson_Get(clip->json, "channels");
    const snJson* samplers = snJson_Get(clip->json, "samplers");
    for (const snJson* j = channels ? channels->child : NULL; j; j = j->next) {
        if (movesWeights(j, file_index)) {
            int64_t s = snGltf_Index(snJson_Get(j, "sampler"), samplers ? samplers->count : 0);
            return s < 0 ? NULL : snJson_At(samplers, (size_t)s);
        }
    }
    return NULL;
}

// The document's channels of a node's weights take the sampler; there should be at most one. False
// when there is none.
static bool redirect(snGltfPatcher* p, const Clip* clip, int32_t file_index, size_t sampler)
{
    const snJson* channels = snJson_Get(clip->json, "channels");
    size_t n = 0;
    bool found = false;
    for (const snJson* j = channels ? channels->child : NULL; j; j = j->next, ++n) {
        int64_t old = snGltf_Index(snJson_Get(j, "sampler"), INT32_MAX);
        if (movesWeights(j, file_index) && old >= 0) {
            found = true;
            snGltfEdits_Replace(&p->edits, snJson_Get(j, "sampler"),
                                snGltf_Text(&p->arena, "%zu", sampler));
            snGltfPatcher_Note(p, sn_noteSamplers, (size_t[]){clip->number, n, (size_t)old}, 3,
                               NULL);
        }
    }
    return found;
}

static snStatus patchWeights(snGltfPatcher* p, const snGltfFlesh* flesh, Clip* clip)
{
    const snRigNode* node = &p->rig->nodes[flesh->node];
    const snRigChannel* channel = weightsOf(clip->motion, flesh->node);
    const snGltfTrack* given = trackOf(flesh, clip->number);
    size_t shapes = (size_t)flesh->shape_count;
    snGltfTrack track = given ? *given : (snGltfTrack){0};
    snGltfKeys keys;
    if (!channel && !given) {
        return sn_ok;
    }
    if ((given && !stretch(&p->arena, clip->motion, shapes, &track)) ||
        !snGltfKeys_Build(&p->arena, channel, p->rig->weights + node->weight_first,
                          (size_t)node->weight_count, given ? &track : NULL, shapes, &keys)) {
        return snFail(p->why, sn_errorMemory, "out of memory");
    }
    size_t rows = keys.count * (keys.interpolation == sn_interpolateCubic ? 3 : 1);
    size_t output = snGltfStore_Values(&p->store, "SCALAR", 1, keys.values, rows * keys.width);
    const snJson* old = keys.moved ? NULL : samplerOf(clip, node->file_index);
    int64_t input = snGltf_Index(snJson_Get(old, "input"), p->accessors.count);
    size_t times = input < 0 ? snGltfStore_Times(&p->store, keys.times, keys.count) : (size_t)input;
    size_t sampler = addSampler(clip, times, output, keys.interpolation);
    if (!redirect(p, clip, node->file_index, sampler)) {
        addChannel(clip, sampler, node->file_index, sn_pathWeights);
    }
    return sn_ok;
}

// Helper joints --------------------------------------------------------------------

// Places of a helper; where the clip begins before its first key it stands there from the beginning
static snStatus addTravel(snGltfPatcher* p, Clip* clip)
{
    const snGltfJoints* j = p->patch->joints;
    for (int32_t i = 0; j && i < j->track_count; ++i) {
        const snGltfTravel* t = &j->tracks[i];
        size_t keys = (size_t)t->key_count;
        double first = firstTime(clip->motion);
        size_t more = first >= 0 && first < (double)t->times[0];
        if ((size_t)t->clip != clip->number) {
            continue;
        }
        float* times = snArena_Push(&p->arena, keys + more, sizeof *times);
        float* places = snArena_Push(&p->arena, 3 * (keys + more), sizeof *places);
        if (p->arena.failed) {
            return snFail(p->why, sn_errorMemory, "out of memory");
        }
        times[0] = (float)first;
        memcpy(times + more, t->times, keys * sizeof *times);
        size_t input = snGltfStore_Times(&p->store, times, keys + more);
        for (int32_t h = 0; h < j->helper_count; ++h) {
            const float* from = t->places + 3 * keys * (size_t)h;
            memcpy(places, from, 3 * sizeof *places);
            memcpy(places + 3 * more, from, 3 * keys * sizeof *places);
            size_t output = snGltfStore_Values(&p->store, "VEC3", 3, places, keys + more);
            size_t sampler = addSampler(clip, input, output, sn_interpolateLinear);
            addChannel(clip, sampler, (int32_t)p->nodes.count + h, sn_pathTranslation);
        }
    }
    return sn_ok;
}

// Clips ----------------------------------------------------------------------------

static void beginClip(const snGltfPatcher* p, Clip* clip)
{
    const snJson* samplers = snJson_Get(clip->json, "samplers");
    const snJson* channels = snJson_Get(clip->json, "channels");
    clip->sampler_count = samplers ? samplers->count : 0;
    clip->channel_count = channels ? channels->count : 0;
    snGltfPatcher_Begin(p, &clip->samplers);
    snGltfPatcher_Begin(p, &clip->channels);
}

// Pointers to whole lists of weights would have to be widened, too.
static snStatus checkPointers(const snGltfPatcher* p, size_t number)
{
    const snJson* channels = snJson_Get(p->animations.items[number], "channels");
    for (const snJson* j = channels ? channels->child : NULL; j; j = j->next) {
        const snJson* extensions = snJson_Get(snJson_Get(j, "target"), "extensions");
        const snJson* pointer =
            snJson_Get(snJson_Get(extensions, "KHR_animation_pointer"), "pointer");
        size_t length = pointer && pointer->kind == sn_jsonString ? pointer->string_length : 0;
        if (length >= 8 && strcmp(pointer->string + length - 8, "/weights") == 0) {
            return snFail(p->why, sn_errorUnsupported,
                          "animations[%zu]: it moves '%.100s' by KHR_animation_pointer, to which "
                          "no morph targets can be added; export the file again without it",
                          number, pointer->string);
        }
    }
    return sn_ok;
}

static snStatus patchClip(snGltfPatcher* p, size_t number)
{
    Clip clip = {
        .number = number, .json = p->animations.items[number], .motion = &p->rig->clips[number]};
    snStatus status = checkPointers(p, number);
    beginClip(p, &clip);
    size_t before[3] = {number, clip.sampler_count, clip.channel_count};
    for (int32_t i = 0; i < p->patch->flesh_count && !status; ++i) {
        status = patchWeights(p, &p->patch->flesh[i], &clip);
    }
    status = status ? status : addTravel(p, &clip);
    const char* samplers = snGltfPatcher_End(p, &clip.samplers);
    const char* channels = snGltfPatcher_End(p, &clip.channels);
    if (clip.sampler_count == before[1]) {
        return status;
    }
    const snJson* lists[2] = {snJson_Get(clip.json, "samplers"), snJson_Get(clip.json, "channels")};
    for (int i = 0; i < 2; ++i) {
        const char* added = i == 0 ? samplers : channels;
        if (lists[i] && lists[i]->kind == sn_jsonArray) {
            snGltfEdits_Append(&p->edits, lists[i], added);
        } else if (!status) {
            status = snFail(p->why, sn_errorFile,
                            "animations[%zu]: expected lists of samplers and channels" //
                            SN_GLTF_AGAIN,
                            number);
        }
    }
    snGltfPatcher_Note(p, sn_noteLists, before, 3, NULL);
    return status;
}

static void addMotion(snGltfPatcher* p, const snRigChannel* c, Clip* clip)
{
    size_t parts = c->interpolation == sn_interpolateCubic ? 3 : 1;
    size_t input = snGltfStore_Times(&p->store, c->times, (size_t)c->key_count);
    size_t output = snGltfStore_Values(&p->store, c->width == 4 ? "VEC4" : "VEC3", (size_t)c->width,
                                       c->values, parts * (size_t)c->key_count);
    size_t sampler = addSampler(clip, input, output, c->interpolation);
    addChannel(clip, sampler, p->rig->nodes[c->node].file_index, c->path);
}

// A clip that the document does not have
static snStatus addClip(snGltfPatcher* p, size_t number, const snRigClipData* motion,
                        snJsonWriter* out)
{
    Clip clip = {.number = number, .motion = motion};
    snStatus status = sn_ok;
    beginClip(p, &clip);
    for (int32_t i = 0; i < motion->info.channel_count; ++i) {
        addMotion(p, &motion->channels[i], &clip);
    }
    for (int32_t i = 0; i < p->patch->flesh_count && !status; ++i) {
        status = patchWeights(p, &p->patch->flesh[i], &clip);
    }
    status = status ? status : addTravel(p, &clip);
    const char* samplers = snGltfPatcher_End(p, &clip.samplers);
    const char* channels = snGltfPatcher_End(p, &clip.channels);
    snJsonWriter_BeginObject(out);
    if (motion->info.name && motion->info.name[0]) {
        snJsonWriter_Key(out, "name");
        snJsonWriter_String(out, motion->info.name);
    }
    const char* lists[2] = {snGltf_Text(&p->arena, "[%s]", samplers),
                            snGltf_Text(&p->arena, "[%s]", channels)};
    for (int i = 0; i < 2; ++i) {
        snJsonWriter_Key(out, i == 0 ? "samplers" : "channels");
        snJsonWriter_Raw(out, lists[i], strlen(lists[i]));
    }
    snJsonWriter_EndObject(out);
    return status;
}

snStatus snGltfPatcher_Clips(snGltfPatcher* p)
{
    snStatus status = sn_ok;
    for (size_t i = 0; i < p->animations.count && !status; ++i) {
        status = patchClip(p, i);
    }
    snJsonWriter added;
    snGltfPatcher_Begin(p, &added);
    for (int32_t i = 0; i < p->patch->clip_count && !status; ++i) {
        status = addClip(p, p->animations.count + (size_t)i, &p->patch->clips[i], &added);
    }
    snGltfPatcher_Extend(p, "animations", snGltfPatcher_End(p, &added));
    return status;
}
