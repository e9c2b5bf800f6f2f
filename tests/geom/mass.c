// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0
// label: quick

// Mass properties against closed forms, against each other, and of meshes that are none.
#include "base/random.h"
#include "check.h"
#include "math/quat.h"
#include <sinew/skeleton.h>

#define MOST_VERTICES 20000

typedef struct Mesh {
    double vertices[3 * MOST_VERTICES];
    int32_t triangles[6 * MOST_VERTICES];
    int32_t vertex_count, triangle_count;
} Mesh;

static snVec3 randomVec(snRandom* r, double size)
{
    double x = snRandom_Range(r, -size, size), y = snRandom_Range(r, -size, size);
    return snV3(x, y, snRandom_Range(r, -size, size));
}

static snQuat randomQuat(snRandom* r)
{
    return snQExp(randomVec(r, 3));
}

static snMass randomMass(snRandom* r)
{
    snSym3 principal = {2, 3, 4, 0, 0, 0};
    return (snMass){snRandom_Range(r, 0.1, 10), randomVec(r, 2),
                    snSymRotate(snMatFromQ(randomQuat(r)), principal)};
}

static double symApart(snSym3 A, snSym3 B)
{
    double d[6] = {A.xx - B.xx, A.yy - B.yy, A.zz - B.zz, A.xy - B.xy, A.xz - B.xz, A.yz - B.yz};
    double most = 0;
    for (int i = 0; i < 6; ++i) {
        most = fabs(d[i]) <= most ? most : fabs(d[i]);
    }
    return most;
}

static void assertMass(const snMass* a, const snMass* b, double tolerance)
{
    double size = b->inertia.xx + b->inertia.yy + b->inertia.zz;
    assert_relative(a->mass, b->mass, tolerance, 0);
    assert_below(snLength(snSub(a->com, b->com)), tolerance * (1 + snLength(b->com)));
    assert_below(symApart(a->inertia, b->inertia), tolerance * size);
}

// The same piece turned about the origin, then moved.
static snMass placed(const snMass* m, snQuat q, snVec3 p)
{
    return (snMass){m->mass, snAdd(p, snQRotate(q, m->com)),
                    snSymRotate(snMatFromQ(q), m->inertia)};
}

static void placeMesh(Mesh* mesh, snQuat q, snVec3 p)
{
    for (int32_t i = 0; i < mesh->vertex_count; ++i) {
        double* v = mesh->vertices + 3 * i;
        snVec3 x = snAdd(p, snQRotate(q, snV3(v[0], v[1], v[2])));
        v[0] = x.x, v[1] = x.y, v[2] = x.z;
    }
}

static void addVertex(Mesh* m, double x, double y, double z)
{
    double* v = m->vertices + 3 * m->vertex_count++;
    v[0] = x, v[1] = y, v[2] = z;
}

static void addTriangle(Mesh* m, int32_t a, int32_t b, int32_t c)
{
    int32_t* t = m->triangles + 3 * m->triangle_count++;
    t[0] = a, t[1] = b, t[2] = c;
}

// A box of sides 2 x, 2 y, 2 z about the origin.
static void makeBox(Mesh* m, double x, double y, double z)
{
    m->vertex_count = m->triangle_count = 0;
    for (int i = 0; i < 8; ++i) {
        addVertex(m, i & 1 ? x : -x, i & 2 ? y : -y, i & 4 ? z : -z);
    }
    const int32_t quads[6][4] = {{0, 4, 6, 2}, {1, 3, 7, 5}, {0, 1, 5, 4},
                                 {2, 6, 7, 3}, {0, 2, 3, 1}, {4, 5, 7, 6}};
    for (int i = 0; i < 6; ++i) {
        addTriangle(m, quads[i][0], quads[i][1], quads[i][2]);
        addTriangle(m, quads[i][0], quads[i][2], quads[i][3]);
    }
}

// A capsule along z from 0 to `length`, as rings of latitude; length 0 is a ball.
static void makeCapsule(Mesh* m, double radius, double length, int32_t rings)
{
    int32_t around = 2 * rings, count = 2 * rings;
    m->vertex_count = m->triangle_count = 0;
    for (int32_t i = 0; i < count; ++i) {
        // the ring in the middle occurs twice, once at each end of the tube
        double angle = SN_PI * (i < rings ? i + 1 - rings : i - rings) / (2 * rings);
        double shift = i < rings ? 0 : length;
        for (int32_t k = 0; k < around; ++k) {
            double turn = 2 * SN_PI * k / around;
            addVertex(m, radius * cos(angle) * cos(turn), radius * cos(angle) * sin(turn),
                      shift + radius * sin(angle));
        }
    }
    int32_t south = m->vertex_count;
    addVertex(m, 0, 0, -radius);
    addVertex(m, 0, 0, length + radius);
    for (int32_t k = 0; k < around; ++k) {
        int32_t next = (k + 1) % around, last = (count - 1) * around;
        addTriangle(m, south, next, k);
        addTriangle(m, south + 1, last + k, last + next);
        for (int32_t i = 0; i + 1 < count; ++i) {
            int32_t a = i * around + k, b = i * around + next, c = a + around, d = b + around;
            addTriangle(m, a, b, d);
            addTriangle(m, a, d, c);
        }
    }
}

static snMass massOf(const Mesh* m, double density)
{
    snMass mass;
    snMessage why;
    assert_ok(snMass_Mesh(m->vertices, m->vertex_count, m->triangles, m->triangle_count, density,
                          &mass, &why),
              why);
    return mass;
}

static Mesh mesh;

static void boxesAnywhere(void** state)
{
    (void)state;
    snRandom r = snRandom_Seed(1);
    for (int n = 0; n < 300; ++n) {
        snVec3 e = snV3(snRandom_Range(&r, 0.1, 2), snRandom_Range(&r, 0.1, 2), 0.7);
        double density = 800, m = density * 8 * e.x * e.y * e.z;
        snMass want = {m,
                       {0, 0, 0},
                       {m / 3 * (e.y * e.y + e.z * e.z), m / 3 * (e.x * e.x + e.z * e.z),
                        m / 3 * (e.x * e.x + e.y * e.y), 0, 0, 0}};
        double far = n % 3 == 2 ? 1e6 : 3; // m; a vertex there is known to 1e-10 m
        snQuat q = randomQuat(&r);
        snVec3 p = randomVec(&r, far);
        makeBox(&mesh, e.x, e.y, e.z);
        placeMesh(&mesh, q, p);
        snMass got = massOf(&mesh, density);
        want = placed(&want, q, p);
        assertMass(&got, &want, n % 3 == 2 ? 1e-7 : 1e-13);
    }
}

// Corners at the origin and at 1 on each axis: m = 1/6, centre 1/4, inertia about it 3 m / 40,
// products m / 80.
static void tetrahedraAnywhere(void** state)
{
    (void)state;
    snRandom r = snRandom_Seed(2);
    for (int n = 0; n < 300; ++n) {
        mesh.vertex_count = mesh.triangle_count = 0;
        addVertex(&mesh, 0, 0, 0);
        addVertex(&mesh, 1, 0, 0);
        addVertex(&mesh, 0, 1, 0);
        addVertex(&mesh, 0, 0, 1);
        addTriangle(&mesh, 0, 2, 1);
        addTriangle(&mesh, 0, 1, 3);
        addTriangle(&mesh, 0, 3, 2);
        addTriangle(&mesh, 1, 2, 3);
        double m = 1.0 / 6, I = 3 * m / 40, P = m / 80;
        snMass want = {m, {0.25, 0.25, 0.25}, {I, I, I, P, P, P}};
        snQuat q = randomQuat(&r);
        snVec3 p = randomVec(&r, 3);
        placeMesh(&mesh, q, p);
        snMass got = massOf(&mesh, 1);
        want = placed(&want, q, p);
        assertMass(&got, &want, 1e-13);
    }
}

// Finer meshes of a capsule (and of a ball) approach the closed form, with the square of the ring's
// width.
static void capsulesAreTheLimitOfMeshes(void** state)
{
    (void)state;
    snRandom r = snRandom_Seed(3);
    for (int n = 0; n < 4; ++n) {
        double radius = 0.3, length = n == 0 ? 0 : 0.4 * n, error[3];
        snQuat q = randomQuat(&r);
        snVec3 p = randomVec(&r, 2), b = snAdd(p, snQRotate(q, snV3(0, 0, length)));
        snMass want = snMass_Capsule(p, b, radius, 1000);
        for (int i = 0; i < 3; ++i) {
            makeCapsule(&mesh, radius, length, 16 << i);
            placeMesh(&mesh, q, p);
            snMass got = massOf(&mesh, 1000);
            error[i] = fabs(got.mass / want.mass - 1) +
                       symApart(got.inertia, want.inertia) / want.inertia.xx;
            assert_below(snLength(snSub(got.com, want.com)), 1e-12);
        }
        print_message("capsule %.1f m: %.2g %.2g %.2g\n", length, error[0], error[1], error[2]);
        assert_below(error[2], 2e-3);
        assert_true(error[0] / error[1] > 3.8 && error[0] / error[1] < 4.2);
        assert_true(error[1] / error[2] > 3.8 && error[1] / error[2] < 4.2);
    }
}

static void aThinCapsuleIsARod(void** state)
{
    (void)state;
    snMass rod = snMass_Capsule(snV3(-1, 0, 0), snV3(1, 0, 0), 1e-5, 1000);
    assert_relative(rod.inertia.yy, rod.mass * 4 / 12, 1e-4, 0);
    assert_below(rod.inertia.xx, 1e-9 * rod.inertia.yy);
    snMass nothing = snMass_Capsule(snV3(0, 0, 0), snV3(1, 0, 0), 0, 1000);
    assert_true(nothing.mass == 0 && nothing.inertia.yy == 0);
}

static void addingIsTheUnion(void** state)
{
    (void)state;
    snRandom r = snRandom_Seed(4);
    for (int n = 0; n < 300; ++n) {
        snMass a = randomMass(&r), b = randomMass(&r), c = randomMass(&r), none = {0};
        snMass ab = snMass_Add(&a, &b), bc = snMass_Add(&b, &c), ba = snMass_Add(&b, &a);
        snMass left = snMass_Add(&ab, &c), right = snMass_Add(&a, &bc);
        assertMass(&left, &right, 1e-13);
        assertMass(&ab, &ba, 1e-13);
        snMass same = snMass_Add(&a, &none), other = snMass_Add(&none, &a);
        assertMass(&same, &a, 1e-15);
        assertMass(&other, &a, 1e-15);
    }
    // a piece without mass adds nothing, wherever it is said to be
    snMass a = randomMass(&r), ghost = {0, {5, 5, 5}, {1, 1, 1, 0, 0, 0}};
    snMass sum = snMass_Add(&a, &ghost), back = snMass_Add(&ghost, &a);
    assertMass(&sum, &a, 1e-15);
    assertMass(&back, &a, 1e-15);
    sum = snMass_Add(&ghost, &ghost);
    assert_true(sum.mass == 0 && sum.inertia.xx == 0);
}

// One box cut in two, and one mesh of two boxes apart.
static void twoBoxesAreOnePiece(void** state)
{
    (void)state;
    makeBox(&mesh, 0.5, 0.3, 0.2);
    snMass whole = massOf(&mesh, 500);
    makeBox(&mesh, 0.25, 0.3, 0.2);
    placeMesh(&mesh, snQIdentity(), snV3(-0.25, 0, 0));
    snMass left = massOf(&mesh, 500);
    snMass right = placed(&left, snQIdentity(), snV3(0.5, 0, 0));
    snMass sum = snMass_Add(&left, &right);
    assertMass(&sum, &whole, 1e-14);
}

static void pointsAndTheirSums(void** state)
{
    (void)state;
    snRandom r = snRandom_Seed(5);
    snMass sum = {0};
    snVec3 place[20], com = snV3(0, 0, 0);
    double m[20], total = 0;
    for (int i = 0; i < 20; ++i) {
        place[i] = randomVec(&r, 1);
        m[i] = snRandom_Range(&r, 0, 2);
        snMass point = snMass_Point(m[i], place[i]);
        assert_true(point.mass == m[i] && point.inertia.xx == 0 && point.inertia.xy == 0);
        sum = snMass_Add(&sum, &point);
        total += m[i];
        com = snMulAdd(com, m[i], place[i]);
    }
    com = snScale(1 / total, com);
    snMass want = {total, com, {0, 0, 0, 0, 0, 0}};
    for (int i = 0; i < 20; ++i) {
        snMat3 x = snSkew(snSub(place[i], com));
        want.inertia = snSymAdd(want.inertia, snSymFromMat(snMatScale(-m[i], snMatMul(x, x))));
    }
    assertMass(&sum, &want, 1e-13);
}

// Refusals
// -----------------------------------------------------------------------------------------

static void assertRefused(const double* vertices, int32_t vertex_count, const int32_t* triangles,
                          int32_t triangle_count, double density, const char* word)
{
    snMass mass = {-7, {0, 0, 0}, {0, 0, 0, 0, 0, 0}};
    snMessage why;
    snStatus status =
        snMass_Mesh(vertices, vertex_count, triangles, triangle_count, density, &mass, //
                    &why);
    assert_int_equal(status, sn_errorArgument);
    if (!strstr(why.text, word)) {
        fail_msg("'%s' does not say '%s'", why.text, word);
    }
    assert_true(mass.mass == -7); // untouched
    assert_int_equal(snMass_Mesh(vertices, vertex_count, triangles, triangle_count, density,
                                 &mass, //
                                 NULL),
                     sn_errorArgument);
}

static void badMeshesAreRefused(void** state)
{
    (void)state;
    const double* v = mesh.vertices;
    int32_t* t = mesh.triangles;
    makeBox(&mesh, 1, 1, 1);
    assertRefused(NULL, 8, t, 12, 1, "at least 4");
    assertRefused(v, 8, NULL, 12, 1, "at least 4");
    assertRefused(v, 3, t, 12, 1, "at least 4");
    assertRefused(v, 8, t, 3, 1, "at least 4");
    assertRefused(v, 8, t, -1, 1, "at least 4");
    assertRefused(v, 8, t, 12, 0, "density");
    assertRefused(v, 8, t, 12, -1, "density");
    assertRefused(v, 8, t, 12, (double)NAN, "density");
    assertRefused(v, 8, t, 12, (double)INFINITY, "density");
    assertRefused(v, 7, t, 12, 1, "uses vertex 7, but there are 7");
    assertRefused(v, 8, t, 11, 1, "not closed");
    snMessage why;
    assert_int_equal(snMass_Mesh(v, 8, t, 12, 1, NULL, &why), sn_errorArgument);

    t[5] = -1;
    assertRefused(v, 8, t, 12, 1, "triangle 1 of the mesh uses vertex -1");
    makeBox(&mesh, 1, 1, 1);
    mesh.vertices[10] = (double)NAN;
    assertRefused(v, 8, t, 12, 1, "vertex 3 of the mesh is not a finite");
    mesh.vertices[10] = (double)-INFINITY;
    assertRefused(v, 8, t, 12, 1, "vertex 3 of the mesh is not a finite");

    makeBox(&mesh, 1, 1, 1); // one face turned round
    int32_t swap = t[7];
    t[7] = t[8], t[8] = swap;
    assertRefused(v, 8, t, 12, 1, "not closed");

    makeBox(&mesh, 1, 1, 1); // all faces turned round
    for (int i = 0; i < 12; ++i) {
        swap = t[3 * i], t[3 * i] = t[3 * i + 1], t[3 * i + 1] = swap;
    }
    assertRefused(v, 8, t, 12, 1, "inside out");
}

static void flatMeshesAreRefusedAnywhere(void** state)
{
    (void)state;
    snRandom r = snRandom_Seed(6);
    for (int n = 0; n < 500; ++n) {
        makeBox(&mesh, 1, 0.7, 0);
        if (n > 0) {
            placeMesh(&mesh, randomQuat(&r), randomVec(&r, n % 2 ? 1 : 1e3));
        }
        assertRefused(mesh.vertices, 8, mesh.triangles, 12, 1, "flat");
    }
}

// A sheet of a tenth of a millimetre on a metre is thin, not flat.
static void thinMeshesAreFine(void** state)
{
    (void)state;
    snRandom r = snRandom_Seed(7);
    for (int n = 0; n < 50; ++n) {
        makeBox(&mesh, 0.5, 0.5, 0.5e-4);
        placeMesh(&mesh, randomQuat(&r), randomVec(&r, 10));
        snMass m = massOf(&mesh, 1000);
        assert_relative(m.mass, 0.1, 1e-9, 0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(boxesAnywhere),
        cmocka_unit_test(tetrahedraAnywhere),
        cmocka_unit_test(capsulesAreTheLimitOfMeshes),
        cmocka_unit_test(aThinCapsuleIsARod),
        cmocka_unit_test(addingIsTheUnion),
        cmocka_unit_test(twoBoxesAreOnePiece),
        cmocka_unit_test(pointsAndTheirSums),
        cmocka_unit_test(badMeshesAreRefused),
        cmocka_unit_test(flatMeshesAreRefusedAnywhere),
        cmocka_unit_test(thinMeshesAreFine),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
