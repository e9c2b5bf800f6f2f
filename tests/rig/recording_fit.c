// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0
// label: quick

// A person's motion is carried by both legs or both arms on a trunk that stands, and by nothing
// less; what a mapping file says counts, and what is missing is named.

#include "rig/recording_fit.h"

#include "rig/clip_rig.h"
#include "rig/figure.h"

typedef struct Case {
    Figure a, b;
    snArena arena;
    snClip* clip;
    snRecordingSkeleton p;
    snRecordingFit fit;
    snMessage why;
} Case;

static void begin(Case* c)
{
    snArena_Init(&c->arena, NULL);
    makeFigure(&c->a, (FigureDef){.size = 1});
    makeFigure(&c->b, (FigureDef){.school = 1, .axes = 7, .size = 1});
    moveFigure(&c->a);
}

// Names of nodes from `first` on, `count` of them, that mean nothing
static void forgetOf(Figure* figure, int32_t first, int32_t count)
{
    static const char* const STRANGE[] = {"qua", "qub", "quc", "qud", "que", "quf", "qug", "quh"};
    for (int32_t i = 0; i < count; ++i) {
        figure->nodes[first + i].name = STRANGE[i];
    }
}

static void forget(Case* c, int32_t first, int32_t count)
{
    forgetOf(&c->b, first, count);
}

static snStatus look(Case* c, bool is_mapped)
{
    snClipDef def;
    snClipDef_Init(&def);
    def.rest = sn_restFirst;
    if (!c->clip) {
        assert_ok(snClip_OfRig(&c->a.rig.host, &c->a.rig, 0, &c->clip, &c->why), c->why);
    }
    assert_ok(snClip_Finish(c->clip, &def, &c->why), c->why);
    assert_ok(snRecordingSkeleton_Build(&c->arena, &c->b.rig, c->clip, &c->p, &c->why), c->why);
    assert_ok(snRecordingFit_Find(&c->arena, &c->p, c->clip, &c->fit, &c->why), c->why);
    return snRecordingFit_Check(&c->arena, &c->p, c->clip, &c->fit, is_mapped, &c->why);
}

static void end(Case* c)
{
    snClip_Free(c->clip);
    snRecordingSkeleton_Free(&c->p);
    freeFigure(&c->a);
    freeFigure(&c->b);
    snArena_Free(&c->arena);
}

static void says(const Case* c, const char* words)
{
    if (!strstr(c->why.text, words)) {
        fail_msg("no '%s' in: %s", words, c->why.text);
    }
}

static void wholeBodiesDo(void** state)
{
    (void)state;
    Case c = {0};
    begin(&c);
    assert_ok(look(&c, false), c.why);
    assert_true(c.fit.is_person && c.fit.legs && c.fit.arms);
    assert_string_equal(c.fit.missing, "");
    assert_below(c.fit.lean, 1);
    assert_non_null(strstr(c.fit.follows, "'Bip01 Pelvis' by 'mixamorig:Hips'"));
    end(&c);
}

static void bustsDo(void** state)
{
    (void)state;
    Case c = {0};
    begin(&c);
    forget(&c, 12, 8);
    assert_ok(look(&c, false), c.why);
    assert_true(c.fit.arms && !c.fit.legs);
    assert_string_equal(c.fit.missing, "'mixamorig:LeftUpLeg', 'mixamorig:LeftLeg', "
                                       "'mixamorig:RightUpLeg', 'mixamorig:RightLeg'");
    end(&c);
}

static void halfLimbsDoNot(void** state)
{
    (void)state;
    Case c = {0};
    begin(&c);
    forget(&c, 17, 1); // a shin
    forget(&c, 7, 1);  // a forearm
    assert_int_equal(look(&c, true), sn_errorArgument);
    says(&c, "both legs or both arms");
    says(&c, "'mixamorig:LeftForeArm', 'mixamorig:RightLeg'");
    says(&c, "mapping file of lines 'JOINT BONE'");
    end(&c);
}

// The same with a mapping file for the two
static void mappedLimbsDo(void** state)
{
    (void)state;
    Case c = {0};
    begin(&c);
    forget(&c, 17, 1);
    c.b.nodes[7].name = "qux";
    assert_ok(snClip_OfRig(&c.a.rig.host, &c.a.rig, 0, &c.clip, &c.why), c.why);
    for (int32_t j = 0; j < c.clip->info.joint_count; ++j) {
        const char* name = c.clip->joints[j].name;
        bool shin = !strcmp(name, "mixamorig:RightLeg"),
             arm = !strcmp(name, "mixamorig:LeftForeArm");
        c.clip->alias[j] = shin ? "qua" : arm ? "qux" : NULL;
        c.clip->alias_line[j] = shin || arm;
    }
    assert_ok(look(&c, true), c.why);
    assert_true(c.fit.is_person && c.fit.legs && c.fit.arms);
    end(&c);
}

static void lyingBodiesDoIfSaid(void** state)
{
    (void)state;
    Case c = {0};
    begin(&c);
    c.b.nodes[0].rotation = snQFromAxisAngle(snV3(1, 0, 0), 1.4);
    c.b.nodes[0].local =
        snMatrix_FromParts(snV3(0, 0, 0), c.b.nodes[0].rotation, c.b.nodes[0].scale);
    assert_int_equal(look(&c, false), sn_errorArgument);
    says(&c, "80 degrees off the vertical");
    snRecordingSkeleton_Free(&c.p);
    assert_ok(look(&c, true), c.why);
    end(&c);
}

// What somebody without whole limbs did is nothing for a person, unless a mapping file says so.
static void personsNeedLimbs(void** state)
{
    (void)state;
    Case c = {0};
    begin(&c);
    forgetOf(&c.a, 17, 1);
    forgetOf(&c.a, 7, 1);
    assert_int_equal(look(&c, false), sn_errorArgument);
    assert_true(!c.fit.is_person && c.fit.is_for_person);
    says(&c, "a person's body needs a motion of both legs or both arms");
    assert_ok(snRecordingFit_Check(&c.arena, &c.p, c.clip, &c.fit, true, &c.why), c.why);
    end(&c);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(wholeBodiesDo),       cmocka_unit_test(bustsDo),
        cmocka_unit_test(halfLimbsDoNot),      cmocka_unit_test(mappedLimbsDo),
        cmocka_unit_test(lyingBodiesDoIfSaid), cmocka_unit_test(personsNeedLimbs),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
