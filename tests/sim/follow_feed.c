// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0
// label: full

// Laws of flesh on poses that a host feeds: it moves as on a clip, half a frame late; neither
// teleports nor a moved world are felt; hitches are bounded; time may be cut at will, steps have a
// cap and what is dropped is told; what stands still sleeps, exactly
// skinned, and wakes; states go back to the same bits; the vertex table says what the surface does.

#include "io/tiny.h"
#include "rig/matrix.h"
#include "sim/fed.h"

static const double clip_tolerance = 0.1; // of the largest motion: 60 poses a second are few
static const double teleport_tolerance =
    0.05; // of the largest motion: what changed in that frame is unknown
static const double mix_tolerance = 0.01; // of the largest motion: turns between those of two poses
static const double shift_tolerance = 1e-4; // of the largest motion: 1e6 m away
static const double table_tolerance = 1e-6; // m: floats of a body of 1 m

static snVec3 nodeAt(const snFollow* follow, int32_t i)
{
    snVec4f u = snFollow_Nodes(follow)[i];
    return snV3((double)u.x, (double)u.y, (double)u.z);
}

// How far b is from a, turned, at most
static double apartBy(const snFollow* a, const snFollow* b, double turn)
{
    snQuat q = snQFromAxisAngle(snV3(0, 1, 0), turn);
    double most = 0;
    for (int32_t i = 0; i < a->body->tets.node_count; ++i) {
        snVec3 d = snSub(nodeAt(b, i), snQRotate(q, nodeAt(a, i)));
        most = fmax(most, snLength(d));
    }
    return most;
}

// The mean of two frames of the clip is what half a frame late means.
static void test_clip(void** state)
{
    Reed r;
    (void)state;
    openFed(&r);
    snFollow *clip = startReed(&r, RATE, 1, sn_isaAuto), *fed = startFed(&r, 1);
    double most = 0, apart = 0, before = 0;
    int32_t tip = 0;
    for (int32_t i = 0; i < r.body.tets.node_count; ++i) {
        tip = r.body.tets.position[i].y > r.body.tets.position[tip].y ? i : tip;
    }
    feed(fed, poseOf(&r, 0, 0, snV3(0, 0, 0)));
    for (int i = 1; i < 60; ++i) {
        feed(fed, poseOf(&r, i, 0, snV3(0, 0, 0)));
        assert_true(snFollow_AdvanceFrame(clip));
        double now = nodeAt(clip, tip).x;
        apart = fmax(apart, fabs(nodeAt(fed, tip).x - (now + before) / 2));
        most = fmax(most, fabs(now));
        before = now;
    }
    assert_true(most > 0.01);
    assert_below(apart, clip_tolerance * most);
    assert_int_equal(snFollow_Facts(fed).interventions, 0);
    snFollow_Free(clip);
    snFollow_Free(fed);
    closeReed(&r);
}

// A frame whose intervals lie between its ends, against one that poses the joints at each of them,
// of a body that is turned to and fro
static void test_mixed(void** state)
{
    Reed r;
    (void)state;
    openFed(&r);
    snFollow *a = startFed(&r, 1), *b = startFed(&r, 1);
    double most = 0, apart = 0;
    assert_true(a->ticks > 1 && a->drive.mixes);
    b->drive.mixes = false;
    for (int i = 0; i < 90; ++i) {
        double turn = 0.5 * sin(0.2 * i);
        feed(a, poseOf(&r, i % 60, turn, snV3(0, 0, 0)));
        feed(b, poseOf(&r, i % 60, turn, snV3(0, 0, 0)));
        most = fmax(most, farthestNode(a, &r.body));
        apart = fmax(apart, apartBy(a, b, 0));
    }
    print_message("%.4f m, %.6f apart\n", most, apart);
    assert_true(most > 0.01 && apart > 0);
    assert_below(apart, mix_tolerance * most);
    snFollow_Free(a);
    snFollow_Free(b);
    closeReed(&r);
}

// In the middle of its motion the second is elsewhere and turned.
static void test_teleport(void** state)
{
    Reed r;
    snMessage why;
    (void)state;
    openFed(&r);
    snFollow *a = startFed(&r, 1), *b = startFed(&r, 1);
    double most = 0, apart = 0, turn = 0;
    snVec3 by = snV3(0, 0, 0);
    for (int i = 0; i < 60; ++i) {
        if (i == 14) {
            turn = 2;
            by = snV3(40, 3, -7);
            assert_ok(snFollow_Teleport(b, &why), why);
        }
        feed(a, poseOf(&r, i, 0, snV3(0, 0, 0)));
        feed(b, poseOf(&r, i, turn, by));
        most = fmax(most, farthestNode(a, &r.body));
        apart = fmax(apart, apartBy(a, b, turn));
        assert_true(i >= 14 || apart == 0);
    }
    assert_below(apart, teleport_tolerance * most);
    assert_int_equal(snFollow_Facts(b).interventions, 0);
    // one that stands is not moved at all
    for (int i = 0; i < 300; ++i) {
        feed(b, poseOf(&r, 59, turn, by));
    }
    assert_ok(snFollow_Teleport(b, &why), why);
    feed(b, poseOf(&r, 59, 0, snV3(1, 2, 3)));
    assert_true(farthestNode(b, &r.body) == 0);
    snFollow_Free(a);
    snFollow_Free(b);
    closeReed(&r);
}

// A world whose origin goes along
static void test_shift(void** state)
{
    Reed r;
    snMessage why;
    (void)state;
    openFed(&r);
    snFollow *a = startFed(&r, 1), *b = startFed(&r, 1);
    double most = 0, apart = 0;
    snVec3 by = snV3(0, 0, 0), far = snV3(1e6, -3e5, 7e5);
    for (int i = 0; i < 60; ++i) {
        feed(a, poseOf(&r, i, 0, snV3(0, 0, 0)));
        feed(b, poseOf(&r, i, 0, by));
        if (i % 7 == 3) {
            snVec3 move = i % 2 ? far : snNeg(far);
            assert_ok(snFollow_Shift(b, move, &why), why);
            by = snAdd(by, move);
        }
        most = fmax(most, farthestNode(a, &r.body));
        apart = fmax(apart, apartBy(a, b, 0));
    }
    assert_true(most > 0.01);
    assert_below(apart, shift_tolerance * most);
    snFollow_Free(a);
    snFollow_Free(b);
    closeReed(&r);
}

// A pause of half a second, and poses from elsewhere
static void test_hitch(void** state)
{
    Reed r;
    (void)state;
    openFed(&r);
    snFollow* follow = startFed(&r, 1);
    for (int i = 0; i < 90; ++i) {
        double far = i == 20 ? 30 : i == 50 ? -1e9 : 0;
        feed(follow, poseOf(&r, i < 30 ? i : i + 30, i == 40 ? 3 : 0, snV3(far, 0, 0)));
        assert_below(snFollow_Facts(follow).nearest_limit, 1.00001);
    }
    assert_true(snFollow_Facts(follow).interventions > 0);
    for (int i = 0; i < 200; ++i) {
        feed(follow, poseOf(&r, 100, 0, snV3(0, 0, 0)));
    }
    assert_true(farthestNode(follow, &r.body) == 0);
    snFollow_Free(follow);
    closeReed(&r);
}

// Time in pieces, and several frames at once, give the bits of single frames.
static void test_pieces(void** state)
{
    Reed r;
    snMessage why;
    double dropped = -1;
    (void)state;
    openFed(&r);
    snFollow *a = startFed(&r, 1), *b = startFed(&r, 1);
    for (int i = 0; i < 40; ++i) {
        snMatrix pose = poseOf(&r, i, 0.01 * i, snV3(0, 0, 0));
        feed(a, pose);
        assert_ok(snFollow_AdvanceWithin(b, 0.4 / RATE, 1000, &dropped, &why), why);
        assert_int_equal(snFollow_Facts(b).frames, i);
        assert_ok(snFollow_SetPose(b, &pose, NULL, &why), why);
        assert_ok(snFollow_AdvanceWithin(b, 0.6 / RATE, 1000, &dropped, &why), why);
        assert_close(dropped, 0, 0);
        assertSame(a, b);
    }
    // three frames lead to one pose
    snMatrix from = poseOf(&r, 39, 0.39, snV3(0, 0, 0)), to = poseOf(&r, 42, 0.5, snV3(0, 0, 0));
    snMatrix way = {snSub(to.x, from.x), snSub(to.y, from.y), snSub(to.z, from.z),
                    snSub(to.p, from.p)};
    for (int i = 1; i <= 3; ++i) {
        feed(a, snMatrix_MulAdd(&from, i / 3.0, &way));
    }
    assert_ok(snFollow_SetPose(b, &to, NULL, &why), why);
    assert_ok(snFollow_AdvanceWithin(b, 3 / RATE, 1000, &dropped, &why), why);
    assert_int_equal(snFollow_Facts(b).frames, snFollow_Facts(a).frames);
    assert_below(apartBy(a, b, 0), 1e-5 * farthestNode(a, &r.body));
    assert_true(farthestNode(a, &r.body) > 1e-3);
    snFollow_Free(a);
    snFollow_Free(b);
    closeReed(&r);
}

static void countStep(void* count)
{
    ++*(int64_t*)count;
}

// A hitch of half a second: with a cap it is a cut, which flesh does not feel, and told; a blow
// takes no more steps than the cap lets it.
static void test_cap(void** state)
{
    Reed r;
    snMessage why;
    double dropped = 0;
    int64_t count = 0;
    (void)state;
    openFed(&r);
    snFollow* follow = startFed(&r, 1);
    follow->react = countStep;
    follow->reacting = &count;
    int64_t usual = snFollow_Facts(follow).steps;
    feedFor(follow, poseOf(&r, 0, 0, snV3(0, 0, 0)), 2);
    snMatrix pose = poseOf(&r, 100, 2, snV3(0, 0, 0));
    assert_ok(snFollow_SetPose(follow, &pose, NULL, &why), why);
    count = 0;
    assert_ok(snFollow_AdvanceWithin(follow, 0.5, 4 * usual, &dropped, &why), why);
    assert_close(dropped, 29 / RATE, 1e-9);
    assert_close(snFollow_Facts(follow).dropped, 29 / RATE, 1e-9);
    assert_int_equal(count, usual);
    assert_int_equal(snFollow_Facts(follow).interventions, 0);
    assert_true(farthestNode(follow, &r.body) == 0);
    for (int k = 0; k < 2; ++k) { // without and with a cap
        snFollow* hit = startFed(&r, 1);
        hit->react = countStep;
        hit->reacting = &count;
        feedFor(hit, poseOf(&r, 0, 0, snV3(0, 0, 0)), 2);
        assert_ok(snFollow_Push(hit, snV3(0, 0.8, 0), snV3(1e4, 0, 0), 0.5, &why), why);
        pose = poseOf(&r, 0, 0, snV3(0, 0, 0));
        assert_ok(snFollow_SetPose(hit, &pose, NULL, &why), why);
        count = 0;
        int64_t most = k ? usual : INT64_MAX;
        assert_ok(snFollow_AdvanceWithin(hit, 1 / RATE, most, &dropped, &why), why);
        print_message("a blow: %d steps, usual %d\n", (int)count, (int)usual);
        assert_true(k ? count == usual : count > usual);
        assert_below(snFollow_Facts(hit).nearest_limit, 1.00001);
        assert_true(snFollow_Facts(hit).interventions > 0);
        snFollow_Free(hit);
    }
    snFollow_Free(follow);
    closeReed(&r);
}

static void test_sleep(void** state)
{
    Reed r;
    (void)state;
    openFed(&r);
    snFollow* follow = startFed(&r, 1);
    int frames = 0;
    for (int i = 0; i < 40; ++i) {
        feed(follow, poseOf(&r, i, 0, snV3(0, 0, 0)));
        assert_false(snFollow_Facts(follow).is_asleep);
    }
    for (; !snFollow_Facts(follow).is_asleep && frames < 240; ++frames) {
        feed(follow, poseOf(&r, 40, 0, snV3(0, 0, 0)));
    }
    assert_true(frames < 240);
    assert_true(farthestNode(follow, &r.body) == 0); // exactly skinned
    double time = snFollow_Facts(follow).time;
    feed(follow, poseOf(&r, 40, 0, snV3(0, 0, 0)));
    assert_close(snFollow_Facts(follow).time, time + 1 / RATE, 1e-9);
    // it wakes by itself
    feed(follow, poseOf(&r, 40, 0.02, snV3(0, 0, 0)));
    assert_false(snFollow_Facts(follow).is_asleep);
    assert_true(farthestNode(follow, &r.body) > 0);
    snFollow_Free(follow);
    closeReed(&r);
}

static void test_push(void** state)
{
    Reed r;
    snMessage why;
    (void)state;
    openFed(&r);
    snFollow* follow = startFed(&r, 1);
    snMatrix pose = poseOf(&r, 0, 0, snV3(5, 0, 0));
    for (int i = 0; i < 60; ++i) {
        feed(follow, pose);
    }
    assert_true(snFollow_Facts(follow).is_asleep);
    snVec3 tip = snV3(5, 0.8, 0), velocity = snV3(0, 0, 1);
    assert_ok(snFollow_Push(follow, tip, velocity, 0.2, &why), why);
    bool moved = false;
    for (int32_t i = 0; i < r.body.tets.node_count; ++i) {
        snVec3 X = snAdd(r.body.tets.position[i], snV3(5, 0, 0));
        double d = snLength(snSub(X, tip)) / 0.2, k = d < 1 && !r.body.held[i] ? 1 - d * d : 0;
        assert_close((double)follow->w[i].z, k * k, 1e-5);
        assert_true(follow->w[i].x == 0);
        moved = moved || k > 0.5;
    }
    assert_true(moved);
    feed(follow, pose);
    assert_false(snFollow_Facts(follow).is_asleep);
    assert_true(farthestNode(follow, &r.body) > 1e-3);
    snFollow_Free(follow);
    closeReed(&r);
}

// Calls of a game, by number
static void call(snFollow* follow, const Reed* r, int i)
{
    snMessage why;
    static const snVec3 BY = {3, 1, 2};
    double turn = i > 30 ? 1.1 : 0;
    if (i == 31) {
        assert_ok(snFollow_Teleport(follow, &why), why);
    }
    if (i == 35) {
        assert_ok(snFollow_Push(follow, snV3(0, 0.5, 0), snV3(1, 0, 0), 0.5, &why), why);
    }
    if (i == 33) {
        assert_ok(snFollow_Shift(follow, BY, &why), why);
    }
    feed(follow, poseOf(r, i < 60 ? i : 60, turn, i > 33 ? BY : snV3(0, 0, 0)));
}

// From any frame on, asleep or awake, for any number of threads
static void test_states(void** state)
{
    static const int kept[] = {10, 31, 34, 61, 280};
    enum { FRAMES = 300, KEPT = sizeof kept / sizeof *kept };
    Reed r;
    snMessage why;
    void* states[KEPT + 1];
    (void)state;
    openFed(&r);
    snFollow* follow = startFed(&r, 1);
    size_t size = snFollow_StateSize(follow);
    for (int i = 0, k = 0; i < FRAMES; ++i) {
        if (k < KEPT && i == kept[k]) {
            states[k] = malloc(size);
            assert_ok(snFollow_Save(follow, states[k++], size, &why), why);
        }
        assert_true(i != 280 || snFollow_Facts(follow).is_asleep);
        call(follow, &r, i);
    }
    states[KEPT] = malloc(size);
    assert_ok(snFollow_Save(follow, states[KEPT], size, &why), why);
    snFollow_Free(follow);
    void* now = malloc(size);
    for (int k = 0; k < KEPT; ++k) {
        follow = startFed(&r, 1 + k % 3);
        assert_ok(snFollow_Restore(follow, states[k], size, &why), why);
        for (int i = kept[k]; i < FRAMES; ++i) {
            call(follow, &r, i);
        }
        assert_ok(snFollow_Save(follow, now, size, &why), why);
        assert_memory_equal(now, states[KEPT], size);
        snFollow_Free(follow);
    }
    for (int k = 0; k <= KEPT; ++k) {
        free(states[k]);
    }
    free(now);
    closeReed(&r);
}

// A vertex is skinned, plus the table's sum.
static void test_table(void** state)
{
    Tiny t;
    snMessage why;
    snFollow* follow;
    snFollowDef def;
    float places[4 * 8], shown[12], skinned[12];
    snMatrix nodes[2];
    double weight, most = 0;
    (void)state;
    openTiny(&t);
    const snBodyTable* table = snBody_Table(t.body);
    assert_int_equal(table->vertex_count, 4);
    assert_true(table->place_count > 1 && table->place_count <= 8);
    snFollowDef_Init(&def);
    assert_ok(snFollow_Create(t.body, &def, &follow, &why), why);
    for (int i = 0; i < 20; ++i) {
        assert_ok(snFollow_Advance(follow, &why), why);
        assert_ok(snFollow_Displacements(follow, places, &why), why);
        assert_ok(snFollow_Surface(follow, 0, shown, NULL, &why), why);
        assert_ok(snFollow_Pose(follow, nodes, &weight, &why), why);
        assert_ok(snRig_Skin(snBody_Rig(t.body), 0, nodes, &weight, skinned, NULL, &why), why);
        for (int v = 0; v < 4; ++v) {
            for (int c = 0; c < 3; ++c) {
                float x = skinned[3 * v + c];
                for (int k = 0; k < 4; ++k) {
                    x += table->weight[4 * v + k] * places[4 * table->index[4 * v + k] + c];
                }
                assert_close((double)x, (double)shown[3 * v + c], table_tolerance);
                most = fmax(most, fabs((double)(x - skinned[3 * v + c])));
            }
        }
    }
    assert_true(most > 1e-3);
    snFollow_Free(follow);
    closeTiny(&t);
}

static void test_calls(void** state)
{
    Tiny t;
    snMessage why;
    snFollow *clip, *fed;
    snFollowDef def;
    snMatrix nodes[2] = {snMatrix_Identity(), snMatrix_Identity()};
    double weight = (double)NAN;
    uint8_t bytes[64] = {0};
    (void)state;
    openTiny(&t);
    snFollowDef_Init(&def);
    assert_ok(snFollow_Create(t.body, &def, &clip, &why), why);
    def.clip = -1;
    assert_ok(snFollow_Create(t.body, &def, &fed, &why), why);
    assert_ok(snFollow_SetPose(fed, nodes, NULL, &why), why);
    assert_int_equal(snFollow_SetPose(fed, NULL, NULL, &why), sn_errorArgument);
    assert_int_equal(snFollow_SetPose(fed, nodes, &weight, &why), sn_errorArgument);
    assert_int_equal(snFollow_SetPose(clip, nodes, NULL, &why), sn_errorArgument);
    nodes[1].p.x = (double)INFINITY;
    assert_int_equal(snFollow_SetPose(fed, nodes, NULL, &why), sn_errorArgument);
    assert_non_null(strstr(why.text, "tip"));
    nodes[1] = snMatrix_FromParts(snV3(0, 0, 0), snQIdentity(), snV3(0, 0, 0)); // hidden: may be
    assert_ok(snFollow_SetPose(fed, nodes, NULL, &why), why);
    nodes[0] = nodes[1];
    assert_int_equal(snFollow_SetPose(fed, nodes, NULL, &why), sn_errorArgument);
    assert_non_null(strstr(why.text, "'root' is singular"));
    assert_int_equal(snFollow_Teleport(NULL, &why), sn_errorArgument);
    assert_int_equal(snFollow_Teleport(clip, &why), sn_errorArgument);
    assert_int_equal(snFollow_Shift(fed, snV3((double)NAN, 0, 0), &why), sn_errorArgument);
    assert_int_equal(snFollow_Shift(clip, snV3(1, 0, 0), &why), sn_errorArgument);
    assert_int_equal(snFollow_Push(fed, snV3(0, 0, 0), snV3(0, 1, 0), 0, &why), sn_errorArgument);
    assert_int_equal(snFollow_AdvanceWithin(NULL, 0, 1, NULL, &why), sn_errorArgument);
    assert_int_equal(snFollow_AdvanceWithin(fed, -1, 1, NULL, &why), sn_errorArgument);
    assert_int_equal(snFollow_AdvanceWithin(fed, (double)NAN, 1, NULL, &why), sn_errorArgument);
    assert_int_equal(snFollow_AdvanceWithin(fed, 0, 0, NULL, &why), sn_errorArgument);
    assert_int_equal(snFollow_Displacements(fed, NULL, &why), sn_errorArgument);
    assert_int_equal(snFollow_Save(fed, bytes, sizeof bytes, &why), sn_errorArgument);
    assert_int_equal(snFollow_Restore(fed, bytes, sizeof bytes, &why), sn_errorArgument);
    void* foreign = calloc(snFollow_StateSize(fed), 1);
    assert_int_equal(snFollow_Restore(fed, foreign, snFollow_StateSize(fed), &why),
                     sn_errorArgument);
    free(foreign);
    assert_int_equal(snFollow_StateSize(NULL), 0);
    assert_null(snBody_Table(NULL));
    snFollow_Free(clip);
    snFollow_Free(fed);
    closeTiny(&t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_clip),     cmocka_unit_test(test_mixed),
        cmocka_unit_test(test_teleport), cmocka_unit_test(test_shift),
        cmocka_unit_test(test_hitch),    cmocka_unit_test(test_sleep),
        cmocka_unit_test(test_push),     cmocka_unit_test(test_states),
        cmocka_unit_test(test_table),    cmocka_unit_test(test_calls),
        cmocka_unit_test(test_pieces),   cmocka_unit_test(test_cap),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
