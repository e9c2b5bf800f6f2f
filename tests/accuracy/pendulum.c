// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0
// label: full

// Bones: the period of a pendulum at any amplitude, energy, and how errors fall with the step.
#include "accuracy/table.h"
#include "math/trig.h"
#include "math/vec.h"
#include "sim/puppet.h"

#define LENGTH 0.5 // m, of a rod that hangs by its end

static Table table = {.test = "accuracy_pendulum"};

static snSkeleton* makeRod(double* slow)
{
    snBoneDef b;
    snMessage why;
    snSkeleton* skeleton = NULL;
    snBoneDef_Init(&b);
    b.name = "rod";
    b.joint = sn_jointRevolute;
    b.axis = snV3(0, 0, 1);
    b.tip = snV3(0, -LENGTH, 0);
    b.mass = snMass_Capsule(snV3(0, 0, 0), b.tip, 0.02, 1000);
    double arm = -b.mass.com.y, turn = b.mass.inertia.zz + b.mass.mass * arm * arm;
    *slow = sqrt(b.mass.mass * SN_GRAVITY * arm / turn); // rad/s, of small swings
    assert_ok(snSkeleton_Create(NULL, &b, 1, &skeleton, &why), why);
    return skeleton;
}

// Time from the angle `from` through two zeros, by interpolation: half a period lies between them.
static double periodOf(snSkeleton* skeleton, double from, double step, double* gain)
{
    snMessage why;
    snStart start;
    snSceneDef def;
    snScene* scene = NULL;
    double zeros[3] = {0}, before = from, first = 0;
    int count = 0;
    snSceneDef_Init(&def);
    def.frame_rate = 1 / step;
    def.step = step;
    snStart_Init(&start);
    start.q = &from;
    assert_ok(snScene_Create(NULL, &def, &scene, &why), why);
    snSkeleton_Retain(skeleton);
    addPuppet(NULL, scene, skeleton, &start);
    snSim* sim = startSim(scene);
    *gain = 0;
    while (count < 3) {
        advance(sim, step);
        const snFrameCharacter* c = &snSim_Frame(sim)->characters[0];
        double now = c->q[0], all = c->energy.kinetic + c->energy.gravity;
        first = before == from ? all : first;
        *gain = fmax(*gain, fabs(all - first) / c->momentum.mass / SN_GRAVITY / LENGTH);
        if (before * now < 0) {
            zeros[count++] = snSim_Time(sim) - step * now / (now - before);
        }
        before = now;
    }
    snSim_Free(sim);
    snScene_Free(scene);
    return zeros[2] - zeros[0];
}

// 2 pi / slow for small swings, longer by the arithmetic-geometric mean of 1 and cos(angle/2).
static double periodByTheory(double slow, double angle)
{
    double a = 1, b = snCos(0.5 * angle);
    for (int i = 0; i < 8; ++i) {
        double mean = 0.5 * (a + b);
        b = sqrt(a * b);
        a = mean;
    }
    return 2 * SN_PI / (slow * a);
}

static void periodsAreThoseOfTheory(void** state)
{
    (void)state;
    static const double ANGLES[4] = {0.1, 1, 2, 3}, STEP = 1e-3;
    double slow, gain;
    snSkeleton* rod = makeRod(&slow);
    for (int i = 0; i < 4; ++i) {
        char what[100];
        double due = periodByTheory(slow, ANGLES[i]);
        snprintf(what, sizeof what, "period of a rod that swings by %g rad, s, step 1 ms",
                 ANGLES[i]);
        addFigure(&table, what, due, periodOf(rod, ANGLES[i], STEP, &gain), 1e-5,
                  "elliptic integral");
        snprintf(what, sizeof what, "its energy, of m g l, %g rad", ANGLES[i]);
        addError(&table, what, gain, 2e-5, "");
    }
    snSkeleton_Release(rod);
}

static void errorsFallWithTheSquareOfTheStep(void** state)
{
    (void)state;
    double slow, gain, error[3];
    snSkeleton* rod = makeRod(&slow);
    for (int i = 0; i < 3; ++i) {
        error[i] = fabs(periodOf(rod, 2, 8e-3 / (1 << i), &gain) - periodByTheory(slow, 2));
    }
    addFigure(&table, "order in the step of the period's error, 8 to 4 ms", 2,
              log2(error[0] / error[1]), 0.05, "midpoint");
    addFigure(&table, "order in the step of the period's error, 4 to 2 ms", 2,
              log2(error[1] / error[2]), 0.05, "midpoint");
    snSkeleton_Release(rod);
    closeTable(&table);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(periodsAreThoseOfTheory),
        cmocka_unit_test(errorsFallWithTheSquareOfTheStep),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
