// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0
// label: quick

// The tables that a step reads say the same as the mesh, the binding and the embedding.
#include "flesh/tables.h"

#include "flesh/bodies.h"
#include "flesh/rod.h"

#define FLOAT 1e-6 // a few roundings to float, relative

// Mass and its first moment: what left the flesh went to the bones.
static void massesAddUp(void** state)
{
    (void)state;
    Case c;
    setUp(&c, wormField, 262, snMakeWorm, 714);
    build(&c);
    const snFlesh* f = &c.flesh;
    double mass = f->skeleton->mass, moment = 0, expected = 0;
    const snRod* rods = snRods_Place(&c.arena, c.skeleton);
    for (int32_t b = 0; b < c.skeleton->bone_count; ++b) {
        const snMass* now = &f->skeleton->defs[b].mass;
        const snMass* own = &c.skeleton->defs[b].mass;
        moment += now->mass * (snMatVec(rods[b].R, now->com).z + rods[b].from.z);
        expected += 0.1 * own->mass * (snMatVec(rods[b].R, own->com).z + rods[b].from.z);
        assert_true(now->mass > 0.1 * own->mass);
    }
    for (int32_t i = 0; i < f->tets.node_count; ++i) {
        bool free = f->binding.fixed[i] < 0;
        assert_relative((double)f->node_mass[i], f->mass[i], FLOAT, 0);
        assert_close((double)f->inverse_mass[i] * f->mass[i], free ? 1 : 0, FLOAT);
        mass += free ? f->mass[i] : 0;
        moment += free ? f->mass[i] * f->tets.position[i].z : 0;
        expected += f->mass[i] * f->tets.position[i].z;
    }
    assert_relative(mass, massOf(f) + 0.1 * c.skeleton->mass, 1e-12, 0);
    assert_close(moment, expected, 1e-12 * mass);
    drop(&c);
}

static void fixedNodesStayWhereTheyAre(void** state)
{
    (void)state;
    Case c;
    setUp(&c, starField, 500, snMakeStarfish, 1500);
    build(&c);
    const snFlesh* f = &c.flesh;
    const snRod* rods = snRods_Place(&c.arena, c.skeleton);
    int32_t bones = c.skeleton->bone_count;
    assert_int_equal(f->fixed_begin[bones], f->binding.fixed_count);
    for (int32_t b = 0; b < bones; ++b) {
        assert_true(f->fixed_begin[b + 1] > f->fixed_begin[b]);
        for (int32_t n = f->fixed_begin[b]; n < f->fixed_begin[b + 1]; ++n) {
            const snFixedNode* at = &f->fixed[n];
            snVec3 p = snAdd(rods[b].from, snMatVec(rods[b].R, at->place));
            assert_int_equal(f->binding.fixed[at->node], b);
            assert_true(n == f->fixed_begin[b] || at[-1].node < at->node);
            assert_below(snLength(snSub(p, f->tets.position[at->node])), 1e-12);
        }
    }
    drop(&c);
}

// Weights sum to 1, the nearest bone has the most, and the lists by block are the same numbers.
static void dampersShareNodes(void** state)
{
    (void)state;
    Case c;
    setUp(&c, starField, 500, snMakeStarfish, 1500);
    build(&c);
    const snFlesh* f = &c.flesh;
    int32_t shared = 0, listed = 0, bones = c.skeleton->bone_count;
    for (int32_t i = 0; i < f->tets.node_count; ++i) {
        const snDamper* d = &f->dampers[i];
        double sum = 0;
        assert_int_equal(d->bone[0], f->binding.bone[i]);
        for (int k = 0; k < 4; ++k) {
            assert_true(d->weight[k] >= 0 && d->weight[k] <= d->weight[0]);
            assert_true(d->bone[k] >= 0 && d->bone[k] < bones);
            sum += (double)d->weight[k];
            listed += f->binding.fixed[i] < 0 && d->weight[k] > 0;
        }
        assert_close(sum, 1, FLOAT);
        shared += d->weight[1] > 0;
        assert_close((double)f->damping[i], f->binding.fixed[i] < 0 ? c.def.material.damping : 0,
                     1e-5);
    }
    print_message("%d of %d nodes have several bones\n", (int)shared, (int)f->tets.node_count);
    assert_in_range(shared, 10, f->tets.node_count);
    int32_t blocks = (f->tets.node_count + SN_LANES - 1) / SN_LANES;
    assert_int_equal(f->share_begin[0], 0);
    for (int32_t b = 0; b < blocks; ++b) {
        for (int32_t n = f->share_begin[b]; n < f->share_begin[b + 1]; ++n) {
            const snShare* at = &f->shares[n];
            assert_true(n == f->share_begin[b] || at[-1].bone < at->bone);
            for (int i = 0; i < SN_LANES; ++i) {
                assert_true((at->lanes >> i & 1) == (at->weight[i] > 0));
                if (at->weight[i] == 0) {
                    continue;
                }
                int32_t node = b * SN_LANES + i;
                const snDamper* d = &f->dampers[node];
                int found = 0;
                for (int k = 0; k < 4; ++k) {
                    found += d->bone[k] == at->bone && d->weight[k] == at->weight[i];
                }
                assert_true(found == 1 && f->binding.fixed[node] < 0);
                --listed;
            }
        }
    }
    assert_int_equal(listed, 0);
    drop(&c);
}

// Points lie where their ties say, and stand for all of the surface.
static void pointsShareTheSurface(void** state)
{
    (void)state;
    Case c;
    setUp(&c, wormField, 262, snMakeWorm, 714);
    build(&c);
    const snFlesh* f = &c.flesh;
    double area = 0, whole = 0;
    assert_int_equal(f->vertex_count, c.surface.vertex_count);
    assert_true(f->point_count >= f->vertex_count);
    for (int32_t i = 0; i < f->point_count; ++i) {
        snVec3 y = snV3(0, 0, 0);
        double sum = 0;
        for (int k = 0; k < 4; ++k) {
            double w = (double)f->ties[i].weight[k];
            y = snMulAdd(y, w, f->tets.position[f->ties[i].node[k]]);
            sum += w;
        }
        assert_close(sum, 1, FLOAT);
        assert_true(i >= f->vertex_count || snLength(snSub(y, c.surface.position[i])) < FLOAT);
        assert_true(f->point_area[i] > 0);
        area += (double)f->point_area[i];
    }
    for (int32_t t = 0; t < c.surface.triangle_count; ++t) {
        const int32_t* v = c.surface.triangle + 3 * (size_t)t;
        whole += 0.5 * snLength(snTriangleCross(c.surface.position[v[0]], c.surface.position[v[1]],
                                                c.surface.position[v[2]]));
    }
    assert_relative(area, whole, 1e-5, 0);
    drop(&c);
}

// Flesh without bones: nothing is fixed or damped by bones.
static void jellyHasNoBones(void** state)
{
    (void)state;
    Case c;
    setUp(&c, wormField, 262, makeNoBones, 500);
    build(&c);
    const snFlesh* f = &c.flesh;
    assert_int_equal(f->skeleton->bone_count, 0);
    assert_int_equal(f->binding.fixed_count, 0);
    assert_int_equal(f->fixed_begin[0], 0);
    for (int32_t i = 0; i < f->tets.node_count; ++i) {
        const snShare* share = &f->shares[i / SN_LANES]; // in whatever carries the whole
        assert_true(share->bone == 0 && share->weight[i % SN_LANES] == 1);
        assert_int_equal(f->binding.bone[i], -1);
        assert_true(f->inverse_mass[i] > 0 && f->damping[i] > 0);
        for (int k = 0; k < 4; ++k) {
            assert_true(f->dampers[i].weight[k] == 0);
        }
    }
    drop(&c);
}

// Half of a worm three times as dense, and within it a ball of something else.
static void regionsDiffer(void** state)
{
    (void)state;
    Case c;
    setUp(&c, wormField, 262, makeNoBones, 3000);
    snRegionDef regions[2] = {
        {{0, 0, 1}, {0, 0, 10}, 1, {3000, 60e3, 0.3, 12}},
        {{0, 0, 0.25}, {0, 0, 0.25}, 0.05, {500, 1e3, 0.45, 30}},
    };
    c.def.material.damping = 6;
    c.def.regions = regions;
    c.def.region_count = 2;
    build(&c);
    double ball = 4.0 / 3 * SN_PI * 0.05 * 0.05 * 0.05, half = 0.5 * volumeOf(&c.surface);
    double expected = 1000 * half + 3000 * (half - ball) + 500 * ball;
    print_message("mass %.3f kg, expected %.3f\n", massOf(&c.flesh), expected);
    // cells belong to a region as a whole: the borders are off by a fraction of a cell, of 0.04 m
    assert_relative(massOf(&c.flesh), expected, 0.03, 0);
    assert_true(c.flesh.cells->node_averaged);
    for (int32_t i = 0; i < c.flesh.tets.node_count; ++i) {
        snVec3 p = c.flesh.tets.position[i];
        double d = (double)c.flesh.damping[i];
        double in_ball = snLength(snSub(p, snV3(0, 0, 0.25)));
        if (p.z < -0.05) {
            assert_close(d, 6, 1e-5);
        } else if (p.z > 0.05 && in_ball > 0.1) {
            assert_close(d, 12, 1e-5);
        }
        assert_true(d >= 5.99 && d <= 30.01);
        assert_true(in_ball > 0.01 || d > 25);
    }
    assert_ptr_equal(snFleshDef_MaterialAt(&c.def, snV3(0, 0, 0.26)), &regions[1].material);
    assert_ptr_equal(snFleshDef_MaterialAt(&c.def, snV3(0, 0, 0.4)), &regions[0].material);
    assert_ptr_equal(snFleshDef_MaterialAt(&c.def, snV3(0, 0, -0.4)), &c.def.material);
    drop(&c);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(massesAddUp),       cmocka_unit_test(fixedNodesStayWhereTheyAre),
        cmocka_unit_test(dampersShareNodes), cmocka_unit_test(pointsShareTheSurface),
        cmocka_unit_test(jellyHasNoBones),   cmocka_unit_test(regionsDiffer),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
