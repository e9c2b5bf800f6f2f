// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0
// label: quick

// Differences before the skin: as one more morph target they put the surface where it was said to
// be; what did not move gets exactly none; flat places are counted and stay with their skin.

#include "rig/pullback.h"

#include "base/random.h"
#include "check.h"

#define VERTICES 60
#define JOINTS 3

// Floats of a few units, through matrices of condition below 10
static const double tolerance = 1e-5;

typedef struct Stage {
    snRig rig;
    snRigNode nodes[JOINTS + 1];
    snRigSkin skin;
    int32_t joints[JOINTS];
    snMatrix inverse[JOINTS], pose[JOINTS + 1], scratch[JOINTS];
    snRigShape shape;
    snRigInstance instance;
    float position[3 * VERTICES], normal[3 * VERTICES], morph[3 * VERTICES];
    int32_t first[VERTICES + 1], joint[2 * VERTICES];
    float weight[2 * VERTICES];
    snRigTarget targets[2]; // the file's, and what is found
    float found[3 * VERTICES], found_normal[3 * VERTICES];
} Stage;

static snVec3 draw(snRandom* r)
{
    return snV3(snRandom_Range(r, -1, 1), snRandom_Range(r, -1, 1), snRandom_Range(r, -1, 1));
}

static void set(float* v, size_t i, snVec3 x)
{
    v[3 * i] = (float)x.x, v[3 * i + 1] = (float)x.y, v[3 * i + 2] = (float)x.z;
}

// Joints of which one mirrors, others stretch
static snMatrix drawJoint(snRandom* r, int j)
{
    snVec3 scale = j == 1 ? snV3(-1, 1, 1.5) : snV3(0.7, 1, 1.3);
    return snMatrix_FromParts(draw(r), snQExp(snScale(0.3, draw(r))), scale);
}

static void openStage(Stage* s, snRandom* r)
{
    *s = (Stage){.rig.weights = NULL};
    snHost_Init(&s->rig.host);
    for (size_t v = 0; v < VERTICES; ++v) {
        set(s->position, v, draw(r));
        set(s->normal, v, snNormalize(draw(r)));
        set(s->morph, v, draw(r));
        s->first[v + 1] = s->first[v] + 1;
        s->joint[v] = (int32_t)v % JOINTS;
        s->weight[v] = 1;
    }
    for (int j = 0; j < JOINTS; ++j) {
        s->joints[j] = j;
        s->inverse[j] = drawJoint(r, 0);
        s->pose[j] = drawJoint(r, j);
    }
    s->pose[JOINTS] = drawJoint(r, 0);
    s->targets[0] = (snRigTarget){s->morph, s->morph};
    s->targets[1] = (snRigTarget){s->found, s->found_normal};
    s->skin = (snRigSkin){"", JOINTS, s->joints, s->inverse, true};
    s->shape = (snRigShape){.vertex_count = VERTICES,
                            .position = s->position,
                            .normal = s->normal,
                            .first = s->first,
                            .joint = s->joint,
                            .weight = s->weight,
                            .target_count = 2,
                            .targets = s->targets};
    s->instance =
        (snRigInstance){.info = {.node = JOINTS, .vertex_count = VERTICES}, .shape = &s->shape};
    s->nodes[JOINTS].weight_count = 2;
    s->rig.nodes = s->nodes;
    s->rig.skins = &s->skin;
}

static void test_round_trip(void** state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 10; ++seed) {
        Stage s;
        snRandom r = snRandom_Seed(seed);
        float x[3 * VERTICES], n[3 * VERTICES], y[3 * VERTICES], m[3 * VERTICES];
        openStage(&s, &r);
        s.instance.info.skin = seed % 2 == 0 ? 0 : -1;
        double weights[2] = {0.5, 0};
        snLbs_Skin(&s.rig, &s.instance, s.pose, weights, s.scratch, x, n);
        for (size_t v = 0; v < VERTICES; ++v) {
            snVec3 d = draw(&r), up = snNormalize(draw(&r));
            if (v % 4 != 0) {
                set(x, v,
                    snAdd(snV3((double)x[3 * v], (double)x[3 * v + 1], (double)x[3 * v + 2]), d));
                set(n, v, up);
            }
        }
        snPullback found = snPullback_Find(&s.rig, &s.instance, s.pose, weights, s.scratch, x, n,
                                           s.found, s.found_normal);
        assert_true(found.singular_count == 0 && found.singular_first == -1);
        weights[1] = 1;
        snLbs_Skin(&s.rig, &s.instance, s.pose, weights, s.scratch, y, m);
        for (size_t k = 0; k < 3 * (size_t)VERTICES; ++k) {
            assert_close((double)y[k], (double)x[k], tolerance);
            assert_close((double)m[k], (double)n[k], tolerance);
            assert_true(k / 3 % 4 != 0 || (s.found[k] == 0 && s.found_normal[k] == 0));
        }
    }
}

static void test_singular(void** state)
{
    (void)state;
    Stage s;
    snRandom r = snRandom_Seed(4);
    float x[3 * VERTICES] = {0};
    openStage(&s, &r);
    // joint 2 is flat, joint 1 nearly
    s.pose[2].x = snV3(0, 0, 0);
    s.pose[1] = snMatrix_FromParts(snV3(0, 0, 0), snQIdentity(), snV3(1, 1, 1e-4));
    snPullback found =
        snPullback_Find(&s.rig, &s.instance, s.pose, NULL, s.scratch, x, NULL, s.found, NULL);
    assert_int_equal(found.singular_count, 2 * VERTICES / JOINTS);
    assert_int_equal(found.singular_first, 1);
    for (size_t v = 0; v < VERTICES; ++v) {
        const float* d = s.found + 3 * v;
        assert_true((v % JOINTS == 0) == (d[0] != 0 || d[1] != 0 || d[2] != 0));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_round_trip),
                                       cmocka_unit_test(test_singular)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
