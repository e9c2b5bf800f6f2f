// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

// Clips: tracks of nodes, key by key as Assimp gives them.
#include "io/fbx/assimp_scene.h"

#ifdef SN_HAVE_ASSIMP

#include <math.h>
#include <string.h>

// Scales nearer to 1 are 1.
#define SAME_SCALE 1e-6

// Assimp's word for the ticks of a second when a file says nothing
#define USUAL_TICKS 25

// Keys of a channel, whatever they are keys of
typedef struct Keys {
    const struct aiVectorKey* vectors; // NULL: rotations
    const struct aiQuatKey* turns;
    unsigned count;
    bool inverse; // of scales
} Keys;

typedef struct Clip {
    const struct aiAnimation* from;
    snDocumentClip* to;
    size_t room;         // of tracks
    double ticks, first; // a second; time that becomes 0
} Clip;

static bool isOne(double x, double y, double z)
{
    return fabs(x - 1) < SAME_SCALE && fabs(y - 1) < SAME_SCALE && fabs(z - 1) < SAME_SCALE;
}

void snAssimp_FindScaled(const snAssimp* a, bool* scaled)
{
    for (int32_t i = 0; i < a->scene_count; ++i) {
        const snVec3* s = &a->document.nodes[i].scale;
        scaled[i] = !isOne(s->x, s->y, s->z);
    }
    for (unsigned i = 0; i < a->scene->mNumAnimations; ++i) {
        const struct aiAnimation* clip = a->scene->mAnimations[i];
        for (unsigned k = 0; k < clip->mNumChannels; ++k) {
            const struct aiNodeAnim* c = clip->mChannels[k];
            int32_t node = snAssimp_FindNode(a, c->mNodeName.data);
            for (unsigned n = 0; node >= 0 && n < c->mNumScalingKeys; ++n) {
                struct aiVector3D s = c->mScalingKeys[n].mValue;
                scaled[node] = scaled[node] || !isOne((double)s.x, (double)s.y, (double)s.z);
            }
        }
    }
}

// Tracks ---------------------------------------------------------------------------

static double inverseOf(double s)
{
    return fabs(s) > 1e-6 ? 1 / s : copysign(1e6, s);
}

static double timeOf(const Keys* keys, unsigned i)
{
    return keys->vectors ? keys->vectors[i].mTime : keys->turns[i].mTime;
}

// False when it is not finite.
static bool valueOf(const Keys* keys, unsigned i, float out[4])
{
    if (keys->vectors) {
        struct aiVector3D v = keys->vectors[i].mValue;
        const float all[3] = {v.x, v.y, v.z};
        for (int k = 0; k < 3; ++k) {
            out[k] = keys->inverse ? (float)inverseOf((double)all[k]) : all[k];
        }
        return fabsf(v.x) < 1e15F && fabsf(v.y) < 1e15F && fabsf(v.z) < 1e15F;
    }
    struct aiQuaternion q = keys->turns[i].mValue;
    snQuat turn = snQNormalize(snQ((double)q.x, (double)q.y, (double)q.z, (double)q.w));
    out[0] = (float)turn.x;
    out[1] = (float)turn.y;
    out[2] = (float)turn.z;
    out[3] = (float)turn.w;
    return fabs(snQDot(turn, turn) - 1) < 0.5;
}

// Times in seconds from 0 on, rising; false for a key that is not later than the one before
static bool nextTime(const Clip* clip, double time, float* times, size_t count)
{
    double seconds = (time - clip->first) / clip->ticks;
    times[count] = (float)seconds;
    return seconds >= 0 && seconds < 1e6 && (count == 0 || times[count] > times[count - 1]);
}

static snStatus addTrack(snAssimp* a, Clip* clip, snDocumentTrack track)
{
    // one that stays where it is needs its ends alone
    bool still = track.key_count > 2;
    for (size_t i = 1; still && i < track.key_count; ++i) {
        still = memcmp(track.values, track.values + i * track.width,
                       track.width * sizeof *track.values) == 0;
    }
    if (still) {
        float* ends = snArena_Push(a->arena, 2, sizeof *ends);
        if (!ends) {
            return snAssimp_FailMemory(a);
        }
        ends[0] = track.times[0];
        ends[1] = track.times[track.key_count - 1];
        track.times = ends;
        track.key_count = 2;
    }
    snDocumentTrack* tracks = snAssimp_Grow(a, clip->to->tracks, &clip->room,
                                            (int32_t)clip->to->track_count, sizeof *tracks);
    if (!tracks) {
        return snAssimp_FailMemory(a);
    }
    clip->to->tracks = tracks;
    tracks[clip->to->track_count++] = track;
    return sn_ok;
}

static snStatus addKeys(snAssimp* a, Clip* clip, int32_t node, snRigPath path, Keys keys)
{
    size_t width = keys.vectors ? 3 : 4, count = 0;
    float* times = snArena_Push(a->arena, keys.count, sizeof *times);
    float* values = snArena_Push(a->arena, keys.count, width * sizeof *values);
    if (!times || !values) {
        return snAssimp_FailMemory(a);
    }
    for (unsigned i = 0; i < keys.count; ++i) {
        float value[4];
        if (nextTime(clip, timeOf(&keys, i), times, count) && valueOf(&keys, i, value)) {
            memcpy(values + width * count++, value, width * sizeof *values);
        }
    }
    return count ? addTrack(a, clip, (snDocumentTrack){node, path, count, width, times, values})
                 : sn_ok;
}

// The scale of a node is undone for its children that do not inherit it.
static snStatus addInverses(snAssimp* a, Clip* clip, int32_t node, Keys keys)
{
    snStatus status = sn_ok;
    keys.inverse = true;
    for (int32_t i = 0; i < a->scene_count && !status; ++i) {
        int32_t helper = a->helper[i];
        if (helper >= 0 && a->document.nodes[helper].parent == node) {
            status = addKeys(a, clip, helper, sn_pathScale, keys);
        }
    }
    return status;
}

static snStatus addChannel(snAssimp* a, Clip* clip, int32_t node, const struct aiNodeAnim* c)
{
    Keys move = {.vectors = c->mPositionKeys, .count = c->mPositionKeys ? c->mNumPositionKeys : 0};
    Keys turn = {.turns = c->mRotationKeys, .count = c->mRotationKeys ? c->mNumRotationKeys : 0};
    Keys scale = {.vectors = c->mScalingKeys, .count = c->mScalingKeys ? c->mNumScalingKeys : 0};
    int32_t helper = a->helper[node];
    snStatus status = addKeys(a, clip, helper < 0 ? node : helper, sn_pathTranslation, move);
    status = status ? status : addKeys(a, clip, node, sn_pathRotation, turn);
    status = status ? status : addKeys(a, clip, node, sn_pathScale, scale);
    bool helped = a->document.node_count > a->scene_count;
    return status || !helped ? status : addInverses(a, clip, node, scale);
}

// Morph targets --------------------------------------------------------------------

// The node of the document that shows a mesh with targets of a node of the scene; Assimp calls it
// "name*0". -1 = none
static int32_t findMorphed(const snAssimp* a, const char* name)
{
    char text[sizeof(((struct aiString*)NULL)->data)];
    size_t length = strlen(name);
    const char* star = strrchr(name, '*');
    length = star ? (size_t)(star - name) : length;
    memcpy(text, name, length);
    text[length] = 0;
    for (int32_t i = 0; i < a->document.node_count; ++i) {
        const snDocumentNode* n = &a->document.nodes[i];
        const snDocumentMesh* m = n->mesh < 0 ? NULL : &a->document.meshes[n->mesh];
        if (m && m->target_count && (strcmp(n->name, text) == 0 || strcmp(m->name, text) == 0)) {
            return i;
        }
    }
    return -1;
}

static snStatus addMorph(snAssimp* a, Clip* clip, const struct aiMeshMorphAnim* from)
{
    int32_t node = findMorphed(a, from->mName.data);
    if (node < 0 || !from->mKeys) {
        return sn_ok;
    }
    size_t width = (size_t)a->document.meshes[a->document.nodes[node].mesh].target_count, count = 0;
    uint64_t numbers = (uint64_t)from->mNumKeys * (width + 1);
    float* times = snArena_Push(a->arena, from->mNumKeys, sizeof *times);
    float* values =
        numbers < a->left ? snArena_Push(a->arena, from->mNumKeys, width * sizeof *values) : NULL;
    if (!times || !values) {
        return snAssimp_FailMemory(a);
    }
    a->left -= numbers;
    for (unsigned i = 0; i < from->mNumKeys; ++i) {
        const struct aiMeshMorphKey* key = &from->mKeys[i];
        if (!nextTime(clip, key->mTime, times, count)) {
            continue;
        }
        for (unsigned k = 0; k < key->mNumValuesAndWeights; ++k) {
            if (key->mValues[k] < width && fabs(key->mWeights[k]) < 1e6) {
                values[count * width + key->mValues[k]] = (float)key->mWeights[k];
            }
        }
        ++count;
    }
    return count ? addTrack(a, clip,
                            (snDocumentTrack){node, sn_pathWeights, count, width, times, values})
                 : sn_ok;
}

// Clips ----------------------------------------------------------------------------

// The earliest key that is before 0; otherwise 0
static double firstTime(const struct aiAnimation* clip)
{
    double first = 0;
    for (unsigned i = 0; i < clip->mNumChannels; ++i) {
        const struct aiNodeAnim* c = clip->mChannels[i];
        double times[3] = {c->mNumPositionKeys ? c->mPositionKeys[0].mTime : 0,
                           c->mNumRotationKeys ? c->mRotationKeys[0].mTime : 0,
                           c->mNumScalingKeys ? c->mScalingKeys[0].mTime : 0};
        for (int k = 0; k < 3; ++k) {
            first = times[k] < first && times[k] > -1e12 ? times[k] : first;
        }
    }
    return first;
}

// When the artist's clip began that is from 0 on in the scene, s
static double startOf(const snAssimp* a, const char* name)
{
    for (size_t i = 0; a->fbx && i < a->fbx->stack_count; ++i) {
        if (strcmp(a->fbx->stacks[i].name, name) == 0) {
            return a->fbx->stacks[i].start;
        }
    }
    return 0;
}

// met: nodes that have had a channel, room for these; (node_count)
static snStatus readClip(snAssimp* a, Clip* clip, bool* met)
{
    snStatus status = sn_ok;
    memset(met, 0, (size_t)a->document.node_count * sizeof *met);
    for (unsigned i = 0; i < clip->from->mNumChannels && !status; ++i) {
        const struct aiNodeAnim* c = clip->from->mChannels[i];
        int32_t node = snAssimp_FindNode(a, c->mNodeName.data);
        if (node >= 0 && !a->is_moved[node] && !met[node]) {
            met[node] = true;
            status = addChannel(a, clip, node, c);
        }
    }
    memset(met, 0, (size_t)a->document.node_count * sizeof *met);
    for (unsigned i = 0; i < clip->from->mNumMorphMeshChannels && !status; ++i) {
        const struct aiMeshMorphAnim* c = clip->from->mMorphMeshChannels[i];
        int32_t node = findMorphed(a, c->mName.data);
        if (node >= 0 && !met[node]) {
            met[node] = true;
            status = addMorph(a, clip, c);
        }
    }
    return status;
}

snStatus snAssimp_ReadClips(snAssimp* a)
{
    snRigDocument* d = &a->document;
    bool* met = snArena_Push(a->arena, (size_t)d->node_count, sizeof *met);
    d->clips = snArena_Push(a->arena, a->scene->mNumAnimations, sizeof *d->clips);
    if (!met || !d->clips) {
        return snAssimp_FailMemory(a);
    }
    snStatus status = sn_ok;
    for (unsigned i = 0; i < a->scene->mNumAnimations && !status; ++i) {
        const struct aiAnimation* from = a->scene->mAnimations[i];
        Clip clip = {.from = from, .to = &d->clips[d->clip_count]};
        clip.ticks = from->mTicksPerSecond > 1e-3 ? from->mTicksPerSecond : USUAL_TICKS;
        clip.first = firstTime(from);
        clip.to->name = snAssimp_Text(a, &from->mName);
        clip.to->start = startOf(a, clip.to->name) + clip.first / clip.ticks;
        status = readClip(a, &clip, met);
        d->clip_count += clip.to->track_count > 0;
        if (clip.to->track_count == 0) {
            *clip.to = (snDocumentClip){0};
        }
    }
    return status;
}

#endif
