// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0
// label: quick

// Scripts: lists of drives by time, and poses that a joint moves to from wherever it is.
#include "base/random.h"
#include "control/drive.h"
#include "math/quat.h"
#include "sim/puppet.h"
#include "skel/joint.h"

// A joint that lands does so up to what a step of 1 ms leaves: its last step of braking.
#define LANDING 1e-5

static snDrive* makeDrive(const snSkeleton* s, double begin, double value)
{
    snDriveDef def;
    snDriveDef_Init(&def);
    snDrive* d = NULL;
    snMessage why;
    snHost host;
    assert_ok(snHost_Take(NULL, &host, &why), why);
    def.kind = sn_driveTorque;
    def.begin = begin;
    def.value[0] = value;
    assert_ok(snDrive_Create(&host, s, &def, &d, &why), why);
    return d;
}

static double valueAt(const snDrive* list, double t)
{
    const snDrive* d = snDrive_At(list, t);
    return d ? d->value[0] : -1;
}

// The last one that has begun acts; a new one removes those of its time and later.
static void listsByTime(void** state)
{
    (void)state;
    snSkeleton* s = makeSingle(sn_jointRevolute);
    snDrive* list = NULL;
    assert_null(snDrive_At(NULL, 1));
    snDrive_Insert(&list, makeDrive(s, 1, 10));
    snDrive_Insert(&list, makeDrive(s, 2, 20));
    snDrive_Insert(&list, makeDrive(s, 3, 30));
    static const double AT[][2] = {{0, -1}, {0.99, -1}, {1, 10}, {1.99, 10}, {2, 20}, {5, 30}};
    for (size_t i = 0; i < sizeof AT / sizeof *AT; ++i) {
        assert_close(valueAt(list, AT[i][0]), AT[i][1], 0);
    }
    assert_close(valueAt(list, 3 - 1e-12), 30, 0); // rounding of time
    snDrive_Insert(&list, makeDrive(s, 2, 21));
    assert_close(valueAt(list, 5), 21, 0);
    assert_close(valueAt(list, 1.5), 10, 0);
    snDrive_Insert(&list, makeDrive(s, 0, 1));
    assert_close(valueAt(list, 5), 1, 0);
    assert_null(list->next);
    snDrive_Free(list);
    snSkeleton_Release(s);
}

// A pose drive of a single joint, followed as a step follows accelerations.
typedef struct Move {
    snSkeleton* skeleton;
    snDrive* drive;
    snArena arena;
    snCommandArrays arrays;
    double q[7], qd[6], pose[7];
    double fastest, hardest; // rate and acceleration so far
    double jump;             // largest change of acceleration from step to step, after the first
} Move;

static void makeMove(snRandom* r, int32_t joint, double begin, double end, Move* m)
{
    memset(m, 0, sizeof *m);
    m->skeleton = makeSingle(joint);
    int32_t nq = snJoint_Shape(joint)->nq;
    for (int32_t k = 0; k < nq; ++k) {
        m->q[k] = snRandom_Range(r, -1, 1), m->pose[k] = snRandom_Range(r, -1, 1);
    }
    if (joint == sn_jointBall || joint == sn_jointFree) {
        double *a = m->q + nq - 4, *b = m->pose + nq - 4;
        snStoreQ(a, snQNormalize(snQ(a[0], a[1], a[2], 1 + a[3])));
        snStoreQ(b, snQNormalize(snQ(b[0], b[1], b[2], 1 + b[3])));
    }
    snDriveDef def;
    snMessage why;
    snHost host;
    assert_ok(snHost_Take(NULL, &host, &why), why);
    snDriveDef_Init(&def);
    def.kind = sn_drivePose;
    def.begin = begin, def.end = end;
    def.key_count = 1, def.keys = m->pose;
    assert_ok(snDrive_Create(&host, m->skeleton, &def, &m->drive, &why), why);
    snArena_Init(&m->arena, NULL);
    snCommandArrays_Push(&m->arrays, m->skeleton, &m->arena);
}

static void freeMove(Move* m)
{
    snArena_Free(&m->arena);
    snDrive_Free(m->drive);
    snSkeleton_Release(m->skeleton);
}

static double awayFrom(const Move* m)
{
    double error[6], sum = 0;
    int32_t joint = m->skeleton->bones[0].type;
    snJoint_Difference(joint, m->q, m->pose, error);
    for (int32_t k = 0; k < m->skeleton->nv; ++k) {
        sum += error[k] * error[k];
    }
    return sqrt(sum);
}

static void run(Move* m, double from, double to, double h, bool midpoint)
{
    const snBone* b = &m->skeleton->bones[0];
    double before[6] = {0};
    int steps = (int)((to - from) / h + 0.5);
    for (int i = 0; i < steps; ++i) {
        snDriveStep step = {from + i * h, h, m->q, m->qd};
        snDrive_CommandStep(m->skeleton, &m->drive, &step, &m->arrays);
        double half[7];
        snJoint_Integrate(b->type, m->q, m->qd, midpoint ? 0.5 * h : 0, half);
        for (int32_t k = 0; k < b->nv; ++k) {
            double a = m->arrays.qdd[k];
            m->jump = i > 0 ? fmax(m->jump, fabs(a - before[k])) : 0;
            m->hardest = fmax(m->hardest, fabs(a));
            before[k] = a;
            m->qd[k] += h * a;
            m->fastest = fmax(m->fastest, fabs(m->qd[k]));
        }
        snJoint_Integrate(b->type, half, m->qd, midpoint ? 0.5 * h : h, m->q);
    }
}

// From rest: all types arrive on time, at rest, by the smooth quintic: its largest rate is 15/8 of
// the mean one, its largest acceleration 5.77 of the way over the time squared, and it jumps
// nowhere. Afterwards they stay.
static void posesFromRest(void** state)
{
    (void)state;
    snRandom r = snRandom_Seed(1);
    for (int32_t joint = sn_jointRevolute; joint < sn_jointTypeCount; ++joint) {
        for (int round = 0; round < 6; ++round) {
            Move m;
            double T = round % 2 ? 0.3 : 1.7, begin = round % 3;
            makeMove(&r, joint, begin, begin + T, &m);
            double way = awayFrom(&m);
            run(&m, begin, begin + T, 1e-3, round < 3);
            assert_below(awayFrom(&m), LANDING * way);
            assert_below(m.fastest, 1.9 * way / T);
            assert_below(m.hardest, 5.9 * way / (T * T));
            // the jerk of a quintic is at most 60 way / T^3
            assert_below(m.jump, 1.5e-3 * 60 * way / (T * T * T));
            for (int32_t k = 0; k < m.skeleton->nv; ++k) {
                assert_close(m.qd[k], 0, 1e-3 * way / T);
            }
            run(&m, begin + T, begin + T + 1, 1e-3, round < 3);
            assert_below(awayFrom(&m), 1e-9 + 1e-6 * way);
            freeMove(&m);
        }
    }
}

// With speed at the beginning, with a drive that was set late, or when the joint is thrown off on
// its way: it arrives all the same.
static void posesFromAnywhere(void** state)
{
    (void)state;
    snRandom r = snRandom_Seed(2);
    for (int32_t joint = sn_jointRevolute; joint < sn_jointTypeCount; ++joint) {
        for (int round = 0; round < 8; ++round) {
            Move m;
            double late = round % 4 * 0.2;
            makeMove(&r, joint, 1, 2, &m);
            for (int32_t k = 0; k < m.skeleton->nv; ++k) {
                m.qd[k] = snRandom_Range(&r, -2, 2);
            }
            run(&m, 1 + late, 1.7, 1e-3, round < 4);
            m.qd[0] += 1;
            run(&m, 1.7, 2, 1e-3, round < 4);
            // rotations take other ways to the same place; near it they all are straight
            assert_below(awayFrom(&m), 1e-3);
            run(&m, 2, 3, 1e-3, round < 4);
            assert_below(awayFrom(&m), 1e-6);
            freeMove(&m);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(listsByTime),
        cmocka_unit_test(posesFromRest),
        cmocka_unit_test(posesFromAnywhere),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
