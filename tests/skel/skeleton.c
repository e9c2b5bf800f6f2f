// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0
// label: quick

// Building a skeleton: what is refused and how that is said, what is fine, ownership, memory.
#include "skel/skeleton.h"
#include "skel/tree.h"

#define NOTHING ((double)NAN)
#define ENDLESS ((double)INFINITY)

static const snMass BODY = {2, {0.1, 0, 0}, {0.1, 0.1, 0.1, 0, 0, 0}};

// Three bones in a row: "root" (free), "middle" (ball) and "leaf" (revolute).
static void makeDefs(snBoneDef defs[3])
{
    const char* names[3] = {"root", "middle", "leaf"};
    const int32_t joints[3] = {sn_jointFree, sn_jointBall, sn_jointRevolute};
    for (int32_t i = 0; i < 3; ++i) {
        snBoneDef_Init(&defs[i]);
        defs[i].name = names[i];
        defs[i].parent = i - 1;
        defs[i].joint = joints[i];
        defs[i].mass = BODY;
        defs[i].anchor.p = snV3(0.3, 0, 0);
    }
}

static snStatus tryCreate(const snBoneDef* defs, int32_t count, snMessage* why)
{
    snSkeleton* s = NULL;
    snStatus status = snSkeleton_Create(NULL, defs, count, &s, why);
    assert_int_equal(status == sn_ok, s != NULL);
    assert_int_equal(status == sn_ok, why->text[0] == 0);
    snSkeleton_Release(s);
    return status;
}

// One field of the middle bone set to something that cannot be.
typedef struct Wrong {
    const char* what;
    size_t offset;
    double value;
    const char* says; // a word of the message
} Wrong;

#define FIELD(member) offsetof(snBoneDef, member)

static const Wrong WRONGS[] = {
    {"anchor NaN", FIELD(anchor.p.y), NOTHING, "anchor"},
    {"anchor infinite", FIELD(anchor.p.x), ENDLESS, "anchor"},
    {"anchor turned by NaN", FIELD(anchor.q.z), NOTHING, "unit quaternion"},
    {"anchor turned by nothing", FIELD(anchor.q.w), 0, "unit quaternion"},
    {"anchor turned too long", FIELD(anchor.q.w), 5, "unit quaternion"},
    {"axis NaN", FIELD(axis.x), NOTHING, "axis"},
    {"axis zero", FIELD(axis.x), 0, "axis"},
    {"axis infinite", FIELD(axis.z), ENDLESS, "axis"},
    {"lower above upper", FIELD(dof[0].upper), -1, "swap"},
    {"lower NaN", FIELD(dof[0].lower), NOTHING, "coordinate 0"},
    {"upper NaN", FIELD(dof[1].upper), NOTHING, "coordinate 1"},
    {"lower infinitely high", FIELD(dof[0].lower), ENDLESS, "coordinate 0"},
    {"upper infinitely low", FIELD(dof[2].upper), -ENDLESS, "coordinate 2"},
    {"stiffness negative", FIELD(dof[0].stiffness), -1, "stiffness"},
    {"stiffness NaN", FIELD(dof[2].stiffness), NOTHING, "coordinate 2"},
    {"stiffness infinite", FIELD(dof[0].stiffness), ENDLESS, "stiffness"},
    {"damping negative", FIELD(dof[0].damping), -1e-9, "damping"},
    {"damping NaN", FIELD(dof[0].damping), NOTHING, "damping"},
    {"armature negative", FIELD(dof[0].armature), -1, "armature"},
    {"armature infinite", FIELD(dof[0].armature), ENDLESS, "armature"},
    {"rest NaN", FIELD(dof[0].rest), NOTHING, "rest"},
    {"rest infinite", FIELD(dof[0].rest), ENDLESS, "rest"},
    {"swing zero", FIELD(swing), 0, "swing"},
    {"swing NaN", FIELD(swing), NOTHING, "swing"},
    {"limit_frequency zero", FIELD(limit_frequency), 0, "limit_frequency"},
    {"limit_frequency NaN", FIELD(limit_frequency), NOTHING, "limit_frequency"},
    {"limit_frequency infinite", FIELD(limit_frequency), ENDLESS, "limit_frequency"},
    {"mass negative", FIELD(mass.mass), -1, "mass"},
    {"mass NaN", FIELD(mass.mass), NOTHING, "mass"},
    {"mass infinite", FIELD(mass.mass), ENDLESS, "mass"},
    {"centre NaN", FIELD(mass.com.y), NOTHING, "centre"},
    {"inertia NaN", FIELD(mass.inertia.xz), NOTHING, "inertia"},
    {"inertia infinite", FIELD(mass.inertia.xx), ENDLESS, "inertia"},
    {"inertia negative", FIELD(mass.inertia.xx), -0.1, "inertia"},
    {"more inertia than the other two axes together", FIELD(mass.inertia.xx), 0.21, "inertia"},
    {"a product of inertia too large", FIELD(mass.inertia.xy), 0.3, "inertia"},
    {"inertia without mass", FIELD(mass.mass), 0, "mass"},
    {"tip NaN", FIELD(tip.x), NOTHING, "tip"},
    {"radius negative", FIELD(radius), -1, "radius"},
    {"radius NaN", FIELD(radius), NOTHING, "radius"},
};

static void assertRefused(const snBoneDef* defs, int32_t count, const char* what, const char* bone,
                          const char* says)
{
    snMessage why;
    snStatus status = tryCreate(defs, count, &why);
    if (status != sn_errorArgument || !strstr(why.text, bone) || !strstr(why.text, says)) {
        fail_msg("%s: status %d, message '%s' should name '%s' and '%s'", what, (int)status,
                 why.text, bone, says);
    }
}

static void wrongNumbersAreRefusedByName(void** state)
{
    (void)state;
    for (size_t i = 0; i < sizeof WRONGS / sizeof WRONGS[0]; ++i) {
        snBoneDef defs[3];
        makeDefs(defs);
        memcpy((char*)&defs[1] + WRONGS[i].offset, &WRONGS[i].value, sizeof(double));
        if (strcmp(WRONGS[i].what, "lower above upper") == 0) {
            defs[1].dof[0].lower = 0;
        }
        assertRefused(defs, 3, WRONGS[i].what, "bone 1 'middle'", WRONGS[i].says);
    }
}

static void wrongShapesAreRefusedByName(void** state)
{
    (void)state;
    snBoneDef defs[3];
    const char* middle = "bone 1 'middle'";
    makeDefs(defs);
    defs[1].parent = 1;
    assertRefused(defs, 3, "own parent", middle, "parent 1");
    defs[1].parent = 2;
    assertRefused(defs, 3, "later parent", middle, "parent 2");
    defs[1].parent = -2;
    assertRefused(defs, 3, "parent -2", middle, "parent -2");
    makeDefs(defs);
    defs[1].joint = sn_jointTypeCount;
    assertRefused(defs, 3, "joint type", middle, "joint type");
    defs[1].joint = -1;
    assertRefused(defs, 3, "joint type", middle, "joint type");
    for (int32_t two = 0; two < 2; ++two) {
        makeDefs(defs);
        defs[1].joint = two ? sn_jointUniversal : sn_jointPlanar;
        defs[1].axis2 = snV3(-2, 0, 0);
        assertRefused(defs, 3, "parallel axes", middle, "second axis");
        defs[1].axis2 = snV3(0, 0, 0);
        assertRefused(defs, 3, "no second axis", middle, "second axis");
        defs[1].axis2 = snV3(NOTHING, 1, 0);
        assertRefused(defs, 3, "second axis NaN", middle, "second axis");
        defs[1].joint = sn_jointBall; // which has no second axis
        snMessage why;
        assert_ok(tryCreate(defs, 3, &why), why);
    }
    makeDefs(defs);
    defs[2].name = "root";
    assertRefused(defs, 3, "same name", "'root'", "rename");
    defs[2].name = "";
    assertRefused(defs, 3, "empty name", "bone 2", "name");
    defs[2].name = NULL;
    assertRefused(defs, 3, "no name", "bone 2", "name");
    makeDefs(defs);
    defs[1].size = 0;
    assertRefused(defs, 3, "size 0", "bone 1", "snBoneDef_Init");
    memset(&defs[1], 0xA5, sizeof defs[1]);
    assertRefused(defs, 3, "garbage", "bone 1", "snBoneDef_Init");
    memset(&defs[1], 0, sizeof defs[1]);
    assertRefused(defs, 3, "zeroed", "bone 1", "snBoneDef_Init");
}

static void countsAndPointersAreChecked(void** state)
{
    (void)state;
    snBoneDef defs[3];
    snMessage why;
    snSkeleton* s = NULL;
    makeDefs(defs);
    assert_ok(snSkeleton_Create(NULL, NULL, 0, &s, &why), why); // of a jellyfish
    assert_int_equal(snSkeleton_BoneCount(s), 0);
    snSkeleton_Release(s);
    s = NULL;
    assertRefused(defs, -1, "fewer", "0 to 100000", "found -1");
    assertRefused(defs, 100001, "too many", "0 to 100000", "found 100001");
    assert_int_equal(snSkeleton_Create(NULL, NULL, 3, &s, &why), sn_errorArgument);
    assert_null(s);
    assert_int_equal(snSkeleton_Create(NULL, defs, 3, NULL, &why), sn_errorArgument);
    assert_int_equal(snSkeleton_Create(NULL, defs, -2, &s, NULL), sn_errorArgument);
    snHost host = {0}; // not initialised
    assert_int_equal(snSkeleton_Create(&host, defs, 3, &s, &why), sn_errorArgument);
    assert_non_null(strstr(why.text, "snHost"));
}

// Mass: who needs some ----------------------------------------------------------------------------

static void movableLeavesNeedMass(void** state)
{
    (void)state;
    snMessage why;
    for (int32_t type = 0; type < sn_jointTypeCount; ++type) {
        snBoneDef defs[3];
        makeDefs(defs);
        defs[2].joint = type;
        defs[2].mass = (snMass){0};
        if (type == sn_jointWeld) {
            assert_ok(tryCreate(defs, 3, &why), why);
        } else {
            assertRefused(defs, 3, snJointType_Name(type), "bone 2 'leaf'", "no mass");
            for (int i = 0; i < 3; ++i) {
                defs[2].dof[i].armature = 0.1; // a rotor moves where no limb does
            }
            assert_ok(tryCreate(defs, 3, &why), why);
        }
    }
}

static void masslessBonesInTheMiddleAreFine(void** state)
{
    (void)state;
    for (int32_t type = 0; type < sn_jointTypeCount; ++type) {
        snBoneDef defs[3];
        snMessage why;
        makeDefs(defs);
        defs[1].joint = type;
        defs[1].mass = (snMass){0};
        if (type == sn_jointFree || type == sn_jointBall) {
            // a hinge below it leaves the middle free to turn about the hinge's axis without the
            // leaf
            assertRefused(defs, 3, snJointType_Name(type), "bone 1 'middle'", "no mass");
            defs[2].joint = sn_jointWeld;
        } else {
            defs[1].axis = snV3(0, 0, 1); // not the leaf's own axis
        }
        assert_ok(tryCreate(defs, 3, &why), why);
    }
}

static void pointMassesCannotTurnAboutThemselves(void** state)
{
    (void)state;
    snBoneDef defs[3];
    snMessage why;
    makeDefs(defs);
    defs[2].mass = snMass_Point(1, snV3(0.5, 0, 0)); // on the axis x
    assertRefused(defs, 3, "point on the axis", "bone 2 'leaf'", "no mass or inertia");
    defs[2].axis = snV3(0, 1, 0);
    assert_ok(tryCreate(defs, 3, &why), why);
}

// Sizes -------------------------------------------------------------------------------------------

static void oneBoneAndAThousand(void** state)
{
    (void)state;
    enum { MANY = 1000 };
    static snBoneDef defs[MANY];
    static char names[MANY][16];
    static double q[2 * MANY], qd[2 * MANY];
    snMessage why;
    for (int32_t i = 0; i < MANY; ++i) {
        snBoneDef_Init(&defs[i]);
        snprintf(names[i], sizeof names[i], "b%d", (int)i);
        defs[i].name = names[i];
        defs[i].parent = i - 1;
        defs[i].joint = sn_jointUniversal;
        defs[i].mass = BODY;
        defs[i].anchor.p = snV3(0.2, 0, 0);
    }
    for (int32_t count = 1; count <= MANY; count += MANY - 1) {
        snSkeleton* s;
        snDynamics* d;
        assert_ok(snSkeleton_Create(NULL, defs, count, &s, &why), why);
        assert_int_equal(snSkeleton_BoneCount(s), count);
        assert_int_equal(snSkeleton_VelocityCount(s), 2 * count);
        assert_relative(snSkeleton_Mass(s), 2.0 * count, 1e-12, 0);
        assert_ok(snDynamics_Create(NULL, s, &d, &why), why);
        for (int n = 0; n < 3; ++n) {
            assert_ok(snDynamics_Step(d, 1e-3, sn_integratorMidpoint, 0, NULL, &why), why);
        }
        snDynamics_GetState(d, q, qd);
        for (int32_t k = 0; k < 2 * count; ++k) {
            assert_true(isfinite(q[k]) && isfinite(qd[k]));
        }
        snDynamics_Free(d);
        snSkeleton_Release(s);
    }
}

// Asking ------------------------------------------------------------------------------------------

static void answersAreThoseOfTheDefs(void** state)
{
    (void)state;
    snBoneDef defs[3];
    snMessage why;
    snSkeleton* s;
    char name[] = "middle";
    makeDefs(defs);
    defs[1].name = name;
    defs[1].swing = 1.25;
    defs[1].anchor.q = snQ(0, 0.8, 0, 0.8); // normalised on the way
    assert_ok(snSkeleton_Create(NULL, defs, 3, &s, &why), why);
    name[0] = 'M'; // the skeleton has its own copy
    assert_int_equal(snSkeleton_FindBone(s, "root"), 0);
    assert_int_equal(snSkeleton_FindBone(s, "middle"), 1);
    assert_int_equal(snSkeleton_FindBone(s, "leaf"), 2);
    assert_int_equal(snSkeleton_FindBone(s, "Middle"), -1);
    assert_int_equal(snSkeleton_FindBone(s, ""), -1);
    assert_int_equal(snSkeleton_FindBone(s, NULL), -1);
    const snBoneDef* b = snSkeleton_Bone(s, 1);
    assert_true(b->swing == 1.25 && b->parent == 0 && b->mass.mass == 2);
    assert_string_equal(b->name, "middle");
    assert_close(snQDot(b->anchor.q, b->anchor.q), 1, 1e-15);
    assert_null(snSkeleton_Bone(s, -1));
    assert_null(snSkeleton_Bone(s, 3));
    const int32_t q_start[] = {0, 7, 11}, v_start[] = {0, 6, 9};
    for (int32_t i = 0; i < 3; ++i) {
        assert_int_equal(snSkeleton_PositionStart(s, i), q_start[i]);
        assert_int_equal(snSkeleton_VelocityStart(s, i), v_start[i]);
    }
    assert_int_equal(snSkeleton_PositionStart(s, 3), -1);
    assert_int_equal(snSkeleton_VelocityStart(s, -1), -1);
    assert_int_equal(snSkeleton_PositionCount(s), 12);
    assert_int_equal(snSkeleton_VelocityCount(s), 10);
    double q[12], want[12] = {[6] = 1, [10] = 1};
    memset(q, 0xFF, sizeof q);
    snSkeleton_ZeroPose(s, q);
    assert_memory_equal(q, want, sizeof q);
    snSkeleton_Release(s);
    snSkeleton_Release(NULL);
}

// Limits of a free joint mean nothing: the root stays one whose momentum can be kept.
static void aFreeJointsLimitsMeanNothing(void** state)
{
    (void)state;
    snBoneDef defs[3];
    snMessage why;
    snSkeleton* s;
    makeDefs(defs);
    defs[0].dof[0].lower = -1;
    defs[0].dof[1].upper = 1;
    assert_ok(snSkeleton_Create(NULL, defs, 3, &s, &why), why);
    assert_int_equal(s->floating_root, 0);
    assert_int_equal(s->bones[0].passive, -1);
    snSkeleton_Release(s);
}

// Ownership and memory ----------------------------------------------------------------------------

typedef struct Purse {
    int64_t left; // allocations that still succeed
    int64_t calls;
    int64_t blocks, bytes; // given out and not returned
} Purse;

static void* take(void* user, size_t bytes, size_t alignment)
{
    Purse* purse = user;
    purse->calls++;
    if (purse->left-- <= 0) {
        return NULL;
    }
    purse->blocks++;
    purse->bytes += (int64_t)bytes;
    return aligned_alloc(alignment, (bytes + alignment - 1) / alignment * alignment);
}

static void giveBack(void* user, void* memory, size_t bytes)
{
    Purse* purse = user;
    purse->blocks--;
    purse->bytes -= (int64_t)bytes;
    free(memory);
}

static snHost hostOf(Purse* purse)
{
    snHost host;
    snHost_Init(&host);
    host.user = purse;
    host.allocate = take;
    host.release = giveBack;
    return host;
}

static void theLastOwnerFrees(void** state)
{
    (void)state;
    snBoneDef defs[3];
    snMessage why;
    snSkeleton* s;
    snDynamics* d;
    Purse purse = {1000, 0, 0, 0};
    snHost host = hostOf(&purse);
    makeDefs(defs);
    assert_ok(snSkeleton_Create(&host, defs, 3, &s, &why), why);
    int64_t alone = purse.blocks;
    assert_ptr_equal(snSkeleton_Retain(s), s);
    snSkeleton_Release(s);
    assert_int_equal(purse.blocks, alone);
    assert_ok(snDynamics_Create(&host, s, &d, &why), why);
    snSkeleton_Release(s); // the workspace keeps it
    assert_ok(snDynamics_Step(d, 1e-3, 0, 0, NULL, &why), why);
    snDynamics_Free(d);
    assert_int_equal(purse.blocks, 0);
    assert_int_equal(purse.bytes, 0);
}

// The allocator fails at its n-th call, for every n there is: an error each time, and nothing
// leaks.
static void everyFailedAllocationIsReported(void** state)
{
    (void)state;
    static Tree tree;
    snRandom r = snRandom_Seed(1);
    TreeKind kind = {TREE_BONES, -1, 10, true, true, true};
    randomTree(&r, &kind, &tree);
    int64_t n = 0;
    for (bool done = false; !done; ++n) {
        Purse purse = {n, 0, 0, 0};
        snHost host = hostOf(&purse);
        snMessage why = {"x"};
        snSkeleton* s = NULL;
        snDynamics* d = NULL;
        snStatus status = snSkeleton_Create(&host, tree.defs, tree.count, &s, &why);
        assert_int_equal(status == sn_ok, s != NULL);
        if (!status) {
            status = snDynamics_Create(&host, s, &d, &why);
            assert_int_equal(status == sn_ok, d != NULL);
        }
        done = status == sn_ok;
        assert_true(done || (status == sn_errorMemory && strstr(why.text, "memory")));
        snDynamics_Free(d);
        snSkeleton_Release(s);
        assert_int_equal(purse.blocks, 0);
        assert_int_equal(purse.bytes, 0);
    }
    assert_true(n > 8); // there were some to fail
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(wrongNumbersAreRefusedByName),
        cmocka_unit_test(wrongShapesAreRefusedByName),
        cmocka_unit_test(countsAndPointersAreChecked),
        cmocka_unit_test(movableLeavesNeedMass),
        cmocka_unit_test(masslessBonesInTheMiddleAreFine),
        cmocka_unit_test(pointMassesCannotTurnAboutThemselves),
        cmocka_unit_test(oneBoneAndAThousand),
        cmocka_unit_test(answersAreThoseOfTheDefs),
        cmocka_unit_test(aFreeJointsLimitsMeanNothing),
        cmocka_unit_test(theLastOwnerFrees),
        cmocka_unit_test(everyFailedAllocationIsReported),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
