// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

#include "skel/skeleton.h"

#include "base/cpu.h"
#include "base/message.h"
#include "math/quat.h"
#include "skel/hybrid.h"
#include "skel/joint.h"
#include <stdlib.h>
#include <string.h>

// Positions, lengths and masses beyond these are mistakes; squares and products of them stay
// finite.
#define MOST_LENGTH 1e9
#define MOST_MASS 1e12
#define MOST_BONES 100000

// Two axes of a joint closer than 10 degrees make it nearly singular: small torques, huge speeds.
#define LEAST_SINE 0.17

void snBoneDef_Init(snBoneDef* def)
{
    *def = (snBoneDef){
        .size = sizeof(snBoneDef),
        .parent = -1,
        .joint = sn_jointWeld,
        .anchor = {{0, 0, 0}, {0, 0, 0, 1}},
        .axis = {1, 0, 0},
        .axis2 = {0, 1, 0},
        .swing = (double)INFINITY,
        .limit_frequency = 10,
    };
    for (int i = 0; i < 3; ++i) {
        def->dof[i].lower = -(double)INFINITY;
        def->dof[i].upper = (double)INFINITY;
    }
}

// Checks ----------------------------------------------------------------------

static bool isBounded(double x, double bound)
{
    return fabs(x) <= bound; // false for NaN
}

static bool isPlace(snVec3 v)
{
    return isBounded(v.x, MOST_LENGTH) && isBounded(v.y, MOST_LENGTH) &&
           isBounded(v.z, MOST_LENGTH);
}

static snStatus checkDof(const snDofDef* dof, int i, snMessage* why)
{
    if (!(dof->lower <= dof->upper)) {
        return snFail(why, sn_errorArgument,
                      "coordinate %d has the lower limit %g above the upper limit %g; swap them", i,
                      dof->lower, dof->upper);
    }
    if (!(dof->lower <= MOST_LENGTH && dof->upper >= -MOST_LENGTH)) {
        return snFail(
            why, sn_errorArgument,
            "coordinate %d has the limits %g and %g; no lower limit is -infinity, no upper "
            "limit is infinity",
            i, dof->lower, dof->upper);
    }
    if (!(dof->stiffness >= 0 && dof->stiffness <= MOST_MASS) ||
        !(dof->damping >= 0 && dof->damping <= MOST_MASS) ||
        !(dof->armature >= 0 && dof->armature <= MOST_MASS) || !isBounded(dof->rest, MOST_LENGTH)) {
        return snFail(why, sn_errorArgument,
                      "coordinate %d: stiffness, damping and armature must lie in 0..1e12 and rest "
                      "must be finite, found %g, %g, %g and %g",
                      i, dof->stiffness, dof->damping, dof->armature, dof->rest);
    }
    return sn_ok;
}

static snStatus checkAxes(const snBoneDef* def, snMessage* why)
{
    snVec3 a = snNormalize(def->axis), b = snNormalize(def->axis2);
    if (!isPlace(def->axis) || !(snLengthSq(a) > 0.5)) {
        return snFail(why, sn_errorArgument, "the joint's axis must be a finite vector, not zero");
    }
    bool two = def->joint == sn_jointUniversal || def->joint == sn_jointPlanar;
    if (two && (!isPlace(def->axis2) || !(snLength(snCross(a, b)) > LEAST_SINE))) {
        return snFail(
            why, sn_errorArgument,
            "the joint's second axis must be a finite vector at least 10 degrees away from "
            "the first");
    }
    return sn_ok;
}

// A rigid body's inertia is positive and no axis has more than the other two together; both with
// rounding's slack.
static snStatus checkMass(const snMass* mass, snMessage* why)
{
    if (!(mass->mass >= 0 && mass->mass <= MOST_MASS) || !isPlace(mass->com)) {
        return snFail(
            why, sn_errorArgument,
            "mass must lie in 0..1e12 kg with a finite centre, found %g kg at (%g, %g, %g)",
            mass->mass, mass->com.x, mass->com.y, mass->com.z);
    }
    const snSym3* I = &mass->inertia;
    double trace = I->xx + I->yy + I->zz, slack = 1e-9 * trace;
    bool finite = isBounded(trace, 1e30) && isBounded(I->xy, 1e30) && isBounded(I->xz, 1e30) &&
                  isBounded(I->yz, 1e30);
    // the second moments trace/2 - I must be positive semidefinite: check the leading minors
    double a = trace / 2 - I->xx + slack, b = trace / 2 - I->yy + slack,
           c = trace / 2 - I->zz + slack;
    double d = -I->xy, e = -I->xz, f = -I->yz;
    double minor = a * b - d * d,
           det = a * (b * c - f * f) - d * (d * c - f * e) + e * (d * f - b * e);
    if (!finite || trace < 0 || a < 0 || b < 0 || c < 0 || minor < 0 || a * c - e * e < 0 ||
        b * c - f * f < 0 || det < -slack * slack * slack) {
        return snFail(
            why, sn_errorArgument,
            "no rigid body has the inertia xx %g, yy %g, zz %g, xy %g, xz %g, yz %g; give "
            "it about the centre of mass, in kg m^2",
            I->xx, I->yy, I->zz, I->xy, I->xz, I->yz);
    }
    if (mass->mass == 0 && trace > 0) {
        return snFail(why, sn_errorArgument, "it has inertia but no mass; give both");
    }
    return sn_ok;
}

static snStatus checkBone(const snBoneDef* def, int32_t index, snMessage* why)
{
    if (def->size != sizeof(snBoneDef)) {
        return snFail(why, sn_errorArgument, "the def was not set up with snBoneDef_Init");
    }
    if (!def->name || !def->name[0]) {
        return snFail(why, sn_errorArgument, "a bone must have a name");
    }
    if (def->parent < -1 || def->parent >= index) {
        return snFail(why, sn_errorArgument,
                      "parent %d is not an earlier bone; list parents before their children, -1 is "
                      "the ground",
                      (int)def->parent);
    }
    if (def->joint < 0 || def->joint >= sn_jointTypeCount) {
        return snFail(why, sn_errorArgument, "joint type %d is none of the %d there are",
                      (int)def->joint, sn_jointTypeCount);
    }
    const snQuat* q = &def->anchor.q;
    double square = snQDot(*q, *q);
    if (!isPlace(def->anchor.p) || !(square > 0.25 && square < 4)) {
        return snFail(why, sn_errorArgument,
                      "the anchor must be a finite position and a unit quaternion");
    }
    if (!(def->swing > 0) || !(def->limit_frequency > 0 && def->limit_frequency <= 1e6)) {
        return snFail(why, sn_errorArgument,
                      "swing must be above 0 rad and limit_frequency in 0..1e6 Hz, found %g and %g",
                      def->swing, def->limit_frequency);
    }
    if (!isPlace(def->tip) || !(def->radius >= 0 && def->radius <= MOST_LENGTH)) {
        return snFail(why, sn_errorArgument, "tip and radius must be finite, radius not negative");
    }
    snStatus status = checkAxes(def, why);
    for (int i = 0; i < 3 && !status; ++i) {
        status = checkDof(&def->dof[i], i, why);
    }
    if (!status && def->joint == sn_jointBall &&
        ((isfinite(def->dof[0].lower) && def->dof[0].lower < -SN_PI) ||
         (isfinite(def->dof[0].upper) && def->dof[0].upper > SN_PI))) {
        return snFail(
            why, sn_errorArgument,
            "the twist limits of a ball joint must lie within half a turn, found %g and %g",
            def->dof[0].lower, def->dof[0].upper);
    }
    return status ? status : checkMass(&def->mass, why);
}

// Building --------------------------------------------------------------------

static bool isPassive(const snBoneDef* def)
{
    bool any = def->joint == sn_jointBall && def->swing < SN_PI;
    bool limited = def->joint != sn_jointFree; // a free joint's limits mean nothing
    for (int32_t i = 0; i < snJoint_Shape(def->joint)->dof_count; ++i) {
        const snDofDef* d = &def->dof[i];
        any = any || d->stiffness > 0 || d->damping > 0 || d->armature > 0 ||
              (limited && (isfinite(d->lower) || isfinite(d->upper)));
    }
    return any;
}

static bool isIdentity(snMat3 R)
{
    return R.m00 == 1 && R.m11 == 1 && R.m22 == 1 && R.m01 == 0 && R.m02 == 0 && R.m10 == 0 &&
           R.m12 == 0 && R.m20 == 0 && R.m21 == 0;
}

static int8_t whichAxis(snVec3 a)
{
    return a.x == 1 && a.y == 0 && a.z == 0   ? 0
           : a.x == 0 && a.y == 1 && a.z == 0 ? 1
           : a.x == 0 && a.y == 0 && a.z == 1 ? 2
                                              : -1;
}

static void fillBone(const snBoneDef* def, snBone* b)
{
    const snMass* mass = &def->mass;
    b->parent = def->parent;
    b->type = def->joint;
    b->anchor_R = snMatFromQ(snQNormalize(def->anchor.q));
    b->anchor_p = def->anchor.p;
    b->axis = snNormalize(def->axis);
    b->axis2 = snNormalize(def->axis2);
    if (def->joint == sn_jointPlanar) {
        b->axis2 = snNormalize(snMulAdd(b->axis2, -snDot(b->axis, b->axis2), b->axis));
    }
    b->mass = mass->mass;
    b->com = mass->com;
    snMat3 cross = snSkew(mass->com);
    b->inertia =
        snSymAdd(mass->inertia, snSymFromMat(snMatScale(-mass->mass, snMatMul(cross, cross))));
}

static snBoneShape shapeOf(const snBone* b)
{
    return (snBoneShape){isIdentity(b->anchor_R), whichAxis(b->axis), whichAxis(b->axis2)};
}

// Copies the defs with their names and counts coordinates.
static void fillBones(snSkeleton* s, const snBoneDef* given, snBoneDef* defs, snBone* bones,
                      snBoneShape* shapes)
{
    int32_t roots = 0;
    s->floating_root = -1;
    for (int32_t i = 0; given && i < s->bone_count; ++i) { // without bones nothing is given
        defs[i] = given[i];
        defs[i].name = snArena_String(&s->arena, given[i].name, strlen(given[i].name));
        defs[i].anchor.q = snQNormalize(given[i].anchor.q);
        const snJointShape* shape = snJoint_Shape(given[i].joint);
        fillBone(&defs[i], &bones[i]);
        shapes[i] = shapeOf(&bones[i]);
        bones[i].qi = s->nq;
        bones[i].vi = s->nv;
        bones[i].nv = shape->nv;
        bool ball = given[i].joint == sn_jointBall || given[i].joint == sn_jointFree;
        bones[i].ball = ball ? s->ball_count++ : -1;
        bones[i].last = -1;
        if (given[i].parent >= 0) {
            bones[given[i].parent].last = i;
        }
        bones[i].passive = isPassive(&given[i]) ? s->passive_count++ : -1;
        s->nq += shape->nq;
        s->nv += shape->nv;
        s->mass += given[i].mass.mass;
        if (given[i].parent < 0) {
            ++roots;
            s->floating_root = given[i].joint == sn_jointFree ? i : -1;
        }
    }
    if (roots > 1) {
        s->floating_root = -1;
    }
}

// Inertia that coordinate `s` (about or along it, at the bone's origin) moves with everything below
// held stiff.
static double limbInertia(const snInertia6* J, snVec3 s, bool rotation)
{
    return rotation ? snDot(s, snSymVec(J->A, s)) : snDot(s, snSymVec(J->M, s));
}

// Limits as stiff as a limb of the rest pose's inertia bouncing at the wanted frequency, critically
// damped.
static void fillPassive(const snBoneDef* def, const snBoneMotion* m, const snInertia6* J,
                        snPassiveDef* p)
{
    double rate = 2 * SN_PI * def->limit_frequency;
    memcpy(p->dof, def->dof, sizeof p->dof);
    for (int32_t i = 0; i < snJoint_Shape(def->joint)->dof_count; ++i) {
        bool rotation = snJoint_IsRotation(def->joint, i);
        double inertia = def->joint == sn_jointBall || def->joint == sn_jointFree
                             ? (J->A.xx + J->A.yy + J->A.zz) / 3
                             : limbInertia(J, m->axis[i], rotation);
        inertia += def->dof[i].armature;
        p->limit_k[i] = inertia * rate * rate;
        p->limit_d[i] = 2 * inertia * rate;
    }
    p->swing = def->swing;
    p->swing_k = p->limit_k[0];
    p->swing_d = p->limit_d[0];
    p->ball_limits =
        def->joint == sn_jointBall &&
        (def->swing < SN_PI || isfinite(def->dof[0].lower) || isfinite(def->dof[0].upper));
}

typedef struct Trial {
    double* q;
    double* qd;
    double* qdd;
    uint8_t* held;
    snBoneMotion* motion;
    snFactor factor;
} Trial;

static snStatus pushTrial(snSkeleton* s, snArena* arena, Trial* t, snMessage* why)
{
    size_t n = (size_t)s->bone_count;
    t->q = snArena_Push(arena, (size_t)s->nq, sizeof(double));
    t->qd = snArena_Push(arena, (size_t)s->nv, sizeof(double));
    t->qdd = snArena_Push(arena, (size_t)s->nv, sizeof(double));
    t->held = snArena_Push(arena, n, 1);
    t->motion = snArena_Push(arena, n, sizeof(snBoneMotion));
    snFactor_Push(&t->factor, s, arena);
    return arena->failed ? snFail(why, sn_errorMemory, "no memory for %d bones", (int)s->bone_count)
                         : sn_ok;
}

// Factors the zero pose twice: with all joints held for the limbs' inertias, and free, to find
// joints that have nothing to move.
static snStatus tryDynamics(snSkeleton* s, snPassiveDef* passives, snArena* arena, snMessage* why)
{
    Trial t;
    snStatus status = pushTrial(s, arena, &t, why);
    if (status) {
        return status;
    }
    int32_t bad = -1;
    snSkeleton_ZeroPose(s, t.q);
    snKinematics_State(s, t.q, t.qd, NULL, t.motion);
    memset(t.held, 1, (size_t)s->bone_count);
    snHybridStep step = {.prescribed = t.held, .q = t.q, .qd = t.qd};
    snHybridLoad load = {0};
    snHybrid_Run(s, t.motion, &step, &load, &t.factor, t.qdd, NULL, &bad);
    for (int32_t i = 0; i < s->bone_count; ++i) {
        if (s->bones[i].passive >= 0) {
            fillPassive(&s->defs[i], &t.motion[i], &t.factor.bones[i].J,
                        &passives[s->bones[i].passive]);
        }
    }
    step.prescribed = NULL;
    if (!snHybrid_Run(s, t.motion, &step, &load, &t.factor, t.qdd, NULL, &bad)) {
        return snFail(why, sn_errorArgument,
                      "bone %d '%s': its joint has no mass or inertia to move; give it or a bone "
                      "below it mass, or armature, or weld it",
                      (int)bad, s->defs[bad].name);
    }
    return sn_ok;
}

static int compareNames(const void* a, const void* b)
{
    return strcmp(*(const char* const*)a, *(const char* const*)b);
}

static snStatus checkNames(const snSkeleton* s, snArena* arena, snMessage* why)
{
    const char** names = snArena_Push(arena, (size_t)s->bone_count, sizeof(char*));
    if (!names) {
        return snFail(why, sn_errorMemory, "no memory for %d names", (int)s->bone_count);
    }
    for (int32_t i = 0; i < s->bone_count; ++i) {
        names[i] = s->defs[i].name;
    }
    qsort(names, (size_t)s->bone_count, sizeof(char*), compareNames);
    for (int32_t i = 1; i < s->bone_count; ++i) {
        if (strcmp(names[i - 1], names[i]) == 0) {
            return snFail(why, sn_errorArgument, "two bones are called '%s'; rename one", names[i]);
        }
    }
    return sn_ok;
}

static snStatus build(snSkeleton* s, const snBoneDef* given, snMessage* why)
{
    size_t n = (size_t)s->bone_count;
    snBoneDef* defs = snArena_Push(&s->arena, n, sizeof(snBoneDef));
    snBone* bones = snArena_Push(&s->arena, n, sizeof(snBone));
    snBoneShape* shapes = snArena_Push(&s->arena, n, sizeof(snBoneShape));
    if (!defs || !bones || !shapes) {
        return snFail(why, sn_errorMemory, "no memory for %d bones", (int)s->bone_count);
    }
    s->defs = defs;
    s->bones = bones;
    s->shapes = shapes;
    fillBones(s, given, defs, bones, shapes);
    snPassiveDef* passives =
        snArena_Push(&s->arena, (size_t)s->passive_count, sizeof(snPassiveDef));
    s->passives = passives;
    if (s->arena.failed) {
        return snFail(why, sn_errorMemory, "no memory for %d bones", (int)s->bone_count);
    }
    snArena trial;
    snArena_Init(&trial, &s->host);
    snStatus status = checkNames(s, &trial, why);
    status = status ? status : tryDynamics(s, passives, &trial, why);
    snArena_Free(&trial);
    return status;
}

snStatus snSkeleton_Create(const snHost* host, const snBoneDef* bones, int32_t count,
                           snSkeleton** skeleton, snMessage* why)
{
    snMessage_Clear(why);
    if (!skeleton || (!bones && count != 0)) {
        return snFail(why, sn_errorArgument, "bones and skeleton must not be NULL");
    }
    *skeleton = NULL;
    if (count < 0 || count > MOST_BONES) {
        return snFail(why, sn_errorArgument, "a skeleton has 0 to %d bones, found %d", MOST_BONES,
                      (int)count);
    }
    for (int32_t i = 0; i < count; ++i) {
        snStatus status = checkBone(&bones[i], i, why);
        if (status) {
            const char* name = bones[i].size == sizeof(snBoneDef) ? bones[i].name : NULL;
            snMessage_Prefix(why, "bone %d '%s'", (int)i, name ? name : "");
            return status;
        }
    }
    snHost taken;
    snStatus status = snHost_Take(host, &taken, why);
    if (status) {
        return status;
    }
    snSkeleton* s = snHost_Allocate(&taken, sizeof *s);
    if (!s) {
        return snFail(why, sn_errorMemory, "no memory for a skeleton");
    }
    s->host = taken;
    s->isa = snCpu_Choose(taken.isa);
    s->bone_count = count;
    snOwners_Init(&s->owners);
    snArena_Init(&s->arena, &taken);
    status = build(s, bones, why);
    if (status) {
        snSkeleton_Release(s);
        return status;
    }
    *skeleton = s;
    return sn_ok;
}

// Sharing and asking ----------------------------------------------------------

snSkeleton* snSkeleton_Retain(snSkeleton* skeleton)
{
    if (skeleton) {
        snOwners_Add(&skeleton->owners);
    }
    return skeleton;
}

void snSkeleton_Release(snSkeleton* skeleton)
{
    if (skeleton && snOwners_Drop(&skeleton->owners)) {
        snHost host = skeleton->host;
        snArena_Free(&skeleton->arena);
        snHost_Release(&host, skeleton, sizeof *skeleton);
    }
}

int32_t snSkeleton_BoneCount(const snSkeleton* skeleton)
{
    return skeleton ? skeleton->bone_count : 0;
}

int32_t snSkeleton_PositionCount(const snSkeleton* skeleton)
{
    return skeleton ? skeleton->nq : 0;
}

int32_t snSkeleton_VelocityCount(const snSkeleton* skeleton)
{
    return skeleton ? skeleton->nv : 0;
}

double snSkeleton_Mass(const snSkeleton* skeleton)
{
    return skeleton ? skeleton->mass : 0;
}

int32_t snSkeleton_FindBone(const snSkeleton* skeleton, const char* name)
{
    for (int32_t i = 0; skeleton && name && i < skeleton->bone_count; ++i) {
        if (strcmp(skeleton->defs[i].name, name) == 0) {
            return i;
        }
    }
    return -1;
}

static bool hasBone(const snSkeleton* skeleton, int32_t bone)
{
    return skeleton && bone >= 0 && bone < skeleton->bone_count;
}

const snBoneDef* snSkeleton_Bone(const snSkeleton* skeleton, int32_t bone)
{
    return hasBone(skeleton, bone) ? &skeleton->defs[bone] : NULL;
}

int32_t snSkeleton_PositionStart(const snSkeleton* skeleton, int32_t bone)
{
    return hasBone(skeleton, bone) ? skeleton->bones[bone].qi : -1;
}

int32_t snSkeleton_VelocityStart(const snSkeleton* skeleton, int32_t bone)
{
    return hasBone(skeleton, bone) ? skeleton->bones[bone].vi : -1;
}

void snSkeleton_ZeroPose(const snSkeleton* skeleton, double* q)
{
    for (int32_t i = 0; skeleton && q && i < skeleton->bone_count; ++i) {
        const snBone* b = &skeleton->bones[i];
        int32_t nq = snJoint_Shape(b->type)->nq;
        for (int32_t k = 0; k < nq; ++k) {
            q[b->qi + k] = nq >= 4 && k == nq - 1 ? 1 : 0;
        }
    }
}
