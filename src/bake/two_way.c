// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

// Two-way bakes: first the skeleton plays the clip, with flesh and ground that push back on it.
// What it did is a new clip, along which flesh is then simulated as along any other.

#include <string.h>

#include "bake/baker.h"
#include "base/clock.h"
#include "sim/two_way_clip.h"

typedef struct Watch {
    snBaker* baker;
    const snBakeClip* clip;
} Watch;

static bool watchFrame(void* user, int32_t frame, int32_t count)
{
    const Watch* w = user;
    snBaker* b = w->baker;
    b->done = frame;
    b->total = count;
    snBaker_Tell(b, "two-way", w->clip);
    b->done = b->total = 0;
    return !b->host.interrupted || !b->host.interrupted(b->host.user);
}

static bool hasMorphs(const snRigClipData* motion)
{
    for (int32_t i = 0; i < motion->info.channel_count; ++i) {
        if (motion->channels[i].path == sn_pathWeights) {
            return true;
        }
    }
    return false;
}

// Names of the report outlive the bake.
static snStatus reportClip(snBaker* b, const snBakeClip* c, const snTwoWayFacts* f)
{
    snBakedClip* out = c->facts;
    out->turn_rms = f->turn_rms;
    out->turn_most = f->turn_most;
    out->root_miss = f->root_most;
    out->joint_limited = f->frames > 0 ? (double)f->limited / (double)f->frames : 0;
    out->joint_resets = f->resets;
    out->morphs_lost = hasMorphs(c->motion);
    out->turn_node = "";
    if (f->turn_joint >= 0) {
        out->turn_node = snBaker_CopyText(b, b->joints->joints[f->turn_joint].name);
    }
    out->name = snBaker_CopyText(b, b->acted[b->acted_count].info.name);
    return out->turn_node && out->name ? sn_ok : snFail(b->why, sn_errorMemory, "out of memory");
}

snStatus snBaker_Act(snBaker* b, snBakeClip* c)
{
    Watch watch = {b, c};
    snTwoWayDef def;
    snTwoWayFacts facts = {0};
    snRigClipData* acted = &b->acted[b->acted_count];
    snStatus status = sn_ok;
    double begin = snClock_Now();
    if (!b->joints) {
        status = snRigJoints_Fit(&b->host, b->rig, &b->joints, b->why);
    }
    snTwoWayDef_Init(&def);
    def.body = &b->body->made;
    def.joints = b->joints;
    def.track = &c->track;
    def.rate = c->rate;
    def.strength = b->def->strength;
    def.is_free = b->def->is_free != 0;
    def.ground = b->def->ground != 0;
    def.ground_height = b->def->ground_height * b->body->made.unit;
    status = status ? status
                    : snTwoWay_Perform(&b->arena, &b->host, &def, watchFrame, &watch, acted, &facts,
                                       b->why);
    c->facts->acted_seconds = snClock_Now() - begin;
    status = status ? status : reportClip(b, c, &facts);
    if (status) {
        return status;
    }
    snRigTrackDef loop;
    snRigTrackDef_Init(&loop);
    loop.loop = !c->track.is_loop || def.is_free ? 0 : c->track.is_open ? -1 : 1;
    c->motion = acted;
    c->added = b->acted_count++;
    return snRigTrack_Of(&b->arena, b->rig, acted, &loop, &c->track, b->why);
}
