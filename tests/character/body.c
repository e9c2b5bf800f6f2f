// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0
// label: full

// Bodies of rigs: one leg's flesh never has the other leg's joint, small shells ride as one piece,
// props stay, units and patterns are heeded, and regions jiggle as slowly as asked.

#include "character/body.h"

#include "character/rigs.h"

static const double hz_tolerance = 0.02;

// pelvis, left and right thigh
static void legWeights(snVec3 p, double* weights)
{
    double up = fmin(1, fmax(0, (p.y - 0.7) / 0.2));
    weights[0] = up;
    weights[p.x > 0 ? 1 : 2] = 1 - up;
}

static void onPelvis(snVec3 p, double* weights)
{
    (void)p;
    weights[0] = 1;
}

typedef struct Stage {
    MadeRig made;
    snArena arena;
    snRigBody body;
} Stage;

// Two legs 2 cm apart, a hip across them, a button on it and a lamp beside it
static void open(Stage* s)
{
    memset(s, 0, sizeof *s);
    startRig(&s->made);
    snArena_Init(&s->arena, NULL);
    snArena* arena = &s->made.arena;
    addJoint(&s->made, "hips", -1, snV3(0, 0.95, 0));
    addJoint(&s->made, "thigh_l", 0, snV3(0.13, 0.9, 0));
    addJoint(&s->made, "thigh_r", 0, snV3(-0.13, 0.9, 0));
    snSurface legs = makeLegs(arena, 12, 0.12, 0.02, 0.8);
    snSurface button = makeBall(arena, 4, snV3(0, 0.95, 0.27), 0.02);
    snSurface lamp = makeBall(arena, 4, snV3(0.6, 0, 0), 0.1);
    addPart(&s->made, "legs", &legs, legWeights, 0);
    addPart(&s->made, "button", &button, onPelvis, 0);
    addPart(&s->made, "lamp", &lamp, NULL, 0);
    finishRig(&s->made);
}

static snStatus build(Stage* s, snBodyDef* def, snMessage* why)
{
    def->quality = sn_qualityDraft;
    return snRigBody_Build(&s->arena, &s->made.rig, def, &s->body, why);
}

static void close(Stage* s)
{
    snArena_Free(&s->arena);
    dropRig(&s->made);
}

static double weightOf(const snNodeWeights* w, int32_t joint)
{
    double sum = 0;
    for (int k = 0; k < SN_WEIGHTS_MOST; ++k) {
        sum += w->joint[k] == joint ? (double)w->weight[k] : 0;
    }
    return sum;
}

static void test_legs(void** state)
{
    Stage s;
    snBodyDef def;
    snMessage why;
    int left = 0, right = 0, held = 0;
    (void)state;
    snBodyDef_Init(&def);
    open(&s);
    assert_ok(build(&s, &def, &why), why);
    const snRigBody* b = &s.body;
    assert_int_equal(b->joint_count, 3);
    for (int32_t i = 0; i < b->tets.node_count; ++i) {
        double l = weightOf(&b->weights[i], 1), r = weightOf(&b->weights[i], 2);
        if (b->tets.position[i].y < 0.5) {
            assert_true(l == 0 || r == 0);
            left += l > 0;
            right += r > 0;
        }
        held += b->held[i];
    }
    assert_true(left > 100 && right > 100);
    assert_true(held > 20 && held < b->tets.node_count / 2);
    for (int32_t r = 0; r < b->regions.count; ++r) {
        assert_relative(b->hz[r], 5, hz_tolerance, 0);
    }
    close(&s);
}

// Nothing of a tail is held, however many bones are in it; all of it is drawn to its place.
static void test_tail(void** state)
{
    Stage s;
    snBodyDef def;
    snMessage why;
    int tail = 0, held = 0;
    (void)state;
    snBodyDef_Init(&def);
    open(&s);
    s.made.nodes[1].name = "tail_1";
    assert_ok(build(&s, &def, &why), why);
    const snRigBody* b = &s.body;
    for (int32_t i = 0; i < b->tets.node_count; ++i) {
        double w = weightOf(&b->weights[i], 1);
        assert_close((double)b->tether[i], w, 1e-6);
        if (b->tets.position[i].y < 0.5) {
            assert_false(w > 0.9 && b->held[i]);
            tail += w > 0.9;
            held += b->held[i];
        }
    }
    assert_true(tail > 100 && held > 0); // the other leg has its core
    for (int32_t r = 0; r < b->regions.count; ++r) {
        assert_relative(b->hz[r], 5, hz_tolerance, 0);
    }
    close(&s);
}

static void test_shells(void** state)
{
    Stage s;
    snBodyDef def;
    snMessage why;
    (void)state;
    snBodyDef_Init(&def);
    open(&s);
    assert_ok(build(&s, &def, &why), why);
    const snRigBody* b = &s.body;
    assert_int_equal(b->shells.flesh, 3);
    assert_int_equal(b->shells.riding, 1);
    assert_int_equal(b->shells.fixed, 1);
    assert_int_equal(b->rider_count, 1);
    assert_int_equal(b->riders[0].vertex_count, s.made.shapes[1].vertex_count);
    for (int part = 1; part < 3; ++part) {
        for (int32_t v = b->weld.first[part]; v < b->weld.first[part + 1]; ++v) {
            assert_true(b->ties[b->weld.map[v]].node[0] < 0);
        }
    }
    // weights of ties never exceed what is soft: they sum up to 0..1
    for (int32_t v = 0; v < b->weld.surface.vertex_count; ++v) {
        const snTie* t = &b->ties[v];
        double sum = 0;
        for (int k = 0; k < 4 && t->node[0] >= 0; ++k) {
            sum += (double)t->weight[k];
        }
        assert_true(sum >= -1e-6 && sum <= 1 + 1e-6);
    }
    close(&s);
}

static void test_height(void** state)
{
    Stage s;
    snBodyDef def;
    snMessage why;
    (void)state;
    snBodyDef_Init(&def);
    open(&s);
    def.height = 0.5 * (s.made.rig.info.high.y - s.made.rig.info.low.y);
    assert_ok(build(&s, &def, &why), why);
    assert_close(s.body.unit, 0.5, 1e-12);
    assert_relative(s.body.hz[0], 5, hz_tolerance, 0);
    close(&s);
}

static void test_patterns(void** state)
{
    static const char* const rigid[] = {"legs"};
    static const char* const thigh[] = {"thigh_l", "hips"};
    Stage s;
    snBodyDef def;
    snMessage why;
    (void)state;
    snBodyDef_Init(&def);
    open(&s);
    def.rigid_count = 1;
    def.rigid = rigid;
    assert_int_equal(build(&s, &def, &why), sn_errorArgument);
    assert_non_null(strstr(why.text, "nothing of this rig is soft"));
    def.rigid_count = 2;
    def.rigid = thigh;
    assert_ok(build(&s, &def, &why), why);
    for (int32_t i = 0; i < s.body.tets.node_count; ++i) {
        assert_true(s.body.held[i] || s.body.tets.position[i].x < 0.05);
    }
    def.softness = 100;
    assert_int_equal(build(&s, &def, &why), sn_errorArgument);
    assert_non_null(strstr(why.text, "softness"));
    close(&s);
}

// A swim of a large animal: 4 s to and fro, by a quarter of its size
static void test_pace(void** state)
{
    static const double heights[4] = {2, 8, 8, 8}, far[4] = {0.1, 0.1, 0.8, 10};
    double times[4];
    (void)state;
    for (int k = 0; k < 4; ++k) {
        Stage s;
        snBodyDef def;
        snMessage why;
        float keys[121], values[363];
        snBodyDef_Init(&def);
        open(&s);
        for (int i = 0; i < 121; ++i) {
            keys[i] = (float)i / 30;
            values[3 * i] = (float)(far[k] * sin(2 * SN_PI * i / 60));
            values[3 * i + 1] = 0.95f;
            values[3 * i + 2] = 0;
        }
        addChannel(&s.made, 0, sn_pathTranslation, false, 121, keys, values);
        def.height = heights[k];
        assert_ok(build(&s, &def, &why), why);
        times[k] = s.body.def.softness;
        assert_relative(s.body.hz[0], times[k], hz_tolerance, 0);
        close(&s);
    }
    assert_close(times[0], 2.5, 0); // no slower for one of this size
    assert_true(times[1] < 2.5 && times[1] > 5 * 2.2 / 8);
    assert_close(times[2], 5, 0);   // it is lively enough
    assert_close(times[3], 5.5, 0); // and too lively
}

// The left leg's lower part is rigid by paint, in the shape's colours or an attribute of its own
static void test_paint(void** state)
{
    (void)state;
    for (int k = 0; k < 4; ++k) {
        Stage s;
        snBodyDef def;
        snMessage why;
        snBodyDef_Init(&def);
        open(&s);
        snRigShape* legs = &s.made.shapes[0];
        float* paint = snArena_Push(&s.made.arena, 3 * (size_t)legs->vertex_count, sizeof *paint);
        for (int32_t v = 0; v < legs->vertex_count; ++v) {
            paint[3 * v] = legs->position[3 * v] > 0 && legs->position[3 * v + 1] < 0.6f ? 0 : 1;
        }
        snRigAttribute soft = {k == 0 ? "_SOFT" : "_BELLY", 3, paint};
        def.paint = k == 0 ? NULL : k == 1 ? "_BELLY" : k == 2 ? "COLOR_0" : "COLOR_1";
        if (k < 2) {
            legs->attributes = &soft;
            legs->attribute_count = 1;
        } else {
            legs->color = paint;
            legs->color_width = 3;
        }
        if (k == 3) {
            assert_int_equal(build(&s, &def, &why), sn_errorArgument);
            assert_non_null(strstr(why.text, "COLOR_1"));
        } else {
            int free_right = 0;
            assert_ok(build(&s, &def, &why), why);
            for (int32_t i = 0; i < s.body.tets.node_count; ++i) {
                bool low = s.body.tets.position[i].y < 0.5;
                bool left = weightOf(&s.body.weights[i], 1) > 0.5;
                assert_true(s.body.held[i] || !low || !left);
                free_right += !s.body.held[i] && low && !left;
            }
            assert_true(free_right > 50);
        }
        close(&s);
    }
}

// Triangles the other way round, and a mirror, which turns them too, leave the body as it is.
static void test_mirror(void** state)
{
    static const double same[3] = {0, 1e-6, 0.01}; // a mirrored lattice rounds and cuts differently
    double mass[3] = {0}, step[3], hz[3];
    (void)state;
    for (int k = 0; k < 3; ++k) {
        Stage s;
        snBodyDef def;
        snMessage why;
        snBodyDef_Init(&def);
        open(&s);
        for (int part = 0; part < 2; ++part) {
            snRigShape* shape = &s.made.shapes[part];
            int32_t* turned =
                snArena_Push(&s.made.arena, 3 * (size_t)shape->triangle_count, sizeof *turned);
            for (int32_t i = 0; i < 3 * shape->triangle_count; ++i) {
                int32_t from = k != 1 || i % 3 == 0 ? i : i % 3 == 1 ? i + 1 : i - 1;
                turned[i] = shape->triangles[from];
            }
            shape->triangles = turned;
        }
        if (k == 2) {
            s.made.nodes[0].scale.x = -1;
            s.made.nodes[0].local.x.x = -1;
        }
        assert_ok(build(&s, &def, &why), why);
        for (int32_t i = 0; i < s.body.tets.node_count; ++i) {
            mass[k] += s.body.held[i] ? 0 : s.body.mass[i];
        }
        step[k] = s.body.step.rest;
        hz[k] = s.body.hz[0];
        assert_relative(mass[k], mass[0], same[k], 0);
        assert_relative(step[k], step[0], same[k], 0);
        assert_relative(hz[k], hz[0], same[k], 0);
        close(&s);
    }
}

// Factors of the left leg: softness a half, damping double, limit a third, and of the others
static void test_factors(void** state)
{
    Stage s;
    snBodyDef def;
    snMessage why;
    (void)state;
    snBodyDef_Init(&def);
    open(&s);
    snRigShape* legs = &s.made.shapes[0];
    static const char* const names[] = {"_SOFTNESS", "_DAMPING", "_LIMIT",
                                        "_INERTIA",  "_GRAVITY", "_SHAPE"};
    static const float values[] = {0.5f, 2, 1 / 3.0f, 0, 3, 0.25f};
    snRigAttribute paint[6];
    assert_ok(build(&s, &def, &why), why);
    assert_true(!s.body.damping && !s.body.inertia && !s.body.gravity && !s.body.shape);
    double before = s.body.step.rest;
    for (int k = 0; k < 6; ++k) {
        float* v = snArena_Push(&s.made.arena, (size_t)legs->vertex_count, sizeof *v);
        for (int32_t i = 0; i < legs->vertex_count; ++i) {
            v[i] = legs->position[3 * i] > 0 ? values[k] : 1;
        }
        paint[k] = (snRigAttribute){names[k], 1, v};
    }
    legs->attributes = paint;
    legs->attribute_count = 6;
    assert_ok(build(&s, &def, &why), why);
    for (int32_t i = 0; i < s.body.tets.node_count; ++i) {
        if (s.body.tets.position[i].y < 0.6) {
            bool left = weightOf(&s.body.weights[i], 1) > 0.5;
            assert_close((double)s.body.damping[i], left ? 2.0 : 1.0, 0.05);
            assert_close((double)s.body.limit[i], left ? 1.0 / 3 : 1.0, 0.05);
            assert_close((double)s.body.inertia[i], left ? 0.0 : 1.0, 0.05);
            assert_close((double)s.body.gravity[i], left ? 3.0 : 1.0, 0.1);
            assert_close((double)s.body.shape[i], left ? 0.25 : 1.0, 0.05);
        }
    }
    assert_true(s.body.step.rest >= 0.99 * before);
    close(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_legs),     cmocka_unit_test(test_tail),
        cmocka_unit_test(test_shells),   cmocka_unit_test(test_height),
        cmocka_unit_test(test_patterns), cmocka_unit_test(test_pace),
        cmocka_unit_test(test_paint),    cmocka_unit_test(test_factors),
        cmocka_unit_test(test_mirror),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
