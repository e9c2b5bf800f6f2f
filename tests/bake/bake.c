// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0
// label: full

#include "io/folder.h"

#include "bake/baked.h"

#include "base/file.h"
#include "base/random.h"
#include "flesh/legs.h"
#include "io/gltf/gltf.h"
#include "math/trig.h"

// Of the size. Positions, differences and weights are floats.
static const double rounding = 2e-6;

#define RATE 30

// A rig: a column on two joints --------------------------------------------------------

#define KEYS 13 // of a clip, 30 a second

static int addColumn(Document* d, snArena* arena)
{
    snSurface s = makePrism(arena, 12, 8, snV3(0, 0, 0), 0.12, 0.6);
    static double position[3000], normal[3000], joints[4000], weights[4000], triangles[9000];
    snVec3* n = snArena_Push(arena, (size_t)s.vertex_count, sizeof *n);
    assert_true(s.vertex_count < 1000 && s.triangle_count < 3000);
    snSurface_Normals(&s, n);
    for (int32_t v = 0; v < s.vertex_count; ++v) {
        snVec3 p = s.position[v];
        double up = fmin(1, fmax(0, p.y / 0.6));
        position[3 * v] = p.x, position[3 * v + 1] = p.y, position[3 * v + 2] = p.z;
        normal[3 * v] = n[v].x, normal[3 * v + 1] = n[v].y, normal[3 * v + 2] = n[v].z;
        joints[4 * v + 1] = 1;
        weights[4 * v] = 1 - up, weights[4 * v + 1] = up;
    }
    for (int32_t i = 0; i < 3 * s.triangle_count; ++i) {
        triangles[i] = s.triangle[i];
    }
    addNumbers(d, "VEC3", G_FLOAT, position, s.vertex_count, 3);
    addNumbers(d, "VEC3", G_FLOAT, normal, s.vertex_count, 3);
    addNumbers(d, "VEC4", G_UBYTE, joints, s.vertex_count, 4);
    addNumbers(d, "VEC4", G_FLOAT, weights, s.vertex_count, 4);
    return addNumbers(d, "SCALAR", G_USHORT, triangles, 3 * s.triangle_count, 1);
}

// Translations of the root: 0 sways to and fro, 1 goes up and stops, 2 stands still
static void addClip(Document* d, int kind)
{
    double times[KEYS], values[3 * KEYS] = {0};
    for (int i = 0; i < KEYS; ++i) {
        double t = (double)i / (KEYS - 1);
        times[i] = i / 30.0;
        values[3 * i] = kind == 0 ? 0.1 * snSin(2 * SN_PI * t) : 0;
        values[3 * i + 1] = kind == 1 ? 0.3 * t * t * (3 - 2 * t) : 0;
    }
    addNumbers(d, "SCALAR", G_FLOAT, times, KEYS, 1);
    addNumbers(d, "VEC3", G_FLOAT, values, KEYS, 3);
}

#define CLIP(name, input, output)                                                             \
    "{'name':'" name "','channels':[{'sampler':0,'target':{'node':1,'path':'translation'}}]," \
    "'samplers':[{'input':" input ",'output':" output "}]}"

static snBody* makeBody(bool clips)
{
    static Document d;
    snArena arena;
    snMessage why;
    snBody* body;
    snBodyDef def;
    d = (Document){0};
    snArena_Init(&arena, NULL);
    addColumn(&d, &arena);
    snArena_Free(&arena);
    for (int kind = 0; kind < 3; ++kind) {
        addClip(&d, kind);
    }
    char rest[4096];
    snprintf(rest, sizeof rest,
             "'meshes':[{'name':'column','primitives':[{'attributes':{'POSITION':0,'NORMAL':1,"
             "'JOINTS_0':2,'WEIGHTS_0':3},'indices':4}]}],"
             "'nodes':[{'mesh':0,'skin':0},{'name':'root','children':[2]},"
             "{'name':'top','translation':[0,0.3,0]}],"
             "'skins':[{'joints':[1,2]}],'scenes':[{'nodes':[0,1]}],'scene':0%s",
             clips ? ",'animations':[" CLIP("sway", "5", "6") "," CLIP("go", "7", "8") "," CLIP(
                         "still", "9", "10") "]"
                   : "");
    snRig* rig = parseDocument(&d, rest);
    const char* soft[] = {"root", "top"};
    snBodyDef_Init(&def);
    def.quality = sn_qualityDraft;
    def.softness = 2; // few steps
    def.damping = 1;  // loops settle soon
    def.soft = soft;
    def.soft_count = 2;
    assert_ok(snBody_Build(NULL, rig, &def, &body, &why), why);
    snRig_Release(rig);
    return body;
}

static snBody* column; // with clips

static int setUp(void** state)
{
    column = makeBody(true);
    return enterFolder(state);
}

static int tearDown(void** state)
{
    snBody_Release(column);
    return leaveFolder(state);
}

// Baking ---------------------------------------------------------------------------

// A host that interrupts after some frames
typedef struct Stop {
    int left;
} Stop;

static int stopNow(void* user)
{
    Stop* stop = user;
    return stop->left-- <= 0;
}

static snBakeDef usualDef(void)
{
    snBakeDef def;
    snBakeDef_Init(&def);
    def.rate = RATE;
    return def;
}

static snBakeReport* bakeTo(snBody* body, const snBakeDef* def, const char* path)
{
    snMessage why;
    snBakeReport* report;
    assert_ok(snBake(NULL, body, def, path, &report, &why), why);
    assert_int_equal(report->complete, 1);
    return report;
}

// Times that a host is asked while both clips are simulated
#define MOST_ASKED (2 * (KEYS - 1))

static void interruptAfter(snBody* body, int frames, const char* path)
{
    Stop stop = {frames};
    snHost host;
    snMessage why;
    snRig* rig;
    snBakeReport* report;
    snBakeDef def = usualDef();
    snHost_Init(&host);
    host.user = &stop;
    host.interrupted = stopNow;
    assert_int_equal(snBake(&host, body, &def, path, &report, &why), sn_errorInterrupted);
    assert_int_equal(report->complete, 0);
    if (report->path[0]) {
        assert_ok(snRig_Load(NULL, report->path, &rig, &why), why); // it can be used
        assert_true(snRig_Info(rig)->is_baked);
        snRig_Release(rig);
    } else {
        assert_true(frames > MOST_ASKED); // all was simulated; shapes were not found
    }
    snBakeReport_Free(report);
}

static bool isThere(const char* path)
{
    struct stat info;
    return stat(path, &info) == 0;
}

static void expectSame(const char* a, const char* b)
{
    snMessage why;
    uint8_t *x, *y;
    size_t nx, ny;
    assert_ok(snFile_Read(NULL, a, SIZE_MAX / 4, &x, &nx, &why), why);
    assert_ok(snFile_Read(NULL, b, SIZE_MAX / 4, &y, &ny, &why), why);
    assert_int_equal(nx, ny);
    assert_memory_equal(x, y, nx);
    snHost_Release(NULL, x, nx + 1);
    snHost_Release(NULL, y, ny + 1);
}

// What was written shows what was simulated, within the error that was reported.
static void expectShown(snBody* body, const char* path, const snBakeReport* report, double most)
{
    snMessage why;
    snRig* new;
    double size = body->made.size;
    assert_ok(snRig_Load(NULL, path, &new, &why), why);
    for (int32_t i = 0; i < report->clip_count; ++i) {
        const snBakedClip* c = &report->clips[i];
        if (!c->skipped) {
            double angle = 0, miss = compareClip(body, new, c, c->frame_count, &angle);
            assert_true(c->largest > 0.003 * size && c->median <= c->largest);
            assert_below(miss, c->error + rounding * size);
            assert_below(c->error, most * size + c->seam);
            assert_true(c->error <= c->largest); // else no flesh would be nearer
            assert_below(c->error_rms, c->error);
            // normals follow the same weights: they are off by the slope of what places are off,
            // over half the size
            assert_below(angle, 2 * most + 1e-4);
        }
    }
    snRig_Release(new);
}

// Tests ----------------------------------------------------------------------------

static void test_shapes(void** state)
{
    (void)state;
    snBody* body = column;
    snBakeDef def = usualDef();
    snBakeReport* report = bakeTo(body, &def, "shapes.glb");
    assert_int_equal(report->clip_count, 3);
    assert_true(report->clips[0].is_loop && !report->clips[1].is_loop);
    assert_true(report->clips[2].skipped && report->clips[2].frame_count == 0);
    assert_int_equal(report->clips[0].frame_count, KEYS);
    assert_true(report->shape_count > 0 && report->active_most <= 8);
    assert_int_equal(report->singular_count, 0);
    assert_false(isThere("shapes.glb.frames"));
    expectShown(body, "shapes.glb", report, 1e-3);
    snBakeReport_Free(report);

    // 2 s is not a multiple of a frame: the last key is still the clip's last time
    def.rate = 37;
    def.shapes = 2;
    report = bakeTo(body, &def, "few.glb");
    assert_true(report->active_most <= 2);
    assert_int_equal(report->clips[0].frame_count, (int)ceil(37 * 12 / 30.0) + 1);
    expectShown(body, "few.glb", report, 0.05);
    snBakeReport_Free(report);
}

static void test_exact(void** state)
{
    (void)state;
    snBody* body = column;
    snBakeDef def = usualDef();
    def.shapes = 0;
    snBakeReport* report = bakeTo(body, &def, "exact.glb");
    assert_int_equal(report->shape_count, KEYS - 1 + KEYS);
    assert_int_equal(report->active_most, 2);
    expectShown(body, "exact.glb", report, 0);
    snBakeReport_Free(report);
}

// With our weights 0 the new document shows exactly what the old one showed.
static void test_original(void** state)
{
    (void)state;
    snMessage why;
    snRig* new;
    snMatrix nodes[3];
    double weights[64] = {0};
    static float a[3000], b[3000], m[3000], n[3000];
    snBody* body = column;
    snBakeDef def = usualDef();
    snBakeReport_Free(bakeTo(body, &def, "original.glb"));
    assert_ok(snRig_Load(NULL, "original.glb", &new, &why), why);
    assert_true(new->info.weight_count > 0 && new->info.weight_count <= 64);
    assert_int_equal(new->info.clip_count, 3);
    for (int32_t clip = 0; clip < 3; ++clip) {
        assert_ok(snRig_Pose(new, clip, 0.17, nodes, NULL, &why), why);
        assert_ok(snRig_Skin(new, 0, nodes, weights, a, m, &why), why);
        assert_ok(snRig_Pose(body->rig, clip, 0.17, nodes, NULL, &why), why);
        assert_ok(snRig_Skin(body->rig, 0, nodes, NULL, b, n, &why), why);
        assert_memory_equal(a, b, sizeof a);
        assert_memory_equal(m, n, sizeof m);
    }
    snRig_Release(new);
}

// A loop's weights end as they begin, and are in 0..1.
static void test_loop(void** state)
{
    (void)state;
    snMessage why;
    snRig* new;
    snBody* body = column;
    for (int32_t shapes = 0; shapes <= 8; shapes += 8) {
        snBakeDef def = usualDef();
        def.shapes = shapes;
        snBakeReport* report = bakeTo(body, &def, "loop.glb");
        assert_true(report->clips[0].is_loop);
        assert_below(report->clips[0].seam, 0.01 * report->clips[0].largest);
        assert_ok(snRig_Load(NULL, "loop.glb", &new, &why), why);
        const snRigChannel* c = NULL;
        for (int32_t k = 0; k < new->clips[0].info.channel_count; ++k) {
            c = new->clips[0].channels[k].path == sn_pathWeights ? &new->clips[0].channels[k] : c;
        }
        assert_non_null(c);
        size_t width = (size_t)c->width, last = (size_t)(c->key_count - 1) * width;
        assert_memory_equal(c->values, c->values + last, width * sizeof(float));
        assert_true((double)c->times[0] == new->clips[0].info.first &&
                    (double)c->times[c->key_count - 1] == new->clips[0].info.last);
        for (size_t k = 0; k < last; ++k) {
            assert_true(c->values[k] >= 0 && c->values[k] <= 1);
        }
        snRig_Release(new);
        snBakeReport_Free(report);
    }
    // unless it must not be one
    snBakeDef def = usualDef();
    def.loop = 0;
    snBakeReport* report = bakeTo(body, &def, "loop.glb");
    assert_true(!report->clips[0].is_loop && report->clips[0].seam == 0);
    snBakeReport_Free(report);
}

// Farthest that the new document's surface is from the old one's skinning at a time, m
static double fleshAt(const snBody* body, const snRig* new, int32_t clip, double time)
{
    snMessage why;
    float a[3000], b[3000];
    snMatrix nodes[8];
    double weights[64] = {0}, most = 0;
    assert_true(new->info.node_count <= 8 && new->info.weight_count <= 64);
    assert_true(new->info.vertex_count <= 1000);
    assert_ok(snRig_Pose(new, clip, time, nodes, weights, &why), why);
    assert_ok(snRig_Skin(body->rig, 0, nodes, NULL, a, NULL, &why), why);
    assert_ok(snRig_Skin(new, 0, nodes, weights, b, NULL, &why), why);
    for (int32_t v = 0; v < new->info.vertex_count; ++v) {
        most = fmax(most, distance(a + 3 * (size_t)v, b + 3 * (size_t)v));
    }
    return most * body->made.unit;
}

// Some frames of a clip are those of the whole clip; outside of them there is no flesh.
static void test_part(void** state)
{
    (void)state;
    enum { FIRST = 4, LAST = 9 };
    snMessage why;
    snRig* new;
    double size = column->made.size;
    snBakeDef def = usualDef();
    def.first_frame = FIRST;
    def.last_frame = LAST;
    snBakeReport* report = bakeTo(column, &def, "part.glb");
    assert_ok(snRig_Load(NULL, "part.glb", &new, &why), why);
    for (int32_t clip = 0; clip < 2; ++clip) {
        const snBakedClip* c = &report->clips[clip];
        snFollow* follow;
        snFollowDef run;
        snFollowDef_Init(&run);
        run.clip = clip;
        const snRigClip* info = &column->rig->clips[clip].info;
        run.rate = (KEYS - 1) / (info->last - info->first); // as the bake's: near RATE
        assert_int_equal(c->frame_count, LAST - FIRST + 1);
        assert_true(c->largest > 0.003 * size && c->limited <= 1);
        assert_ok(snFollow_Create(column, &run, &follow, &why), why);
        for (int k = 0; k < KEYS; ++k) {
            double time = (double)k / RATE;
            if (k >= FIRST && k <= LAST) {
                double miss = apart(follow, column, new, clip, time, NULL);
                assert_below(miss, c->error + rounding * size);
            } else {
                assert_below(fleshAt(column, new, clip, time), rounding * size);
            }
            assert_ok(snFollow_Advance(follow, &why), why);
        }
        snFollow_Free(follow);
    }
    snRig_Release(new);
    snBakeReport_Free(report);

    // behind the end is the end; a clip of which nothing is left is named
    def.last_frame = 1000;
    report = bakeTo(column, &def, "part.glb");
    assert_int_equal(report->clips[0].frame_count, KEYS - FIRST);
    snBakeReport_Free(report);
    def.first_frame = KEYS;
    assert_int_equal(snBake(NULL, column, &def, "none.glb", NULL, &why), sn_errorArgument);
    assert_non_null(strstr(why.text, "clip 'sway' has frames 0..12"));
    def.first_frame = 5;
    def.last_frame = 4;
    assert_int_equal(snBake(NULL, column, &def, "none.glb", NULL, &why), sn_errorArgument);
}

static void test_motion(void** state)
{
    (void)state;
    snBody* body = makeBody(false);
    snMessage why;
    snBakeDef def = usualDef();
    assert_int_equal(snBake(NULL, body, &def, "none.glb", NULL, &why), sn_errorArgument);
    assert_non_null(strstr(why.text, "motion"));
    def.motion = sn_motionHop;
    snBakeReport* report = bakeTo(body, &def, "hop.glb");
    assert_string_equal(report->clips[0].name, "hop");
    assert_int_equal(report->clips[0].clip, -1);
    expectShown(body, "hop.glb", report, 5e-3);
    snBakeReport_Free(report);
    snBody_Release(body);
}

// Interrupted anywhere and resumed: the same bits, for any number of threads.
static void test_resume(void** state)
{
    (void)state;
    snBody* body = column;
    snBakeDef def = usualDef();
    snHost host;
    snMessage why;
    snBakeReport_Free(bakeTo(body, &def, "whole.glb"));
    snHost_Init(&host);
    host.thread_count = 1;
    assert_ok(snBake(&host, body, &def, "one.glb", NULL, &why), why);
    expectSame("whole.glb", "one.glb");
    static const int stops[] = {0, 5, KEYS - 1, KEYS, KEYS + 3, MOST_ASKED + 4, MOST_ASKED + 40};
    for (size_t k = 0; k < sizeof stops / sizeof *stops; ++k) {
        interruptAfter(body, stops[k], "parts.glb");
        assert_true(isThere("parts.glb.frames"));
        def.resume = 1;
        snBakeReport* report = bakeTo(body, &def, "parts.glb");
        assert_true(report->resumed_frames > 0);
        snBakeReport_Free(report);
        expectSame("whole.glb", "parts.glb");
        assert_false(isThere("parts.glb.frames"));
    }
}

// What is there stays when a bake is interrupted.
static void test_older(void** state)
{
    (void)state;
    snBakeDef def = usualDef();
    FILE* file = fopen("older.glb", "wb");
    fputs("older", file);
    fclose(file);
    file = fopen("same.glb", "wb");
    fputs("older", file);
    fclose(file);
    interruptAfter(column, 5, "older.glb");
    expectSame("older.glb", "same.glb");
    assert_true(isThere("older.part.glb"));
    def.resume = 1;
    snBakeReport* report = bakeTo(column, &def, "older.glb");
    assert_string_equal(report->path, "older.glb");
    snBakeReport_Free(report);
    snBakeReport_Free(bakeTo(column, &def, "same.glb"));
    expectSame("older.glb", "same.glb");
}

// Flesh does not come on top of flesh.
static void test_twice(void** state)
{
    (void)state;
    snMessage why;
    snRig* rig;
    snBody* body;
    snBodyDef of;
    snBakeDef def = usualDef();
    snBakeReport_Free(bakeTo(column, &def, "baked.glb"));
    snBodyDef_Init(&of);
    of.quality = sn_qualityDraft;
    assert_ok(snRig_Load(NULL, "baked.glb", &rig, &why), why);
    assert_true(snRig_Info(rig)->is_baked && !snRig_Info(snBody_Rig(column))->is_baked);
    assert_ok(snBody_Build(NULL, rig, &of, &body, &why), why);
    assert_int_equal(snBake(NULL, body, &def, "twice.glb", NULL, &why), sn_errorArgument);
    assert_non_null(strstr(why.text, "bake the original"));
    snBody_Release(body);
    Stop stop = {1};
    snHost host;
    snHost_Init(&host);
    host.user = &stop;
    host.interrupted = stopNow;
    assert_int_equal(snBody_Build(&host, rig, &of, &body, &why), sn_errorInterrupted);
    assert_null(body);
    snRig_Release(rig);
}

static void cutOrFlip(const char* path, snRandom* random)
{
    snMessage why;
    uint8_t* bytes;
    size_t count;
    assert_ok(snFile_Read(NULL, path, SIZE_MAX / 4, &bytes, &count, &why), why);
    uint32_t at = 40 + snRandom_Below(random, (uint32_t)count - 40), kept = (uint32_t)count;
    if (snRandom_Below(random, 2)) {
        kept = at;
    } else {
        bytes[at] ^= (uint8_t)(1u << snRandom_Below(random, 8));
    }
    FILE* file = fopen(path, "wb");
    assert_int_equal(fwrite(bytes, 1, kept, file), kept);
    fclose(file);
    snHost_Release(NULL, bytes, count + 1);
}

// A side file that was cut off or damaged anywhere behind its head
static void test_damage(void** state)
{
    (void)state;
    snBody* body = column;
    snBakeDef def = usualDef();
    snRandom random = snRandom_Seed(7);
    snBakeReport_Free(bakeTo(body, &def, "whole.glb"));
    def.resume = 1;
    for (int k = 0; k < 6; ++k) {
        interruptAfter(body, KEYS + 4, "damaged.glb");
        cutOrFlip("damaged.glb.frames", &random);
        snBakeReport_Free(bakeTo(body, &def, "damaged.glb"));
        expectSame("whole.glb", "damaged.glb");
    }
}

static void test_refused(void** state)
{
    (void)state;
    snBody* body = column;
    snMessage why;
    snBakeDef def = usualDef();
    interruptAfter(body, 4, "other.glb");
    def.resume = 1;
    def.rate = 40;
    assert_int_equal(snBake(NULL, body, &def, "other.glb", NULL, &why), sn_errorFile);
    assert_non_null(strstr(why.text, "other.glb.frames"));
    assert_true(isThere("other.glb.frames"));
    FILE* file = fopen("other.glb.frames", "wb");
    fputs("something else, longer than the head of a side file is", file);
    fclose(file);
    assert_int_equal(snBake(NULL, body, &def, "other.glb", NULL, &why), sn_errorFile);
    def.resume = 0;
    snBakeReport_Free(bakeTo(body, &def, "other.glb"));

    int32_t twice[] = {1, 1}, absent = 3, still = 2;
    def.clips = twice, def.clip_count = 2;
    assert_int_equal(snBake(NULL, body, &def, "a.glb", NULL, &why), sn_errorArgument);
    def.clips = &absent, def.clip_count = 1;
    assert_int_equal(snBake(NULL, body, &def, "a.glb", NULL, &why), sn_errorArgument);
    def.clips = &still;
    assert_int_equal(snBake(NULL, body, &def, "a.glb", NULL, &why), sn_errorArgument);
    assert_non_null(strstr(why.text, "moves"));
    def.clip_count = 0, def.shapes = 65;
    assert_int_equal(snBake(NULL, body, &def, "a.glb", NULL, &why), sn_errorArgument);
    def.shapes = 8;
    assert_int_equal(snBake(NULL, body, &def, "no/folder.glb", NULL, &why), sn_errorIo);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_shapes),   cmocka_unit_test(test_exact),
        cmocka_unit_test(test_original), cmocka_unit_test(test_loop),
        cmocka_unit_test(test_part),     cmocka_unit_test(test_motion),
        cmocka_unit_test(test_resume),   cmocka_unit_test(test_older),
        cmocka_unit_test(test_twice),    cmocka_unit_test(test_damage),
        cmocka_unit_test(test_refused),
    };
    return cmocka_run_group_tests(tests, setUp, tearDown);
}
