// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0
// label: full

// Saved bodies of shared rigs: what kernels read and all frames of a clip have the bits of the body
// that was built.

#include <sinew/sinew.h>

#include "base/hash.h"
#include "character/body.h"
#include "rig/shared.h"

#define PATH "saved.body"

static uint64_t playHash(snBody* body, int frames)
{
    snMessage why;
    snFollowDef def;
    snFollow* follow;
    const snRig* rig = snBody_Rig(body);
    size_t most = (size_t)snRig_Info(rig)->vertex_count;
    float* positions = calloc(3 * most, sizeof *positions);
    float* normals = calloc(3 * most, sizeof *normals);
    uint64_t hash = 0;
    snFollowDef_Init(&def);
    assert_ok(snFollow_Create(body, &def, &follow, &why), why);
    for (int i = 0; i < frames; ++i) {
        for (int32_t m = 0; m < snRig_Info(rig)->mesh_count; ++m) {
            size_t bytes = 3 * (size_t)snRig_Mesh(rig, m)->vertex_count * sizeof(float);
            assert_ok(snFollow_Surface(follow, m, positions, normals, &why), why);
            hash = snHash(positions, bytes, hash);
            hash = snHash(normals, bytes, hash);
        }
        assert_ok(snFollow_Advance(follow, &why), why);
    }
    snFollow_Free(follow);
    free(positions);
    free(normals);
    return hash;
}

static void checkRig(const char* name)
{
    char path[1024];
    snMessage why;
    snRig* rig;
    snBody *body, *loaded;
    snBodyDef def;
    snprintf(path, sizeof path, "%s/%s", RIGS, name);
    assert_ok(snRig_Load(NULL, path, &rig, &why), why);
    snBodyDef_Init(&def);
    assert_ok(snBody_Build(NULL, rig, &def, &body, &why), why);
    snRig_Release(rig);
    assert_ok(snBody_Save(body, PATH, &why), why);
    assert_ok(snBody_Load(NULL, PATH, &loaded, &why), why);
    assert_true(snCells_Hash(loaded->made.cells, 0) == snCells_Hash(body->made.cells, 0));
    const snRigClip* clip = snRig_Clip(snBody_Rig(body), 0);
    int frames = (int)fmin(ceil(60 * clip->duration), 120);
    uint64_t wanted = playHash(body, frames);
    snBody_Release(body);
    assert_true(playHash(loaded, frames) == wanted);
    snBody_Release(loaded);
}

static void test_rigs(void** state)
{
    (void)state;
    checkRig("CesiumMan.glb");
    checkRig("RobotExpressive.glb");
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_rigs)};
    if (!haveRigs()) {
        return SKIPPED;
    }
    return cmocka_run_group_tests(tests, NULL, NULL);
}
