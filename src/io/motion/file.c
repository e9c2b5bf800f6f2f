// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

// A clip of one file for the rig of another.
#include <stdio.h>
#include <string.h>

#include "io/motion/clip.h"
#include "rig/clip_rig.h"
#include "rig/cycle.h"
#include "rig/pose.h"
#include "rig/recording_fit.h"
#include "rig/transfer.h"

#define LEAN_FRAMES 64 // that are looked at for how the character stands
#define UPRIGHT 30.0   // deg off the vertical at most: a person stands

void snMotionDef_Init(snMotionDef* def)
{
    *def = (snMotionDef){.size = sizeof *def, .feet = 1};
}

// A motion on its way to a rig
typedef struct Guest {
    snArena arena; // of the work
    snRig* rig;
    const snMotionDef* def;
    const char* path;
    snRig* from; // NULL: BVH
    int32_t number;
    snClip* clip;
    snTrunk trunk; // nodes of the rig
    snMotionReport* report;
    snMessage* why;
} Guest;

static snStatus failMemory(const Guest* g)
{
    return snFail(g->why, sn_errorMemory, "out of memory");
}

// The motion -----------------------------------------------------------------------

static bool isBvh(const char* path)
{
    size_t length = strlen(path);
    const char* end = length > 4 ? path + length - 4 : "";
    return end[0] == '.' && (end[1] | 32) == 'b' && (end[2] | 32) == 'v' && (end[3] | 32) == 'h';
}

static snStatus finishClip(Guest* g)
{
    snClipDef def;
    snClipDef_Init(&def);
    def.rest = sn_restFirst;
    snStatus status = g->def->map ? snClip_ReadMap(g->clip, g->def->map, g->why) : sn_ok;
    return status ? status : snClip_Finish(g->clip, &def, g->why);
}

// The clip that is asked for, or the first in which something moves
static snStatus openClip(Guest* g)
{
    int32_t count = g->from->info.clip_count, found = 0;
    int32_t* list = snArena_Push(&g->arena, (size_t)count, sizeof *list);
    if (!list) {
        return failMemory(g);
    }
    if (count == 0) {
        return snFail(g->why, sn_errorArgument, "it has no clips, so no motion to give");
    }
    snStatus status =
        snRig_FindClips(g->from, g->def->clip ? g->def->clip : "all", list, &found, g->why);
    for (int32_t i = 0; i < found && !status; ++i) {
        snClip_Free(g->clip);
        g->number = list[i];
        status = snClip_OfRig(&g->rig->host, g->from, list[i], &g->clip, g->why);
        status = status ? status : finishClip(g);
        if (!status && !snClip_IsStill(g->clip)) {
            return sn_ok;
        }
    }
    if (status) {
        return status;
    }
    const char* name = g->from->clips[list[0]].info.name;
    return snFail(g->why, sn_errorArgument,
                  found > 1 ? "nothing moves in its clips, '%.60s' and %d more; take another file"
                            : "nothing moves in its clip '%.60s': it is one pose; take another "
                              "clip or file",
                  name, (int)found - 1);
}

static snStatus openMotion(Guest* g)
{
    snMotionReport* r = g->report;
    if (isBvh(g->path)) {
        snClipDef def;
        snClipDef_Init(&def);
        def.map = g->def->map;
        snStatus status = snClip_Load(&g->rig->host, g->path, &def, &g->clip, g->why);
        r->motion_only = r->clip_count = 1;
        return status         ? status
               : g->def->clip ? snFail(g->why, sn_errorArgument,
                                       "%.300s: BVH files hold one clip, without a "
                                       "name; leave '%.60s' out",
                                       g->path, g->def->clip)
               : !snClip_IsStill(g->clip)
                   ? sn_ok
                   : snFail(g->why, sn_errorArgument, "%.300s: nothing moves in it: it is one pose",
                            g->path);
    }
    snStatus status = snRig_Load(&g->rig->host, g->path, &g->from, g->why);
    if (status) {
        return status;
    }
    status = openClip(g);
    if (status) {
        snMessage_Prefix(g->why, "%.300s", g->path);
        return status;
    }
    r->clip_count = g->from->info.clip_count;
    r->motion_only = g->from->info.mesh_count == 0;
    snprintf(r->source, sizeof r->source, "%.60s", g->from->clips[g->number].info.name);
    return sn_ok;
}

// On the rig -----------------------------------------------------------------------

// What nodes of the other rig are called: as a mapping file says, or as they are
static snStatus copyAlike(Guest* g, snRigClipData* out, bool* fits)
{
    size_t nodes = (size_t)g->from->info.node_count;
    uint8_t* is_bone = snArena_Push(&g->arena, nodes, 1);
    const char** names = snArena_Push(&g->arena, nodes, sizeof *names);
    int32_t* joint_of = snArena_Push(&g->arena, nodes, sizeof *joint_of);
    snTransfer transfer;
    if (g->arena.failed) {
        return failMemory(g);
    }
    snRigBones_Find(g->from, is_bone);
    for (size_t n = 0, joint = 0; n < nodes; ++n) {
        names[n] = is_bone[n] ? g->from->nodes[n].name : NULL;
        if (is_bone[n] && g->clip->alias_line[joint] > 0) {
            names[n] = g->clip->alias[joint];
        }
        joint_of[n] = is_bone[n] ? (int32_t)joint : -1;
        joint += is_bone[n];
    }
    snStatus status = snTransfer_Find(&g->arena, g->from, names, g->rig, &transfer, g->why);
    *fits = !status && transfer.fits;
    if (*fits) {
        int32_t part_of[SN_ROLE_COUNT];
        memset(part_of, -1, sizeof part_of);
        for (int32_t n = 0; n < g->rig->info.node_count; ++n) {
            int32_t joint = transfer.pair[n] < 0 ? -1 : joint_of[transfer.pair[n]];
            part_of[joint < 0 ? 0 : g->clip->roles[joint]] = n;
        }
        g->trunk = snTrunk_Of(part_of);
        g->report->copied = 1;
        g->report->scale = transfer.scale;
        status = snTransfer_Copy(&g->arena, &transfer, &g->from->clips[g->number], out,
                                 &g->report->joint_count, g->why);
    }
    return status;
}

static snStatus standFeet(Guest* g, snRetarget* r)
{
    snFeet feet;
    snCycle cycle;
    snFeetError before, after;
    snMotionReport* report = g->report;
    snStatus status = snCycle_Find(&g->arena, r, &cycle, g->why);
    status = status ? status : snFeet_Find(&g->arena, &cycle.thrice, &feet, g->why);
    if (!status) {
        feet.begin = cycle.before;
        feet.end = cycle.before + r->frame_count;
    }
    status = status ? status : snFeet_Measure(&g->arena, &feet, &before, g->why);
    if (!status && g->def->feet) {
        snFeet_Hold(&feet);
    }
    status = status ? status : snFeet_Measure(&g->arena, &feet, &after, g->why);
    if (!status) {
        snCycle_Take(&cycle, r);
        report->feet = 1;
        report->stances = before.stances;
        report->height_before = before.height;
        report->slide_before = before.slide;
        report->height_after = after.height;
        report->slide_after = after.slide;
    }
    return status;
}

// What follows what, and whether that is enough
static snStatus judge(Guest* g, const snRecordingSkeleton* p)
{
    snRecordingFit fit;
    snMotionReport* r = g->report;
    int32_t part_of[SN_ROLE_COUNT];
    snStatus status = snRecordingFit_Find(&g->arena, p, g->clip, &fit, g->why);
    status = status
                 ? status
                 : snRecordingFit_Check(&g->arena, p, g->clip, &fit, g->def->map != NULL, g->why);
    if (status) {
        return status;
    }
    for (int32_t role = 0; role < SN_ROLE_COUNT; ++role) {
        int32_t bone = p->match.bone_of[role];
        part_of[role] = bone < 0 ? -1 : p->node[bone];
    }
    g->trunk = snTrunk_Of(part_of);
    r->is_partial = fit.is_person && !(fit.legs && fit.arms);
    r->rest_lean = fit.lean;
    snprintf(r->missing, sizeof r->missing, "%s", fit.missing);
    snprintf(r->follows, sizeof r->follows, "%s", fit.follows);
    return sn_ok;
}

static snStatus retarget(Guest* g, snRigClipData* out)
{
    snRecordingSkeleton p;
    snRetarget r;
    snMessage* why = g->why;
    snStatus status = snRecordingSkeleton_Build(&g->arena, g->rig, g->clip, &p, why);
    status = status ? status : judge(g, &p);
    if (status) {
        snMessage_Prefix(why, "%.200s", g->path);
        snRecordingSkeleton_Free(&p);
        return status;
    }
    status = snRetarget_Matched(&g->arena, g->clip, p.skeleton, &p.match, &r, why);
    if (!status && r.legs[0]) {
        r.ground = p.ground;
        memcpy(r.reach, p.reach, sizeof r.reach);
        status = standFeet(g, &r);
    }
    status = status ? status : snRecordingSkeleton_Play(&g->arena, &p, &r, out, why);
    if (!status) {
        const char** names = snArena_Push(&g->arena, (size_t)p.skeleton->bone_count, sizeof *names);
        for (int32_t i = 0; i < p.skeleton->bone_count && names; ++i) {
            names[i] = g->rig->nodes[p.node[i]].name;
        }
        g->report->joint_count = p.match.count;
        g->report->scale = r.scale / p.unit;
        if (names) {
            snMatch_List(names, p.match.joint, p.skeleton->bone_count, g->report->idle,
                         sizeof g->report->idle);
        }
    }
    snRecordingSkeleton_Free(&p);
    return status;
}

// How the character leans where the recording does not
static snStatus findLean(Guest* g, const snRigClipData* motion)
{
    const snClip* c = g->clip;
    size_t nodes = (size_t)g->rig->info.node_count, joints = (size_t)c->info.joint_count;
    int32_t frames = c->info.frame_count - c->info.first, looked = 0;
    int32_t step = frames / LEAN_FRAMES > 1 ? frames / LEAN_FRAMES : 1;
    snTransform* pose = snArena_Push(&g->arena, joints, sizeof *pose);
    snMatrix* world = snArena_Push(&g->arena, nodes, sizeof *world);
    snVec3* place = snArena_Push(&g->arena, nodes > joints ? nodes : joints, sizeof *place);
    snTrunk recorded = snTrunk_Of(c->joint_of);
    double sum = 0;
    if (g->arena.failed) {
        return failMemory(g);
    }
    for (int32_t f = 0; f < frames && recorded.hips[0] >= 0 && recorded.top >= 0; f += step) {
        snClip_Pose(c, c->info.first + f, pose);
        for (size_t j = 0; j < joints; ++j) {
            place[j] = snQRotate(c->to_ours, pose[j].p);
        }
        if (snTrunk_Lean(&recorded, place, snV3(0, 1, 0)) > UPRIGHT) {
            continue;
        }
        snRigClipData_World(g->rig, motion, motion->info.first + f / c->info.rate, world, NULL);
        for (size_t n = 0; n < nodes; ++n) {
            place[n] = world[n].p;
        }
        sum += snTrunk_Lean(&g->trunk, place, snV3(0, 1, 0));
        ++looked;
    }
    g->report->lean = looked > 0 ? sum / looked : 0;
    return sn_ok;
}

// The rig's own ----------------------------------------------------------------------

// As the file, without folder and end; with a number if a clip is called so
static const char* nameClip(Guest* g)
{
    const char *slash = strrchr(g->path, '/'), *name = slash ? slash + 1 : g->path;
    const char* dot = strrchr(name, '.');
    char text[128];
    int length = (int)(dot && dot > name ? dot - name : (ptrdiff_t)strlen(name));
    snprintf(text, sizeof text, "%.*s", length, name);
    for (int k = 2; snRig_FindClip(g->rig, text) >= 0; ++k) {
        snprintf(text, sizeof text, "%.*s_%d", length > 100 ? 100 : length, name, k);
    }
    return snArena_String(&g->rig->arena, text, strlen(text));
}

static float* keep(snArena* arena, const float* from, size_t count)
{
    float* to = snArena_Push(arena, count, sizeof *to);
    if (to) {
        memcpy(to, from, count * sizeof *to);
    }
    return to;
}

static snStatus keepClip(Guest* g, const snRigClipData* motion)
{
    snRig* rig = g->rig;
    snArena* arena = &rig->arena;
    size_t count = (size_t)rig->info.clip_count, channels = (size_t)motion->info.channel_count;
    snRigClipData* clips = snArena_Push(arena, count + 1, sizeof *clips);
    snRigClipData clip = *motion;
    clip.info.name = nameClip(g);
    clip.channels = snArena_Push(arena, channels, sizeof *clip.channels);
    for (size_t i = 0; i < channels && !arena->failed; ++i) {
        snRigChannel* c = &clip.channels[i];
        *c = motion->channels[i];
        size_t parts = c->interpolation == sn_interpolateCubic ? 3 : 1, keys = (size_t)c->key_count;
        bool shared = i > 0 && motion->channels[i - 1].times == c->times;
        c->times = shared ? clip.channels[i - 1].times : keep(arena, c->times, keys);
        c->values = keep(arena, c->values, keys * parts * (size_t)c->width);
    }
    if (arena->failed) {
        return failMemory(g);
    }
    memcpy(clips, rig->clips, count * sizeof *clips);
    clips[count] = clip;
    rig->clips = clips;
    g->report->clip = rig->info.clip_count++;
    ++rig->added_count;
    return sn_ok;
}

snStatus snRig_AddMotion(snRig* rig, const char* path, const snMotionDef* def,
                         snMotionReport* report, snMessage* why)
{
    snMotionReport unasked;
    snMotionDef usual;
    snMotionDef_Init(&usual);
    snMessage_Clear(why);
    Guest g = {.rig = rig,
               .def = def ? def : &usual,
               .path = path,
               .report = report ? report : &unasked,
               .why = why};
    *g.report = (snMotionReport){0};
    if (!rig || !path || g.def->size != sizeof *g.def) {
        return snFail(why, sn_errorArgument,
                      "a rig, a path and a def that snMotionDef_Init filled are needed");
    }
    if (snOwners_Count(&rig->owners) > 1) {
        return snFail(why, sn_errorArgument,
                      "the rig has other owners, who count on it not to change; add motions before "
                      "bodies are built");
    }
    snRigClipData motion = {0};
    bool fits = false;
    snArena_Init(&g.arena, &rig->host);
    snStatus status = openMotion(&g);
    status = status || !g.from ? status : copyAlike(&g, &motion, &fits);
    status = status || fits ? status : retarget(&g, &motion);
    status = status ? status : findLean(&g, &motion);
    status = status ? status : keepClip(&g, &motion);
    snClip_Free(g.clip);
    snRig_Release(g.from);
    snArena_Free(&g.arena);
    return status;
}
