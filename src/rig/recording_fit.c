// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

#include "rig/recording_fit.h"

#include <stdio.h>
#include <string.h>

#include "math/trig.h"

#define DEGREES 57.295779513082320877

// Trunk ----------------------------------------------------------------------------

snTrunk snTrunk_Of(const int32_t* part_of)
{
    static const snHumanPart TOPS[3] = {sn_partHead, sn_partNeck, sn_partTrunk};
    int32_t pelvis = part_of[SN_ROLE(sn_partPelvis, 0)];
    int32_t left = part_of[SN_ROLE(sn_partThigh, 0)], right = part_of[SN_ROLE(sn_partThigh, 1)];
    bool legs = left >= 0 && right >= 0;
    snTrunk trunk = {{legs ? left : pelvis, legs ? right : pelvis}, -1};
    for (int i = 0; i < 3 && trunk.top < 0; ++i) {
        trunk.top = part_of[SN_ROLE(TOPS[i], 0)];
    }
    return trunk;
}

double snTrunk_Lean(const snTrunk* t, const snVec3* place, snVec3 up)
{
    if (t->hips[0] < 0 || t->top < 0) {
        return 0;
    }
    snVec3 hips = snScale(0.5, snAdd(place[t->hips[0]], place[t->hips[1]]));
    snVec3 along = snSub(place[t->top], hips);
    return DEGREES * snAtan2(snLength(snCross(along, up)), snDot(along, up));
}

// Limbs ----------------------------------------------------------------------------

// What joints are by the recording's own names, whatever a mapping file calls them
static void findRoles(const snClip* clip, const char** names, int32_t* roles)
{
    for (int32_t j = 0; j < clip->info.joint_count; ++j) {
        bool own = clip->alias[j] && clip->alias_line[j] == 0; // VRM's
        names[j] = own ? clip->alias[j] : clip->joints[j].name;
    }
    snRoles_Find(names, clip->parents, clip->info.joint_count, roles);
}

// The joints of both limbs, upper and lower part. Nothing follows those that are listed.
static bool areWhole(const int32_t* joint_of, const uint8_t* followed, snHumanPart upper,
                     snHumanPart lower)
{
    bool whole = true;
    for (int side = 0; side < 2; ++side) {
        int32_t a = joint_of[SN_ROLE(upper, side)], b = joint_of[SN_ROLE(lower, side)];
        whole = whole && a >= 0 && b >= 0 && (!followed || (followed[a] && followed[b]));
    }
    return whole;
}

static bool isLimb(int32_t role)
{
    snHumanPart part = snRole_Part(role);
    return part == sn_partUpperArm || part == sn_partForearm || part == sn_partThigh ||
           part == sn_partShin;
}

static void listPairs(const snRecordingSkeleton* p, const snClip* clip, char* out, size_t size)
{
    size_t used = 0;
    out[0] = 0;
    for (int32_t i = 0; p->skeleton && i < p->skeleton->bone_count; ++i) {
        int32_t j = p->match.joint[i];
        char pair[160];
        int length = j < 0 ? 0
                           : snprintf(pair, sizeof pair, "%s'%.60s' by '%.60s'", used ? ", " : "",
                                      p->rig->nodes[p->node[i]].name, clip->joints[j].name);
        if (length > 0 && used + (size_t)length < size) {
            memcpy(out + used, pair, (size_t)length + 1);
            used += (size_t)length;
        }
    }
}

snStatus snRecordingFit_Find(snArena* arena, const snRecordingSkeleton* p, const snClip* clip,
                             snRecordingFit* fit, snMessage* why)
{
    size_t joints = (size_t)clip->info.joint_count, bones = (size_t)p->skeleton->bone_count;
    const char** names = snArena_Push(arena, joints, sizeof *names);
    int32_t* roles = snArena_Push(arena, joints, sizeof *roles);
    int32_t* done = snArena_Push(arena, joints, sizeof *done);
    uint8_t* followed = snArena_Push(arena, joints, 1);
    snVec3* place = snArena_Push(arena, bones, sizeof *place);
    snVec3* was = snArena_Push(arena, joints, sizeof *was);
    int32_t joint_of[SN_ROLE_COUNT];
    if (arena->failed) {
        return snFail(why, sn_errorMemory, "out of memory");
    }
    findRoles(clip, names, roles);
    memset(joint_of, -1, sizeof joint_of);
    for (size_t i = 0; i < bones; ++i) {
        place[i] = p->rest[p->node[i]].p;
        if (p->match.joint[i] >= 0) {
            followed[p->match.joint[i]] = 1;
        }
    }
    for (size_t j = 0; j < joints; ++j) {
        joint_of[roles[j]] = (int32_t)j;
        was[j] = snQRotate(clip->to_ours, clip->rest[j].p);
        done[j] = isLimb(roles[j]) && !followed[j] ? -1 : 0;
        names[j] = clip->joints[j].name;
    }
    snTrunk trunk = snTrunk_Of(p->match.bone_of), recorded = snTrunk_Of(joint_of);
    *fit = (snRecordingFit){.lean = snTrunk_Lean(&trunk, place, snV3(0, 1, 0)),
                            .recorded_lean = snTrunk_Lean(&recorded, was, snV3(0, 1, 0))};
    fit->is_for_person = areWhole(p->match.bone_of, NULL, sn_partThigh, sn_partShin) &&
                         areWhole(p->match.bone_of, NULL, sn_partUpperArm, sn_partForearm);
    fit->is_person = areWhole(joint_of, NULL, sn_partThigh, sn_partShin) &&
                     areWhole(joint_of, NULL, sn_partUpperArm, sn_partForearm);
    fit->legs = areWhole(joint_of, followed, sn_partThigh, sn_partShin);
    fit->arms = areWhole(joint_of, followed, sn_partUpperArm, sn_partForearm);
    snMatch_List(names, done, (int32_t)joints, fit->missing, sizeof fit->missing);
    listPairs(p, clip, fit->follows, sizeof fit->follows);
    return sn_ok;
}

// Refusals -------------------------------------------------------------------------

snStatus snRecordingFit_Refuse(snArena* arena, const snRecordingSkeleton* p, const snClip* clip,
                               const char* reason, snMessage* why)
{
    char found[150], ours[120], theirs[120];
    const char** names = snArena_Push(arena, (size_t)p->rig->info.node_count, sizeof *names);
    const char** joints = snArena_Push(arena, (size_t)clip->info.joint_count, sizeof *joints);
    if (arena->failed) {
        return snFail(why, sn_errorMemory, "out of memory");
    }
    int32_t count = 0;
    for (int32_t n = 0; n < p->rig->info.node_count; ++n) {
        names[count] = p->rig->nodes[n].name;
        count += p->rig->nodes[n].is_joint || p->rig->info.joint_count == 0;
    }
    for (int32_t j = 0; j < clip->info.joint_count; ++j) {
        joints[j] = clip->joints[j].name;
    }
    listPairs(p, clip, found, sizeof found);
    snMatch_List(names, NULL, count, ours, sizeof ours);
    snMatch_List(joints, NULL, clip->info.joint_count, theirs, sizeof theirs);
    return snFail(why, sn_errorArgument,
                  "%.280s: it would move %s; the character has %s, the motion has %s; a mapping "
                  "file of lines 'JOINT BONE', a joint of the motion and one of the character, "
                  "says which is which",
                  reason, found[0] ? found : "nothing", ours, theirs);
}

// Why a recording of a person, or for one, cannot be carried; false when it can
static bool findReason(const snRecordingFit* c, bool is_mapped, char* reason, size_t size)
{
    if (c->is_person && !c->legs && !c->arms) {
        snprintf(reason, size,
                 "a person's motion needs both legs or both arms, upper and lower part of each, "
                 "and nothing here fits its %.140s",
                 c->missing);
    } else if (c->is_person && c->lean > SN_FIT_LEAN && !is_mapped) {
        snprintf(reason, size,
                 "a person stands upright, and this body does not: in its bind pose the line from "
                 "hips to head is %.0f degrees off the vertical%s%.80s",
                 c->lean, c->missing[0] ? "; nothing fits " : "", c->missing);
    } else if (!c->is_person && c->is_for_person && !c->legs && !c->arms && !is_mapped) {
        snprintf(reason, size,
                 "a person's body needs a motion of both legs or both arms, upper and lower part "
                 "of each, and here none was recorded");
    } else if (!c->is_person && c->is_for_person && c->recorded_lean > SN_FIT_STOOP && !is_mapped) {
        snprintf(reason, size,
                 "this body stands upright, and what was recorded does not: in its rest pose the "
                 "line from hips to head is %.0f degrees off the vertical",
                 c->recorded_lean);
    } else {
        return false;
    }
    return true;
}

snStatus snRecordingFit_Check(snArena* arena, const snRecordingSkeleton* p, const snClip* clip,
                              const snRecordingFit* fit, bool is_mapped, snMessage* why)
{
    char reason[300];
    return findReason(fit, is_mapped, reason, sizeof reason)
               ? snRecordingFit_Refuse(arena, p, clip, reason, why)
               : sn_ok;
}
