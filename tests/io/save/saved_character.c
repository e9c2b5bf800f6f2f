// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0
// label: quick

// A saved character comes back with the same bits in all its motion, and no damage to its file goes
// unnoticed: cuts, flipped bits, and numbers that lie under a checksum that is right.

#include "check.h"

#include "io/ration.h"
#include "io/save/saved.h"
#include "sim/flesh.h"

static Bytes save(const snCharacter* character, const char* path)
{
    snMessage why;
    assert_ok(snCharacter_Save(character, path, &why), why);
    return readBytes(path);
}

// Everything that moves and is seen in a fall to the ground
static uint64_t fallHash(snCharacter* character, int frames)
{
    snMessage why;
    snScene* scene;
    snSim* sim;
    snSceneDef def;
    uint64_t hash = 0;
    snSceneDef_Init(&def);
    def.ground = 1;
    assert_ok(snScene_Create(NULL, &def, &scene, &why), why);
    assert_ok(snScene_Add(scene, character, NULL, NULL, &why), why);
    assert_ok(snSim_Create(scene, &sim, &why), why);
    for (int i = 0; i < frames; ++i) {
        assert_ok(snSim_Advance(sim, 1.0 / 60, &why), why);
        const snFrameCharacter* c = snSim_Frame(sim)->characters;
        hash = snHash(c->nodes, 3 * (size_t)c->node_count * sizeof(float), hash);
        hash = snHash(c->surfaces->position, 3 * (size_t)c->surfaces->vertex_count * sizeof(float),
                      hash);
    }
    snSim_Free(sim);
    snScene_Free(scene);
    return hash;
}

// Infos are alike but for where their arrays lie.
static void assertInfo(const snFleshInfo* a, const snFleshInfo* b)
{
    size_t nodes = (size_t)a->node_count, vertices = (size_t)a->vertex_count;
    assert_int_equal(a->node_count, b->node_count);
    assert_int_equal(a->cell_count, b->cell_count);
    assert_int_equal(a->vertex_count, b->vertex_count);
    assert_int_equal(a->fixed_count, b->fixed_count);
    assert_int_equal(a->outside_count, b->outside_count);
    assert_memory_equal(a->mass, b->mass, nodes * sizeof(double));
    assert_memory_equal(a->fixed, b->fixed, nodes * sizeof(int32_t));
    assert_memory_equal(a->vertex_nodes, b->vertex_nodes, 4 * vertices * sizeof(int32_t));
    assert_memory_equal(a->vertex_weights, b->vertex_weights, 4 * vertices * sizeof(float));
    // from cell_size on there are numbers alone
    assert_memory_equal(&a->cell_size, &b->cell_size, sizeof *a - offsetof(snFleshInfo, cell_size));
}

static void assertSame(snCharacter* built, int frames)
{
    snMessage why;
    snCharacter *loaded, *parsed;
    Bytes b = save(built, "one.character"), again;
    assert_ok(snCharacter_Load(NULL, "one.character", NULL, &loaded, &why), why);
    assert_ok(snCharacter_Parse(NULL, b.at, b.count, "it", &parsed, &why), why);
    assert_string_equal(snCharacter_Name(loaded), snCharacter_Name(built));
    assertInfo(snCharacter_Flesh(loaded), snCharacter_Flesh(built));
    uint64_t wanted = fallHash(built, frames);
    assert_true(fallHash(loaded, frames) == wanted);
    assert_true(fallHash(parsed, frames) == wanted);
    again = save(loaded, "two.character"); // of what was loaded: the same file
    assertSameBytes(&again, &b);
    snCharacter_Release(parsed);
    snCharacter_Release(loaded);
    snCharacter_Release(built);
}

static void test_same(void** state)
{
    (void)state;
    assertSame(makeBuiltin("starfish_coarse"), 30);
    assertSame(makeBuiltin("starfish"), 3);
}

// Regions, another law, averaged volume, damped strain, flesh without bones
static void test_same_of_all_kinds(void** state)
{
    snCharacterDef def;
    snRegionDef region = {{-1, 0, 0}, {0, 0, 0}, 0.5, {900, 1e5, 0.45, 20}};
    (void)state;
    snCharacterDef_Init(&def);
    def.name = "block";
    def.cells = 100;
    def.region_count = 1;
    def.regions = &region;
    def.strain_damping = 0.01;
    def.law = sn_lawNeoHookean;
    def.diagonal = sn_diagonalAlways;
    assertSame(buildBlock(&def, snV3(0.3, 0.1, 0.2)), 20);
}

static void test_bones_alone(void** state)
{
    snMessage why;
    snSkeleton* bones;
    snCharacter *made, *loaded;
    (void)state;
    assert_ok(snMakeHumanoid(NULL, &bones, &why), why);
    assert_ok(snCharacter_Create(NULL, "bones", bones, &made, &why), why);
    Bytes b = save(made, "bones.character");
    assert_ok(snCharacter_Load(NULL, "bones.character", NULL, &loaded, &why), why);
    assert_null(snCharacter_Flesh(loaded));
    const snSkeleton* came = snCharacter_Skeleton(loaded);
    assert_int_equal(snSkeleton_BoneCount(came), snSkeleton_BoneCount(bones));
    for (int32_t i = 0; i < snSkeleton_BoneCount(bones); ++i) {
        snBoneDef x = *snSkeleton_Bone(bones, i), y = *snSkeleton_Bone(came, i);
        assert_string_equal(x.name, y.name);
        assert_int_equal(x.parent, y.parent);
        assert_int_equal(x.joint, y.joint);
        assert_memory_equal(x.dof, y.dof, sizeof x.dof);
        assert_memory_equal(&x.mass, &y.mass, sizeof x.mass);
    }
    giveBack(&b);
    snCharacter_Release(loaded);
    snCharacter_Release(made);
    snSkeleton_Release(bones);
}

// Damage ---------------------------------------------------------------------------

// A few cells about one bone
static Bytes saveSmall(void)
{
    snMessage why;
    snBoneDef bone;
    snCharacterDef def;
    snCharacter* c;
    static const double CORNERS[12] = {0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1};
    static const int32_t FACES[12] = {0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 3};
    snBoneDef_Init(&bone);
    bone.name = "bone";
    bone.joint = sn_jointFree;
    bone.mass = snMass_Capsule(snV3(0.1, 0.2, 0.2), snV3(0.4, 0.2, 0.2), 0.1, 1000);
    bone.tip = snV3(0.4, 0.2, 0.2);
    snCharacterDef_Init(&def);
    def.cells = 4;
    def.vertex_count = def.triangle_count = 4;
    def.vertices = CORNERS;
    def.triangles = FACES;
    assert_ok(snSkeleton_Create(NULL, &bone, 1, &def.skeleton, &why), why);
    assert_ok(snCharacter_Build(NULL, &def, &c, &why), why);
    snSkeleton_Release(def.skeleton);
    Bytes b = save(c, "small.character");
    snCharacter_Release(c);
    return b;
}

static void assertRefused(const Bytes* b)
{
    snMessage why;
    snCharacter* character = NULL;
    snStatus status = snCharacter_Parse(NULL, b->at, b->count, "it", &character, &why);
    assert_true(status == sn_errorFile || status == sn_errorUnsupported);
    assert_null(character);
    assert_int_equal(strncmp(why.text, "it: ", 4), 0);
}

static void test_damaged(void** state)
{
    (void)state;
    Bytes b = saveSmall();
    assertDamageIsRefused(&b, assertRefused);
    giveBack(&b);
}

// What was taken can be stepped, or it says what is wrong.
static void stepLies(snCharacter* character)
{
    snMessage why;
    snScene* scene;
    snSim* sim = NULL;
    assert_ok(snScene_Create(NULL, NULL, &scene, &why), why);
    assert_ok(snScene_Add(scene, character, NULL, NULL, &why), why);
    if (!snSim_Create(scene, &sim, &why) && snSim_Step(sim) > 1e-5) {
        snStatus moved = snSim_Advance(sim, 1.0 / 60, &why);
        assert_true(moved == sn_ok || moved == sn_errorNumeric);
    }
    snSim_Free(sim);
    snScene_Free(scene);
}

// It is refused, or what comes of it can be stepped, and neither takes much memory.
static void hear(void* user, const Bytes* b, size_t number)
{
    Heard* heard = user;
    snMessage why;
    snCharacter* character = NULL;
    Ration ration = {.blocks = 1000};
    snHost host = rationedHost(&ration);
    host.thread_count = 1;
    snStatus status = snCharacter_Parse(&host, b->at, b->count, "it", &character, &why);
    assert_true(status == sn_ok || status == sn_errorFile);
    assert_true((status == sn_ok) == (character != NULL));
    heard->refused += status != sn_ok;
    heard->taken += status == sn_ok;
    heard->most = ration.most > heard->most ? ration.most : heard->most;
    if (character && number % 7 == 0) {
        stepLies(character);
    }
    snCharacter_Release(character);
    assert_int_equal(ration.used, 0);
}

static void test_lies(void** state)
{
    Heard heard = {0};
    (void)state;
    Bytes b = saveSmall();
    tellLies(&b, hear, &heard);
    print_message("%d refused, %d taken, %zu bytes of memory at most\n", heard.refused, heard.taken,
                  heard.most);
    assert_below((double)heard.most, 60 * (double)b.count);
    assert_true(heard.refused > 500);
    assert_true(heard.taken > 100); // parts of fractions: nobody can tell
    giveBack(&b);
}

static void test_calls(void** state)
{
    snMessage why;
    snCharacter *c = makeBuiltin("starfish_coarse"), *out;
    (void)state;
    assert_int_equal(snCharacter_Save(NULL, "a.character", &why), sn_errorArgument);
    assert_int_equal(snCharacter_Save(c, NULL, &why), sn_errorArgument);
    assert_int_equal(snCharacter_Save(c, "hero.glb", &why), sn_errorArgument);
    assert_non_null(strstr(why.text, ".character"));
    assert_int_equal(snCharacter_Save(c, "no/such/folder.character", &why), sn_errorIo);
    assert_int_equal(snCharacter_Load(NULL, "none.character", NULL, &out, &why), sn_errorIo);
    assert_int_equal(snCharacter_Parse(NULL, NULL, 0, "", &out, &why), sn_errorArgument);
    snCharacter_Release(c);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_same),        cmocka_unit_test(test_same_of_all_kinds),
        cmocka_unit_test(test_bones_alone), cmocka_unit_test(test_damaged),
        cmocka_unit_test(test_lies),        cmocka_unit_test(test_calls),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
