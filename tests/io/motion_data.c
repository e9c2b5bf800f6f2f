// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0
// label: full

// Real characters with motions of other files: an FBX walk on the woman it was made for, and
// recordings on a frog and on Cesium Man, in whose names there is no forearm. What is measured is
// what one sees: soles of the skinned mesh, against the ground.

#include <math.h>

#include "rig/lbs.h"
#include "rig/names.h"
#include "rig/pose.h"
#include "rig/shared.h"

#define MOCAP SN_SHARED_DATA "/mocap"

// m for a person of 1.7 m: what shoes do between heel and toe, and skin about an ankle
#define MOST_SUNK 0.04
#define MOST_FLOATING 0.03 // of the lower foot while somebody walks
#define MOST_SLIDE \
    0.15           // m/s of the lowest point of a sole that is down, in the middle of all
                   // frames: feet that swing low are among them
#define DOWN 0.012 // m above the lowest that it ever is: a sole is down

typedef struct Show {
    const char *hero, *motion;
    bool copied; // as it is
    bool runs;   // there are times without a foot on the ground
} Show;

typedef struct Soles {
    const snRig* rig;
    const snRigMotion* clip;
    uint8_t** sides; // of each instance's vertices: 1 left, 2 right foot, else 0
    float* now[2];   // of all instances
    snMatrix *nodes, *joints;
    int32_t vertices;
} Soles;

// Vertices whose main joint is a foot or its toes, or hangs on one
static void findSides(Soles* s)
{
    const snRig* rig = s->rig;
    size_t nodes = (size_t)rig->info.node_count;
    const char** names = calloc(nodes, sizeof *names);
    int32_t* parents = calloc(nodes, sizeof *parents);
    int32_t* roles = calloc(nodes, sizeof *roles);
    for (size_t n = 0; n < nodes; ++n) {
        names[n] = rig->nodes[n].is_joint ? rig->nodes[n].name : "";
        parents[n] = rig->nodes[n].parent;
    }
    snRoles_Find(names, parents, (int32_t)nodes, roles);
    s->sides = calloc((size_t)rig->info.mesh_count, sizeof *s->sides);
    for (int32_t i = 0; i < rig->info.mesh_count; ++i) {
        const snRigInstance* m = &rig->instances[i];
        s->sides[i] = calloc((size_t)m->info.vertex_count, 1);
        for (int32_t v = 0; v < m->info.vertex_count && m->info.skin >= 0; ++v) {
            int32_t best = m->shape->first[v];
            for (int32_t k = best; k < m->shape->first[v + 1]; ++k) {
                best = m->shape->weight[k] > m->shape->weight[best] ? k : best;
            }
            int32_t n = rig->skins[m->info.skin].joints[m->shape->joint[best]];
            while (n >= 0 && snRole_Part(roles[n]) != sn_partFoot) {
                n = parents[n];
            }
            s->sides[i][v] = (uint8_t)(n < 0 ? 0 : 1 + roles[n] % 2);
        }
        s->vertices += m->info.vertex_count;
    }
    free(names);
    free(parents);
    free(roles);
}

static void skin(const Soles* s, double time, float* out)
{
    snRigMotion_World(s->rig, s->clip, time, s->nodes, NULL);
    for (int32_t i = 0; i < s->rig->info.mesh_count; ++i) {
        const snRigInstance* m = &s->rig->instances[i];
        snLbs_Skin(s->rig, m, s->nodes, NULL, s->joints, out, NULL);
        out += 3 * (size_t)m->info.vertex_count;
    }
}

// The lowest vertex of a side
static size_t lowest(const Soles* s, const float* at, int side)
{
    size_t best = 0, v = 0;
    double low = (double)INFINITY;
    for (int32_t i = 0; i < s->rig->info.mesh_count; ++i) {
        for (int32_t k = 0; k < s->rig->instances[i].info.vertex_count; ++k, ++v) {
            if (s->sides[i][k] == side + 1 && (double)at[3 * v + 1] < low) {
                low = (double)at[3 * v + 1];
                best = v;
            }
        }
    }
    assert_true(isfinite(low));
    return best;
}

static int rising(const void* a, const void* b)
{
    double x = *(const double*)a, y = *(const double*)b;
    return (x > y) - (x < y);
}

static void measure(const snRig* rig, const snRigMotion* clip, const Show* show)
{
    const double RATE = 30;
    Soles s = {.rig = rig, .clip = clip};
    findSides(&s);
    int32_t frames = (int32_t)(clip->info.duration * RATE), slides = 0;
    s.nodes = calloc((size_t)rig->info.node_count, sizeof *s.nodes);
    s.joints = calloc((size_t)rig->info.node_count, sizeof *s.joints);
    s.now[0] = calloc(3 * (size_t)s.vertices, sizeof(float));
    s.now[1] = calloc(3 * (size_t)s.vertices, sizeof(float));
    double* slide = calloc(2 * (size_t)frames + 2, sizeof *slide);
    double sunk = 0, floating = 0, unit = rig->info.unit;
    for (int32_t f = 0; f < frames; ++f) {
        double time = clip->info.first + f / RATE, both = (double)INFINITY;
        skin(&s, time, s.now[0]);
        skin(&s, time + 1 / RATE, s.now[1]);
        for (int side = 0; side < 2; ++side) {
            size_t v = lowest(&s, s.now[0], side);
            const float *a = s.now[0] + 3 * v, *b = s.now[1] + 3 * v;
            double height = unit * (double)a[1];
            both = fmin(both, height);
            if (height < DOWN && unit * (double)b[1] < DOWN) {
                slide[slides++] = RATE * unit * hypot((double)(b[0] - a[0]), (double)(b[2] - a[2]));
            }
        }
        sunk = fmax(sunk, -both);
        floating = fmax(floating, both);
    }
    qsort(slide, (size_t)slides, sizeof *slide, rising);
    print_message("  soles: at most %.0f mm below the ground, the lower one %.0f mm above it; down "
                  "in %d of %d; slide %.2f m/s in the middle\n",
                  1e3 * sunk, 1e3 * floating, (int)slides, 2 * (int)frames,
                  slides ? slide[slides / 2] : 0);
    assert_below(sunk, MOST_SUNK);
    assert_below(10, slides);
    assert_below(slide[slides / 2], MOST_SLIDE);
    if (!show->runs) {
        assert_below(floating, MOST_FLOATING);
    }
    for (int32_t i = 0; i < rig->info.mesh_count; ++i) {
        free(s.sides[i]);
    }
    free(s.sides);
    free(s.nodes);
    free(s.joints);
    free(s.now[0]);
    free(s.now[1]);
    free(slide);
}

static void play(const Show* show)
{
    char path[1024], motion[1024];
    snMessage why;
    snMotionReport r;
    snRig* rig;
    snprintf(path, sizeof path, "%s/%s", RIGS, show->hero);
    snprintf(motion, sizeof motion, SN_SHARED_DATA "/%s", show->motion);
    snStatus status = snRig_Load(NULL, path, &rig, &why);
    if (status == sn_errorUnsupported) {
        printf("SKIP: %s: %s\n", show->hero, why.text);
        return;
    }
    assert_ok(status, why);
    assert_ok(snRig_AddMotion(rig, motion, NULL, &r, &why), why);
    const snRigMotion* clip = &rig->clips[r.clip];
    print_message(
        "%s, %s: %d joints%s, %d stances, height %.1f -> %.1f mm, slide %.1f -> %.1f mm\n",
        show->hero, clip->info.name, (int)r.joint_count, r.copied ? ", copied" : "", (int)r.stances,
        1e3 * r.height_before, 1e3 * r.height_after, 1e3 * r.slide_before, 1e3 * r.slide_after);
    assert_int_equal(r.copied, show->copied);
    assert_int_equal(r.motion_only, 1);
    assert_below(19, r.joint_count);
    assert_below(1, clip->info.duration);
    measure(rig, clip, show);
    snRig_Release(rig);
}

static void test_characters(void** state)
{
    (void)state;
    static const Show SHOWS[] = {
        {"Female_Adult_01.fbx", "rigs/f_walk_neutral.max.fbx", .copied = true},
        {"Female_Adult_01.fbx", "mocap/cmu_02_01.bvh", .copied = false},
        {"100Avatars_010_Froggy.vrm", "mocap/cmu_60_12.bvh", .copied = false},
        {"100Avatars_010_Froggy.vrm", "mocap/cmu_02_01.bvh", .copied = false},
        {"100Avatars_010_Froggy.vrm", "rigs/f_walk_neutral.max.fbx", .copied = false},
        {"CesiumMan.glb", "mocap/cmu_60_12.bvh", .copied = false},
        {"CesiumMan.glb", "mocap/cmu_02_03.bvh", .runs = true},
        {"CesiumMan.dae", "mocap/cmu_02_01.bvh", .copied = false},
    };
    for (size_t i = 0; i < sizeof SHOWS / sizeof *SHOWS; ++i) {
        play(&SHOWS[i]);
    }
}

// A clip of one pose is said to be one; a snake has no legs.
static void test_refusals(void** state)
{
    (void)state;
    static const char* const CASES[][3] = {
        {"100Avatars_010_Froggy.vrm", "/rigs/Female_Adult_01.fbx", "it is one pose"},
        {"snake-animations.glb", "/mocap/cmu_02_01.bvh", "too few joints fit"},
        {"CesiumMan.glb", "/rigs/100Avatars_010_Froggy.vrm", "no clips"},
    };
    for (size_t i = 0; i < sizeof CASES / sizeof *CASES; ++i) {
        char path[1024], motion[1024];
        snMessage why;
        snRig* rig;
        snprintf(path, sizeof path, "%s/%s", RIGS, CASES[i][0]);
        snprintf(motion, sizeof motion, SN_SHARED_DATA "%s", CASES[i][1]);
        assert_ok(snRig_Load(NULL, path, &rig, &why), why);
        snStatus status = snRig_AddMotion(rig, motion, NULL, NULL, &why);
        if (status == sn_errorUnsupported) {
            printf("SKIP: %s\n", why.text);
        } else if (status != sn_errorArgument || !strstr(why.text, CASES[i][2])) {
            fail_msg("no '%s' in: %s", CASES[i][2], why.text);
        }
        print_message("%s\n", why.text);
        snRig_Release(rig);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_characters),
        cmocka_unit_test(test_refusals),
    };
    return haveRigs() ? cmocka_run_group_tests(tests, NULL, NULL) : SKIPPED;
}
