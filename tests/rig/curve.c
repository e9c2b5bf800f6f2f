// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0
// label: quick

// Curves go through the keys, have two derivatives, do not overshoot holds, break at cuts and close
// at loops.

#include "rig/curve.h"

#include "check.h"

#define MOST 400

static const double float_tolerance = 2e-7; // keys are floats of about 1
static const double overshoot = 0.01;       // of the move

typedef struct Stage {
    snArena arena;
    float times[MOST], values[12 * MOST];
    snRigChannel channel;
    snCurveSpan span;
    snCurve curve;
} Stage;

static void open(Stage* s, int path, int way, int keys)
{
    snArena_Init(&s->arena, NULL);
    memset(s->values, 0, sizeof s->values);
    s->channel =
        (snRigChannel){0, path, way, keys, path == sn_pathRotation ? 4 : 3, s->times, s->values};
    snCurveMap stay = {snMat3_Identity(), {0, 0, 0}, snQIdentity()};
    s->span = (snCurveSpan){.size = 1, .on = stay, .back = stay};
}

static void build(Stage* s)
{
    snMessage why;
    if (s->span.first == s->span.last) {
        s->span.first = (double)s->times[0];
        s->span.last = (double)s->times[s->channel.key_count - 1];
    }
    assert_ok(snCurve_Build(&s->arena, &s->channel, &s->span, &s->curve, &why), why);
}

static double at(const Stage* s, double t)
{
    double v[4], d[4];
    snCurve_Eval(&s->curve, t, false, v, d);
    return v[0];
}

static double rateAt(const Stage* s, double t)
{
    double v[4], d[4];
    snCurve_Eval(&s->curve, t, false, v, d);
    return d[0];
}

static double left(const Stage* s, double t)
{
    double v[4], d[4];
    snCurve_Eval(&s->curve, t, true, v, d);
    return v[0];
}

// x of keys 1/24 s apart
static void lineUp(Stage* s, const double* x, int count, double size)
{
    open(s, sn_pathTranslation, sn_interpolateLinear, count);
    s->span.size = size;
    for (int i = 0; i < count; ++i) {
        s->times[i] = (float)(i / 24.0);
        s->values[3 * i] = (float)x[i];
        s->values[3 * i + 1] = 5;
    }
    build(s);
}

// Of a sine sampled at 24 Hz: error and jump of the second derivative fall as of splines. With
// w h = 0.26 a cubic spline is within about (w h)^4/384; measured 1.2e-5. Lines are 8.6e-3 away.
static void test_smooth(void** state)
{
    (void)state;
    Stage s;
    double x[49], w = 2 * SN_PI;
    for (int i = 0; i < 49; ++i) {
        x[i] = snSin(w * i / 24.0 + 0.3);
    }
    lineUp(&s, x, 49, 1);
    for (double t = 0.3; t < 1.7; t += 0.0037) {
        assert_close(at(&s, t), snSin(w * t + 0.3), 3e-5);
        assert_close(rateAt(&s, t), w * snCos(w * t + 0.3), 2e-3);
        double h = 1e-5, second = (rateAt(&s, t + h) - rateAt(&s, t)) / h;
        assert_close(second, -w * w * snSin(w * t + 0.3), 0.03 * w * w);
    }
    for (int i = 1; i < 48; ++i) { // second derivatives meet in every key
        double t = (double)s.times[i], h = 1e-6;
        double before = (rateAt(&s, t) - rateAt(&s, t - h)) / h;
        double after = (rateAt(&s, t + h) - rateAt(&s, t)) / h;
        assert_close(before, after, 0.01);
    }
    snArena_Free(&s.arena);
}

static void checkHold(const double* x, int count)
{
    Stage s;
    lineUp(&s, x, count, 100);
    double low = HUGE_VAL, high = -HUGE_VAL, last = at(&s, -1);
    for (int i = 0; i < count; ++i) {
        low = fmin(low, x[i]);
        high = fmax(high, x[i]);
        assert_close(at(&s, (double)s.times[i]), x[i], float_tolerance);
    }
    for (double t = 0; t < count / 24.0; t += 0.001) {
        double now = at(&s, t);
        assert_below(now - high, overshoot * (high - low));
        assert_below(low - now, overshoot * (high - low));
        assert_below(fabs(now - last), 0.001 * 4 * 24 * (high - low)); // no jumps
        last = now;
    }
    snArena_Free(&s.arena);
}

// Hold, move, hold: within 1 % of the move, whatever the move; and the hold itself is constant.
static void test_holds(void** state)
{
    (void)state;
    static const double snap[] = {0, 0, 0, 0, 1, 1, 1, 1, 1};
    static const double ramp[] = {0, 0, 0, 0, 0.25, 0.5, 0.75, 1, 1, 1, 1, 1};
    static const double uneven[] = {0, 0, 0, 0.1, 1, 1, 1, 1};
    static const double late[] = {0, 0, 0, 0.9, 1, 1, 1, 1};
    static const double drift[] = {0, 0.001, 0.002, 0.003, 1, 1.001, 1.002, 1.003, 1.004};
    static const double ease[] = {0, 0, 0, 0.02, 0.15, 0.5, 0.85, 0.98, 1, 1, 1};
    static const double slow[] = {0, 0.05, 0.1, 0.15, 0.2, 1, 1.03, 1.06, 1.09, 1.12};
    static const double ends[] = {0, 0, 1, 1};
    checkHold(snap, 9);
    checkHold(ramp, 12);
    checkHold(uneven, 8);
    checkHold(late, 8);
    checkHold(drift, 9);
    checkHold(ease, 11);
    checkHold(slow, 10);
    checkHold(ends, 4);
    Stage s;
    lineUp(&s, ramp, 12, 100);
    for (double t = 0; t <= 3 / 24.0; t += 0.001) {
        assert_close(at(&s, t), 0, 1e-15);
        assert_close(at(&s, 8 / 24.0 + t), 1, 1e-15);
    }
    snArena_Free(&s.arena);
}

// Sparse keys: the file's own line, but for rounded corners; and rotations follow the great circle
// at constant speed.
static void test_sparse(void** state)
{
    (void)state;
    Stage s;
    open(&s, sn_pathTranslation, sn_interpolateLinear, 4);
    static const float times[4] = {0, 0.5f, 2, 2.25f};
    static const float x[4] = {0, 1, 1, -1};
    for (int i = 0; i < 4; ++i) {
        s.times[i] = times[i];
        s.values[3 * i] = x[i];
    }
    build(&s);
    for (double t = 0; t <= 2.25; t += 0.001) {
        double v[4];
        double line = t < 0.5 ? 2 * t : t < 2 ? 1 : 1 - 8 * (t - 2), near = HUGE_VAL;
        for (int i = 0; i < 4; ++i) {
            near = fmin(near, fabs(t - (double)times[i]));
        }
        // the corner of 8/s, all on one side of the hold: 4/27 of 8/24, a third of that beyond
        v[0] = at(&s, t);
        assert_close(v[0], line, near < SN_CURVE_ROUND ? 0.06 : 0.02);
        assert_close(v[0], line, t > 0.6 && t < 1.9 ? 1e-12 : 1);
    }
    snArena_Free(&s.arena);
    open(&s, sn_pathRotation, sn_interpolateLinear, 2);
    s.times[1] = 2;
    s.values[3] = -1; // the sign does not matter
    s.values[5] = (float)snSin(1.4), s.values[7] = (float)snCos(1.4);
    build(&s);
    for (double t = 0; t <= 2; t += 0.01) {
        double v[4], d[4];
        snCurve_Eval(&s.curve, t, false, v, d);
        snVec3 r = snQLog(snQNormalize(snQ(v[0], v[1], v[2], v[3])));
        assert_close(r.y, 1.4 * t, 1e-5);
        assert_close(r.x, 0, 1e-9);
    }
    snArena_Free(&s.arena);
}

// Cubic channels are followed: keys of a cubic give it back.
static void test_cubic(void** state)
{
    (void)state;
    Stage s;
    open(&s, sn_pathScale, sn_interpolateCubic, 3);
    for (int i = 0; i < 3; ++i) {
        double t = 0.7 * i;
        s.times[i] = (float)t;
        s.values[9 * i] = s.values[9 * i + 6] = (float)(3 * t * t - 1);
        s.values[9 * i + 3] = (float)(t * t * t - t + 3);
    }
    build(&s);
    for (double t = 0; t <= 1.4; t += 0.01) {
        // the ends' second derivative, of which a spline knows nothing, is felt there only
        double end = fmin(t, 1.4 - t);
        assert_close(at(&s, t), t * t * t - t + 3, end > 0.1 ? 1e-5 : 1e-3);
        assert_close(rateAt(&s, t), 3 * t * t - 1, end > 0.1 ? 1e-3 : 0.1);
    }
    snArena_Free(&s.arena);
}

static void test_cuts(void** state)
{
    (void)state;
    Stage s;
    // steps
    open(&s, sn_pathTranslation, sn_interpolateStep, 4);
    static const float x[4] = {0, 0, 1, 1};
    for (int i = 0; i < 4; ++i) {
        s.times[i] = (float)i;
        s.values[3 * i] = x[i];
    }
    build(&s);
    assert_int_equal(s.curve.cut_count, 1);
    assert_true(at(&s, 1.999) == 0 && left(&s, 2) == 0 && at(&s, 2) == 1 && at(&s, 2.5) == 1);
    assert_true(rateAt(&s, 1.999) == 0 && rateAt(&s, 2) == 0);
    snArena_Free(&s.arena);
    // two keys at one time, in a steady motion on both sides
    open(&s, sn_pathTranslation, sn_interpolateLinear, 20);
    for (int i = 0; i < 20; ++i) {
        double t = (i < 10 ? i : i - 1) / 24.0;
        s.times[i] = (float)t;
        s.values[3 * i] = (float)(t + (i < 10 ? 0 : 7));
    }
    build(&s);
    double cut = (double)s.times[9];
    assert_int_equal(s.curve.cut_count, 1);
    for (double t = 0; t < 18 / 24.0; t += 0.003) {
        assert_close(at(&s, t), t + (t < cut ? 0 : 7), 1e-6);
        assert_close(rateAt(&s, t), 1, 1e-4);
    }
    assert_close(left(&s, cut), cut, 1e-6);
    assert_close(at(&s, cut), cut + 7, 1e-6);
    snArena_Free(&s.arena);
    // a teleport from one key to the next, in a slow walk; but not a sprint that starts at once
    for (int kind = 0; kind < 3; ++kind) {
        double y[20];
        for (int i = 0; i < 20; ++i) {
            y[i] = 0.01 * i + (i < 10 ? 0 : kind == 0 ? 3 : kind == 1 ? 0.3 * (i - 9) : 0.15);
        }
        lineUp(&s, y, 20, 1);
        assert_int_equal(s.curve.cut_count, kind == 0);
        if (kind == 0) {
            double middle = 0.5 * ((double)s.times[9] + (double)s.times[10]);
            assert_close(left(&s, middle), 0.095, 1e-6);
            assert_close(at(&s, middle), 3.095, 1e-6);
            assert_close(rateAt(&s, middle), 0.24, 1e-4);
        }
        snArena_Free(&s.arena);
    }
}

// Rotations: a jump of 90 degrees in a frame is a cut, a spin of 90 degrees a frame is not.
static void test_spins(void** state)
{
    (void)state;
    for (int spin = 0; spin < 2; ++spin) {
        Stage s;
        open(&s, sn_pathRotation, sn_interpolateLinear, 20);
        for (int i = 0; i < 20; ++i) {
            double angle = spin ? 1.4 * i : i < 10 ? 0.05 * i : 2 + 0.05 * i, sign = i % 3 ? 1 : -1;
            s.times[i] = (float)(i / 30.0);
            s.values[4 * i + 1] = (float)(sign * snSin(0.5 * angle));
            s.values[4 * i + 3] = (float)(sign * snCos(0.5 * angle));
        }
        build(&s);
        assert_int_equal(s.curve.cut_count, !spin);
        for (double t = 0.2; t < 0.5; t += 0.001) {
            double v[4], d[4];
            snCurve_Eval(&s.curve, t, false, v, d);
            snQuat q = snQ(v[0], v[1], v[2], v[3]);
            snQuat u = snQMul(snQ(d[0], d[1], d[2], d[3]), snQConj(q));
            double angle = spin ? 42 * t : t < 9.5 / 30 ? 1.5 * t : 2 + 1.5 * t;
            double apart = fabs(snQDot(snQNormalize(q), snQExp(snV3(0, angle, 0))));
            assert_close(apart, 1, spin ? 1e-5 : 1e-6);
            assert_relative(2 * u.y / snQDot(q, q), spin ? 42 : 1.5, spin ? 0.03 : 1e-3, 0);
        }
        snArena_Free(&s.arena);
    }
}

// Keys that begin late, end early, are one, or none that change
static void test_ends(void** state)
{
    (void)state;
    Stage s;
    open(&s, sn_pathTranslation, sn_interpolateLinear, 10);
    for (int i = 0; i < 10; ++i) {
        s.times[i] = (float)(1 + i / 24.0);
        s.values[3 * i] = (float)i;
    }
    s.span.first = 0;
    s.span.last = 3;
    s.span.size = 100;
    build(&s);
    for (double t = -1; t < 1 - 0.05; t += 0.01) {
        assert_close(at(&s, t), 0, 1e-12);
        assert_close(at(&s, 2.4 + t), 9, 1e-12);
    }
    assert_close(rateAt(&s, 1 + 4.5 / 24), 24, 0.05);
    snArena_Free(&s.arena);
    open(&s, sn_pathTranslation, sn_interpolateLinear, 1);
    s.values[0] = 4;
    s.span.last = 2;
    build(&s);
    assert_int_equal(s.curve.count, 1);
    assert_true(at(&s, -1) == 4 && at(&s, 1) == 4 && rateAt(&s, 0) == 0);
    snArena_Free(&s.arena);
    open(&s, sn_pathRotation, sn_interpolateStep, 2);
    s.times[1] = 2;
    s.values[3] = 1, s.values[7] = -1;
    build(&s);
    assert_int_equal(s.curve.count, 1);
    snArena_Free(&s.arena);
}

// Loops: value, slope and second derivative go over, also with travel and turn, a seam that misses
// a little, and few keys.
static void test_loops(void** state)
{
    (void)state;
    for (int keys = 4; keys < 50; keys += keys / 2) {
        Stage s;
        double period = (keys - 1) / 24.0, miss = 0.004;
        open(&s, sn_pathTranslation, sn_interpolateLinear, keys);
        s.span.loops = true;
        s.span.size = 100; // nothing is a teleport
        bool turns = keys % 3 == 0;
        s.span.on.A = snMatFromQ(snQExp(snV3(0, turns ? 0.5 : 0, 0)));
        s.span.on.b = snV3(0.3, 0, 1);
        s.span.back.A = snTranspose(s.span.on.A);
        s.span.back.b = snNeg(snMatVec(s.span.back.A, s.span.on.b));
        for (int i = 0; i < keys; ++i) {
            double u = i / (keys - 1.0);
            snVec3 p = snV3(snSin(2 * SN_PI * u) + 0.3 * u, 0, snCos(2 * SN_PI * u) + u);
            p = i < keys - 1 ? p : snAdd(snMatVec(s.span.on.A, snV3(0, 0, 1)), s.span.on.b);
            p.y = snSin(2 * SN_PI * u) + miss * u;
            s.times[i] = (float)(i / 24.0);
            s.values[3 * i] = (float)p.x;
            s.values[3 * i + 1] = (float)p.y;
            s.values[3 * i + 2] = (float)p.z;
        }
        s.span.last = s.span.end = (double)s.times[keys - 1];
        build(&s);
        double a[4], ad[4], b[4], bd[4], c[4], cd[4], d[4], dd[4], h = 1e-6;
        snCurve_Eval(&s.curve, s.span.last, true, a, ad);
        snCurve_Eval(&s.curve, 0, false, b, bd);
        snCurve_Eval(&s.curve, s.span.last - h, true, c, cd);
        snCurve_Eval(&s.curve, h, false, d, dd);
        snVec3 over = snMatVec(s.span.on.A, snV3(b[0], b[1], b[2]));
        snVec3 speed = snMatVec(s.span.on.A, snV3(bd[0], bd[1], bd[2]));
        snVec3 second = snMatVec(s.span.on.A, snV3(dd[0] - bd[0], dd[1] - bd[1], dd[2] - bd[2]));
        snVec3 before = snV3(ad[0] - cd[0], ad[1] - cd[1], ad[2] - cd[2]);
        double fast = snLength(speed), scale = 1 / (period * period);
        assert_close(snLength(snSub(snAdd(over, s.span.on.b), snV3(a[0], a[1], a[2]))), 0, 1e-12);
        assert_close(snLength(snSub(speed, snV3(ad[0], ad[1], ad[2]))), 0, 1e-7 * fast);
        assert_close(snLength(snSub(second, before)) / h, 0, turns ? 1e9 : 0.1 * scale * keys);
        assert_close(a[1], b[1], 1e-12);
        assert_close(b[1], 0.5 * miss, 1e-6);
        snArena_Free(&s.arena);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_smooth), cmocka_unit_test(test_holds),
                                       cmocka_unit_test(test_sparse), cmocka_unit_test(test_cubic),
                                       cmocka_unit_test(test_cuts),   cmocka_unit_test(test_spins),
                                       cmocka_unit_test(test_ends),   cmocka_unit_test(test_loops)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
