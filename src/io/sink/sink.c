// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

#include "io/sink/sink.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/message.h"
#include "io/sink/csv.h"
#include "io/sink/glb.h"
#include "io/sink/point_cache.h"
#include "io/sink/surface.h"
#include "io/sink/vtu.h"
#include "sim/scene.h"

// NULL where no frames are written
static const snSinkFormat* const FORMATS[sn_kindCount] = {
    [sn_kindGlb] = &snGlbFormat,     [sn_kindPc2] = &snPc2Format,
    [sn_kindMdd] = &snMddFormat,     [sn_kindObj] = &snSurfaceFormat,
    [sn_kindPly] = &snSurfaceFormat, [sn_kindOff] = &snSurfaceFormat,
    [sn_kindStl] = &snSurfaceFormat, [sn_kindPvd] = &snVtuFormat,
    [sn_kindVtu] = &snVtuFormat,     [sn_kindCsv] = &snCsvFormat,
};

// Positions, m, and times, s, beyond this are as good as infinite: what formats in single precision
// need of them would overflow.
#define LARGEST 1e30

// The same for coordinates of surfaces, whose squares are floats.
#define LARGEST_FLOAT 1e15

// How far the square of a rotation's length may be from 1; the sim's own are within 1e-12.
#define UNIT_TOLERANCE 1e-3

static snStatus refuseKind(const char* path, snMessage* why)
{
    char known[512] = "";
    size_t used = 0;
    for (int i = 0; i < sn_kindCount; ++i) {
        const snFileKind* kind = snFileKind_At(i);
        if (kind->writes & sn_fileFrames) {
            used += (size_t)snprintf(known + used, sizeof(known) - used, "%s%s (%s)",
                                     used > 0 ? ", " : "", kind->extension, kind->frames);
        }
    }
    return snFail(why, sn_errorUnsupported,
                  "cannot write '%s': its extension names no known format; use one of %s", path,
                  known);
}

static void freeSink(snSink* sink)
{
    if (sink->format) {
        sink->format->release(sink);
    }
    for (int32_t i = 0; i < sink->character_count; ++i) {
        snCharacter_Release(sink->characters[i].character);
    }
    snArena_Free(&sink->arena);
    snHost host = sink->host;
    snHost_Release(&host, sink, sizeof(*sink));
}

// Keeps what is needed of the scene, which may then change or go.
static snStatus keepCharacters(snSink* sink, const snScene* scene, snMessage* why)
{
    int32_t count = snScene_CharacterCount(scene);
    if (count < 1) {
        return snFail(why, sn_errorArgument, "the scene has no characters to write");
    }
    sink->characters = snArena_Push(&sink->arena, (size_t)count, sizeof(snSinkCharacter));
    for (int32_t i = 0; i < count && !sink->arena.failed; ++i) {
        snCharacter* character = snCharacter_Retain(scene->world.actors[i].character);
        sink->characters[i] = (snSinkCharacter){.character = character,
                                                .name = snCharacter_Name(character),
                                                .skeleton = snCharacter_Skeleton(character)};
        sink->character_count = i + 1;
    }
    if (sink->arena.failed) {
        return snFail(why, sn_errorMemory, "out of memory");
    }
    return sn_ok;
}

void snSinkDef_Init(snSinkDef* def)
{
    *def = (snSinkDef){.size = sizeof(snSinkDef), .error = 1e-3};
}

static snStatus checkDef(const snSinkDef* def, snMessage* why)
{
    if (def->size != sizeof(snSinkDef)) {
        return snFail(why, sn_errorArgument, "the def was not set up with snSinkDef_Init");
    }
    if (!(def->error >= 0 && def->error <= 1)) {
        return snFail(why, sn_errorArgument,
                      "error must lie in 0..1 of the surface's size, found %g", def->error);
    }
    return sn_ok;
}

snStatus snSink_Open(const snHost* host, const snScene* scene, const char* path,
                     const snSinkDef* def, snSink** sink, snMessage* why)
{
    if (!sink) {
        return snFail(why, sn_errorArgument, "snSink_Open: sink is NULL");
    }
    *sink = NULL;
    if (!scene || !path) {
        return snFail(why, sn_errorArgument, "snSink_Open: %s is NULL", scene ? "path" : "scene");
    }
    snSinkDef usual;
    snSinkDef_Init(&usual);
    def = def ? def : &usual;
    if (checkDef(def, why)) {
        return sn_errorArgument;
    }
    snKindNumber kind = snKind_OfPath(path);
    if (kind == sn_kindNone || !FORMATS[kind]) {
        return refuseKind(path, why);
    }
    snHost taken;
    snStatus status = snHost_Take(host, &taken, why);
    if (status) {
        return status;
    }
    snSink* made = snHost_Allocate(&taken, sizeof(snSink));
    if (!made) {
        return snFail(why, sn_errorMemory, "cannot write '%s': out of memory", path);
    }
    made->host = taken;
    made->def = *def;
    snArena_Init(&made->arena, &taken);
    status = keepCharacters(made, scene, why);
    if (status) {
        snMessage_Prefix(why, "cannot write '%s'", path);
    } else {
        made->kind = kind;
        made->format = FORMATS[kind];
        made->scene = scene;
        made->obstacle_count = snScene_ObstacleCount(scene);
        status = made->format->open(made, path, why);
        made->scene = NULL;
    }
    if (status) {
        freeSink(made);
        return status;
    }
    *sink = made;
    snMessage_Clear(why);
    return sn_ok;
}

snStatus snSink_RequireSurface(const snFrame* frame, const char* path, const char* format,
                               snMessage* why)
{
    for (int32_t i = 0; i < frame->character_count; ++i) {
        if (frame->characters[i].surface_count > 0) {
            return sn_ok;
        }
    }
    return snFail(why, sn_errorUnsupported,
                  "cannot write '%s': the characters are bones alone, and %s holds surfaces; "
                  "write .glb, or give them flesh",
                  path, format);
}

static bool finiteVec(snVec3 v)
{
    return isfinite(v.x) && isfinite(v.y) && isfinite(v.z);
}

static bool goodPose(const snTransform* t)
{
    double square = t->q.x * t->q.x + t->q.y * t->q.y + t->q.z * t->q.z + t->q.w * t->q.w;
    return fabs(t->p.x) <= LARGEST && fabs(t->p.y) <= LARGEST && fabs(t->p.z) <= LARGEST &&
           fabs(square - 1) <= UNIT_TOLERANCE;
}

static bool goodNumbers(const float* numbers, size_t count, double most)
{
    bool good = true;
    for (size_t i = 0; i < count; ++i) {
        good &= fabs((double)numbers[i]) <= most;
    }
    return good;
}

static bool goodTriangles(const snFrameSurface* s)
{
    bool good = true;
    for (size_t i = 0; i < 3 * (size_t)s->triangle_count; ++i) {
        good &= s->triangles[i] >= 0 && s->triangles[i] < s->vertex_count;
    }
    return good;
}

// `first`: the surface may still be any. Later ones have the first one's triangles.
static snStatus checkSurface(const snSinkCharacter* known, const snFrameCharacter* given,
                             bool first, snMessage* why)
{
    const snFrameSurface none = {0, 0, NULL, NULL, NULL};
    if (given->surface_count < 0 || given->surface_count > 1 ||
        (given->surface_count == 1 && !given->surfaces)) {
        return snFail(why, sn_errorArgument, "it has %d surfaces, expected one at most",
                      (int)given->surface_count);
    }
    const snFrameSurface* s = given->surface_count == 1 ? &given->surfaces[0] : &none;
    if (!first &&
        (s->vertex_count != known->vertex_count || s->triangle_count != known->triangle_count)) {
        return snFail(why, sn_errorArgument,
                      "its surface has %d vertices and %d triangles, at the first frame %d and %d",
                      (int)s->vertex_count, (int)s->triangle_count, (int)known->vertex_count,
                      (int)known->triangle_count);
    }
    if (given->surface_count == 0) {
        return sn_ok;
    }
    if (s->vertex_count < 1 || s->triangle_count < 1 || !s->position || !s->normal ||
        !s->triangles || !goodTriangles(s)) {
        return snFail(why, sn_errorArgument,
                      "its surface lacks vertices or triangles, or a triangle names a vertex that "
                      "it does not have");
    }
    size_t count = 3 * (size_t)s->vertex_count;
    if (!goodNumbers(s->position, count, LARGEST_FLOAT) || !goodNumbers(s->normal, count, 2) ||
        !goodNumbers(
            (const float[]){(float)given->origin.x, (float)given->origin.y, (float)given->origin.z},
            3, LARGEST)) {
        return snFail(why, sn_errorArgument, "a number of its surface is not finite");
    }
    return sn_ok;
}

static snStatus checkCharacter(const snSinkCharacter* known, const snFrameCharacter* given,
                               snMessage* why)
{
    int32_t count = snSkeleton_BoneCount(known->skeleton);
    if (given->bone_count != count || (count > 0 && !given->bones)) {
        return snFail(why, sn_errorArgument,
                      "the frame has %d bones, the scene's character %d; write frames of the "
                      "scene that the sink was opened with",
                      (int)given->bone_count, (int)count);
    }
    for (int32_t b = 0; b < count; ++b) {
        if (!goodPose(&given->bones[b])) {
            return snFail(why, sn_errorArgument,
                          "the pose of bone '%s' is no place and rotation (a number is not finite, "
                          "or the rotation not of unit length)",
                          snSkeleton_Bone(known->skeleton, b)->name);
        }
    }
    const snMomentum* m = &given->momentum;
    const snEnergy* e = &given->energy;
    if (!isfinite(e->kinetic) || !isfinite(e->gravity) || !isfinite(e->elastic) ||
        !finiteVec(m->com) || !finiteVec(m->linear) || !finiteVec(m->angular)) {
        return snFail(why, sn_errorArgument, "the energy or momentum is not finite");
    }
    return sn_ok;
}

static snStatus checkFrame(const snSink* sink, const snFrame* frame, snMessage* why)
{
    if (frame->character_count != sink->character_count || !frame->characters) {
        return snFail(why, sn_errorArgument,
                      "the frame has %d characters, the scene %d; write frames of the scene that "
                      "the sink was opened with",
                      (int)frame->character_count, (int)sink->character_count);
    }
    if (!(frame->time >= 0 && frame->time <= LARGEST)) {
        return snFail(why, sn_errorArgument, "the frame's time, %g s, is not in 0..%g", frame->time,
                      LARGEST);
    }
    if (sink->frame_count > 0 && sink->def.single) {
        return snFail(why, sn_errorArgument,
                      "the frame at %g s is one too many: the sink was opened for a single one",
                      frame->time);
    }
    if (sink->frame_count > 0 && frame->time <= sink->time) {
        return snFail(why, sn_errorArgument,
                      "the frame at %g s does not come after the one before, at %g s", frame->time,
                      sink->time);
    }
    if (frame->obstacle_count != sink->obstacle_count ||
        (sink->obstacle_count > 0 && !frame->obstacles)) {
        return snFail(
            why, sn_errorArgument,
            "the frame has %d obstacles, the scene %d; write frames of the scene that the "
            "sink was opened with",
            (int)frame->obstacle_count, (int)sink->obstacle_count);
    }
    for (int32_t i = 0; i < sink->obstacle_count; ++i) {
        if (!goodPose(&frame->obstacles[i].pose)) {
            return snFail(why, sn_errorArgument,
                          "frame at %g s: the pose of obstacle %d is no place and rotation",
                          frame->time, (int)i);
        }
    }
    for (int32_t i = 0; i < sink->character_count; ++i) {
        const snFrameCharacter* given = &frame->characters[i];
        snStatus status = checkCharacter(&sink->characters[i], given, why);
        status = status ? status
                        : checkSurface(&sink->characters[i], given, sink->frame_count == 0, why);
        if (status) {
            snMessage_Prefix(why, "frame at %g s, character '%s'", frame->time,
                             sink->characters[i].name);
            return status;
        }
    }
    return sn_ok;
}

snStatus snSink_Write(snSink* sink, const snFrame* frame, snMessage* why)
{
    if (!sink || !frame) {
        return snFail(why, sn_errorArgument, "snSink_Write: %s is NULL", sink ? "frame" : "sink");
    }
    snMessage* said = &sink->refusal_why;
    snStatus status = checkFrame(sink, frame, said);
    if (!status) {
        status = sink->format->write(sink, frame, said);
    }
    if (status) {
        sink->refusal = status;
        return snFail(why, status, "%s", said->text);
    }
    for (int32_t i = 0; i < sink->character_count && sink->frame_count == 0; ++i) {
        const snFrameCharacter* given = &frame->characters[i];
        bool any = given->surface_count > 0;
        sink->characters[i].vertex_count = any ? given->surfaces[0].vertex_count : 0;
        sink->characters[i].triangle_count = any ? given->surfaces[0].triangle_count : 0;
    }
    sink->time = frame->time;
    sink->frame_count += 1;
    snMessage_Clear(why);
    return sn_ok;
}

snStatus snSink_Close(snSink* sink, snMessage* why)
{
    if (!sink) {
        return snFail(why, sn_errorArgument, "snSink_Close: sink is NULL");
    }
    snStatus status;
    if (sink->frame_count == 0 && sink->refusal) {
        status = snFail(why, sink->refusal, "no frame was written: %s", sink->refusal_why.text);
    } else if (sink->frame_count == 0) {
        status = snFail(why, sn_errorArgument, "no frame was written, so there is no file");
    } else {
        status = sink->format->finish(sink, why);
    }
    freeSink(sink);
    if (!status) {
        snMessage_Clear(why);
    }
    return status;
}

void snSink_Abort(snSink* sink)
{
    if (sink) {
        freeSink(sink);
    }
}
