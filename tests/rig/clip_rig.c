// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0
// label: quick

// A rig's clip as a recording: its joints are where the rig's nodes are, in every frame.

#include "rig/clip_rig.h"

#include "rig/figure.h"

static const double near = 1e-6; // m: keys are floats

static snClip* makeClip(Figure* f)
{
    snMessage why;
    snClip* clip;
    snClipDef def;
    snClipDef_Init(&def);
    def.rest = sn_restFirst;
    assert_ok(snClip_OfRig(&f->rig.host, &f->rig, 0, &clip, &why), why);
    assert_ok(snClip_Finish(clip, &def, &why), why);
    return clip;
}

static void jointsAreWhereNodesAre(void** state)
{
    (void)state;
    Figure f;
    makeFigure(&f, (FigureDef){.axes = 7, .size = 1, .facing = 0.4});
    moveFigure(&f);
    snClip* clip = makeClip(&f);
    assert_int_equal(clip->info.joint_count, FIGURE_NODES);
    assert_int_equal(clip->info.first, 1); // the rest pose comes first and is not played
    assert_int_equal(clip->info.frame_count, FIGURE_KEYS + 1);
    assert_close(clip->info.rate, FIGURE_RATE, 1e-9);
    for (int32_t k = -1; k < FIGURE_KEYS; ++k) {
        snMatrix world[FIGURE_NODES];
        snRigClipData_World(&f.rig, k < 0 ? NULL : &f.clip, k / FIGURE_RATE, world, NULL);
        for (int32_t n = 0; n < FIGURE_NODES; ++n) {
            snTransform at = snClip_Place(clip, k + 1, n);
            assert_below(snLength(snSub(at.p, world[n].p)), near);
            snVec3 x = snQRotate(at.q, snV3(1, 0, 0));
            assert_below(snLength(snSub(x, world[n].x)), near);
        }
    }
    assert_false(snClip_IsStill(clip));
    assert_string_equal(clip->joints[7].part, "forearm_l");
    snClip_Free(clip);
    freeFigure(&f);
}

static void aPoseIsStill(void** state)
{
    (void)state;
    Figure f;
    makeFigure(&f, (FigureDef){.size = 100});
    moveFigure(&f);
    for (int32_t i = 0; i < f.clip.info.channel_count; ++i) {
        f.channels[i].key_count = 1;
    }
    snClip* clip = makeClip(&f);
    assert_true(snClip_IsStill(clip));
    snClip_Free(clip);
    freeFigure(&f);
}

// Without skins whatever has no mesh can be a joint; with them joints and what they hang on.
static void bonesAreWhatMoves(void** state)
{
    (void)state;
    Figure f;
    uint8_t is_bone[FIGURE_NODES];
    makeFigure(&f, (FigureDef){.size = 1});
    snRigBones_Find(&f.rig, is_bone);
    assert_int_equal(is_bone[0], 1); // carries joints
    f.nodes[5].is_joint = 0;
    snRigBones_Find(&f.rig, is_bone);
    assert_int_equal(is_bone[5], 0);
    assert_int_equal(is_bone[4], 1);
    freeFigure(&f);
}

// VRM says what joints are, whatever their names.
static void humansAreKnown(void** state)
{
    (void)state;
    Figure f;
    snRigHuman humans[2] = {{"leftLowerArm", 7}, {"jaw", 5}};
    makeFigure(&f, (FigureDef){.size = 1});
    moveFigure(&f);
    f.nodes[7].name = "Bone_17";
    f.rig.humans = humans;
    f.rig.info.human_count = 2;
    snClip* clip = makeClip(&f);
    assert_string_equal(clip->joints[7].part, "forearm_l");
    assert_null(clip->alias[5]);
    snClip_Free(clip);
    freeFigure(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(jointsAreWhereNodesAre),
        cmocka_unit_test(aPoseIsStill),
        cmocka_unit_test(bonesAreWhatMoves),
        cmocka_unit_test(humansAreKnown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
