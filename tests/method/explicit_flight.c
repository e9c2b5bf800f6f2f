// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0
// label: full

// The laws of mechanics for bones and flesh together: momentum in free flight, energy without
// damping. explicit_flight_long.c flies longer.
#include "accuracy/table.h"
#include "character/character.h"
#include "math/twist.h"
#include "method/flight.h"
#include "skel/joint.h"

#define SECONDS 2.0

static Table table = {.test = "method_explicit_flight"};

static void momentumErrorsFallAtTheIntegratorsOrder(void** state)
{
    (void)state;
    checkOrder(SECONDS);
    for (int32_t integrator = 0; integrator < 2; ++integrator) {
        char what[100];
        Errors coarse = fly(SECONDS, 1.0 / 480, integrator, 0);
        Errors fine = fly(SECONDS, 1.0 / 960, integrator, 0);
        snprintf(what, sizeof what, "order in the step of the momentum's error, %s, not corrected",
                 snIntegrator_Name(integrator));
        addFigure(&table, what, integrator ? 1 : 2, log2(coarse.angular / fine.angular), 0.15, "");
    }
}

static void correctedMomentumStays(void** state)
{
    (void)state;
    for (int32_t integrator = 0; integrator < 2; ++integrator) {
        char what[100];
        Errors e = fly(SECONDS, 1e-3, integrator, 1);
        snprintf(what, sizeof what, "momentum of a starfish that beats its arms, %s, relative",
                 snIntegrator_Name(integrator));
        addError(&table, what, e.linear, 1e-6, "against Σ m v");
        snprintf(what, sizeof what, "its angular momentum, %s, relative",
                 snIntegrator_Name(integrator));
        addError(&table, what, e.angular, 1e-6, "against Σ m r v");
    }
}

// Energy ----------------------------------------------------------------------

// What the flesh and its skeleton hold between two steps: elastic energy where forces were taken,
// x at the middle, and 1/2 m v- . v+ of the velocities before and after. The leapfrog keeps it to
// second order without drift, as it does not the plain sum at one instant.
typedef struct Balance {
    const snCharacter* character;
    snDynamics* bones;
    double h;
    double *q, *qd, *M; // before the step; mass matrix
    snVec4f* x;         // at the middle
    float* v;           // before
    void* work;
    snTasks* tasks;
} Balance;

static void openBalance(Balance* b, const snCharacter* c, double h)
{
    snMessage why;
    snSkeleton* s = c->flesh.skeleton;
    size_t nodes = (size_t)c->flesh.tets.node_count, nv = (size_t)s->nv;
    *b = (Balance){.character = c, .h = h};
    assert_ok(snDynamics_Create(NULL, s, &b->bones, &why), why);
    assert_ok(snTasks_Create(NULL, &b->tasks, &why), why);
    b->q = malloc((size_t)s->nq * sizeof(double));
    b->qd = malloc(nv * sizeof(double));
    b->M = malloc(nv * nv * sizeof(double));
    b->x = aligned_alloc(64, (nodes * sizeof(snVec4f) + 63) / 64 * 64);
    b->v = malloc(3 * nodes * sizeof(float));
    b->work = aligned_alloc(64, snCells_WorkSize(c->flesh.cells) + 64);
}

static void closeBalance(Balance* b)
{
    snDynamics_Free(b->bones);
    snTasks_Free(b->tasks);
    free(b->q);
    free(b->qd);
    free(b->M);
    free(b->x);
    free(b->v);
    free(b->work);
}

static void takeBefore(Balance* b, const snFrameCharacter* c)
{
    const snSkeleton* s = b->character->flesh.skeleton;
    for (int32_t i = 0; i < s->bone_count; ++i) {
        const snBone* bone = &s->bones[i];
        snJoint_Integrate(bone->type, c->q + bone->qi, c->qd + bone->vi, 0.5 * b->h,
                          b->q + bone->qi);
    }
    memcpy(b->qd, c->qd, (size_t)s->nv * sizeof(double));
    memcpy(b->v, c->node_velocities, 3 * (size_t)c->node_count * sizeof(float));
    for (int32_t i = 0; i < c->node_count; ++i) {
        const float *x = c->nodes + 3 * (size_t)i, *v = c->node_velocities + 3 * (size_t)i;
        float half = (float)(0.5 * b->h);
        b->x[i] = (snVec4f){x[0] + half * v[0], x[1] + half * v[1], x[2] + half * v[2], 0};
    }
}

// Fixed nodes sit on bones at the middle of the step, not on straight lines.
static void placeFixed(Balance* b)
{
    const snFlesh* f = &b->character->flesh;
    for (int32_t k = 0; k < f->skeleton->bone_count; ++k) {
        for (int32_t i = f->fixed_begin[k]; i < f->fixed_begin[k + 1]; ++i) {
            snVec3 p = snDynamics_Point(b->bones, k, f->fixed[i].place);
            b->x[f->fixed[i].node] = (snVec4f){(float)p.x, (float)p.y, (float)p.z, 0};
        }
    }
}

static double energyBetween(Balance* b, const snFrameCharacter* after, double* kinetic)
{
    const snFlesh* f = &b->character->flesh;
    int32_t nv = f->skeleton->nv;
    double zero[64] = {0}, sum = 0;
    snMessage why;
    assert_ok(snDynamics_SetState(b->bones, b->q, zero, &why), why);
    snDynamics_MassMatrix(b->bones, b->M);
    for (int32_t i = 0; i < nv; ++i) {
        for (int32_t k = 0; k < nv; ++k) {
            sum += 0.5 * b->qd[i] * b->M[i * nv + k] * after->qd[k];
        }
    }
    for (int32_t i = 0; i < f->tets.node_count; ++i) {
        const float *u = b->v + 3 * (size_t)i, *w = after->node_velocities + 3 * (size_t)i;
        double dot = (double)(u[0] * w[0] + u[1] * w[1] + u[2] * w[2]);
        sum += f->inverse_mass[i] > 0 ? 0.5 * (double)f->node_mass[i] * dot : 0;
    }
    *kinetic = sum;
    placeFixed(b);
    return sum + snCells_Energy(f->cells, b->tasks, sn_isaBaseline, b->x, b->work);
}

// A starfish without dampers lets its bent arms go.
static double energyDrift(double share)
{
    snMessage why;
    const double seconds = 2;
    snCharacter* given;
    snCharacter* c;
    assert_ok(snBuiltinCharacter_Find("starfish")->make(NULL, &given, &why), why);
    const snFleshInfo* info = snCharacter_Flesh(given);
    snCharacterDef body;
    snCharacterDef_Init(&body);
    body.skeleton = snCharacter_Skeleton(given);
    body.vertex_count = info->vertex_count;
    body.triangle_count = info->triangle_count;
    body.vertices = info->vertices;
    body.triangles = info->triangles;
    body.cells = 1500;
    body.material.damping = 0;
    assert_ok(snCharacter_Build(NULL, &body, &c, &why), why);

    double h = share * snCharacter_Flesh(c)->stable_step;
    snSceneDef def;
    snSceneDef_Init(&def);
    def.gravity = snV3(0, 0, 0);
    def.frame_rate = 1 / h;
    def.step = h;
    snScene* scene;
    snStart start_def;
    snStart_Init(&start_def);
    double q[64];
    snSkeleton_ZeroPose(body.skeleton, q);
    for (int32_t i = 7; i < c->skeleton->nq; ++i) {
        q[i] = 0.04 * (i % 2 ? 1 : -1);
    }
    start_def.q = q;
    start_def.spin = snV3(0.2, 0.4, 0.1);
    assert_ok(snScene_Create(NULL, &def, &scene, &why), why);
    assert_ok(snScene_Set(scene, NULL, "keep_momentum", "false", &why), why);
    assert_ok(snScene_Add(scene, c, &start_def, NULL, &why), why);
    snSim* sim = start(scene);
    Balance b;
    openBalance(&b, c, 1 / def.frame_rate);
    double first = 0, worst = 0, most_kinetic = 0, least_kinetic = HUGE_VAL;
    for (int i = 0; i < seconds / h; ++i) {
        takeBefore(&b, &snSim_Frame(sim)->characters[0]);
        advance(sim, 1 / def.frame_rate);
        double kinetic;
        double now = energyBetween(&b, &snSim_Frame(sim)->characters[0], &kinetic);
        first = i == 0 ? now : first;
        worst = fmax(worst, fabs(now - first));
        most_kinetic = fmax(most_kinetic, kinetic);
        least_kinetic = fmin(least_kinetic, kinetic);
        assert_int_equal(snSim_Frame(sim)->guard.retries, 0);
    }
    print_message("%.0f %% of the stable step (%.2f ms): energy %.4g J within %.3g %%, kinetic "
                  "%.3g..%.3g J\n",
                  100 * share, 1e3 * h, first, 100 * worst / first, least_kinetic, most_kinetic);
    // it really moves: energy goes to and fro
    assert_true(most_kinetic - least_kinetic > 0.1 * first);
    closeBalance(&b);
    snSim_Free(sim);
    snScene_Free(scene);
    snCharacter_Release(c);
    snCharacter_Release(given);
    return worst / first;
}

// For 2 s. In ten, at 75 % of the step, equipartition has thrown the lightest nodes so far that
// their cells are stiffer than the step bears: the guard steps in after about four.
static void undampedEnergyStays(void** state)
{
    (void)state;
    addError(&table, "energy of undamped flesh on bones in 2 s, 0.40 of the stable step, relative",
             energyDrift(0.40), 0.015, "");
    addError(&table, "energy of undamped flesh on bones in 2 s, 0.75 of the stable step, relative",
             energyDrift(0.75), 0.05, "");
    closeTable(&table);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(momentumErrorsFallAtTheIntegratorsOrder),
        cmocka_unit_test(correctedMomentumStays),
        cmocka_unit_test(undampedEnergyStays),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
