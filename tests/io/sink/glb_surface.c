// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0
// label: quick

// Surfaces in GLB files, shown as a player shows them, are where the frames said, to the error that
// the file states. gltf/validator.sh looks at the files.

#include "io/folder.h"

#include "io/sink/blob.h"
#include "io/sink/glb.h"
#include "io/sink/glb_reader.h"

#define FRAMES 90
#define RATE 60.0

// Positions are floats, seen through two nodes whose transforms are floats too: 6e-8 of 8 m each.
#define ROUNDING 3e-6

static void writeBlobs(FleshStage* f, const char* path, const snHost* host, double error,
                       int frames)
{
    snMessage why;
    snSink* sink;
    snSinkDef def;
    snSinkDef_Init(&def);
    def.error = error;
    assert_ok(snSink_Open(host, f->stage.scene, path, &def, &sink, &why), why);
    for (int k = 0; k < frames; ++k) {
        assert_ok(snSink_Write(sink, makeFleshFrame(f, k, k / RATE), &why), why);
    }
    assert_ok(snSink_Close(sink, &why), why);
}

static const snJson* fitOf(const Glb* glb, int character)
{
    const snJson* extras = snJson_Get(snJson_Get(glb->root, "asset"), "extras");
    return snJson_At(snJson_Get(extras, "surfaces"), (size_t)character);
}

// The largest distance of any vertex at any frame from where it was; *tilt: of any normal, rad
static double measure(FleshStage* f, const Glb* glb, int character, double* tilt)
{
    static snVec3 positions[BLOB_VERTICES], normals[BLOB_VERTICES];
    size_t node = findNode(glb, f->stage.characters[character].name, "surface");
    double worst = 0;
    *tilt = 0;
    for (size_t k = 0; k < glb->frame_count; ++k) {
        makeFleshFrame(f, (int)k, (double)k / RATE);
        showMesh(glb, node, k, positions, normals);
        const Blob* blob = &f->blobs[character];
        for (int i = 0; i < BLOB_VERTICES; ++i) {
            const float* n = blob->normal + 3 * i;
            worst = fmax(worst, snLength(snSub(positions[i], blob->world[i])));
            *tilt = fmax(
                *tilt, snLength(snSub(normals[i], snV3((double)n[0], (double)n[1], (double)n[2]))));
        }
    }
    return worst;
}

// The stated error is kept, and what the file says about itself is true.
static void test_error(void** state)
{
    (void)state;
    static const double errors[] = {1e-2, 1e-3, 1e-4, 0};
    static const char* const paths[] = {"error2.glb", "error3.glb", "error4.glb", "exact.glb"};
    FleshStage f;
    double shapes_before = 0;
    openFleshStage(&f, 1);
    for (int e = 0; e < 4; ++e) {
        Glb glb;
        writeBlobs(&f, paths[e], NULL, errors[e], FRAMES);
        readGlb(&glb, paths[e]);
        for (int c = 0; c < CHARACTERS; ++c) {
            const snJson* fit = fitOf(&glb, c);
            double tilt, found = measure(&f, &glb, c, &tilt);
            double stated = snJson_Get(fit, "error_m")->number;
            double shapes = snJson_Get(fit, "shapes")->number;
            double size = snJson_Get(fit, "size_m")->number;
            print_message("%s, character %d: %g shapes of %d, stated %.3g m, found %.3g m, normals "
                          "%.3g, size %.3g m\n",
                          paths[e], c, shapes, FRAMES - 1, stated, found, tilt, size);
            assert_string_equal(snJson_Get(fit, "character")->string, f.stage.characters[c].name);
            assert_true(size > 0.5 && size < 2);
            assert_true(stated <= errors[e] * size);
            assert_below(found, stated + ROUNDING);
            assert_true(found >= stated - ROUNDING); // it is the error, not a bound
            assert_true(shapes >= shapes_before);
            assert_true(errors[e] > 0 ? shapes < FRAMES / 3.0 : shapes == FRAMES - 1);
            assert_below(tilt, errors[e] > 1e-3 ? 0.2 : errors[e] > 0 ? 0.02 : 1e-6);
            shapes_before = c == 1 ? shapes : shapes_before;
        }
        freeGlb(&glb);
    }
    closeStage(&f.stage);
}

// What is only thrown and turned needs no shapes at all.
static void test_rigid(void** state)
{
    (void)state;
    FleshStage f;
    Glb glb;
    double tilt;
    openFleshStage(&f, 0);
    writeBlobs(&f, "rigid.glb", NULL, 1e-4, FRAMES);
    readGlb(&glb, "rigid.glb");
    size_t node = findNode(&glb, f.stage.characters[0].name, "surface");
    assert_null(glb.weights[node]);
    assert_non_null(glb.rotation[node]);
    assert_true(snJson_Get(fitOf(&glb, 0), "shapes")->number == 0);
    assert_below(measure(&f, &glb, 0, &tilt), ROUNDING);
    assert_below(tilt, 1e-5);
    freeGlb(&glb);
    closeStage(&f.stage);
}

// One frame is a still; so are many of a body that rests.
static void test_still(void** state)
{
    (void)state;
    FleshStage f;
    openFleshStage(&f, 1);
    for (int frames = 1; frames <= 3; frames += 2) {
        snMessage why;
        snSink* sink;
        Glb glb;
        double tilt;
        makeFleshFrame(&f, 0, 0);
        assert_ok(snSink_Open(NULL, f.stage.scene, "flesh_still.glb", NULL, &sink, &why), why);
        for (int k = 0; k < frames; ++k) {
            f.stage.frame.time = k;
            assert_ok(snSink_Write(sink, &f.stage.frame, &why), why);
        }
        assert_ok(snSink_Close(sink, &why), why);
        readGlb(&glb, "flesh_still.glb");
        assert_null(snJson_Get(glb.root, "animations"));
        glb.frame_count = 1;
        assert_below(measure(&f, &glb, 1, &tilt), ROUNDING);
        freeGlb(&glb);
    }
    closeStage(&f.stage);
}

// Bones stay as nodes that move, but are drawn only where there is no surface.
static void test_nodes(void** state)
{
    (void)state;
    FleshStage f;
    Glb glb;
    openFleshStage(&f, 1);
    f.stage.characters[1].surface_count = 0;
    writeBlobs(&f, "nodes.glb", NULL, 1e-3, 10);
    readGlb(&glb, "nodes.glb");
    assert_int_equal(glb.node_count, 1 + CHARACTERS + ACTOR_BONES + 1 + 2 * STAND_BONES);
    size_t meshes = 0;
    for (size_t i = 0; i < glb.node_count; ++i) {
        meshes += snJson_Get(glb.nodes[i], "mesh") != NULL;
        const snJson* children = snJson_Get(glb.nodes[i], "children");
        assert_true(!children || children->count > 0);
    }
    assert_int_equal(meshes, 1 + STAND_BONES);
    for (int k = 0; k < 10; ++k) {
        makeFleshFrame(&f, k, k / RATE);
        size_t hand = findNode(&glb, f.stage.characters[0].name, "hand");
        snTransform seen = worldPose(&glb, hand, (size_t)k);
        assert_below(snLength(snSub(seen.p, f.stage.bones[0][4].p)), 1e-5);
    }
    freeGlb(&glb);
    closeStage(&f.stage);
}

// A body without bones is a surface alone; its node stands in its middle, however far away.
static void test_boneless(void** state)
{
    (void)state;
    static const double vertices[12] = {0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1};
    static const int32_t triangles[12] = {0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 3};
    FleshStage f;
    Glb glb;
    snMessage why;
    snCharacterDef def;
    snCharacter* body;
    double tilt;
    openFleshStage(&f, 1);
    snCharacterDef_Init(&def);
    def.vertex_count = def.triangle_count = 4;
    def.vertices = vertices;
    def.triangles = triangles;
    def.cells = 30;
    assert_ok(snCharacter_Build(NULL, &def, &body, &why), why);
    snScene* scene = f.stage.scene;
    assert_ok(snScene_Create(NULL, NULL, &f.stage.scene, &why), why);
    assert_ok(snScene_Add(f.stage.scene, body, NULL, NULL, &why), why);

    snSink* sink;
    snFrameCharacter alone = f.stage.characters[1];
    alone.name = "body";
    alone.bone_count = 0;
    alone.bones = NULL;
    assert_ok(snSink_Open(NULL, f.stage.scene, "boneless.glb", NULL, &sink, &why), why);
    for (int k = 0; k < 20; ++k) {
        moveBlob(&f.blobs[1], k / RATE + 0.1, 1, alone.origin);
        const snFrame frame = {.time = k / RATE, .character_count = 1, .characters = &alone};
        assert_ok(snSink_Write(sink, &frame, &why), why);
    }
    assert_ok(snSink_Close(sink, &why), why);
    snScene_Free(f.stage.scene);
    f.stage.scene = scene;
    f.stage.characters[1].name = "body";
    readGlb(&glb, "boneless.glb");
    assert_int_equal(glb.node_count, 3);
    assert_true(getVec(glb.nodes[1], "translation", 0).x > FAR_ORIGIN);
    double stated = snJson_Get(fitOf(&glb, 0), "error_m")->number;
    assert_below(measure(&f, &glb, 1, &tilt), stated + ROUNDING);
    freeGlb(&glb);
    snCharacter_Release(body);
    closeStage(&f.stage);
}

static void test_triangles(void** state)
{
    (void)state;
    FleshStage f;
    Glb glb;
    openFleshStage(&f, 1);
    writeBlobs(&f, "triangles.glb", NULL, 1e-3, 2);
    readGlb(&glb, "triangles.glb");
    size_t node = findNode(&glb, f.stage.characters[1].name, "surface");
    const snJson* mesh = element(&glb, "meshes", getSize(glb.nodes[node], "mesh"));
    const snJson* primitive = snJson_At(snJson_Get(mesh, "primitives"), 0);
    const snJson* a = element(&glb, "accessors", getSize(primitive, "indices"));
    const snJson* view = element(&glb, "bufferViews", getSize(a, "bufferView"));
    assert_int_equal(getSize(a, "componentType"), 5125);
    assert_int_equal(getSize(a, "count"), 3 * BLOB_TRIANGLES);
    assert_int_equal(getSize(view, "byteLength"), sizeof f.blobs[1].triangles);
    assert_memory_equal(glb.binary + getSize(view, "byteOffset"), f.blobs[1].triangles,
                        sizeof f.blobs[1].triangles);
    freeGlb(&glb);
    closeStage(&f.stage);
}

// The same bytes for any number of threads.
static void test_threads(void** state)
{
    (void)state;
    uint8_t* bytes[2];
    size_t size[2];
    for (int i = 0; i < 2; ++i) {
        FleshStage f;
        snMessage why;
        snHost host;
        snHost_Init(&host);
        host.thread_count = i == 0 ? 1 : 3;
        openFleshStage(&f, 1);
        writeBlobs(&f, "threads.glb", &host, 1e-3, FRAMES);
        assert_ok(snFile_Read(NULL, "threads.glb", 1 << 24, &bytes[i], &size[i], &why), why);
        closeStage(&f.stage);
    }
    assert_int_equal(size[0], size[1]);
    assert_memory_equal(bytes[0], bytes[1], size[0]);
    for (int i = 0; i < 2; ++i) {
        snHost_Release(NULL, bytes[i], size[i] + 1);
    }
}

// Beyond its share of memory, frames are refused with advice, and those before can be saved.
static void test_limit(void** state)
{
    (void)state;
    FleshStage f;
    snMessage why;
    snSink* sink;
    Glb glb;
    openFleshStage(&f, 1);
    assert_ok(snSink_Open(NULL, f.stage.scene, "flesh_limit.glb", NULL, &sink, &why), why);
    ((snGlb*)sink->state)->memory = 10 * CHARACTERS * BLOB_VERTICES * 24;
    int written = 0;
    while (snSink_Write(sink, makeFleshFrame(&f, written, written / RATE), &why) == sn_ok) {
        written += 1;
    }
    assert_int_equal(written, 10);
    assert_non_null(strstr(why.text, ".obj"));
    assert_non_null(strstr(why.text, "frame rate"));
    assert_ok(snSink_Close(sink, &why), why);
    readGlb(&glb, "flesh_limit.glb");
    assert_int_equal(glb.frame_count, 10);
    freeGlb(&glb);
    closeStage(&f.stage);
}

static void spoilPosition(FleshStage* f)
{
    f->blobs[0].position[7] = NAN;
}

static void spoilNormal(FleshStage* f)
{
    f->blobs[1].normal[5] = INFINITY;
}

static void spoilOrigin(FleshStage* f)
{
    f->stage.characters[0].origin.y = (double)NAN;
}

static void spoilIndex(FleshStage* f)
{
    f->blobs[0].triangles[3] = BLOB_VERTICES;
}

static void spoilVertices(FleshStage* f)
{
    f->blobs[0].surface.vertex_count -= 1;
}

static void spoilTriangles(FleshStage* f)
{
    f->blobs[1].surface.triangle_count -= 1;
}

static void spoilCount(FleshStage* f)
{
    f->stage.characters[1].surface_count = 0;
}

static void spoilPointer(FleshStage* f)
{
    f->blobs[1].surface.normal = NULL;
}

// Frames that make no sense are refused and leave no trace.
static void test_refused(void** state)
{
    (void)state;
    static void (*const spoils[])(FleshStage*) = {spoilPosition, spoilNormal,   spoilOrigin,
                                                  spoilIndex,    spoilVertices, spoilTriangles,
                                                  spoilCount,    spoilPointer};
    FleshStage f, copy;
    snMessage why;
    snSink* sink;
    Glb glb;
    double tilt;
    openFleshStage(&f, 1);
    assert_ok(snSink_Open(NULL, f.stage.scene, "flesh_refused.glb", NULL, &sink, &why), why);
    assert_ok(snSink_Write(sink, makeFleshFrame(&f, 0, 0), &why), why);
    for (size_t i = 0; i < sizeof spoils / sizeof *spoils; ++i) {
        openFleshStage(&copy, 1);
        makeFleshFrame(&copy, 1, 1 / RATE);
        spoils[i](&copy);
        assert_int_equal(snSink_Write(sink, &copy.stage.frame, &why), sn_errorArgument);
        assert_non_null(strstr(why.text, "character '"));
        closeStage(&copy.stage);
    }
    assert_ok(snSink_Write(sink, makeFleshFrame(&f, 1, 1 / RATE), &why), why);
    assert_ok(snSink_Close(sink, &why), why);
    readGlb(&glb, "flesh_refused.glb");
    assert_int_equal(glb.frame_count, 2);
    assert_below(measure(&f, &glb, 0, &tilt), 1e-3);
    freeGlb(&glb);
    closeStage(&f.stage);
}

typedef struct Meter {
    int left;    // allocations that still succeed
    size_t live; // bytes
} Meter;

static void* meteredAllocate(void* user, size_t bytes, size_t alignment)
{
    Meter* meter = user;
    if (meter->left-- <= 0) {
        return NULL;
    }
    meter->live += bytes;
    return aligned_alloc(alignment, (bytes + alignment - 1) / alignment * alignment);
}

static void meteredRelease(void* user, void* memory, size_t bytes)
{
    ((Meter*)user)->live -= bytes;
    free(memory);
}

// Whichever allocation fails, there is an error about memory, no leak and no file.
static void test_memory(void** state)
{
    (void)state;
    FleshStage f;
    openFleshStage(&f, 1);
    snStatus status = sn_errorMemory;
    int allocations = 0;
    for (; status; ++allocations) {
        assert_true(allocations < 1000);
        Meter meter = {.left = allocations};
        snHost host;
        snHost_Init(&host);
        host.user = &meter;
        host.allocate = meteredAllocate;
        host.release = meteredRelease;
        host.thread_count = 1;
        snMessage why;
        snSink* sink;
        remove("flesh_memory.glb");
        status = snSink_Open(&host, f.stage.scene, "flesh_memory.glb", NULL, &sink, &why);
        for (int k = 0; k < 40 && !status; ++k) {
            status = snSink_Write(sink, makeFleshFrame(&f, k, k / RATE), &why);
            if (status) {
                snSink_Abort(sink);
            }
        }
        status = status ? status : snSink_Close(sink, &why);
        assert_true(status == sn_ok || status == sn_errorMemory);
        assert_true(status == sn_ok || strstr(why.text, "memory"));
        assert_int_equal(fileExists("flesh_memory.glb"), status == sn_ok);
        assert_int_equal(meter.live, 0);
    }
    assert_true(allocations > 10);
    closeStage(&f.stage);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_error),    cmocka_unit_test(test_rigid),
        cmocka_unit_test(test_still),    cmocka_unit_test(test_nodes),
        cmocka_unit_test(test_boneless), cmocka_unit_test(test_triangles),
        cmocka_unit_test(test_threads),  cmocka_unit_test(test_limit),
        cmocka_unit_test(test_refused),  cmocka_unit_test(test_memory),
    };
    return cmocka_run_group_tests(tests, enterFolder, leaveFolder);
}
