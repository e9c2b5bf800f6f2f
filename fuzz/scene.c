// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

// Any text either becomes a scene or gets a message that names the file and the place.
#include <sinew/sinew.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t* bytes, size_t count);

// More would fuzz the same code with bigger loops.
#define LARGEST 65536

// One bone, so that ten thousand characters of it are still quick.
static snStatus find(void* user, const snHost* host, const char* name, snSkeleton** skeleton,
                     snMessage* why)
{
    (void)user;
    snBoneDef bone;
    snBoneDef_Init(&bone);
    bone.name = "hub";
    bone.joint = sn_jointFree;
    bone.mass = snMass_Capsule((snVec3){0, 0, 0}, (snVec3){0, 1, 0}, 0.1, 1000);
    *skeleton = NULL;
    return strcmp(name, "starfish") == 0 ? snSkeleton_Create(host, &bone, 1, skeleton, why) : sn_ok;
}

static snStatus findCharacter(void* user, const snHost* host, const char* name,
                              snCharacter** character, snMessage* why)
{
    snSkeleton* skeleton = NULL;
    *character = NULL;
    snStatus status = find(user, host, name, &skeleton, why);
    if (!status && skeleton) {
        status = snCharacter_Create(host, name, skeleton, character, why);
    }
    snSkeleton_Release(skeleton);
    return status;
}

int LLVMFuzzerTestOneInput(const uint8_t* bytes, size_t count)
{
    static const char* const NAMES[] = {"starfish", NULL};
    static const snLibrary LIBRARY = {NULL, find, NAMES, findCharacter, NAMES};
    static const char START[] = "scene.json: line ";
    snScene* scene = NULL;
    snMessage why;
    if (count > LARGEST) {
        return 0;
    }
    snStatus status =
        snScene_Parse(NULL, (const char*)bytes, count, "scene.json", &LIBRARY, &scene, &why);
    if ((status == sn_ok) != (scene != NULL) || (status != sn_ok && status != sn_errorFile) ||
        (status && strncmp(why.text, START, sizeof START - 1) != 0)) {
        abort();
    }
    snScene_Free(scene);
    return 0;
}
