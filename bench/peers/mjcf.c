// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

#include "bench/peers/mjcf.h"

#include <math.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// Small vectors ---------------------------------------------------------------

static snVec3 cross(snVec3 a, snVec3 b)
{
    return (snVec3){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

static double dot(snVec3 a, snVec3 b)
{
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

static snQuat conjugate(snQuat q)
{
    return (snQuat){-q.x, -q.y, -q.z, q.w};
}

static snQuat multiply(snQuat a, snQuat b)
{
    return (snQuat){a.w * b.x + a.x * b.w + a.y * b.z - a.z * b.y,
                    a.w * b.y - a.x * b.z + a.y * b.w + a.z * b.x,
                    a.w * b.z + a.x * b.y - a.y * b.x + a.z * b.w,
                    a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z};
}

// v + 2 w (u x v) + 2 u x (u x v), q = (u, w)
static snVec3 rotate(snQuat q, snVec3 v)
{
    snVec3 u = {q.x, q.y, q.z}, t = cross(u, v), s = cross(u, t);
    return (snVec3){v.x + 2 * (q.w * t.x + s.x), v.y + 2 * (q.w * t.y + s.y),
                    v.z + 2 * (q.w * t.z + s.z)};
}

static snVec3 load(const double* x)
{
    return (snVec3){x[0], x[1], x[2]};
}

static void store(double* x, snVec3 v)
{
    x[0] = v.x, x[1] = v.y, x[2] = v.z;
}

static snQuat loadTurn(const double* q)
{
    double size = sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
    return (snQuat){q[0] / size, q[1] / size, q[2] / size, q[3] / size};
}

// Inertia ---------------------------------------------------------------------

// Principal moments d and axes of a symmetric matrix, S = R(q) diag(d) R(q)', by Jacobi's
// rotations. MuJoCo can do this itself, but only to 6e-9 (measured with 2.2.2), and to 1e-5 for a
// body of 1e-8 kg m^2.
static snQuat findPrincipal(snSym3 S, double d[3])
{
    double A[3][3] = {{S.xx, S.xy, S.xz}, {S.xy, S.yy, S.yz}, {S.xz, S.yz, S.zz}};
    snQuat turn = {0, 0, 0, 1};
    for (int step = 0; step < 24; ++step) { // 8 sweeps; convergence is quadratic at least
        int k = step % 3, p = (k + 1) % 3, q = (k + 2) % 3;
        if (A[p][q] == 0) {
            continue;
        }
        double angle = 0.5 * atan(2 * A[p][q] / (A[p][p] - A[q][q])), c = cos(angle),
               s = sin(angle);
        for (int i = 0; i < 3; ++i) { // A <- A G
            double x = A[i][p], y = A[i][q];
            A[i][p] = c * x + s * y;
            A[i][q] = c * y - s * x;
        }
        for (int i = 0; i < 3; ++i) { // A <- G' A
            double x = A[p][i], y = A[q][i];
            A[p][i] = c * x + s * y;
            A[q][i] = c * y - s * x;
        }
        double half[3] = {0, 0, 0};
        half[k] = sin(0.5 * angle);
        turn = multiply(turn, (snQuat){half[0], half[1], half[2], cos(0.5 * angle)});
    }
    for (int i = 0; i < 3; ++i) {
        // flat bodies: no moment may exceed the sum of the others by a rounding
        d[i] = fmin(A[i][i], A[(i + 1) % 3][(i + 1) % 3] + A[(i + 2) % 3][(i + 2) % 3]);
    }
    return turn;
}

// Text ------------------------------------------------------------------------

typedef struct Text {
    char* text;
    size_t length, room;
    bool failed;
} Text;

__attribute__((format(printf, 2, 3))) static void put(Text* t, const char* format, ...)
{
    char line[512]; // the longest piece holds 5 numbers of at most 24 characters
    va_list arguments;
    va_start(arguments, format);
    int count = vsnprintf(line, sizeof line, format, arguments);
    va_end(arguments);
    size_t more = (size_t)count;
    if (t->length + more + 1 > t->room) {
        size_t room = 2 * (t->length + sizeof line);
        char* grown = t->failed ? NULL : realloc(t->text, room);
        if (!grown) {
            t->failed = true;
            return;
        }
        t->text = grown;
        t->room = room;
    }
    memcpy(t->text + t->length, line, more + 1);
    t->length += more;
}

static void putVec(Text* t, const char* name, snVec3 v)
{
    put(t, " %s=\"%.17g %.17g %.17g\"", name, v.x, v.y, v.z);
}

static void putTurn(Text* t, snQuat q)
{
    put(t, " quat=\"%.17g %.17g %.17g %.17g\"", q.w, q.x, q.y, q.z);
}

// `axis` is NULL for ball and free joints
static void putJoint(Text* t, const char* type, const snVec3* axis, const snDofDef* dof)
{
    put(t, "<joint type=\"%s\"", type);
    if (axis) {
        putVec(t, "axis", *axis);
        put(t, " springref=\"%.17g\"", dof->rest);
    }
    put(t, " stiffness=\"%.17g\" damping=\"%.17g\" armature=\"%.17g\"/>\n", dof->stiffness,
        dof->damping, dof->armature);
}

static void putPlanar(Text* t, const snBoneDef* def)
{
    snVec3 a = def->axis, b = def->axis2;
    double along = dot(a, b) / dot(a, a);
    snVec3 first = {b.x - along * a.x, b.y - along * a.y, b.z - along * a.z},
           second = cross(a, first);
    putJoint(t, "slide", &first, &def->dof[0]);
    putJoint(t, "slide", &second, &def->dof[1]);
    putJoint(t, "hinge", &a, &def->dof[2]);
}

static void putFree(Text* t, const snBoneDef* def, bool native)
{
    static const snVec3 AXES[3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    snDofDef travel = def->dof[1];
    travel.rest = 0;
    for (int i = 0; i < 3 && !native; ++i) {
        putJoint(t, "slide", &AXES[i], &travel);
    }
    putJoint(t, native ? "free" : "ball", NULL, &def->dof[0]);
}

static void putJoints(Text* t, const snBoneDef* def, bool native)
{
    switch (def->joint) {
    case sn_jointRevolute:
        putJoint(t, "hinge", &def->axis, &def->dof[0]);
        break;
    case sn_jointPrismatic:
        putJoint(t, "slide", &def->axis, &def->dof[0]);
        break;
    case sn_jointUniversal:
        putJoint(t, "hinge", &def->axis, &def->dof[0]);
        putJoint(t, "hinge", &def->axis2, &def->dof[1]);
        break;
    case sn_jointBall:
        putJoint(t, "ball", NULL, &def->dof[0]);
        break;
    case sn_jointPlanar:
        putPlanar(t, def);
        break;
    case sn_jointFree:
        putFree(t, def, native);
        break;
    default:
        break;
    }
}

static void putBody(Text* t, const snBoneDef* def, int32_t bone, bool native)
{
    double d[3];
    snQuat turn = findPrincipal(def->mass.inertia, d);
    put(t, "<body name=\"%d\"", (int)bone);
    putVec(t, "pos", def->anchor.p);
    putTurn(t, def->anchor.q);
    put(t, ">\n<inertial mass=\"%.17g\"", def->mass.mass);
    putVec(t, "pos", def->mass.com);
    putTurn(t, turn);
    putVec(t, "diaginertia", load(d));
    put(t, "/>\n");
    putJoints(t, def, native);
}

// Tree ------------------------------------------------------------------------

// Coordinates of the bone's joint: those up to where the next bone begins.
static int32_t countOf(const snSkeleton* s, int32_t bone,
                       int32_t (*start)(const snSkeleton*, int32_t), int32_t all)
{
    return (bone + 1 < snSkeleton_BoneCount(s) ? start(s, bone + 1) : all) - start(s, bone);
}

static bool isNative(const snBoneDef* def)
{
    const snDofDef *turn = &def->dof[0], *travel = &def->dof[1];
    return def->joint == sn_jointFree && def->parent < 0 && turn->stiffness == travel->stiffness &&
           turn->damping == travel->damping && turn->armature == travel->armature;
}

// Depth first, as MuJoCo numbers bodies and nests elements. child[bone + 1] is the first bone on
// `bone`, next[bone] the next one on the same parent.
static void putTree(Text* t, snMjcf* mjcf, const int32_t* child, const int32_t* next)
{
    const snSkeleton* s = mjcf->skeleton;
    int32_t body = 1, qpos = 0, dof = 0, bone = child[0];
    while (bone >= 0) {
        const snBoneDef* def = snSkeleton_Bone(s, bone);
        bool native = isNative(def);
        mjcf->bones[bone] = (snMjcfBone){body++, qpos, dof, native};
        qpos += countOf(s, bone, snSkeleton_PositionStart, snSkeleton_PositionCount(s));
        dof += countOf(s, bone, snSkeleton_VelocityStart, snSkeleton_VelocityCount(s));
        putBody(t, def, bone, native);
        int32_t from = bone;
        bone = child[from + 1];
        while (bone < 0 && from >= 0) {
            put(t, "</body>\n");
            bone = next[from];
            from = snSkeleton_Bone(s, from)->parent;
        }
    }
}

static snStatus checkSprings(const snSkeleton* s, snMessage* why)
{
    for (int32_t i = 0; i < snSkeleton_BoneCount(s); ++i) {
        const snBoneDef* def = snSkeleton_Bone(s, i);
        bool turns = def->joint == sn_jointBall || def->joint == sn_jointFree;
        if (turns && def->dof[0].stiffness > 0 && def->dof[0].rest != 0) {
            snprintf(why->text, sizeof why->text,
                     "bone '%.200s': MuJoCo has no ball spring that rests at %g rad; only 0",
                     def->name, def->dof[0].rest);
            return sn_errorUnsupported;
        }
    }
    return sn_ok;
}

snStatus snMjcf_Write(const snSkeleton* skeleton, snVec3 gravity, snMjcf* mjcf, snMessage* why)
{
    size_t n = (size_t)snSkeleton_BoneCount(skeleton);
    *mjcf = (snMjcf){.skeleton = skeleton};
    why->text[0] = 0;
    snStatus status = checkSprings(skeleton, why);
    if (status) {
        return status;
    }
    int32_t* links = malloc((2 * n + 1) * sizeof *links);
    mjcf->bones = malloc(n * sizeof *mjcf->bones);
    Text t = {NULL, 0, 0, !links || !mjcf->bones};
    if (!t.failed) {
        int32_t *child = links, *next = links + n + 1;
        memset(child, 0xff, (n + 1) * sizeof *child); // -1 = none
        for (int32_t i = (int32_t)n - 1; i >= 0; --i) {
            int32_t* first = &child[snSkeleton_Bone(skeleton, i)->parent + 1];
            next[i] = *first;
            *first = i;
        }
        put(&t, "<mujoco>\n<compiler angle=\"radian\" inertiafromgeom=\"false\" boundmass=\"0\" "
                "boundinertia=\"0\" balanceinertia=\"false\"/>\n<option");
        putVec(&t, "gravity", gravity);
        put(&t, "><flag constraint=\"disable\" contact=\"disable\"/></option>\n<worldbody>\n");
        putTree(&t, mjcf, child, next);
        put(&t, "</worldbody>\n</mujoco>\n");
    }
    free(links);
    mjcf->text = t.text;
    mjcf->length = t.length;
    if (t.failed) {
        snMjcf_Free(mjcf);
        snprintf(why->text, sizeof why->text, "no memory for the MJCF text of %zu bones", n);
        return sn_errorMemory;
    }
    return sn_ok;
}

void snMjcf_Free(snMjcf* mjcf)
{
    free(mjcf->text);
    free(mjcf->bones);
    *mjcf = (snMjcf){0};
}

// State -----------------------------------------------------------------------

static void storeTurn(double* out, snQuat q)
{
    out[0] = q.w, out[1] = q.x, out[2] = q.y, out[3] = q.z;
}

void snMjcf_Position(const snMjcf* mjcf, const double* q, double* qpos)
{
    const snSkeleton* s = mjcf->skeleton;
    for (int32_t i = 0; i < snSkeleton_BoneCount(s); ++i) {
        const snBoneDef* def = snSkeleton_Bone(s, i);
        const double* x = q + snSkeleton_PositionStart(s, i);
        double* out = qpos + mjcf->bones[i].qpos;
        if (def->joint == sn_jointBall) {
            storeTurn(out, loadTurn(x));
        } else if (def->joint == sn_jointFree) {
            snVec3 p = load(x);
            snQuat turn = loadTurn(x + 3);
            if (mjcf->bones[i].native) {
                p = rotate(def->anchor.q, p);
                p.x += def->anchor.p.x, p.y += def->anchor.p.y, p.z += def->anchor.p.z;
                turn = multiply(def->anchor.q, turn);
            }
            store(out, p);
            storeTurn(out + 3, turn);
        } else {
            int32_t count = countOf(s, i, snSkeleton_PositionStart, snSkeleton_PositionCount(s));
            memcpy(out, x, (size_t)count * sizeof *out);
        }
    }
}

// What a joint's rates are turned by on their way to MuJoCo.
typedef struct Axes {
    int32_t ours, theirs, count;
    bool turns, travels; // ball or free; free
    snQuat anchor,
        inner; // of travel: to MuJoCo's axes; of rotation: from the bone's axes to the anchor's
} Axes;

static Axes findAxes(const snMjcf* mjcf, int32_t bone, const double* q)
{
    const snSkeleton* s = mjcf->skeleton;
    const snBoneDef* def = snSkeleton_Bone(s, bone);
    Axes a = {.ours = snSkeleton_VelocityStart(s, bone), .theirs = mjcf->bones[bone].dof};
    a.count = countOf(s, bone, snSkeleton_VelocityStart, snSkeleton_VelocityCount(s));
    a.travels = def->joint == sn_jointFree;
    a.turns = a.travels || def->joint == sn_jointBall;
    a.anchor = mjcf->bones[bone].native ? def->anchor.q : (snQuat){0, 0, 0, 1};
    if (a.turns) {
        a.inner = loadTurn(q + snSkeleton_PositionStart(s, bone) + (a.travels ? 3 : 0));
    }
    return a;
}

void snMjcf_Rate(const snMjcf* mjcf, const double* q, const double* qd, double* qvel)
{
    for (int32_t i = 0; i < snSkeleton_BoneCount(mjcf->skeleton); ++i) {
        Axes a = findAxes(mjcf, i, q);
        const double* from = qd + a.ours;
        double* to = qvel + a.theirs;
        if (!a.turns) {
            memcpy(to, from, (size_t)a.count * sizeof *to);
            continue;
        }
        store(a.travels ? to + 3 : to, rotate(conjugate(a.inner), load(from)));
        if (a.travels) {
            store(to, rotate(a.anchor, load(from + 3)));
        }
    }
}

void snMjcf_RateBack(const snMjcf* mjcf, const double* q, const double* qvel, double* qd)
{
    for (int32_t i = 0; i < snSkeleton_BoneCount(mjcf->skeleton); ++i) {
        Axes a = findAxes(mjcf, i, q);
        const double* from = qvel + a.theirs;
        double* to = qd + a.ours;
        if (!a.turns) {
            memcpy(to, from, (size_t)a.count * sizeof *to);
            continue;
        }
        store(to, rotate(a.inner, load(a.travels ? from + 3 : from)));
        if (a.travels) {
            store(to + 3, rotate(conjugate(a.anchor), load(from)));
        }
    }
}
