// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0
// label: quick

// GLB files are read back with the JSON reader and must show what the frames said.

#include "io/folder.h"

#include "io/sink/frames.h"
#include "io/sink/glb.h"
#include "io/sink/glb_reader.h"

#define FRAMES 150    // more than two chunks of a track
#define LONG_RUN 1000 // frames; the memory of a shorter run comes in too few pieces
#define RATE 60.0

// Local transforms are in float (6e-8 of 1); five of them in a chain of 2 m stay far below.
#define POSE_TOLERANCE 1e-5

static void writeFrames(Stage* stage, const char* path, int frames)
{
    snMessage why;
    snSink* sink;
    assert_ok(snSink_Open(NULL, stage->scene, path, NULL, &sink, &why), why);
    for (int k = 0; k < frames; ++k) {
        assert_ok(snSink_Write(sink, makeFrame(stage, k, k / RATE), &why), why);
    }
    assert_ok(snSink_Close(sink, &why), why);
}

// What a player would show at each frame is what the frame said.
static void test_poses(void** state)
{
    (void)state;
    Stage stage;
    Glb glb;
    openStage(&stage);
    writeFrames(&stage, "poses.glb", FRAMES);
    readGlb(&glb, "poses.glb");
    assert_int_equal(glb.frame_count, FRAMES);
    for (int k = 0; k < FRAMES; ++k) {
        const snFrame* frame = makeFrame(&stage, k, k / RATE);
        assert_true(glb.times[k] == (float)frame->time);
        for (int32_t i = 0; i < frame->character_count; ++i) {
            const snFrameCharacter* c = &frame->characters[i];
            const snSkeleton* skeleton = snCharacter_Skeleton(snScene_Character(stage.scene, i));
            for (int32_t b = 0; b < c->bone_count; ++b) {
                size_t node = findNode(&glb, c->name, snSkeleton_Bone(skeleton, b)->name);
                snTransform seen = worldPose(&glb, node, (size_t)k);
                assert_below(snLength(snSub(seen.p, c->bones[b].p)), POSE_TOLERANCE);
                assert_close(fabs(snQDot(seen.q, c->bones[b].q)), 1, POSE_TOLERANCE);
            }
        }
    }
    freeGlb(&glb);
    closeStage(&stage);
}

// Nodes hang together as the bones do, and every bone has a shape.
static void test_hierarchy(void** state)
{
    (void)state;
    Stage stage;
    Glb glb;
    openStage(&stage);
    writeFrames(&stage, "hierarchy.glb", 2);
    readGlb(&glb, "hierarchy.glb");
    const snJson* asset = snJson_Get(glb.root, "asset");
    assert_string_equal(snJson_Get(asset, "version")->string, "2.0");
    assert_memory_equal(snJson_Get(asset, "generator")->string, "Sinew ", 6);
    assert_int_equal(glb.node_count, 1 + CHARACTERS + 2 * (ACTOR_BONES + STAND_BONES));
    for (size_t i = 1; i < glb.node_count; ++i) {
        assert_true(glb.parent[i] >= 0);
    }
    for (int32_t i = 0; i < CHARACTERS; ++i) {
        const snSkeleton* skeleton = snCharacter_Skeleton(snScene_Character(stage.scene, i));
        const char* character = stage.characters[i].name;
        for (int32_t b = 0; b < snSkeleton_BoneCount(skeleton); ++b) {
            const snBoneDef* bone = snSkeleton_Bone(skeleton, b);
            size_t node = findNode(&glb, character, bone->name), shapes = 0;
            const char* above =
                bone->parent < 0 ? character : snSkeleton_Bone(skeleton, bone->parent)->name;
            const snJson* parent = glb.nodes[glb.parent[node]];
            assert_string_equal(snJson_Get(parent, "name")->string, above);
            for (size_t k = 0; k < glb.node_count; ++k) {
                shapes += glb.parent[k] == (int)node && snJson_Get(glb.nodes[k], "mesh");
            }
            assert_int_equal(shapes, 1);
        }
    }
    freeGlb(&glb);
    closeStage(&stage);
}

// Only what moves has a channel; signs of rotations follow each other; the times have bounds.
static void test_channels(void** state)
{
    (void)state;
    Stage stage;
    Glb glb;
    openStage(&stage);
    writeFrames(&stage, "channels.glb", FRAMES);
    readGlb(&glb, "channels.glb");
    static const struct {
        const char *character, *bone;
        bool turns, travels;
    } wanted[] = {
        {"actor, first", "root", true, true},
        {"actor, first", "slider", false, true},
        {"actor, first", "shoulder", true, false},
        {"actor, first", "elbow \"left\"", true, false},
        {"actor, first", "hand", false, false},
        {"actor, first", "hip", true, false},
        {"actor, first", "puck", true, true},
        {"stand", "foot", false, false},
        {"stand", "arm", true, false},
    };
    for (size_t i = 0; i < sizeof(wanted) / sizeof(wanted[0]); ++i) {
        size_t node = findNode(&glb, wanted[i].character, wanted[i].bone);
        assert_int_equal(glb.rotation[node] != NULL, wanted[i].turns);
        assert_int_equal(glb.translation[node] != NULL, wanted[i].travels);
        for (size_t k = 1; k < glb.frame_count && wanted[i].turns; ++k) {
            const float *a = glb.rotation[node] + 4 * (k - 1), *b = a + 4;
            assert_true(a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3] > 0);
        }
    }
    const snJson* animation = element(&glb, "animations", 0);
    const snJson* sampler = snJson_At(snJson_Get(animation, "samplers"), 0);
    const snJson* times = element(&glb, "accessors", getSize(sampler, "input"));
    assert_true((float)snJson_At(snJson_Get(times, "min"), 0)->number == glb.times[0]);
    assert_true((float)snJson_At(snJson_Get(times, "max"), 0)->number == glb.times[FRAMES - 1]);
    freeGlb(&glb);
    closeStage(&stage);
}

static snVec3 vertex(const float* v)
{
    return snV3((double)v[0], (double)v[1], (double)v[2]);
}

// A mesh is closed to the eye: faces look outward, normals stand on them, bounds are tight.
static void checkMesh(const Glb* glb, const snJson* mesh)
{
    const snJson* primitive = snJson_At(snJson_Get(mesh, "primitives"), 0);
    const snJson* attributes = snJson_Get(primitive, "attributes");
    size_t count, normals, stride, index = getSize(attributes, "POSITION");
    const float* p = accessor(glb, index, "VEC3", &count, &stride);
    const float* n = accessor(glb, getSize(attributes, "NORMAL"), "VEC3", &normals, &stride);
    assert_int_equal(count, 24);
    assert_int_equal(normals, count);
    snVec3 inside = snV3(0, 0.1, 0);
    double low = 1e9, high = -1e9, volume = 0;
    for (size_t i = 0; i < count; i += 3) {
        snVec3 a = vertex(p + stride * i), b = vertex(p + stride * (i + 1)),
               c = vertex(p + stride * (i + 2));
        snVec3 face = snCross(snSub(b, a), snSub(c, a));
        assert_true(snDot(face, snSub(a, inside)) > 0);
        volume += snDot(a, snCross(b, c)) / 6;
        for (size_t k = 0; k < 3; ++k) {
            snVec3 normal = vertex(n + stride * (i + k));
            assert_below(snLength(snSub(normal, snNormalize(face))), 1e-6);
        }
        low = fmin(low, fmin(a.y, fmin(b.y, c.y)));
        high = fmax(high, fmax(a.y, fmax(b.y, c.y)));
    }
    // two pyramids over a square of area 2
    assert_close(volume, (high - low) * 2 / 3, 1e-6);
    const snJson* positions = element(glb, "accessors", index);
    assert_true(getVec(positions, "min", 9).y == low && getVec(positions, "min", 9).x == -1);
    assert_true(getVec(positions, "max", 9).y == high && getVec(positions, "max", 9).z == 1);
}

// The shape's top is at the bone's tip, its width the bone's radius.
static void test_shapes(void** state)
{
    (void)state;
    Stage stage;
    Glb glb;
    openStage(&stage);
    writeFrames(&stage, "shapes.glb", 2);
    readGlb(&glb, "shapes.glb");
    const snJson* meshes = snJson_Get(glb.root, "meshes");
    for (const snJson* mesh = meshes->child; mesh; mesh = mesh->next) {
        checkMesh(&glb, mesh);
    }
    const snSkeleton* skeleton = snCharacter_Skeleton(snScene_Character(stage.scene, 0));
    for (int32_t b = 0; b < ACTOR_BONES; ++b) {
        const snBoneDef* bone = snSkeleton_Bone(skeleton, b);
        size_t node = findNode(&glb, "actor, first", bone->name), k = 0;
        while (glb.parent[k] != (int)node || !snJson_Get(glb.nodes[k], "mesh")) {
            k += 1;
        }
        double length = snLength(bone->tip);
        snVec3 scale = getVec(glb.nodes[k], "scale", 1);
        snVec3 top = snQRotate(getQuat(glb.nodes[k]), snMul3(scale, snV3(0, 1, 0)));
        const snJson* mesh = element(&glb, "meshes", getSize(glb.nodes[k], "mesh"));
        bool knob = strcmp(snJson_Get(mesh, "name")->string, "knob") == 0;
        assert_int_equal(knob, length == 0);
        assert_true(scale.x == scale.z);
        if (length > 0) {
            assert_below(snLength(snSub(top, bone->tip)), 1e-6);
            assert_close(scale.x, bone->radius > 0 ? bone->radius : 0.1 * length, 1e-6);
        } else {
            assert_true(scale.x == scale.y);
            // a bone without radius is drawn at 5 % of the skeleton's size
            assert_true(bone->radius > 0 ? fabs(scale.x - bone->radius) < 1e-6
                                         : scale.x > 0.025 && scale.x < 0.15);
        }
    }
    freeGlb(&glb);
    closeStage(&stage);
}

// One frame, or many without motion, make a still.
static void test_still(void** state)
{
    (void)state;
    Stage stage;
    openStage(&stage);
    for (int frames = 1; frames < 4; frames += 2) {
        snMessage why;
        snSink* sink;
        Glb glb;
        assert_ok(snSink_Open(NULL, stage.scene, "still.glb", NULL, &sink, &why), why);
        for (int k = 0; k < frames; ++k) {
            makeFrame(&stage, 0, 0.5);
            stage.frame.time = k;
            // noise of the last bits of a double is no motion
            stage.bones[0][2].p.x += 1e-15 * k;
            stage.bones[0][2].q.x += 1e-15 * k;
            assert_ok(snSink_Write(sink, &stage.frame, &why), why);
        }
        assert_ok(snSink_Close(sink, &why), why);
        readGlb(&glb, "still.glb");
        assert_null(snJson_Get(glb.root, "animations"));
        makeFrame(&stage, 0, 0.5);
        snTransform seen = worldPose(&glb, findNode(&glb, "actor, first", "hand"), 0);
        assert_below(snLength(snSub(seen.p, stage.bones[0][4].p)), POSE_TOLERANCE);
        freeGlb(&glb);
    }
    closeStage(&stage);
}

// A bone that begins to move late has its first pose until then.
static void test_late(void** state)
{
    (void)state;
    const int begin = 70;
    Stage stage;
    snMessage why;
    snSink* sink;
    Glb glb;
    openStage(&stage);
    assert_ok(snSink_Open(NULL, stage.scene, "late.glb", NULL, &sink, &why), why);
    for (int k = 0; k < FRAMES; ++k) {
        makeFrame(&stage, 0, k < begin ? 0 : (k - begin + 1) / RATE);
        stage.frame.time = k / RATE;
        assert_ok(snSink_Write(sink, &stage.frame, &why), why);
    }
    assert_ok(snSink_Close(sink, &why), why);
    readGlb(&glb, "late.glb");
    size_t node = findNode(&glb, "stand", "arm");
    for (int k = 0; k < FRAMES; ++k) {
        makeFrame(&stage, 0, k < begin ? 0 : (k - begin + 1) / RATE);
        snTransform seen = worldPose(&glb, node, (size_t)k);
        assert_close(fabs(snQDot(seen.q, stage.bones[1][1].q)), 1, POSE_TOLERANCE);
        assert_true(k == 0 || (memcmp(glb.rotation[node] + 4 * k, glb.rotation[node], 16) == 0) ==
                                  (k < begin));
    }
    freeGlb(&glb);
    closeStage(&stage);
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

// Writes with so many allocations. A frame that found no memory is tried again with enough of it.
// Returns what Open or Close said; *retried: whether a frame failed.
static snStatus writeMetered(Stage* stage, int allocations, const char* path, bool* retried)
{
    Meter meter = {.left = allocations};
    snHost host;
    snHost_Init(&host);
    host.user = &meter;
    host.allocate = meteredAllocate;
    host.release = meteredRelease;
    snMessage why;
    snSink* sink;
    *retried = false;
    snStatus status = snSink_Open(&host, stage->scene, path, NULL, &sink, &why);
    for (int k = 0; k < LONG_RUN && !status; ++k) {
        snStatus written = snSink_Write(sink, makeFrame(stage, k, k / RATE), &why);
        if (written) {
            assert_int_equal(written, sn_errorMemory);
            assert_non_null(strstr(why.text, "memory"));
            *retried = true;
            meter.left = 1000000;
            assert_ok(snSink_Write(sink, &stage->frame, &why), why);
        }
    }
    if (!status) {
        status = snSink_Close(sink, &why);
    }
    if (status) {
        assert_non_null(strstr(why.text, path));
        assert_non_null(strstr(why.text, "memory"));
    }
    assert_int_equal(meter.live, 0);
    return status;
}

// Whichever allocation fails: no leak, no file; and a frame that failed can be written again.
static void test_memory(void** state)
{
    (void)state;
    Stage stage;
    openStage(&stage);
    writeFrames(&stage, "memory.glb", LONG_RUN);
    snMessage why;
    uint8_t *wanted, *got;
    size_t wanted_size, got_size;
    assert_ok(snFile_Read(NULL, "memory.glb", 1 << 24, &wanted, &wanted_size, &why), why);
    int failed = 0, repaired = 0;
    for (int allocations = 0;; ++allocations) {
        assert_true(allocations < 1000);
        bool retried;
        remove("memory.glb");
        snStatus status = writeMetered(&stage, allocations, "memory.glb", &retried);
        if (status) {
            assert_int_equal(status, sn_errorMemory);
            assert_false(fileExists("memory.glb") || fileExists("memory.glb.tmp-0"));
            failed += 1;
            continue;
        }
        assert_ok(snFile_Read(NULL, "memory.glb", 1 << 24, &got, &got_size, &why), why);
        assert_int_equal(got_size, wanted_size);
        assert_memory_equal(got, wanted, wanted_size);
        snHost_Release(NULL, got, got_size + 1);
        repaired += retried;
        if (!retried) {
            break;
        }
    }
    assert_true(failed >= 3 && repaired >= 3);
    snHost_Release(NULL, wanted, wanted_size + 1);
    closeStage(&stage);
}

// A file that is full says so, and what fits can still be had.
static void test_limit(void** state)
{
    (void)state;
    Stage stage;
    snMessage why;
    snSink* sink;
    Glb glb;
    openStage(&stage);
    assert_ok(snSink_Open(NULL, stage.scene, "limit.glb", NULL, &sink, &why), why);
    ((snGlb*)sink->state)->limit = 20000;
    int written = 0;
    while (snSink_Write(sink, makeFrame(&stage, written, written / RATE), &why) == sn_ok) {
        written += 1;
    }
    assert_true(written > 10);
    assert_non_null(strstr(why.text, "20000"));
    assert_int_equal(snSink_Write(sink, &stage.frame, &why), sn_errorUnsupported);
    ((snGlb*)sink->state)->limit = 40000;
    assert_ok(snSink_Close(sink, &why), why);
    readGlb(&glb, "limit.glb");
    assert_int_equal(glb.frame_count, written);
    freeGlb(&glb);

    remove("limit.glb");
    assert_ok(snSink_Open(NULL, stage.scene, "limit.glb", NULL, &sink, &why), why);
    assert_ok(snSink_Write(sink, makeFrame(&stage, 0, 0), &why), why);
    ((snGlb*)sink->state)->limit = 1000;
    assert_int_equal(snSink_Close(sink, &why), sn_errorUnsupported);
    assert_non_null(strstr(why.text, "limit.glb"));
    assert_false(fileExists("limit.glb"));
    closeStage(&stage);
}

// Times that are equal in single precision would make an invalid file.
static void test_times(void** state)
{
    (void)state;
    Stage stage;
    snMessage why;
    snSink* sink;
    openStage(&stage);
    assert_ok(snSink_Open(NULL, stage.scene, "times.glb", NULL, &sink, &why), why);
    assert_ok(snSink_Write(sink, makeFrame(&stage, 0, 86400), &why), why);
    assert_int_equal(snSink_Write(sink, makeFrame(&stage, 1, 86400.0001), &why),
                     sn_errorUnsupported);
    assert_non_null(strstr(why.text, "frame rate"));
    assert_ok(snSink_Write(sink, makeFrame(&stage, 1, 86401), &why), why);
    assert_ok(snSink_Close(sink, &why), why);
    closeStage(&stage);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_poses),    cmocka_unit_test(test_hierarchy),
        cmocka_unit_test(test_channels), cmocka_unit_test(test_shapes),
        cmocka_unit_test(test_still),    cmocka_unit_test(test_late),
        cmocka_unit_test(test_memory),   cmocka_unit_test(test_limit),
        cmocka_unit_test(test_times),
    };
    return cmocka_run_group_tests(tests, enterFolder, leaveFolder);
}
