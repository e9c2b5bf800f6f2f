// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

#include "rig/match.h"

#include <stdio.h>
#include <string.h>

#include "base/json.h"
#include "base/message.h"

// "-" in a mapping file: the joint is nothing.
static snStatus checkAlias(const snClip* clip, const snSkeleton* skeleton, int32_t joint,
                           const char* const* names, snMessage* why)
{
    const char* alias = clip->alias[joint];
    if (!alias || strcmp(alias, "-") == 0 || clip->roles[joint] != sn_partNone ||
        snSkeleton_FindBone(skeleton, snName_Plain(alias)) >= 0) {
        return sn_ok;
    }
    const char* near = snSuggest(alias, names, (size_t)skeleton->bone_count);
    return snFail(why, sn_errorArgument,
                  "line %lld of the mapping file makes joint '%.60s' the bone '%.60s', which there "
                  "is not%s%s%s",
                  (long long)clip->alias_line[joint], clip->joints[joint].name, alias,
                  near ? "; did you mean '" : "", near ? near : "", near ? "'?" : "");
}

// Joints of one part on the way up to `top`, lowest first. Returns their number.
static int32_t listChain(const int32_t* roles, const int32_t* parents, int32_t count,
                         snHumanPart part, int32_t top, int32_t* out)
{
    int32_t found = 0;
    for (int32_t i = 0; i < count; ++i) {
        if (roles[i] == SN_ROLE(part, 0) && (top < 0 || snRoles_IsAbove(parents, i, top))) {
            out[found++] = i;
        }
    }
    return found;
}

static int32_t topOf(const int32_t* of)
{
    static const int32_t TOPS[3] = {SN_ROLE(sn_partHead, 0), SN_ROLE(sn_partNeck, 0),
                                    SN_ROLE(sn_partUpperArm, 0)};
    for (int i = 0; i < 3; ++i) {
        if (of[TOPS[i]] >= 0) {
            return of[TOPS[i]];
        }
    }
    return -1;
}

// Spines of different numbers of bones: the last follows the last, the others in proportion.
static void matchChain(const snClip* clip, const int32_t* parents, int32_t bone_count,
                       snHumanPart part, int32_t* space, snMatch* m)
{
    int32_t* bones = space;
    int32_t count = listChain(m->roles, parents, bone_count, part, topOf(m->bone_of), bones);
    int32_t* joints = space + bone_count;
    int32_t from = listChain(clip->roles, clip->parents, clip->info.joint_count, part,
                             topOf(clip->joint_of), joints);
    for (int32_t i = 0; i < count && from > 0; ++i) {
        int32_t k = ((i + 1) * from + count - 1) / count - 1;
        m->joint[bones[i]] = m->joint[bones[i]] < 0 ? joints[k] : m->joint[bones[i]];
    }
}

// Hands and feet mean what they do at the end of a limb, and fingers on a hand: stubs on a trunk do
// not turn as hands, nor do two fingers of four that the forearm carries.
static bool hasLimb(const snMatch* m, snHumanPart part, int32_t side)
{
    bool finger = part >= sn_partThumb && part <= sn_partMiddle2;
    snHumanPart limb = finger || part == sn_partHand                ? sn_partForearm
                       : part == sn_partFoot || part == sn_partToes ? sn_partShin
                                                                    : part;
    return m->bone_of[SN_ROLE(limb, side)] >= 0 &&
           (!finger || m->bone_of[SN_ROLE(sn_partHand, side)] >= 0);
}

static void matchNames(const snClip* clip, const snSkeleton* skeleton, snMatch* m)
{
    for (int32_t i = 0; i < clip->info.joint_count; ++i) {
        const char* name = clip->alias[i] ? clip->alias[i] : clip->joints[i].name;
        int32_t bone = snSkeleton_FindBone(skeleton, snName_Plain(name));
        bool chain =
            clip->roles[i] == SN_ROLE(sn_partTrunk, 0) || clip->roles[i] == SN_ROLE(sn_partNeck, 0);
        // "spine" of one rig is not "spine" of another, unless somebody says so
        if (bone >= 0 && (clip->alias[i] || !chain)) {
            m->joint[bone] = i;
        }
    }
    for (int32_t b = 0; b < skeleton->bone_count; ++b) {
        snHumanPart part = snRole_Part(m->roles[b]);
        bool one = part != sn_partNone && part != sn_partTrunk && part != sn_partNeck;
        if (one && m->joint[b] < 0 && hasLimb(m, part, m->roles[b] % 2)) {
            m->joint[b] = clip->joint_of[m->roles[b]];
        }
    }
}

void snMatch_List(const char* const* names, const int32_t* joint, int32_t count, char* out,
                  size_t size)
{
    size_t used = 0;
    int32_t left = 0;
    out[0] = 0;
    for (int32_t i = 0; i < count; ++i) {
        size_t length = strlen(names[i]) + 4; // a comma, a blank, two quotes
        bool fits = used + length + SN_MATCH_MORE < size;
        if (joint && joint[i] >= 0) {
            continue;
        }
        left += !fits || left > 0;
        if (left == 0) {
            snprintf(out + used, size - used, used ? ", '%s'" : "'%s'", names[i]);
            used = strlen(out);
        }
    }
    if (left > 0) {
        snprintf(out + used, size - used, " and %d more", (int)left);
    }
}

// What there is on either side, and what to do.
static snStatus failToMatch(snArena* arena, const snClip* clip, const char* const* bones,
                            int32_t count, snMessage* why)
{
    char ours[160], theirs[160];
    const char** joints = snArena_Push(arena, (size_t)clip->info.joint_count, sizeof *joints);
    for (int32_t i = 0; joints && i < clip->info.joint_count; ++i) {
        joints[i] = clip->joints[i].name;
    }
    snMatch_List(bones, NULL, count, ours, sizeof ours);
    snMatch_List(joints, NULL, joints ? clip->info.joint_count : 0, theirs, sizeof theirs);
    return snFail(why, sn_errorArgument,
                  "no bone of the character (%s) has a name that fits a joint of the clip (%s); "
                  "play it on a character that is built like the one in the clip, or write a "
                  "mapping file of lines 'JOINT BONE' (\"map\" of a clip in a scene file)",
                  ours, theirs);
}

snStatus snMatch_Find(snArena* arena, const snClip* clip, const snSkeleton* skeleton, snMatch* m,
                      snMessage* why)
{
    return snMatch_Called(arena, clip, skeleton, NULL, m, why);
}

snStatus snMatch_Called(snArena* arena, const snClip* clip, const snSkeleton* skeleton,
                        const char* const* called, snMatch* m, snMessage* why)
{
    size_t n = (size_t)skeleton->bone_count, joints = (size_t)clip->info.joint_count;
    const char** names = snArena_Push(arena, n, sizeof *names);
    int32_t* parents = snArena_Push(arena, n, sizeof *parents);
    int32_t* space = snArena_Push(arena, n + joints, sizeof *space);
    m->joint = snArena_Push(arena, n, sizeof *m->joint);
    m->roles = snArena_Push(arena, n, sizeof *m->roles);
    m->count = 0;
    if (arena->failed) {
        return snFail(why, sn_errorMemory, "no memory to match %zu bones", n);
    }
    for (size_t i = 0; i < n; ++i) {
        names[i] = skeleton->defs[i].name;
        parents[i] = skeleton->bones[i].parent;
        m->joint[i] = -1;
    }
    for (size_t i = 0; i < joints; ++i) {
        snStatus status = checkAlias(clip, skeleton, (int32_t)i, names, why);
        if (status) {
            return status;
        }
    }
    snRoles_Find(called ? called : names, parents, (int32_t)n, m->roles);
    memset(m->bone_of, -1, sizeof m->bone_of);
    for (size_t i = 0; i < n; ++i) {
        if (m->roles[i] != sn_partNone) {
            m->bone_of[m->roles[i]] = (int32_t)i;
        }
    }
    matchNames(clip, skeleton, m);
    matchChain(clip, parents, (int32_t)n, sn_partTrunk, space, m);
    matchChain(clip, parents, (int32_t)n, sn_partNeck, space, m);
    for (size_t i = 0; i < n; ++i) {
        m->count += m->joint[i] >= 0;
    }
    return m->count > 0 ? sn_ok : failToMatch(arena, clip, names, (int32_t)n, why);
}
