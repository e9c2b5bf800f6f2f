// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

// The side file of a bake: what was simulated, so that nothing has to be done twice.
//
//   head     "SINEWFRM", version, size of a frame and of a state, what it is a bake of (a hash)
//   record   kind, clip, number, size; content; a hash of all of that
//
// Records come in the order of clips and frames. A frame's content is what its soft nodes left
// their places by; now and then a state follows it, from which simulating can go on. Every record
// is handed to the system at once, so that a process that is killed loses none. Files are for the
// machine that wrote them: numbers are as they lie in memory.
#ifndef SN_BAKE_FILE_H
#define SN_BAKE_FILE_H

#include <stdbool.h>
#include <stdio.h>

#include "base/memory.h"
#include "base/message.h"

// Before the nodes of a frame
typedef struct snFrameFacts {
    int64_t limited;       // frames so far with flesh at its limit
    int64_t interventions; // of the guard so far
} snFrameFacts;

// How far a clip is
typedef struct snBakedFrames {
    int32_t wanted;      // frames
    int32_t count;       // frames that are there, from the first on
    int32_t state;       // the last frame that a state follows; -1 = none
    int64_t state_begin; // where that state is
    int64_t state_end;   // of the file behind that state
    int64_t* offset;     // where frames are; (wanted)
} snBakedFrames;

typedef struct snBakeFile {
    snHost host;
    FILE* file;
    const char* path;
    uint64_t id;       // what it is a bake of
    size_t node_count; // soft ones
    size_t state_size; // bytes
    uint8_t* buffer;   // a record
    size_t room;
    int32_t clip_count;
    snBakedFrames* clips; // (clip_count)
} snBakeFile;

// Opens an empty file, or goes on with one that is there. Set all fields but `file` and `buffer`,
// and `wanted` and `offset` of clips. What is damaged is dropped, and the log says so. A file of
// another bake is an error.
snStatus snBakeFile_Open(snBakeFile* f, bool resume, snMessage* why);

// Closes it; fine when it is not open. The file stays.
void snBakeFile_Close(snBakeFile* f);

// The next frame of a clip. nodes: (node_count, 3)
snStatus snBakeFile_AddFrame(snBakeFile* f, int32_t clip, const snFrameFacts* facts,
                             const float* nodes, snMessage* why);

// The state behind the last frame of a clip
snStatus snBakeFile_AddState(snBakeFile* f, int32_t clip, const void* state, snMessage* why);

snStatus snBakeFile_Frame(snBakeFile* f, int32_t clip, int32_t frame, snFrameFacts* facts,
                          float* nodes, snMessage* why);

// Drops all that is behind the last state of a clip that is not complete, or the whole clip, and
// gives the state. *frame: behind which it is; -1: the clip starts anew.
snStatus snBakeFile_State(snBakeFile* f, int32_t clip, void* state, int32_t* frame, snMessage* why);

#endif
