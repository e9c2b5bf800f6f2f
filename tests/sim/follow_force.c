// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0
// label: full

// Laws of fields on flesh that follows: an even field is what an accelerated joint is, air that
// blows holds it as far away as a field of its strength, what is outside of the radius feels
// nothing, and all is in the file's unit.

#include "sim/fed.h"

#define LONG 150 // frames until nothing moves any more

static const double still_tolerance =
    0.02; // of the motion: what has not settled, and air that drags

static snForceDef fieldOf(int32_t kind, snVec3 value)
{
    snForceDef def;
    snForceDef_Init(&def);
    def.kind = kind;
    def.value = value;
    return def;
}

static snMatrix standing(void)
{
    return snMatrix_FromParts(snV3(0, 0.1, 0), snQ(0, 0, 0, 1), snV3(1, 1, 1));
}

static snFollow* blown(const Reed* r, const snForceDef* field, int frames)
{
    snMessage why;
    snFollow* follow = startFed(r, 1);
    assert_ok(snFollow_AddForce(follow, field, &why), why);
    feedFor(follow, standing(), frames);
    return follow;
}

static double apart(const snFollow* a, const snFollow* b)
{
    double most = 0;
    for (int32_t i = 0; i < a->body->tets.node_count; ++i) {
        snVec4f x = a->u[i], y = b->u[i];
        most = fmax(most, lengthOf((snVec4f){x.x - y.x, x.y - y.y, x.z - y.z, 0}));
    }
    return most;
}

// Einstein's lift: joints that are accelerated by a, and a field of -a
static void test_lift(void** state)
{
    const double a = 3;
    Reed r;
    (void)state;
    openFed(&r);
    snForceDef field = fieldOf(sn_forceUniform, snV3(-a, 0, 0));
    snFollow *still = blown(&r, &field, LONG), *fast = startFed(&r, 1);
    for (int i = 0; i < LONG; ++i) {
        double t = i / RATE;
        snMatrix pose = standing();
        pose.p.x += 0.5 * a * t * t;
        feed(fast, pose);
    }
    double far = farthestNode(still, &r.body);
    print_message("%.4f m, %.5f apart\n", far, apart(still, fast));
    assert_true(far > 0.003);
    assert_below(apart(still, fast), still_tolerance * far);
    snFollow_Free(still);
    snFollow_Free(fast);
    closeReed(&r);
}

static void test_wind(void** state)
{
    Reed r;
    snMessage why;
    (void)state;
    openFed(&r);
    snForceDef air = fieldOf(sn_forceWind, snV3(0, 0, 1.5)),
               even = fieldOf(sn_forceUniform, snV3(0, 0, 3));
    air.rate = 2;
    snFollow *a = blown(&r, &air, LONG), *b = blown(&r, &even, LONG);
    double far = farthestNode(b, &r.body);
    assert_true(far > 0.001);
    assert_below(apart(a, b), still_tolerance * far);
    // it sleeps in it, wakes when it ends, and goes back
    feedFor(b, standing(), LONG);
    assert_true(snFollow_Facts(b).is_asleep);
    assert_true(farthestNode(b, &r.body) > 0.9 * far);
    snFollow_ClearForces(b);
    feed(b, standing());
    assert_false(snFollow_Facts(b).is_asleep);
    feedFor(b, standing(), 2 * LONG);
    assert_true(farthestNode(b, &r.body) == 0);
    snFollow_Free(a);
    snFollow_Free(b);
    // a storm stays within the limit
    air.value = snV3(1000, 0, 0);
    air.rate = 1000;
    a = blown(&r, &air, 60);
    assert_below(snFollow_Facts(a).nearest_limit, 1.00001);
    assert_ok(snFollow_AddForce(a, &air, &why), why);
    snFollow_Free(a);
    closeReed(&r);
}

static void test_radius(void** state)
{
    Reed r;
    (void)state;
    openFed(&r);
    snForceDef field = fieldOf(sn_forcePoint, snV3(0, 0, 0));
    field.place = snV3(1, 0.8, 0);
    field.towards = 5;
    field.radius = 0.7;
    snFollow* away = blown(&r, &field, 10);
    assert_true(farthestNode(away, &r.body) == 0);
    snFollow_Free(away);
    field.radius = 2;
    snFollow* near = blown(&r, &field, 10);
    int32_t tip = 0;
    for (int32_t i = 0; i < r.body.tets.node_count; ++i) {
        tip = r.body.tets.position[i].y > r.body.tets.position[tip].y ? i : tip;
    }
    assert_true(near->u[tip].x > 1e-3f); // towards it
    snFollow_Free(near);
    closeReed(&r);
}

static snVec3 even(void* user, double time, snVec3 place, snVec3 velocity)
{
    snVec3* value = user;
    (void)time;
    assert_true(fabs(place.x) < 1 && fabs(place.y) < 2 && fabs(velocity.x) < 100);
    return *value;
}

static void test_call(void** state)
{
    Reed r;
    snMessage why;
    snVec3 value = snV3(1, 0, 2);
    (void)state;
    openFed(&r);
    snForceDef field = fieldOf(sn_forceUniform, value), call = fieldOf(sn_forceCall, snV3(0, 0, 0));
    call.call = even;
    call.user = &value;
    snFollow *a = blown(&r, &field, 20), *b = blown(&r, &call, 20);
    assertSame(a, b);
    for (int i = 1; i < SN_MOST_FORCES; ++i) {
        assert_ok(snFollow_AddForce(a, &field, &why), why);
    }
    assert_int_equal(snFollow_AddForce(a, &field, &why), sn_errorArgument);
    assert_int_equal(snFollow_AddForce(NULL, &field, &why), sn_errorArgument);
    assert_int_equal(snFollow_AddForce(b, NULL, &why), sn_errorArgument);
    call.call = NULL;
    assert_int_equal(snFollow_AddForce(b, &call, &why), sn_errorArgument);
    field.radius = 0;
    assert_int_equal(snFollow_AddForce(b, &field, &why), sn_errorArgument);
    snFollow_Free(a);
    snFollow_Free(b);
    closeReed(&r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_lift), cmocka_unit_test(test_wind),
                                       cmocka_unit_test(test_radius), cmocka_unit_test(test_call)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
