// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0
// label: full

// Cycles of the shared rigs: after a round flesh is where it was and as fast as it was, so that a
// loop shows no seam but the clip's own. When the same clip is not taken as a loop it begins at
// rest, and flesh jumps where it starts again.

#include "sim/follow.h"

#include "rig/cycles.h"
#include "rig/shared.h"

// Of the largest change from frame to frame in the round
static const double miss_most =
    0.02;                          // nobody sees that; Trex, which is slow, has 0.011, others 0.004
static const double worth = 0.1;   // of what is missed without a loop
static const double unseen = 1e-4; // of the size

// What flesh's nodes do where a round ends, m
typedef struct Seam {
    double miss;  // by which the last frame is not the first again
    double kick;  // by which the change to the next frame is not the first one again
    double frame; // largest change from frame to frame
} Seam;

// |(b - a) - (d - c)|, at most; c and d may be NULL
static double change(const snVec4f* a, const snVec4f* b, const snVec4f* c, const snVec4f* d,
                     size_t count)
{
    double most = 0;
    for (size_t i = 0; i < count; ++i) {
        float x = b[i].x - a[i].x, y = b[i].y - a[i].y, z = b[i].z - a[i].z;
        x -= c ? d[i].x - c[i].x : 0, y -= c ? d[i].y - c[i].y : 0, z -= c ? d[i].z - c[i].z : 0;
        most = fmax(most, (double)(x * x + y * y + z * z));
    }
    return sqrt(most);
}

static snVec4f lengthsOf(snVec4f u)
{
    return (snVec4f){sqrtf(u.x * u.x + u.y * u.y + u.z * u.z), 0, 0, 0};
}

// Of a round of `count` frames
static Seam seamOf(const snRigBody* body, const snRigTrack* track, double rate, size_t count)
{
    snMessage why;
    snFollow* follow;
    snFollowSetup def;
    Seam seam = {0};
    size_t nodes = (size_t)body->tets.node_count;
    snVec4f* u = calloc((count + 2) * nodes, sizeof *u);
    snFollowSetup_Init(&def);
    def.body = body;
    def.track = track;
    def.rate = rate;
    assert_ok(snFollow_CreateFromSetup(NULL, &def, &follow, &why), why);
    snFollow_Begin(follow);
    for (size_t i = 0; i < count + 2; ++i) {
        assert_true(i == 0 || snFollow_AdvanceFrame(follow));
        memcpy(u + i * nodes, snFollow_Nodes(follow), nodes * sizeof *u);
        if (i > 0 && i <= count) {
            seam.frame =
                fmax(seam.frame, change(u + (i - 1) * nodes, u + i * nodes, NULL, NULL, nodes));
        }
    }
    snVec4f* last = u + count * nodes;
    if (track->cut_count > 0) { // a frame at the seam may be before or after it; flesh goes rigidly
        for (size_t i = 0; i < nodes; ++i) { // across it, so lengths tell
            last[i] = lengthsOf(last[i]);
            last[i + nodes] = lengthsOf(last[i + nodes]);
            u[i] = lengthsOf(u[i]);
            u[i + nodes] = lengthsOf(u[i + nodes]);
        }
    }
    seam.miss = change(u, last, NULL, NULL, nodes);
    seam.kick = change(u, u + nodes, last, last + nodes, nodes);
    snFollow_Free(follow);
    free(u);
    return seam;
}

static void checkClip(const char* name, const snRigBody* body, int32_t clip)
{
    snMessage why;
    snArena arena;
    snRigTrack track, never;
    snRigTrackDef def;
    snArena_Init(&arena, NULL);
    snRigTrackDef_Init(&def);
    def.loop = 0;
    assert_ok(snRigTrack_Build(&arena, body->rig, clip, NULL, &track, &why), why);
    assert_ok(snRigTrack_Build(&arena, body->rig, clip, &def, &never, &why), why);
    assert_true(track.is_loop && !never.is_loop);
    double length = track.last - track.first;
    // frames of open loops are their keys, so that the seam is one frame long, too
    double steps = floor(length / (track.is_open ? track.period - length : 1.0 / 30) + 0.5);
    size_t count = (size_t)steps + track.is_open;
    Seam a = seamOf(body, &never, steps / length, count);
    Seam b = seamOf(body, &track, steps / length, count);
    print_message("%-20.20s %-17.17s %-6s moves by %6.2f mm a frame; misses %.3f %% of it, its "
                  "change by %.3f %%; as no loop %.0f %%\n",
                  name, track.clip->info.name, track.is_open ? "open" : "closed", 1e3 * b.frame,
                  100 * b.miss / b.frame, 100 * b.kick / b.frame, 100 * a.miss / a.frame);
    assert_below(b.miss, miss_most * b.frame);
    assert_below(b.kick, miss_most * b.frame);
    assert_below(b.miss, worth * a.miss + unseen * body->size);
    snArena_Free(&arena);
}

static void checkRig(const char* name, snRig* rig, void* user)
{
    int* count = user;
    snMessage why;
    snRigBody body;
    snBodyDef def;
    snArena arena;
    bool is_made = false;
    snArena_Init(&arena, NULL);
    snBodyDef_Init(&def);
    def.quality = sn_qualityDraft;
    for (int32_t c = 0; c < rig->info.clip_count; ++c) {
        if (isCycle(name, rig->clips[c].info.name)) {
            if (!is_made) {
                assert_ok(snRigBody_Build(&arena, rig, &def, &body, &why), why);
                is_made = true;
            }
            checkClip(name, &body, c);
            ++*count;
        }
    }
    snArena_Free(&arena);
}

static void test_seam(void** state)
{
    (void)state;
    int count = 0;
    eachRig(checkRig, &count);
    assert_int_equal(count, sizeof CYCLES / sizeof *CYCLES);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_seam)};
    return haveRigs() ? cmocka_run_group_tests(tests, NULL, NULL) : SKIPPED;
}
