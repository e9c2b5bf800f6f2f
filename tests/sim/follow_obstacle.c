// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0
// label: full

// Laws of obstacles on flesh that follows: no soft vertex is in them as long as its limit lets it,
// flesh comes back when they leave, those that are away change no bit, and states hold them.

#include "sim/fed.h"

static const double inside_tolerance = 5e-4; // m: vertices share nodes, which are moved in turns

static snMatrix standing(void)
{
    return snMatrix_FromParts(snV3(0, 0.1, 0), snQ(0, 0, 0, 1), snV3(1, 1, 1));
}

static snShapeDef ballAt(snVec3 p)
{
    return (snShapeDef){.kind = sn_shapeSphere, .pose = {p, snQ(0, 0, 0, 1)}, .radius = 0.1};
}

static void set(snFollow* follow, const snShapeDef* shape)
{
    snMessage why;
    assert_ok(snFollow_SetObstacles(follow, shape, 1, &why), why);
}

// How deep the deepest vertex is in a ball, as skinned, or with flesh
static double deepest(const snFollow* follow, const snShapeDef* ball, bool flesh)
{
    const snRigBody* body = follow->body;
    int32_t n = body->weld.surface.vertex_count;
    float* offsets = calloc(3 * (size_t)n, sizeof *offsets);
    double most = 0;
    if (flesh) {
        snFollow_Offsets(follow, offsets);
    }
    for (int32_t v = 0; v < n; ++v) {
        const float* o = offsets + 3 * (size_t)v;
        snVec3 p =
            snAdd(body->weld.surface.position[v], snV3((double)o[0], (double)o[1], (double)o[2]));
        most = fmax(most, ball->radius - snLength(snSub(p, ball->pose.p)));
    }
    free(offsets);
    return most;
}

// A vertex on the side, in the upper half of the bar
static snVec3 sideOf(const Reed* r)
{
    snVec3 side = snV3(0, 0, 0);
    for (int32_t v = 0; v < r->body.weld.surface.vertex_count; ++v) {
        snVec3 p = r->body.weld.surface.position[v];
        side = p.y > 0.5 && p.y < 0.7 && p.x > side.x ? p : side;
    }
    assert_true(side.x > 0.05);
    return side;
}

// A ball that is so far from touching that vertex from the side
static snShapeDef ballFrom(const Reed* r, double gap)
{
    return ballAt(snAdd(sideOf(r), snV3(0.1 + gap, 0, 0)));
}

static void test_press(void** state)
{
    Reed r;
    snMessage why;
    (void)state;
    openFed(&r);
    snFollow* follow = startFed(&r, 1);
    feedFor(follow, standing(), 2);
    snShapeDef away = ballFrom(&r, 0.01), in = ballFrom(&r, -0.02);
    set(follow, &away);
    feedFor(follow, standing(), 20);
    assert_true(farthestNode(follow, &r.body) == 0);
    for (int i = 0; i <= 30; ++i) { // it comes slowly, and stays
        snShapeDef on = ballFrom(&r, 0.01 - 0.001 * i);
        set(follow, &on);
        feed(follow, standing());
    }
    feedFor(follow, standing(), 60);
    double skinned = deepest(follow, &in, false), soft = deepest(follow, &in, true);
    print_message("as skinned %.4f m inside, with flesh %.5f\n", skinned, soft);
    assert_true(skinned > 0.015);
    assert_below(soft, inside_tolerance);
    assert_below(snFollow_Facts(follow).nearest_limit, 1.00001);
    assert_int_equal(snFollow_Facts(follow).interventions, 0);
    assert_ok(snFollow_SetObstacles(follow, NULL, 0, &why), why);
    feedFor(follow, standing(), 300);
    assert_true(farthestNode(follow, &r.body) == 0);
    snFollow_Free(follow);
    closeReed(&r);
}

// What is away, and what comes from where it is not: no bit, and no blow.
static void test_away(void** state)
{
    Reed r;
    (void)state;
    openFed(&r);
    snFollow *a = startFed(&r, 1), *b = startFed(&r, 2);
    double most = 0;
    for (int i = 0; i < 60; ++i) {
        snShapeDef ball = ballAt(snV3(10 - 0.1 * i, 0.6, 0));
        set(b, &ball);
        feed(a, poseOf(&r, i, 0, snV3(0, 0, 0)));
        feed(b, poseOf(&r, i, 0, snV3(0, 0, 0)));
        assertSame(a, b);
        most = fmax(most, farthestNode(a, &r.body));
    }
    assert_true(most > 1e-3);
    snFollow_Free(a);
    snFollow_Free(b);
    closeReed(&r);
}

// Whatever is done with it, flesh stays within its limit. All kinds.
static void test_violence(void** state)
{
    Reed r;
    snMessage why;
    (void)state;
    openFed(&r);
    for (int kind = sn_shapeBox; kind <= sn_shapeCapsule; ++kind) {
        snFollow* follow = startFed(&r, 1);
        snShapeDef shape = ballAt(snV3(2, 0.5, 0));
        shape.kind = kind;
        shape.half = snV3(0.1, 0.2, 0.05);
        shape.half_length = 0.3;
        feedFor(follow, standing(), 2);
        for (int i = 0; i < 40; ++i) {
            shape.pose.p.x = i % 4 < 2 ? -0.05 : 0.4; // right through
            shape.pose.q = snQFromAxisAngle(snV3(0, 0, 1), 0.7 * i);
            set(follow, &shape);
            feed(follow, standing());
            assert_below(snFollow_Facts(follow).nearest_limit, 1.00001);
            assert_true(isfinite(farthestNode(follow, &r.body)));
        }
        assert_true(farthestNode(follow, &r.body) > 1e-3);
        assert_ok(snFollow_SetObstacles(follow, NULL, 0, &why), why);
        feedFor(follow, standing(), 300);
        assert_true(farthestNode(follow, &r.body) == 0);
        snFollow_Free(follow);
    }
    closeReed(&r);
}

// Balls that go slowly through all of it, where it is held too, are no work for the guard.
static void test_many(void** state)
{
    Reed r;
    snMessage why;
    (void)state;
    openFed(&r);
    snFollow* follow = startFed(&r, 1);
    for (int i = 0; i < 60; ++i) {
        snShapeDef balls[SN_FOLLOW_SOLIDS];
        for (int k = 0; k < SN_FOLLOW_SOLIDS; ++k) {
            balls[k] = ballAt(snV3(0.15 * sin(5 * i / RATE + k), 0.06 * k, 0.1));
        }
        assert_ok(snFollow_SetObstacles(follow, balls, SN_FOLLOW_SOLIDS, &why), why);
        feed(follow, standing());
    }
    snFollowFacts facts = snFollow_Facts(follow);
    print_message("the guard had to help in %d of 60 frames\n", (int)facts.interventions);
    assert_true(farthestNode(follow, &r.body) > 1e-3);
    assert_true(facts.interventions <= 3);
    snFollow_Free(follow);
    closeReed(&r);
}

// What comes from afar is there at once: it does not sweep through what lies between.
static void test_jump(void** state)
{
    Reed r;
    (void)state;
    openFed(&r);
    snFollow* follow = startFed(&r, 1);
    snShapeDef ball = ballAt(snV3(-3, 0.5, 0));
    feedFor(follow, standing(), 2);
    for (int i = 0; i < 4; ++i) {
        ball.pose.p.x = i % 2 ? -3 : 3;
        set(follow, &ball);
        feed(follow, standing());
        assert_true(farthestNode(follow, &r.body) == 0);
    }
    snFollow_Free(follow);
    closeReed(&r);
}

static void slide(snFollow* follow, const Reed* r, int i)
{
    snShapeDef ball = ballFrom(r, 0.02 - 0.003 * i);
    set(follow, &ball);
    feed(follow, standing());
}

static void test_states(void** state)
{
    enum { KEPT = 12, FRAMES = 30 };
    Reed r;
    snMessage why;
    (void)state;
    openFed(&r);
    snFollow *a = startFed(&r, 1), *b = startFed(&r, 3);
    size_t size = snFollow_StateSize(a);
    void* kept = malloc(size);
    for (int i = 0; i < FRAMES; ++i) {
        if (i == KEPT) {
            assert_true(farthestNode(a, &r.body) > 1e-4);
            assert_ok(snFollow_Save(a, kept, size, &why), why);
        }
        slide(a, &r, i);
    }
    assert_ok(snFollow_Restore(b, kept, size, &why), why);
    for (int i = KEPT; i < FRAMES; ++i) {
        slide(b, &r, i);
    }
    assertSame(a, b);
    free(kept);
    snFollow_Free(a);
    snFollow_Free(b);
    closeReed(&r);
}

static void test_calls(void** state)
{
    Reed r;
    snMessage why;
    (void)state;
    openFed(&r);
    snFollow* follow = startFed(&r, 1);
    snShapeDef ball = ballAt(snV3(0, 0, 0)), many[SN_FOLLOW_SOLIDS + 1];
    for (int i = 0; i <= SN_FOLLOW_SOLIDS; ++i) {
        many[i] = ball;
    }
    assert_int_equal(snFollow_SetObstacles(NULL, &ball, 1, &why), sn_errorArgument);
    assert_int_equal(snFollow_SetObstacles(follow, NULL, 1, &why), sn_errorArgument);
    assert_int_equal(snFollow_SetObstacles(follow, many, SN_FOLLOW_SOLIDS + 1, &why),
                     sn_errorArgument);
    assert_ok(snFollow_SetObstacles(follow, many, SN_FOLLOW_SOLIDS, &why), why);
    ball.radius = -1;
    assert_int_equal(snFollow_SetObstacles(follow, &ball, 1, &why), sn_errorArgument);
    assert_non_null(strstr(why.text, "radius"));
    ball.kind = sn_shapeMesh;
    assert_int_equal(snFollow_SetObstacles(follow, &ball, 1, &why), sn_errorUnsupported);
    snFollow_Free(follow);
    closeReed(&r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_press), cmocka_unit_test(test_away), cmocka_unit_test(test_violence),
        cmocka_unit_test(test_many),  cmocka_unit_test(test_jump), cmocka_unit_test(test_states),
        cmocka_unit_test(test_calls)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
