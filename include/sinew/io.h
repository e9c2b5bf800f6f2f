// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

// Files: scenes in, animations out.
#ifndef SINEW_IO_H
#define SINEW_IO_H

#include "sim.h"

#ifdef __cplusplus
extern "C" {
#endif

// Looks up a skeleton that a scene file names instead of spelling it out ("skeleton": "starfish").
// Returns a new reference in *skeleton, or NULL there when the name is unknown. `names` lists what
// there is, NULL-terminated.
typedef struct snLibrary {
    void* user; // passed to find
    snStatus (*find)(void* user, const snHost* host, const char* name, snSkeleton** skeleton,
                     snMessage* why); // see above
    const char* const* names;         // for suggestions, NULL-terminated
} snLibrary;

// Reads a scene file (docs/scene.md). Errors name the file, line, column, what was expected and
// what to do. library may be NULL.
SN_API snStatus snScene_Load(const snHost* host, const char* path, const snLibrary* library,
                             snScene** scene, snMessage* why);

// The same from text in memory; `name` stands for the file in messages.
SN_API snStatus snScene_Parse(const snHost* host, const char* text, size_t length, const char* name,
                              const snLibrary* library, snScene** scene, snMessage* why);

// Something that frames are written to.
typedef struct snSink snSink;

// Opens a file for the frames of a sim, by extension: .glb = glTF 2.0 binary with every bone as an
// animated node (and a shape to see it by), .csv = a row of energies and momenta per frame and
// character. The file appears when the sink is closed.
SN_API snStatus snSink_Open(const snHost* host, const snScene* scene, const char* path,
                            snSink** sink, snMessage* why);

// Appends one frame.
SN_API snStatus snSink_Write(snSink* sink, const snFrame* frame, snMessage* why);

// Finishes and frees the sink. On failure no file appears.
SN_API snStatus snSink_Close(snSink* sink, snMessage* why);

// Frees the sink and leaves no file. NULL is fine.
SN_API void snSink_Abort(snSink* sink);

#ifdef __cplusplus
}
#endif

#endif
