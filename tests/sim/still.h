// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

// The still-pose law, by public calls alone: a character that is held at any frame of any clip
// shows its plain skinning again.
#ifndef SN_TESTS_SIM_STILL_H
#define SN_TESTS_SIM_STILL_H

#include "base/random.h"
#include "rig/shared.h"
#include <sinew/body.h>

#define STILL_FRAMES 10 // of each rig
#define STILL_LONGER 2  // of these are held until jiggle has died out
#define STILL_BRIEF 0.5 // s of a clip

static const double still_law = 0.005;      // of the size, after `still_hold`
static const double still_hold = 2;         // s
static const double still_tolerance = 1e-4; // of the size, after as many jiggles as 5 Hz has in it

typedef struct Still {
    int32_t quality;
    snRandom random;
    bool is_brief; // frames of the clips' beginnings; no clip is a loop, whose lead-in is longer
    int refused;   // rigs that no body could be made for
    int frames;    // that were held
} Still;

// Largest distance between a follow's surface and plain skinning of what it holds, m
static inline double stillLeft(snFollow* follow, const snBody* body, const snFollowDef* def)
{
    snMessage why;
    const snRig* rig = snBody_Rig(body);
    const snRigInfo* info = snRig_Info(rig);
    float* a = calloc(6 * (size_t)info->vertex_count, sizeof *a);
    snMatrix* nodes = calloc((size_t)info->node_count, sizeof *nodes);
    double* weights = calloc((size_t)info->weight_count + 1, sizeof *weights);
    double most = 0;
    assert_ok(def->motion ? snFollow_Pose(follow, nodes, weights, &why)
                          : snRig_Pose(rig, def->clip, def->hold, nodes, weights, &why),
              why);
    for (int32_t i = 0; i < info->mesh_count; ++i) {
        int32_t count = snRig_Mesh(rig, i)->vertex_count;
        float* b = a + 3 * (size_t)count;
        assert_ok(snFollow_Surface(follow, i, a, NULL, &why), why);
        assert_ok(snRig_Skin(rig, i, nodes, weights, b, NULL, &why), why);
        for (size_t v = 0; v < (size_t)count; ++v) {
            double square = 0;
            for (size_t k = 3 * v; k < 3 * v + 3; ++k) {
                square += ((double)a[k] - (double)b[k]) * ((double)a[k] - (double)b[k]);
            }
            assert_true(isfinite(square));
            most = fmax(most, square);
        }
    }
    free(a);
    free(nodes);
    free(weights);
    return sqrt(most) * snBody_Info(body)->unit;
}

// Holds a frame: how far flesh went before, and what is left after the hold, or after a longer one
static inline void holdFrame(snBody* body, const snFollowDef* def, bool longer, double* moved,
                             double* left)
{
    snMessage why;
    snFollow* follow;
    const snBodyInfo* info = snBody_Info(body);
    double time = def->hold;
    assert_ok(snFollow_Create(body, def, &follow, &why), why);
    while (snFollow_Facts(follow).time < time + still_hold) {
        assert_ok(snFollow_Advance(follow, &why), why);
    }
    *left = stillLeft(follow, body, def);
    assert_below(*left, still_law * info->size);
    while (longer && snFollow_Facts(follow).time < time + still_hold * 5 / info->softness) {
        assert_ok(snFollow_Advance(follow, &why), why);
    }
    if (longer) {
        assert_below(stillLeft(follow, body, def), still_tolerance * info->size);
    }
    *moved = snFollow_Facts(follow).farthest;
    assert_below(snFollow_Facts(follow).nearest_limit, 1.00001);
    snFollow_Free(follow);
}

// A random frame; of a rig without clips, of a hop
static inline snFollowDef chooseFrame(Still* still, const snRig* rig)
{
    snFollowDef def;
    int32_t clips = snRig_Info(rig)->clip_count;
    snFollowDef_Init(&def);
    def.motion = clips == 0 ? sn_motionHop : sn_motionNone;
    def.clip = clips == 0 ? 0 : (int32_t)snRandom_Below(&still->random, (uint32_t)clips);
    def.rate = 30;
    def.loop = still->is_brief ? 0 : -1;
    double first = clips == 0 ? 0 : snRig_Clip(rig, def.clip)->first;
    double length = clips == 0 ? 1 : snRig_Clip(rig, def.clip)->duration;
    length = still->is_brief ? fmin(length, STILL_BRIEF) : length;
    def.hold = first + snRandom_Range(&still->random, 0, length);
    return def;
}

static inline void holdRig(const char* name, snRig* rig, void* user)
{
    Still* still = user;
    snMessage why;
    snBody* body;
    snBodyDef def;
    double worst = 0, most = 0, moved = 0, left = 0;
    snBodyDef_Init(&def);
    def.quality = still->quality;
    if (snBody_Build(NULL, rig, &def, &body, &why)) {
        print_message("%s: %s\n", name, why.text);
        still->refused++;
        return;
    }
    const snBodyInfo* info = snBody_Info(body);
    for (int k = 0; k < STILL_FRAMES; ++k) {
        snFollowDef frame = chooseFrame(still, rig);
        holdFrame(body, &frame, k < STILL_LONGER, &moved, &left);
        worst = fmax(worst, left / info->size);
        most = fmax(most, moved / info->size);
        ++still->frames;
    }
    print_message("%s: %d cells, %d regions, moved %.2f %%, left %.1e %%\n", name,
                  (int)info->cell_count, (int)info->region_count, 100 * most, 100 * worst);
    snBody_Release(body);
}

static inline void checkStill(int32_t quality, bool is_brief)
{
    Still still = {.quality = quality, .random = snRandom_Seed(6), .is_brief = is_brief};
    int rigs = eachRig(holdRig, &still);
    print_message("%d rigs, %d refused, %d frames\n", rigs, still.refused, still.frames);
    assert_true(still.refused <= 1); // a sheet of two triangles
    assert_true(still.frames == STILL_FRAMES * (rigs - still.refused) && still.frames > 0);
}

#endif
