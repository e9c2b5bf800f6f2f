// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0
// label: quick

// Rigs that are built alike get the keys of each other as they are, whatever pose they were saved
// in; of another size travel grows; other axes do not fit.

#include "rig/transfer.h"

#include "rig/figure.h"

static const double near = 1e-5; // of lengths: keys are floats

static snTransfer find(snArena* arena, const Figure* from, const Figure* to)
{
    snMessage why;
    snTransfer t;
    const char* names[FIGURE_NODES];
    for (int32_t n = 0; n < FIGURE_NODES; ++n) {
        names[n] = from->nodes[n].name;
    }
    assert_ok(snTransfer_Find(arena, &from->rig, names, &to->rig, &t, &why), why);
    return t;
}

static void copiesAreExact(void** state)
{
    (void)state;
    Figure a, b;
    snArena arena;
    snMessage why;
    snRigClipData clip;
    int32_t moved;
    snArena_Init(&arena, NULL);
    makeFigure(&a, (FigureDef){.axes = 3, .size = 1});
    makeFigure(&b, (FigureDef){.axes = 3, .size = 1});
    moveFigure(&a);
    for (int32_t n = 0; n < FIGURE_NODES; ++n) { // another namespace
        const char* colon = strchr(b.nodes[n].name, ':');
        b.nodes[n].name = colon ? colon + 1 : b.nodes[n].name;
    }
    snTransfer t = find(&arena, &a, &b);
    assert_true(t.fits && t.is_exact);
    assert_true(t.scale == 1);
    assert_ok(snTransfer_Copy(&arena, &t, &a.clip, &clip, &moved, &why), why);
    assert_int_equal(moved, FIGURE_NODES - 1);
    assert_int_equal(clip.info.channel_count, a.clip.info.channel_count);
    for (int32_t i = 0; i < clip.info.channel_count; ++i) {
        const snRigChannel *x = &clip.channels[i], *y = &a.channels[i];
        assert_int_equal(x->node, y->node);
        assert_int_equal(x->path, y->path);
        assert_memory_equal(x->times, y->times, FIGURE_KEYS * sizeof(float));
        size_t numbers = FIGURE_KEYS * (size_t)y->width;
        assert_memory_equal(x->values, y->values, numbers * sizeof(float));
    }
    freeFigure(&a);
    freeFigure(&b);
    snArena_Free(&arena);
}

// The whole pose is the other one's, larger; the rig was saved in another pose, its root frame is
// turned, and one node does not move in the clip.
static void posesAreTheSame(void** state)
{
    (void)state;
    Figure a, b;
    snArena arena;
    snMessage why;
    snRigClipData clip;
    int32_t moved;
    snMatrix theirs[FIGURE_NODES], ours[FIGURE_NODES];
    snArena_Init(&arena, NULL);
    makeFigure(&a, (FigureDef){.axes = 3, .size = 1, .arms = 1.2});
    makeFigure(&b, (FigureDef){.axes = 3, .size = 100, .facing = 0.9});
    moveFigure(&a);
    b.nodes[0].name = "Other";
    a.channels[3] = a.channels[a.clip.info.channel_count - 1];
    --a.clip.info.channel_count; // the last comes earlier, node 3 keeps its own pose
    snTransfer t = find(&arena, &a, &b);
    assert_true(t.fits && !t.is_exact);
    assert_close(t.scale, 100, 1e-9);
    assert_ok(snTransfer_Copy(&arena, &t, &a.clip, &clip, &moved, &why), why);
    a.channels[3] = (snRigChannel){2, sn_pathScale, sn_interpolateLinear,    1,
                                   3, a.times,      (const float[]){1, 1, 1}};
    for (int32_t k = 0; k < FIGURE_KEYS; k += 5) {
        double time = k / FIGURE_RATE;
        snRigClipData_World(&a.rig, &a.clip, time, theirs, NULL);
        snRigClipData_World(&b.rig, &clip, time, ours, NULL);
        for (int32_t n = 1; n < FIGURE_NODES - 1; ++n) {
            snVec3 p = snScale(100, theirs[n].p);
            assert_below(snLength(snSub(p, ours[n].p)), 100 * near);
            assert_below(snLength(snSub(theirs[n].y, ours[n].y)), near);
        }
    }
    freeFigure(&a);
    freeFigure(&b);
    snArena_Free(&arena);
}

static void otherAxesDoNotFit(void** state)
{
    (void)state;
    Figure a, b;
    snArena arena;
    snArena_Init(&arena, NULL);
    makeFigure(&a, (FigureDef){.axes = 3, .size = 1});
    makeFigure(&b, (FigureDef){.axes = 4, .size = 1});
    assert_false(find(&arena, &a, &b).fits);
    makeFigure(&b, (FigureDef){.school = 1, .axes = 3, .size = 1});
    snTransfer t = find(&arena, &a, &b);
    assert_false(t.fits);
    assert_int_equal(t.count, 0);
    freeFigure(&a);
    freeFigure(&b);
    snArena_Free(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(copiesAreExact),
        cmocka_unit_test(posesAreTheSame),
        cmocka_unit_test(otherAxesDoNotFit),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
