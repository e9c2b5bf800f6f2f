// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0
// label: full

// The same bits everywhere: bodies that touch each other, themselves and obstacles, that sleep, and
// that fields and hosts push about.
#include "sim/golden_run.h"
#include "sim/obstacles.h"

static const Golden STARFISH_BOWL = {"STARFISH_BOWL", 0x715ecf6901cf920b};
static const Golden GLASS_BOX = {"GLASS_BOX", 0xf4b1da10c757dd65};
static const Golden PROJECTION = {"PROJECTION", 0x42d1d4710517b486};
static const Golden SELF_CONTACT = {"SELF_CONTACT", 0xb1c2b11a7524b310};
static const Golden SLEEPING_PILE = {"SLEEPING_PILE", 0xadfe2433c5501710};
static const Golden FIELDS = {"FIELDS", 0xd872298bb3322f7b};
static const Golden HOSTED = {"HOSTED", 0xfece092dea86e75b};

static snScene* emptyScene(const snHost* host, const snSceneDef* def)
{
    snMessage why;
    snScene* scene = NULL;
    assert_ok(snScene_Create(host, def, &scene, &why), why);
    return scene;
}

static void addAt(snScene* scene, snCharacter* character, snVec3 p, snVec3 velocity)
{
    snMessage why;
    snStart start;
    snStart_Init(&start);
    start.pose.p = p;
    start.velocity = velocity;
    assert_ok(snScene_Add(scene, character, &start, NULL, &why), why);
    snCharacter_Release(character);
}

// Twelve on moving trays.
static void testStarfishBowl(void** state)
{
    (void)state;
    checkBuiltin(&STARFISH_BOWL, "starfish_bowl", 0.2);
}

// An obstacle that gives way, direct control.
static void testGlassBox(void** state)
{
    (void)state;
    checkBuiltin(&GLASS_BOX, "glass_box", 0.4);
}

static snScene* makeProjected(const snHost* host)
{
    snMessage why;
    snScene* scene = makeScene(host, "worm_fall");
    snShapeDef ball = sphereShape(0.15);
    assert_ok(snScene_Set(scene, NULL, "contact", "projection", &why), why);
    addObstacle(scene, &ball, poseAt(snV3(0, 0.1, 0)), 2, snV3(0, 0, 0), snV3(0, 0, 0));
    return scene;
}

static void testProjection(void** state)
{
    (void)state;
    checkRun(&PROJECTION, makeProjected, NULL, 0.4);
}

// A worm that its joints bend into a ring.
static void testSelfContact(void** state)
{
    (void)state;
    checkBuiltin(&SELF_CONTACT, "rolling_worm", 1.6);
}

// A block that does not jiggle for long
static snCharacter* makeDull(void)
{
    snCharacterDef def;
    snCharacterDef_Init(&def);
    def.name = "block";
    def.cells = 60;
    def.material.damping = 60;
    return buildBlock(&def, snV3(0.15, 0.08, 0.12));
}

// A block on a crate, and one beside them.
static snScene* makePile(const snHost* host)
{
    snSceneDef def;
    snShapeDef box = boxShape(snV3(0.25, 0.1, 0.2));
    snSceneDef_Init(&def);
    def.ground = 1;
    def.sleep = 0.1;
    def.events = 16;
    snScene* scene = emptyScene(host, &def);
    addAt(scene, makeDull(), snV3(0, 0.281, 0), snV3(0, 0, 0));
    addAt(scene, makeDull(), snV3(0.6, 0.081, 0), snV3(0, 0, 0));
    addObstacle(scene, &box, poseAt(snV3(0, 0.1, 0)), 5, snV3(0, 0, 0), snV3(0, 0, 0));
    return scene;
}

// All have fallen asleep; one is pushed against the others, who wake, too.
static void wakeAll(snScene* scene, snSim* sim, int moment)
{
    (void)scene;
    snMessage why;
    const snFrame* frame = snSim_Frame(sim);
    int asleep = frame->characters[0].is_asleep + frame->characters[1].is_asleep +
                 frame->obstacles[0].is_asleep;
    if (moment == 1) {
        assert_int_equal(asleep, 3);
        assert_ok(snSim_Push(sim, 1, snV3(0.6, 0.08, 0), snV3(-25, 5, 0), 0.4, &why), why);
    } else if (moment == 2) {
        assert_int_equal(asleep, 0);
    }
}

static void testSleepingPile(void** state)
{
    (void)state;
    checkRun(&SLEEPING_PILE, makePile, wakeAll, 1.2);
}

static snVec3 whirl(void* user, double time, snVec3 place, snVec3 velocity)
{
    (void)user;
    return snV3(place.z - velocity.x, 2 * time, -place.x);
}

// Flesh, bones and a crate in one field of each kind.
static snScene* makeFields(const snHost* host)
{
    snMessage why;
    snSceneDef def;
    snShapeDef box = boxShape(snV3(0.1, 0.1, 0.1));
    snSceneDef_Init(&def);
    snScene* scene = emptyScene(host, &def);
    addAt(scene, makeDull(), snV3(1, 1, 0), snV3(0, 0, 0));
    addPuppet(host, scene, makePuppet(host, sn_jointFree), NULL);
    addObstacle(scene, &box, poseAt(snV3(-1, 0, 0)), 3, snV3(0, 0, 0), snV3(1, 0, 0));
    for (int kind = 0; kind < sn_forceKindCount; ++kind) {
        snForceDef force;
        snForceDef_Init(&force);
        force.kind = kind;
        force.place = snV3(0.3, 0.2, 0.1);
        force.radius = 2 + kind;
        force.value = snV3(3, 1, -2);
        force.towards = 6;
        force.call = whirl;
        assert_ok(snScene_AddForce(scene, &force, &why), why);
    }
    return scene;
}

static void testFields(void** state)
{
    (void)state;
    checkRun(&FIELDS, makeFields, NULL, 0.4);
}

// Two blocks, a puppet, a crate, and a plate that the host moves.
static snScene* makeHosted(const snHost* host)
{
    snMessage why;
    snSceneDef def;
    snObstacleDef plate;
    snShapeDef box = boxShape(snV3(0.3, 0.05, 0.3));
    snSceneDef_Init(&def);
    def.ground = 1;
    def.events = 16;
    snScene* scene = emptyScene(host, &def);
    addAt(scene, makeDull(), snV3(0, 0.3, 0), snV3(0.2, -1, 0));
    addAt(scene, makeDull(), snV3(0.05, 0.5, 0), snV3(0, -1, 0.1));
    addPuppet(host, scene, makePuppet(host, sn_jointFree), NULL);
    addObstacle(scene, &box, poseAt(snV3(1, 0.06, 0)), 2, snV3(0, 0, 0), snV3(0, 0, 0));
    snObstacleDef_Init(&plate);
    plate.shape_count = 1;
    plate.shapes = &box;
    plate.pose.p = snV3(0, 0.1, 0);
    plate.hosted = 1;
    assert_ok(snScene_AddObstacle(scene, &plate, NULL, &why), why);
    return scene;
}

static void bend(snSim* sim, const snSkeleton* skeleton, int32_t who)
{
    snMessage why;
    double q[PUPPET_MOST];
    snSkeleton_ZeroPose(skeleton, q);
    q[snSkeleton_PositionStart(skeleton, PUPPET_KNEE)] = 0.3;
    assert_ok(snSim_SetPose(sim, who, q, NULL, 0.1, 0, &why), why);
}

static void goBack(snSim* sim)
{
    snMessage why;
    size_t size = snSim_StateSize(sim);
    void* saved = malloc(size);
    snSim_Save(sim, saved);
    advance(sim, 0.03);
    assert_ok(snSim_Restore(sim, saved, size, &why), why);
    free(saved);
}

static void beHost(snScene* scene, snSim* sim, int moment)
{
    snMessage why;
    snTransform away = {{0.1, 0.2, 0}, snQFromAxisAngle(snV3(0, 1, 0), 0.5)};
    switch (moment) {
    case 0:
        assert_ok(snSim_Push(sim, 0, snV3(0, 0.3, 0), snV3(1, 2, 0), 0.2, &why), why);
        assert_ok(snSim_PushObstacle(sim, 0, snV3(1, 0.1, 0.1), snV3(0, 1, 1), &why), why);
        assert_ok(snSim_MoveObstacle(sim, 1, poseAt(snV3(0, 0.25, 0)), 0.15, &why), why);
        break;
    case 1:
        bend(sim, snCharacter_Skeleton(snScene_Character(scene, 2)), 2);
        assert_ok(snSim_Teleport(sim, 1, away, &why), why);
        goBack(sim);
        break;
    case 2:
        assert_ok(snSim_Shift(sim, snV3(100, 0, -50), &why), why);
        assert_ok(snSim_Remove(sim, 0, &why), why);
        assert_ok(snSim_RemoveObstacle(sim, 0, &why), why);
        break;
    default:
        break;
    }
}

static void testHosted(void** state)
{
    (void)state;
    checkRun(&HOSTED, makeHosted, beHost, 0.6);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(testStarfishBowl), cmocka_unit_test(testGlassBox),
        cmocka_unit_test(testProjection),   cmocka_unit_test(testSelfContact),
        cmocka_unit_test(testSleepingPile), cmocka_unit_test(testFields),
        cmocka_unit_test(testHosted),
    };
    int refused = chooseIsa();
    return refused ? refused : cmocka_run_group_tests(tests, NULL, NULL);
}
