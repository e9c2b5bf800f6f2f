// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0
// label: quick

#include "sim/follow_surface.h"

#include "rig/lbs.h"
#include "sim/reed.h"

static const double rounding = 1e-6; // m, of floats of about 1 m, and of unit normals

typedef struct Shown {
    snTasks* tasks;
    snFollowSurface* surface;
    size_t count; // vertices
    float *position, *normal, *plain, *plain_normal;
} Shown;

static Shown show(const Reed* r, double time)
{
    snMessage why;
    Shown s = {.count = (size_t)r->made.rig.info.vertex_count};
    assert_ok(snTasks_Create(NULL, &s.tasks, &why), why);
    assert_ok(snFollowSurface_Create(NULL, &r->body, s.tasks, &s.surface, &why), why);
    snRigTrack_Pose(&r->track, time, s.surface->nodes, s.surface->weights);
    s.position = calloc(12 * s.count, sizeof(float));
    s.normal = s.position + 3 * s.count;
    s.plain = s.normal + 3 * s.count;
    s.plain_normal = s.plain + 3 * s.count;
    assert_ok(snRig_Skin(&r->made.rig, 0, s.surface->nodes, NULL, s.plain, s.plain_normal, &why),
              why);
    return s;
}

static void drop(Shown* s)
{
    snFollowSurface_Free(s->surface);
    snTasks_Free(s->tasks);
    free(s->position);
}

// A reed that moves, made once for all
static int openMoving(void** state)
{
    static Reed r;
    snBodyDef def;
    snBodyDef_Init(&def);
    def.softness = 4; // so that it bends
    openReed(&r);
    moveReed(&r, 0.4, 0.2);
    buildReed(&r, &def);
    *state = &r;
    return 0;
}

static int closeMoving(void** state)
{
    closeReed(*state);
    return 0;
}

// Flesh that did not move shows exactly the skinned bits.
static void test_still(void** state)
{
    const Reed* r = *state;
    Shown s = show(r, 0.3);
    snVec4f* u = calloc((size_t)r->body.tets.node_count, sizeof *u);
    float* deltas = calloc(6 * s.count, sizeof *deltas);
    snFollowSurface_Update(s.surface, u);
    snFollowSurface_Instance(s.surface, 0, s.position, s.normal);
    assert_memory_equal(s.position, s.plain, 3 * s.count * sizeof(float));
    assert_memory_equal(s.normal, s.plain_normal, 3 * s.count * sizeof(float));
    assert_int_equal(snFollowSurface_Deltas(s.surface, deltas, deltas + 3 * s.count), 0);
    for (size_t k = 0; k < 6 * s.count; ++k) {
        assert_true(deltas[k] == 0);
    }
    free(deltas);
    free(u);
    drop(&s);
}

static snVec3 at(const float* v, size_t i)
{
    return snV3((double)v[3 * i], (double)v[3 * i + 1], (double)v[3 * i + 2]);
}

// Area-weighted normals of what is shown
static void normalsOf(const snRigShape* shape, const float* position, snVec3* out)
{
    memset(out, 0, (size_t)shape->vertex_count * sizeof *out);
    for (size_t t = 0; t < 3 * (size_t)shape->triangle_count; t += 3) {
        const int32_t* v = shape->triangles + t;
        snVec3 n = snTriangleCross(at(position, (size_t)v[0]), at(position, (size_t)v[1]),
                                   at(position, (size_t)v[2]));
        for (int k = 0; k < 3; ++k) {
            out[v[k]] = snAdd(out[v[k]], n);
        }
    }
}

// Positions are skinned ones and offsets; normals, which this rig computes from triangles, are
// those of the bent surface; and differences before the skin lead there.
static void test_bent(void** state)
{
    const Reed* r = *state;
    snFollow* follow = startReed(r, 60, 1, sn_isaAuto);
    snMessage why;
    for (int i = 0; i < 15; ++i) {
        snFollow_AdvanceFrame(follow);
    }
    Shown s = show(r, snFollow_Facts(follow).time);
    float* offsets = calloc(3 * s.count, sizeof *offsets);
    float* deltas = calloc(6 * s.count, sizeof *deltas);
    double* squares = calloc(s.count, sizeof *squares);
    snVec3* bent = calloc(s.count, sizeof *bent);
    double moved = 0, turned = 0;
    assert_ok(snFollow_Surface(follow, 0, s.position, s.normal, &why), why);
    snFollow_Offsets(follow, offsets);
    normalsOf(r->made.instances[0].shape, s.position, bent);
    for (size_t v = 0; v < s.count; ++v) {
        snVec3 o = at(offsets, (size_t)r->body.weld.map[v]);
        snVec3 n = at(s.normal, v), p = snAdd(at(s.plain, v), o);
        assert_below(snLength(snSub(at(s.position, v), p)), rounding);
        assert_below(snLength(snSub(n, snNormalize(bent[v]))), 1e-4); // of floats' differences
        moved = fmax(moved, snLength(o));
        turned = fmax(turned, snLength(snSub(n, at(s.plain_normal, v))));
    }
    assert_true(moved > 0.005 && turned > 0.05);

    snFollowSurface_Update(s.surface, snFollow_Nodes(follow));
    snFollowSurface_Deltas(s.surface, deltas, deltas + 3 * s.count);
    snFollowSurface_Squares(s.surface, deltas, squares);
    for (int32_t i = 0; i < s.surface->moving_count; ++i) {
        snVec3 o = at(offsets, (size_t)r->body.weld.map[s.surface->moving[i]]);
        snVec3 d = snMatrix_Vector(&s.surface->joints[0], at(deltas, (size_t)i));
        assert_below(snLength(snSub(d, o)), rounding);
        assert_close(sqrt(squares[i]), snLength(o), rounding);
    }
    // the next frame is another one
    snFollow_AdvanceFrame(follow);
    assert_ok(snFollow_Surface(follow, 0, s.plain, NULL, &why), why);
    assert_memory_not_equal(s.plain, s.position, 3 * s.count * sizeof(float));
    assert_int_equal(snFollow_Surface(follow, 1, s.plain, NULL, &why), sn_errorArgument);
    free(offsets);
    free(deltas);
    free(squares);
    free(bent);
    drop(&s);
    snFollow_Free(follow);
}

// The inverse transpose of the map, which takes normals along
static snVec3 carryNormal(const snMatrix* B, snVec3 m)
{
    bool ok;
    snMat3 inverse = snMatInverse(snMatrix_Linear(B), &ok);
    assert_true(ok);
    return snNormalize(snMatTVec(inverse, m));
}

// Normals of the file, under a joint that stretches and shears: differences before the skin,
// skinned like a morph target's, lead to the normals that are shown, which flesh did turn.
static void test_stretched(void** state)
{
    Reed* r = *state;
    Shown s = show(r, 0.3);
    const snRigShape* shape = &r->made.shapes[0];
    snVec3* bound = calloc(s.count, sizeof *bound);
    snVec4f* u = calloc((size_t)r->body.tets.node_count, sizeof *u);
    float *deltas = calloc(6 * s.count, sizeof *deltas),
          *given = calloc(3 * s.count, sizeof *given);
    double turned = 0;
    normalsOf(shape, shape->position, bound);
    for (size_t v = 0; v < s.count; ++v) {
        snVec3 n = snNormalize(bound[v]);
        given[3 * v] = (float)n.x, given[3 * v + 1] = (float)n.y, given[3 * v + 2] = (float)n.z;
    }
    r->made.shapes[0].normal = given;
    for (int32_t i = 0; i < r->body.tets.node_count; ++i) {
        double y = r->body.tets.position[i].y;
        u[i] = r->body.held[i] ? (snVec4f){0, 0, 0, 0}
                               : (snVec4f){(float)(0.2 * y * y), 0, (float)(-0.1 * y * y), 0};
    }
    s.surface->nodes[0] = (snMatrix){{1.6, 0.2, 0}, {0.3, 1, -0.1}, {0, 0.4, 0.6}, {1, 2, 3}};
    snFollowSurface_Update(s.surface, u);
    snFollowSurface_Instance(s.surface, 0, s.position, s.normal);
    assert_int_equal(snFollowSurface_Deltas(s.surface, deltas, deltas + 3 * s.count), 0);
    for (int32_t i = 0; i < s.surface->moving_count; ++i) {
        size_t v = (size_t)s.surface->moving[i];
        const snMatrix* B = &s.surface->joints[0];
        snVec3 m = at(given, v), d = at(deltas + 3 * s.count, (size_t)i);
        snVec3 plain = carryNormal(B, m), soft = carryNormal(B, snAdd(m, d));
        assert_below(snLength(snSub(soft, at(s.normal, v))), 10 * rounding);
        turned = fmax(turned, snLength(snSub(soft, plain)));
    }
    assert_true(s.surface->moving_count > 100 && turned > 0.05);
    r->made.shapes[0].normal = NULL;
    free(bound);
    free(u);
    free(deltas);
    free(given);
    drop(&s);
}

// The pose is the clip's own; a loop with travel goes on, its end belongs to it.
static void test_pose(void** state)
{
    (void)state;
    static Reed r;
    snBodyDef def;
    snMatrix a, b;
    snBodyDef_Init(&def);
    openReed(&r);
    for (int i = 0; i < KEYS; ++i) { // 0.2 m a second
        r.values[3 * i] = (float)(0.2 * i / 60.0);
        r.values[3 * i + 1] = 0.1f;
    }
    addChannel(&r.made, 0, sn_pathTranslation, false, KEYS, r.times, r.values);
    buildReed(&r, &def);
    assert_true(r.track.is_loop);
    double length = r.track.last - r.track.first;
    for (int k = 0; k <= 8; ++k) {
        double t = r.track.first + length * k / 4;
        snRigTrack_Pose(&r.track, t, &a, NULL);
        assert_close(a.p.x, 0.2 * t, rounding);
        snRigTrack_At(&r.track, t, &b, NULL);
        assert_below(snLength(snSub(a.p, b.p)), rounding);
    }
    closeReed(&r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_still),
        cmocka_unit_test(test_bent),
        cmocka_unit_test(test_stretched),
        cmocka_unit_test(test_pose),
    };
    return cmocka_run_group_tests(tests, openMoving, closeMoving);
}
