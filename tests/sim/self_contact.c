// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0
// label: full

// Arms and legs that are pressed into the body, or into each other, by their own joints stay out of
// it. How deep they are is found without contact's own means: a point just outside the skin that
// the whole skin winds around lies in another part of the body.
#include "base/memory.h"
#include "geom/nearest.h"
#include "geom/winding.h"
#include "math/quat.h"
#include "sim/flesh.h"

#define BODY 1.0     // m: size of the starfish
#define MAN 1.8      // m: of Fatman
#define OUTER 0.33   // m from the starfish's middle at rest: arms beyond the folds of their joints
#define OTHER 0.2    // m away at rest: another part of it
#define CROTCH 0.75  // m: the legs below have the other leg closer than three cells
#define JUST 1e-4    // m: just outside
#define ALLOWED 0.02 // of the size

typedef struct Mixed {
    int count;    // points inside another part
    double depth; // m: the deepest
} Mixed;

static snVec3 restAt(const snFleshInfo* info, int32_t i)
{
    const double* p = info->vertices + 3 * (size_t)i;
    return snV3(p[0], p[1], p[2]);
}

// Which places of the rest shape are looked at, and which are of another part.
typedef struct Parts {
    bool (*isLimb)(snVec3 p);
    bool (*areApart)(snVec3 p, snVec3 q);
} Parts;

static bool isArm(snVec3 p)
{
    return snLength(p) > OUTER;
}

static bool areFar(snVec3 p, snVec3 q)
{
    return snLength(snSub(p, q)) > OTHER;
}

static bool isLeg(snVec3 p)
{
    return p.y < CROTCH;
}

static bool areLegs(snVec3 p, snVec3 q)
{
    return isLeg(p) && isLeg(q) && p.x * q.x < 0;
}

static const Parts ARMS = {isArm, areFar}, LEGS = {isLeg, areLegs};

// From a place to the skin of other parts.
static double farFrom(const Parts* parts, const snFleshInfo* info, const snSurface* skin,
                      int32_t vertex)
{
    double least = HUGE_VAL;
    for (int32_t t = 0; t < skin->triangle_count; ++t) {
        const int32_t* v = skin->triangle + 3 * (size_t)t;
        if (parts->areApart(restAt(info, v[0]), restAt(info, vertex))) {
            snVec3 a = skin->position[v[0]], b = skin->position[v[1]], c = skin->position[v[2]];
            double w[3];
            snTriangle_Nearest(a, b, c, skin->position[vertex], w);
            snVec3 near = snMulAdd(snMulAdd(snScale(w[0], a), w[1], b), w[2], c);
            least = fmin(least, snLength(snSub(near, skin->position[vertex])));
        }
    }
    return least;
}

static Mixed mixedOf(const Parts* parts, const snFleshInfo* info, const snFrameCharacter* c)
{
    const snFrameSurface* s = &c->surfaces[0];
    Mixed mixed = {0, 0};
    snMessage why;
    snArena arena;
    snWinding winding;
    snArena_Init(&arena, NULL);
    snSurface skin = {s->vertex_count, s->triangle_count,
                      snArena_Push(&arena, (size_t)s->vertex_count, sizeof(snVec3)),
                      snArena_Push(&arena, 3 * (size_t)s->triangle_count, sizeof(int32_t))};
    memcpy(skin.triangle, s->triangles, 3 * (size_t)s->triangle_count * sizeof(int32_t));
    for (int32_t i = 0; i < s->vertex_count; ++i) {
        skin.position[i] = pointAt(s->position, i);
    }
    assert_ok(snWinding_Build(&arena, &skin, &winding, &why), why);
    for (int32_t i = 0; i < s->vertex_count; ++i) {
        snVec3 out = snMulAdd(skin.position[i], JUST, pointAt(s->normal, i));
        if (parts->isLimb(restAt(info, i)) && snWinding_IsInside(snWinding_At(&winding, out))) {
            mixed.count++;
            mixed.depth = fmax(mixed.depth, farFrom(parts, info, &skin, i));
        }
    }
    snArena_Free(&arena);
    return mixed;
}

// What joints are pulled to, degrees: lift and sweep of the base, lift of middle and tip.
typedef struct Pose {
    const char* about;
    double arms[5][4];
} Pose;

static const Pose POSES[] = {
    {"an arm curls onto the back", {{110, 0, 110, 20}}},
    {"two arms swing into each other", {{50, 40, 40, 0}, {50, -40, 40, 0}}},
    {"all arms curl up",
     {{80, 0, 100, 0}, {80, 0, 100, 0}, {80, 0, 100, 0}, {80, 0, 100, 0}, {80, 0, 100, 0}}},
};

// With up to 20 Nm, three times what holds an arm straight out.
static void pullTo(snScene* scene, const Pose* pose)
{
    static const double TIMES[2] = {0, 1}, DEGREE = SN_PI / 180;
    static const double STIFFNESS[3] = {60, 30, 10}, DAMPING[3] = {4, 2, 0.6};
    for (int32_t bone = 1; bone < 16; ++bone) {
        int arm = (bone - 1) / 3, part = (bone - 1) % 3;
        const double* to = pose->arms[arm];
        double keys[4] = {0, 0, to[0] * DEGREE, to[1] * DEGREE};
        snMessage why;
        snDriveDef drive;
        snDriveDef_Init(&drive);
        if (part > 0) {
            keys[1] = to[part + 1] * DEGREE;
        }
        drive.kind = sn_driveServo;
        drive.bone = bone;
        drive.key_count = 2;
        drive.times = TIMES;
        drive.keys = keys;
        drive.stiffness = STIFFNESS[part];
        drive.damping = DAMPING[part];
        drive.limit = 20;
        assert_ok(snScene_SetDrive(scene, 0, &drive, &why), why);
    }
}

// Deepest over the run.
static Mixed press(const Pose* pose, int32_t self)
{
    snSceneDef def;
    snSceneDef_Init(&def);
    def.ground = 1;
    def.ground_height = -0.06;
    def.self_contact = self;
    snScene* scene = makeSceneOf(NULL, &def, makeBuiltin("starfish"), NULL);
    pullTo(scene, pose);
    snSim* sim = startSim(scene);
    const snFleshInfo* info = snCharacter_Flesh(snScene_Character(scene, 0));
    Mixed worst = {0, 0};
    for (int i = 0; i < 15; ++i) {
        advance(sim, 0.1);
        assert_true(isFrameFinite(snSim_Frame(sim)));
        Mixed now = mixedOf(&ARMS, info, &snSim_Frame(sim)->characters[0]);
        worst = now.depth > worst.depth ? now : worst;
    }
    const snFrame* f = snSim_Frame(sim);
    print_message("  self contact %d: %d points inside another part, %.1f mm deep; contact says "
                  "%.1f mm at most; %lld retries\n",
                  self, worst.count, 1e3 * worst.depth, 1e3 * f->characters[0].deepest,
                  (long long)f->guard.retries);
    assert_int_equal(f->guard.retries, 0);
    snSim_Free(sim);
    snScene_Free(scene);
    return worst;
}

static void armsStayOut(void** state)
{
    (void)state;
    for (size_t i = 0; i < sizeof POSES / sizeof *POSES; ++i) {
        print_message("%s\n", POSES[i].about);
        Mixed with = press(&POSES[i], 1), without = press(&POSES[i], 0);
        assert_below(with.depth, ALLOWED * BODY);
        assert_true(without.depth > ALLOWED * BODY && without.count > 2 * with.count);
    }
}

// Fatman hangs in the air and presses his legs together.
static Mixed closeLegs(int32_t self)
{
    static const double TIMES[2] = {0, 0.4};
    static const char* const THIGHS[2] = {"thigh_l", "thigh_r"};
    snMessage why;
    snSceneDef def;
    snSceneDef_Init(&def);
    def.gravity = snV3(0, 0, 0);
    def.self_contact = self;
    snScene* scene = makeSceneOf(NULL, &def, makeBuiltin("fatman"), NULL);
    for (int i = 0; i < 2; ++i) {
        snQuat turn = snQFromAxisAngle(snV3(0, 0, 1), i ? 0.15 : -0.15);
        double keys[8] = {0, 0, 0, 1, turn.x, turn.y, turn.z, turn.w};
        snDriveDef drive;
        snDriveDef_Init(&drive);
        drive.kind = sn_driveServo;
        drive.bone =
            snSkeleton_FindBone(snCharacter_Skeleton(snScene_Character(scene, 0)), THIGHS[i]);
        drive.key_count = 2;
        drive.times = TIMES;
        drive.keys = keys;
        drive.stiffness = 400;
        drive.damping = 40;
        drive.limit = 40;
        assert_ok(snScene_SetDrive(scene, 0, &drive, &why), why);
    }
    snSim* sim = startSim(scene);
    advance(sim, 0.6);
    const snFrameCharacter* c = &snSim_Frame(sim)->characters[0];
    Mixed mixed = mixedOf(&LEGS, snCharacter_Flesh(snScene_Character(scene, 0)), c);
    print_message("  self contact %d: %d points inside the other leg, %.1f mm deep; %d touch\n",
                  (int)self, mixed.count, 1e3 * mixed.depth, (int)c->contact_count);
    snSim_Free(sim);
    snScene_Free(scene);
    return mixed;
}

static void legsStayApart(void** state)
{
    (void)state;
    Mixed with = closeLegs(1), without = closeLegs(0);
    assert_below(with.depth, ALLOWED * MAN);
    assert_true(without.depth > ALLOWED * MAN && without.count > 2 * with.count);
}

// Fingers and thighs are closer to each other than a cell, and some cells lie in the same place.
static void restingBodiesFeelNothing(void** state)
{
    (void)state;
    for (const snBuiltinCharacter* b = snBuiltinCharacters(); b->name; ++b) {
        snMessage why;
        snSceneDef def;
        snSceneDef_Init(&def);
        def.gravity = snV3(0, 0, 0);
        snCharacter* character = NULL;
        assert_ok(b->make(NULL, &character, &why), why);
        snScene* scene = makeSceneOf(NULL, &def, character, NULL);
        snSim* sim = startSim(scene);
        for (int i = 0; i < 5; ++i) {
            advance(sim, snSim_Step(sim));
            const snFrameCharacter* c = &snSim_Frame(sim)->characters[0];
            assert_int_equal(c->contact_count, 0);
            assert_true(c->depth == 0 && fastestNode(c) < 1e-3);
        }
        snSim_Free(sim);
        snScene_Free(scene);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(armsStayOut),
        cmocka_unit_test(legsStayApart),
        cmocka_unit_test(restingBodiesFeelNothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
