// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

#include "skel/ik.h"

#include "base/message.h"
#include "linsolve/dense.h"
#include "math/quat.h"
#include "math/trig.h"
#include "skel/dynamics.h"
#include "skel/joint.h"
#include <string.h>

// One step never turns a joint further than this, rad: the Jacobian is a straight line, the tree is
// not.
#define MOST_TURN 0.5

// A step that makes things worse is taken back and the next one made with four times the care: more
// damping, which turns it towards the gradient (Levenberg 1944, Marquardt 1963), or for the
// transpose a shorter way. With this much care steps are lost in rounding: the pose is the best
// there is nearby.
#define MOST_CARE 1e8

void snIkSpace_Push(snIkSpace* space, const snSkeleton* skeleton, snArena* arena)
{
    size_t rows = 6 * SN_IK_TARGETS, nv = (size_t)skeleton->nv;
    space->J = snArena_Push(arena, rows * nv, sizeof(double));
    space->e = snArena_Push(arena, rows, sizeof(double));
    space->A = snArena_Push(arena, rows * rows, sizeof(double));
    space->y = snArena_Push(arena, rows, sizeof(double));
    space->dq = snArena_Push(arena, nv, sizeof(double));
    space->best = snArena_Push(arena, (size_t)skeleton->nq, sizeof(double));
    space->frozen = snArena_Push(arena, nv, 1);
}

static double clamp(double x, double lower, double upper)
{
    return x < lower ? lower : x > upper ? upper : x;
}

void snIk_Clamp(const snBone* bone, const snBoneDef* def, double* q)
{
    if (bone->type == sn_jointBall) {
        snQuat r = snLoadQ(q);
        double half = snAtan2(snDot(snV3(r.x, r.y, r.z), bone->axis), r.w);
        snQuat twist = snQFromAxisAngle(bone->axis, 2 * half);
        snQuat swing = snQMul(r, snQConj(twist));
        snVec3 turn = snQLog(swing);
        double angle = snLength(turn), wrapped = snDot(snQLog(twist), bone->axis);
        turn = snScale(angle > def->swing ? def->swing / angle : 1, turn);
        twist = snQFromAxisAngle(bone->axis, clamp(wrapped, def->dof[0].lower, def->dof[0].upper));
        snStoreQ(q, snQNormalize(snQMul(snQExp(turn), twist)));
    } else if (bone->type != sn_jointFree) {
        for (int32_t i = 0; i < bone->nv; ++i) {
            q[i] = clamp(q[i], def->dof[i].lower, def->dof[i].upper);
        }
    }
}

// Rows and errors of all wishes; returns the weighted error's length.
static double gatherRows(const snSkeleton* skeleton, const snIkTarget* targets, int32_t count,
                         const snBoneMotion* motion, snIkSpace* space, int32_t* row_count)
{
    int32_t nv = skeleton->nv, rows = 0;
    double square = 0;
    for (int32_t t = 0; t < count; ++t) {
        const snIkTarget* wish = &targets[t];
        const snBoneMotion* m = &motion[wish->bone];
        snVec3 point = snAdd(m->p, snMatVec(m->R, wish->point));
        snVec3 off = snSub(wish->position, point);
        snVec3 turn = snQLog(snQMul(snQNormalize(wish->rotation), snQConj(snQFromMat(m->R))));
        snKinematics_Jacobian(skeleton, motion, wish->bone, point, space->J + (ptrdiff_t)rows * nv);
        double error[6] = {turn.x, turn.y, turn.z, off.x, off.y, off.z};
        for (int32_t k = 0; k < 6; ++k) {
            double weight = k < 3 ? wish->rotation_weight : wish->position_weight;
            for (int32_t j = 0; j < nv; ++j) {
                space->J[(ptrdiff_t)(rows + k) * nv + j] *= weight;
            }
            space->e[rows + k] = weight * error[k];
            square += space->e[rows + k] * space->e[rows + k];
        }
        rows += 6;
    }
    *row_count = rows;
    return sqrt(square);
}

static void zeroFrozen(const snIkSpace* space, int32_t rows, int32_t nv)
{
    for (int32_t r = 0; r < rows; ++r) {
        for (int32_t j = 0; j < nv; ++j) {
            if (space->frozen[j]) {
                space->J[(ptrdiff_t)r * nv + j] = 0;
            }
        }
    }
}

// dq = J' y
static void spread(const snIkSpace* space, const double* y, int32_t rows, int32_t nv)
{
    memset(space->dq, 0, (size_t)nv * sizeof(double));
    for (int32_t r = 0; r < rows; ++r) {
        for (int32_t j = 0; j < nv; ++j) {
            space->dq[j] += space->J[(ptrdiff_t)r * nv + j] * y[r];
        }
    }
}

// dq = J' (J J' + lambda^2)^-1 e, lambda relative to the size of J.
static void stepLeastSquares(const snIkSpace* space, double damping, int32_t rows, int32_t nv)
{
    double trace = 0;
    for (int32_t r = 0; r < rows; ++r) {
        for (int32_t c = 0; c <= r; ++c) {
            double sum = 0;
            for (int32_t j = 0; j < nv; ++j) {
                sum += space->J[(ptrdiff_t)r * nv + j] * space->J[(ptrdiff_t)c * nv + j];
            }
            space->A[(ptrdiff_t)r * rows + c] = sum;
            trace += r == c ? sum : 0;
        }
    }
    double floor = damping * damping * trace / rows + 1e-300;
    for (int32_t r = 0; r < rows; ++r) {
        space->A[(ptrdiff_t)r * rows + r] += floor;
        space->y[r] = space->e[r];
    }
    if (snCholesky_Factor(space->A, rows)) {
        snCholesky_Solve(space->A, rows, space->y);
        spread(space, space->y, rows, nv);
    } else {
        memset(space->dq, 0, (size_t)nv * sizeof(double));
    }
}

// dq = a J' e with the a that reduces |e - J dq| most.
static void stepTranspose(const snIkSpace* space, int32_t rows, int32_t nv)
{
    spread(space, space->e, rows, nv);
    double along = 0, square = 0;
    for (int32_t r = 0; r < rows; ++r) {
        double moved = 0;
        for (int32_t j = 0; j < nv; ++j) {
            moved += space->J[(ptrdiff_t)r * nv + j] * space->dq[j];
        }
        along += moved * space->e[r];
        square += moved * moved;
    }
    double a = square > 0 ? along / square : 0;
    for (int32_t j = 0; j < nv; ++j) {
        space->dq[j] *= a;
    }
}

// Scales all rotations so that none exceeds the bound; travel is exact at any length.
static void limitTurns(const snSkeleton* skeleton, const snIkSpace* space, double bound)
{
    double most = 0;
    for (int pass = 0; pass < 2; ++pass) {
        double scale = most > bound ? bound / most : 1;
        for (int32_t i = 0; i < skeleton->bone_count; ++i) {
            const snBone* b = &skeleton->bones[i];
            for (int32_t k = 0; k < b->nv; ++k) {
                double* turn = &space->dq[b->vi + k];
                if (pass == 0) {
                    most =
                        snJoint_IsRotation(b->type, k) && fabs(*turn) > most ? fabs(*turn) : most;
                } else {
                    *turn *= snJoint_IsRotation(b->type, k) ? scale : 1;
                }
            }
        }
    }
}

// Coordinates that sit on a limit and would be pushed out; returns whether any is new.
static bool freezeAtLimits(const snSkeleton* skeleton, const double* q, const snIkSpace* space)
{
    bool any = false;
    for (int32_t i = 0; i < skeleton->bone_count; ++i) {
        const snBone* b = &skeleton->bones[i];
        if (b->type == sn_jointBall || b->type == sn_jointFree) {
            continue;
        }
        for (int32_t k = 0; k < b->nv; ++k) {
            const snDofDef* dof = &skeleton->defs[i].dof[k];
            double x = q[b->qi + k], dx = space->dq[b->vi + k];
            if (!space->frozen[b->vi + k] &&
                ((x <= dof->lower && dx < 0) || (x >= dof->upper && dx > 0))) {
                space->frozen[b->vi + k] = 1;
                any = true;
            }
        }
    }
    return any;
}

static void freezeLocked(const snSkeleton* skeleton, const uint8_t* locked, uint8_t* frozen)
{
    for (int32_t i = 0; i < skeleton->bone_count; ++i) {
        const snBone* b = &skeleton->bones[i];
        memset(frozen + b->vi, locked && locked[i], (size_t)b->nv);
    }
}

static void moveJoints(const snSkeleton* skeleton, const uint8_t* locked, const snIkSpace* space,
                       double* q)
{
    for (int32_t i = 0; i < skeleton->bone_count; ++i) {
        const snBone* b = &skeleton->bones[i];
        if (!locked || !locked[i]) {
            snJoint_Integrate(b->type, q + b->qi, space->dq + b->vi, 1, q + b->qi);
            snIk_Clamp(b, &skeleton->defs[i], q + b->qi);
        }
    }
}

snIkResult snIk_Solve(const snSkeleton* skeleton, const snIkDef* def, const snIkTarget* targets,
                      int32_t target_count, double* q, snBoneMotion* motion, snIkSpace* space)
{
    snIkResult result = {(double)INFINITY, 0};
    size_t bytes = (size_t)skeleton->nq * sizeof(double);
    double care = 1;
    memset(space->dq, 0, (size_t)skeleton->nv * sizeof(double));
    moveJoints(skeleton, def->locked, space, q);
    memcpy(space->best, q, bytes);
    for (int32_t n = 0;; ++n) {
        int32_t rows;
        snKinematics_Position(skeleton, q, NULL, motion);
        double error = gatherRows(skeleton, targets, target_count, motion, space, &rows);
        if (error < result.error) {
            result.error = error;
            memcpy(space->best, q, bytes);
            care = care > 2 ? care / 2 : 1;
        } else {
            memcpy(q, space->best, bytes);
            snKinematics_Position(skeleton, q, NULL, motion);
            gatherRows(skeleton, targets, target_count, motion, space, &rows);
            care *= 4;
        }
        result.iterations = n;
        if (result.error < def->tolerance || n == def->iterations || care > MOST_CARE) {
            break;
        }
        freezeLocked(skeleton, def->locked, space->frozen);
        do {
            zeroFrozen(space, rows, skeleton->nv);
            if (def->method == sn_ikDampedLeastSquares) {
                stepLeastSquares(space, care * def->damping, rows, skeleton->nv);
            } else {
                stepTranspose(space, rows, skeleton->nv);
                limitTurns(skeleton, space, MOST_TURN / care);
            }
        } while (freezeAtLimits(skeleton, q, space));
        limitTurns(skeleton, space, MOST_TURN);
        moveJoints(skeleton, def->locked, space, q);
    }
    memcpy(q, space->best, bytes);
    snKinematics_Position(skeleton, q, NULL, motion);
    return result;
}

// The public call -------------------------------------------------------------

void snIkDef_Init(snIkDef* def)
{
    *def = (snIkDef){.size = sizeof(snIkDef),
                     .method = sn_ikDampedLeastSquares,
                     .iterations = 100,
                     .tolerance = 1e-6,
                     .damping = 0.01};
}

static snStatus checkTarget(const snSkeleton* skeleton, const snIkTarget* t, int32_t i,
                            snMessage* why)
{
    if (t->bone < 0 || t->bone >= skeleton->bone_count) {
        return snFail(why, sn_errorArgument, "target %d names bone %d, but there are %d", (int)i,
                      (int)t->bone, (int)skeleton->bone_count);
    }
    double sum = fabs(t->point.x) + fabs(t->point.y) + fabs(t->point.z) + fabs(t->position.x) +
                 fabs(t->position.y) + fabs(t->position.z) + fabs(t->rotation.x) +
                 fabs(t->rotation.y) + fabs(t->rotation.z) + fabs(t->rotation.w);
    bool turns = t->rotation_weight > 0 && snQDot(t->rotation, t->rotation) < 1e-12;
    if (!(sum < 1e9) || turns || !(t->position_weight >= 0 && t->position_weight < 1e6) ||
        !(t->rotation_weight >= 0 && t->rotation_weight < 1e6)) {
        return snFail(
            why, sn_errorArgument,
            "target %d: give places within 1e9 m, a unit quaternion and weights in 0..1e6", (int)i);
    }
    return sn_ok;
}

snStatus snDynamics_SolveIk(snDynamics* d, const snIkDef* def, const snIkTarget* targets,
                            int32_t target_count, snIkResult* result, snMessage* why)
{
    snMessage_Clear(why);
    if (!d) {
        return snFail(why, sn_errorArgument, "dynamics must not be NULL");
    }
    if (!def || def->size != sizeof(snIkDef)) {
        return snFail(why, sn_errorArgument, "the def was not set up with snIkDef_Init");
    }
    if (!targets || target_count < 1 || target_count > SN_IK_TARGETS) {
        return snFail(why, sn_errorArgument, "give 1 to %d targets, found %d", SN_IK_TARGETS,
                      (int)target_count);
    }
    if (def->method < 0 || def->method > sn_ikJacobianTranspose || def->iterations < 1 ||
        def->iterations > 100000 || !(def->tolerance >= 0) ||
        !(def->damping > 0 && def->damping <= 1)) {
        return snFail(
            why, sn_errorArgument,
            "method, iterations (1..100000), tolerance (>= 0) or damping (0..1) is out of "
            "range");
    }
    for (int32_t i = 0; i < target_count; ++i) {
        snStatus status = checkTarget(d->skeleton, &targets[i], i, why);
        if (status) {
            return status;
        }
    }
    snIkResult out =
        snIk_Solve(d->skeleton, def, targets, target_count, d->q, d->ws.motion, &d->ik);
    memset(d->qd, 0, (size_t)d->skeleton->nv * sizeof(double));
    d->target.known = 0;
    snDynamics_Update(d);
    if (result) {
        *result = out;
    }
    return sn_ok;
}
