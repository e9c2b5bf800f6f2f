// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0
// label: quick

// Rest poses that are none: a step of a walk, and hips that lie on their side.

#include "rig/rest.h"

#include "rig/project.h"
#include "rig/stander.h"

// Keys are floats.
static const double near = 1e-5;

static const snVec3 UP = {0, 1, 0}, LEFT = {1, 0, 0};

// In frame 0, all there is of a rest pose, a joint is turned in the world.
static void turnAtRest(snClip* c, int32_t node, const Figure* f, snQuat by)
{
    int32_t joint = 0;
    while (strcmp(c->joints[joint].name, f->nodes[node].name) != 0) {
        ++joint;
    }
    snQuat up = f->turned[FIGURE[node].parent];
    c->turn[joint] = snQMul(snQConj(up), snQMul(by, f->turned[node]));
}

static double yawOf(const snMatrix* world, int32_t ankle)
{
    snVec3 foot = snSub(world[ankle + 1].p, world[ankle].p);
    return snAngleAbout(UP, snV3(0, 0, 1), snV3(foot.x, 0, foot.z));
}

// The walk begins with the left foot in the air, its toes below and behind the heel. In all that is
// played it stands, a little turned out.
static void feetInTheAirArePutDown(void** state)
{
    (void)state;
    Figure a;
    Player b;
    snMatrix theirs[FIGURE_NODES], ours[FIGURE_NODES], rest[FIGURE_NODES];
    makeFigure(&a, (FigureDef){.axes = 11, .size = 1});
    openPlayer(&b);
    standFigure(&a);
    for (int32_t k = 0; k < FIGURE_KEYS; ++k) {
        turnNode(&a, 14, k, snQFromAxisAngle(UP, 0.2 + 0.01 * k));
    }
    snClip* recording = recordFigure(&a);
    snQuat swing = snQMul(snQFromAxisAngle(UP, 0.4), snQFromAxisAngle(LEFT, 1.3));
    turnAtRest(recording, 14, &a, swing);
    finishRecording(recording);
    playTo(&b, recording);
    snRigClipData_World(&b.figure.rig, NULL, 0, rest, NULL);
    for (int32_t k = 0; k < FIGURE_KEYS; ++k) {
        snRigClipData_World(&a.rig, &a.clip, k / FIGURE_RATE, theirs, NULL);
        snRigClipData_World(&b.figure.rig, &b.clip, k / FIGURE_RATE, ours, NULL);
        for (int32_t ankle = 14; ankle <= 18; ankle += 4) {
            double drop = rest[ankle].p.y - rest[ankle + 1].p.y;
            assert_close(yawOf(ours, ankle), yawOf(theirs, ankle), near);
            assert_close(ours[ankle].p.y - ours[ankle + 1].p.y, drop, near); // and flat
        }
    }
    snClip_Free(recording);
    closePlayer(&b);
    freeFigure(&a);
}

// Hips that lead out to the legs are not made to point down.
static void hipsThatLieStay(void** state)
{
    (void)state;
    Figure a;
    Player b;
    snMatrix rest[FIGURE_NODES], ours[FIGURE_NODES];
    makeFigure(&a, (FigureDef){.axes = 11, .size = 1});
    openPlayer(&b);
    standFigure(&a);
    for (int32_t n = 13; n <= 17; n += 4) { // knees to the side of the hips
        snRigNode* shin = &b.figure.nodes[n];
        snVec3 side = snScale(n == 13 ? 0.3 : -0.3, LEFT);
        shin->translation = snQRotate(snQConj(b.figure.turned[n - 1]), side);
        shin->local = snMatrix_FromParts(shin->translation, shin->rotation, shin->scale);
    }
    snClip* recording = recordFigure(&a);
    finishRecording(recording);
    playTo(&b, recording);
    snRigClipData_World(&b.figure.rig, NULL, 0, rest, NULL);
    snRigClipData_World(&b.figure.rig, &b.clip, 0, ours, NULL);
    for (int32_t n = 12; n <= 16; n += 4) {
        snVec3 was = snSub(rest[n + 1].p, rest[n].p), is = snSub(ours[n + 1].p, ours[n].p);
        assert_below(snLength(snSub(was, is)), near);
    }
    snClip_Free(recording);
    closePlayer(&b);
    freeFigure(&a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(feetInTheAirArePutDown),
        cmocka_unit_test(hipsThatLieStay),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
