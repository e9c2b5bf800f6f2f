// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

// Clips on characters: the retargeted motion becomes a trajectory of every joint.
#include <string.h>

#include "base/message.h"
#include "character/character.h"
#include "rig/feet.h"
#include "sim/scene.h"
#include "skel/joint.h"

#define MOST_KEYS 100000 // of a drive
#define STOP 0.25        // s in which a motion that breaks off comes to rest

void snPlayDef_Init(snPlayDef* def)
{
    *def = (snPlayDef){.size = sizeof(snPlayDef), .lead = 0.75, .speed = 1, .feet = 1};
}

static snStatus checkDef(const snPlayDef* def, snMessage* why)
{
    if (def->size != sizeof(snPlayDef)) {
        return snFail(why, sn_errorArgument, "the def was not set up with snPlayDef_Init");
    }
    if (!(fabs(def->begin) <= 86400) || !(def->lead >= 0 && def->lead <= 60) ||
        !(def->speed >= 0.01 && def->speed <= 100)) {
        return snFail(why, sn_errorArgument,
                      "begin must be within 86400 s, lead in 0..60 s and speed in 0.01..100; found "
                      "%g, %g and %g",
                      def->begin, def->lead, def->speed);
    }
    return sn_ok;
}

// What the character stands on in its zero pose: its lowest point, skin or bone
static double groundOf(const snCharacter* character, const snRetarget* r)
{
    const snFleshInfo* flesh = snCharacter_Flesh(character);
    const snSkeleton* s = character->skeleton;
    double low = (double)INFINITY;
    for (int32_t i = 0; flesh && i < flesh->vertex_count; ++i) {
        low = fmin(low, flesh->vertices[3 * (size_t)i + 1]);
    }
    for (int32_t i = 0; !flesh && i < s->bone_count; ++i) {
        snVec3 tip = snAdd(r->rest[i].p, snQRotate(r->rest[i].q, s->defs[i].tip));
        low = fmin(low, fmin(r->rest[i].p.y, tip.y) - s->defs[i].radius);
    }
    return low;
}

// Keys ---------------------------------------------------------------------------

// The keys of a whole clip: some from the start pose into it, its frames, some until all rests.
typedef struct Keys {
    const double* q; // (frames, nq)
    const double* start;
    int32_t nq, lead, frames, stop;
    double rate; // frames/s as played
    double begin, lead_time;
} Keys;

static int32_t keyCount(const Keys* k)
{
    return k->lead + k->frames + k->stop;
}

static double keyTime(const Keys* k, int32_t i)
{
    return i < k->lead ? k->begin + k->lead_time * i / k->lead
                       : k->begin + k->lead_time + (i - k->lead) / k->rate;
}

// Into the clip: x = (1 - s) start + s (x_0 + v_0 (t - T)), s from 0 to 1 with no first or second
// derivative at its ends: from rest into the clip's own motion. Out of it: x = x_n + v_n T (u - u^3
// + u^4/2), u = t/T, whose speed falls smoothly to 0. `ahead` is the time by which the clip's end
// is passed, or is still to come.
static double leadShare(double t)
{
    return t * t * t * (10 + t * (6 * t - 15));
}

static double stopTime(double t)
{
    double u = fmin(1, t / STOP);
    return STOP * (u - u * u * u + 0.5 * u * u * u * u);
}

// A rotation that goes on turning as from a to b in 1/rate s, `time` s after `from`
static snQuat turnOn(const double* from, const double* a, const double* b, double rate, double time)
{
    snVec3 w = snScale(rate, snQLog(snQMul(snLoadQ(b), snQConj(snLoadQ(a)))));
    return snQMul(snQExp(snScale(time, w)), snLoadQ(from));
}

// Part of a key: `width` numbers of q from `first`, the last four a rotation if it turns
static void makeKey(const Keys* k, int32_t i, int32_t first, int32_t width, bool turns, double* out)
{
    int32_t frame = i - k->lead, last = k->frames - 1;
    frame = frame < 0 ? 0 : frame > last ? last : frame;
    const double* from = k->q + (size_t)frame * (size_t)k->nq + first;
    memcpy(out, from, (size_t)width * sizeof(double));
    if ((i >= k->lead && i < k->lead + k->frames) || width == 0) {
        return;
    }
    // the speed at the end of the clip that is nearer
    int32_t a = i < k->lead ? 0 : last - (last > 0), b = i < k->lead ? (last > 0) : last;
    const double* qa = k->q + (size_t)a * (size_t)k->nq + first;
    const double* qb = k->q + (size_t)b * (size_t)k->nq + first;
    double ahead = i < k->lead ? k->lead_time * ((double)i / k->lead - 1)
                               : stopTime((i - k->lead - last) / k->rate);
    double share = i < k->lead ? leadShare((double)i / k->lead) : 1;
    const double* start = k->start + first;
    int32_t numbers = turns ? width - 4 : width;
    for (int32_t c = 0; c < numbers; ++c) {
        double x = from[c] + ahead * k->rate * (qb[c] - qa[c]);
        out[c] = start[c] + share * (x - start[c]);
    }
    if (turns) {
        snQuat x = turnOn(from + numbers, qa + numbers, qb + numbers, k->rate, ahead);
        snStoreQ(out + numbers, snQNormalize(snQSlerp(snLoadQ(start + numbers), x, share)));
    }
}

static snStatus driveBones(snScene* scene, int32_t who, const Keys* k, snArena* arena,
                           snMessage* why)
{
    const snSkeleton* s = scene->world.actors[who].character->skeleton;
    size_t count = (size_t)keyCount(k);
    double* times = snArena_Push(arena, count, sizeof(double));
    double* keys = snArena_Push(arena, count, 7 * sizeof(double));
    if (arena->failed) {
        return snFail(why, sn_errorMemory, "no memory for %zu keys", count);
    }
    for (size_t i = 0; i < count; ++i) {
        times[i] = keyTime(k, (int32_t)i);
    }
    snStatus status = sn_ok;
    for (int32_t bone = 0; bone < s->bone_count && !status; ++bone) {
        const snBone* b = &s->bones[bone];
        int32_t width = snJoint_Shape(b->type)->nq;
        bool turns = b->type == sn_jointBall || b->type == sn_jointFree;
        if (b->type != sn_jointWeld) {
            for (size_t i = 0; i < count; ++i) {
                makeKey(k, (int32_t)i, b->qi, width, turns, keys + i * (size_t)width);
            }
            snDriveDef def;
            snDriveDef_Init(&def);
            def.kind = sn_driveTrajectory;
            def.bone = bone;
            def.key_count = (int32_t)count;
            def.times = times;
            def.keys = keys;
            status = snScene_SetDrive(scene, who, &def, why);
        }
    }
    return status;
}

// Playing ------------------------------------------------------------------------

static snStatus standFeet(snArena* arena, snRetarget* r, bool hold, snPlayReport* report,
                          snMessage* why)
{
    snFeet feet;
    snFeetError before, after;
    snStatus status = snFeet_Find(arena, r, &feet, why);
    status = status ? status : snFeet_Measure(arena, &feet, &before, why);
    if (!status && hold) {
        snFeet_Hold(&feet);
    }
    status = status ? status : snFeet_Measure(arena, &feet, &after, why);
    if (!status) {
        report->feet = 1;
        report->stances = before.stances;
        report->height_before = before.height;
        report->slide_before = before.slide;
        report->height_after = after.height;
        report->slide_after = after.slide;
    }
    return status;
}

static snStatus listIdle(snArena* arena, const snRetarget* r, snPlayReport* report, snMessage* why)
{
    int32_t count = r->skeleton->bone_count;
    const char** names = snArena_Push(arena, (size_t)count, sizeof *names);
    if (!names) {
        return snFail(why, sn_errorMemory, "out of memory");
    }
    for (int32_t i = 0; i < count; ++i) {
        names[i] = r->skeleton->defs[i].name;
    }
    snMatch_List(names, r->match.joint, count, report->idle, sizeof report->idle);
    return sn_ok;
}

static snStatus play(snScene* scene, int32_t who, const snClip* clip, const snPlayDef* def,
                     snArena* arena, snPlayReport* report, snMessage* why)
{
    const snActor* actor = &scene->world.actors[who];
    snRetarget r;
    snStatus status = snRetarget_Run(arena, clip, actor->character->skeleton, &r, why);
    if (!status && r.legs[0]) {
        r.ground = groundOf(actor->character, &r);
        status = standFeet(arena, &r, def->feet != 0, report, why);
    }
    if (status) {
        return status;
    }
    Keys k = {.q = r.q,
              .start = actor->q,
              .nq = actor->character->skeleton->nq,
              .frames = r.frame_count,
              .rate = clip->info.rate * def->speed,
              .begin = def->begin,
              .lead_time = def->lead};
    double lead = ceil(def->lead * fmax(k.rate, 60)), stop = ceil(STOP * k.rate);
    if (!(lead + k.frames + stop <= MOST_KEYS)) {
        return snFail(why, sn_errorArgument,
                      "%d frames at %g frames/s are more than a drive's %d keys; cut the clip into "
                      "parts",
                      (int)k.frames, k.rate, MOST_KEYS);
    }
    k.lead = (int32_t)lead;
    k.stop = k.frames > 1 ? (int32_t)stop : 0;
    report->bone_count = r.match.count;
    report->scale = r.scale;
    status = listIdle(arena, &r, report, why);
    if (status) {
        return status;
    }
    report->end = keyTime(&k, keyCount(&k) - 1);
    return driveBones(scene, who, &k, arena, why);
}

snStatus snScene_PlayClip(snScene* scene, int32_t who, const snClip* clip, const snPlayDef* def,
                          snPlayReport* report, snMessage* why)
{
    snMessage_Clear(why);
    snPlayReport unasked;
    report = report ? report : &unasked;
    *report = (snPlayReport){0};
    if (!scene || !clip || !snScene_Character(scene, who)) {
        return snFail(why, sn_errorArgument, "there is no %s%s", !clip ? "clip" : "such character",
                      scene ? "" : " without a scene");
    }
    snPlayDef usual;
    snPlayDef_Init(&usual);
    def = def ? def : &usual;
    snStatus status = checkDef(def, why);
    if (status) {
        return status;
    }
    snArena arena;
    snArena_Init(&arena, &scene->host);
    status = play(scene, who, clip, def, &arena, report, why);
    snArena_Free(&arena);
    return status;
}
