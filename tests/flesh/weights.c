// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0
// label: quick

// Weights of the skin diffuse into the cells: a ramp stays a ramp, legs that share lattice cells
// do not mix, one joint stays one joint, and weights sum up to 1.

#include "check.h"

#include "flesh/weights.h"

#include "flesh/legs.h"
#include "geom/bcc.h"

#define JOINTS 12

static const double ramp_tolerance = 0.02;
static const double block_tolerance = 0.02; // cells beyond the skin count as full here, and pull

typedef struct Skin {
    snInfluences skin;
    snEmbedding embedding;
    int32_t *first, *joint;
    float* weight;
} Skin;

// Up to `most` influences a vertex
static Skin newSkin(Made* m, const snSurface* surface, int most)
{
    size_t count = (size_t)surface->vertex_count;
    Skin s = {.first = snArena_Push(&m->arena, count + 1, sizeof(int32_t)),
              .joint = snArena_Push(&m->arena, count * (size_t)most, sizeof(int32_t)),
              .weight = snArena_Push(&m->arena, count * (size_t)most, sizeof(float)),
              .embedding = m->flesh.embedding};
    s.skin = (snInfluences){surface->vertex_count, JOINTS, s.first, s.joint, s.weight};
    return s;
}

static void influence(Skin* s, int32_t vertex, int32_t joint, double weight)
{
    s->first[vertex + 1] =
        s->first[vertex + 1] > s->first[vertex] ? s->first[vertex + 1] : s->first[vertex];
    if (weight > 0) {
        s->joint[s->first[vertex + 1]] = joint;
        s->weight[s->first[vertex + 1]++] = (float)weight;
    }
}

static double weightOf(const snNodeWeights* node, int32_t joint)
{
    double sum = 0;
    for (int k = 0; k < SN_WEIGHTS_MOST; ++k) {
        sum += node->joint[k] == joint ? (double)node->weight[k] : 0;
    }
    return sum;
}

// Sums, order, what unused places hold
static snNodeWeights* diffuse(Made* m, const Skin* s, snWeightsFacts* facts)
{
    snNodeWeights* out;
    snMessage why;
    assert_ok(snWeights_Diffuse(&m->arena, &m->flesh.tets, m->flesh.fill, &s->embedding, &s->skin,
                                &out, facts, &why),
              why);
    for (int32_t i = 0; i < m->flesh.tets.node_count; ++i) {
        double sum = 0;
        for (int k = 0; k < SN_WEIGHTS_MOST; ++k) {
            sum += (double)out[i].weight[k];
            assert_int_equal(out[i].joint[k] < 0, out[i].weight[k] == 0);
            assert_true(k == 0 || out[i].weight[k] <= out[i].weight[k - 1]);
        }
        assert_close(sum, 1, 1e-6);
    }
    return out;
}

static double rampAt(double y)
{
    return fmin(fmax((y - 0.2) / 0.6, 0), 1);
}

// A bar along y, joint 3 below, joint 7 above, a ramp from 0.2 to 0.8 of its height.
static void test_ramp(void** state)
{
    (void)state;
    snArena arena;
    snArena_Init(&arena, NULL);
    snSurface bar = makePrism(&arena, 16, 40, snV3(0, 0, 0), 0.15, 1);
    Made m;
    make(&m, &bar, 0.06, snV3(0.2, 0.1, 0));
    Skin s = newSkin(&m, &bar, 2);
    for (int32_t v = 0; v < bar.vertex_count; ++v) {
        double w = rampAt(bar.position[v].y);
        influence(&s, v, 3, 1 - w);
        influence(&s, v, 7, w);
    }
    snWeightsFacts facts;
    snNodeWeights* out = diffuse(&m, &s, &facts);
    double worst = 0, worst_node = 0, worst_out = 0;
    for (int32_t i = 0; i < m.flesh.tets.node_count; ++i) {
        snVec3 p = m.flesh.tets.position[i];
        double miss = fabs(weightOf(&out[i], 7) - rampAt(p.y));
        bool is_inside = p.x * p.x + p.z * p.z < 0.15 * 0.15;
        // in its kinks a harmonic ramp is round: by a cell, and by the bar's width inside
        if (p.y > 0.32 && p.y < 0.68) {
            worst_node = fmax(worst_node, is_inside ? miss : 0);
            worst_out = fmax(worst_out, miss);
        }
        assert_below(miss, 0.1);
        // far from the ramp there is one joint
        if (p.y < 0 || p.y > 1) {
            assert_true(out[i].weight[0] == 1 && out[i].joint[0] == (p.y < 0 ? 3 : 7));
        }
    }
    for (int32_t v = 0; v < bar.vertex_count; ++v) {
        double sum = 0;
        for (size_t k = 0; k < 4; ++k) {
            int32_t n = m.flesh.tets.tet[4 * (size_t)m.flesh.embedding.cell[v] + k];
            sum += m.flesh.embedding.weight[v][k] * weightOf(&out[n], 7);
        }
        worst = fmax(worst, fabs(sum - rampAt(bar.position[v].y)));
    }
    printf("ramp: %.4f at the skin, %.4f in nodes inside, %.4f in nodes outside; %d nodes, %d "
           "iterations\n",
           worst, worst_node, worst_out, (int)m.flesh.tets.node_count, (int)facts.iterations);
    assert_below(worst, 1.5 * ramp_tolerance); // in its kinks, a cell being a tenth of it
    assert_below(worst_node, ramp_tolerance);
    assert_below(worst_out, 2.5 * ramp_tolerance); // in cells that hold hardly any body
    assert_int_equal(facts.joints, 2);
    assert_int_equal(facts.bare, 0);
    snArena_Free(&m.arena);
    snArena_Free(&arena);
}

// Deep inside a block, twelve cells wide, only the solver knows of the skin: a ramp on all six
// faces goes straight through.
static void test_block(void** state)
{
    (void)state;
    enum { POINTS = 4000 };
    snArena arena;
    snArena_Init(&arena, NULL);
    snMessage why;
    snBcc lattice;
    snTets tets;
    snEmbedding embedding;
    snBox box = {{0, 0, 0}, {1, 1, 1}};
    assert_ok(snBcc_Cover(box, 1 / 12.0, snV3(0, 0, 0), &lattice, &why), why);
    int64_t count = snBcc_TetCount(&lattice), node[4];
    uint8_t* keep = snArena_Push(&arena, (size_t)count, 1);
    for (int64_t i = 0; i < count; ++i) {
        keep[i] = snBcc_Tet(&lattice, i, node);
    }
    assert_ok(snBcc_Extract(&arena, &lattice, keep, &tets, NULL, &why), why);
    snRandom random = snRandom_Seed(3);
    static snVec3 points[POINTS];
    static int32_t first[POINTS + 1], joint[2 * POINTS];
    static float weight[2 * POINTS];
    for (int v = 0; v < POINTS; ++v) {
        double x[3];
        for (int k = 0; k < 3; ++k) {
            x[k] = k == v % 3 ? v / 3 % 2 : snRandom_Unit(&random);
        }
        points[v] = snV3(x[0], x[1], x[2]);
        first[v + 1] = 2 * v + 2;
        joint[2 * v + 1] = 1;
        weight[2 * v] = (float)(1 - x[1]), weight[2 * v + 1] = (float)x[1];
    }
    assert_ok(snEmbed_Points(&arena, &tets, points, POINTS, &embedding, &why), why);
    snInfluences skin = {POINTS, 2, first, joint, weight};
    snNodeWeights* out;
    assert_ok(snWeights_Diffuse(&arena, &tets, NULL, &embedding, &skin, &out, NULL, &why), why);
    double worst = 0;
    for (int32_t i = 0; i < tets.node_count; ++i) {
        snVec3 p = tets.position[i], to = snMin3(p, snSub(snV3(1, 1, 1), p));
        bool deep = fmin(fmin(to.x, to.y), to.z) > 0.15;
        worst = fmax(worst, deep ? fabs(weightOf(&out[i], 1) - p.y) : 0);
    }
    printf("block: %.1e\n", worst);
    assert_below(worst, block_tolerance);
    snArena_Free(&arena);
}

// Two legs closer than a cell: cells are there twice, and joints of the one, also where they blend,
// reach no node of the other. Joints 4 and 5 are in nobody's list.
static void test_legs(void** state)
{
    (void)state;
    for (int c = 0; c < 3; ++c) {
        snArena arena;
        snArena_Init(&arena, NULL);
        snSurface legs = makeLegs(&arena, 12, 0.12, 0.15 * CELLS[c], 0);
        Made m;
        make(&m, &legs, CELLS[c], snV3(0.1, 0.2, 0.3));
        Skin s = newSkin(&m, &legs, 2);
        int32_t* part = partsBelow(&m, 9);
        int32_t left = -1, right = -1;
        for (int32_t v = 0; v < legs.vertex_count; ++v) {
            snVec3 p = legs.position[v];
            double w = fmin(fmax(2 * p.y - 0.5, 0), 1);
            int32_t node = m.flesh.tets.tet[4 * (ptrdiff_t)m.flesh.embedding.cell[v]];
            int32_t* side = p.x > 0 ? &left : &right;
            influence(&s, v, p.x > 0 ? 0 : 2, 1 - w);
            influence(&s, v, p.x > 0 ? 1 : 3, w);
            assert_true(*side < 0 || *side == snParts_Find(part, node));
            *side = snParts_Find(part, node);
        }
        assert_true(left != right);
        snWeightsFacts facts;
        snNodeWeights* out = diffuse(&m, &s, &facts);
        for (int32_t i = 0; i < m.flesh.tets.node_count; ++i) {
            int32_t own = snParts_Find(part, i) == left ? 0 : 2;
            for (int k = 0; k < SN_WEIGHTS_MOST; ++k) {
                assert_true(out[i].joint[k] < 0 || out[i].joint[k] / 2 * 2 == own);
            }
        }
        assert_int_equal(facts.joints, 4);
        snArena_Free(&m.arena);
        snArena_Free(&arena);
    }
}

// A leg of one joint has it exactly; twelve joints on one place leave eight; a part without a
// vertex takes what is near it.
static void test_few_and_many(void** state)
{
    (void)state;
    snArena arena;
    snArena_Init(&arena, NULL);
    snSurface legs = makeLegs(&arena, 8, 0.12, 0.3, 0);
    Made m;
    make(&m, &legs, 0.1, snV3(0, 0, 0));
    Skin s = newSkin(&m, &legs, JOINTS);
    int32_t* part = partsBelow(&m, 9);
    for (int32_t v = 0; v < legs.vertex_count; ++v) {
        influence(&s, v, 6, legs.position[v].x > 0);
        for (int32_t j = 0; j < JOINTS && legs.position[v].x <= 0; ++j) {
            influence(&s, v, j, (1 + j) / 78.0);
        }
    }
    snWeightsFacts facts;
    snNodeWeights* out = diffuse(&m, &s, &facts);
    int32_t left = -1;
    for (int32_t i = 0; i < m.flesh.tets.node_count; ++i) {
        if (m.flesh.tets.position[i].x > 0.2) {
            left = snParts_Find(part, i);
        }
    }
    for (int32_t i = 0; i < m.flesh.tets.node_count; ++i) {
        if (snParts_Find(part, i) == left) {
            assert_true(out[i].joint[0] == 6 && out[i].weight[0] == 1);
        } else {
            // 12 + 11 + .. + 5 = 68 of 78 are kept
            assert_int_equal(out[i].joint[7], 4);
            assert_close((double)out[i].weight[0], 12 / 68.0, 1e-4);
        }
    }
    assert_close(facts.dropped, 10 / 78.0, 1e-4);
    // the right leg says nothing
    for (int32_t v = 0; v <= legs.vertex_count; ++v) {
        s.first[v] = 0;
    }
    for (int32_t v = 0; v < legs.vertex_count; ++v) {
        influence(&s, v, 6, legs.position[v].x > 0);
    }
    out = diffuse(&m, &s, &facts);
    assert_true(facts.bare > 0);
    for (int32_t i = 0; i < m.flesh.tets.node_count; ++i) {
        assert_true(out[i].joint[0] == 6 && out[i].weight[0] == 1);
    }
    for (int32_t v = 0; v <= legs.vertex_count; ++v) {
        s.first[v] = 0;
    }
    snMessage why;
    assert_int_equal(snWeights_Diffuse(&m.arena, &m.flesh.tets, m.flesh.fill, &s.embedding, &s.skin,
                                       &out, NULL, &why),
                     sn_errorArgument);
    snArena_Free(&m.arena);
    snArena_Free(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_ramp), cmocka_unit_test(test_block),
                                       cmocka_unit_test(test_legs),
                                       cmocka_unit_test(test_few_and_many)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
