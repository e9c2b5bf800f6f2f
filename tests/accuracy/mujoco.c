// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0
// label: full
// needs: mujoco

// The same bodies in MuJoCo: a chain of four links, a block that slides, and one that sticks.
#include "accuracy/bodies.h"
#include "accuracy/table.h"
#include "bench/peers/mjcf.h"
#include "bench/peers/mujoco_model.h"

#define FRICTION 0.5
#define SPEED 2.0  // m/s
#define STEP 1e-3  // s, in both programs
#define EXACT 5e-5 // s, of MuJoCo's fourth-order scheme, which is then right to 1e-12
#define LINKS 4

static Table table = {.test = "accuracy_mujoco"};

static mjModel* loadModel(const char* text, double step, int integrator)
{
    char error[500] = "no memory";
    mjModel* m = loadMujocoModel(text, error, sizeof error);
    if (!m) {
        print_error("%s\n%s", error, text);
    }
    assert_non_null(m);
    m->opt.timestep = step;
    m->opt.integrator = integrator;
    return m;
}

// A chain ---------------------------------------------------------------------

// Angles of the built-in chain of pendulums after some time in MuJoCo, and how its energy changed
// at most, of m g l.
static double swingInMujoco(snSkeleton* skeleton, double step, int integrator, double seconds,
                            double* q)
{
    snMjcf mjcf;
    snMessage why;
    assert_ok(snMjcf_Write(skeleton, snV3(0, -SN_GRAVITY, 0), &mjcf, &why), why);
    mjModel* m = loadModel(mjcf.text, step, integrator);
    m->opt.enableflags |= mjENBL_ENERGY;
    mjData* d = mj_makeData(m);
    double first = 0, worst = 0, scale = snSkeleton_Mass(skeleton) * SN_GRAVITY * 0.5 * LINKS;
    assert_non_null(d);
    mj_forward(m, d);
    first = d->energy[0] + d->energy[1];
    for (int i = 0; i < (int)(seconds / step + 0.5); ++i) {
        mj_step(m, d);
        worst = fmax(worst, fabs(d->energy[0] + d->energy[1] - first));
    }
    for (int i = 0; i < LINKS; ++i) {
        q[i] = d->qpos[mjcf.bones[i].qpos];
    }
    mj_deleteData(d);
    mj_deleteModel(m);
    snMjcf_Free(&mjcf);
    return worst / scale;
}

static double swingHere(snScene* scene, double step, double seconds, double* q)
{
    snMessage why;
    snSceneDef def = *snScene_Def(scene);
    def.frame_rate = 1 / step;
    def.step = step;
    assert_ok(snScene_SetDef(scene, &def, &why), why);
    snSim* sim = startSim(scene);
    const snFrameCharacter* c = &snSim_Frame(sim)->characters[0];
    double first = c->energy.kinetic + c->energy.gravity, worst = 0;
    double scale = c->momentum.mass * SN_GRAVITY * 0.5 * LINKS;
    while (snSim_Time(sim) < seconds - 0.5 * step) {
        advance(sim, step);
        c = &snSim_Frame(sim)->characters[0];
        worst = fmax(worst, fabs(c->energy.kinetic + c->energy.gravity - first));
    }
    memcpy(q, c->q, LINKS * sizeof(double));
    snSim_Free(sim);
    return worst / scale;
}

static double apart(const double* a, const double* b)
{
    double most = 0;
    for (int i = 0; i < LINKS; ++i) {
        most = fmax(most, fabs(a[i] - b[i]));
    }
    return most;
}

static void chainsSwingAlike(void** state)
{
    (void)state;
    snMessage why;
    snScene* scene = NULL;
    double exact[LINKS], plain[LINKS], coarse[LINKS], fine[LINKS];
    char note[100];
    assert_ok(snBuiltinScene_Find("pendulum_chain")->make(NULL, &scene, &why), why);
    snSkeleton* skeleton = snCharacter_Skeleton(snScene_Character(scene, 0));
    swingInMujoco(skeleton, EXACT, mjINT_RK4, 1, exact);
    swingInMujoco(skeleton, STEP, mjINT_EULER, 1, plain);
    swingHere(scene, STEP, 1, coarse);
    swingHere(scene, 0.5 * STEP, 1, fine);
    snprintf(note, sizeof note, "MuJoCo's Euler with 1 ms: %.1e", apart(plain, exact));
    addError(&table, "angles of a chain of four links after 1 s, rad, step 1 ms",
             apart(coarse, exact), 1e-3, note);
    addFigure(&table, "order in the step of that error, 1 to ½ ms", 2,
              log2(apart(coarse, exact) / apart(fine, exact)), 0.1, "");
    snprintf(note, sizeof note, "MuJoCo's Euler: %.1e",
             swingInMujoco(skeleton, STEP, mjINT_EULER, 10, plain));
    addError(&table, "energy of the chain in 10 s, of m g l, step 1 ms",
             swingHere(scene, STEP, 10, coarse), 0.02, note);
    snScene_Free(scene);
}

// A block ------------------------------------------------------------------------

// x after some seconds of a rigid block on flat ground under such gravity.
static double slideInMujoco(snVec3 g, double speed, double from, double to)
{
    char text[1000];
    snprintf(
        text, sizeof text,
        "<mujoco><option gravity='%.17g %.17g %.17g' cone='elliptic' impratio='10'/><worldbody>"
        "<geom type='plane' size='50 50 1' friction='%g 0 0'/>"
        "<body pos='0 0 0.05'><freejoint/>"
        "<geom type='box' size='0.15 0.15 0.05' mass='2' friction='%g 0 0'/></body>"
        "</worldbody></mujoco>",
        g.x, g.z, g.y, FRICTION, FRICTION); // up is z there
    mjModel* m = loadModel(text, STEP, mjINT_EULER);
    mjData* d = mj_makeData(m);
    assert_non_null(d);
    d->qvel[0] = speed;
    double begun = 0;
    for (int i = 0; i < (int)(to / STEP + 0.5); ++i) {
        begun = i == (int)(from / STEP + 0.5) ? d->qpos[0] : begun;
        mj_step(m, d);
    }
    double way = d->qpos[0] - begun;
    mj_deleteData(d);
    mj_deleteModel(m);
    return way;
}

static double slideHere(snVec3 g, double speed, double from, double to)
{
    Stage s = planStage(true);
    snShapeDef box = boxShape(snV3(0.15, 0.05, 0.15));
    s.def.gravity = g;
    s.def.friction = FRICTION;
    s.def.step = STEP;
    s.def.frame_rate = 1 / STEP;
    addRigid(&s, &box, 2, poseAt(snV3(0, 0.05, 0)), snV3(speed, 0, 0));
    s.sim = startSim(s.scene);
    advance(s.sim, from);
    double begun = from > 0 ? momentumOf(&s).com.x : 0;
    advance(s.sim, to - from);
    double way = momentumOf(&s).com.x - begun;
    closeStage(&s);
    return way;
}

static void blocksSlideAndStickAlike(void** state)
{
    (void)state;
    char note[100];
    snVec3 flat = snV3(0, -SN_GRAVITY, 0);
    double slope = 0.95 * FRICTION, norm = SN_GRAVITY / sqrt(1 + slope * slope);
    snVec3 tilted = snV3(slope * norm, -norm, 0);
    snprintf(note, sizeof note, "MuJoCo: %.5f", slideInMujoco(flat, SPEED, 0, 1));
    addFigure(&table, "way of a rigid block from 2 m/s, m, step 1 ms",
              SPEED * SPEED / (2 * FRICTION * SN_GRAVITY), slideHere(flat, SPEED, 0, 1), 1e-3,
              note);
    snprintf(note, sizeof note, "MuJoCo: %.1e", fabs(slideInMujoco(tilted, 0, 2, 12)));
    addError(&table, "creep of a rigid block at 0.95 μ in 10 s, m, step 1 ms",
             fabs(slideHere(tilted, 0, 2, 12)), 1e-6, note);
    closeTable(&table);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(chainsSwingAlike),
        cmocka_unit_test(blocksSlideAndStickAlike),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
