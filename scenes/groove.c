// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

// A dance as a recipe: where each foot steps, where the pelvis goes on every beat, how trunk and
// arms go with it. Legs follow from pelvis and feet, so that feet stand where they were put.
#include "groove.h"

#include "math/quat.h"
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>

#define DEGREE 0.017453292519943295
#define BEATS 16
#define BEAT 0.5   // s
#define RATE 30    // frames/s
#define FRAMES 241 // after the T-pose: 8 s, both ends counted
#define PI 3.141592653589793

// The dancer, cm: hip joints below the root, leg, ankle above the sole.
#define HIPS 100.0
#define HIP_SIDE 9.0
#define HIP_DROP 5.0
#define THIGH 44.0
#define SHIN 42.0
#define ANKLE 9.0

// Choreography -------------------------------------------------------------------

// What is said of every beat: pelvis to the left and forward (cm), turned to the left and leaning
// to the left, trunk against it; of the left and the right arm, how far it hangs down from the
// side, swings forward, and bends at the elbow; and the head turned to the left. Degrees.
enum { X, Z, YAW, LEAN, TWIST, DOWN, SWING = DOWN + 2, BEND = SWING + 2, TURN = BEND + 2, NUMBERS };

// clang-format off
static const double POSES[BEATS + 1][NUMBERS] = {
    {  5,   0,   0,   0,   0,  72,  72,   0,   0,  20,  20,   0},
    {-29,   0, -12,  -6,  16,  60,  48,  35, -25,  65,  45, -18},
    {-24,   0,  -4,   5,   6,  66,  64, -20,  35,  45,  75,   6},
    {  6,   0,  12,   6, -16,  48,  60, -25,  35,  45,  65,  18},
    { -6,   0,   0,  -4,   0,  68,  68,   5,   5,  35,  35,   0},
    { 29,   0,  14,   7, -20,  20,  60, -10,  45,  30,  80,  20},
    { 24,   0,   4,  -5,  -6,  62,  66,  40, -20,  80,  45,  -6},
    { -7,   0, -14,  -7,  20,  60,  20,  45, -10,  80,  30, -20},
    {  5,   0,   0,   4,   0,  66,  66,  10,  10,  40,  40,   0},
    {-22,   0, -10,  -9,  10, -20,  10,   0,  15,  50,  70, -12},
    {  2,   0,  10,   9, -10,  10, -20,  15,   0,  70,  50,  12},
    {-22,   0, -10,  -9,  10, -25,   5,   0,  15,  45,  70, -12},
    {-21,   0,   4,  -5,  -4,  40,  40,  20,  20,  60,  60,   6},
    {  6,  22,  12,   5, -14,  64,  58, -30,  35,  40,  75,  10},
    { -9,  26, -10,  -5,  14,  58,  64,  35, -30,  75,  40, -10},
    {  5,   6,   8,   4, -10,  64,  64, -10,  20,  35,  50,   6},
    {  0,   0,   0,   0,   0,  72,  72,   0,   0,  20,  20,   0},
};
// clang-format on

// A foot is lifted at one beat and put down at a later one, cm to the left and forward.
typedef struct Step {
    int foot; // 0 left, 1 right
    double up, down, x, z, yaw;
} Step;

static const Step STEPS[] = {
    {1, 0.15, 0.9, -42, 0, -12},   {0, 1.15, 1.8, -20, 2, 4},      {0, 2.15, 2.9, 12, 0, 12},
    {1, 3.15, 3.8, -10, 2, -4},    {0, 4.15, 4.9, 42, 0, 12},      {1, 5.15, 5.8, 20, 2, -4},
    {1, 6.15, 6.9, -13, 0, -12},   {0, 7.15, 7.8, 11, 2, 4},       {1, 8.15, 8.9, -31, 0, -14},
    {0, 12.15, 12.9, 12, 30, 10},  {1, 13.15, 13.85, -13, 30, -8}, {0, 14.15, 14.9, 12, 2, 8},
    {1, 15.15, 15.85, -12, 0, -8},
};
static const double FEET[2][3] = {{12, 0, 8}, {-12, 0, -8}}; // where they start: x, z, yaw

// Through four values, one a beat, at t = 0..1 between the middle two
static double smooth(double a, double b, double c, double d, double t)
{
    double m = 0.5 * (c - a), n = 0.5 * (d - b);
    return b + t * (m + t * (3 * (c - b) - 2 * m - n + t * (m + n - 2 * (c - b))));
}

static double mix(double beat, int number)
{
    int k = (int)beat;
    k = k > BEATS - 1 ? BEATS - 1 : k;
    int before = k > 0 ? k - 1 : 0, after = k + 2 < BEATS ? k + 2 : BEATS;
    return smooth(POSES[before][number], POSES[k][number], POSES[k + 1][number],
                  POSES[after][number], beat - k);
}

// Motion -------------------------------------------------------------------------

enum {
    ROOT,
    SPINE,
    CHEST,
    NECK,
    HEAD,
    COLLAR, // and four more of the left arm, then the right
    ARM,
    FOREARM,
    HAND,
    THIGHS = COLLAR + 8, // and three more of the left leg, then the right
    KNEE,
    FOOT,
    TOES,
    JOINTS = THIGHS + 8
};

// Rotations against the parent, and the root
typedef struct Frame {
    snVec3 root; // cm
    snQuat turn[JOINTS];
} Frame;

static snQuat about(double x, double y, double z, double degrees)
{
    return snQFromAxisAngle(snV3(x, y, z), degrees * DEGREE);
}

// Where a foot is: on the ground, or on its way in an arc
static void placeFoot(int foot, double beat, snVec3* at, double* yaw, double* pitch)
{
    double x = FEET[foot][0], z = FEET[foot][1], turn = FEET[foot][2];
    *pitch = 0;
    *at = snV3(x, 0, z);
    *yaw = turn;
    for (size_t i = 0; i < sizeof STEPS / sizeof *STEPS; ++i) {
        const Step* s = &STEPS[i];
        if (s->foot != foot || beat <= s->up) {
            continue;
        }
        double t = beat >= s->down ? 1 : (beat - s->up) / (s->down - s->up);
        double go = t * t * t * (10 + t * (6 * t - 15)), lift = snSin(PI * t);
        *at = snV3(x + go * (s->x - x), 9 * lift * lift, z + go * (s->z - z));
        *yaw = turn + go * (s->yaw - turn);
        *pitch = 22 * lift * lift * (1 - t);
        x = s->x;
        z = s->z;
        turn = s->yaw;
    }
}

static snQuat axesOf(snVec3 x, snVec3 y)
{
    return snQFromMat(snMatFromCols(x, y, snCross(x, y)));
}

// Two bones from hip to ankle; the knee points where the foot does. Law of cosines.
static void bendLeg(Frame* f, int leg, double beat, snQuat pelvis)
{
    double yaw, pitch;
    snVec3 at;
    placeFoot(leg, beat, &at, &yaw, &pitch);
    snQuat foot = snQMul(about(0, 1, 0, yaw), about(1, 0, 0, pitch));
    snVec3 hip = snAdd(f->root, snQRotate(pelvis, snV3(leg ? -HIP_SIDE : HIP_SIDE, -HIP_DROP, 0)));
    snVec3 line = snSub(snAdd(at, snV3(0, ANKLE, 0)), hip);
    double d = fmin(snLength(line), 0.995 * (THIGH + SHIN));
    snVec3 n = snNormalize(line), forward = snQRotate(about(0, 1, 0, yaw), snV3(0, 0, 1));
    snVec3 axis = snNormalize(snCross(forward, n));
    double open = snAcos((THIGH * THIGH + d * d - SHIN * SHIN) / (2 * THIGH * d));
    double knee = PI - snAcos((THIGH * THIGH + SHIN * SHIN - d * d) / (2 * THIGH * SHIN));
    snVec3 thigh = snQRotate(snQFromAxisAngle(axis, -open), n);
    snVec3 shin = snQRotate(snQFromAxisAngle(axis, knee), thigh);
    snQuat upper = axesOf(axis, snNeg(thigh)), lower = axesOf(axis, snNeg(shin));
    snQuat* turn = f->turn + THIGHS + 4 * leg;
    turn[0] = snQMul(snQConj(pelvis), upper);
    turn[1] = snQMul(snQConj(upper), lower);
    turn[2] = snQMul(snQConj(lower), foot);
    turn[3] = about(1, 0, 0, -pitch);
}

static void swingArm(Frame* f, int arm, double beat)
{
    double side = arm ? -1 : 1, pump = 4 * snSin(2 * PI * beat);
    double down = mix(beat, DOWN + arm), swing = mix(beat, SWING + arm);
    double bend = mix(beat, BEND + arm);
    snQuat* turn = f->turn + COLLAR + 4 * arm;
    turn[0] = about(0, 0, 1, side * (down < 20 ? 0.25 * (20 - down) : 0));
    turn[1] = snQMul(about(1, 0, 0, -swing), about(0, 0, 1, -side * (down + pump)));
    turn[2] = about(0, 1, 0, -side * (bend + pump));
    turn[3] = about(0, 0, 1, -side * 0.6 * pump);
}

// Knees give on every beat; the trunk bends back what the pelvis leans.
static void dance(double beat, Frame* f)
{
    double lean = mix(beat, LEAN), twist = mix(beat, TWIST);
    double dip = 4.5 + 2.5 * snCos(2 * PI * beat), head = mix(beat, TURN);
    f->root = snV3(mix(beat, X), HIPS - dip, mix(beat, Z));
    // hips drop on the side of the leg that carries nothing: away from the lean
    snQuat pelvis = snQMul(about(0, 1, 0, mix(beat, YAW)), about(0, 0, 1, lean));
    f->turn[ROOT] = pelvis;
    f->turn[SPINE] = snQMul(about(0, 1, 0, 0.5 * twist), about(0, 0, 1, -1.2 * lean));
    f->turn[CHEST] = snQMul(about(0, 1, 0, 0.5 * twist), about(1, 0, 0, 0.8 * dip - 2));
    f->turn[NECK] = snQMul(about(0, 1, 0, 0.5 * head), about(0, 0, 1, 0.3 * lean));
    f->turn[HEAD] = snQMul(about(0, 1, 0, 0.5 * head), about(1, 0, 0, 1.5 * dip - 6));
    for (int side = 0; side < 2; ++side) {
        swingArm(f, side, beat);
        bendLeg(f, side, beat, pelvis);
    }
}

// Writing ------------------------------------------------------------------------

typedef struct Writer {
    char* text;
    size_t length;
} Writer;

static void put(Writer* w, const char* format, ...)
{
    va_list list;
    va_start(list, format);
    int count = vsnprintf(w->text + w->length, SN_GROOVE_SIZE - w->length, format, list);
    va_end(list);
    w->length += count > 0 ? (size_t)count : 0;
    w->length = w->length < SN_GROOVE_SIZE ? w->length : SN_GROOVE_SIZE - 1;
}

// Two decimals, the same in every locale
static void putNumber(Writer* w, double value)
{
    int hundredths = (int)floor(100 * value + 0.5),
        size = hundredths < 0 ? -hundredths : hundredths;
    put(w, "%s%d.%02d ", hundredths < 0 ? "-" : "", size / 100, size % 100);
}

// What stands in the file of a joint: names and places, and how many of its children follow
typedef struct Part {
    const char* name; // without Left or Right
    int x, y, z;      // cm from its parent; x of the left side
    int closes;       // joints that end after this one
    int tip[3];       // cm, of one that ends
} Part;

static const Part TRUNK[5] = {{"Hips", 0, 0, 0, 0, {0}},
                              {"Spine", 0, 12, 0, 0, {0}},
                              {"Chest", 0, 18, 0, 0, {0}},
                              {"Neck", 0, 26, 0, 0, {0}},
                              {"Head", 0, 10, 0, 2, {0, 18, 0}}};
static const Part SIDE[8] = {{"Shoulder", 3, 22, 0, 0, {0}}, {"Arm", 14, 0, 0, 0, {0}},
                             {"ForeArm", 28, 0, 0, 0, {0}},  {"Hand", 26, 0, 0, 4, {16, 0, 0}},
                             {"UpLeg", 9, -5, 0, 0, {0}},    {"Leg", 0, -44, 0, 0, {0}},
                             {"Foot", 0, -42, 0, 0, {0}},    {"ToeBase", 0, -6, 13, 4, {0, 0, 7}}};

static void putPart(Writer* w, const Part* p, int side)
{
    static const char* const SIDES[3] = {"", "Left", "Right"};
    int sign = side == 2 ? -1 : 1;
    put(w, "%s %s%s\n{\nOFFSET %d %d %d\nCHANNELS %sZrotation Xrotation Yrotation\n",
        p == TRUNK ? "ROOT" : "JOINT", SIDES[side], p->name, sign * p->x, p->y, p->z,
        p == TRUNK ? "6 Xposition Yposition Zposition " : "3 ");
    if (p->closes > 0) {
        put(w, "End Site\n{\nOFFSET %d %d %d\n}\n", sign * p->tip[0], p->tip[1], p->tip[2]);
    }
    for (int i = 0; i < p->closes; ++i) {
        put(w, "}\n");
    }
}

static void putHierarchy(Writer* w)
{
    put(w, "HIERARCHY\n");
    for (int i = 0; i < 5; ++i) {
        putPart(w, &TRUNK[i], 0);
    }
    for (int i = 0; i < 8; ++i) { // arms on the chest
        putPart(w, &SIDE[i % 4], 1 + i / 4);
    }
    put(w, "}\n}\n");             // chest and spine
    for (int i = 0; i < 8; ++i) { // legs on the hips
        putPart(w, &SIDE[4 + i % 4], 1 + i / 4);
    }
    put(w, "}\nMOTION\nFrames: %d\nFrame Time: 0.0333333\n", FRAMES + 1);
}

// R = Rz Rx Ry
static void putFrame(Writer* w, const Frame* f)
{
    putNumber(w, f->root.x);
    putNumber(w, f->root.y);
    putNumber(w, f->root.z);
    for (int i = 0; i < JOINTS; ++i) {
        snMat3 R = snMatFromQ(snQNormalize(f->turn[i]));
        putNumber(w, snAtan2(-R.m01, R.m11) / DEGREE);
        putNumber(w, snAsin(fmax(-1, fmin(1, R.m21))) / DEGREE);
        putNumber(w, snAtan2(-R.m20, R.m22) / DEGREE);
    }
    w->text[w->length - 1] = '\n';
}

size_t snGroove_Write(char text[SN_GROOVE_SIZE])
{
    Writer w = {text, 0};
    Frame f = {.root = {0, HIPS, 0}};
    for (int i = 0; i < JOINTS; ++i) {
        f.turn[i] = snQIdentity();
    }
    putHierarchy(&w);
    putFrame(&w, &f);
    for (int i = 0; i < FRAMES; ++i) {
        dance((double)i / (RATE * BEAT), &f);
        putFrame(&w, &f);
    }
    text[w.length] = 0;
    return w.length;
}
