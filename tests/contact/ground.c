// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0
// label: full

// The ground: forces on surface points by themselves, then what bodies do on it: stick, slide,
// carry their weight, come to rest.
#include "contact/ground.h"

#include "base/random.h"
#include "method/explicit/explicit.h"
#include "sim/flesh.h"
#include "sim/scene.h"

static const snVec3 HALF = {0.2, 0.06, 0.15};

static snVec3 widen(snVec4f a)
{
    return snV3((double)a.x, (double)a.y, (double)a.z);
}

// Forces ----------------------------------------------------------------------

// A block's nodes, free to be put anywhere.
typedef struct Body {
    snCharacter* character;
    const snFlesh* flesh;
    snVec4f *x, *v, *push;
    snTouch* touches;
} Body;

static void openBody(Body* b)
{
    b->character = makeBlock(HALF, 150);
    b->flesh = &b->character->flesh;
    size_t nodes = (size_t)b->flesh->tets.node_count;
    b->x = aligned_alloc(64, (nodes * sizeof(snVec4f) + 63) / 64 * 64);
    b->v = aligned_alloc(64, (nodes * sizeof(snVec4f) + 63) / 64 * 64);
    b->push = aligned_alloc(64, (nodes * sizeof(snVec4f) + 63) / 64 * 64);
    b->touches = calloc((size_t)b->flesh->point_count, sizeof(snTouch));
    for (size_t i = 0; i < nodes; ++i) {
        snVec3 p = b->flesh->tets.position[i];
        b->x[i] = (snVec4f){(float)p.x, (float)p.y, (float)p.z, 0};
        b->v[i] = (snVec4f){0, 0, 0, 0};
    }
}

static void closeBody(Body* b)
{
    free(b->x);
    free(b->v);
    free(b->push);
    free(b->touches);
    snCharacter_Release(b->character);
}

static int32_t pushBody(Body* b, const snGround* ground, double h, snWrench* load)
{
    snTouching touching = {b->flesh, snV3(0, 0, 0), b->x, b->v, b->touches};
    memset(b->push, 0, (size_t)b->flesh->tets.node_count * sizeof(snVec4f));
    return snGround_Push(ground, &touching, h, b->push, load);
}

static snVec3 pointOf(const Body* b, int32_t u, const snVec4f* a)
{
    const snTie* tie = &b->flesh->ties[u];
    snVec3 sum = snV3(0, 0, 0);
    for (int k = 0; k < 4; ++k) {
        sum = snMulAdd(sum, (double)tie->weight[k], widen(a[tie->node[k]]));
    }
    return sum;
}

// At rest, pressed in: every point has its spring. Then moved aside: the anchors' springs answer.
static void springsHold(void** state)
{
    (void)state;
    const double h = 1e-3, depth = 1e-3, aside = 1e-4;
    snGround ground = {true, -HALF.y + depth, 1};
    snWrench load;
    Body b;
    openBody(&b);
    double normal = 0, stiffness = 0;
    int32_t below = 0;
    for (int32_t u = 0; u < b.flesh->point_count; ++u) {
        double deep = ground.height - pointOf(&b, u, b.x).y;
        if (deep > 0) {
            double c = snGround_Share(h, b.flesh->step.rest);
            double k = c / (h * h) * (double)b.flesh->contact_mass[u];
            normal += k * deep;
            stiffness += k;
            below++;
        }
    }
    assert_int_equal(pushBody(&b, &ground, h, &load), below);
    assert_true(below >= (BLOCK_CUTS + 1) * (BLOCK_CUTS + 1));
    assert_relative(load.f.y, normal, 1e-4, 0);
    assert_close(load.f.x, 0, 1e-6 * normal);
    for (int32_t i = 0; i < b.flesh->tets.node_count; ++i) {
        b.x[i].x += (float)aside;
    }
    pushBody(&b, &ground, h, &load);
    assert_relative(load.f.x, -stiffness * aside, 1e-3, 0);
    assert_relative(load.f.y, normal, 1e-4, 0);
    // lifted off, everything is forgotten
    ground.height = -1;
    assert_int_equal(pushBody(&b, &ground, h, &load), 0);
    assert_close(snLength(load.f) + snLength(load.n), 0, 0);
    for (int32_t u = 0; u < b.flesh->point_count; ++u) {
        assert_true(b.touches[u].on == 0);
    }
    closeBody(&b);
}

// Whatever the body does: the ground never pulls, stays in the friction cone, and what nodes get is
// what the load says.
static void forcesKeepTheirLaws(void** state)
{
    (void)state;
    const double h = 1e-3;
    snRandom r = snRandom_Seed(3);
    Body b;
    openBody(&b);
    for (int trial = 0; trial < 200; ++trial) {
        snGround ground = {true, snRandom_Range(&r, -0.08, 0.08), snRandom_Range(&r, 0, 1.5)};
        snWrench load;
        double size = 0;
        for (int32_t i = 0; i < b.flesh->tets.node_count; ++i) {
            snVec3 p = b.flesh->tets.position[i];
            b.x[i] = (snVec4f){(float)(p.x + snRandom_Range(&r, -0.02, 0.02)),
                               (float)(p.y + snRandom_Range(&r, -0.02, 0.02)),
                               (float)(p.z + snRandom_Range(&r, -0.02, 0.02)), 0};
            b.v[i] = (snVec4f){(float)snRandom_Range(&r, -3, 3), (float)snRandom_Range(&r, -3, 3),
                               (float)snRandom_Range(&r, -3, 3), 0};
        }
        pushBody(&b, &ground, h, &load);
        snVec3 f = snV3(0, 0, 0), n = snV3(0, 0, 0);
        for (int32_t i = 0; i < b.flesh->tets.node_count; ++i) {
            f = snAdd(f, widen(b.push[i]));
            n = snAdd(n, snCross(widen(b.x[i]), widen(b.push[i])));
            size += snLength(widen(b.push[i]));
        }
        assert_true(load.f.y >= 0);
        assert_below(sqrt(load.f.x * load.f.x + load.f.z * load.f.z),
                     ground.friction * load.f.y + 1e-9 * size);
        // float weights and sums
        assert_below(snLength(snSub(f, load.f)), 1e-5 * size);
        assert_below(snLength(snSub(n, load.n)), 1e-5 * size);
    }
    closeBody(&b);
}

// Stepping --------------------------------------------------------------------

typedef struct Stage {
    snScene* scene;
    snMethodData* data;
    snTasks* tasks;
    void* state;
    snNodes* nodes;
    double h;
} Stage;

static void openStage(Stage* s, snCharacter* c, const snSceneDef* def, const snStart* start)
{
    snMessage why;
    s->scene = makeSceneOf(NULL, def, c, start);
    assert_ok(snExplicit.build(&s->scene->world, &s->data, &why), why);
    assert_ok(snTasks_Create(NULL, &s->tasks, &why), why);
    size_t bytes = snExplicit.stateSize(s->data);
    s->state = aligned_alloc(64, bytes);
    memset(s->state, 0, bytes);
    snExplicit.init(s->data, s->state);
    s->nodes = snExplicit_Nodes(s->data, s->state, 0);
    s->h = snExplicit.chooseStep(s->data);
}

static void stepStage(Stage* s, double seconds)
{
    snFault fault;
    for (int i = 0; i * s->h < seconds; ++i) {
        assert_true(snExplicit.advance(s->data, s->tasks, s->state, i * s->h, s->h, &fault));
    }
}

static void closeStage(Stage* s)
{
    free(s->state);
    snExplicit.free(s->data);
    snTasks_Free(s->tasks);
    snScene_Free(s->scene);
}

// The ground's force where the next step will take it.
static snWrench loadAhead(const Stage* s)
{
    const snFlesh* flesh = s->nodes->flesh;
    size_t nodes = (size_t)flesh->tets.node_count, points = (size_t)flesh->point_count;
    snVec4f* x = aligned_alloc(64, (nodes * sizeof(snVec4f) + 63) / 64 * 64);
    snVec4f* push = aligned_alloc(64, (nodes * sizeof(snVec4f) + 63) / 64 * 64);
    snTouch* touches = malloc(points * sizeof(snTouch));
    snWrench load;
    float half = (float)(0.5 * s->h);
    memcpy(touches, s->nodes->touches, points * sizeof(snTouch));
    for (size_t i = 0; i < nodes; ++i) {
        const snVec4f *a = &s->nodes->x[i], *v = &s->nodes->v[i];
        x[i] = (snVec4f){a->x + half * v->x, a->y + half * v->y, a->z + half * v->z, 0};
    }
    snTouching body = {flesh, s->nodes->head->origin, x, s->nodes->v, touches};
    snGround_Push(&s->scene->world.ground, &body, s->h, push, &load);
    free(x);
    free(push);
    free(touches);
    return load;
}

static snMomentum momentumOf(Stage* s)
{
    return snNodes_Whole(s->nodes, s->tasks).momentum;
}

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

// What the ground gives in a step is its load times h, with the correction of momentum and without.
// (Dampers of a body without bones refer to its motion before the step. Only the correction makes
// up for that.)
static void impulsesAreLoads(void** state)
{
    (void)state;
    for (int keep = 0; keep < 2; ++keep) {
        snSceneDef def = groundDef(0.6);
        def.keep_momentum = keep;
        snStart start = startAt(snV3(0.2, 0.1, 0.3));
        start.velocity = snV3(1, -1, 0.5);
        snCharacterDef block;
        snCharacterDef_Init(&block);
        block.cells = 150;
        block.stuff.damping = keep ? 12 : 0;
        Stage s;
        openStage(&s, buildBlock(&block, HALF), &def, &start);
        double worst = 0, largest = 0;
        for (int i = 0; i < 200; ++i) {
            snMomentum before = momentumOf(&s);
            snWrench load = loadAhead(&s);
            stepStage(&s, 0.5 * s.h); // one
            snMomentum after = momentumOf(&s);
            snVec3 given = snSub(after.linear, before.linear);
            snVec3 due = snScale(s.h, snMulAdd(load.f, before.mass, def.gravity));
            worst = fmax(worst, snLength(snSub(given, due)));
            largest = fmax(largest, snLength(due));
        }
        print_message("impulses of up to %.3g Ns, %s: %.2g apart\n", largest,
                      keep ? "corrected" : "not corrected", worst / largest);
        // float velocities of 150 nodes
        assert_below(worst, 1e-5 * largest);
        closeStage(&s);
    }
}

static void weightIsCarried(void** state)
{
    (void)state;
    snSceneDef def = groundDef(0.6);
    snStart start = startAt(snV3(0, HALF.y, 0));
    Stage s;
    openStage(&s, makeBlock(HALF, 150), &def, &start);
    stepStage(&s, 5);
    snWrench load = loadAhead(&s);
    double weight = 9.81 * momentumOf(&s).mass;
    print_message("weight %.4f N, carried %.4f N, sideways %.2g N\n", weight, load.f.y,
                  sqrt(load.f.x * load.f.x + load.f.z * load.f.z));
    assert_relative(load.f.y, weight, 0.01, 0);
    assert_below(fabs(load.f.x) + fabs(load.f.z), 1e-3 * weight);
    closeStage(&s);
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
        cmocka_unit_test(springsHold),
        cmocka_unit_test(forcesKeepTheirLaws),
        cmocka_unit_test(impulsesAreLoads),
        cmocka_unit_test(weightIsCarried),
        cmocka_unit_test(blocksStickBelowTheCone),
        cmocka_unit_test(blocksSlideAboveTheCone),
        cmocka_unit_test(blocksStayWhereTheyStop),
        cmocka_unit_test(startsBelowAreLifted),
        cmocka_unit_test(restingBodiesAreQuiet),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
