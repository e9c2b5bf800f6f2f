// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

#include "io/sink/glb_json.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#include "base/message.h"
#include "math/transform.h"

// GLB is little-endian, and numbers are written as they lie in memory.
#if defined(__BYTE_ORDER__)
static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "the GLB writer swaps no bytes");
#endif

// Frames that a track grows by: a second or so.
#define CHUNK_FRAMES 64

struct snGlbChunk {
    snGlbChunk* next;
    float values[]; // (CHUNK_FRAMES x the track's width)
};

// Floats are 6e-8 apart near 1, so smaller changes of a rotation are noise of the last bit. The
// same fraction of the character's size serves for translations.
#define RESOLUTION 1e-7

// Part of the limit that is left for the document while frames come in. Its length is known only
// at the end; 64 MiB are enough for 100,000 bones.
#define DOCUMENT_SHARE 64

// Bones without size, all in one point, count as so large, m.
#define DEFAULT_SIZE 1.0

static void linkBones(const snSkeleton* skeleton, snGlbCharacter* c)
{
    for (int32_t b = 0; b < c->bone_count; ++b) {
        c->bones[b].parent = snSkeleton_Bone(skeleton, b)->parent;
        c->bones[b].first_child = c->bones[b].next = -1;
    }
    // backwards, so that children end up in the skeleton's order
    for (int32_t b = c->bone_count - 1; b >= 0; --b) {
        if (c->bones[b].parent >= 0) {
            int32_t* first = &c->bones[c->bones[b].parent].first_child;
            c->bones[b].next = *first;
            *first = b;
        }
    }
}

// Linear from sRGB: c/12.92 where it is small, else x^2.4 = x^2 (x^(1/5))^2, x = (c + 0.055)/1.055.
// The fifth root by Newton's method, from above.
static float linear(float colour)
{
    double c = colour > 0 ? (double)colour : 0, x = ((c < 1 ? c : 1) + 0.055) / 1.055, root = 1;
    for (int i = 0; i < 10; ++i) {
        double power = root * root * root * root;
        root -= (root * power - x) / (5 * power);
    }
    return (float)(c <= 0.04045 ? c / 12.92 : x * x * root * root);
}

// Their materials follow those of the characters.
static snStatus makeObstacles(snSink* sink, snMessage* why)
{
    snGlb* glb = sink->state;
    snStatus status = sn_ok;
    glb->colours = snArena_Push(&sink->arena, (size_t)sink->obstacle_count, sizeof(float[4]));
    for (int32_t i = 0; i < sink->obstacle_count && !status; ++i) {
        const snObstacleDef* def = snScene_Obstacle(sink->scene, i);
        snGlbCharacter* c = &glb->characters[sink->character_count + i];
        c->name = snArena_String(&sink->arena, def->name[0] ? def->name : "obstacle",
                                 def->name[0] ? strlen(def->name) : 8);
        c->material = snGlb_ColourCount(sink) + i;
        if (sink->arena.failed) {
            return snFail(why, sn_errorMemory, "out of memory");
        }
        for (int k = 0; k < 3; ++k) {
            glb->colours[i][k] = linear(def->colour[k]);
        }
        float opacity = def->colour[3];
        glb->colours[i][3] = opacity > 0 ? (opacity < 1 ? opacity : 1) : 0;
        status = snGlbObstacle_Build(&sink->arena, def, c, why);
    }
    return status;
}

static snStatus openGlb(snSink* sink, const char* path, snMessage* why)
{
    snGlb* glb = snArena_Push(&sink->arena, 1, sizeof(snGlb));
    if (!glb) {
        return snFail(why, sn_errorMemory, "cannot write '%s': out of memory", path);
    }
    sink->state = glb;
    glb->limit = SN_GLB_LIMIT;
    glb->memory = SN_GLB_MEMORY;
    glb->time.width = 1;
    glb->count = sink->character_count + sink->obstacle_count;
    glb->characters = snArena_Push(&sink->arena, (size_t)glb->count, sizeof(snGlbCharacter));
    for (int32_t i = 0; i < sink->character_count && glb->characters; ++i) {
        snGlbCharacter* c = &glb->characters[i];
        c->name = sink->characters[i].name;
        c->skeleton = sink->characters[i].skeleton;
        c->material = i % SN_GLB_COLOURS;
        c->bone_count = snSkeleton_BoneCount(c->skeleton);
        c->bones = snArena_Push(&sink->arena, (size_t)c->bone_count, sizeof(snGlbBone));
        if (c->bones) {
            linkBones(c->skeleton, c);
        }
    }
    snStatus status = sink->arena.failed ? snFail(why, sn_errorMemory, "out of memory")
                                         : makeObstacles(sink, why);
    if (status) {
        snMessage_Prefix(why, "cannot write '%s'", path);
        return status;
    }
    return snFileWriter_Open(&glb->file, path, why);
}

void snGlb_SetVec(float out[3], snVec3 v)
{
    out[0] = snGlb_Float(v.x);
    out[1] = snGlb_Float(v.y);
    out[2] = snGlb_Float(v.z);
}

void snGlb_SetQuat(float out[4], const float before[4], snQuat q)
{
    q = snQNormalize(q);
    double dot = q.x * (double)before[0] + q.y * (double)before[1] + q.z * (double)before[2] +
                 q.w * (double)before[3];
    q = dot < 0 ? snQNegate(q) : q;
    snGlb_SetVec(out, snV3(q.x, q.y, q.z));
    out[3] = snGlb_Float(q.w);
}

static snVec3 smaller(snVec3 a, snVec3 b)
{
    return snV3(a.x < b.x ? a.x : b.x, a.y < b.y ? a.y : b.y, a.z < b.z ? a.z : b.z);
}

// Places the character's node and measures its bones. The node stands where the character starts,
// so that a character far from the world's origin does not lose the digits of its motion.
static void beginBones(const snSkeleton* skeleton, const snTransform* poses, snGlbCharacter* c)
{
    snGlb_SetVec(c->origin, poses[0].p);
    snVec3 low = poses[0].p, high = snNeg(low); // of -x, to need no second function
    for (int32_t b = 0; b < c->bone_count; ++b) {
        snVec3 tip = snTPoint(poses[b], snSkeleton_Bone(skeleton, b)->tip);
        low = smaller(low, smaller(poses[b].p, tip));
        high = smaller(high, smaller(snNeg(poses[b].p), snNeg(tip)));
    }
    double size = snLength(snAdd(low, high));
    c->size = size > 0 ? size : DEFAULT_SIZE;
}

static void beginTracks(snGlbCharacter* c)
{
    double size = c->surface.vertex_count > 0 ? c->surface.size : c->size;
    for (int32_t i = 0; i < snGlb_TrackCount(c); ++i) {
        snGlbTrack* track = snGlb_Track(c, i);
        track->width = i % 2 == 0 ? 4 : 3;
        track->tolerance = (float)(i % 2 == 0 ? RESOLUTION : RESOLUTION * size);
    }
}

static bool beginCharacter(snSink* sink, const snSkeleton* skeleton, const snFrameCharacter* given,
                           snGlbCharacter* c)
{
    if (c->bone_count > 0) {
        beginBones(skeleton, given->bones, c);
    }
    if (given->surface_count > 0 && !snGlbSurface_Begin(&sink->arena, given, c)) {
        return false;
    }
    beginTracks(c);
    return true;
}

// Each bone's pose against its parent's node as the next value of its tracks
static void readBones(snGlbCharacter* c, const snTransform* poses)
{
    snVec3 origin = snV3((double)c->origin[0], (double)c->origin[1], (double)c->origin[2]);
    for (int32_t b = 0; b < c->bone_count; ++b) {
        snGlbBone* bone = &c->bones[b];
        snTransform parent = bone->parent < 0 ? snT(origin, snQIdentity()) : poses[bone->parent];
        snTransform local = snTMul(snTInverse(parent), poses[b]);
        snGlb_SetVec(bone->translation.next, local.p);
        snGlb_SetQuat(bone->rotation.next, bone->rotation.last, local.q);
    }
}

// Makes room for the next value if the track moves or begins to; false when memory runs out. Doing
// it twice for one frame changes nothing.
static bool reserve(snSink* sink, snGlbTrack* track)
{
    if (!track->head) {
        bool moved = false;
        for (int32_t k = 0; k < track->width; ++k) {
            moved |= !(fabsf(track->next[k] - track->first[k]) <= track->tolerance);
        }
        if (sink->frame_count == 0 || !moved) {
            return true;
        }
        track->since = sink->frame_count;
    }
    if (sink->frame_count - track->since < track->room) {
        return true;
    }
    size_t floats = (size_t)track->width * CHUNK_FRAMES;
    snGlbChunk* chunk = snArena_Push(&sink->arena, sizeof(snGlbChunk) + floats * sizeof(float), 1);
    if (!chunk) {
        return false;
    }
    if (track->head) {
        track->tail->next = chunk;
    } else {
        track->head = chunk;
        ((snGlb*)sink->state)->width += (uint64_t)track->width;
    }
    track->tail = chunk;
    track->room += CHUNK_FRAMES;
    return true;
}

static void store(snGlbTrack* track, int64_t frame)
{
    size_t bytes = (size_t)track->width * sizeof(float);
    if (frame == 0) {
        memcpy(track->first, track->next, bytes);
    }
    memcpy(track->last, track->next, bytes);
    if (track->head) {
        size_t slot = (size_t)((frame - track->since) % CHUNK_FRAMES);
        memcpy(track->tail->values + slot * (size_t)track->width, track->next, bytes);
    }
}

// Reserves for all tracks, or stores all
static bool reserveAll(snSink* sink)
{
    snGlb* glb = sink->state;
    bool ok = reserve(sink, &glb->time);
    for (int32_t i = 0; i < glb->count && ok; ++i) {
        snGlbCharacter* c = &glb->characters[i];
        for (int32_t k = 0; k < snGlb_TrackCount(c) && ok; ++k) {
            ok = reserve(sink, snGlb_Track(c, k));
        }
    }
    return ok;
}

static void storeAll(snSink* sink)
{
    snGlb* glb = sink->state;
    store(&glb->time, sink->frame_count);
    for (int32_t i = 0; i < glb->count; ++i) {
        snGlbCharacter* c = &glb->characters[i];
        for (int32_t k = 0; k < snGlb_TrackCount(c); ++k) {
            store(snGlb_Track(c, k), sink->frame_count);
        }
        if (c->skeleton && c->surface.vertex_count > 0) {
            snGlbSurface_Keep(&c->surface);
        }
    }
}

// The next value of all tracks and surfaces; false when memory runs out
static bool readFrame(snSink* sink, const snFrame* frame)
{
    snGlb* glb = sink->state;
    bool ok = true;
    glb->time.next[0] = snGlb_Float(frame->time);
    for (int32_t i = 0; i < sink->character_count && ok; ++i) {
        const snFrameCharacter* given = &frame->characters[i];
        snGlbCharacter* c = &glb->characters[i];
        if (sink->frame_count == 0) {
            ok = beginCharacter(sink, c->skeleton, given, c);
        }
        if (ok) {
            readBones(c, given->bones);
            ok = c->surface.vertex_count == 0 || snGlbSurface_Read(&sink->arena, given, c);
        }
    }
    for (int32_t i = 0; i < sink->obstacle_count && ok; ++i) {
        snGlbCharacter* c = &glb->characters[sink->character_count + i];
        if (sink->frame_count == 0) {
            beginTracks(c);
        }
        snGlbObstacle_Read(&frame->obstacles[i].pose, sink->frame_count == 0, c);
    }
    return ok && reserveAll(sink);
}

// Whether there is room for one frame more: in the file, as far as that can be told before the
// shapes are known, and in memory
static snStatus checkRoom(const snSink* sink, snMessage* why)
{
    const snGlb* glb = sink->state;
    uint64_t frames = (uint64_t)sink->frame_count + 1, surfaces = 0;
    for (int32_t i = 0; i < sink->character_count; ++i) {
        surfaces += snGlbSurface_Bytes(&glb->characters[i].surface);
    }
    uint64_t bytes =
        glb->width * sizeof(float) * frames + surfaces * (sink->def.error > 0 ? 1 : frames);
    if (bytes > glb->limit - glb->limit / DOCUMENT_SHARE) {
        return snFail(why, sn_errorUnsupported,
                      "'%s': GLB files end at %llu bytes, and they are full after %lld frames; "
                      "lower the frame rate or split the run",
                      glb->file.path, (unsigned long long)glb->limit, (long long)sink->frame_count);
    }
    uint64_t kept = surfaces * (frames - 1);
    if (kept + surfaces > glb->memory) {
        return snFail(
            why, sn_errorUnsupported,
            "'%s': the surfaces of %lld frames take %llu bytes of memory, and more is not "
            "taken; lower the frame rate, split the run, or write a sequence of .obj files",
            glb->file.path, (long long)sink->frame_count, (unsigned long long)kept);
    }
    return sn_ok;
}

static snStatus writeGlb(snSink* sink, const snFrame* frame, snMessage* why)
{
    snGlb* glb = sink->state;
    if (sink->frame_count > 0 && snGlb_Float(frame->time) <= glb->time.last[0]) {
        return snFail(why, sn_errorUnsupported,
                      "'%s': glTF holds times in single precision, which cannot tell the frame at "
                      "%.9g s from the one before; lower the frame rate or shorten the run",
                      glb->file.path, frame->time);
    }
    if (!readFrame(sink, frame)) {
        return snFail(why, sn_errorMemory, "'%s': out of memory after %lld frames", glb->file.path,
                      (long long)sink->frame_count);
    }
    snStatus status = checkRoom(sink, why);
    if (!status) {
        storeAll(sink);
    }
    return status;
}

bool snGlb_Moves(const snSink* sink)
{
    const snGlb* glb = sink->state;
    bool moves = false;
    for (int32_t i = 0; i < glb->count; ++i) {
        snGlbCharacter* c = &glb->characters[i];
        for (int32_t k = 0; k < snGlb_TrackCount(c); ++k) {
            moves |= snGlbTrack_Moves(snGlb_Track(c, k), sink->frame_count);
        }
        moves |= c->surface.morph.shape_count > 0;
    }
    return moves;
}

static void putTrack(snFileWriter* file, const snGlbTrack* track, int64_t frames)
{
    if (!snGlbTrack_Moves(track, frames)) {
        return;
    }
    size_t bytes = (size_t)track->width * sizeof(float);
    for (int64_t k = 0; k < track->since; ++k) {
        snFileWriter_Write(file, track->first, bytes);
    }
    int64_t left = frames - track->since;
    for (const snGlbChunk* chunk = track->head; left > 0; chunk = chunk->next) {
        int64_t count = left < CHUNK_FRAMES ? left : CHUNK_FRAMES;
        snFileWriter_Write(file, chunk->values, (size_t)count * bytes);
        left -= count;
    }
}

static void putWeights(snFileWriter* file, const snMorph* morph)
{
    for (int32_t f = 0; f < morph->frame_count; ++f) {
        for (int32_t k = 0; k < morph->shape_count; ++k) {
            float weight = snMorph_Weight(morph, k, f);
            snFileWriter_Write(file, &weight, sizeof(weight));
        }
    }
}

static void putMoving(const snSink* sink, snFileWriter* file)
{
    const snGlb* glb = sink->state;
    putTrack(file, &glb->time, sink->frame_count);
    for (int32_t i = 0; i < glb->count; ++i) {
        snGlbCharacter* c = &glb->characters[i];
        for (int32_t k = 0; k < snGlb_TrackCount(c); ++k) {
            putTrack(file, snGlb_Track(c, k), sink->frame_count);
        }
    }
    for (int32_t i = 0; i < glb->count; ++i) {
        putWeights(file, &glb->characters[i].surface.morph);
    }
}

static void putSurface(snFileWriter* file, const snGlbSurface* surface)
{
    size_t bytes = (size_t)snGlbSurface_Bytes(surface);
    snFileWriter_Write(file, surface->base, bytes);
    for (int32_t k = 0; k < surface->morph.shape_count; ++k) {
        snFileWriter_Write(file, surface->morph.shapes[k], bytes);
    }
    snFileWriter_Write(file, surface->triangles, (size_t)snGlbSurface_IndexBytes(surface));
}

// The binary chunk in the order that snGlb_Describe promises
static void putBinary(const snSink* sink, snFileWriter* file)
{
    const snGlb* glb = sink->state;
    for (int shape = 0; shape < sn_glbShapeCount && snGlb_HasShapes(sink); ++shape) {
        float vertices[SN_GLB_SHAPE_FLOATS];
        snGlbShape_Fill((snGlbShape)shape, vertices);
        snFileWriter_Write(file, vertices, sizeof(vertices));
    }
    if (snGlb_Moves(sink)) {
        putMoving(sink, file);
    }
    for (int32_t i = 0; i < glb->count; ++i) {
        if (glb->characters[i].surface.vertex_count > 0) {
            putSurface(file, &glb->characters[i].surface);
        }
    }
}

static snStatus putFile(const snSink* sink, snFileWriter* file, const snJsonWriter* json,
                        uint64_t binary, snMessage* why)
{
    const snGlb* glb = sink->state;
    uint64_t padding = (4 - json->length % 4) % 4;
    uint64_t total = 12 + 8 + (uint64_t)json->length + padding + 8 + binary;
    if (total > glb->limit) {
        return snFail(why, sn_errorUnsupported,
                      "cannot write '%s': it would have %llu bytes, and GLB files end at %llu; "
                      "lower the frame rate, split the run or allow a larger error",
                      file->path, (unsigned long long)total, (unsigned long long)glb->limit);
    }
    const uint32_t magic = 0x46546C67, json_type = 0x4E4F534A, binary_type = 0x004E4942;
    const uint32_t head[] = {magic, 2, (uint32_t)total, (uint32_t)(json->length + padding),
                             json_type};
    const uint32_t middle[] = {(uint32_t)binary, binary_type};
    snFileWriter_Write(file, head, sizeof(head));
    snFileWriter_Write(file, json->text, json->length);
    snFileWriter_Write(file, "   ", (size_t)padding);
    snFileWriter_Write(file, middle, sizeof(middle));
    putBinary(sink, file);
    return snFileWriter_Close(file, why);
}

static snStatus finishGlb(snSink* sink, snMessage* why)
{
    snGlb* glb = sink->state;
    snStatus status = sn_ok;
    for (int32_t i = 0; i < glb->count && !status; ++i) {
        snGlbSurface* surface = &glb->characters[i].surface;
        if (glb->characters[i].skeleton && surface->vertex_count > 0) {
            status =
                snGlbSurface_Fit(&sink->arena, surface, sink->frame_count, sink->def.error, why);
        }
    }
    snJsonWriter json;
    snJsonWriter_Init(&json, &sink->host, 0);
    uint64_t binary = status ? 0 : snGlb_Describe(sink, &json);
    status = status ? status : snJsonWriter_Finish(&json, why);
    if (status) {
        snMessage_Prefix(why, "cannot write '%s'", glb->file.path);
    } else {
        status = putFile(sink, &glb->file, &json, binary, why);
    }
    snJsonWriter_Free(&json);
    return status;
}

static void releaseGlb(snSink* sink)
{
    snGlb* glb = sink->state;
    if (glb) {
        snFileWriter_Abort(&glb->file);
    }
}

const snSinkFormat snGlbFormat = {openGlb, writeGlb, finishGlb, releaseGlb};
