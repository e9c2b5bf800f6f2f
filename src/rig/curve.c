// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

#include "rig/curve.h"

#include "rig/pose.h"

// Keys closer than this are at one time, s: what files write where they mean a cut.
#define SAME_TIME 1e-3

// Part of a great circle, rad, that a spline of quaternions follows to 1e-5
#define ARC 0.35

// Slopes below this part of those two intervals away are a hold's.
#define STILL 0.1

// Keys of neighbouring loops that are solved along. What they miss falls to a half at least,
// usually to a quarter, with every key.
#define BESIDE 32

// What is missed at the seam of a loop beyond which it stays open
#define SEAM_MOST 0.05

// A teleport than its neighbours: a punch swings an arm seven times faster for a frame. But a turn
// as large as this has no side that it went along.
#define FASTER 8.0
#define HALF_TURN 2.6 // rad
#define HALF_FASTER 4.0

// By snRigPath: changes that nobody sees; that are no cut; that are a teleport
static const double NOTHING[3] = {1e-6, 1e-5, 1e-6};
static const double LITTLE[3] = {1e-3, 0.0087, 1e-3};
static const double FAR[3] = {0.2, SN_PI / 3, 0.5};

// Keys ---------------------------------------------------------------------------

// A growing list
typedef struct Keys {
    snArena* arena; // its failed flag tells
    int32_t path;
    size_t width, count, room;
    double *time, *value;
} Keys;

static snQuat quatOf(const double* v)
{
    return snQ(v[0], v[1], v[2], v[3]);
}

static void setQuat(double* v, snQuat q)
{
    v[0] = q.x, v[1] = q.y, v[2] = q.z, v[3] = q.w;
}

static const double* valueOf(const Keys* k, size_t i)
{
    return k->value + i * k->width;
}

// Of unit length, and of the sign nearer to the value before unless that is NULL
static void makeUnit(double* v, const double* before)
{
    snQuat q = snQNormalize(quatOf(v));
    setQuat(v, before && snQDot(q, quatOf(before)) < 0 ? snQNegate(q) : q);
}

static void push(Keys* k, double time, const double* value)
{
    if (k->count == k->room) {
        size_t room = k->room ? 2 * k->room : 64;
        double* t = snArena_Push(k->arena, room, sizeof *t);
        double* v = snArena_Push(k->arena, room, k->width * sizeof *v);
        if (!t || !v) {
            return;
        }
        for (size_t i = 0; i < k->count; ++i) {
            t[i] = k->time[i];
        }
        for (size_t i = 0; i < k->count * k->width; ++i) {
            v[i] = k->value[i];
        }
        k->time = t, k->value = v, k->room = room;
    }
    double* v = k->value + k->count * k->width;
    k->time[k->count] = time;
    for (size_t c = 0; c < k->width; ++c) {
        v[c] = value[c];
    }
    if (k->path == sn_pathRotation) {
        makeUnit(v, k->count ? v - k->width : NULL);
    }
    ++k->count;
}

snCurveMap snCurveMap_Seen(const snMatrix* parent, double turn, snVec3 move)
{
    snCurveMap map = {snMat3_Identity(), {0, 0, 0}, snQIdentity()};
    snQuat about = snQFromAxisAngle(snV3(0, 1, 0), turn), q;
    snMat3 A = snMatrix_Linear(parent), T = snMatFromQ(about);
    snVec3 p, scale;
    bool ok;
    snMat3 inverse = snMatInverse(A, &ok);
    if (!ok) {
        return map;
    }
    snMatrix_Split(parent, &p, &q, &scale);
    map.A = snMatMul(inverse, snMatMul(T, A));
    map.b = snMatVec(inverse, snSub(snAdd(snMatVec(T, p), move), p));
    map.turn = snQMul(snQConj(q), snQMul(about, q));
    // a mirrored frame turns the other way round
    if (scale.x * scale.y * scale.z < 0) {
        map.turn = snQ(map.turn.x, -map.turn.y, -map.turn.z, map.turn.w);
    }
    return map;
}

double snCurve_Apart(int32_t path, const double* a, const double* b, double size)
{
    if (path == sn_pathRotation) {
        return snLength(snQLog(snQMul(snQConj(quatOf(a)), quatOf(b))));
    }
    snVec3 from = snV3(a[0], a[1], a[2]), to = snV3(b[0], b[1], b[2]);
    double most = path == sn_pathScale ? fmax(snLength(from), snLength(to)) : size;
    return most > 0 ? snLength(snSub(to, from)) / most : 0;
}

static double apart(const Keys* k, size_t i, const double* v, const snCurveSpan* span)
{
    return snCurve_Apart(k->path, valueOf(k, i), v, span->size);
}

// The file's keys ------------------------------------------------------------------

// Those that are at one time and mean the same become one; those that do not, a cut.
static void pushRaw(Keys* k, double time, const double* value, const snCurveSpan* span)
{
    double v[4] = {value[0], value[1], value[2], k->width > 3 ? value[3] : 0};
    if (k->path == sn_pathRotation) {
        makeUnit(v, NULL);
    }
    if (k->count && time - k->time[k->count - 1] < SAME_TIME) {
        time = k->time[k->count - 1];
        k->count -= apart(k, k->count - 1, v, span) < LITTLE[k->path];
    }
    push(k, time, v);
}

static void keyOf(const snRigChannel* c, size_t key, double* out)
{
    size_t at = c->interpolation == sn_interpolateCubic ? 3 * key + 1 : key;
    for (size_t k = 0; k < (size_t)c->width; ++k) {
        out[k] = (double)c->values[at * (size_t)c->width + k];
    }
}

// All keys, between cubic ones samples, and the ends of the span
static void readKeys(const snRigChannel* c, const snCurveSpan* span, Keys* raw)
{
    double v[4] = {0};
    size_t keys = (size_t)c->key_count;
    keyOf(c, 0, v);
    pushRaw(raw, span->first, v, span);
    for (size_t i = 0; i < keys; ++i) {
        double time = (double)c->times[i], h = i + 1 < keys ? (double)c->times[i + 1] - time : 0;
        keyOf(c, i, v);
        pushRaw(raw, time, v, span);
        bool sampled = c->interpolation == sn_interpolateCubic && h >= SAME_TIME;
        int parts = sampled ? (int)fmin(floor(h * SN_CURVE_RATE) + 1, SN_CURVE_PARTS) : 1;
        for (int k = 1; k < parts; ++k) {
            snRigChannel_Sample(c, time + h * k / parts, v);
            pushRaw(raw, time + h * k / parts, v, span);
        }
    }
    keyOf(c, keys - 1, v);
    pushRaw(raw, span->last, v, span);
    // the last may have been taken into one just before it
    double end = raw->count ? raw->time[raw->count - 1] : 0;
    for (size_t i = raw->count; i-- > 1 && raw->time[i] == end;) {
        raw->time[i] = span->last;
    }
}

static bool isConstant(const Keys* k, const snCurveSpan* span)
{
    for (size_t i = 1; i < k->count && span->last - span->first >= SAME_TIME; ++i) {
        if (apart(k, 0, valueOf(k, i), span) > NOTHING[k->path]) {
            return false;
        }
    }
    return true;
}

// Between the file's keys ----------------------------------------------------------

static void mix(const Keys* k, size_t i, double u, double* out)
{
    const double *a = valueOf(k, i), *b = valueOf(k, i + 1);
    if (k->path == sn_pathRotation) {
        setQuat(out, snQSlerp(quatOf(a), quatOf(b), u));
        return;
    }
    for (size_t c = 0; c < k->width; ++c) {
        out[c] = a[c] + u * (b[c] - a[c]);
    }
}

// Of interval i, 1/s; less than 0: there is no such interval
static double speed(const Keys* k, size_t i, const snCurveSpan* span)
{
    double h = i + 1 < k->count ? k->time[i + 1] - k->time[i] : 0;
    return h > 0 ? apart(k, i, valueOf(k, i + 1), span) / h : -1;
}

static bool isTeleport(const Keys* k, size_t i, const snCurveSpan* span)
{
    double h = k->time[i + 1] - k->time[i], fast = speed(k, i, span);
    double before = i > 0 ? speed(k, i - 1, span) : -1, after = speed(k, i + 1, span);
    bool half = k->path == sn_pathRotation && fast * h > HALF_TURN;
    return h <= SN_CURVE_SPARSE && fast * h > FAR[k->path] && fmax(before, after) >= 0 &&
           fast > (half ? HALF_FASTER : FASTER) * fmax(before, after);
}

// Both sides of a cut in the middle of interval i, where they get as they moved before
static void breakUp(const Keys* raw, size_t i, Keys* keys)
{
    double h = raw->time[i + 1] - raw->time[i], v[4] = {0};
    for (size_t side = 0; side < 2; ++side) {
        size_t at = i + side, from = side ? i + 1 : i - 1;
        bool moves = (side || i > 0) && from + 1 < raw->count;
        double length = moves ? raw->time[from + 1] - raw->time[from] : 0;
        double u = length > 0 ? 0.5 * h / length : 0;
        for (size_t c = 0; c < raw->width; ++c) {
            double step = moves ? valueOf(raw, from + 1)[c] - valueOf(raw, from)[c] : 0;
            v[c] = valueOf(raw, at)[c] + (side ? -u : u) * step;
        }
        push(keys, raw->time[i] + 0.5 * h, v);
    }
}

// Follows the file's own line but for the corners: three keys on each side, over which what the
// corner sets off dies out, and between them as many as a rotation needs.
static void fillSparse(const Keys* raw, size_t i, const snCurveSpan* span, Keys* keys)
{
    double h = raw->time[i + 1] - raw->time[i], v[4] = {0};
    double each = h / fmax(floor(h / SN_CURVE_ROUND), 3), between = 0, parts = 1;
    if (h > 7 * SN_CURVE_ROUND) {
        each = SN_CURVE_ROUND;
        between = h - 6 * each;
        double arc = raw->path == sn_pathRotation ? apart(raw, i, valueOf(raw, i + 1), span) : 0;
        parts = floor(arc * between / (h * ARC)) + 1;
    }
    for (double t = each; t < h - 0.5 * each;) {
        mix(raw, i, t / h, v);
        push(keys, raw->time[i] + t, v);
        bool inside = between > 0 && t > 2.5 * each && t < h - 3.5 * each;
        t += inside ? between / parts : each;
    }
}

static void fillKeys(const Keys* raw, int32_t interpolation, const snCurveSpan* span, Keys* keys)
{
    for (size_t i = 0; i < raw->count; ++i) {
        push(keys, raw->time[i], valueOf(raw, i));
        double h = i + 1 < raw->count ? raw->time[i + 1] - raw->time[i] : 0;
        if (h <= 0) {
            continue;
        }
        if (interpolation == sn_interpolateStep &&
            apart(raw, i, valueOf(raw, i + 1), span) >= LITTLE[raw->path]) {
            push(keys, raw->time[i + 1], valueOf(raw, i));
        } else if (isTeleport(raw, i, span)) {
            breakUp(raw, i, keys);
        } else if (h > SN_CURVE_SPARSE && interpolation != sn_interpolateCubic) {
            fillSparse(raw, i, span, keys);
        }
    }
}

// Loops ------------------------------------------------------------------------------

// One loop on or back. offset false: of a difference
static void mapValue(const snCurveMap* map, int32_t path, bool offset, double* v)
{
    if (path == sn_pathRotation) {
        setQuat(v, snQMul(map->turn, quatOf(v)));
    } else if (path == sn_pathTranslation) {
        snVec3 x = snMatVec(map->A, snV3(v[0], v[1], v[2]));
        x = offset ? snAdd(x, map->b) : x;
        v[0] = x.x, v[1] = x.y, v[2] = x.z;
    }
}

// Of a loop that ends after its last key: the first value comes again there, or, if that is at
// once, the last key is there.
static void extend(Keys* raw, const snCurveSpan* span)
{
    double v[4] = {0};
    if (span->end - span->last < SAME_TIME) {
        for (size_t i = raw->count; i-- > 1 && raw->time[i] == span->last;) {
            raw->time[i] = span->end;
        }
        return;
    }
    for (size_t c = 0; c < raw->width; ++c) {
        v[c] = valueOf(raw, 0)[c];
    }
    mapValue(&span->on, raw->path, true, v);
    push(raw, span->end, v);
}

// Makes the last key what follows from the first. With what is missed e = v_n - on(v_0), v_0 moves
// by back(e)/2, v_n by -e/2, keys between in proportion. False when it is too much.
static bool closeSeam(Keys* k, const snCurveSpan* span)
{
    size_t width = k->width, end = k->count - 1;
    double goal[4] = {0}, miss[4] = {0}, start[4] = {0}, length = span->end - span->first;
    for (size_t c = 0; c < width; ++c) {
        goal[c] = valueOf(k, 0)[c];
    }
    mapValue(&span->on, k->path, true, goal);
    if (apart(k, end, goal, span) > SEAM_MOST) {
        return false;
    }
    bool turned = k->path == sn_pathRotation && snQDot(quatOf(goal), quatOf(valueOf(k, end))) < 0;
    for (size_t c = 0; c < width; ++c) {
        miss[c] = valueOf(k, end)[c] - (turned ? -goal[c] : goal[c]);
        start[c] = turned ? -miss[c] : miss[c];
    }
    mapValue(&span->back, k->path, false, start);
    for (size_t i = 0; i < k->count; ++i) {
        double s = (k->time[i] - span->first) / length, *v = k->value + i * width;
        for (size_t c = 0; c < width; ++c) {
            v[c] += 0.5 * ((1 - s) * start[c] - s * miss[c]);
        }
        if (k->path == sn_pathRotation) {
            makeUnit(v, NULL);
        }
    }
    return true;
}

// The keys with `beside` more of the loops before and after
static void addLoops(const Keys* k, const snCurveSpan* span, ptrdiff_t beside, Keys* out)
{
    ptrdiff_t n = (ptrdiff_t)k->count - 1;
    for (ptrdiff_t g = -beside; g <= n + beside; ++g) {
        ptrdiff_t loop = g > n ? g / n : g < 0 ? -((n - 1 - g) / n) : 0;
        size_t i = (size_t)(g - loop * n);
        double v[4] = {0};
        for (size_t c = 0; c < k->width; ++c) {
            v[c] = valueOf(k, i)[c];
        }
        for (ptrdiff_t l = loop; l != 0; l -= loop > 0 ? 1 : -1) {
            mapValue(loop > 0 ? &span->on : &span->back, k->path, true, v);
        }
        push(out, k->time[i] + (double)loop * (span->end - span->first), v);
    }
}

// Slopes -----------------------------------------------------------------------------

// Slopes m of one component. With g the chords' slopes and w = 1/h of the intervals beside key i,
// 0 in a cut and beyond the ends, two continuous derivatives mean
//   w_- m_(i-1) + 2 (w_- + w) m_i + w m_(i+1) = 3 (w_- g_- + w g),
// and a missing side makes the second derivative zero (de Boor, A practical guide to splines,
// chapter IV). Keys that are held have the slope that m has.
typedef struct Rows {
    size_t count;     // keys
    double *w, *g;    // of the interval after each key
    double* m;        // (count)
    double *lo, *hi;  // bounds of m
    double* pivot;    // scratch
    double* right;    // scratch
    uint8_t* held;    // (count)
    uint8_t* is_flat; // intervals, scratch; (count)
} Rows;

static void solve(Rows* r)
{
    double before = 0; // what the row before has on this key, eliminated
    for (size_t i = 0; i < r->count; ++i) {
        double w0 = i > 0 ? r->w[i - 1] : 0, w1 = r->w[i], diagonal = 2 * (w0 + w1);
        double b = i > 0 ? 3 * (w0 * r->g[i - 1] + w1 * r->g[i]) : 3 * w1 * r->g[i];
        if (r->held[i] || diagonal == 0) {
            diagonal = 1, w0 = w1 = 0, b = r->held[i] ? r->m[i] : 0;
        }
        r->pivot[i] = diagonal - w0 * before;
        r->right[i] = (b - (i > 0 ? w0 * r->right[i - 1] : 0)) / r->pivot[i];
        before = w1 / r->pivot[i];
        r->pivot[i] = before;
    }
    for (size_t i = r->count; i-- > 0;) {
        r->m[i] = r->right[i] - (i + 1 < r->count ? r->pivot[i] * r->m[i + 1] : 0);
    }
}

// The largest |g| of the two intervals on each side, as far as there is no cut
static double around(const Rows* r, size_t i)
{
    double most = 0;
    for (size_t k = 1; k <= 2 && k <= i && r->w[i - k] > 0; ++k) {
        most = fmax(most, fabs(r->g[i - k]));
    }
    for (size_t k = 1; k <= 2 && r->w[i + k] > 0; ++k) {
        most = fmax(most, fabs(r->g[i + k]));
    }
    return most;
}

static void limitInterval(Rows* r, size_t i)
{
    for (size_t k = i; k <= i + 1; ++k) {
        r->lo[k] = fmax(r->lo[k], fmin(0, 3 * r->g[i]));
        r->hi[k] = fmin(r->hi[k], fmax(0, 3 * r->g[i]));
    }
}

// Bounds of the slopes at holds. One flat interval alone may be the top of a curve, where the
// curve's two derivatives are worth more; at the end of a piece it is a hold.
static void findHolds(Rows* r)
{
    size_t n = r->count - 1; // intervals
    for (size_t i = 0; i <= n; ++i) {
        r->lo[i] = (double)-INFINITY, r->hi[i] = (double)INFINITY;
        r->is_flat[i] = r->w[i] > 0 && fabs(r->g[i]) <= STILL * around(r, i);
    }
    for (size_t i = 0; i < n; ++i) {
        bool has_before = i > 0 && r->w[i - 1] > 0, has_after = r->w[i + 1] > 0;
        bool before = has_before && !r->is_flat[i - 1], after = has_after && !r->is_flat[i + 1];
        if (!r->is_flat[i] || (before && after)) {
            continue;
        }
        limitInterval(r, i);
        if (before) {
            limitInterval(r, i - 1);
        }
        if (after) {
            limitInterval(r, i + 1);
        }
    }
}

// Holds keys whose slopes are out of bounds there; others then get two derivatives again.
static void findSlopes(Rows* r)
{
    bool changed = true;
    findHolds(r);
    for (int pass = 0; changed && pass < 8; ++pass) {
        changed = false;
        solve(r);
        for (size_t i = 0; i < r->count; ++i) {
            double m = fmin(fmax(r->m[i], r->lo[i]), r->hi[i]);
            if (m < r->m[i] || m > r->m[i]) {
                r->m[i] = m;
                r->held[i] = true;
                changed = true;
            }
        }
    }
}

static bool newRows(snArena* arena, const Keys* k, Rows* r)
{
    size_t n = k->count;
    *r = (Rows){.count = n};
    double** arrays[] = {&r->w, &r->g, &r->m, &r->lo, &r->hi, &r->pivot, &r->right};
    for (size_t i = 0; i < sizeof arrays / sizeof *arrays; ++i) {
        *arrays[i] = snArena_Push(arena, n + 1, sizeof(double));
    }
    r->held = snArena_Push(arena, n + 1, 1);
    r->is_flat = snArena_Push(arena, n + 1, 1);
    for (size_t i = 0; !arena->failed && i + 1 < n; ++i) {
        double h = k->time[i + 1] - k->time[i];
        r->w[i] = h > 0 ? 1 / h : 0;
    }
    return !arena->failed;
}

// Copies keys begin .. begin + count - 1 and gives them slopes, which it returns.
static double* finish(snArena* arena, snArena* scratch, const Keys* k, size_t begin, size_t count,
                      snCurve* out)
{
    Rows r;
    double* time = snArena_Push(arena, count, sizeof *time);
    double* value = snArena_Push(arena, count, k->width * sizeof *value);
    double* slope = snArena_Push(arena, count, k->width * sizeof *slope);
    if (!time || !value || !slope || !newRows(scratch, k, &r)) {
        return NULL;
    }
    for (size_t i = 0; i < count; ++i) {
        time[i] = k->time[begin + i];
        out->cut_count += i > 0 && time[i] == time[i - 1];
    }
    for (size_t c = 0; c < k->width; ++c) {
        for (size_t i = 0; i < k->count; ++i) {
            r.held[i] = false;
            r.g[i] = i + 1 < k->count ? r.w[i] * (valueOf(k, i + 1)[c] - valueOf(k, i)[c]) : 0;
        }
        findSlopes(&r);
        for (size_t i = 0; i < count; ++i) {
            value[i * k->width + c] = valueOf(k, begin + i)[c];
            slope[i * k->width + c] = r.m[begin + i];
        }
    }
    out->count = (int32_t)count;
    out->time = time, out->value = value, out->slope = slope;
    return slope;
}

// The slope in the last key, of the first one's. Limits know only components, which a turn mixes.
static void joinSlopes(const snCurveSpan* span, const snCurve* curve, double* slope)
{
    size_t width = (size_t)curve->width, last = ((size_t)curve->count - 1) * width;
    double goal[4] = {0}, joined[4] = {0}, sign = 1;
    for (size_t c = 0; c < width; ++c) {
        goal[c] = curve->value[c];
        joined[c] = slope[c];
    }
    mapValue(&span->on, curve->path, true, goal);
    mapValue(&span->on, curve->path, false, joined);
    if (curve->path == sn_pathRotation) {
        sign = snQDot(quatOf(goal), quatOf(curve->value + last)) < 0 ? -1 : 1;
    }
    for (size_t c = 0; c < width; ++c) {
        slope[last + c] = sign * joined[c];
    }
}

snStatus snCurve_Build(snArena* arena, const snRigChannel* channel, const snCurveSpan* span,
                       snCurve* out, snMessage* why)
{
    snArena scratch;
    snArena_Init(&scratch, &arena->host);
    Keys raw = {.arena = &scratch, .path = channel->path, .width = (size_t)channel->width};
    Keys keys = raw, loops = raw, *all = &keys;
    *out = (snCurve){.width = channel->width, .path = channel->path};
    readKeys(channel, span, &raw);
    if (!scratch.failed && isConstant(&raw, span)) {
        finish(arena, &scratch, &raw, 0, 1, out);
    } else if (!scratch.failed) {
        size_t beside = 0;
        if (span->loops) {
            extend(&raw, span);
        }
        fillKeys(&raw, channel->interpolation, span, &keys);
        if (!scratch.failed && span->loops && closeSeam(&keys, span)) {
            beside = BESIDE;
            all = &loops;
            addLoops(&keys, span, BESIDE, &loops);
        }
        double* slope =
            scratch.failed ? NULL : finish(arena, &scratch, all, beside, keys.count, out);
        if (slope && beside) {
            joinSlopes(span, out, slope);
        }
    }
    bool failed = scratch.failed || arena->failed;
    snArena_Free(&scratch);
    return failed ? snFail(why, sn_errorMemory, "out of memory for a clip's curves") : sn_ok;
}

void snCurve_Eval(const snCurve* curve, double t, bool before, double* value, double* rate)
{
    size_t width = (size_t)curve->width, low = 0, high = (size_t)curve->count - 1;
    bool outside = high == 0 || t < curve->time[0] || t > curve->time[high];
    // the interval [low, low + 1] that holds t
    while (high - low > 1) {
        size_t middle = (low + high) / 2;
        if (curve->time[middle] < t || (curve->time[middle] <= t && !before)) {
            low = middle;
        } else {
            high = middle;
        }
    }
    double h = curve->time[high] - curve->time[low];
    double u = h > 0 ? fmin(fmax((t - curve->time[low]) / h, 0), 1) : 1;
    double h01 = u * u * (3 - 2 * u), h10 = u * (1 - u) * (1 - u) * h, h11 = u * u * (u - 1) * h;
    double d01 = h > 0 ? 6 * u * (1 - u) / h : 0;
    double d10 = (1 - u) * (1 - 3 * u), d11 = u * (3 * u - 2);
    const double *v0 = curve->value + low * width, *v1 = curve->value + high * width;
    const double *m0 = curve->slope + low * width, *m1 = curve->slope + high * width;
    for (size_t c = 0; c < width; ++c) {
        value[c] = v0[c] + h01 * (v1[c] - v0[c]) + h10 * m0[c] + h11 * m1[c];
        rate[c] = outside ? 0 : d01 * (v1[c] - v0[c]) + d10 * m0[c] + d11 * m1[c];
    }
}
