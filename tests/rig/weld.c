// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0
// label: quick

// Copies of a vertex become one if they follow the same joints; shells are told apart and measured.

#include "rig/weld.h"

#include "check.h"

#define FACES 6

// A cube on joint 0 with four vertices to a face, its lid another instance, and a small cube
// besides
typedef struct Stage {
    snArena arena;
    snRig rig;
    snRigNode nodes[3];
    snRigSkin skin;
    int32_t joints[2];
    snMatrix bind[2];
    snRigShape shapes[3];
    snRigInstance instances[3];
    float position[3][12 * FACES];
    int32_t triangles[3][6 * FACES], first[3][4 * FACES + 1], joint[3][4 * FACES];
    float weight[3][4 * FACES];
} Stage;

// Faces begin .. end - 1 of a cube; face 5 is the lid
static void setCube(Stage* s, int which, int begin, int end, snVec3 low, double side)
{
    static const int corner[FACES][4] = {{0, 4, 6, 2}, {1, 3, 7, 5}, {0, 1, 5, 4},
                                         {2, 6, 7, 3}, {0, 2, 3, 1}, {4, 5, 7, 6}};
    int count = 4 * (end - begin);
    for (int i = 0; i < count; ++i) {
        int c = corner[begin + i / 4][i % 4];
        s->position[which][3 * i] = (float)(low.x + side * (c & 1));
        s->position[which][3 * i + 1] = (float)(low.y + side * (c >> 1 & 1));
        s->position[which][3 * i + 2] = (float)(low.z + side * (c >> 2));
        s->first[which][i + 1] = i + 1;
        s->weight[which][i] = 1;
    }
    for (int f = 0; f < end - begin; ++f) {
        const int32_t two[6] = {4 * f, 4 * f + 1, 4 * f + 2, 4 * f, 4 * f + 2, 4 * f + 3};
        memcpy(s->triangles[which] + 6 * f, two, sizeof two);
    }
    s->shapes[which] = (snRigShape){.vertex_count = count,
                                    .triangle_count = count / 2,
                                    .position = s->position[which],
                                    .triangles = s->triangles[which],
                                    .first = s->first[which],
                                    .joint = s->joint[which],
                                    .weight = s->weight[which]};
    s->instances[which].shape = &s->shapes[which];
    s->instances[which].info.node = 2;
    s->rig.info.vertex_count += count;
    s->rig.info.triangle_count += count / 2;
}

static void open(Stage* s)
{
    memset(s, 0, sizeof *s);
    snHost_Init(&s->rig.host);
    snArena_Init(&s->arena, NULL);
    setCube(s, 0, 0, 5, snV3(-1, -1, -1), 2);
    setCube(s, 1, 5, 6, snV3(-1, -1, -1), 2);
    setCube(s, 2, 0, 6, snV3(2, 0, 0), 0.25);
    for (int i = 0; i < 3; ++i) {
        s->nodes[i] = (snRigNode){.name = "", .parent = -1, .local = snMatrix_Identity()};
    }
    s->joints[1] = 1;
    s->bind[0] = s->bind[1] = snMatrix_Identity();
    s->skin = (snRigSkin){"", 2, s->joints, s->bind, true};
    s->rig.nodes = s->nodes;
    s->rig.skins = &s->skin;
    s->rig.instances = s->instances;
    s->rig.info.node_count = 3;
    s->rig.info.skin_count = 1;
    s->rig.info.mesh_count = 3;
}

static snRigWeld makeWeld(Stage* s)
{
    snRigWeld weld;
    snMessage why;
    assert_ok(snRigWeld_Build(&s->arena, &s->rig, NULL, &weld, &why), why);
    return weld;
}

static void test_cubes(void** state)
{
    (void)state;
    Stage s;
    open(&s);
    snRigWeld weld = makeWeld(&s);
    assert_int_equal(weld.surface.vertex_count, 16);
    assert_int_equal(weld.surface.triangle_count, 24);
    assert_int_equal(weld.shell_count, 2);
    assert_int_equal(weld.first[1], 20);
    assert_int_equal(weld.first_triangle[2], 12);
    assert_close(weld.shells[0].volume, 8, 1e-12);
    assert_close(weld.shells[0].enclosed, 8, 1e-12);
    assert_close(weld.shells[1].area, 6 * 0.0625, 1e-6);
    assert_int_equal(weld.shells[0].open_edges, 0);
    assert_true(!weld.shells[0].is_small && weld.shells[1].is_small);
    for (int32_t v = 0; v < 48; ++v) {
        assert_in_range(weld.map[v], 0, 15);
        assert_true(weld.origin[weld.map[v]] <= v);
        assert_int_equal(weld.shell[weld.map[v]], v >= 24);
    }
    snArena_Free(&s.arena);
}

// The lid follows another joint: it is a shell of its own, and the cube has a hole. What it
// encloses is what its walls wind around.
static void test_lid(void** state)
{
    (void)state;
    Stage s;
    open(&s);
    for (int i = 0; i < 4; ++i) {
        s.joint[1][i] = 1;
    }
    snRigWeld weld = makeWeld(&s);
    assert_int_equal(weld.surface.vertex_count, 20);
    assert_int_equal(weld.shell_count, 3);
    assert_int_equal(weld.shells[0].open_edges, 4);
    // every point inside sees more than half a sphere of walls
    assert_close(weld.shells[0].enclosed, 8, 0.1);
    assert_close(weld.shells[1].enclosed, 0, 0.02);
    snArena_Free(&s.arena);
}

// Shear keeps volumes, also of what is open and fills only a half of its box.
static void test_sheared(void** state)
{
    (void)state;
    for (int axis = 0; axis < 3; ++axis) {
        Stage s;
        open(&s);
        for (int i = 0; i < 4; ++i) {
            s.joint[1][i] = 1;
        }
        for (int v = 0; v < 20; ++v) {
            float* x = s.position[0] + 3 * (ptrdiff_t)v;
            x[axis] += x[(axis + 1) % 3];
        }
        snRigWeld weld = makeWeld(&s);
        const snRigShell* open_shell = &weld.shells[0];
        snVec3 d = snSub(open_shell->box.hi, open_shell->box.lo);
        assert_true(open_shell->open_edges > 0);
        assert_close(d.x * d.y * d.z, 16, 1e-5);
        assert_close(open_shell->enclosed, 8, 0.4); // by 4096 samples
        snArena_Free(&s.arena);
    }
}

// The same lid without skin, on a node; and one a little off
static void test_near(void** state)
{
    (void)state;
    for (int i = 0; i < 4; ++i) {
        Stage s;
        open(&s);
        s.instances[1].info.skin = i == 0 ? -1 : 0;
        s.instances[1].info.node = 0; // the joint of the others: it follows the same
        s.nodes[2].local.p.x = 77;    // which nobody feels
        for (int v = 0; v < 4; ++v) {
            s.position[1][3 * v] += i == 2 ? 1e-4f : i == 3 ? 2e-7f : 0;
        }
        snRigWeld weld = makeWeld(&s);
        assert_int_equal(weld.surface.vertex_count, i == 2 ? 20 : 16);
        assert_int_equal(weld.shell_count, i == 2 ? 3 : 2);
        snArena_Free(&s.arena);
    }
    // nothing at all, and nowhere
    Stage s;
    open(&s);
    s.rig.info.mesh_count = s.rig.info.vertex_count = s.rig.info.triangle_count = 0;
    assert_int_equal(makeWeld(&s).shell_count, 0);
    snArena_Free(&s.arena);
    open(&s);
    s.nodes[0].local.p.x = (double)INFINITY;
    snRigWeld weld;
    snMessage why;
    assert_int_equal(snRigWeld_Build(&s.arena, &s.rig, NULL, &weld, &why), sn_errorArgument);
    snArena_Free(&s.arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_cubes), cmocka_unit_test(test_lid),
                                       cmocka_unit_test(test_sheared), cmocka_unit_test(test_near)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
