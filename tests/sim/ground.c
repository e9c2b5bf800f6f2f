// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0
// label: full

// The ground: what bodies do on it. They stick, slide, carry their weight, come to rest.
#include "sim/flesh.h"

static const snVec3 HALF = {0.2, 0.06, 0.15};

static snSceneDef groundDef(double friction)
{
    snSceneDef def;
    snSceneDef_Init(&def);
    def.ground = 1;
    def.friction = friction;
    return def;
}

static snStart startAt(snVec3 p)
{
    snStart start;
    snStart_Init(&start);
    start.pose.p = p;
    return start;
}

static snMomentum momentumOf(snSim* sim)
{
    return snSim_Frame(sim)->characters[0].momentum;
}

// What the ground gives in a step is its load times h, with the correction of momentum and without.
// (Dampers of a body without bones refer to its motion before the step. Only the correction makes
// up for that.)
static void impulsesAreLoads(void** state)
{
    (void)state;
    for (int keep = 0; keep < 2; ++keep) {
        snSceneDef def = groundDef(0.6);
        snStart start = startAt(snV3(0.2, 0.1, 0.3));
        start.velocity = snV3(1, -1, 0.5);
        snCharacterDef block;
        snCharacterDef_Init(&block);
        block.cells = 150;
        block.material.damping = keep ? 12 : 0;
        snScene* scene = makeSceneOf(NULL, &def, buildBlock(&block, HALF), &start);
        snMessage why;
        assert_ok(snScene_Set(scene, NULL, "keep_momentum", keep ? "true" : "false", &why), why);
        snSim* sim = startSim(scene);
        double worst = 0, largest = 0, h = snSim_Step(sim);
        for (int i = 0; i < 200; ++i) {
            snMomentum before = momentumOf(sim);
            advance(sim, h);
            snMomentum after = momentumOf(sim);
            snWrench load = snSim_Frame(sim)->characters[0].contact_load;
            snVec3 given = snSub(after.linear, before.linear);
            snVec3 due = snScale(h, snMulAdd(load.f, before.mass, def.gravity));
            worst = fmax(worst, snLength(snSub(given, due)));
            largest = fmax(largest, snLength(due));
        }
        print_message("impulses of up to %.3g Ns, %s: %.2g apart\n", largest,
                      keep ? "corrected" : "not corrected", worst / largest);
        // float velocities of 150 nodes
        assert_below(worst, 1e-5 * largest);
        snSim_Free(sim);
        snScene_Free(scene);
    }
}

static void weightIsCarried(void** state)
{
    (void)state;
    snSceneDef def = groundDef(0.6);
    snStart start = startAt(snV3(0, HALF.y, 0));
    snScene* scene = makeSceneOf(NULL, &def, makeBlock(HALF, 150), &start);
    snSim* sim = startSim(scene);
    advance(sim, 5);
    snWrench load = snSim_Frame(sim)->characters[0].contact_load;
    double weight = 9.81 * momentumOf(sim).mass;
    print_message("weight %.4f N, carried %.4f N, sideways %.2g N\n", weight, load.f.y,
                  sqrt(load.f.x * load.f.x + load.f.z * load.f.z));
    assert_relative(load.f.y, weight, 0.01, 0);
    assert_below(fabs(load.f.x) + fabs(load.f.z), 1e-3 * weight);
    snSim_Free(sim);
    snScene_Free(scene);
}

// Slopes ----------------------------------------------------------------------

// Gravity tilted by an angle does what a slope does. Where the block is, and how fast.
static snSim* startSlope(double slope, double friction, double speed, snScene** scene)
{
    snSceneDef def = groundDef(friction);
    double norm = 9.81 / sqrt(1 + slope * slope);
    def.gravity = snV3(slope * norm, -norm, 0);
    snStart start = startAt(snV3(0, HALF.y, 0));
    start.velocity = snV3(speed, 0, 0);
    *scene = makeSceneOf(NULL, &def, makeBlock(HALF, 150), &start);
    return startSim(*scene);
}

static snMomentum slopeMomentum(snSim* sim)
{
    assert_int_equal(snSim_Frame(sim)->guard.retries, 0);
    return snSim_Frame(sim)->characters[0].momentum;
}

static void blocksStickBelowTheCone(void** state)
{
    (void)state;
    static const double SLOPES[] = {0.2, 0.4, 0.45};
    for (int i = 0; i < 3; ++i) {
        snScene* scene;
        snSim* sim = startSlope(SLOPES[i], 0.5, 0, &scene);
        advance(sim, 4);
        double from = slopeMomentum(sim).com.x;
        advance(sim, 5);
        double creep = slopeMomentum(sim).com.x - from;
        print_message("slope %.2f, friction 0.5: settled by %.2f mm, then %.2g mm in 5 s\n",
                      SLOPES[i], 1e3 * from, 1e3 * creep);
        assert_below(fabs(creep), 1e-4);
        assert_below(from, 0.02);
        snSim_Free(sim);
        snScene_Free(scene);
    }
}

static void blocksSlideAboveTheCone(void** state)
{
    (void)state;
    static const double SLOPES[] = {0.55, 0.8, 0}, SPEEDS[] = {0, 0, 4};
    for (int i = 0; i < 3; ++i) {
        snScene* scene;
        double friction = 0.5;
        snSim* sim = startSlope(SLOPES[i], friction, SPEEDS[i], &scene);
        double norm = 9.81 / sqrt(1 + SLOPES[i] * SLOPES[i]);
        double expected = norm * (SLOPES[i] - friction), seconds = i == 2 ? 0.6 : 3;
        double settle = i == 2 ? 0.1 : 1;
        advance(sim, settle);
        snMomentum a = slopeMomentum(sim);
        advance(sim, seconds);
        snMomentum b = slopeMomentum(sim);
        double found = (b.linear.x - a.linear.x) / a.mass / seconds;
        print_message("slope %.2f, friction %.1f: accelerates with %.4f m/s^2, by Coulomb %.4f\n",
                      SLOPES[i], friction, found, expected);
        assert_close(found, expected, 0.01 * friction * norm + 0.02 * fabs(expected));
        snSim_Free(sim);
        snScene_Free(scene);
    }
}

// Anchors go with a block that slides; when it has stopped they do not pull it back.
static void blocksStayWhereTheyStop(void** state)
{
    (void)state;
    const double speed = 2, friction = 0.5;
    snScene* scene;
    snSim* sim = startSlope(0, friction, speed, &scene);
    double start = slopeMomentum(sim).com.x, expected = speed * speed / (2 * friction * 9.81);
    advance(sim, 4);
    double stop = slopeMomentum(sim).com.x;
    advance(sim, 2);
    double after = slopeMomentum(sim).com.x - stop;
    print_message("stopped after %.4f m, by Coulomb %.4f m; then %.2g m in 2 s\n", stop - start,
                  expected, after);
    assert_relative(stop - start, expected, 0.03, 0);
    assert_below(fabs(after), 1e-5);
    snSim_Free(sim);
    snScene_Free(scene);
}

// Rest ------------------------------------------------------------------------

// Fastest surface vertex.
static double fastestVertex(const snFleshInfo* info, const snFrameCharacter* c)
{
    double most = 0;
    for (int32_t u = 0; u < info->vertex_count; ++u) {
        snVec3 v = snV3(0, 0, 0);
        for (int k = 0; k < 4; ++k) {
            v = snMulAdd(v, (double)info->vertex_weights[4 * u + k],
                         pointAt(c->node_velocities, info->vertex_nodes[4 * u + k]));
        }
        most = fmax(most, snLength(v));
    }
    return most;
}

// A body that starts below the ground comes up and stays: nothing shoots it out.
static void startsBelowAreLifted(void** state)
{
    (void)state;
    static const double STARTS[3] = {0, -0.3, -1};
    snCharacter* block = makeBlock(HALF, 300);
    for (int i = 0; i < 3; ++i) {
        snMessage why;
        snSceneDef def;
        snScene* scene;
        snStart start;
        snSceneDef_Init(&def);
        def.ground = 1;
        snStart_Init(&start);
        start.pose.p = snV3(0, STARTS[i], 0);
        assert_ok(snScene_Create(NULL, &def, &scene, &why), why);
        assert_ok(snScene_Add(scene, block, &start, NULL, &why), why);
        snSim* sim = startSim(scene);
        double highest = STARTS[i];
        for (int k = 0; k < 300; ++k) {
            advance(sim, 1.0 / 60);
            highest = fmax(highest, snSim_Frame(sim)->characters[0].momentum.com.y);
        }
        double end = snSim_Frame(sim)->characters[0].momentum.com.y;
        print_message("from %g m: highest %.3f, at the end %.3f m\n", STARTS[i], highest, end);
        assert_below(highest, HALF.y + 0.1);
        assert_close(end, HALF.y, 0.1 * HALF.y);
        snSim_Free(sim);
        snScene_Free(scene);
    }
    snCharacter_Release(block);
}

static void restingBodiesAreQuiet(void** state)
{
    (void)state;
    static const char* const NAMES[] = {"starfish_coarse", "starfish", "worm"};
    bool quiet = true;
    for (int i = 0; i < 3; ++i) {
        snSceneDef def = groundDef(0.6);
        snStart start = startAt(snV3(0, 0.1 + 0.07, 0)); // lowest points 0.1 m up
        snScene* scene = makeSceneOf(NULL, &def, makeBuiltin(NAMES[i]), &start);
        const snFleshInfo* info = snCharacter_Flesh(snScene_Character(scene, 0));
        snSim* sim = startSim(scene);
        advance(sim, 3);
        double most = 0, deepest = 0;
        for (int k = 0; k < 60; ++k) {
            advance(sim, 1.0 / 60);
            const snFrameCharacter* c = &snSim_Frame(sim)->characters[0];
            most = fmax(most, fastestVertex(info, c));
            for (int32_t n = 0; n < c->node_count; ++n) {
                deepest = fmin(deepest, pointAt(c->nodes, n).y);
            }
        }
        const snFrame* frame = snSim_Frame(sim);
        print_message(
            "%s, h %.2f ms: surface at most %.3g mm/s from 3 to 4 s, deepest node %.3f m\n",
            NAMES[i], 1e3 * snSim_Step(sim), 1e3 * most, deepest);
        quiet = quiet && most < 1e-3;
        assert_int_equal(frame->guard.retries, 0);
        // nodes lie outside the surface by a cell at most; nothing falls through
        assert_true(deepest > -2 * info->cell_size);
        snSim_Free(sim);
        snScene_Free(scene);
    }
    assert_true(quiet);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(impulsesAreLoads),        cmocka_unit_test(weightIsCarried),
        cmocka_unit_test(blocksStickBelowTheCone), cmocka_unit_test(blocksSlideAboveTheCone),
        cmocka_unit_test(blocksStayWhereTheyStop), cmocka_unit_test(startsBelowAreLifted),
        cmocka_unit_test(restingBodiesAreQuiet),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
