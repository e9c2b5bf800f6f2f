// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0
// label: quick

// A saved body comes back with the same bits in everything that moves, and no damage to its file
// goes unnoticed: cuts, flipped bits, and sizes and indices that lie under a checksum that is
// right.

#include "io/save/archive.h"

#include "io/ration.h"
#include "io/save/saved.h"
#include "io/tiny.h"

#define PATH "tiny.body"

static Bytes saveTiny(Tiny* t)
{
    snMessage why;
    assert_ok(snBody_Save(t->body, PATH, &why), why);
    return readBytes(PATH);
}

static snStatus parse(const Bytes* b, snBody** body, snMessage* why)
{
    return snBody_Parse(NULL, b->at, b->count, "hero.body", body, why);
}

// Everything that one sees of a clip
static uint64_t playHash(snBody* body)
{
    snMessage why;
    snFollowDef def;
    snFollow* follow;
    float positions[12], normals[12];
    uint64_t hash = 0;
    snFollowDef_Init(&def);
    def.ground = 1;
    assert_ok(snFollow_Create(body, &def, &follow, &why), why);
    double farthest = 0;
    for (int i = 0; i < 30; ++i) {
        assert_ok(snFollow_Surface(follow, 0, positions, normals, &why), why);
        hash = snHash(positions, sizeof positions, hash);
        hash = snHash(normals, sizeof normals, hash);
        assert_ok(snFollow_Advance(follow, &why), why);
        farthest = snFollow_Facts(follow).farthest;
    }
    assert_true(farthest > 0.001); // it does move
    snFollow_Free(follow);
    return hash;
}

static void test_same(void** state)
{
    Tiny t;
    snMessage why;
    snBody *loaded, *parsed;
    (void)state;
    openTiny(&t);
    Bytes b = saveTiny(&t);
    assert_ok(snBody_Load(NULL, PATH, &loaded, &why), why);
    assert_ok(parse(&b, &parsed, &why), why);
    uint64_t wanted = playHash(t.body);
    assert_true(playHash(loaded) == wanted);
    assert_true(playHash(parsed) == wanted);
    assert_string_equal(snRig_Info(snBody_Rig(loaded))->kind, "saved");
    assert_string_equal(snBody_Info(loaded)->regions[0].name, snBody_Info(t.body)->regions[0].name);
    assert_memory_equal(snBody_Info(loaded)->vertex_softness, snBody_Info(t.body)->vertex_softness,
                        4 * sizeof(float));
    // a save of what was loaded is the same file
    assert_ok(snBody_Save(loaded, "again.body", &why), why);
    Bytes again = readBytes("again.body");
    assertSameBytes(&again, &b);
    snBody_Release(parsed);
    snBody_Release(loaded);
    closeTiny(&t);
}

// Each cell has constants of its own, which 32 bits do not hold.
static void stiffenTiny(Tiny* t)
{
    static const double MU[TINY_CELLS] = {1000.1, 2000.3, 3000.7};
    static const double LAMBDA[TINY_CELLS] = {5000.9, 0, 7000.11};
    snRigBody* b = &t->body->made;
    snMessage why;
    snCellsDef def;
    snCellsDef_Init(&def);
    def.node_count = TINY_NODES;
    def.cell_count = TINY_CELLS;
    def.rest = &b->tets.position->x;
    def.tets = b->tets.tet;
    def.mu = MU;
    def.lambda = LAMBDA;
    def.weight = b->fill;
    assert_ok(snCells_Build(&t->body->arena, &def, &b->cells, &why), why);
}

// What kernels read is built again and has the same bits, of even and of uneven flesh.
static void test_cells(void** state)
{
    Tiny t;
    snMessage why;
    snBody* loaded;
    uint64_t last = 0;
    (void)state;
    openTiny(&t);
    for (int uneven = 0; uneven < 2; ++uneven) {
        if (uneven) {
            stiffenTiny(&t);
        }
        Bytes b = saveTiny(&t);
        assert_ok(parse(&b, &loaded, &why), why);
        uint64_t wanted = snCells_Hash(t.body->made.cells, 0);
        assert_true(snCells_Hash(loaded->made.cells, 0) == wanted);
        assert_true(wanted != last);
        assert_true(playHash(loaded) == playHash(t.body));
        last = wanted;
        snBody_Release(loaded);
        giveBack(&b);
    }
    closeTiny(&t);
}

// Refused with this status, and these words in the message
static void assertSaid(const Bytes* b, snStatus expected, const char* words)
{
    snMessage why;
    snBody* body = NULL;
    assert_int_equal(parse(b, &body, &why), expected);
    assert_null(body);
    assert_non_null(strstr(why.text, words));
}

// Cells that cannot be built are named.
static void test_bad_cells(void** state)
{
    Tiny t;
    (void)state;
    openTiny(&t);
    snVec3* places = t.body->made.tets.position; // 4: of cell 1 alone
    const snVec3 kept = places[4], bad[] = {{0, 0, 1}, {0, 0, -5}};
    for (int i = 0; i < 2; ++i) {
        places[4] = bad[i];
        Bytes b = saveTiny(&t);
        assertSaid(&b, sn_errorFile, "hero.body: cell 1: flat");
        giveBack(&b);
    }
    places[4] = kept;
    for (int i = 0; i < TINY_NODES; ++i) {
        places[i] = snScale(1e14, places[i]);
    }
    Bytes b = saveTiny(&t);
    assertSaid(&b, sn_errorFile, "hero.body: cell 0: so large");
    giveBack(&b);
    closeTiny(&t);
}

// Files of the version before, which held what kernels read, are refused by name.
static void test_older(void** state)
{
    Tiny t;
    (void)state;
    openTiny(&t);
    Bytes b = saveTiny(&t);
    --b.at[8];
    assertSaid(&b, sn_errorUnsupported,
               "it is a saved body of version 4, and this program reads 5");
    giveBack(&b);
    closeTiny(&t);
}

// The rig may outlive its body.
static void test_rig_lives_on(void** state)
{
    Tiny t;
    snMessage why;
    snBody* loaded;
    float positions[12];
    snMatrix nodes[2];
    double weight;
    (void)state;
    openTiny(&t);
    Bytes b = saveTiny(&t);
    assert_ok(parse(&b, &loaded, &why), why);
    snRig* rig = snRig_Retain(snBody_Rig(loaded));
    snBody_Release(loaded);
    assert_ok(snRig_Pose(rig, 0, 0.1, nodes, &weight, &why), why);
    assert_ok(snRig_Skin(rig, 0, nodes, &weight, positions, NULL, &why), why);
    assert_close((double)positions[0], 0.2, 1e-6);
    snRig_Release(rig);
    giveBack(&b);
    closeTiny(&t);
}

static void assertRefused(const Bytes* b)
{
    snMessage why;
    snBody* body = NULL;
    snStatus status = parse(b, &body, &why);
    assert_true(status == sn_errorFile || status == sn_errorUnsupported);
    assert_null(body);
    assert_int_equal(strncmp(why.text, "hero.body: ", 11), 0);
}

static void test_damaged(void** state)
{
    Tiny t;
    snMessage why;
    snBody* body;
    (void)state;
    openTiny(&t);
    Bytes b = saveTiny(&t);
    assertDamageIsRefused(&b, assertRefused);
    assert_ok(parse(&b, &body, &why), why);
    snBody_Release(body);
    assert_true(snBody_Load(NULL, "nothing.body", &body, &why) == sn_errorIo);
    assert_true(snBody_Parse(NULL, "glTF\2\0\0\0", 8, "hero.glb", &body, &why) == sn_errorFile);
    assert_non_null(strstr(why.text, "sinew rig hero.glb --save hero.body"));
    giveBack(&b);
    closeTiny(&t);
}

// A file that lies takes no more memory than this, whatever it promises, bytes; all that was taken
// and played took 67 kB.
#define MOST_MEMORY 2e5

// What was taken can be played: every number that comes of it is one, or it says what is wrong.
static void playLies(snBody* body)
{
    snMessage why;
    snFollowDef def;
    snFollow* follow;
    float positions[12];
    snFollowDef_Init(&def);
    if (snFollow_Create(body, &def, &follow, &why)) {
        return;
    }
    snStatus moved = snFollow_Advance(follow, &why);
    assert_true(moved == sn_ok || moved == sn_errorNumeric);
    assert_ok(snFollow_Surface(follow, 0, positions, NULL, &why), why);
    assert_true(isfinite(snFollow_Facts(follow).farthest));
    snFollow_Free(follow);
}

// It is refused, or what comes of it can be played, and neither takes much memory.
static void hear(void* user, const Bytes* b, size_t number)
{
    Heard* heard = user;
    snMessage why;
    snBody* body = NULL;
    Ration ration = {.blocks = 1000};
    snHost host = rationedHost(&ration);
    host.thread_count = 1;
    snStatus status = snBody_Parse(&host, b->at, b->count, "hero.body", &body, &why);
    assert_true(status == sn_ok || status == sn_errorFile);
    heard->refused += status != sn_ok;
    heard->taken += status == sn_ok;
    if (!status && number % 7 == 0) {
        playLies(body);
    }
    heard->most = ration.most > heard->most ? ration.most : heard->most;
    snBody_Release(body);
    assert_int_equal(ration.used, 0);
}

static void test_lies(void** state)
{
    Heard heard = {0};
    Tiny t;
    (void)state;
    openTiny(&t);
    Bytes b = saveTiny(&t);
    tellLies(&b, hear, &heard);
    print_message("%d refused, %d taken, %zu bytes of memory at most\n", heard.refused, heard.taken,
                  heard.most);
    assert_below((double)heard.most, MOST_MEMORY);
    assert_true(heard.refused > 1000);
    assert_true(heard.taken > 100); // parts of fractions: nobody can tell
    giveBack(&b);
    closeTiny(&t);
}

static void test_calls(void** state)
{
    Tiny t;
    snMessage why;
    snBody* body = NULL;
    (void)state;
    openTiny(&t);
    assert_int_equal(snBody_Save(NULL, PATH, &why), sn_errorArgument);
    assert_int_equal(snBody_Save(t.body, NULL, &why), sn_errorArgument);
    assert_int_equal(snBody_Save(t.body, "no/such/folder.body", &why), sn_errorIo);
    assert_int_equal(snBody_Load(NULL, NULL, &body, &why), sn_errorArgument);
    assert_int_equal(snBody_Load(NULL, PATH, NULL, &why), sn_errorArgument);
    assert_int_equal(snBody_Parse(NULL, NULL, 0, "", &body, &why), sn_errorArgument);
    closeTiny(&t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_same),         cmocka_unit_test(test_cells),
        cmocka_unit_test(test_bad_cells),    cmocka_unit_test(test_older),
        cmocka_unit_test(test_rig_lives_on), cmocka_unit_test(test_damaged),
        cmocka_unit_test(test_lies),         cmocka_unit_test(test_calls),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
