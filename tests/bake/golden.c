// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0
// label: quick

// The same bits everywhere: what baked files show when they are read again.
#include "io/folder.h"

#include "sim/golden_worm.h"
#include <sinew/bake.h>

static const Golden BAKE_SHAPES = {"BAKE_SHAPES", 0x43d0f03892b14fd6};
static const Golden BAKE_EXACT = {"BAKE_EXACT", 0xf98f8fe710791ab3};
static const Golden BAKE_JOINTS = {"BAKE_JOINTS", 0x3581027d5e305db7};
static const Golden BAKE_TWO_WAY = {"BAKE_TWO_WAY", 0x21aaa5c1def39443};
static const Golden BAKE_CACHE = {"BAKE_CACHE", 0x2a5683df53e9be28};

#define RATE 12

// The worm's clip that waves
static const int32_t WAVE = 1;

static snBakeDef usualDef(int32_t as)
{
    snBakeDef def;
    snBakeDef_Init(&def);
    def.as = as;
    def.clips = &WAVE;
    def.clip_count = 1;
    def.rate = RATE;
    return def;
}

// Hashing ---------------------------------------------------------------------

static uint64_t hashReport(const snBakeReport* r, uint64_t hash)
{
    const snBakedClip* c = &r->clips[0];
    double numbers[9] = {c->duration,  c->largest,  c->median,    c->seam,     c->error,
                         c->error_rms, c->turn_rms, c->turn_most, c->root_miss};
    hash = hashWhole(r->joint_count, hashWhole(r->shape_count, hash));
    hash = hashWhole(c->frame_count, hashWhole(r->active_most, hash));
    return hashDoubles(numbers, 9, hash);
}

// Nodes, morph weights and skin of a clip at some times
static uint64_t hashClip(const snRig* rig, int32_t clip, uint64_t hash)
{
    enum { TIMES = 8 };
    snMessage why;
    const snRigInfo* info = snRig_Info(rig);
    const snRigClip* facts = snRig_Clip(rig, clip);
    RigRoom room = openRoom(info);
    for (int k = 0; k <= TIMES; ++k) {
        double time = facts->first + facts->duration * k / TIMES;
        assert_ok(snRig_Pose(rig, clip, time, room.nodes, room.weights, &why), why);
        hash = hashRoom(&room, info, hash);
        for (int32_t i = 0; i < info->mesh_count; ++i) {
            assert_ok(
                snRig_Skin(rig, i, room.nodes, room.weights, room.positions, room.normals, &why),
                why);
            hash = hashSkin(&room, snRig_Mesh(rig, i)->vertex_count, hash);
        }
    }
    closeRoom(&room);
    return hash;
}

static uint64_t hashRig(const char* path, uint64_t hash)
{
    snMessage why;
    snRig* rig;
    assert_ok(snRig_Load(NULL, path, &rig, &why), why);
    for (int32_t i = 0; i < snRig_Info(rig)->clip_count; ++i) {
        hash = hashClip(rig, i, hash);
    }
    snRig_Release(rig);
    return hash;
}

static uint64_t hashFile(const char* path, uint64_t hash)
{
    FILE* file = fopen(path, "rb");
    assert_non_null(file);
    uint8_t bytes[4096];
    for (size_t count; (count = fread(bytes, 1, sizeof bytes, file)) > 0;) {
        hash = snHash(bytes, count, hash);
    }
    fclose(file);
    return hash;
}

// Bakes -----------------------------------------------------------------------

static uint64_t bake(const snHost* host, snBody* body, const snBakeDef* def)
{
    bool is_cache = def->as == sn_bakePc2;
    snMessage why;
    snBakeReport* report;
    assert_ok(snBake(host, body, def, is_cache ? "worm.pc2" : "worm.glb", &report, &why), why);
    uint64_t hash = hashReport(report, 0);
    for (int32_t i = 0; i < report->file_count; ++i) {
        hash = is_cache ? hashFile(report->files[i], hash) : hashRig(report->files[i], hash);
    }
    snBakeReport_Free(report);
    return hash;
}

static void checkBake(const Golden* golden, const snBakeDef* def)
{
    for (int32_t threads = GOLDEN_LEAST; threads <= GOLDEN_MOST; ++threads) {
        snHost host = goldenHost(threads);
        checkGolden(golden, threads, bake(&host, worms[threads], def));
    }
}

static void testShapes(void** state)
{
    (void)state;
    snBakeDef def = usualDef(sn_bakeShapes);
    checkBake(&BAKE_SHAPES, &def);
}

// A shape of its own for every frame
static void testExact(void** state)
{
    (void)state;
    snBakeDef def = usualDef(sn_bakeShapes);
    def.shapes = 0;
    def.ground = 1;
    checkBake(&BAKE_EXACT, &def);
}

static void testJoints(void** state)
{
    (void)state;
    snBakeDef def = usualDef(sn_bakeJoints);
    def.joints = 6;
    checkBake(&BAKE_JOINTS, &def);
}

static void testTwoWay(void** state)
{
    (void)state;
    snBakeDef def = usualDef(sn_bakeShapes);
    def.two_way = 1;
    def.ground = 1;
    checkBake(&BAKE_TWO_WAY, &def);
}

static void testCache(void** state)
{
    (void)state;
    snBakeDef def = usualDef(sn_bakePc2);
    checkBake(&BAKE_CACHE, &def);
}

static int setUp(void** state)
{
    return openWorms(state) || enterFolder(state);
}

static int tearDown(void** state)
{
    return closeWorms(state) || leaveFolder(state);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(testShapes), cmocka_unit_test(testExact), cmocka_unit_test(testJoints),
        cmocka_unit_test(testTwoWay), cmocka_unit_test(testCache),
    };
    int refused = chooseIsa();
    return refused ? refused : cmocka_run_group_tests(tests, setUp, tearDown);
}
