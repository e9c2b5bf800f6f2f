// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

// Work in a process of its own, for libraries that fall over what they read: they take nobody
// along. Where there are no processes (WebAssembly, Windows) the work is done here.
#ifndef SN_IMPORT_CHILD_H
#define SN_IMPORT_CHILD_H

#include <stddef.h>

#include "sinew/base.h"

// Fills *bytes as snFile_Read does, from the host that is given: in a child not the caller's, whose
// hooks may wait for threads that are not there. Changes nothing else that the caller sees.
typedef snStatus snChildFcn(void* argument, const snHost* host, uint8_t** bytes, size_t* count,
                            snMessage* why);

typedef struct snChildDef {
    snChildFcn* work;
    void* argument;
    int32_t seconds;    // of processor time that it may take, 1 or more
    double patience;    // s to wait for it: longer, on a busy machine
    size_t memory;      // bytes that it may take
    size_t most;        // bytes that it may answer
    const char* who;    // "Assimp": begins the message when it dies
    const char* advice; // and ends it
} snChildDef;

// What the work returned, or sn_errorFile with "who ended by signal 11 ...; advice" when it ended
// without an answer or passed a limit. Interrupted by the host as all long calls. Release the bytes
// as snFile_Read's.
snStatus snChild_Run(const snHost* host, const snChildDef* def, uint8_t** bytes, size_t* count,
                     snMessage* why);

#endif
