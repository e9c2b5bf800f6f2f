// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0
// label: full

// Friction on a slope: what sticks, what slides, what rolls. The slope is an obstacle.
#include "sim/obstacles.h"

#define DEGREE (SN_PI / 180)
#define FRICTION 0.6

static const snVec3 HALF = {0.15, 0.05, 0.15};

typedef struct Slope {
    snScene* scene;
    snSim* sim;
    double angle;
} Slope;

static Slope openSlope(double angle, double friction)
{
    Slope s = {.angle = angle};
    snMessage why;
    snSceneDef def;
    snSceneDef_Init(&def);
    def.friction = friction;
    assert_ok(snScene_Create(NULL, &def, &s.scene, &why), why);
    addSlope(s.scene, angle);
    return s;
}

static void closeSlope(Slope* s)
{
    snSim_Free(s->sim);
    snScene_Free(s->scene);
}

static snTransform onSlope(const Slope* s, double above)
{
    snTransform pose = {{0, 0, 0}, snQFromAxisAngle(snV3(0, 0, 1), -s->angle)};
    pose.p = snQRotate(pose.q, snV3(0, above, 0));
    return pose;
}

static void addBlock(Slope* s)
{
    snMessage why;
    snStart start;
    snStart_Init(&start);
    start.pose = onSlope(s, HALF.y);
    snCharacterDef def;
    snCharacterDef_Init(&def);
    def.name = "block";
    def.cells = 150;
    def.material.young = 200e3;
    snCharacter* block = buildBlock(&def, HALF);
    assert_ok(snScene_Add(s->scene, block, &start, NULL, &why), why);
    snCharacter_Release(block);
}

// Where along the slope the first body is, and how fast.
static void alongSlope(Slope* s, bool rigid, double* x, double* v)
{
    const snFrame* f = snSim_Frame(s->sim);
    const snMomentum* m = rigid ? &f->obstacles[1].momentum : &f->characters[0].momentum;
    snVec3 down = snQRotate(snQFromAxisAngle(snV3(0, 0, 1), -s->angle), snV3(1, 0, 0));
    assert_int_equal(f->guard.retries, 0);
    *x = snDot(m->com, down);
    *v = snDot(m->linear, down) / m->mass;
}

// A scene needs a character: a rigid block has a soft one far away for company.
static void addRigid(Slope* s, const snShapeDef* shape, double above)
{
    snMessage why;
    snStart start;
    addObstacle(s->scene, shape, onSlope(s, above), 2, snV3(0, 0, 0), snV3(0, 0, 0));
    snStart_Init(&start);
    start.pose.p = snV3(0, 0, 1000); // it falls beside the slope
    snCharacter* block = makeBlock(HALF, 60);
    assert_ok(snScene_Add(s->scene, block, &start, NULL, &why), why);
    snCharacter_Release(block);
}

static double coneAngle(void)
{
    return snAtan2(FRICTION, 1);
}

static void blockSticks(bool rigid)
{
    snShapeDef box = boxShape(HALF);
    Slope s = openSlope(coneAngle() - 5 * DEGREE, FRICTION);
    if (rigid) {
        addRigid(&s, &box, HALF.y);
    } else {
        addBlock(&s);
    }
    s.sim = startSim(s.scene);
    double from, to, v;
    advance(s.sim, 1.5);
    alongSlope(&s, rigid, &from, &v);
    advance(s.sim, 10);
    alongSlope(&s, rigid, &to, &v);
    print_message("%s, 5 degrees below the friction angle: creeps %.2g mm in 10 s\n",
                  rigid ? "rigid" : "soft", 1e3 * (to - from));
    assert_below(fabs(to - from), 1e-3);
    closeSlope(&s);
}

static void blockSlides(bool rigid)
{
    snShapeDef box = boxShape(HALF);
    Slope s = openSlope(coneAngle() + 5 * DEGREE, FRICTION);
    if (rigid) {
        addRigid(&s, &box, HALF.y);
    } else {
        addBlock(&s);
    }
    s.sim = startSim(s.scene);
    double x, from, to;
    advance(s.sim, 0.5);
    alongSlope(&s, rigid, &x, &from);
    advance(s.sim, 1.5);
    alongSlope(&s, rigid, &x, &to);
    double found = (to - from) / 1.5;
    double due = 9.81 * (snSin(s.angle) - FRICTION * snCos(s.angle));
    print_message("%s, 5 degrees above: accelerates with %.4f m/s^2, by Coulomb %.4f\n",
                  rigid ? "rigid" : "soft", found, due);
    assert_relative(found, due, 0.05, 0);
    closeSlope(&s);
}

static void blocksStickBelowTheFrictionAngle(void** state)
{
    (void)state;
    blockSticks(false);
    blockSticks(true);
}

static void blocksSlideAboveTheFrictionAngle(void** state)
{
    (void)state;
    blockSlides(false);
    blockSlides(true);
}

// A ball of flesh: an octahedron cut several times.
static snCharacter* makeBall(double radius, int cuts, double young)
{
    static snVec3 x[8 * 65 * 65];
    static int32_t t[3 * 8 * 64 * 64];
    int32_t vertices = 0, triangles = 0;
    for (int side = 0; side < 8; ++side) {
        snVec3 a = snV3(side & 1 ? -1 : 1, 0, 0), b = snV3(0, side & 2 ? -1 : 1, 0);
        snVec3 c = snV3(0, 0, side & 4 ? -1 : 1);
        bool turned = snDot(a, snCross(b, c)) < 0;
        int32_t first = vertices;
        for (int i = 0; i <= cuts; ++i) {
            for (int k = 0; k <= cuts - i; ++k) {
                snVec3 p = snAdd(snScale(cuts - i - k, a), snAdd(snScale(i, b), snScale(k, c)));
                x[vertices++] = snScale(radius, snNormalize(p));
            }
        }
        for (int i = 0, row = first; i < cuts; row += cuts - i + 1, ++i) {
            int next = row + cuts - i + 1;
            for (int k = 0; k < cuts - i; ++k) {
                int32_t one[3] = {row + k, next + k, row + k + 1};
                int32_t two[3] = {row + k + 1, next + k, next + k + 1};
                for (int n = 0; n < (k < cuts - i - 1 ? 2 : 1); ++n, ++triangles) {
                    const int32_t* from = n ? two : one;
                    t[3 * triangles] = from[0];
                    t[3 * triangles + 1] = from[turned ? 2 : 1];
                    t[3 * triangles + 2] = from[turned ? 1 : 2];
                }
            }
        }
    }
    snMessage why;
    snCharacterDef def;
    snCharacter* ball = NULL;
    snCharacterDef_Init(&def);
    def.name = "ball";
    def.vertex_count = vertices;
    def.triangle_count = triangles;
    def.vertices = &x->x;
    def.triangles = t;
    def.cells = 500;
    def.material.young = young;
    def.material.damping = 1; // rolling works flesh, and damping of it resists
    assert_ok(snCharacter_Build(NULL, &def, &ball, &why), why);
    return ball;
}

static void ballsRoll(void** state)
{
    (void)state;
    static const double SLOPES[] = {0.1, 0.5};
    for (int i = 0; i < 2; ++i) {
        Slope s = openSlope(snAtan2(SLOPES[i], 1), FRICTION);
        snMessage why;
        snStart start;
        snStart_Init(&start);
        start.pose = onSlope(&s, 0.2);
        snCharacter* ball = makeBall(0.2, 32, 1e7);
        assert_ok(snScene_Add(s.scene, ball, &start, NULL, &why), why);
        snCharacter_Release(ball);
        s.sim = startSim(s.scene);
        double x, from, to;
        advance(s.sim, 0.5);
        alongSlope(&s, false, &x, &from);
        advance(s.sim, 1);
        alongSlope(&s, false, &x, &to);
        double due = 5.0 / 7 * 9.81 * snSin(s.angle);
        print_message(
            "slope %.1f: a stiff ball rolls with %.4f m/s^2, 5/7 g sin = %.4f; step %.3f ms, "
            "%.2f mm deep\n",
            SLOPES[i], to - from, due, 1e3 * snSim_Step(s.sim),
            1e3 * snSim_Frame(s.sim)->characters[0].depth);
        assert_relative(to - from, due, 0.1, 0);
        closeSlope(&s);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(blocksStickBelowTheFrictionAngle),
        cmocka_unit_test(blocksSlideAboveTheFrictionAngle),
        cmocka_unit_test(ballsRoll),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
