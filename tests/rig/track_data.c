// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0
// label: full

// Tracks of all clips of the shared rigs: in the keys they are the file's poses, between them they
// stay close, rates are derivatives, seams of loops are smooth.

#include "rig/track.h"

#include "rig/cycles.h"
#include "rig/pose.h"
#include "rig/shared.h"

static const double key_tolerance = 2e-5; // sizes, where no loop is closed
static const double apart_most = 0.2; // sizes, between keys: an arm turns 124 degrees in a frame
static const double rate_tolerance = 1e-3;

typedef struct Sums {
    int clips, named, loops, travelling, constant, cut;
    double worst;
} Sums;

// What ends elsewhere than it begins
static const char* const OTHERS[] = {
    "Death",          "Death_A",       "Death_B",     "Armature|TRex_Death",
    "lay_to_idle",    "Tail Attack",   "Jump_Start",  "Jump_Land",
    "Block",          "Dodge_Left",    "Dodge_Right", "Dodge_Forward",
    "Lie_Down",       "Lie_StandUp",   "Sitting",     "Standing",
    "Sit_Chair_Down", "Sit_Floor_Down"};

// 1: it must be a loop; 0: it must not; -1: nobody says
static int mustLoop(const char* rig, const char* clip)
{
    if (isCycle(rig, clip)) {
        return 1;
    }
    for (size_t i = 0; i < sizeof OTHERS / sizeof *OTHERS; ++i) {
        if (!strcmp(clip, OTHERS[i])) {
            return 0;
        }
    }
    return -1;
}

static double farthest(const snRig* rig, const snMatrix* a, const snMatrix* b)
{
    double most = 0;
    for (int32_t n = 0; n < rig->info.node_count; ++n) {
        most = fmax(most, rig->nodes[n].is_joint ? snLength(snSub(a[n].p, b[n].p)) : 0);
    }
    return most;
}

static void checkRates(const snRigTrack* track, double t, snMatrix* scratch[4])
{
    double h = 1e-5;
    snRigTrack_At(track, t, scratch[0], scratch[1]);
    snRigTrack_At(track, t - h, scratch[2], NULL);
    snRigTrack_At(track, t + h, scratch[3], NULL);
    for (int32_t n = 0; n < track->rig->info.node_count; ++n) {
        snVec3 d = snScale(0.5 / h, snSub(scratch[3][n].p, scratch[2][n].p));
        double fast = track->size + snLength(d);
        assert_close(snLength(snSub(d, scratch[1][n].p)), 0, rate_tolerance * fast);
    }
}

static void checkSeam(const snRigTrack* track, snMatrix* scratch[4])
{
    double end = track->first + track->period;
    if (track->cut_count > 0 && track->cuts[track->cut_count - 1] >= end) {
        return; // strays jump there
    }
    snRigTrack_Before(track, end, scratch[0], scratch[1]);
    snRigTrack_At(track, end, scratch[2], scratch[3]);
    for (int32_t n = 0; n < track->rig->info.node_count; ++n) {
        if (track->rig->nodes[n].is_joint) {
            double fast = track->size + snLength(scratch[1][n].p);
            assert_below(snLength(snSub(scratch[2][n].p, scratch[0][n].p)), 1e-6 * track->size);
            assert_below(snLength(snSub(scratch[3][n].p, scratch[1][n].p)), 1e-3 * fast);
        }
    }
}

static void checkClip(const char* name, const snRig* rig, int32_t clip, Sums* sums)
{
    snRigTrack track;
    snMessage why;
    snArena arena;
    snArena_Init(&arena, NULL);
    assert_ok(snRigTrack_Build(&arena, rig, clip, NULL, &track, &why), why);
    snMatrix* scratch[4];
    for (int i = 0; i < 4; ++i) {
        scratch[i] = snArena_Push(&arena, (size_t)rig->info.node_count, sizeof(snMatrix));
    }
    const snRigClipData* motion = &rig->clips[clip];
    double worst = 0, at_keys = 0, length = track.last - track.first;
    for (int i = 0; i <= 200 && length > 0; ++i) {
        double t = track.first + 0.9999 * length * i / 200;
        snRigTrack_At(&track, t, scratch[0], NULL);
        snRigClipData_World(rig, motion, t, scratch[1], NULL);
        worst = fmax(worst, farthest(rig, scratch[0], scratch[1]) / track.size);
        if (i % 20 == 10) {
            checkRates(&track, t, scratch);
        }
    }
    // the keys of the channel that has most of them
    const snRigChannel* c = motion->channels;
    for (int32_t i = 0; i < motion->info.channel_count; ++i) {
        c = motion->channels[i].key_count > c->key_count ? &motion->channels[i] : c;
    }
    for (int32_t i = 0; i + 1 < c->key_count; ++i) {
        snRigTrack_At(&track, (double)c->times[i], scratch[0], NULL);
        snRigClipData_World(rig, motion, (double)c->times[i], scratch[1], NULL);
        at_keys = fmax(at_keys, farthest(rig, scratch[0], scratch[1]) / track.size);
    }
    if (track.is_loop) {
        checkSeam(&track, scratch);
    }
    printf(
        "%-24.24s %-32.32s %5.2f s %s%s seam %.1e %5.2f deg %s, travel %5.2f, %d cuts, keys %.1e, "
        "between %.1e\n",
        name, motion->info.name, length, track.is_constant ? "constant" : "",
        track.is_open   ? "open loop"
        : track.is_loop ? "loop"
                        : "",
        track.seam_distance, track.seam_angle * 180 / SN_PI,
        track.seam_node >= 0 ? rig->nodes[track.seam_node].name : "",
        snLength(track.travel) / track.size, (int)track.cut_count, at_keys, worst);
    double seam = track.is_loop && !track.is_open ? track.seam_distance + 2 * track.seam_angle : 0;
    if (track.is_loop && snLength(track.travel) == 0) { // of joints that carry nothing, too
        snRigClipData_World(rig, motion, track.first, scratch[0], NULL);
        snRigClipData_World(rig, motion, track.last, scratch[1], NULL);
        seam = fmax(seam, farthest(rig, scratch[0], scratch[1]) / track.size);
    }
    int must = mustLoop(name, motion->info.name);
    assert_true(must < 0 || must == track.is_loop);
    sums->named += must >= 0;
    assert_below(at_keys, key_tolerance + seam);
    assert_below(worst, apart_most);
    ++sums->clips;
    sums->loops += track.is_loop;
    sums->travelling += snLength(track.travel) > 0;
    sums->constant += track.is_constant;
    sums->cut += track.cut_count > 0;
    sums->worst = fmax(sums->worst, worst);
    snArena_Free(&arena);
}

static void checkClips(const char* name, snRig* rig, void* user)
{
    for (int32_t clip = 0; clip < rig->info.clip_count; ++clip) {
        checkClip(name, rig, clip, user);
    }
}

static void test_clips(void** state)
{
    (void)state;
    Sums sums = {0};
    eachRig(checkClips, &sums);
    printf("%d clips: %d loops, %d of them travel, %d constant, %d with cuts; at most %.2g of the "
           "size from the file between keys\n",
           sums.clips, sums.loops, sums.travelling, sums.constant, sums.cut, sums.worst);
    // of Death there are several
    assert_true(sums.named >=
                (int)(sizeof CYCLES / sizeof *CYCLES + sizeof OTHERS / sizeof *OTHERS));
    assert_true(sums.loops > sums.clips / 4 && sums.constant > 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_clips)};
    return haveRigs() ? cmocka_run_group_tests(tests, NULL, NULL) : SKIPPED;
}
