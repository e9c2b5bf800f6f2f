// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0
// label: full

// The built-in characters are what they promise: as large, as finely cut and as fast to step as
// Kim & Pollard's (2011, Tables III and IV), with clean surfaces and a sound cage.
#include "check.h"
#include "geom/parts.h"
#include "geom/surface.h"
#include "geom/tets.h"
#include "math/quat.h"

#include <scenes/scenes.h>

typedef struct Promise {
    const char* name;
    int32_t vertices, cells, nodes; // the paper's; of the bars, which it does not count, ours
    double step;                    // that the paper ran at in free fall, s
    double size;                    // twice the reach from the vertical through its middle, m
} Promise;

static const Promise PROMISES[] = {
    {"starfish_coarse", 1162, 200, 78, 3e-3, 1},
    {"starfish", 1162, 3428, 1113, 1e-3, 1},
    {"starfish_fine", 1162, 9014, 2412, 0.5e-3, 1},
    {"starfish_very_fine", 1162, 37573, 8905, 0.2e-3, 1},
    {"worm", 262, 714, 224, 1e-3, 1},
    {"fish", 958, 415, 107, 1e-3, 1},
    {"fish_firm", 958, 415, 107, 0.5e-3, 1},
    {"fatman", 34362, 8619, 2121, 0.5e-3, 1.83},
    {"fill_thick", 1400, 384, 113, 0.5e-3, 1.12},
    {"fill_medium", 1160, 294, 101, 0.5e-3, 1.12},
    {"fill_thin", 1000, 273, 101, 0.5e-3, 1.12},
};

enum {
    COARSE,
    MODERATE,
    FINE,
    VERY_FINE,
    WORM,
    FISH,
    FIRM_FISH,
    FATMAN,
    THICK,
    MEDIUM,
    THIN,
    COUNT
};

static snCharacter* made[COUNT];

static int makeAll(void** state)
{
    (void)state;
    for (int i = 0; i < COUNT; ++i) {
        snMessage why;
        const snBuiltinCharacter* b = snBuiltinCharacter_Find(PROMISES[i].name);
        if (!b || b->make(NULL, &made[i], &why)) {
            print_error("%s: %s\n", PROMISES[i].name, b ? why.text : "not there");
            return 1;
        }
    }
    return 0;
}

static int dropAll(void** state)
{
    (void)state;
    for (int i = 0; i < COUNT; ++i) {
        snCharacter_Release(made[i]);
    }
    return 0;
}

static snVec3 point(const double* x, int32_t i)
{
    return snV3(x[3 * i], x[3 * i + 1], x[3 * i + 2]);
}

static void testNames(void** state)
{
    (void)state;
    const snLibrary* l = snBuiltinLibrary();
    int count = 0;
    for (const snBuiltinCharacter* b = snBuiltinCharacters(); b->name; ++b, ++count) {
        assert_string_equal(b->name, PROMISES[count].name);
        assert_string_equal(b->name, l->character_names[count]);
        assert_string_equal(b->name, snCharacter_Name(made[count]));
        assert_true(strlen(b->about) > 0);
    }
    assert_int_equal(count, COUNT);
    assert_null(l->character_names[count]);
    assert_null(snBuiltinCharacter_Find("Worm"));
    snCharacter* c = NULL;
    snMessage why;
    assert_ok(l->find_character(l->user, NULL, "wurm", &c, &why), why);
    assert_null(c);
    assert_ok(l->find_character(l->user, NULL, "worm", &c, &why), why);
    assert_non_null(c);
    snCharacter_Release(c);
}

static void testCounts(void** state)
{
    (void)state;
    for (int i = 0; i < COUNT; ++i) {
        const Promise* p = &PROMISES[i];
        const snFleshInfo* f = snCharacter_Flesh(made[i]);
        print_message("%s: %d vertices (paper %d), %d cells (%d), %d nodes (%d), %d fixed, step "
                      "%.3g ms (%.3g), %.2f kg\n",
                      p->name, (int)f->vertex_count, (int)p->vertices, (int)f->cell_count,
                      (int)p->cells, (int)f->node_count, (int)p->nodes, (int)f->fixed_count,
                      1e3 * f->stable_step, 1e3 * p->step, f->total_mass);
        assert_relative(f->vertex_count, p->vertices, 0.05, 0);
        assert_relative(f->cell_count, p->cells, 0.15, 0);
        assert_true(f->stable_step >= p->step);
    }
}

// Every bone of some length holds flesh, and all flesh is connected.
static void testBinding(void** state)
{
    (void)state;
    for (int i = 0; i < COUNT; ++i) {
        const snFleshInfo* f = snCharacter_Flesh(made[i]);
        const snSkeleton* s = snCharacter_Skeleton(made[i]);
        for (int32_t b = 0; b < snSkeleton_BoneCount(s); ++b) {
            int held = 0;
            for (int32_t n = 0; n < f->node_count; ++n) {
                held += f->fixed[n] == b;
            }
            assert_true(held > 0);
        }
        int32_t* parts = malloc((size_t)f->node_count * sizeof *parts);
        snParts_Start(parts, f->node_count);
        for (int32_t e = 0; e < f->cell_count; ++e) {
            for (int k = 1; k < 4; ++k) {
                snParts_Join(parts, f->cells[4 * e], f->cells[4 * e + k]);
            }
        }
        for (int32_t n = 0; n < f->node_count; ++n) {
            assert_int_equal(snParts_Find(parts, n), 0);
        }
        free(parts);
    }
}

// A surface over the caller's arrays; free its positions.
static snSurface wrap(const double* x, int32_t vertices, int32_t* triangles, int32_t count)
{
    snSurface s = {vertices, count, malloc((size_t)vertices * sizeof(snVec3)), triangles};
    for (int32_t i = 0; i < vertices; ++i) {
        s.position[i] = point(x, i);
    }
    return s;
}

// One closed shell without handles, right side out.
static snSurfaceFacts checkBall(const snSurface* s)
{
    snSurfaceFacts facts;
    snMessage why;
    assert_ok(snSurface_Inspect(s, NULL, &facts, &why), why);
    assert_true(snSurfaceFacts_IsClosed(&facts));
    assert_int_equal(facts.shells, 1);
    assert_int_equal(
        s->vertex_count - facts.unreferenced_vertices - facts.edges + s->triangle_count, 2);
    assert_true(facts.volume > 0);
    return facts;
}

static void testSurfaces(void** state)
{
    (void)state;
    const double size_tolerance = 0.02;
    for (int i = 0; i < COUNT; ++i) {
        const snFleshInfo* f = snCharacter_Flesh(made[i]);
        size_t bytes = 3 * (size_t)f->triangle_count * sizeof(int32_t);
        int32_t* triangles = malloc(bytes);
        memcpy(triangles, f->triangles, bytes);
        snSurface s = wrap(f->vertices, f->vertex_count, triangles, f->triangle_count);
        snSurfaceFacts facts = checkBall(&s);
        assert_int_equal(facts.unreferenced_vertices, 0);
        // a share of the sampled cells lies between facets
        const double slack = 3 * f->volume_error + 1e-3;
        assert_relative(f->volume, facts.volume, slack, 0);
        if (i < THICK) { // water's density; the bars have heavy knobs
            assert_relative(f->flesh_mass, 1000 * facts.volume, slack, 0);
        }
        double reach = 0;
        for (int32_t v = 0; v < s.vertex_count; ++v) {
            reach = fmax(reach, snLength(snV3(s.position[v].x, 0, s.position[v].z)));
        }
        assert_relative(2 * reach, PROMISES[i].size, size_tolerance, 0);
        free(s.position);
        free(triangles);
    }
}

// The coarse cage --------------------------------------------------------------

static double cellVolume(const snFleshInfo* f, int32_t e, snVec3 x[4])
{
    for (int k = 0; k < 4; ++k) {
        x[k] = point(f->nodes, f->cells[4 * e + k]);
    }
    return snTetVolume(x[0], x[1], x[2], x[3]);
}

// All surface vertices lie in cells, on which they depend by weights that are not negative.
static void testCageHolds(void** state)
{
    (void)state;
    const double rounding = 1e-6; // weights are float
    const snFleshInfo* f = snCharacter_Flesh(made[COARSE]);
    assert_int_equal(f->node_count, 78);
    assert_int_equal(f->outside_count, 0);
    for (int32_t v = 0; v < f->vertex_count; ++v) {
        snVec3 y = snV3(0, 0, 0);
        for (int k = 0; k < 4; ++k) {
            double w = (double)f->vertex_weights[4 * v + k];
            assert_true(w > -rounding);
            y = snMulAdd(y, w, point(f->nodes, f->vertex_nodes[4 * v + k]));
        }
        assert_below(snLength(snSub(y, point(f->vertices, v))), rounding);
    }
}

static void testCageShape(void** state)
{
    (void)state;
    const snFleshInfo* f = snCharacter_Flesh(made[COARSE]);
    int32_t* faces = malloc(12 * (size_t)f->cell_count * sizeof(int32_t));
    int32_t* outer = malloc(12 * (size_t)f->cell_count * sizeof(int32_t));
    double sum = 0;
    for (int32_t e = 0; e < f->cell_count; ++e) {
        static const int FACE[12] = {1, 2, 3, 0, 3, 2, 0, 1, 3, 0, 2, 1}; // seen from outside
        snVec3 x[4];
        double volume = cellVolume(f, e, x), squares = 0;
        for (int k = 0; k < 6; ++k) {
            static const int EDGE[12] = {0, 1, 0, 2, 0, 3, 1, 2, 1, 3, 2, 3};
            squares += snLengthSq(snSub(x[EDGE[2 * k]], x[EDGE[2 * k + 1]]));
        }
        // mean ratio: 1 for the regular tet, 0 for a flat one
        assert_true(volume > 0 && 12 * cbrt(9 * volume * volume) / squares > 0.4);
        assert_true(f->fill[e] > 0);
        sum += volume;
        for (int k = 0; k < 12; ++k) {
            faces[12 * e + k] = f->cells[4 * e + FACE[k]];
        }
    }
    // faces without a partner are the hull
    int32_t count = 0;
    for (int32_t i = 0; i < 4 * f->cell_count; ++i) {
        int partners = 0;
        for (int32_t j = 0; j < 4 * f->cell_count; ++j) {
            const int32_t *a = faces + 3 * i, *b = faces + 3 * j;
            bool same = true;
            for (int k = 0; k < 3; ++k) {
                same = same && (a[k] == b[0] || a[k] == b[1] || a[k] == b[2]);
            }
            partners += i != j && same;
        }
        assert_true(partners < 2);
        if (partners == 0) {
            memcpy(outer + 3 * (size_t)count++, faces + 3 * (size_t)i, 3 * sizeof(int32_t));
        }
    }
    snSurface hull = wrap(f->nodes, f->node_count, outer, count);
    // cells neither overlap nor leave holes: they fill the hull
    assert_relative(checkBall(&hull).volume, sum, 1e-12, 0);
    free(hull.position);
    free(outer);
    free(faces);
}

static bool hasCell(const snFleshInfo* f, const int32_t node[4])
{
    for (int32_t e = 0; e < f->cell_count; ++e) {
        int found = 0;
        for (int k = 0; k < 16; ++k) {
            found += f->cells[4 * e + k / 4] == node[k % 4];
        }
        if (found == 4) {
            return true;
        }
    }
    return false;
}

// A fifth of a turn takes nodes to nodes, cells to cells, and fixed nodes to those of the next arm.
static void testCageSymmetry(void** state)
{
    (void)state;
    const snFleshInfo* f = snCharacter_Flesh(made[COARSE]);
    snQuat fifth = snQFromAxisAngle(snV3(0, 1, 0), 2 * SN_PI / 5);
    int32_t image[78];
    for (int32_t n = 0; n < f->node_count; ++n) {
        snVec3 turned = snQRotate(fifth, point(f->nodes, n));
        image[n] = -1;
        for (int32_t m = 0; m < f->node_count; ++m) {
            if (snLength(snSub(turned, point(f->nodes, m))) < 1e-12) {
                image[n] = m;
            }
        }
        assert_true(image[n] >= 0);
        int32_t bone = f->fixed[n];
        assert_int_equal(f->fixed[image[n]], bone > 0 ? 1 + (bone + 2) % 15 : bone);
    }
    for (int32_t e = 0; e < f->cell_count; ++e) {
        int32_t node[4];
        for (int k = 0; k < 4; ++k) {
            node[k] = image[f->cells[4 * e + k]];
        }
        assert_true(hasCell(f, node));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(testNames),        cmocka_unit_test(testCounts),
        cmocka_unit_test(testBinding),      cmocka_unit_test(testSurfaces),
        cmocka_unit_test(testCageHolds),    cmocka_unit_test(testCageShape),
        cmocka_unit_test(testCageSymmetry),
    };
    return cmocka_run_group_tests(tests, makeAll, dropAll);
}
