// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

#include "math/spline.h"
#include "base/message.h"

// Periodic keys: how far the last may be from the first, relative to the largest value (files
// round).
static const double seam_tolerance = 1e-6;

// Between keys 0 and 1, h apart, with a = (t1 - t)/h and b = (t - t0)/h,
//   x = a x0 + b x1 + h^2/6 ((a^3 - a) M0 + (b^3 - b) M1),
// M the second derivatives in the keys. With g_i = (x_(i+1) - x_i)/h_i, continuous velocity in key
// i means
//   h_(i-1) M_(i-1) + 2 (h_(i-1) + h_i) M_i + h_i M_(i+1) = 6 (g_i - g_(i-1)).
// A clamped end is the same row with h = 0 beyond it and the given velocity for the missing g. (de
// Boor, A practical guide to splines, chapter IV.)
typedef struct System {
    const double* h; // lengths of the intervals: also the off-diagonal
    double* pivot;   // of the elimination
    int first, last; // rows
} System;

static void factor(System* s, int intervals)
{
    for (int i = s->first; i <= s->last; ++i) {
        double before = i > 0 ? s->h[i - 1] : 0, after = i < intervals ? s->h[i] : 0;
        s->pivot[i] = 2 * (before + after);
        if (i > s->first) {
            s->pivot[i] -= before * before / s->pivot[i - 1];
        }
    }
}

// x: right side in, solution out
static void solve(const System* s, double* x, ptrdiff_t stride)
{
    for (int i = s->first + 1; i <= s->last; ++i) {
        x[i * stride] -= s->h[i - 1] / s->pivot[i - 1] * x[(i - 1) * stride];
    }
    for (int i = s->last; i >= s->first; --i) {
        double after = i < s->last ? s->h[i] * x[(i + 1) * stride] : 0;
        x[i * stride] = (x[i * stride] - after) / s->pivot[i];
    }
}

// The cyclic system, M_m = sign M_0: rows 1..m-1 are solved for M_0 = 0 and for the effect g of M_0
// on them; row 0 then gives M_0.
static void solveCyclic(const System* s, const double* g, double* x, ptrdiff_t stride, double sign)
{
    int m = s->last + 1;
    double first = s->h[0], last = s->h[m - 1], diagonal = 2 * (first + last);
    if (m == 1) {
        x[0] /= diagonal + 2 * sign * first;
    } else {
        solve(s, x, stride);
        double right = x[0] - first * x[stride] - sign * last * x[(m - 1) * stride];
        x[0] = right / (diagonal - first * g[1] - sign * last * g[m - 1]);
        for (int i = 1; i < m; ++i) {
            x[i * stride] -= g[i] * x[0];
        }
    }
    x[m * stride] = sign * x[0];
}

static double slope(const snSpline* s, ptrdiff_t i, int channel)
{
    const double* x = s->value + i * s->channels + channel;
    return (x[s->channels] - x[0]) / (s->time[i + 1] - s->time[i]);
}

// 6 (g_i - g_(i-1)) in every key
static void fillRight(const snSpline* s, snSplineEnds ends, int channel, double* x)
{
    ptrdiff_t m = s->count - 1, n = s->channels;
    double start = ends.start ? ends.start[channel] : 0, end = ends.end ? ends.end[channel] : 0;
    double before = s->periodic ? s->sign * slope(s, m - 1, channel) : start;
    for (ptrdiff_t i = 0; i <= m; ++i) {
        double after = i < m ? slope(s, i, channel) : end;
        x[i * n] = 6 * (after - before);
        before = after;
    }
}

// Solves for s->moment, given here to be written.
static snStatus findMoments(snArena* arena, const snSpline* s, snSplineEnds ends, double* moment,
                            snMessage* why)
{
    int m = s->count - 1;
    ptrdiff_t n = s->channels;
    bool clamped = ends.kind == sn_splineClamped;
    double* h = (double*)snArena_Push(arena, (size_t)s->count, sizeof(double));
    double* pivot = (double*)snArena_Push(arena, (size_t)s->count, sizeof(double));
    double* g = (double*)snArena_Push(arena, (size_t)s->count, sizeof(double));
    if (!h || !pivot || !g) {
        return snFail(why, sn_errorMemory, "out of memory for a spline of %d keys", s->count);
    }
    for (int i = 0; i < m; ++i) {
        h[i] = s->time[i + 1] - s->time[i];
    }
    System system = {.h = h, .pivot = pivot, .first = clamped ? 0 : 1, .last = clamped ? m : m - 1};
    factor(&system, m);
    if (s->periodic && m > 1) {
        g[1] += h[0];
        g[m - 1] += s->sign * h[m - 1];
        solve(&system, g, 1);
    }
    for (int c = 0; c < s->channels; ++c) {
        double* x = moment + c;
        fillRight(s, ends, c, x);
        if (s->periodic) {
            solveCyclic(&system, g, x, n, s->sign);
        } else {
            solve(&system, x, n);
        }
        if (ends.kind == sn_splineNatural) {
            x[0] = x[m * n] = 0;
        }
        for (int i = 0; i <= m; ++i) {
            if (!isfinite(x[i * n])) {
                return snFail(why, sn_errorArgument,
                              "spline: key %d, channel %d: values too large or times too close", i,
                              c);
            }
        }
    }
    return sn_ok;
}

static snStatus checkTimes(int count, const double* times, snMessage* why)
{
    if (count < 1 || !times) {
        return snFail(why, sn_errorArgument, "a spline needs at least one key, got %d", count);
    }
    for (int i = 0; i < count; ++i) {
        if (!isfinite(times[i])) {
            return snFail(why, sn_errorArgument, "spline: the time of key %d is not finite", i);
        }
        if (i > 0 && !(times[i] > times[i - 1])) {
            return snFail(why, sn_errorArgument,
                          "spline: times must increase, but key %d is at %g s after %g s", i,
                          times[i], times[i - 1]);
        }
    }
    return sn_ok;
}

static snStatus checkEnds(int numbers, snSplineEnds ends, snMessage* why)
{
    if (ends.kind != sn_splineClamped && ends.kind != sn_splineNatural &&
        ends.kind != sn_splinePeriodic) {
        return snFail(why, sn_errorArgument, "spline: unknown end condition %d", (int)ends.kind);
    }
    if (ends.kind != sn_splineClamped && (ends.start || ends.end)) {
        return snFail(why, sn_errorArgument, "spline: end velocities are for clamped ends only");
    }
    for (int c = 0; c < numbers; ++c) {
        if ((ends.start && !isfinite(ends.start[c])) || (ends.end && !isfinite(ends.end[c]))) {
            return snFail(why, sn_errorArgument, "spline: an end velocity is not finite");
        }
    }
    return sn_ok;
}

// Fills the table that says where to look for a time.
static void fillBegins(snSpline* s, int32_t* begins)
{
    int parts = s->count - 1, low = 0;
    double range = s->time[parts] - s->time[0];
    for (int i = 0; i <= parts; ++i) {
        double t = parts > 0 ? s->time[0] + range * i / parts : 0;
        while (low < parts - 1 && t >= s->time[low + 1]) {
            ++low;
        }
        begins[i] = low;
    }
    s->parts_per_s = parts > 0 ? parts / range : 0;
    s->begins = begins;
}

// Copies the keys, closes the seam and solves. All is checked but the seam.
static snStatus build(snArena* arena, snSplineEnds ends, const double* times, const double* values,
                      snSpline* s, snMessage* why)
{
    size_t keys = (size_t)s->count, channels = (size_t)s->channels, numbers = 0;
    bool fits = snSizeMul(keys, channels, &numbers);
    double* time = fits ? (double*)snArena_Push(arena, keys, sizeof(double)) : NULL;
    double* value = fits ? (double*)snArena_Push(arena, numbers, sizeof(double)) : NULL;
    double* moment = fits ? (double*)snArena_Push(arena, numbers, sizeof(double)) : NULL;
    int32_t* begins = fits ? (int32_t*)snArena_Push(arena, keys, sizeof(int32_t)) : NULL;
    if (!time || !value || !moment || !begins) {
        return snFail(why, sn_errorMemory, "out of memory for a spline of %d keys", s->count);
    }
    memcpy(time, times, keys * sizeof(double));
    memcpy(value, values, numbers * sizeof(double));
    s->time = time;
    s->value = value;
    s->moment = moment;
    fillBegins(s, begins);
    for (size_t c = 0; s->periodic && c < channels; ++c) {
        double most = 0, first = s->sign * value[c], *last = &value[numbers - channels + c];
        for (size_t i = c; i < numbers; i += channels) {
            most = fabs(value[i]) > most ? fabs(value[i]) : most;
        }
        if (!(fabs(*last - first) <= seam_tolerance * most)) {
            return snFail(why, sn_errorArgument,
                          "periodic spline: the last key must equal the first, but channel %d "
                          "starts at %g and ends at %g",
                          (int)c, first, *last);
        }
        *last = first;
    }
    return s->count > 1 ? findMoments(arena, s, ends, moment, why) : sn_ok;
}

snStatus snSpline_Build(snArena* arena, int channels, int count, const double* times,
                        const double* values, snSplineEnds ends, snSpline* out, snMessage* why)
{
    if (channels < 1 || !values) {
        return snFail(why, sn_errorArgument, "a spline needs values in at least one channel");
    }
    snStatus status = checkTimes(count, times, why);
    status = status ? status : checkEnds(channels, ends, why);
    if (status) {
        return status;
    }
    for (int i = 0; i < count; ++i) {
        for (int c = 0; c < channels; ++c) {
            if (!isfinite(values[(ptrdiff_t)i * channels + c])) {
                return snFail(why, sn_errorArgument, "spline: key %d, channel %d is not finite", i,
                              c);
            }
        }
    }
    *out = (snSpline){.channels = channels,
                      .count = count,
                      .periodic = ends.kind == sn_splinePeriodic && count > 1,
                      .sign = 1};
    status = build(arena, ends, times, values, out, why);
    if (!status) {
        snMessage_Clear(why);
    }
    return status;
}

// floor without a call: the baseline instruction set has none
static double floorOf(double x)
{
    if (!(fabs(x) < 0x1p52)) {
        return floor(x);
    }
    double whole = (double)(int64_t)x;
    return whole > x ? whole - 1 : whole;
}

// Brings t into the keys' range; returns the factor by which all is to be multiplied.
static double wrap(const snSpline* s, double* t)
{
    double first = s->time[0], last = s->time[s->count - 1], period = last - first;
    double turns = floorOf((*t - first) / period);
    if (turns != 0) {
        // in this order the last key gives exactly the first
        *t = first + ((*t - first) - turns * period);
    }
    // rounding may leave it just outside
    *t = *t < first ? first : *t > last ? last : *t;
    return s->sign > 0 || turns - 2 * floorOf(0.5 * turns) == 0 ? 1 : s->sign;
}

// The interval [low, low + 1] that holds t, or the first or last one. At least two keys.
static int intervalOf(const snSpline* s, double t)
{
    int last = s->count - 2;
    double part = (t - s->time[0]) * s->parts_per_s;
    int i = part > 0 ? part < last ? (int)part : last : 0;
    int low = s->begins[i], high = s->begins[i + 1] + 1;
    while (high - low > 1) {
        int middle = low + (high - low) / 2;
        if (t < s->time[middle]) {
            high = middle;
        } else {
            low = middle;
        }
    }
    while (low < last && t >= s->time[low + 1]) { // rounding put it into a part beside
        ++low;
    }
    while (low > 0 && t < s->time[low]) {
        --low;
    }
    return low;
}

void snSpline_Eval(const snSpline* s, double t, double* x, double* xd, double* xdd)
{
    double factor = s->periodic ? wrap(s, &t) : 1;
    int n = s->channels, last = s->count - 1;
    int low = last > 0 ? intervalOf(s, t) : 0, high = last > 0 ? low + 1 : 0;
    bool outside = t < s->time[0] || t > s->time[last] || last == 0;
    double h = high > low ? s->time[high] - s->time[low] : 1;
    double a = (s->time[high] - t) / h, b = (t - s->time[low]) / h;
    if (outside) {
        b = high > low && t > s->time[high] ? 1 : 0;
        a = 1 - b;
    }
    const double *x0 = s->value + (ptrdiff_t)low * n, *x1 = s->value + (ptrdiff_t)high * n;
    const double *m0 = s->moment + (ptrdiff_t)low * n, *m1 = s->moment + (ptrdiff_t)high * n;
    double rate = outside ? 0 : factor, square = h * h / 6, sixth = h / 6;
    for (int c = 0; c < n; ++c) {
        double A = (a * a - 1) * a * m0[c] + (b * b - 1) * b * m1[c];
        double B = (1 - 3 * a * a) * m0[c] + (3 * b * b - 1) * m1[c];
        if (x) {
            x[c] = factor * (a * x0[c] + b * x1[c] + square * A);
        }
        if (xd) {
            xd[c] = rate * ((x1[c] - x0[c]) / h + sixth * B);
        }
        if (xdd) {
            xdd[c] = rate * (a * m0[c] + b * m1[c]);
        }
    }
}

// w q / 2, the rate of q that turns with the angular velocity w
static void quatRate(const double* w, snQuat q, double* rate)
{
    snQuat r = snQMul(snQ(0.5 * w[0], 0.5 * w[1], 0.5 * w[2], 0), q);
    rate[0] = r.x;
    rate[1] = r.y;
    rate[2] = r.z;
    rate[3] = r.w;
}

static bool isFiniteQuat(snQuat q)
{
    return isfinite(q.x) && isfinite(q.y) && isfinite(q.z) && isfinite(q.w);
}

snStatus snRotSpline_Build(snArena* arena, int count, const double* times, const snQuat* keys,
                           snSplineEnds ends, snRotSpline* out, snMessage* why)
{
    snStatus status = checkTimes(count, times, why);
    status = status ? status : checkEnds(3, ends, why);
    if (status) {
        return status;
    }
    if (!keys) {
        return snFail(why, sn_errorArgument, "a rotation spline needs keys");
    }
    snQuat* unit = (snQuat*)snArena_Push(arena, (size_t)count, sizeof(snQuat));
    if (!unit) {
        return snFail(why, sn_errorMemory, "out of memory for a spline of %d keys", count);
    }
    for (int i = 0; i < count; ++i) {
        double square = snQDot(keys[i], keys[i]);
        if (!isFiniteQuat(keys[i]) || !isfinite(square) || square < SN_TINY_SQUARE) {
            return snFail(why, sn_errorArgument,
                          "rotation spline: key %d is zero or not finite, not a rotation", i);
        }
        unit[i] = snQNormalize(keys[i]);
        if (i > 0 && snQDot(unit[i - 1], unit[i]) < 0) {
            unit[i] = snQNegate(unit[i]);
        }
    }
    double start[4], end[4];
    if (ends.start) {
        quatRate(ends.start, unit[0], start);
        ends.start = start;
    }
    if (ends.end) {
        quatRate(ends.end, unit[count - 1], end);
        ends.end = end;
    }
    snQuat first = unit[0], last = unit[count - 1];
    bool periodic = ends.kind == sn_splinePeriodic && count > 1;
    double sign = periodic && snQDot(first, last) < 0 ? -1 : 1;
    if (periodic && snLength(snQLog(snQMul(snQConj(first), last))) > seam_tolerance) {
        return snFail(why, sn_errorArgument,
                      "periodic rotation spline: the last key must be the rotation of the first");
    }
    if (periodic) {
        unit[count - 1] = sign < 0 ? snQNegate(first) : first;
    }
    out->x = (snSpline){.channels = 4, .count = count, .periodic = periodic, .sign = sign};
    status = build(arena, ends, times, &unit[0].x, &out->x, why);
    if (!status) {
        snMessage_Clear(why);
    }
    return status;
}

// With n = |x|^2 the rotation x/|x| has w = 2 vec(xd x*)/n, for the part of xd along x only adds to
// the scalar part; and, vec(xd xd*) being zero, wd = 2 vec(xdd x*)/n - w nd/n.
void snRotSpline_Eval(const snRotSpline* spline, double t, snQuat* q, snVec3* w, snVec3* wdot)
{
    double x[4] = {0}, xd[4] = {0}, xdd[4] = {0};
    snSpline_Eval(&spline->x, t, x, xd, wdot ? xdd : NULL);
    snQuat p = snQ(x[0], x[1], x[2], x[3]), pd = snQ(xd[0], xd[1], xd[2], xd[3]);
    snQuat pdd = snQ(xdd[0], xdd[1], xdd[2], xdd[3]);
    // keys half a turn apart, or wild ones, can lead x through zero: a defined answer there, no NaN
    double n = snQDot(p, p), k = n > SN_TINY_SQUARE ? 2 / n : 0;
    snQuat u = snQMul(pd, snQConj(p)), v = snQMul(pdd, snQConj(p));
    snVec3 velocity = snScale(k, snV3(u.x, u.y, u.z));
    if (q) {
        *q = snQNormalize(p);
    }
    if (w) {
        *w = velocity;
    }
    if (wdot) {
        *wdot = snMulAdd(snScale(k, snV3(v.x, v.y, v.z)), -k * snQDot(p, pd), velocity);
    }
}
