// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0
// label: quick
// needs: cli

// What a sheet shows, on two clips of a worm in place of a rig and its bake.
#include "check.h"

#include <cli/moments.h>
#include <render/camera.h>

#define WORM SN_TEST_DATA "/../../docs/examples/worm.gltf"
#define EXACT 1e-12 // rounding of the same sums in another order

static const double first = 0.1, last = 0.9; // s

typedef struct Worm {
    Comparison comparison;
    Pair pair;
    int32_t same[8];
} Worm;

static int32_t clipOf(const snRig* rig, const char* name)
{
    int32_t list[8], count;
    snMessage why;
    assert_ok(snRig_FindClips(rig, name, list, &count, &why), why);
    assert_int_equal(count, 1);
    return list[0];
}

static void makeWorm(Worm* w, const char* clip)
{
    snMessage why;
    for (int32_t i = 0; i < 8; ++i) {
        w->same[i] = i;
    }
    w->comparison = (Comparison){.same = w->same, .unit = 1, .duration = 1};
    assert_ok(snRig_Load(NULL, WORM, &w->comparison.before, &why), why);
    assert_ok(snRig_Load(NULL, WORM, &w->comparison.after, &why), why);
    w->comparison.clip = clipOf(w->comparison.after, clip);
    w->comparison.old_clip = clipOf(w->comparison.before, "Still");
    assert_true(makePair(&w->comparison, &w->pair));
}

static void freeWorm(Worm* w)
{
    freePair(&w->pair);
    snRig_Release(w->comparison.before);
    snRig_Release(w->comparison.after);
}

static double lengthAt(const Pair* p, int32_t v)
{
    snVec3 d = differenceAt(p, v);
    return sqrt(d.x * d.x + d.y * d.y + d.z * d.z);
}

// Part of the surface with differences of at least a size at a time. A third of each triangle
// counts for each of its corners.
static double partFrom(Pair* p, double time, double size)
{
    snMessage why;
    const snRigMesh* m = snRig_Mesh(p->of->after, 0);
    double all = 0, part = 0;
    assert_ok(posePair(p, time, &why), why);
    assert_ok(skinPair(p, 0, &why), why);
    for (int32_t t = 0; t < m->triangle_count; ++t) {
        const int32_t* n = m->triangles + 3 * (size_t)t;
        double e[2][3], c[3];
        for (int k = 0; k < 6; ++k) {
            e[k / 3][k % 3] = (double)p->old_positions[3 * n[1 + k / 3] + k % 3] -
                              (double)p->old_positions[3 * n[0] + k % 3];
        }
        for (int k = 0; k < 3; ++k) {
            c[k] = e[0][(k + 1) % 3] * e[1][(k + 2) % 3] - e[0][(k + 2) % 3] * e[1][(k + 1) % 3];
        }
        double area = 0.5 * sqrt(c[0] * c[0] + c[1] * c[1] + c[2] * c[2]);
        for (int k = 0; k < 3; ++k) {
            all += area / 3;
            part += lengthAt(p, n[k]) >= size ? area / 3 : 0;
        }
    }
    return part / all;
}

// 1 % of the surface has larger differences than the size that is stated, and no more.
static void sizesLeaveOutAHundredth(void** state)
{
    (void)state;
    Worm w;
    Moments m;
    snMessage why;
    makeWorm(&w, "Wave");
    assert_ok(findMoments(&w.pair, first, last, &m, &why), why);
    double largest = 0;
    for (int k = 0; k <= MOMENTS_LOOKS; ++k) {
        double time = first + (last - first) * k / MOMENTS_LOOKS;
        if (m.sizes[k] > 0) {
            assert_true(partFrom(&w.pair, time, m.sizes[k]) > 0.01 - EXACT);
            assert_true(partFrom(&w.pair, time, m.sizes[k] * (1 + 1e-9)) < 0.01 + EXACT);
        }
        largest = fmax(largest, m.sizes[k]);
    }
    assert_true(largest > 0.01);
    assert_true(m.largest == largest);
    // nothing differs from itself: what is hardly seen
    w.comparison.clip = w.comparison.old_clip;
    assert_ok(findMoments(&w.pair, first, last, &m, &why), why);
    assert_close(m.largest, 0.001 * 0.6, 1e-6); // of its height
    freeWorm(&w);
}

// The first time and the highest peaks, which are not beside each other
static void theFirstAndThePeaksAreChosen(void** state)
{
    (void)state;
    Moments m = {.first = 1, .last = 4};
    double times[6];
    for (int k = 0; k <= MOMENTS_LOOKS; ++k) {
        m.sizes[k] = 0.1 + exp(-0.02 * (k - 40) * (k - 40)) + 2 * exp(-0.02 * (k - 77) * (k - 77));
    }
    assert_int_equal(chooseMoments(&m, 3, times), 3);
    assert_close(times[0], 1, 1e-12);
    assert_close(times[1], 1 + 3 * 40.0 / MOMENTS_LOOKS, 1e-12);
    assert_close(times[2], 1 + 3 * 77.0 / MOMENTS_LOOKS, 1e-12);
    int32_t count = chooseMoments(&m, 6, times);
    assert_true(count >= 5);
    for (int32_t i = 1; i < count; ++i) {
        assert_true(times[i] - times[i - 1] > 0.5 * 3 / 6);
        assert_true(times[i] <= 4 + 1e-12);
    }
    assert_int_equal(chooseMoments(&m, 1, times), 1);
    assert_close(times[0], 1, 1e-12);
}

// A worm waves to and fro: whatever is said to be its front, one does not look along that. It hops
// up and down: that is seen from the front as well.
static void theSideShowsWhatMoves(void** state)
{
    (void)state;
    Worm w;
    snMessage why;
    double side, time = 0.25, swing[2] = {0};
    int turned = 0;
    makeWorm(&w, "Wave");
    assert_ok(posePair(&w.pair, time, &why), why);
    assert_ok(skinPair(&w.pair, 0, &why), why);
    for (int32_t v = 0; v < snRig_Mesh(w.comparison.after, 0)->vertex_count; ++v) {
        snVec3 d = differenceAt(&w.pair, v);
        swing[0] += d.x * d.x;
        swing[1] += d.z * d.z;
    }
    bool sideways = swing[0] > swing[1];
    assert_true(fmax(swing[0], swing[1]) > 10 * fmin(swing[0], swing[1]));
    for (int k = 0; k < 16; ++k) {
        double turn = 0.125 * 3.141592653589793 * k;
        assert_ok(chooseSide(&w.pair, &time, 1, turn, &side, &why), why);
        snVec3 back = viewAxes(viewIso, side).back;
        assert_true(fabs(sideways ? back.x : back.z) < 0.82); // of 0.92 in a view from above
        turned += side != turn;
    }
    assert_in_range(turned, 4, 12);
    w.comparison.clip = clipOf(w.comparison.after, "Hop");
    assert_ok(chooseSide(&w.pair, &time, 1, 0.3, &side, &why), why);
    assert_close(side, 0.3, 1e-12);
    freeWorm(&w);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(sizesLeaveOutAHundredth),
                                       cmocka_unit_test(theFirstAndThePeaksAreChosen),
                                       cmocka_unit_test(theSideShowsWhatMoves)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
