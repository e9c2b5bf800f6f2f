// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0
// label: quick

// The VTK files of a run hold the frame's own numbers, under the names and lengths they state.

#include "io/folder.h"

#include "base/file.h"
#include "base/memory.h"
#include "io/sink/frames.h"
#include <sinew/sim.h>

#define FRAMES 3
#define BODIES 2 // with flesh, of 3 characters

// Beyond 512 m positions are taken from an origin of the character's own.
#define FAR_X 20000.0

static snCharacter* makeBox(double side)
{
    static const int32_t faces[6][4] = {{0, 2, 3, 1}, {4, 5, 7, 6}, {0, 1, 5, 4},
                                        {2, 6, 7, 3}, {0, 4, 6, 2}, {1, 3, 7, 5}};
    double vertices[8][3];
    int32_t triangles[12][3];
    snCharacterDef def;
    snCharacter* character;
    snMessage why;
    for (int i = 0; i < 8; ++i) {
        vertices[i][0] = i & 1 ? side : 0;
        vertices[i][1] = i & 2 ? side : 0;
        vertices[i][2] = i & 4 ? side : 0;
    }
    for (int i = 0; i < 6; ++i) {
        const int32_t* f = faces[i];
        const int32_t pair[2][3] = {{f[0], f[1], f[2]}, {f[0], f[2], f[3]}};
        memcpy(triangles[2 * i], pair, sizeof pair);
    }
    snCharacterDef_Init(&def);
    def.name = "box";
    def.vertex_count = 8;
    def.triangle_count = 12;
    def.vertices = vertices[0];
    def.triangles = triangles[0];
    def.cells = 200;
    assert_ok(snCharacter_Build(NULL, &def, &character, &why), why);
    return character;
}

// Bones alone between two boxes that fall on the ground, the second one spinning and far away
static snScene* makeScene(void)
{
    snMessage why;
    snScene* scene;
    snSceneDef def;
    snStart start;
    snBoneDef bone = boneDef("bone", -1, sn_jointFree, snV3(0, 0, 0), snV3(0, 1, 0));
    snCharacter* cast[3] = {makeBox(0.3), makeCharacter("bones", &bone, 1), makeBox(0.2)};
    snSceneDef_Init(&def);
    def.ground = 1;
    assert_ok(snScene_Create(NULL, &def, &scene, &why), why);
    for (int i = 0; i < 3; ++i) {
        snStart_Init(&start);
        start.pose.p = snV3(i == 2 ? FAR_X : 0, 0.02, 0);
        start.velocity = snV3(0, i == 2 ? -3 : 0, 0);
        assert_ok(snScene_Add(scene, cast[i], &start, NULL, &why), why);
        snCharacter_Release(cast[i]);
    }
    return scene;
}

// The appended values of an array: the n-th of that name in the file, whose length must be this
static const void* findArray(const uint8_t* bytes, size_t size, const char* type, const char* name,
                             int n, size_t length)
{
    const char *text = (const char*)bytes, *at = text, *data = strstr(text, "encoding=\"raw\">\n_");
    char wanted[96];
    uint64_t stated;
    snprintf(wanted, sizeof wanted, "<DataArray type=\"%s\" Name=\"%s\" ", type, name);
    for (int i = 0; i <= n; ++i) {
        at = strstr(at + (i > 0), wanted);
        assert_non_null(at);
    }
    assert_non_null(data);
    at = strstr(at, "offset=\"");
    size_t start = (size_t)(data - text) + 17 + (size_t)atoll(at + 8);
    assert_true(start + 8 + length <= size);
    memcpy(&stated, bytes + start, 8);
    assert_int_equal(stated, length);
    return bytes + start + 8;
}

static void checkPlaces(const uint8_t* found, snVec3 origin, const float* x, int32_t count)
{
    for (size_t i = 0; i < (size_t)count; ++i) {
        const double wanted[3] = {origin.x + (double)x[3 * i], origin.y + (double)x[3 * i + 1],
                                  origin.z + (double)x[3 * i + 2]};
        assert_memory_equal(found + 24 * i, wanted, 24);
    }
}

static void checkCells(const char* path, int n, const snFrameCharacter* c, const snFleshInfo* info)
{
    snMessage why;
    uint8_t* b;
    size_t size, nodes = (size_t)info->node_count, cells = (size_t)info->cell_count;
    assert_ok(snFile_Read(NULL, path, 1 << 24, &b, &size, &why), why);
    checkPlaces(findArray(b, size, "Float64", "Points", n, nodes * 24), c->origin, c->nodes,
                c->node_count);
    assert_memory_equal(findArray(b, size, "Float32", "velocity", n, nodes * 12),
                        c->node_velocities, nodes * 12);
    assert_memory_equal(findArray(b, size, "Int32", "bone", n, nodes * 4), info->fixed, nodes * 4);
    assert_memory_equal(findArray(b, size, "Int32", "connectivity", n, cells * 16), info->cells,
                        cells * 16);
    assert_memory_equal(findArray(b, size, "Float64", "fill", n, cells * 8), info->fill, cells * 8);
    const uint8_t* types = findArray(b, size, "UInt8", "types", n, cells);
    const uint8_t* ends = findArray(b, size, "Int32", "offsets", n, cells * 4);
    const uint8_t* who = findArray(b, size, "Int32", "character", n, cells * 4);
    const uint8_t* inverted = findArray(b, size, "UInt8", "inverted", n, cells);
    int64_t turned = 0;
    for (size_t i = 0; i < cells; ++i) {
        int32_t end, number;
        memcpy(&end, ends + 4 * i, 4);
        memcpy(&number, who + 4 * i, 4);
        assert_true(types[i] == 10 && end == (int32_t)(4 * (i + 1)) && number == 2 * n);
        turned += inverted[i];
    }
    assert_int_equal(turned, c->inverted);
    snHost_Release(NULL, b, size + 1);
}

static void checkSurface(const char* path, int n, const snFrameCharacter* c)
{
    snMessage why;
    uint8_t* b;
    const snFrameSurface* s = c->surfaces;
    size_t size, vertices = (size_t)s->vertex_count, triangles = (size_t)s->triangle_count;
    assert_ok(snFile_Read(NULL, path, 1 << 24, &b, &size, &why), why);
    checkPlaces(findArray(b, size, "Float64", "Points", n, vertices * 24), c->origin, s->position,
                s->vertex_count);
    assert_memory_equal(findArray(b, size, "Float32", "normal", n, vertices * 12), s->normal,
                        vertices * 12);
    assert_memory_equal(findArray(b, size, "Int32", "connectivity", n, triangles * 12),
                        s->triangles, triangles * 12);
    snHost_Release(NULL, b, size + 1);
}

// The largest of a cell array of floats
static float largest(const char* path, const char* name, int n, const snFleshInfo* info)
{
    snMessage why;
    uint8_t* b;
    size_t size, cells = (size_t)info->cell_count;
    float most = -1, value;
    assert_ok(snFile_Read(NULL, path, 1 << 24, &b, &size, &why), why);
    const uint8_t* values = findArray(b, size, "Float32", name, n, cells * 4);
    for (size_t i = 0; i < cells; ++i) {
        memcpy(&value, values + 4 * i, 4);
        most = value > most ? value : most;
    }
    snHost_Release(NULL, b, size + 1);
    return most;
}

static void test_frames(void** state)
{
    (void)state;
    snMessage why;
    snSim* sim;
    snSink* sink;
    snScene* scene = makeScene();
    const snFleshInfo* info = snCharacter_Flesh(snScene_Character(scene, 0));
    remove("fall & rise.pvd");
    assert_ok(snSim_Create(scene, &sim, &why), why);
    assert_ok(snSink_Open(NULL, scene, "fall & rise.pvd", NULL, &sink, &why), why);
    for (int k = 0; k < FRAMES; ++k) {
        char path[64];
        const snFrame* frame = snSim_Frame(sim);
        assert_ok(snSink_Write(sink, frame, &why), why);
        for (int n = 0; n < BODIES; ++n) {
            const snFrameCharacter* c = &frame->characters[2 * n];
            snprintf(path, sizeof path, "fall & rise_%04d.vtu", k);
            checkCells(path, n, c, snCharacter_Flesh(snScene_Character(scene, 2 * n)));
            snprintf(path, sizeof path, "fall & rise_%04d.vtp", k);
            checkSurface(path, n, c);
        }
        assert_true(frame->characters[2].origin.x > FAR_X - 1024);
        assert_ok(snSim_Advance(sim, 0.05, &why), why);
    }
    assert_false(fileExists("fall & rise.pvd"));
    assert_ok(snSink_Close(sink, &why), why);
    // at rest nothing is stretched but by rounding, on the ground much is
    assert_close((double)largest("fall & rise_0000.vtu", "stretch", 0, info), 1, 1e-5);
    assert_true(largest("fall & rise_0000.vtu", "stress", 0, info) < 1);
    assert_true(largest("fall & rise_0002.vtu", "stretch", 0, info) > 1.001f);
    assert_true(largest("fall & rise_0002.vtu", "stress", 0, info) > 100);
    snSim_Free(sim);
    snScene_Free(scene);
}

static void test_collection(void** state)
{
    (void)state;
    snMessage why;
    uint8_t* b;
    size_t size;
    assert_ok(snFile_Read(NULL, "fall & rise.pvd", 1 << 20, &b, &size, &why), why);
    const char* text = (const char*)b;
    for (int k = 0; k < FRAMES; ++k) {
        for (int part = 0; part < 2; ++part) {
            char line[128];
            snprintf(line, sizeof line,
                     "part=\"%d\" name=\"%s\" file=\"fall &amp; rise_%04d.%s\"/>", part,
                     part ? "surface" : "cells", k, part ? "vtp" : "vtu");
            assert_non_null(strstr(text, line));
        }
    }
    assert_non_null(strstr(text, "timestep=\"0\""));
    assert_non_null(strstr(text, "</VTKFile>\n"));
    snHost_Release(NULL, b, size + 1);
}

// One frame alone goes to files of the very name, whatever of the two extensions it has.
static void test_single(void** state)
{
    (void)state;
    snMessage why;
    snSim* sim;
    snSink* sink;
    snSinkDef def;
    snScene* scene = makeScene();
    snSinkDef_Init(&def);
    def.single = 1;
    assert_ok(snSim_Create(scene, &sim, &why), why);
    static const char* const paths[] = {"last.vtu", "end.pvd"};
    for (int i = 0; i < 2; ++i) {
        assert_ok(snSink_Open(NULL, scene, paths[i], &def, &sink, &why), why);
        assert_ok(snSink_Write(sink, snSim_Frame(sim), &why), why);
        assert_ok(snSink_Close(sink, &why), why);
    }
    assert_true(fileExists("last.vtu") && fileExists("last.vtp"));
    assert_true(fileExists("end.vtu") && fileExists("end.vtp"));
    assert_false(fileExists("last.pvd") || fileExists("last_0000.vtu") || fileExists("end.pvd"));
    checkCells("last.vtu", 0, &snSim_Frame(sim)->characters[0],
               snCharacter_Flesh(snScene_Character(scene, 0)));
    snSim_Free(sim);
    snScene_Free(scene);
}

// remove() takes a folder only when it is empty.
static void test_abort(void** state)
{
    (void)state;
    snMessage why;
    snSim* sim;
    snSink* sink;
    snScene* scene = makeScene();
    assert_ok(snSim_Create(scene, &sim, &why), why);
    mkdir("folder", 0700);
    assert_ok(snSink_Open(NULL, scene, "folder/x.vtu", NULL, &sink, &why), why);
    assert_ok(snSink_Write(sink, snSim_Frame(sim), &why), why);
    assert_true(fileExists("folder/x_0000.vtu") && fileExists("folder/x_0000.vtp"));
    snSink_Abort(sink);
    assert_int_equal(remove("folder"), 0);
    snSim_Free(sim);
    snScene_Free(scene);
}

static void test_refusals(void** state)
{
    (void)state;
    snMessage why;
    snSim* sim;
    snSink* sink;
    Stage bones;
    openStage(&bones);
    assert_int_equal(snSink_Open(NULL, bones.scene, "bones.pvd", NULL, &sink, &why),
                     sn_errorUnsupported);
    assert_non_null(strstr(why.text, "bones alone"));
    closeStage(&bones);

    snScene* scene = makeScene();
    assert_int_equal(snSink_Open(NULL, scene, "no folder/x.pvd", NULL, &sink, &why), sn_errorIo);
    assert_ok(snSim_Create(scene, &sim, &why), why);
    assert_ok(snSink_Open(NULL, scene, "refused.pvd", NULL, &sink, &why), why);
    // what is not of this scene, or not a number
    snFrame frame = *snSim_Frame(sim);
    snFrameCharacter changed[3];
    float nodes[4096] = {(float)NAN};
    memcpy(changed, frame.characters, sizeof changed);
    frame.characters = changed;
    changed[2].node_count -= 1;
    assert_int_equal(snSink_Write(sink, &frame, &why), sn_errorArgument);
    assert_non_null(strstr(why.text, "'box'"));
    changed[2].node_count += 1;
    assert_true(3 * changed[2].node_count <= 4096);
    changed[2].nodes = nodes;
    assert_int_equal(snSink_Write(sink, &frame, &why), sn_errorArgument);
    snSink_Abort(sink);
    assert_false(fileExists("refused_0000.vtu"));
    snSim_Free(sim);
    snScene_Free(scene);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_frames),   cmocka_unit_test(test_collection),
        cmocka_unit_test(test_single),   cmocka_unit_test(test_abort),
        cmocka_unit_test(test_refusals),
    };
    return cmocka_run_group_tests(tests, enterFolder, leaveFolder);
}
