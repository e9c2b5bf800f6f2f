// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

#include "io/sink.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/message.h"
#include "io/csv.h"
#include "io/glb.h"

static const snSinkFormat* const formats[] = {&snGlbFormat, &snCsvFormat};

#define FORMAT_COUNT ((int)(sizeof(formats) / sizeof(formats[0])))

// Positions, m, and times, s, beyond this are as good as infinite: what formats in single precision
// need of them would overflow.
#define LARGEST 1e30

// How far the square of a rotation's length may be from 1; the sim's own are within 1e-12.
#define UNIT_TOLERANCE 1e-3

// Whether a path ends in the extension, in any case, with something before it
static bool hasExtension(const char* path, const char* extension)
{
    size_t length = strlen(path), count = strlen(extension);
    if (length <= count) {
        return false;
    }
    for (size_t i = 0; i < count; ++i) {
        char c = path[length - count + i];
        c = c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
        if (c != extension[i]) {
            return false;
        }
    }
    return true;
}

static const snSinkFormat* findFormat(const char* path, snMessage* why)
{
    char known[256] = "";
    size_t used = 0;
    for (int i = 0; i < FORMAT_COUNT; ++i) {
        if (hasExtension(path, formats[i]->extension)) {
            return formats[i];
        }
        used += (size_t)snprintf(known + used, sizeof(known) - used, "%s%s (%s)", i > 0 ? ", " : "",
                                 formats[i]->extension, formats[i]->about);
    }
    snFail(why, sn_errorUnsupported,
           "cannot write '%s': its extension names no known format; use one of %s", path, known);
    return NULL;
}

static void freeSink(snSink* sink)
{
    if (sink->format) {
        sink->format->release(sink);
    }
    for (int32_t i = 0; i < sink->character_count; ++i) {
        snSkeleton_Release(sink->characters[i].skeleton);
    }
    snArena_Free(&sink->arena);
    snHost host = sink->host;
    snHost_Release(&host, sink, sizeof(*sink));
}

// Copies what is needed of the scene, which may then change or go.
static snStatus copyCharacters(snSink* sink, const snScene* scene, snMessage* why)
{
    int32_t count = snScene_CharacterCount(scene);
    if (count < 1) {
        return snFail(why, sn_errorArgument, "the scene has no characters to write");
    }
    sink->characters = snArena_Push(&sink->arena, (size_t)count, sizeof(snSinkCharacter));
    for (int32_t i = 0; i < count && !sink->arena.failed; ++i) {
        const snCharacter* character = snScene_Character(scene, i);
        const char* name = snCharacter_Name(character);
        sink->characters[i].name = snArena_String(&sink->arena, name, strlen(name));
        sink->characters[i].skeleton = snSkeleton_Retain(snCharacter_Skeleton(character));
        sink->character_count = i + 1;
    }
    if (sink->arena.failed) {
        return snFail(why, sn_errorMemory, "out of memory");
    }
    return sn_ok;
}

snStatus snSink_Open(const snHost* host, const snScene* scene, const char* path, snSink** sink,
                     snMessage* why)
{
    if (!sink) {
        return snFail(why, sn_errorArgument, "snSink_Open: sink is NULL");
    }
    *sink = NULL;
    if (!scene || !path) {
        return snFail(why, sn_errorArgument, "snSink_Open: %s is NULL", scene ? "path" : "scene");
    }
    const snSinkFormat* format = findFormat(path, why);
    if (!format) {
        return sn_errorUnsupported;
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
    snArena_Init(&made->arena, &taken);
    status = copyCharacters(made, scene, why);
    if (status) {
        snMessage_Prefix(why, "cannot write '%s'", path);
    } else {
        made->format = format;
        status = format->open(made, path, why);
    }
    if (status) {
        freeSink(made);
        return status;
    }
    *sink = made;
    snMessage_Clear(why);
    return sn_ok;
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

static snStatus checkCharacter(const snSinkCharacter* known, const snFrameCharacter* given,
                               snMessage* why)
{
    int32_t count = snSkeleton_BoneCount(known->skeleton);
    if (given->bone_count != count || !given->bones) {
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
    if (sink->frame_count > 0 && frame->time <= sink->time) {
        return snFail(why, sn_errorArgument,
                      "the frame at %g s does not come after the one before, at %g s", frame->time,
                      sink->time);
    }
    for (int32_t i = 0; i < sink->character_count; ++i) {
        snStatus status = checkCharacter(&sink->characters[i], &frame->characters[i], why);
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
    snStatus status = checkFrame(sink, frame, why);
    if (!status) {
        status = sink->format->write(sink, frame, why);
    }
    if (status) {
        return status;
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
    if (sink->frame_count == 0) {
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
