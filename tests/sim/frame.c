// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0
// label: quick

// Surfaces in the host's own vertices: the frame's numbers, from another origin, and nothing
// between them.
#include "sim/flesh.h"

typedef struct Vertex {
    float position[3], colour, normal[3], texture[2];
} Vertex;

static void copiesAreStrided(void** state)
{
    (void)state;
    snMessage why;
    snSceneDef def;
    snStart start;
    snSceneDef_Init(&def);
    snStart_Init(&start);
    start.pose.p = (snVec3){5000.25, 1, -3};
    snScene* scene = makeSceneOf(NULL, &def, makeBlock((snVec3){0.2, 0.1, 0.1}, 100), &start);
    snSim* sim = startSim(scene);
    advance(sim, 0.1);
    const snFrameCharacter* c = &snSim_Frame(sim)->characters[0];
    const snFrameSurface* s = &c->surfaces[0];
    snVec3 from = {5000, 0, 0};
    Vertex* vertices = calloc((size_t)s->vertex_count, sizeof *vertices);
    for (int32_t i = 0; i < s->vertex_count; ++i) {
        vertices[i].colour = vertices[i].texture[0] = 7;
    }
    assert_ok(snFrameCharacter_Copy(c, 0, from, sizeof(Vertex), vertices->position,
                                    vertices->normal, &why),
              why);
    for (int32_t i = 0; i < s->vertex_count; ++i) {
        const Vertex* v = &vertices[i];
        for (int k = 0; k < 3; ++k) {
            double origin = k == 0 ? c->origin.x - 5000 : k == 1 ? c->origin.y : c->origin.z;
            assert_close((double)v->position[k], (double)s->position[3 * i + k] + origin, 1e-6);
            assert_true(v->normal[k] == s->normal[3 * i + k]);
        }
        assert_true(v->colour == 7 && v->texture[0] == 7 && v->texture[1] == 0);
    }
    assert_true(c->origin.x > 1000); // that the origin matters
    assert_ok(snFrameCharacter_Copy(c, 0, from, 12, NULL, NULL, &why), why);
    assert_refused(snFrameCharacter_Copy(c, 1, from, 12, NULL, NULL, &why), sn_errorArgument, why,
                   "no surface 1");
    assert_refused(snFrameCharacter_Copy(c, 0, from, 8, NULL, NULL, &why), sn_errorArgument, why,
                   "stride");
    free(vertices);
    snSim_Free(sim);
    snScene_Free(scene);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(copiesAreStrided)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
