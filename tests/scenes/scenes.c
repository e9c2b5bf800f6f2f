// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0
// label: quick

// The built-in skeletons are what they promise; the built-in scenes run to their end and obey the
// laws of mechanics.
#include "math/quat.h"
#include "sim/puppet.h"

#include <scenes/scenes.h>

#define SIZE_TOLERANCE 0.05

static snSkeleton* openSkeleton(const char* name)
{
    snSkeleton* s = NULL;
    snMessage why;
    const snBuiltinSkeleton* found = snBuiltinSkeleton_Find(name);
    assert_non_null(found);
    assert_ok(found->make(NULL, &s, &why), why);
    return s;
}

// Lowest and highest point of all capsules in the zero pose, per axis; and the furthest from the
// vertical axis.
typedef struct Extent {
    double low[3], high[3], radius;
} Extent;

static Extent measure(snSkeleton* skeleton)
{
    Extent e = {{1e9, 1e9, 1e9}, {-1e9, -1e9, -1e9}, 0};
    snDynamics* d = NULL;
    snMessage why;
    assert_ok(snDynamics_Create(NULL, skeleton, &d, &why), why);
    for (int32_t b = 0; b < snSkeleton_BoneCount(skeleton); ++b) {
        const snBoneDef* def = snSkeleton_Bone(skeleton, b);
        for (int end = 0; end < 2; ++end) {
            snVec3 p = snDynamics_Point(d, b, end ? def->tip : snV3(0, 0, 0));
            double at[3] = {p.x, p.y, p.z};
            for (int k = 0; k < 3; ++k) {
                e.low[k] = fmin(e.low[k], at[k] - def->radius);
                e.high[k] = fmax(e.high[k], at[k] + def->radius);
            }
            e.radius = fmax(e.radius, sqrt(p.x * p.x + p.z * p.z) + def->radius);
        }
    }
    snDynamics_Free(d);
    return e;
}

static void testCounts(void** state)
{
    (void)state;
    static const struct {
        const char* name;
        int32_t bones, dof;
    } CASES[] = {{"starfish", 16, 26}, {"humanoid", 0, 60}, {"fish", 4, 9}, {"worm", 4, 9}};
    int count = 0;
    for (const snBuiltinSkeleton* s = snBuiltinSkeletons(); s->name; ++s) {
        assert_string_equal(s->name, CASES[count].name);
        assert_true(strlen(s->about) > 0);
        assert_string_equal(snBuiltinLibrary()->names[count], s->name);
        snSkeleton* skeleton = openSkeleton(s->name);
        assert_int_equal(snSkeleton_VelocityCount(skeleton), CASES[count].dof);
        if (CASES[count].bones) {
            assert_int_equal(snSkeleton_BoneCount(skeleton), CASES[count].bones);
        }
        snSkeleton_Release(skeleton);
        ++count;
    }
    assert_int_equal(count, 4);
    assert_null(snBuiltinLibrary()->names[count]);
    assert_null(snBuiltinSkeleton_Find("Starfish"));
    assert_null(snBuiltinScene_Find("nothing"));
}

static void testLibrary(void** state)
{
    (void)state;
    const snLibrary* l = snBuiltinLibrary();
    snMessage why;
    snSkeleton* s = NULL;
    assert_ok(l->find(l->user, NULL, "worm", &s, &why), why);
    assert_non_null(s);
    snSkeleton_Release(s);
    assert_ok(l->find(l->user, NULL, "wurm", &s, &why), why);
    assert_null(s);
}

static void testSizes(void** state)
{
    (void)state;
    snSkeleton* s = openSkeleton("starfish");
    assert_relative(2 * measure(s).radius, 1, SIZE_TOLERANCE, 0);
    snSkeleton_Release(s);
    s = openSkeleton("humanoid");
    Extent e = measure(s);
    assert_relative(e.high[1] - e.low[1], 1.8, SIZE_TOLERANCE, 0);
    assert_close(e.low[1], 0, 0.05 * 1.8); // stands on the ground
    snSkeleton_Release(s);
    static const char* const LONG[] = {"fish", "worm"};
    for (int i = 0; i < 2; ++i) {
        s = openSkeleton(LONG[i]);
        e = measure(s);
        assert_relative(e.high[2] - e.low[2], 1, SIZE_TOLERANCE, 0);
        assert_relative(e.high[2], 0.5, 0.1, 0); // its middle at the origin, its head at +z
        snSkeleton_Release(s);
    }
}

// Left and right are mirror images: masses, places, and joints that move like mirror images.
static void testHumanoidSymmetry(void** state)
{
    (void)state;
    snSkeleton* s = openSkeleton("humanoid");
    snDynamics* d = NULL;
    snMessage why;
    int pairs = 0;
    assert_ok(snDynamics_Create(NULL, s, &d, &why), why);
    for (int32_t i = 0; i < snSkeleton_BoneCount(s); ++i) {
        const snBoneDef* left = snSkeleton_Bone(s, i);
        size_t length = strlen(left->name);
        snVec3 a = snDynamics_Point(d, i, left->mass.com);
        if (length < 2 ||
            (strcmp(left->name + length - 2, "_l") && strcmp(left->name + length - 2, "_r"))) {
            assert_close(a.x, 0, 1e-12);
            continue;
        }
        if (left->name[length - 1] == 'r') {
            continue;
        }
        char name[64];
        snprintf(name, sizeof name, "%.*sr", (int)length - 1, left->name);
        int32_t other = snSkeleton_FindBone(s, name);
        assert_true(other >= 0);
        const snBoneDef* right = snSkeleton_Bone(s, other);
        snVec3 b = snDynamics_Point(d, other, right->mass.com);
        assert_close(left->mass.mass, right->mass.mass, 1e-15);
        assert_close(a.x, -b.x, 1e-12);
        assert_true(a.x > 0); // facing +z with y up, the left is at +x
        assert_close(a.y, b.y, 1e-12);
        assert_close(a.z, b.z, 1e-12);
        ++pairs;
    }
    assert_true(pairs >= 12);
    // the same coordinates on both sides are mirror poses: nothing leans to one side
    double q[128], qd[128] = {0};
    snSkeleton_ZeroPose(s, q);
    for (int32_t i = 0; i < snSkeleton_BoneCount(s); ++i) {
        const snBoneDef* b = snSkeleton_Bone(s, i);
        bool symmetric =
            b->dof[0].lower != -b->dof[0].upper; // one-sided limits say which way it bends
        if (b->joint == sn_jointUniversal || b->joint == sn_jointRevolute) {
            q[snSkeleton_PositionStart(s, i)] = symmetric ? 0.5 * b->dof[0].upper : 0;
        }
    }
    assert_ok(snDynamics_SetState(d, q, qd, &why), why);
    assert_close(snDynamics_Momentum(d).com.x, 0, 1e-9);
    snDynamics_Free(d);
    snSkeleton_Release(s);
}

// A fifth of a turn about the vertical takes each arm to the next.
static void testStarfishSymmetry(void** state)
{
    (void)state;
    snSkeleton* s = openSkeleton("starfish");
    snDynamics* d = NULL;
    snMessage why;
    assert_ok(snDynamics_Create(NULL, s, &d, &why), why);
    double q[64], qd[64] = {0};
    snSkeleton_ZeroPose(s, q);
    for (int32_t b = 1; b < 16; ++b) { // all arms bent alike
        q[snSkeleton_PositionStart(s, b)] = 0.3 + 0.1 * ((b - 1) % 3);
        if ((b - 1) % 3 == 0) {
            q[snSkeleton_PositionStart(s, b) + 1] = 0.2;
        }
    }
    assert_ok(snDynamics_SetState(d, q, qd, &why), why);
    snQuat fifth = snQFromAxisAngle(snV3(0, 1, 0), 2 * 3.14159265358979323846 / 5);
    for (int32_t b = 1; b < 16; ++b) {
        int32_t next = 1 + (b - 1 + 3) % 15;
        const snMass *m = &snSkeleton_Bone(s, b)->mass, *n = &snSkeleton_Bone(s, next)->mass;
        snVec3 here = snDynamics_Point(d, b, m->com), there = snDynamics_Point(d, next, n->com);
        assert_close(m->mass, n->mass, 1e-15);
        assert_below(snLength(snSub(snQRotate(fifth, here), there)), 1e-12);
    }
    assert_true(snDynamics_Point(d, 3, snV3(0.09, 0, 0)).y > 0.1); // positive angles lift
    snDynamics_Free(d);
    snSkeleton_Release(s);
}

// Scenes ------------------------------------------------------------------------------------------

static snScene* openScene(const char* name)
{
    snScene* scene = NULL;
    snMessage why;
    assert_non_null(snBuiltinScene_Find(name));
    assert_ok(snBuiltinScene_Find(name)->make(NULL, &scene, &why), why);
    return scene;
}

// What must hold in every frame.
typedef void LawFcn(const snScene* scene, const snFrame* first, const snFrame* now);

static void runScene(const char* name, LawFcn* law)
{
    snScene* scene = openScene(name);
    snSim *still = startSim(scene), *sim = startSim(scene); // one stays at the start
    const snSceneDef* def = snScene_Def(scene);
    int frames = (int)(def->duration * def->frame_rate + 0.5);
    assert_true(frames > 0);
    for (int i = 0; i < frames; ++i) {
        advance(sim, 1 / def->frame_rate);
        law(scene, snSim_Frame(still), snSim_Frame(sim));
    }
    assert_close(snSim_Time(sim), def->duration, 1e-9);
    snSim_Free(still);
    snSim_Free(sim);
    snScene_Free(scene);
}

// A free body's centre of mass flies on a parabola; its angular momentum stays.
static void flies(const snScene* scene, const snFrame* first, const snFrame* now)
{
    const double path_tolerance = 1e-6, spin_tolerance = 1e-9; // m; of the angular momentum
    snVec3 g = snScene_Def(scene)->gravity;
    double t = now->time;
    for (int32_t i = 0; i < now->character_count; ++i) {
        const snMomentum *a = &first->characters[i].momentum, *b = &now->characters[i].momentum;
        snVec3 v = snScale(1 / a->mass, a->linear);
        snVec3 path = snMulAdd(snMulAdd(a->com, t, v), 0.5 * t * t, g);
        assert_below(snLength(snSub(b->com, path)), path_tolerance);
        assert_below(snLength(snSub(b->linear, snScale(a->mass, snMulAdd(v, t, g)))),
                     spin_tolerance * a->mass * 10);
        assert_below(snLength(snSub(b->angular, a->angular)),
                     spin_tolerance * snLength(a->angular));
    }
}

static void testStarfishBones(void** state)
{
    (void)state;
    runScene("starfish_bones", flies);
}

static void testStarfishSwarm(void** state)
{
    (void)state;
    runScene("starfish_swarm", flies);
}

static void keepsEnergy(const snScene* scene, const snFrame* first, const snFrame* now)
{
    const snEnergy *a = &first->characters[0].energy, *b = &now->characters[0].energy;
    // of the energy between hanging down and the start: 4 links that fall by up to 0.25 + 0.75
    // + 1.25 + 1.75 m
    double scale = 9.81 * snSkeleton_Mass(snCharacter_Skeleton(snScene_Character(scene, 0)));
    double change = b->kinetic + b->gravity + b->elastic - a->kinetic - a->gravity - a->elastic;
    assert_below(fabs(change), 0.02 * scale);
}

static void testPendulum(void** state)
{
    (void)state;
    runScene("pendulum_chain", keepsEnergy);
}

// Limits give a little, by no more than this.
#define LIMIT_SLACK 0.2 // rad

static void staysWhole(const snScene* scene, const snFrame* first, const snFrame* now)
{
    const snSkeleton* s = snCharacter_Skeleton(snScene_Character(scene, 0));
    const snFrameCharacter* c = &now->characters[0];
    for (int32_t i = 1; i < c->bone_count; ++i) {
        const snBoneDef* b = snSkeleton_Bone(s, i);
        const double* q = c->q + snSkeleton_PositionStart(s, i);
        int axes = b->joint == sn_jointUniversal ? 2 : b->joint == sn_jointRevolute ? 1 : 0;
        for (int k = 0; k < axes; ++k) {
            assert_true(q[k] > b->dof[k].lower - LIMIT_SLACK &&
                        q[k] < b->dof[k].upper + LIMIT_SLACK);
        }
        if (b->joint == sn_jointBall) {
            snVec3 axis = snNormalize(b->axis);
            snVec3 turned = snQRotate(snQ(q[0], q[1], q[2], q[3]), axis);
            double swing = acos(fmax(-1, fmin(1, snDot(axis, turned))));
            assert_below(swing, b->swing + LIMIT_SLACK);
            // what is left when the swing is taken back is the twist
            snQuat back = snQFromTo(turned, axis);
            snVec3 twist = snQLog(snQMul(back, snQ(q[0], q[1], q[2], q[3])));
            assert_below(fabs(snDot(twist, axis)), b->dof[0].upper + LIMIT_SLACK);
        }
    }
    flies(scene, first, now);
}

static void testRagdoll(void** state)
{
    (void)state;
    runScene("ragdoll", staysWhole);
}

static void testAll(void** state)
{
    (void)state;
    for (const snBuiltinScene* s = snBuiltinScenes(); s->name; ++s) {
        assert_true(strlen(s->about) > 0);
        assert_ptr_equal(snBuiltinScene_Find(s->name), s);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(testCounts),
        cmocka_unit_test(testLibrary),
        cmocka_unit_test(testSizes),
        cmocka_unit_test(testHumanoidSymmetry),
        cmocka_unit_test(testStarfishSymmetry),
        cmocka_unit_test(testStarfishBones),
        cmocka_unit_test(testStarfishSwarm),
        cmocka_unit_test(testPendulum),
        cmocka_unit_test(testRagdoll),
        cmocka_unit_test(testAll),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
