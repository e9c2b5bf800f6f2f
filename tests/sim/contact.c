// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0
// label: full

// Contact between bodies: loads, momentum, depths, thin walls, itself.
#include "elastic/box.h"
#include "sim/obstacles.h"

static const snVec3 NOWHERE = {0, 0, 0};

static snScene* openScene(const snSceneDef* def)
{
    snMessage why;
    snScene* scene = NULL;
    assert_ok(snScene_Create(NULL, def, &scene, &why), why);
    return scene;
}

static int32_t addAt(snScene* scene, snCharacter* character, snTransform pose, snVec3 velocity,
                     snVec3 spin)
{
    snMessage why;
    snStart start;
    int32_t who;
    snStart_Init(&start);
    start.pose = pose;
    start.velocity = velocity;
    start.spin = spin;
    assert_ok(snScene_Add(scene, character, &start, &who, &why), why);
    snCharacter_Release(character);
    return who;
}

static snSceneDef freeSpace(void)
{
    snSceneDef def;
    snSceneDef_Init(&def);
    def.gravity = NOWHERE;
    return def;
}

static snCharacter* stiffBlock(snVec3 half, int32_t cells, double young)
{
    snCharacterDef def;
    snCharacterDef_Init(&def);
    def.name = "block";
    def.cells = cells;
    def.material.young = young;
    return buildBlock(&def, half);
}

// Sum over all characters and movable obstacles; angular about the world's origin.
static void totalMomentum(const snFrame* f, snVec3* linear, snVec3* angular, double* size)
{
    *linear = *angular = NOWHERE;
    *size = 0;
    for (int32_t i = 0; i < f->character_count + f->obstacle_count; ++i) {
        const snMomentum* m = i < f->character_count
                                  ? &f->characters[i].momentum
                                  : &f->obstacles[i - f->character_count].momentum;
        *linear = snAdd(*linear, m->linear);
        *angular = snAdd(*angular, snAdd(m->angular, snCross(m->com, m->linear)));
        *size += snLength(m->linear);
    }
}

// A starfish, a second one and a box meet in free space and keep all momentum together.
static void momentumIsKeptTogether(void** state)
{
    (void)state;
    snSceneDef def = freeSpace();
    def.step = 1e-3; // arms that meet go 5 cm into each other in steps as long as may be
    snScene* scene = openScene(&def);
    snShapeDef box = boxShape(snV3(0.15, 0.1, 0.2));
    addAt(scene, makeBuiltin("starfish_coarse"), poseAt(snV3(-0.6, 0, 0)), snV3(2, 0.2, 0),
          snV3(0, 1, 0));
    addAt(scene, makeBuiltin("starfish_coarse"), poseAt(snV3(0.7, 0.1, 0.1)), snV3(-1, 0, 0.2),
          snV3(1, 0, 2));
    addObstacle(scene, &box, poseAt(snV3(0, 0.6, 0)), 3, snV3(0, -1.5, 0), snV3(3, 1, 0));
    snSim* sim = startSim(scene);
    snVec3 linear, angular, l, a;
    double size, now, change = 0;
    const snVec3 first[2] = {snSim_Frame(sim)->characters[0].momentum.linear,
                             snSim_Frame(sim)->characters[1].momentum.linear};
    totalMomentum(snSim_Frame(sim), &linear, &angular, &size);
    for (int i = 0; i < 120; ++i) {
        advance(sim, 1.0 / 60);
    }
    for (int i = 0; i < 2; ++i) { // what one got from others is far more than what may be lost
        const snMomentum* m = &snSim_Frame(sim)->characters[i].momentum;
        change += snLength(snSub(m->linear, first[i]));
    }
    totalMomentum(snSim_Frame(sim), &l, &a, &now);
    print_message("starfish changed by %.2g: momentum %.2g, angular %.2g of %.3g kg m/s apart\n",
                  change / size, snLength(snSub(l, linear)) / size,
                  snLength(snSub(a, angular)) / size, size);
    assert_true(change > 0.2 * size); // they met
    assert_int_equal(snSim_Frame(sim)->guard.retries, 0);
    assert_below(snLength(snSub(l, linear)), 1e-6 * size);
    // origins of frames in float: places are off by 1e-7 m
    assert_below(snLength(snSub(a, angular)), 1e-6 * size);
    snSim_Free(sim);
    snScene_Free(scene);
}

// What presses never pulls, keeps within the friction cone, and its sum is the load.
static void forcesKeepTheirLaws(void** state)
{
    (void)state;
    snSceneDef def;
    snSceneDef_Init(&def);
    def.ground = 1;
    def.friction = 0.5;
    snScene* scene = openScene(&def);
    snShapeDef box = boxShape(snV3(0.1, 0.1, 0.1)), ball = sphereShape(0.2);
    addAt(scene, makeBuiltin("starfish_coarse"), poseAt(snV3(0, 0.3, 0)), snV3(1, 0, 0), NOWHERE);
    addAt(scene, makeBuiltin("starfish_coarse"), poseAt(snV3(0.1, 0.6, 0)), NOWHERE, NOWHERE);
    addObstacle(scene, &box, poseAt(snV3(0.1, 0.9, 0)), 2, NOWHERE, NOWHERE);
    addObstacle(scene, &ball, poseAt(snV3(-0.2, 0, 0.1)), 0, NOWHERE, NOWHERE);
    snSim* sim = startSim(scene);
    int seen[3] = {0, 0, 0};
    for (int i = 0; i < 180; ++i) {
        advance(sim, 1.0 / 60);
        const snFrame* f = snSim_Frame(sim);
        snVec3 sums[2] = {NOWHERE, NOWHERE};
        double size = 0;
        for (int32_t k = 0; k < f->contact_count; ++k) {
            const snContact* c = &f->contacts[k];
            double normal = snDot(c->force, c->normal);
            snVec3 along = snMulAdd(c->force, -normal, c->normal);
            seen[c->with]++;
            assert_true(normal >= -1e-9 && c->depth >= 0);
            assert_close(snLength(c->normal), 1, 1e-6);
            assert_below(snLength(along), def.friction * normal + 1e-6 + 1e-6 * normal);
            bool inner = c->with == sn_withCharacter && c->other == c->character;
            if (c->character >= 0 && !inner) {
                sums[c->character] = snAdd(sums[c->character], c->force);
            }
            if (c->with == sn_withCharacter && !inner) {
                sums[c->other] = snSub(sums[c->other], c->force);
            }
            size += snLength(c->force);
        }
        for (int k = 0; k < 2; ++k) {
            assert_below(snLength(snSub(sums[k], f->characters[k].contact_load.f)), 1e-9 * size);
        }
    }
    print_message("contacts with the ground %d, obstacles %d, characters %d\n", seen[0], seen[1],
                  seen[2]);
    assert_true(seen[0] > 0 && seen[1] > 0 && seen[2] > 0);
    assert_int_equal(snSim_Frame(sim)->guard.retries, 0);
    snSim_Free(sim);
    snScene_Free(scene);
}

// Height of a movable obstacle's centre after a while.
static double restingHeight(snSim* sim, double seconds)
{
    advance(sim, seconds);
    const snFrame* f = snSim_Frame(sim);
    assert_int_equal(f->guard.retries, 0);
    assert_below(snLength(f->obstacles[0].momentum.linear), 0.02); // of 12 kg: 2 mm/s
    return f->obstacles[0].momentum.com.y;
}

// Cells that end where the pad does: partly filled ones would give way too much.
static snCharacter* makePad(snVec3 half, double young)
{
    Box box;
    snCharacterDef def;
    snCharacterDef_Init(&def);
    boxInit(&box, 8, 4, 8, 0.05, young, 0.4);
    int32_t nodes = 9 * 5 * 9;
    for (int32_t i = 0; i < nodes; ++i) {
        box.rest[3 * i] -= half.x, box.rest[3 * i + 1] -= half.y, box.rest[3 * i + 2] -= half.z;
    }
    def.name = "pad";
    def.node_count = nodes;
    def.nodes = box.rest;
    def.cell_count = 6 * 8 * 4 * 8;
    def.tets = box.tets;
    def.material.young = young;
    snCharacter* pad = buildBlock(&def, half);
    boxFree(&box);
    return pad;
}

// A box dropped on a pad of its own width, almost without friction, presses it evenly:
// one-dimensional stress. Nominal stress of StVK at stretch s along the axis, sides free: E (s^2 -
// 1)/2 s.
static void padsYieldAsStaticsSays(void** state)
{
    (void)state;
    const double young = 30e3, mass = 12, area = 0.4 * 0.4, height = 0.2;
    snSceneDef def;
    snSceneDef_Init(&def);
    def.ground = 1;
    def.friction = 0.03; // without any it slides off
    def.step = 5e-4;
    snScene* scene = openScene(&def);
    snShapeDef box = boxShape(snV3(0.21, 0.05, 0.21));
    addAt(scene, makePad(snV3(0.2, height / 2, 0.2), young), poseAt(snV3(0, height / 2, 0)),
          NOWHERE, NOWHERE);
    addObstacle(scene, &box, poseAt(snV3(0, height + 0.06, 0)), mass, NOWHERE, NOWHERE);
    snSim* sim = startSim(scene);
    double depth = height - (restingHeight(sim, 3) - 0.05);
    // the box's weight, and half of the pad's own
    double p = mass * 9.81 / area + 0.5 * 1000 * 9.81 * height, low = 0.8, high = 1;
    for (int k = 0; k < 60; ++k) {
        double s = 0.5 * (low + high);
        bool more = young * 0.5 * (1 - s * s) * s > p;
        low = more ? s : low;
        high = more ? high : s;
    }
    print_message("a box of %g kg rests %.3f mm deep on a pad, by statics %.3f mm\n", mass,
                  1e3 * depth, 1e3 * height * (1 - low));
    assert_relative(depth, height * (1 - low), 0.05, 0);
    snSim_Free(sim);
    snScene_Free(scene);
}

// Farthest that a surface reaches along +x.
static double reachOf(const snFrameCharacter* c)
{
    double most = -HUGE_VAL;
    for (int32_t i = 0; i < c->surfaces[0].vertex_count; ++i) {
        most = fmax(most, pointAt(c->surfaces[0].position, i).x);
    }
    return most;
}

// Bodies thrown at a wall of 1 mm at 10 m/s: flat, edge first, and a fast thin wall against a body.
static void thinWallsHold(void** state)
{
    (void)state;
    static const char* const NAMES[] = {"starfish_coarse", "worm", "starfish"};
    for (int i = 0; i < 3; ++i) {
        snSceneDef def = freeSpace();
        snScene* scene = openScene(&def);
        snShapeDef wall = boxShape(snV3(0.0005, 2, 2));
        addAt(scene, makeBuiltin(NAMES[i]), poseAt(snV3(-0.8, 0, 0)), snV3(10, 0, 0),
              snV3(0, 0, 2));
        addObstacle(scene, &wall, poseAt(NOWHERE), 0, NOWHERE, NOWHERE);
        snSim* sim = startSim(scene);
        double most = -1, h = snSim_Step(sim);
        while (snSim_Time(sim) < 0.4) { // every step
            advance(sim, snSim_Frame(sim)->step_size);
            most = fmax(most, reachOf(&snSim_Frame(sim)->characters[0]));
        }
        advance(sim, 0.4);
        const snFrameCharacter* c = &snSim_Frame(sim)->characters[0];
        double end = reachOf(c), bound = fmax(0.05, 40 * h); // all are 1 m across
        print_message("%s at 10 m/s against 1 mm: %.1f mm through at most (4 v h = %.1f mm), after "
                      "0.8 s %.3f m in front; %lld retries\n",
                      NAMES[i], 1e3 * most, 4e4 * h, -end,
                      (long long)snSim_Frame(sim)->guard.retries);
        assert_below(most, bound);
        assert_true(c->momentum.com.x < 0);
        assert_below(end, 0.02); // nothing is behind the wall but what presses on it
        snSim_Free(sim);
        snScene_Free(scene);
    }
}

// Lists of what may touch, which are good for many steps, leave out only what cannot: a run whose
// lists are made anew in every step, because its state is put back each time, has the same bits.
// It ends when everything has met: starfish and wall, starfish and box, the two bodies.
static void listsLeaveOutNothing(void** state)
{
    (void)state;
    uint64_t hash[2];
    bool met[3] = {false, false, false};
    for (int i = 0; i < 2; ++i) {
        snSceneDef def = freeSpace();
        snScene* scene = openScene(&def);
        snShapeDef wall = boxShape(snV3(0.0005, 2, 2)), box = boxShape(snV3(0.1, 0.1, 0.1));
        addAt(scene, makeBuiltin("starfish_coarse"), poseAt(snV3(-0.8, 0, 0)), snV3(10, 0, 0),
              snV3(0, 0, 2));
        addAt(scene, makeBuiltin("worm"), poseAt(snV3(-1.6, 0.1, 0)), snV3(12, 0, 0), NOWHERE);
        addObstacle(scene, &wall, poseAt(NOWHERE), 0, NOWHERE, NOWHERE);
        addObstacle(scene, &box, poseAt(snV3(-0.5, 0.5, 0)), 3, snV3(0, -6, 0), snV3(1, 2, 3));
        snSim* sim = startSim(scene);
        void* kept = malloc(snSim_StateSize(sim));
        assert_non_null(kept);
        while (snSim_Time(sim) < 0.13) {
            advance(sim, snSim_Frame(sim)->step_size);
            const snFrame* f = snSim_Frame(sim);
            for (int32_t k = 0; k < f->contact_count; ++k) {
                const snContact* c = &f->contacts[k];
                if (c->with == sn_withObstacle && c->character >= 0) {
                    met[c->other] = true;
                } else if (c->character >= 0 && c->character != c->other) {
                    met[2] = true;
                }
            }
            if (i == 1) {
                snMessage why;
                snSim_Save(sim, kept);
                assert_ok(snSim_Restore(sim, kept, snSim_StateSize(sim), &why), why);
            }
        }
        hash[i] = snSim_Hash(sim);
        free(kept);
        snSim_Free(sim);
        snScene_Free(scene);
    }
    assert_true(met[0] && met[1] && met[2]);
    assert_true(hash[0] == hash[1]);
}

// With projection what a frame shows of flesh without bones is hardly inside anything: bodies
// thrown at the ground at 10 m/s.
static void projectionLetsNothingIn(void** state)
{
    (void)state;
    static const char* const NAMES[] = {"block", "starfish_coarse", "starfish", "worm"};
    for (int i = 0; i < 4; ++i) {
        snSceneDef def;
        snSceneDef_Init(&def);
        def.ground = 1;
        snScene* scene = openScene(&def);
        snMessage why;
        assert_ok(snScene_Set(scene, NULL, "contact", "projection", &why), why);
        snCharacter* body = i == 0 ? makeBlock(snV3(0.3, 0.2, 0.3), 600) : makeBuiltin(NAMES[i]);
        addAt(scene, body, poseAt(snV3(0, 0.5, 0)), snV3(0, -10, 0), NOWHERE);
        snSim* sim = startSim(scene);
        advance(sim, 0.5);
        double impact = snSim_Frame(sim)->characters[0].deepest;
        if (i == 1) { // the coarse one, which takes little time, until it lies
            advance(sim, 1.5);
        }
        const snFrame* f = snSim_Frame(sim);
        print_message("%s at 10 m/s, projected: at most %.2f mm deep, then %.2f mm, %.2g m/s; "
                      "%lld retries\n",
                      NAMES[i], 1e3 * impact, 1e3 * f->characters[0].depth,
                      snLength(f->characters[0].momentum.linear) / f->characters[0].momentum.mass,
                      (long long)f->guard.retries);
        assert_below(impact, 0.01); // 1 % of the size, which is about 1 m
        snSim_Free(sim);
        snScene_Free(scene);
    }
}

// Movable obstacles against each other: a tower of equal boxes, whose corners are just on each
// other's sides; one that runs into its equal; a ball on the ground.
static void obstaclesFeelEachOther(void** state)
{
    (void)state;
    snSceneDef def;
    snSceneDef_Init(&def);
    def.ground = 1;
    snScene* scene = openScene(&def);
    snShapeDef box = boxShape(snV3(0.15, 0.15, 0.15)), ball = sphereShape(0.1);
    addAt(scene, stiffBlock(snV3(0.1, 0.1, 0.1), 60, 60e3), poseAt(snV3(-2, 0.11, 0)), NOWHERE,
          NOWHERE);
    for (int i = 0; i < 3; ++i) {
        addObstacle(scene, &box, poseAt(snV3(0, 0.15 + 0.301 * i, 0)), 2, NOWHERE, NOWHERE);
    }
    addObstacle(scene, &box, poseAt(snV3(2, 0.15, 0)), 2, snV3(4, 0, 0), NOWHERE);
    addObstacle(scene, &box, poseAt(snV3(2.6, 0.15, 0)), 2, NOWHERE, NOWHERE);
    addObstacle(scene, &ball, poseAt(snV3(0, 0.1, 2)), 1, NOWHERE, NOWHERE);
    snSim* sim = startSim(scene);
    advance(sim, 3);
    const snFrameObstacle* o = snSim_Frame(sim)->obstacles;
    for (int i = 0; i < 3; ++i) {
        print_message("box %d: %.1f mm low, %.1f mm aside\n", i,
                      1e3 * (0.15 + 0.3 * i - o[i].pose.p.y), 1e3 * fabs(o[i].pose.p.x));
        assert_close(o[i].pose.p.y, 0.15 + 0.3 * i, 0.003); // 1 % of a side
        assert_close(o[i].pose.p.x, 0, 0.003);
    }
    print_message("one box has come to %.2f m, the other was sent to %.2f m; the ball is %.1f mm "
                  "low\n",
                  o[3].pose.p.x, o[4].pose.p.x, 1e3 * (0.1 - o[5].pose.p.y));
    // without restitution they stay together
    assert_true(o[4].pose.p.x > o[3].pose.p.x + 0.297 && o[4].pose.p.x > 2.8);
    assert_close(o[5].pose.p.y, 0.1, 0.003);
    snSim_Free(sim);
    snScene_Free(scene);
}

// A plate of 1 mm flies edge first into a body: it does not cut it.
static void thinEdgesDoNotCut(void** state)
{
    (void)state;
    snSceneDef def = freeSpace();
    snScene* scene = openScene(&def);
    snShapeDef plate = boxShape(snV3(0.3, 0.0005, 0.5));
    addAt(scene, stiffBlock(snV3(0.2, 0.2, 0.2), 600, 200e3), poseAt(NOWHERE), NOWHERE, NOWHERE);
    addObstacle(scene, &plate, poseAt(snV3(-0.55, 0.02, 0)), 5, snV3(10, 0, 0), NOWHERE);
    snSim* sim = startSim(scene);
    double least = 1;
    for (int k = 0; k < 60; ++k) {
        advance(sim, 0.005);
        const snFrame* f = snSim_Frame(sim);
        double gap = f->characters[0].momentum.com.x - (f->obstacles[0].pose.p.x + 0.3);
        least = fmin(least, gap);
    }
    const snFrame* f = snSim_Frame(sim);
    double away = f->characters[0].momentum.linear.x / f->characters[0].momentum.mass -
                  f->obstacles[0].momentum.linear.x / 5;
    print_message("an edge at 10 m/s comes within %.3f m of the middle, sinks in %.1f mm, then "
                  "parts at %.2f m/s\n",
                  least, 1e3 * f->characters[0].deepest, away);
    assert_true(least > 0.02);
    assert_below(f->characters[0].deepest, 40 * snSim_Step(sim));
    assert_true(away > -1e-3);
    snSim_Free(sim);
    snScene_Free(scene);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(momentumIsKeptTogether), cmocka_unit_test(forcesKeepTheirLaws),
        cmocka_unit_test(padsYieldAsStaticsSays), cmocka_unit_test(thinWallsHold),
        cmocka_unit_test(thinEdgesDoNotCut),      cmocka_unit_test(projectionLetsNothingIn),
        cmocka_unit_test(listsLeaveOutNothing),   cmocka_unit_test(obstaclesFeelEachOther),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
