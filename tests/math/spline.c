// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0
// label: quick

#include "math/spline.h"
#include "check.h"
#include "math/draw.h"

// rounding in keys of size 1 about 0.1 s apart
static const double tolerance = 1e-12;
// second derivatives are about 1/h^2 larger
static const double second_tolerance = 1e-9;
// step of central differences: error step^2 times a third or fourth derivative of at most 1e4, and
// 1e-16/step
static const double step = 1e-5;
static const double difference_tolerance = 1e-5;

enum { KEYS = 12, CHANNELS = 3 };

typedef struct Keys {
    double time[KEYS];
    double value[KEYS * CHANNELS];
    snQuat rotation[KEYS];
} Keys;

// unequal intervals; the last key repeats the first; rotations less than half a turn apart
static Keys drawKeys(snRandom* r)
{
    Keys k;
    k.time[0] = snRandom_Range(r, -3, 3);
    k.rotation[0] = drawQuat(r);
    for (int i = 0; i < KEYS; ++i) {
        if (i > 0) {
            k.time[i] = k.time[i - 1] + snRandom_Range(r, 0.1, 0.4);
            k.rotation[i] = snQMul(snQExp(drawVec(r)), k.rotation[i - 1]);
        }
        for (int c = 0; c < CHANNELS; ++c) {
            k.value[i * CHANNELS + c] = snRandom_Range(r, -1, 1);
        }
    }
    memcpy(k.value + (KEYS - 1) * CHANNELS, k.value, CHANNELS * sizeof(double));
    return k;
}

static snSpline build(snArena* arena, const Keys* k, snSplineKind kind)
{
    static const double start[CHANNELS] = {1, -2, 0.5}, end[CHANNELS] = {-1, 0, 3};
    snSplineEnds ends = {.kind = kind};
    if (kind == sn_splineClamped) {
        ends.start = start;
        ends.end = end;
    }
    snSpline s;
    snMessage why;
    assert_ok(snSpline_Build(arena, CHANNELS, KEYS, k->time, k->value, ends, &s, &why), why);
    assert_string_equal(why.text, "");
    return s;
}

static void keysAreMetAndJoinedTwiceSmoothly(void** state)
{
    (void)state;
    snRandom r = snRandom_Seed(1);
    for (int trial = 0; trial < 60; ++trial) {
        snArena arena;
        snArena_Init(&arena, NULL);
        Keys k = drawKeys(&r);
        snSpline s = build(&arena, &k, (snSplineKind)(trial % 3));
        for (int i = 0; i < KEYS; ++i) {
            double x[CHANNELS], left[3][CHANNELS], right[3][CHANNELS];
            snSpline_Eval(&s, k.time[i], x, NULL, NULL);
            for (int c = 0; c < CHANNELS; ++c) {
                assert_close(x[c], k.value[i * CHANNELS + c], 0);
            }
            if (i > 0 && i < KEYS - 1) {
                const double* t = k.time + i;
                snSpline_Eval(&s, nextafter(*t, -10), left[0], left[1], left[2]);
                snSpline_Eval(&s, nextafter(*t, 10), right[0], right[1], right[2]);
                for (int c = 0; c < CHANNELS; ++c) {
                    assert_close(left[0][c], right[0][c], tolerance);
                    assert_close(left[1][c], right[1][c], 100 * tolerance);
                    assert_close(left[2][c], right[2][c], second_tolerance);
                }
            }
        }
        snArena_Free(&arena);
    }
}

static void derivativesAreDerivatives(void** state)
{
    (void)state;
    snRandom r = snRandom_Seed(2);
    for (int trial = 0; trial < 60; ++trial) {
        snArena arena;
        snArena_Init(&arena, NULL);
        Keys k = drawKeys(&r);
        snSpline s = build(&arena, &k, (snSplineKind)(trial % 3));
        for (int i = 0; i < KEYS - 1; ++i) {
            double t = k.time[i] + snRandom_Range(&r, 0.1, 0.9) * (k.time[i + 1] - k.time[i]);
            double a[3][CHANNELS], b[3][CHANNELS], m[3][CHANNELS];
            snSpline_Eval(&s, t - step, a[0], a[1], a[2]);
            snSpline_Eval(&s, t + step, b[0], b[1], b[2]);
            snSpline_Eval(&s, t, m[0], m[1], m[2]);
            for (int c = 0; c < CHANNELS; ++c) {
                assert_close((b[0][c] - a[0][c]) / (2 * step), m[1][c], difference_tolerance);
                assert_close((b[1][c] - a[1][c]) / (2 * step), m[2][c], difference_tolerance);
            }
        }
        snArena_Free(&arena);
    }
}

static void endsAreAsAsked(void** state)
{
    (void)state;
    snRandom r = snRandom_Seed(3);
    snArena arena;
    snArena_Init(&arena, NULL);
    Keys k = drawKeys(&r);
    double first = k.time[0], last = k.time[KEYS - 1];
    double x[CHANNELS], xd[CHANNELS], xdd[CHANNELS];

    snSpline clamped = build(&arena, &k, sn_splineClamped);
    snSpline_Eval(&clamped, first, NULL, xd, NULL);
    assert_close(xd[0], 1, tolerance);
    assert_close(xd[1], -2, tolerance);
    snSpline_Eval(&clamped, last, NULL, xd, NULL);
    assert_close(xd[2], 3, tolerance);
    const double outside[] = {first - 1e-9, first - 5, last + 1e-9, last + 5, HUGE_VAL, -HUGE_VAL};
    for (int i = 0; i < 6; ++i) {
        snSpline_Eval(&clamped, outside[i], x, xd, xdd);
        for (int c = 0; c < CHANNELS; ++c) {
            assert_close(x[c], k.value[c], 0); // first and last key are the same
            assert_close(xd[c], 0, 0);
            assert_close(xdd[c], 0, 0);
        }
    }

    snSpline natural = build(&arena, &k, sn_splineNatural);
    snSpline_Eval(&natural, first, NULL, NULL, xdd);
    assert_close(xdd[0], 0, 0);
    snSpline_Eval(&natural, last, NULL, NULL, xdd);
    assert_close(xdd[1], 0, 0);

    // no velocities given: at rest
    snSpline rest;
    snSplineEnds ends = {.kind = sn_splineClamped};
    assert_int_equal(snSpline_Build(&arena, CHANNELS, KEYS, k.time, k.value, ends, &rest, NULL),
                     sn_ok);
    snSpline_Eval(&rest, first, NULL, xd, NULL);
    assert_close(xd[0], 0, tolerance);
    snArena_Free(&arena);
}

static void periodicOnesRepeat(void** state)
{
    (void)state;
    snRandom r = snRandom_Seed(4);
    for (int trial = 0; trial < 20; ++trial) {
        snArena arena;
        snArena_Init(&arena, NULL);
        Keys k = drawKeys(&r);
        // also the smallest: 1, 2 and 3 intervals
        int count = trial % 4 == 3 ? KEYS : 2 + trial % 4;
        memcpy(k.value + (count - 1) * CHANNELS, k.value, CHANNELS * sizeof(double));
        snSpline s;
        snSplineEnds ends = {.kind = sn_splinePeriodic};
        snMessage why;
        assert_ok(snSpline_Build(&arena, CHANNELS, count, k.time, k.value, ends, &s, &why), why);
        double first = k.time[0], last = k.time[count - 1], period = last - first;
        double a[3][CHANNELS], b[3][CHANNELS];
        for (int i = -3; i < 20; ++i) {
            double t = i == 0 ? first : snRandom_Range(&r, first, last);
            snSpline_Eval(&s, t, a[0], a[1], a[2]);
            snSpline_Eval(&s, t + i * period, b[0], b[1], b[2]);
            for (int c = 0; c < CHANNELS; ++c) {
                assert_close(a[0][c], b[0][c], tolerance);
                assert_close(a[1][c], b[1][c], 100 * tolerance);
                assert_close(a[2][c], b[2][c], second_tolerance);
            }
        }
        // over the seam
        snSpline_Eval(&s, nextafter(last, first), a[0], a[1], a[2]);
        snSpline_Eval(&s, nextafter(first, last), b[0], b[1], b[2]);
        for (int c = 0; c < CHANNELS; ++c) {
            assert_close(a[0][c], b[0][c], tolerance);
            assert_close(a[1][c], b[1][c], 100 * tolerance);
            assert_close(a[2][c], b[2][c], second_tolerance);
        }
        snArena_Free(&arena);
    }
}

static void cubicsComeBack(void** state)
{
    (void)state;
    snRandom r = snRandom_Seed(5);
    for (int trial = 0; trial < 20; ++trial) {
        snArena arena;
        snArena_Init(&arena, NULL);
        Keys k = drawKeys(&r);
        int count = 2 + trial % (KEYS - 1);
        double c0 = k.value[0], c1 = k.value[1], c2 = k.value[2], c3 = k.value[3];
        double x[KEYS], v[KEYS];
        for (int i = 0; i < count; ++i) {
            double t = k.time[i];
            x[i] = c0 + t * (c1 + t * (c2 + t * c3));
            v[i] = c1 + t * (2 * c2 + t * 3 * c3);
        }
        snSplineEnds ends = {.kind = sn_splineClamped, .start = &v[0], .end = &v[count - 1]};
        snSpline s;
        snMessage why;
        assert_ok(snSpline_Build(&arena, 1, count, k.time, x, ends, &s, &why), why);
        for (int i = 0; i < 50; ++i) {
            double t = snRandom_Range(&r, k.time[0], k.time[count - 1]), value, rate, second;
            snSpline_Eval(&s, t, &value, &rate, &second);
            // values are of size 1 to 200 here
            assert_close(value, c0 + t * (c1 + t * (c2 + t * c3)), 100 * tolerance);
            assert_close(rate, c1 + t * (2 * c2 + t * 3 * c3), 1e4 * tolerance);
            assert_close(second, 2 * c2 + t * 6 * c3, 100 * second_tolerance);
        }
        snArena_Free(&arena);
    }
}

// The largest error against sin(2 t) over one period, with `count` equal intervals.
static double sineError(int count, snSplineKind kind)
{
    snArena arena;
    snArena_Init(&arena, NULL);
    double time[65], x[65], velocity = 2, most = 0;
    for (int i = 0; i <= count; ++i) {
        time[i] = SN_PI * i / count;
        x[i] = sin(2 * time[i]);
    }
    snSplineEnds ends = {.kind = kind};
    if (kind == sn_splineClamped) {
        ends.start = ends.end = &velocity;
    }
    snSpline s;
    assert_int_equal(snSpline_Build(&arena, 1, count + 1, time, x, ends, &s, NULL), sn_ok);
    for (int i = 0; i < 5000; ++i) {
        double t = SN_PI * i / 5000, value;
        snSpline_Eval(&s, t, &value, NULL, NULL);
        most = fmax(most, fabs(value - sin(2 * t)));
    }
    snArena_Free(&arena);
    return most;
}

static void errorFallsWithTheFourthPower(void** state)
{
    (void)state;
    for (int kind = 0; kind < 3; ++kind) {
        double ratio = sineError(32, (snSplineKind)kind) / sineError(64, (snSplineKind)kind);
        assert_close(ratio, 16, 1);
    }
}

static snRotSpline buildRot(snArena* arena, const Keys* k, int count, snSplineEnds ends)
{
    snRotSpline s;
    snMessage why;
    assert_ok(snRotSpline_Build(arena, count, k->time, k->rotation, ends, &s, &why), why);
    return s;
}

static void rotationsMeetTheirKeys(void** state)
{
    (void)state;
    snRandom r = snRandom_Seed(6);
    for (int trial = 0; trial < 20; ++trial) {
        snArena arena;
        snArena_Init(&arena, NULL);
        Keys k = drawKeys(&r);
        snSplineEnds ends = {.kind = trial % 2 ? sn_splineNatural : sn_splineClamped};
        snRotSpline s = buildRot(&arena, &k, KEYS, ends);
        // the same rotations with other signs and lengths give the same spline
        Keys flipped = k;
        for (int i = 0; i < KEYS; ++i) {
            double f = i % 3 == 0 ? -2 : 1;
            snQuat q = k.rotation[i];
            flipped.rotation[i] = snQ(f * q.x, f * q.y, f * q.z, f * q.w);
        }
        snRotSpline other = buildRot(&arena, &flipped, KEYS, ends);
        for (int i = 0; i < KEYS; ++i) {
            snQuat q, p;
            snVec3 w[2], wd[2];
            snRotSpline_Eval(&s, k.time[i], &q, NULL, NULL);
            assert_below(quatGap(q, k.rotation[i]), tolerance);
            double t = snRandom_Range(&r, k.time[0], k.time[KEYS - 1]);
            snRotSpline_Eval(&s, t, &q, NULL, NULL);
            snRotSpline_Eval(&other, t, &p, NULL, NULL);
            assert_below(quatGap(q, p), tolerance);
            if (i > 0 && i < KEYS - 1) {
                snRotSpline_Eval(&s, nextafter(k.time[i], -9), &q, &w[0], &wd[0]);
                snRotSpline_Eval(&s, nextafter(k.time[i], 9), &p, &w[1], &wd[1]);
                assert_below(quatGap(q, p), tolerance);
                assert_below(vecGap(w[0], w[1]), 100 * tolerance);
                assert_below(vecGap(wd[0], wd[1]), second_tolerance);
            }
        }
        snArena_Free(&arena);
    }
}

static void angularVelocityIsTheRotationsRate(void** state)
{
    (void)state;
    snRandom r = snRandom_Seed(7);
    for (int trial = 0; trial < 20; ++trial) {
        snArena arena;
        snArena_Init(&arena, NULL);
        Keys k = drawKeys(&r);
        const double start[3] = {1, -2, 0.5}, end[3] = {0.3, 0, 1};
        snSplineEnds ends = {.kind = sn_splineClamped, .start = start, .end = end};
        snRotSpline s = buildRot(&arena, &k, KEYS, ends);
        snVec3 w, wd;
        snRotSpline_Eval(&s, k.time[0], NULL, &w, NULL);
        assert_below(vecGap(w, snV3(1, -2, 0.5)), tolerance);
        snRotSpline_Eval(&s, k.time[KEYS - 1], NULL, &w, NULL);
        assert_below(vecGap(w, snV3(0.3, 0, 1)), tolerance);
        for (int i = 0; i < KEYS - 1; ++i) {
            double t = k.time[i] + snRandom_Range(&r, 0.1, 0.9) * (k.time[i + 1] - k.time[i]);
            snQuat a, b;
            snVec3 wa, wb;
            snRotSpline_Eval(&s, t - step, &a, &wa, NULL);
            snRotSpline_Eval(&s, t + step, &b, &wb, NULL);
            snRotSpline_Eval(&s, t, NULL, &w, &wd);
            // in parent axes the turn from a to b stands on the left: b = exp(2 step w) a
            snVec3 rate = snScale(1 / (2 * step), snQLog(snQMul(b, snQConj(a))));
            assert_below(vecGap(rate, w), difference_tolerance);
            snVec3 rate2 = snScale(1 / (2 * step), snSub(wb, wa));
            assert_below(vecGap(rate2, wd), 10 * difference_tolerance);
        }
        snArena_Free(&arena);
    }
}

// Keys that turn once, or twice, round an axis until they are back: after one turn the quaternions
// have changed sign, and the seam must be as smooth as any key.
static void fullTurnsCloseSmoothly(void** state)
{
    (void)state;
    for (int trial = 0; trial < 6; ++trial) {
        int turns = trial % 3;
        double sway = trial < 3 ? 0 : 0.3;
        snArena arena;
        snArena_Init(&arena, NULL);
        Keys k;
        for (int i = 0; i < KEYS; ++i) {
            double part = (double)i / (KEYS - 1);
            k.time[i] = 2 + part + (i < KEYS - 1 ? 0.02 * sin(40 * part) : 0);
            snQuat wobble = snQExp(snV3(sway * sin(2 * SN_PI * part), 0, sway));
            k.rotation[i] =
                snQMul(wobble, snQFromAxisAngle(snV3(0, 1, 0), 2 * SN_PI * turns * part));
        }
        snRotSpline s = buildRot(&arena, &k, KEYS, (snSplineEnds){.kind = sn_splinePeriodic});
        assert_close(s.x.sign, turns == 1 ? -1 : 1, 0);
        snQuat q[2];
        snVec3 w[2], wd[2];
        snRotSpline_Eval(&s, nextafter(3, 0), &q[0], &w[0], &wd[0]);
        snRotSpline_Eval(&s, nextafter(3, 9), &q[1], &w[1], &wd[1]);
        assert_below(quatGap(q[0], q[1]), tolerance);
        assert_below(vecGap(w[0], w[1]), 100 * tolerance);
        assert_below(vecGap(wd[0], wd[1]), second_tolerance);
        // one period on, the same; and the quaternion itself goes on, with the sign of the turns
        // made
        for (int i = 0; i < 50; ++i) {
            double t = 2 + i / 50.0;
            snRotSpline_Eval(&s, t, &q[0], &w[0], &wd[0]);
            snRotSpline_Eval(&s, t - 3, &q[1], &w[1], &wd[1]);
            assert_below(quatGap(q[0], q[1]), tolerance);
            assert_close(snQDot(q[0], q[1]), turns == 1 ? -1 : 1, tolerance);
            assert_below(vecGap(w[0], w[1]), 100 * tolerance);
            assert_below(vecGap(wd[0], wd[1]), second_tolerance);
        }
        // without sway the mean angular velocity makes the turns
        double sum = 0;
        for (int i = 0; i < 2000; ++i) {
            snRotSpline_Eval(&s, 2 + (i + 0.5) / 2000, NULL, &w[0], NULL);
            sum += w[0].y / 2000;
        }
        if (sway == 0) {
            assert_close(sum, 2 * SN_PI * turns, difference_tolerance);
        }
        snArena_Free(&arena);
    }
}

static void oneKeyIsConstant(void** state)
{
    (void)state;
    snArena arena;
    snArena_Init(&arena, NULL);
    double time = 3, value[2] = {4, 5}, x[2], xd[2], xdd[2];
    snQuat key = snQ(0, 0, 2, 0), q;
    for (int kind = 0; kind < 3; ++kind) {
        snSplineEnds ends = {.kind = (snSplineKind)kind};
        snSpline s;
        assert_int_equal(snSpline_Build(&arena, 2, 1, &time, value, ends, &s, NULL), sn_ok);
        snRotSpline rot;
        assert_int_equal(snRotSpline_Build(&arena, 1, &time, &key, ends, &rot, NULL), sn_ok);
        for (int t = 2; t <= 4; ++t) {
            snSpline_Eval(&s, t, x, xd, xdd);
            assert_true(x[0] == 4 && x[1] == 5 && xd[0] == 0 && xdd[1] == 0);
            snVec3 w;
            snRotSpline_Eval(&rot, t, &q, &w, NULL);
            assert_below(quatGap(q, snQ(0, 0, 1, 0)), 0);
            assert_below(snLength(w), 0);
        }
    }
    snArena_Free(&arena);
}

static void refuse(snArena* arena, int count, const double* times, const double* values,
                   snSplineEnds ends, const char* says)
{
    snSpline s;
    snMessage why = {{0}};
    assert_int_equal(snSpline_Build(arena, 1, count, times, values, ends, &s, &why),
                     sn_errorArgument);
    if (!strstr(why.text, says)) {
        print_error("expected \"%s\" in \"%s\"\n", says, why.text);
        fail();
    }
}

static void badKeysAreRefused(void** state)
{
    (void)state;
    snArena arena;
    snArena_Init(&arena, NULL);
    const double good[3] = {0, 1, 2}, equal[3] = {0, 1, 1}, back[3] = {0, 2, 1};
    const double broken[3] = {0, (double)NAN, 2}, huge[3] = {0, 1.7e308, -1.7e308};
    const double closed[3] = {1, 2, 1};
    snSplineEnds clamped = {.kind = sn_splineClamped}, periodic = {.kind = sn_splinePeriodic};
    snSplineEnds given = {.kind = sn_splineNatural, .start = good};
    snSplineEnds nan = {.kind = sn_splineClamped, .start = &broken[1]};
    refuse(&arena, 0, good, good, clamped, "at least one key");
    refuse(&arena, 3, equal, good, clamped, "key 2 is at 1 s after 1 s");
    refuse(&arena, 3, back, good, clamped, "times must increase");
    refuse(&arena, 3, broken, good, clamped, "time of key 1 is not finite");
    refuse(&arena, 3, good, broken, clamped, "key 1, channel 0 is not finite");
    refuse(&arena, 3, good, huge, clamped, "too large");
    refuse(&arena, 3, good, good, periodic, "starts at 0 and ends at 2");
    refuse(&arena, 3, good, closed, given, "clamped ends only");
    refuse(&arena, 3, good, closed, nan, "velocity is not finite");
    refuse(&arena, 3, good, closed, (snSplineEnds){.kind = (snSplineKind)7}, "end condition 7");
    snSpline s;
    assert_int_equal(snSpline_Build(&arena, 0, 3, good, good, clamped, &s, NULL), sn_errorArgument);

    snRotSpline rot;
    snMessage why;
    snQuat keys[3] = {{0, 0, 0, 1}, {0, 0, 0, 0}, {0, 1, 0, 0}};
    assert_int_equal(snRotSpline_Build(&arena, 3, good, keys, clamped, &rot, &why),
                     sn_errorArgument);
    assert_non_null(strstr(why.text, "key 1 is zero"));
    keys[1] = snQ(1, 0, 0, 1);
    assert_int_equal(snRotSpline_Build(&arena, 3, good, keys, periodic, &rot, &why),
                     sn_errorArgument);
    assert_non_null(strstr(why.text, "rotation of the first"));
    assert_int_equal(snRotSpline_Build(&arena, 3, equal, keys, clamped, &rot, &why),
                     sn_errorArgument);
    snArena_Free(&arena);
}

// The value by looking at key after key.
static double eval_ref(const snSpline* s, double t)
{
    int low = 0;
    while (low < s->count - 2 && t >= s->time[low + 1]) {
        ++low;
    }
    double h = s->time[low + 1] - s->time[low], a = (s->time[low + 1] - t) / h;
    double b = (t - s->time[low]) / h;
    double A = (a * a - 1) * a * s->moment[low] + (b * b - 1) * b * s->moment[low + 1];
    return a * s->value[low] + b * s->value[low + 1] + h * h / 6 * A;
}

// Equal intervals, unequal ones, and crowds of keys with much room between them.
static void everyTimeIsFoundInItsInterval(void** state)
{
    (void)state;
    enum { MANY = 200 };
    snRandom r = snRandom_Seed(11);
    for (int round = 0; round < 30; ++round) {
        snArena arena;
        snMessage why;
        snSpline s;
        snSplineEnds ends = {sn_splineNatural, NULL, NULL};
        double time[MANY], value[MANY];
        int count = round == 0 ? 2 : MANY;
        snArena_Init(&arena, NULL);
        for (int i = 0; i < count; ++i) {
            double gap = round % 3 == 0   ? 0.1
                         : round % 3 == 1 ? snRandom_Range(&r, 0.01, 1)
                         : i % 40 == 0    ? 1000
                                          : 1e-3;
            time[i] = i ? time[i - 1] + gap : -2;
            value[i] = snRandom_Range(&r, -1, 1);
        }
        assert_ok(snSpline_Build(&arena, 1, count, time, value, ends, &s, &why), why);
        for (int i = 0; i < 20 * count; ++i) {
            int key = i % (count - 1);
            double at = i < count - 1 ? 0 : snRandom_Unit(&r), x;
            double t = time[key] + at * (time[key + 1] - time[key]);
            snSpline_Eval(&s, t, &x, NULL, NULL);
            assert_true(x == eval_ref(&s, t));
        }
        snArena_Free(&arena);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(keysAreMetAndJoinedTwiceSmoothly),
        cmocka_unit_test(derivativesAreDerivatives),
        cmocka_unit_test(endsAreAsAsked),
        cmocka_unit_test(periodicOnesRepeat),
        cmocka_unit_test(cubicsComeBack),
        cmocka_unit_test(errorFallsWithTheFourthPower),
        cmocka_unit_test(rotationsMeetTheirKeys),
        cmocka_unit_test(angularVelocityIsTheRotationsRate),
        cmocka_unit_test(fullTurnsCloseSmoothly),
        cmocka_unit_test(oneKeyIsConstant),
        cmocka_unit_test(badKeysAreRefused),
        cmocka_unit_test(everyTimeIsFoundInItsInterval),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
