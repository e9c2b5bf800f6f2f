// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0
// label: quick

// What scene files say arrives in the scene, in the library's units; no memory is lost when it runs
// out.
#include "check.h"

#include "base/file.h"
#include "base/memory.h"
#include "math/quat.h"
#include "scenes/scenes.h"
#include "sim/scene.h"
#include "skel/joint.h"

#define EXAMPLES SN_TEST_DATA "/../../docs/examples/"
#define DEGREE (SN_PI / 180)

// A few roundings of numbers near 1.
#define ROUNDING 1e-14

static snScene* load(const char* path)
{
    snScene* scene;
    snMessage why;
    assert_ok(snScene_Load(NULL, path, snBuiltinLibrary(), &scene, &why), why);
    assert_string_equal(why.text, "");
    return scene;
}

static const snSkeleton* skeletonOf(const snScene* scene, int32_t who)
{
    return snCharacter_Skeleton(snScene_Character(scene, who));
}

static const snBoneDef* boneOf(const snScene* scene, const char* name)
{
    const snSkeleton* skeleton = skeletonOf(scene, 0);
    const snBoneDef* bone = snSkeleton_Bone(skeleton, snSkeleton_FindBone(skeleton, name));
    assert_non_null(bone);
    return bone;
}

static const double* startOf(const snScene* scene, const char* name)
{
    const snSkeleton* skeleton = skeletonOf(scene, 0);
    return scene->world.actors[0].q +
           snSkeleton_PositionStart(skeleton, snSkeleton_FindBone(skeleton, name));
}

static const snDrive* driveOf(const snScene* scene, const char* name)
{
    const snDrive* drive =
        scene->world.actors[0].drive[snSkeleton_FindBone(skeletonOf(scene, 0), name)];
    assert_non_null(drive);
    return drive;
}

static void sample(const snScene* scene, const char* name, double time, double q[7])
{
    const snDrive* drive = driveOf(scene, name);
    double qd[6];
    snDrive_Sample(drive, &skeletonOf(scene, 0)->bones[drive->bone], time, q, qd);
}

static void checkVector(snVec3 found, double x, double y, double z, double tolerance)
{
    assert_close(found.x, x, tolerance);
    assert_close(found.y, y, tolerance);
    assert_close(found.z, z, tolerance);
}

static void testPendulum(void** state)
{
    (void)state;
    snScene* scene = load(EXAMPLES "pendulum.json");
    const snSceneDef* def = snScene_Def(scene);
    assert_close(def->duration, 10, 0);
    assert_close(def->frame_rate, 60, 0);
    assert_close(def->step, 0, 0);
    assert_int_equal(snScene_CharacterCount(scene), 1);
    assert_int_equal(snSkeleton_BoneCount(skeletonOf(scene, 0)), 2);

    const snBoneDef* upper = boneOf(scene, "upper");
    snMass rod = snMass_Capsule(snV3(0, 0, 0), snV3(0, -0.5, 0), 0.02, 2700);
    assert_relative(upper->mass.mass, rod.mass, ROUNDING, 0);
    assert_relative(upper->mass.inertia.zz, rod.inertia.zz, ROUNDING, 0);
    assert_close(upper->dof[0].upper, 120 * DEGREE, ROUNDING);
    assert_close(upper->dof[0].lower, -120 * DEGREE, ROUNDING);
    assert_close(upper->dof[0].damping, 0.01, 0);
    checkVector(upper->tip, 0, -0.5, 0, 0);
    assert_close(upper->radius, 0.02, 0);

    const snBoneDef* lower = boneOf(scene, "lower");
    assert_int_equal(lower->parent, 0);
    assert_close(lower->mass.mass, 1.5, 0);
    checkVector(lower->mass.com, 0, -0.4, 0, 0);
    assert_close(lower->mass.inertia.yy, 0.002, 0);
    assert_true(isinf(lower->dof[0].upper));
    checkVector(lower->tip, 0, -0.45, 0, 0);
    assert_close(startOf(scene, "upper")[0], 90 * DEGREE, ROUNDING);
    assert_close(startOf(scene, "lower")[0], -30 * DEGREE, ROUNDING);
    snScene_Free(scene);
}

static void testStarfish(void** state)
{
    (void)state;
    snScene* scene = load(EXAMPLES "starfish.json");
    assert_string_equal(snCharacter_Name(snScene_Character(scene, 0)), "star");
    assert_int_equal(snSkeleton_VelocityCount(skeletonOf(scene, 0)), 26);
    const snActor* actor = &scene->world.actors[0];
    checkVector(actor->base.p, 0, 1, 0, 0);
    // the hub's rates are in the turned frame: 30 degrees about y
    snVec3 velocity = snMatVec(actor->base.R, snLoad3(actor->qd + 3));
    snVec3 spin = snMatVec(actor->base.R, snLoad3(actor->qd));
    checkVector(velocity, 0.5, 6, 0, 10 * ROUNDING);
    checkVector(spin, 90 * DEGREE, 0, 45 * DEGREE, ROUNDING);
    assert_close(startOf(scene, "arm1_base")[0], 10 * DEGREE, ROUNDING);

    // a curve passes through its keys; a periodic one comes round
    static const double KEYS[4][3] = {{0, 10, 0}, {0.25, 45, 10}, {0.5, -30, 0}, {1.25, 45, 10}};
    double q[7];
    for (int i = 0; i < 4; ++i) {
        sample(scene, "arm1_base", KEYS[i][0], q);
        assert_close(q[0], KEYS[i][1] * DEGREE, ROUNDING);
        assert_close(q[1], KEYS[i][2] * DEGREE, ROUNDING);
    }
    const snDrive* servo = driveOf(scene, "arm2_middle");
    assert_int_equal(servo->kind, sn_driveServo);
    assert_close(servo->stiffness, 40, 0);
    assert_close(servo->damping, 1, 0);
    assert_close(servo->limit, 15, 0);
    sample(scene, "arm2_middle", 9, q);
    assert_close(q[0], -20 * DEGREE, ROUNDING);
    assert_close(driveOf(scene, "arm3_middle")->value[0], 0.5, 0);
    assert_close(driveOf(scene, "arm4_base")->value[1], -10 * DEGREE, ROUNDING);
    assert_int_equal(driveOf(scene, "arm5_tip")->kind, sn_driveFree);

    snSim* sim;
    snMessage why;
    assert_ok(snSim_Create(scene, &sim, &why), why);
    assert_ok(snSim_Advance(sim, 0.5, &why), why);
    snSim_Free(sim);
    snScene_Free(scene);
}

// Every joint, every kind of mass, every setting.
static void testBones(void** state)
{
    (void)state;
    snScene* scene = load(SN_TEST_DATA "/scenes/joints.json");
    const snSceneDef* def = snScene_Def(scene);
    checkVector(def->gravity, 1, -2, 3, 0);
    assert_close(def->step, 0.001, 0);
    assert_string_equal(snScene_Get(scene, NULL, "integrator"), "euler");
    assert_string_equal(snScene_Get(scene, NULL, "keep_momentum"), "false");
    assert_int_equal(snScene_CharacterCount(scene), 2);
    assert_close(scene->world.actors[1].qd[1], 2 * SN_PI, ROUNDING);
    assert_close(scene->world.actors[1].qd[3], 1, 0);

    // first about x, then about the world's y
    const snBoneDef* base = boneOf(scene, "base");
    checkVector(snQRotate(base->anchor.q, snV3(0, 1, 0)), 1, 0, 0, ROUNDING);
    checkVector(base->mass.com, 0, 0, 0, ROUNDING);
    assert_relative(base->mass.mass, 1000 * SN_PI * 0.01 * (2 + 4 * 0.1 / 3), ROUNDING, 0);

    const snDofDef* turn = &boneOf(scene, "turn")->dof[0];
    assert_true(isinf(turn->lower));
    assert_close(turn->upper, 45 * DEGREE, ROUNDING);
    assert_close(turn->rest, 30 * DEGREE, ROUNDING);
    assert_close(turn->stiffness, 3, 0);
    assert_close(turn->armature, 0.001, 0);
    assert_close(boneOf(scene, "turn")->mass.inertia.xy, 0.001, 0);
    assert_close(boneOf(scene, "turn")->limit_frequency, 25, 0);
    assert_close(boneOf(scene, "slide")->dof[0].lower, -0.5, 0);
    assert_close(boneOf(scene, "slide")->dof[0].rest, 0.25, 0);
    assert_relative(boneOf(scene, "slide")->mass.mass, 500 * 0.001 / 6, ROUNDING, 0);

    const snBoneDef* cross = boneOf(scene, "cross");
    assert_close(cross->mass.mass, 5, ROUNDING);
    checkVector(cross->mass.com, 0.02, 0.12, 0.02, ROUNDING);
    assert_close(cross->dof[1].upper, 20 * DEGREE, ROUNDING);
    checkVector(cross->axis2, 0, 0, 1, 0);

    // a capsule on top of plain numbers
    const snBoneDef* ball = boneOf(scene, "ball");
    snMass capsule = snMass_Capsule(snV3(0, 0, 0), snV3(0, 0.3, 0), 0.05, 800);
    snMass plain = {1, {0, 0, 0}, {0.1, 0.1, 0.1, 0, 0, 0}};
    snMass both = snMass_Add(&plain, &capsule);
    assert_relative(ball->mass.mass, both.mass, ROUNDING, 0);
    assert_relative(ball->mass.com.y, both.com.y, ROUNDING, 0);
    assert_relative(ball->mass.inertia.xx, both.inertia.xx, ROUNDING, 0);
    assert_close(ball->swing, 60 * DEGREE, ROUNDING);
    checkVector(ball->tip, 0, 0.25, 0, 0);
    assert_close(ball->radius, 0.05, 0);
    assert_close(boneOf(scene, "plane")->dof[1].rest, 2, 0);
    assert_close(boneOf(scene, "plane")->dof[2].rest, 90 * DEGREE, ROUNDING);
    snScene_Free(scene);
}

// Coordinates and rates of every joint type.
static void testCoordinates(void** state)
{
    (void)state;
    snScene* scene = load(SN_TEST_DATA "/scenes/joints.json");
    double h = sqrt(0.5);
    assert_close(startOf(scene, "turn")[0], 30 * DEGREE, ROUNDING);
    assert_close(startOf(scene, "slide")[0], 0.2, 0);
    assert_close(startOf(scene, "cross")[1], -5 * DEGREE, ROUNDING);
    assert_close(startOf(scene, "ball")[2], h, ROUNDING);
    assert_close(startOf(scene, "ball")[3], h, ROUNDING);
    assert_close(startOf(scene, "plane")[1], 2, 0);
    assert_close(startOf(scene, "plane")[2], SN_PI, ROUNDING);
    assert_close(startOf(scene, "craft")[2], 3, 0);
    assert_close(startOf(scene, "craft")[6], 0.8, ROUNDING);
    assert_close(startOf(scene, "pod")[1], 5, 0);
    assert_close(startOf(scene, "pod")[3], h, ROUNDING);

    assert_close(driveOf(scene, "turn")->value[0], 7, 0);
    assert_close(driveOf(scene, "slide")->value[0], 3, 0);
    assert_close(driveOf(scene, "cross")->value[1], SN_PI, ROUNDING);
    const double* plane = driveOf(scene, "plane")->value;
    assert_close(plane[1], 2, 0);
    assert_close(plane[2], SN_PI, ROUNDING);
    const double* pod = driveOf(scene, "pod")->value;
    assert_close(pod[0], SN_PI, ROUNDING);
    assert_close(pod[5], 3, 0);

    double q[7];
    sample(scene, "ball", -1, q);
    assert_close(fabs(q[2]), h, ROUNDING);
    sample(scene, "ball", 0.5, q);
    assert_close(fabs(q[3]), 1, ROUNDING);
    sample(scene, "craft", 1, q);
    assert_close(q[1], 1, ROUNDING);
    assert_close(fabs(q[6]), 1, ROUNDING);
    snScene_Free(scene);
}

typedef struct Meter {
    long left; // allocations that still succeed
    long live; // blocks not yet released
} Meter;

static void* meterAllocate(void* user, size_t bytes, size_t alignment)
{
    Meter* meter = user;
    if (meter->left-- <= 0) {
        return NULL;
    }
    meter->live += 1;
    return aligned_alloc(alignment, (bytes + alignment) / alignment * alignment);
}

static void meterRelease(void* user, void* memory, size_t bytes)
{
    (void)bytes;
    ((Meter*)user)->live -= memory != NULL;
    free(memory);
}

// Every allocation of a load fails once: an error each time, and nothing is lost.
static void sweep(const char* path)
{
    snStatus status = sn_errorMemory;
    long count = 0;
    for (; status; ++count) {
        assert_true(count < 100000);
        Meter meter = {.left = count};
        snHost host;
        snHost_Init(&host);
        host.user = &meter;
        host.allocate = meterAllocate;
        host.release = meterRelease;
        snScene* scene = NULL;
        snMessage why;
        status = snScene_Load(&host, path, snBuiltinLibrary(), &scene, &why);
        assert_true(status == sn_ok || status == sn_errorMemory);
        assert_true((status == sn_ok) == (scene != NULL));
        assert_true((status == sn_ok) == (why.text[0] == 0));
        snScene_Free(scene);
        assert_int_equal(meter.live, 0);
    }
    assert_true(count > 10);
}

static void testMemory(void** state)
{
    (void)state;
    sweep(EXAMPLES "pendulum.json");
    sweep(EXAMPLES "starfish.json");
    sweep(SN_TEST_DATA "/scenes/joints.json");
    sweep(SN_TEST_DATA "/scenes/obstacles.json");
}

static char* readText(const char* path)
{
    uint8_t* bytes;
    size_t count;
    snMessage why;
    assert_ok(snFile_Read(NULL, path, (size_t)1 << 20, &bytes, &count, &why), why);
    char* text = malloc(count + 1);
    assert_non_null(text);
    memcpy(text, bytes, count + 1);
    snHost_Release(NULL, bytes, count + 1);
    return text;
}

// The examples stand in docs/scene.md letter by letter.
static void testExamples(void** state)
{
    (void)state;
    char* page = readText(SN_TEST_DATA "/../../docs/scene.md");
    static const char* const PATHS[] = {EXAMPLES "pendulum.json", EXAMPLES "starfish.json",
                                        EXAMPLES "jelly.json", EXAMPLES "obstacles.json"};
    for (size_t i = 0; i < sizeof PATHS / sizeof *PATHS; ++i) {
        char* example = readText(PATHS[i]);
        assert_non_null(strstr(page, example));
        free(example);
    }
    free(page);
}

// A message about an unknown key lists all there are: each must have its row in docs/scene.md.
static void checkKeys(const char* page, const char* text)
{
    snScene* scene;
    snMessage why;
    assert_int_equal(
        snScene_Parse(NULL, text, strlen(text), "keys", snBuiltinLibrary(), &scene, &why),
        sn_errorFile);
    const char* at = strstr(why.text, "its keys are ");
    assert_non_null(at);
    int count = 0;
    for (at = strchr(at, '"'); at; at = strchr(at, '"'), ++count) {
        const char* end = strchr(at + 1, '"');
        assert_non_null(end);
        char row[64];
        snprintf(row, sizeof row, "| `%.*s` |", (int)(end - at - 1), at + 1);
        if (!strstr(page, row)) {
            fail_msg("docs/scene.md has no row %s", row);
        }
        at = end + 1;
    }
    assert_true(count > 0);
}

static void testDocumentedKeys(void** state)
{
    (void)state;
    char* page = readText(SN_TEST_DATA "/../../docs/scene.md");
#define HEAD "{\"sinew\": 1, \"characters\": [{\"name\": \"c\", \"skeleton\": "
#define BONE HEAD "{\"bones\": [{\"name\": \"b\", "
#define DRIVE HEAD "\"fish\", \"drives\": ["
#define WRONG "{\"#########\": 0}"
    checkKeys(page, "{\"sinew\": 1, \"#########\": 0}");
    checkKeys(page, "{\"sinew\": 1, \"characters\": [" WRONG "]}");
    checkKeys(page, "{\"sinew\": 1, \"ground\": " WRONG "}");
    checkKeys(page, HEAD WRONG "}]}");
    checkKeys(page, HEAD "\"fish\", \"body\": " WRONG "}]}");
    checkKeys(page, HEAD "\"fish\", \"body\": {\"surface\": \"\", \"regions\": [" WRONG "]}}]}");
    checkKeys(page, HEAD "{\"bones\": [" WRONG "]}}]}");
    checkKeys(page, BONE "\"capsule\": " WRONG "}]}}]}");
    checkKeys(page, BONE "\"mesh\": " WRONG "}]}}]}");
    checkKeys(page, BONE "\"point_masses\": [" WRONG "]}]}}]}");
    checkKeys(page, BONE "\"joint\": \"free\", \"dofs\": [" WRONG "]}]}}]}");
    checkKeys(page, HEAD "\"fish\", \"pose\": {\"head\": " WRONG "}}]}");
    checkKeys(page, DRIVE WRONG "]}]}");
    checkKeys(page, DRIVE "{\"bone\": \"tail\", \"kind\": \"servo\", \"keys\": [" WRONG "]}]}]}");
    checkKeys(page, HEAD "\"fish\", \"clip\": " WRONG "}]}");
    checkKeys(page, HEAD "\"fish\", \"direct\": " WRONG "}]}");
    checkKeys(page, HEAD "\"fish\", \"drags\": [" WRONG "]}]}");
    checkKeys(page, HEAD "\"fish\", \"drags\": [{\"bone\": \"tail\", \"keys\": [" WRONG "]}]}]}");
#define OBSTACLE HEAD "\"fish\"}], \"obstacles\": ["
#define SHAPE OBSTACLE "{\"shape\": "
    checkKeys(page, HEAD "\"fish\"}], \"pairs\": [" WRONG "]}");
    checkKeys(page, OBSTACLE WRONG "]}");
    checkKeys(page, SHAPE WRONG "}]}");
    checkKeys(page, SHAPE "{\"capsule\": " WRONG "}}]}");
    checkKeys(page, SHAPE "{\"mesh\": " WRONG "}}]}");
    checkKeys(page, SHAPE "{\"sphere\": 1}, \"path\": [" WRONG "]}]}");
    free(page);
}

static void testArguments(void** state)
{
    (void)state;
    snMessage why;
    snScene* scene;
    assert_int_equal(snScene_Load(NULL, "no/such/file.json", NULL, &scene, &why), sn_errorIo);
    assert_non_null(strstr(why.text, "no/such/file.json"));
    assert_null(scene);
    assert_int_equal(snScene_Load(NULL, NULL, NULL, &scene, &why), sn_errorArgument);
    assert_int_equal(snScene_Parse(NULL, NULL, 0, "x", NULL, &scene, &why), sn_errorArgument);
    assert_int_equal(snScene_Parse(NULL, "", 0, "x", NULL, NULL, &why), sn_errorArgument);
    assert_int_equal(snScene_Parse(NULL, "[", 1, NULL, NULL, &scene, NULL), sn_errorFile);
    assert_int_equal(snScene_Parse(NULL, "[", (size_t)65 << 20, "huge", NULL, &scene, &why),
                     sn_errorFile);
    assert_non_null(strstr(why.text, "huge: line 1, column 1: "));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(testPendulum),       cmocka_unit_test(testStarfish),
        cmocka_unit_test(testBones),          cmocka_unit_test(testCoordinates),
        cmocka_unit_test(testMemory),         cmocka_unit_test(testExamples),
        cmocka_unit_test(testDocumentedKeys), cmocka_unit_test(testArguments),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
