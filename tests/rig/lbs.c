// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0
// label: quick

// Skinning against its definition; the bind pose gives the mesh back; rigid motion of all joints
// moves it rigidly; normals stay upright whatever the map; a skinned mesh does not feel its node.

#include "rig/lbs.h"

#include "base/random.h"
#include "check.h"

#define VERTICES 50
#define JOINTS 4

static const double tolerance = 5e-6; // floats of a few units

// A mesh on node JOINTS, skinned to nodes 0..JOINTS-1
typedef struct Stage {
    snRig rig;
    snRigNode nodes[JOINTS + 1];
    snRigSkin skin;
    int32_t joints[JOINTS];
    snMatrix inverse[JOINTS], bind[JOINTS + 1];
    snRigShape shape;
    snRigInstance instance;
    float position[3 * VERTICES], normal[3 * VERTICES], delta[3 * VERTICES];
    int32_t first[VERTICES + 1], joint[JOINTS * VERTICES], triangles[3 * VERTICES];
    float weight[JOINTS * VERTICES];
    snRigTarget target;
} Stage;

static snVec3 draw(snRandom* r)
{
    return snV3(snRandom_Range(r, -1, 1), snRandom_Range(r, -1, 1), snRandom_Range(r, -1, 1));
}

static snVec3 at(const float* v, size_t i)
{
    return snV3((double)v[3 * i], (double)v[3 * i + 1], (double)v[3 * i + 2]);
}

static void set(float* v, size_t i, snVec3 x)
{
    v[3 * i] = (float)x.x, v[3 * i + 1] = (float)x.y, v[3 * i + 2] = (float)x.z;
}

static void open(Stage* s, snRandom* r)
{
    *s = (Stage){.rig.weights = NULL};
    snHost_Init(&s->rig.host);
    for (size_t v = 0; v < VERTICES; ++v) {
        set(s->position, v, draw(r));
        set(s->normal, v, snNormalize(draw(r)));
        set(s->delta, v, draw(r));
        s->first[v + 1] = s->first[v] + 1 + (int32_t)(v % JOINTS);
        int32_t count = s->first[v + 1] - s->first[v];
        for (int32_t i = s->first[v]; i < s->first[v + 1]; ++i) {
            s->joint[i] = (int32_t)(v + (size_t)i) % JOINTS;
            s->weight[i] = 1 / (float)count;
        }
        for (size_t k = 0; k < 3; ++k) {
            s->triangles[3 * v + k] = (int32_t)((v + k * k) % VERTICES);
        }
    }
    for (int i = 0; i <= JOINTS; ++i) {
        snVec3 p = draw(r);
        s->bind[i] = snMatrix_FromParts(p, snQExp(draw(r)), snV3(2, 2, 2));
    }
    for (int j = 0; j < JOINTS; ++j) {
        bool ok;
        snMat3 inverse = snMatInverse(snMatrix_Linear(&s->bind[j]), &ok);
        assert_true(ok);
        s->joints[j] = j;
        s->inverse[j] = snMatrix_Make(inverse, snNeg(snMatVec(inverse, s->bind[j].p)));
    }
    s->target = (snRigTarget){s->delta, s->delta};
    s->shape = (snRigShape){.vertex_count = VERTICES,
                            .triangle_count = VERTICES,
                            .position = s->position,
                            .normal = s->normal,
                            .triangles = s->triangles,
                            .first = s->first,
                            .joint = s->joint,
                            .weight = s->weight,
                            .target_count = 1,
                            .targets = &s->target};
    s->skin = (snRigSkin){"", JOINTS, s->joints, s->inverse, true};
    s->instance.shape = &s->shape;
    s->instance.info = (snRigMesh){.node = JOINTS, .vertex_count = VERTICES};
    s->nodes[JOINTS].weight_count = 1;
    s->rig.nodes = s->nodes;
    s->rig.skins = &s->skin;
    s->rig.instances = &s->instance;
    s->rig.info.node_count = JOINTS + 1;
    s->rig.info.mesh_count = s->rig.info.skin_count = s->rig.info.weight_count = 1;
}

static void skin(Stage* s, const snMatrix* nodes, double weight, float* x, float* n)
{
    snMessage why;
    assert_ok(snRig_Skin(&s->rig, 0, nodes, &weight, x, n, &why), why);
}

// With joints where they were bound nothing moves, wherever the node is; morphs come first.
static void test_bind(void** state)
{
    (void)state;
    Stage s;
    snRandom r = snRandom_Seed(4);
    float x[3 * VERTICES], n[3 * VERTICES];
    open(&s, &r);
    for (int pass = 0; pass < 2; ++pass) {
        skin(&s, s.bind, 0.5 * pass, x, n);
        for (size_t v = 0; v < VERTICES; ++v) {
            snVec3 want = snMulAdd(at(s.position, v), 0.5 * pass, at(s.delta, v));
            snVec3 up = snNormalize(snMulAdd(at(s.normal, v), 0.5 * pass, at(s.delta, v)));
            assert_close(snLength(snSub(at(x, v), want)), 0, tolerance);
            assert_close(snLength(snSub(at(n, v), up)), 0, tolerance);
        }
        s.bind[JOINTS].p = snV3(100, 100, 100);
    }
}

// All joints moved by one rigid motion move the mesh by it.
static void test_rigid(void** state)
{
    (void)state;
    Stage s;
    snRandom r = snRandom_Seed(5);
    float x[3 * VERTICES], n[3 * VERTICES];
    open(&s, &r);
    snMatrix g = snMatrix_FromParts(draw(&r), snQExp(draw(&r)), snV3(1, 1, 1)), moved[JOINTS + 1];
    for (int i = 0; i <= JOINTS; ++i) {
        moved[i] = snMatrix_Mul(&g, &s.bind[i]);
    }
    skin(&s, moved, 0, x, n);
    for (size_t v = 0; v < VERTICES; ++v) {
        snVec3 want = snMatrix_Point(&g, at(s.position, v));
        assert_close(snLength(snSub(at(x, v), want)), 0, tolerance);
        want = snMatrix_Vector(&g, at(s.normal, v));
        assert_close(snLength(snSub(at(n, v), want)), 0, tolerance);
    }
}

// Sum of w_j G_j B_j^-1 x, by definition
static void test_definition(void** state)
{
    (void)state;
    Stage s;
    snRandom r = snRandom_Seed(6);
    float x[3 * VERTICES];
    open(&s, &r);
    snMatrix pose[JOINTS + 1];
    for (int i = 0; i <= JOINTS; ++i) {
        pose[i] = (snMatrix){draw(&r), draw(&r), draw(&r), draw(&r)};
    }
    skin(&s, pose, 0, x, NULL);
    for (size_t v = 0; v < VERTICES; ++v) {
        snVec3 want = {0, 0, 0};
        for (int32_t i = s.first[v]; i < s.first[v + 1]; ++i) {
            int32_t j = s.joint[i];
            snVec3 local = snMatrix_Point(&s.inverse[j], at(s.position, v));
            want = snMulAdd(want, (double)s.weight[i], snMatrix_Point(&pose[j], local));
        }
        assert_close(snLength(snSub(at(x, v), want)), 0, tolerance);
    }
}

// A map that keeps no angles, and may mirror
static snMatrix drawMap(snRandom* r)
{
    return (snMatrix){draw(r), draw(r), draw(r), draw(r)};
}

// What lay in the surface at a vertex lies in it after any affine map, so the normal is upright on
// both moved tangents; and outside stays outside.
static void checkUpright(const snMatrix* B, snVec3 before, snVec3 after)
{
    snVec3 a = snPerpendicular(before), b = snCross(before, a);
    assert_close(snLength(after), 1, tolerance);
    assert_close(snDot(after, snMatrix_Vector(B, a)), 0, tolerance);
    assert_close(snDot(after, snMatrix_Vector(B, b)), 0, tolerance);
    assert_true(snDot(after, snMatrix_Vector(B, before)) > 0);
}

static void test_normals(void** state)
{
    (void)state;
    Stage s;
    snRandom r = snRandom_Seed(9);
    float x[3 * VERTICES], n[3 * VERTICES];
    open(&s, &r);
    for (int pass = 0; pass < 20; ++pass) {
        snMatrix pose[JOINTS + 1], moved[JOINTS];
        for (int i = 0; i <= JOINTS; ++i) {
            pose[i] = drawMap(&r);
        }
        s.instance.info.skin = pass % 2 ? 0 : -1;
        skin(&s, pose, 0, x, n);
        snLbs_Joints(&s.skin, pose, moved);
        for (size_t v = 0; v < VERTICES; ++v) {
            snMatrix B = pass % 2 ? snLbs_Blend(&s.shape, moved, v) : pose[JOINTS];
            checkUpright(&B, at(s.normal, v), at(n, v));
        }
    }
}

// Without a skin the mesh rides on its node. Normals that the file lacks are those of triangles.
static void test_plain(void** state)
{
    (void)state;
    Stage s;
    snRandom r = snRandom_Seed(7);
    float x[3 * VERTICES], n[3 * VERTICES];
    open(&s, &r);
    s.instance.info.skin = -1;
    s.shape.normal = NULL;
    skin(&s, s.bind, 1, x, n);
    for (size_t v = 0; v < VERTICES; ++v) {
        snVec3 morphed = snAdd(at(s.position, v), at(s.delta, v));
        assert_close(snLength(snSub(at(x, v), snMatrix_Point(&s.bind[JOINTS], morphed))), 0,
                     tolerance);
        assert_close(snLength(at(n, v)), 1, 1e-6);
    }
    static const float flat[9] = {0, 0, 0, 1, 0, 0, 0, 1, 0};
    static int32_t one[3] = {0, 1, 2};
    s.shape =
        (snRigShape){.vertex_count = 3, .triangle_count = 1, .position = flat, .triangles = one};
    s.instance.info.vertex_count = 3;
    s.bind[JOINTS] = snMatrix_Identity();
    skin(&s, s.bind, 0, x, n);
    assert_true(n[2] == 1 && n[5] == 1 && n[8] == 1);
}

static void test_arguments(void** state)
{
    (void)state;
    Stage s;
    snMessage why;
    snRandom r = snRandom_Seed(8);
    float x[3 * VERTICES];
    open(&s, &r);
    assert_int_equal(snRig_Skin(NULL, 0, s.bind, NULL, x, NULL, &why), sn_errorArgument);
    assert_int_equal(snRig_Skin(&s.rig, 1, s.bind, NULL, x, NULL, &why), sn_errorArgument);
    assert_int_equal(snRig_Skin(&s.rig, 0, NULL, NULL, x, NULL, &why), sn_errorArgument);
    assert_int_equal(snRig_Skin(&s.rig, 0, s.bind, NULL, NULL, NULL, &why), sn_errorArgument);
    s.bind[0].p.x = HUGE_VAL;
    assert_int_equal(snRig_Skin(&s.rig, 0, s.bind, NULL, x, NULL, &why), sn_errorNumeric);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_bind),       cmocka_unit_test(test_rigid),
        cmocka_unit_test(test_definition), cmocka_unit_test(test_normals),
        cmocka_unit_test(test_plain),      cmocka_unit_test(test_arguments)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
