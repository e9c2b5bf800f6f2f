// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

// Passes over a range of nodes, in blocks of 16. Vectors of a block are split into components of 16
// lanes; sums go lane by lane in double, and lanes are added up in fixed order, so the bits are the
// same for every instruction set. Fixed nodes and lanes beyond the last node have no inverse mass.
// Loops that choose between numbers are in float alone: others gcc does not vectorise.

#include "math/isa.h"
#include "method/explicit/nodes_pass.h"

enum { LANES = SN_LANES, MOMENTS = 16, NODES = SN_RANGE_BLOCKS * SN_LANES };

typedef float Four __attribute__((vector_size(16)));
typedef double Quad __attribute__((vector_size(32)));

SN_KERNEL Four get(const snVec4f* p)
{
    Four v;
    memcpy(&v, p, sizeof v);
    return v;
}

static void split(const snVec4f* restrict in, float (*restrict out)[LANES])
{
#pragma omp simd
    for (int i = 0; i < LANES; ++i) {
        out[0][i] = in[i].x;
        out[1][i] = in[i].y;
        out[2][i] = in[i].z;
        out[3][i] = in[i].w;
    }
}

static void join(float (*restrict in)[LANES], snVec4f* restrict out)
{
#pragma omp simd
    for (int i = 0; i < LANES; ++i) {
        out[i].x = in[0][i];
        out[i].y = in[1][i];
        out[i].z = in[2][i];
        out[i].w = in[3][i];
    }
}

static void blocksOf(const snNodes* nodes, int range, int32_t* begin, int32_t* end)
{
    *begin = range * SN_RANGE_BLOCKS;
    *end = nodes->block_count - *begin < SN_RANGE_BLOCKS ? nodes->block_count
                                                         : *begin + SN_RANGE_BLOCKS;
}

// Moments ---------------------------------------------------------------------

static void freeMasses(const snFlesh* flesh, size_t at, float* restrict out)
{
    const float *mass = flesh->node_mass + at, *inverse = flesh->inverse_mass + at;
#pragma omp simd
    for (int i = 0; i < LANES; ++i) {
        out[i] = inverse[i] > 0 ? mass[i] : 0;
    }
}

// Adds m, m x, m v, m x cross v and m x x' of a block's free nodes.
static void addMoments(const float* mass, float (*x)[LANES], float (*v)[LANES],
                       double (*restrict sum)[LANES])
{
#pragma omp simd
    for (int i = 0; i < LANES; ++i) {
        double m = (double)mass[i];
        double X = (double)x[0][i], Y = (double)x[1][i], Z = (double)x[2][i];
        double mX = m * X, mY = m * Y, mZ = m * Z;
        double pX = m * (double)v[0][i], pY = m * (double)v[1][i], pZ = m * (double)v[2][i];
        sum[0][i] += m;
        sum[1][i] += mX, sum[2][i] += mY, sum[3][i] += mZ;
        sum[4][i] += pX, sum[5][i] += pY, sum[6][i] += pZ;
        sum[7][i] += Y * pZ - Z * pY;
        sum[8][i] += Z * pX - X * pZ;
        sum[9][i] += X * pY - Y * pX;
        sum[10][i] += mX * X, sum[11][i] += mY * Y, sum[12][i] += mZ * Z;
        sum[13][i] += mX * Y, sum[14][i] += mX * Z, sum[15][i] += mY * Z;
    }
}

static double addLanes(const double* lanes)
{
    double sum = 0;
    for (int i = 0; i < LANES; ++i) {
        sum += lanes[i];
    }
    return sum;
}

static snNodesSum sumOf(double (*lanes)[LANES])
{
    double s[MOMENTS];
    for (int k = 0; k < MOMENTS; ++k) {
        s[k] = addLanes(lanes[k]);
    }
    return (snNodesSum){
        s[0],
        snV3(s[1], s[2], s[3]),
        snV3(s[4], s[5], s[6]),
        snV3(s[7], s[8], s[9]),
        {.xx = s[10], .yy = s[11], .zz = s[12], .xy = s[13], .xz = s[14], .yz = s[15]}};
}

snNodesRangeFcn SN_ISA_NAME(snNodesMeasure), SN_ISA_NAME(snNodesKick), SN_ISA_NAME(snNodesDrift),
    SN_ISA_NAME(snNodesSettle), SN_ISA_NAME(snNodesTurn);

void SN_ISA_NAME(snNodesMeasure)(const snNodesPass* pass, int range)
{
    const snNodes* n = pass->nodes;
    _Alignas(SN_ALIGNMENT) float x[4][LANES], v[4][LANES], mass[LANES];
    _Alignas(SN_ALIGNMENT) double sum[MOMENTS][LANES] = {{0}};
    int32_t begin, end;
    blocksOf(n, range, &begin, &end);
    for (int32_t b = begin; b < end; ++b) {
        size_t at = (size_t)b * LANES;
        split(n->x + at, x);
        split(n->v + at, v);
        freeMasses(n->flesh, at, mass);
        addMoments(mass, x, v, sum);
    }
    n->sums[range] = sumOf(sum);
}

// Dampers ---------------------------------------------------------------------

typedef float Lanes __attribute__((vector_size(4 * SN_LANES)));

// Velocity (or acceleration) of the blend of bones at each node: v + w x (x - centre).
static void carry(const snNodes* n, int32_t block, float (*x)[LANES], float (*restrict out)[LANES])
{
    const snFlesh* flesh = n->flesh;
    const snVec4f centre = n->centre;
    _Alignas(SN_ALIGNMENT) float v[3][LANES], w[3][LANES];
    Lanes vx = {0}, vy = {0}, vz = {0}, wx = {0}, wy = {0}, wz = {0}, weight;
    for (int32_t k = flesh->share_begin[block]; k < flesh->share_begin[block + 1]; ++k) {
        const snShare* s = &flesh->shares[k];
        const snCarrier* bone = &n->carriers[s->bone];
        memcpy(&weight, s->weight, sizeof weight);
        vx += weight * bone->v.x, vy += weight * bone->v.y, vz += weight * bone->v.z;
        wx += weight * bone->w.x, wy += weight * bone->w.y, wz += weight * bone->w.z;
    }
    memcpy(v[0], &vx, sizeof vx), memcpy(v[1], &vy, sizeof vy), memcpy(v[2], &vz, sizeof vz);
    memcpy(w[0], &wx, sizeof wx), memcpy(w[1], &wy, sizeof wy), memcpy(w[2], &wz, sizeof wz);
#pragma omp simd
    for (int i = 0; i < LANES; ++i) {
        float rx = x[0][i] - centre.x, ry = x[1][i] - centre.y, rz = x[2][i] - centre.z;
        out[0][i] = v[0][i] + (w[1][i] * rz - w[2][i] * ry);
        out[1][i] = v[1][i] + (w[2][i] * rx - w[0][i] * rz);
        out[2][i] = v[2][i] + (w[0][i] * ry - w[1][i] * rx);
    }
}

// A damper's force per change of the bone's velocity, over the node's mass: 1/s.
SN_KERNEL float firmnessOf(float g, float h)
{
    return g / (1 + 0.5f * h * g);
}

// Adds what a block's dampers do to the bones. pull: force and, in w, the damper's mass c that its
// reaction to the bones' accelerations amounts to.
static void addPulls(const snNodes* n, int32_t block, const snVec4f* pull, snBonePull* bones)
{
    const snFlesh* flesh = n->flesh;
    const snVec4f* x = n->x + (size_t)block * LANES;
    Quad q[LANES][SN_PULL_ROWS];
    for (int i = 0; i < LANES; ++i) {
        Quad X = __builtin_convertvector(get(&x[i]), Quad);
        Quad f = __builtin_convertvector(get(&pull[i]), Quad);
        Quad next = __builtin_shufflevector(X, X, 1, 2, 0, 3);
        Quad last = __builtin_shufflevector(X, X, 2, 0, 1, 3);
        Quad cX = X * __builtin_shufflevector(f, f, 3, 3, 3, 3);
        q[i][0] = f;
        q[i][1] = next * __builtin_shufflevector(f, f, 2, 0, 1, 3) -
                  last * __builtin_shufflevector(f, f, 1, 2, 0, 3);
        q[i][2] = cX;
        q[i][3] = cX * X;
        q[i][4] = cX * next;
    }
    for (int32_t k = flesh->share_begin[block]; k < flesh->share_begin[block + 1]; ++k) {
        const snShare* s = &flesh->shares[k];
        Quad sum[SN_PULL_ROWS] = {{0}};
        for (uint32_t lanes = s->lanes; lanes; lanes &= lanes - 1) {
            const int i = __builtin_ctz(lanes);
            for (int r = 0; r < SN_PULL_ROWS; ++r) {
                sum[r] += (double)s->weight[i] * q[i][r];
            }
        }
        Quad* to = (Quad*)(void*)bones[s->bone].row;
        for (int r = 0; r < SN_PULL_ROWS; ++r) {
            to[r] += sum[r];
        }
    }
}

// Kick ------------------------------------------------------------------------

// What is added up over blocks, and one block's part of it.
typedef struct Tally {
    _Alignas(SN_ALIGNMENT) double before[LANES];
    double after[LANES], jiggle[LANES];
    float fastest[LANES];
    int32_t bad[LANES];
} Tally;

typedef struct Part {
    _Alignas(SN_ALIGNMENT) float before[LANES];
    float after[LANES], jiggle[LANES];
} Part;

// One component: velocity v, other acceleration a, dampers' reference r, firmness k. Returns the
// dampers' acceleration -g ((v + v')/2 - r) with v' = v + h (a + it).
SN_KERNEL float dragOf(float v, float a, float r, float k, float h)
{
    return -k * (v + 0.5f * h * a - r);
}

// v becomes the velocities after the kick; pull: forces of dampers and their masses c; mass: of
// free nodes.
static void kickBlock(const snNodesPass* pass, int32_t block, const float* mass, float (*f)[LANES],
                      float (*p)[LANES], float (*r)[LANES], float (*restrict v)[LANES],
                      float (*restrict pull)[LANES], Tally* restrict tally)
{
    const float* inverse = pass->nodes->flesh->inverse_mass + (size_t)block * LANES;
    const float* damping = pass->nodes->flesh->damping + (size_t)block * LANES;
    const float h = pass->h;
    const snVec4f g = pass->gravity;
    Part part;
#pragma omp simd
    for (int i = 0; i < LANES; ++i) {
        bool free = inverse[i] > 0;
        float m = mass[i], k = firmnessOf(damping[i], h), vx = v[0][i], vy = v[1][i], vz = v[2][i];
        float ax = (f[0][i] + p[0][i]) * inverse[i] + g.x;
        float ay = (f[1][i] + p[1][i]) * inverse[i] + g.y;
        float az = (f[2][i] + p[2][i]) * inverse[i] + g.z;
        float dx = dragOf(vx, ax, r[0][i], k, h), dy = dragOf(vy, ay, r[1][i], k, h);
        float dz = dragOf(vz, az, r[2][i], k, h);
        float ux = vx + h * (ax + dx), uy = vy + h * (ay + dy), uz = vz + h * (az + dz);
        float before = h * (f[0][i] * vx + f[1][i] * vy + f[2][i] * vz);
        float after = h * (f[0][i] * ux + f[1][i] * uy + f[2][i] * uz);
        float sx = ux - r[0][i], sy = uy - r[1][i], sz = uz - r[2][i];
        float square = sx * sx + sy * sy + sz * sz;
        square = free ? square : 0;
        part.before[i] = free ? before : 0;
        part.after[i] = free ? after : 0;
        part.jiggle[i] = m * square;
        pull[0][i] = m * dx, pull[1][i] = m * dy, pull[2][i] = m * dz,
        pull[3][i] = 0.5f * h * m * k;
        v[0][i] = free ? ux : vx;
        v[1][i] = free ? uy : vy;
        v[2][i] = free ? uz : vz;
        tally->fastest[i] = square > tally->fastest[i] ? square : tally->fastest[i];
        tally->bad[i] = square <= 1e20f ? tally->bad[i] : block * LANES + i;
    }
#pragma omp simd
    for (int i = 0; i < LANES; ++i) {
        tally->before[i] += (double)part.before[i];
        tally->after[i] += (double)part.after[i];
        tally->jiggle[i] += (double)part.jiggle[i];
    }
}

static snNodesTally tallyOf(const Tally* t)
{
    snNodesTally out = {.before = 0.5 * addLanes(t->before),
                        .after = 0.5 * addLanes(t->after),
                        .jiggle = 0.5 * addLanes(t->jiggle),
                        .bad = -1};
    for (int i = 0; i < LANES; ++i) {
        double fastest = (double)t->fastest[i];
        out.fastest = fastest > out.fastest ? fastest : out.fastest;
        out.bad = t->bad[i] > out.bad ? t->bad[i] : out.bad;
    }
    return out;
}

void SN_ISA_NAME(snNodesKick)(const snNodesPass* pass, int range)
{
    snNodes* n = pass->nodes;
    snBonePull* bones = n->pulls + (size_t)range * (size_t)n->carrier_count;
    _Alignas(SN_ALIGNMENT) float x[4][LANES], v[4][LANES], f[4][LANES], p[4][LANES];
    _Alignas(SN_ALIGNMENT) float r[3][LANES], pull[4][LANES], mass[LANES];
    _Alignas(SN_ALIGNMENT) snVec4f pulls[NODES];
    _Alignas(SN_ALIGNMENT) double sum[MOMENTS][LANES] = {{0}};
    Tally tally = {.bad = {0}};
    int32_t begin, end;
    for (int i = 0; i < LANES; ++i) {
        tally.bad[i] = -1;
    }
    memset(bones, 0, (size_t)n->carrier_count * sizeof *bones);
    blocksOf(n, range, &begin, &end);
    for (int32_t b = begin; b < end; ++b) {
        size_t at = (size_t)b * LANES;
        split(n->x + at, x);
        split(n->v + at, v);
        split(n->f + at, f);
        split(n->push + at, p);
        carry(n, b, x, r);
        freeMasses(n->flesh, at, mass);
        kickBlock(pass, b, mass, f, p, r, v, pull, &tally);
        join(v, n->v + at);
        join(pull, pulls + (size_t)(b - begin) * LANES);
        if (pass->measured) {
            addMoments(mass, x, v, sum);
        }
    }
    for (int32_t b = begin; b < end; ++b) {
        addPulls(n, b, pulls + (size_t)(b - begin) * LANES, bones);
    }
    n->tallies[range] = tallyOf(&tally);
    n->sums[range] = sumOf(sum);
}

// Moving ----------------------------------------------------------------------

// x + lost += d, what rounding takes going to lost (Knuth's two-sum)
SN_KERNEL void addTo(float* x, float* lost, float d)
{
    float e = d + *lost, sum = *x + e, part = sum - *x;
    *lost = (*x - (sum - part)) + (e - part);
    *x = sum;
}

static void driftBlock(snVec4f* at, snVec4f* rest, const snVec4f* velocity, float h)
{
    float* restrict x = &at->x;
    float* restrict lost = &rest->x;
    const float* restrict v = &velocity->x;
#pragma omp simd
    for (int i = 0; i < 4 * LANES; ++i) { // w too, which stays 0
        addTo(&x[i], &lost[i], h * v[i]);
    }
}

void SN_ISA_NAME(snNodesDrift)(const snNodesPass* pass, int range)
{
    const snNodes* n = pass->nodes;
    int32_t begin, end;
    blocksOf(n, range, &begin, &end);
    for (int32_t b = begin; b < end; ++b) {
        size_t at = (size_t)b * LANES;
        driftBlock(n->x + at, n->lost + at, n->v + at, pass->drift);
    }
}

// Half of the change of the bones' velocities, which the dampers' reference did not have. Fixed
// nodes have no damping.
static void settleBlock(float h, const float* damping, float (*a)[LANES],
                        float (*restrict v)[LANES])
{
#pragma omp simd
    for (int i = 0; i < LANES; ++i) {
        float s = 0.5f * h * h * firmnessOf(damping[i], h);
        v[0][i] += s * a[0][i];
        v[1][i] += s * a[1][i];
        v[2][i] += s * a[2][i];
    }
}

void SN_ISA_NAME(snNodesSettle)(const snNodesPass* pass, int range)
{
    snNodes* n = pass->nodes;
    _Alignas(SN_ALIGNMENT) float x[4][LANES], v[4][LANES], a[3][LANES], mass[LANES];
    _Alignas(SN_ALIGNMENT) double sum[MOMENTS][LANES] = {{0}};
    int32_t begin, end;
    blocksOf(n, range, &begin, &end);
    for (int32_t b = begin; b < end; ++b) {
        size_t at = (size_t)b * LANES;
        split(n->v + at, v);
        if (pass->accelerated) {
            split(n->x + at, x);
            carry(n, b, x, a);
            settleBlock(pass->h, n->flesh->damping + at, a, v);
            join(v, n->v + at);
        }
        driftBlock(n->x + at, n->lost + at, n->v + at, pass->drift);
        if (pass->measured) {
            split(n->x + at, x);
            freeMasses(n->flesh, at, mass);
            addMoments(mass, x, v, sum);
        }
    }
    n->sums[range] = sumOf(sum);
}

static void turnBlock(const snNodesPass* pass, const float* inverse, float (*x)[LANES],
                      float (*restrict v)[LANES])
{
    const snVec3 c = pass->com, dv = pass->change.v, w = pass->change.w;
    _Alignas(SN_ALIGNMENT) float u[3][LANES];
#pragma omp simd
    for (int i = 0; i < LANES; ++i) {
        double X = (double)x[0][i] - c.x, Y = (double)x[1][i] - c.y, Z = (double)x[2][i] - c.z;
        u[0][i] = (float)((double)v[0][i] + (dv.x + (w.y * Z - w.z * Y)));
        u[1][i] = (float)((double)v[1][i] + (dv.y + (w.z * X - w.x * Z)));
        u[2][i] = (float)((double)v[2][i] + (dv.z + (w.x * Y - w.y * X)));
    }
#pragma omp simd
    for (int i = 0; i < LANES; ++i) {
        v[0][i] = inverse[i] > 0 ? u[0][i] : v[0][i];
        v[1][i] = inverse[i] > 0 ? u[1][i] : v[1][i];
        v[2][i] = inverse[i] > 0 ? u[2][i] : v[2][i];
    }
}

void SN_ISA_NAME(snNodesTurn)(const snNodesPass* pass, int range)
{
    snNodes* n = pass->nodes;
    _Alignas(SN_ALIGNMENT) float x[4][LANES], v[4][LANES];
    int32_t begin, end;
    blocksOf(n, range, &begin, &end);
    for (int32_t b = begin; b < end; ++b) {
        size_t at = (size_t)b * LANES;
        split(n->x + at, x);
        split(n->v + at, v);
        turnBlock(pass, n->flesh->inverse_mass + at, x, v);
        join(v, n->v + at);
    }
}
