// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

// What the formats that frames can be written to have in common.
#ifndef SN_IO_SINK_SINK_H
#define SN_IO_SINK_SINK_H

#include "base/memory.h"
#include "io/kind.h"
#include <sinew/io.h>

// One file format. `open` puts what it needs into sink->state; when it fails, `release` is called
// too. `write` sees only frames that fit the scene and hold no NaN; when it fails, the frames
// before this one are still good. `finish` makes the file appear. `release` comes last in any case
// and removes what is unfinished.
typedef struct snSinkFormat {
    snStatus (*open)(snSink* sink, const char* path, snMessage* why);
    snStatus (*write)(snSink* sink, const snFrame* frame, snMessage* why);
    snStatus (*finish)(snSink* sink, snMessage* why);
    void (*release)(snSink* sink);
} snSinkFormat;

// A character as it was when the sink was opened.
typedef struct snSinkCharacter {
    snCharacter* character; // a reference of the sink's own
    const char* name;       // the character's
    snSkeleton* skeleton;   // the character's
    int32_t vertex_count;   // of its surface at the first frame; 0: bones alone
    int32_t triangle_count;
} snSinkCharacter;

struct snSink {
    snHost host;
    snSinkDef def;
    snArena arena;     // everything but open files lives here
    snKindNumber kind; // by the path's extension
    const snSinkFormat* format;
    const snScene* scene; // while the format is opened, then NULL: it may change or go
    int32_t character_count, obstacle_count;
    snSinkCharacter* characters; // (character_count)
    int64_t frame_count;         // written so far
    double time;                 // of the last frame, s
    snStatus refusal;            // of the frame that was refused last
    snMessage refusal_why;       // for callers that look at Close alone
    void* state;                 // the format's own
};

// For formats that hold surfaces alone: refuses a frame that has none. `format` is the format's
// name in messages.
snStatus snSink_RequireSurface(const snFrame* frame, const char* path, const char* format,
                               snMessage* why);

// Where vertex i of a character's surface is in the world, m
static inline void snSink_Place(const snFrameCharacter* c, size_t i, float out[3])
{
    const float* x = c->surfaces[0].position + 3 * i;
    out[0] = (float)(c->origin.x + (double)x[0]);
    out[1] = (float)(c->origin.y + (double)x[1]);
    out[2] = (float)(c->origin.z + (double)x[2]);
}

#endif
