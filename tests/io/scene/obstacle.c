// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0
// label: quick

// Obstacles and materials in scene files: what they say arrives in the scene, and what is wrong
// with them is said.
#include "io/folder.h"

#include "math/transform.h"
#include "math/trig.h"
#include "scenes/scenes.h"
#include "sim/scene.h"

#define EXAMPLES SN_TEST_DATA "/../../docs/examples/"
#define DEGREE (SN_PI / 180)

// A few roundings of numbers near 1.
#define ROUNDING 1e-14

#define HEAD "{\"sinew\": 1, \"characters\": [{\"name\": \"c\", \"skeleton\": \"fish\"}], "
#define CUBE                                                                           \
    "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nv 0 0 1\nv 1 0 1\nv 1 1 1\nv 0 1 1\nf 1 4 3 " \
    "2\nf 5 6 7 8\nf 1 2 6 5\nf 3 4 8 7\nf 1 5 8 4\nf 2 3 7 6\n"

static void writeText(const char* path, const char* text)
{
    FILE* file = fopen(path, "wb");
    assert_non_null(file);
    fputs(text, file);
    fclose(file);
}

static snScene* load(const char* path)
{
    snScene* scene;
    snMessage why;
    assert_ok(snScene_Load(NULL, path, snBuiltinLibrary(), &scene, &why), why);
    return scene;
}

static void checkVector(snVec3 found, double x, double y, double z)
{
    assert_close(found.x, x, 10 * ROUNDING);
    assert_close(found.y, y, 10 * ROUNDING);
    assert_close(found.z, z, 10 * ROUNDING);
}

static void checkPair(snScene* scene, const char* a, const char* b, double friction,
                      double restitution)
{
    snPair* pair = snPair_Find(scene->world.pairs, scene->world.pair_count, a, b);
    assert_non_null(pair);
    assert_close(pair->friction, friction, 0);
    assert_close(pair->restitution, restitution, 0);
}

static void testEveryKey(void** state)
{
    (void)state;
    snScene* scene = load(SN_TEST_DATA "/scenes/obstacles.json");
    const snSceneDef* def = snScene_Def(scene);
    assert_close(def->friction, 0.4, 0);
    assert_close(def->restitution, 0.2, 0);
    assert_close(def->ground_height, -1, 0);
    assert_string_equal(snScene_Get(scene, NULL, "contact"), "projection");
    assert_int_equal(def->self_contact, 0);
    assert_close(def->sleep, 1.5, 0);
    assert_string_equal(scene->world.actors[0].material, "skin");
    assert_int_equal(snScene_ObstacleCount(scene), 3);

    const snObstacleDef* crate = snScene_Obstacle(scene, 0);
    assert_string_equal(crate->name, "crate");
    assert_string_equal(crate->material, "wood");
    assert_int_equal(crate->shape_count, 1);
    assert_int_equal(crate->shapes[0].kind, sn_shapeBox);
    checkVector(crate->shapes[0].half, 0.2, 0.1, 0.3);
    checkVector(snTPoint(crate->pose, snV3(1, 0, 0)), 1, 2, 2);
    assert_close(crate->mass, 5, 0);
    checkVector(crate->velocity, 0, 1, 0);
    checkVector(crate->spin, 0, SN_PI, 0);
    assert_true(crate->colour[0] == 0.25f && crate->colour[2] == 0.75f && crate->colour[3] == 1);

    const snObstacleDef* odd = snScene_Obstacle(scene, 1);
    assert_string_equal(odd->name, "");
    assert_string_equal(odd->material, "");
    assert_int_equal(odd->shape_count, 4);
    assert_close(odd->mass, 0, 0);
    assert_true(odd->colour[3] == 0.25f);

    checkPair(scene, "wood", "skin", 0.1, 0.5);
    checkPair(scene, "skin", "ground", 2, 0.2);
    checkPair(scene, "wood", "wood", 0.4, 1);
    assert_int_equal(scene->world.pair_count, 3);
    snScene_Free(scene);
}

static void testShapes(void** state)
{
    (void)state;
    snScene* scene = load(SN_TEST_DATA "/scenes/obstacles.json");
    const snShapeDef* s = snScene_Obstacle(scene, 1)->shapes;
    assert_int_equal(s[0].kind, sn_shapeSphere);
    assert_close(s[0].radius, 0.3, 0);
    checkVector(s[0].pose.p, 0, 0.5, 0);

    // ends of the lines in capsules, turned by the shape's rotation: z becomes x
    assert_int_equal(s[1].kind, sn_shapeCapsule);
    assert_close(s[1].radius, 0.1, 0);
    assert_close(s[1].half_length, 1, ROUNDING);
    checkVector(snTPoint(s[1].pose, snV3(0, -1, 0)), 2, 0, 0);
    checkVector(snTPoint(s[1].pose, snV3(0, 1, 0)), 4, 0, 0);
    checkVector(snTPoint(s[2].pose, snV3(0, -0.5, 0)), 0, 0, 0); // straight down
    checkVector(snTPoint(s[2].pose, snV3(0, 0.5, 0)), 0, -1, 0);

    assert_int_equal(s[3].kind, sn_shapeMesh);
    assert_int_equal(s[3].vertex_count, 4);
    assert_int_equal(s[3].triangle_count, 4);
    checkVector(s[3].vertices[2], 0, 1, 0);
    assert_int_equal(s[3].triangles[4], 1);
    assert_close(s[3].pose.q.z, 0.6, ROUNDING);
    snScene_Free(scene);
}

// What a key does not say is as in the obstacle.
static void testPath(void** state)
{
    (void)state;
    snScene* scene = load(SN_TEST_DATA "/scenes/obstacles.json");
    const snObstacleDef* door = snScene_Obstacle(scene, 2);
    static const double TIMES[] = {0, 1, 2, 3.5}, PLACES[] = {5, 5, 6, 5};
    static const double ANGLES[] = {30, 120, 180, 30};
    assert_int_equal(door->key_count, 4);
    assert_int_equal(door->ends, sn_endsPeriodic);
    for (int i = 0; i < 4; ++i) {
        assert_close(door->times[i], TIMES[i], 0);
        checkVector(door->keys[i].p, 0, 0, PLACES[i]);
        checkVector(snQRotate(door->keys[i].q, snV3(0, 0, 1)), snSin(ANGLES[i] * DEGREE), 0,
                    snCos(ANGLES[i] * DEGREE));
    }
    snSim* sim;
    snMessage why;
    assert_ok(snSim_Create(scene, &sim, &why), why);
    assert_ok(snSim_Advance(sim, 1, &why), why);
    checkVector(snSim_Frame(sim)->obstacles[2].pose.p, 0, 0, 5);
    snSim_Free(sim);
    snScene_Free(scene);
}

// Surfaces and tets, found from the scene's folder.
static void testMeshes(void** state)
{
    (void)state;
    mkdir("deep", 0700);
    writeText("cube.obj", CUBE);
    writeText("one.node", "4 3 0 0\n0 0 0 0\n1 1 0 0\n2 0 1 0\n3 0 0 1\n");
    writeText("one.ele", "1 4 0\n0 0 1 2 3\n");
    writeText("deep/meshes.json", HEAD "\"obstacles\": [{\"shape\": {\"mesh\": \"../cube.obj\"}}, "
                                       "{\"shape\": {\"mesh\": \"../one.ele\"}, \"mass\": 1}]}");
    snScene* scene = load("deep/meshes.json");
    const snShapeDef* cube = snScene_Obstacle(scene, 0)->shapes;
    const snShapeDef* tet = snScene_Obstacle(scene, 1)->shapes;
    assert_int_equal(cube->kind, sn_shapeMesh);
    assert_int_equal(cube->vertex_count, 8);
    assert_int_equal(cube->triangle_count, 12);
    checkVector(cube->vertices[6], 1, 1, 1);
    assert_int_equal(tet->vertex_count, 4);
    assert_int_equal(tet->triangle_count, 4);
    snSim* sim;
    snMessage why;
    assert_ok(snSim_Create(scene, &sim, &why), why);
    snSim_Free(sim);
    snScene_Free(scene);
}

typedef struct Wrong {
    const char *text, *said;
} Wrong;

static void checkWrong(const char* before, const Wrong* wrong, const char* after)
{
    char text[2000];
    snScene* scene;
    snMessage why;
    snprintf(text, sizeof text, HEAD "%s%s%s}", before, wrong->text, after);
    writeText("wrong.json", text);
    assert_int_equal(snScene_Load(NULL, "wrong.json", snBuiltinLibrary(), &scene, &why),
                     sn_errorFile);
    assert_null(scene);
    assert_memory_equal(why.text, "wrong.json: line 1, column ", 27);
    if (!strstr(why.text, wrong->said)) {
        fail_msg("%s\n does not say '%s'", why.text, wrong->said);
    }
}

static void testWrongObstacles(void** state)
{
    (void)state;
#define WITH(rest) "{\"shape\": {\"sphere\": 1}, " rest "}"
    static const Wrong obstacles[] = {
        {"7", "an obstacle is 7; give an object"},
        {"{}", "must have \"shape\" or \"shapes\"; add one"},
        {"{\"shape\": {\"sphere\": 1}, \"shapes\": [{\"sphere\": 1}]}", "remove one"},
        {"{\"shapes\": []}", "an array of 1 to 1000 entries"},
        {"{\"shapes\": {}}", "an array of 1 to 1000 entries"},
        {WITH("\"nmae\": \"x\""), "did you mean \"name\"?"},
        {WITH("\"name\": 3"), "\"name\" is 3; give a text of 1 to 63 bytes"},
        {WITH("\"material\": \"12345678901234567890123456789012\""), "1 to 31 bytes"},
        {WITH("\"position\": [0, 0]"), "an array of 3 numbers"},
        {WITH("\"position\": [1e9, 1e9, 1e9]"), "position within 1e9 m"},
        {WITH("\"rotation\": [0, 0, 0, 2]"), "length 2"},
        {WITH("\"rotation\": [0, 0, 0, 1], \"rotation_degrees\": [0, 0, 0]"), "remove one"},
        {WITH("\"mass\": -1"), "from 0 to 1000000 kg"},
        {WITH("\"mass\": 1e-9"), "mass must be 0"},
        {WITH("\"velocity\": [1, 0, 0]"), "\"velocity\" goes with a \"mass\" above 0"},
        {WITH("\"spin\": [1, 0, 0], \"mass\": 0"), "\"spin\" goes with a \"mass\" above 0"},
        {WITH("\"mass\": 1, \"spin\": [1e6, 0, 0]"), "degrees/s"},
        {WITH("\"ends\": \"periodic\""), "\"ends\" goes with a \"path\""},
        {WITH("\"path\": [{\"time\": 0}], \"mass\": 1"), "does not go with \"mass\""},
        {WITH("\"path\": []"), "an array of 1 to 100000 entries"},
        {WITH("\"path\": [{}]"), "a key of a path must have \"time\""},
        {WITH("\"path\": [{\"time\": 1}, {\"time\": 1}]"), "sort keys by time"},
        {WITH("\"path\": [{\"time\": 1, \"at\": 0}]"), "a key of a path has no key \"at\""},
        {WITH("\"path\": [{\"time\": 0}, {\"time\": 1, \"position\": [1, 0, 0]}], \"ends\": "
              "\"periodic\""),
         "the last key must equal the first"},
        {WITH("\"path\": [{\"time\": 0}], \"ends\": \"round\""), "\"clamped\", \"periodic\""},
        {WITH("\"colour\": [1, 0]"), "an array of 3 numbers, each from 0 to 1"},
        {WITH("\"colour\": [1, 0, 2]"), "from 0 to 1"},
        {WITH("\"colour\": \"red\""), "\"colour\" is \"red\""},
    };
    for (size_t i = 0; i < sizeof obstacles / sizeof *obstacles; ++i) {
        checkWrong("\"obstacles\": [", &obstacles[i], "]");
    }
    static const Wrong lists[] = {
        {"\"obstacles\": {}", "an array of 0 to 10000 entries"},
        {"\"obstacels\": []", "did you mean \"obstacles\"?"},
        {"\"self_contact\": 1", "true or false"},
        {"\"sleep\": -1", "from 0 to 3600"},
        {"\"restitution\": 1.5", "from 0 to 1"},
        {"\"friction\": -1", "from 0 to 10"},
        {"\"friction\": 1, \"ground\": {\"friction\": 1}", "says the same"},
    };
    for (size_t i = 0; i < sizeof lists / sizeof *lists; ++i) {
        checkWrong("", &lists[i], "");
    }
}

static void testWrongShapes(void** state)
{
    (void)state;
    static const Wrong shapes[] = {
        {"7", "\"shape\" is 7; give an object"},
        {"{}", "must have \"box\", \"sphere\", \"capsule\" or \"mesh\""},
        {"{\"box\": [1, 1, 1], \"sphere\": 1}", "\"box\" and \"sphere\" are two shapes"},
        {"{\"cube\": 1}", "a shape has no key \"cube\""},
        {"{\"box\": 1}", "an array of 3 numbers, each from 0.0002 to 20000 m"},
        {"{\"box\": [1, 0, 1]}", "from 0.0002 to 20000 m"},
        {"{\"sphere\": 0}", "from 0.0001 to 10000 m"},
        {"{\"sphere\": [1]}", "\"sphere\" is an array of 1"},
        {"{\"capsule\": 1}", "\"capsule\" is 1; give an object"},
        {"{\"capsule\": {\"to\": [0, 1, 0]}}", "a capsule must have \"radius\""},
        {"{\"capsule\": {\"radius\": 1}}", "a capsule must have \"to\""},
        {"{\"capsule\": {\"radius\": 1, \"to\": [0, 1, 0], \"density\": 1}}", "\"density\""},
        {"{\"capsule\": {\"radius\": 1, \"to\": [1e4, 1e4, 1e4], \"from\": [-1e4, -1e4, -1e4]}}",
         "half_length must lie in 0..1e4 m"},
        {"{\"mesh\": 1}", "\"mesh\" is 1; give the path of a file"},
        {"{\"mesh\": \"none.obj\"}", "none.obj"},
        {"{\"mesh\": \"bad.obj\"}", "bad.obj: line 1"},
        {"{\"mesh\": \"vast.obj\"}", "vertex 1 is not a place within 1e4 m"},
        {"{\"mesh\": \"flat.obj\"}", "4..10000000 vertices and triangles"},
        {"{\"mesh\": {}}", "a mesh must have \"vertices\""},
        {"{\"mesh\": {\"vertices\": [], \"triangles\": []}}", "an array of 4 to"},
        {"{\"mesh\": {\"vertices\": [[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]], \"triangles\": "
         "[[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 4]]}}",
         "from 0 to 3 (a vertex)"},
        {"{\"mesh\": {\"density\": 1}}", "a mesh has no key \"density\""},
    };
    writeText("bad.obj", "v 0 0\n");
    writeText("flat.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n");
    writeText("vast.obj", "v 0 0 0\nv 1e5 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 "
                          "4\n");
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; ++i) {
        checkWrong("\"obstacles\": [{\"shape\": ", &shapes[i], "}]");
    }
    // text in memory reads no files
    static const char TEXT[] = HEAD "\"obstacles\": [{\"shape\": {\"mesh\": \"cube.obj\"}}]}";
    snScene* scene;
    snMessage why;
    assert_int_equal(
        snScene_Parse(NULL, TEXT, strlen(TEXT), "text", snBuiltinLibrary(), &scene, &why),
        sn_errorFile);
    assert_non_null(strstr(why.text, "snScene_AddObstacle"));
}

static void testWrongPairs(void** state)
{
    (void)state;
    static const Wrong pairs[] = {
        {"[7]", "a pair is 7; give an object"},
        {"{}", "an array of 0 to 1000 entries"},
        {"[{}]", "a pair must have \"materials\""},
        {"[{\"materials\": \"rubber\"}]", "two materials"},
        {"[{\"materials\": [\"rubber\"]}]", "two materials"},
        {"[{\"materials\": [\"rubber\", 1]}]", "a name is 1"},
        {"[{\"materials\": [\"rubber\", \"grond\"]}]", "did you mean \"ground\"?"},
        {"[{\"materials\": [\"stone\", \"ground\"]}]", "nothing is made of \"stone\""},
        {"[{\"materials\": [\"rubber\", \"ground\"], \"friction\": 11}]", "from 0 to 10"},
        {"[{\"materials\": [\"rubber\", \"ground\"], \"restitution\": 2}]", "from 0 to 1"},
        {"[{\"materials\": [\"rubber\", \"ground\"], \"bounce\": 1}]", "no key \"bounce\""},
        {"[{\"materials\": [\"rubber\", \"ground\"]}, {\"materials\": [\"ground\", \"rubber\"]}]",
         "are a pair already, in line 1"},
    };
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; ++i) {
        checkWrong("\"obstacles\": [{\"shape\": {\"sphere\": 1}, \"material\": \"rubber\"}], "
                   "\"pairs\": ",
                   &pairs[i], "");
    }
}

// The block slides down the slope, touches ball and paddle, and stays out of all of them.
static void testExample(void** state)
{
    (void)state;
    snScene* scene = load(EXAMPLES "obstacles.json");
    snSim* sim;
    snMessage why;
    bool met[4] = {false}; // obstacles, ground
    assert_ok(snSim_Create(scene, &sim, &why), why);
    const snFrame* f = snSim_Frame(sim);
    double start = f->characters[0].momentum.com.x, ball = f->obstacles[1].pose.p.x;
    for (int k = 0; k < 150; ++k) {
        assert_ok(snSim_Advance(sim, 1.0 / 60, &why), why);
        f = snSim_Frame(sim);
        for (int32_t i = 0; i < f->contact_count; ++i) {
            const snContact* c = &f->contacts[i];
            bool block = c->character == 0 || c->with == sn_withCharacter;
            int32_t other = c->obstacle >= 0 ? c->obstacle : c->other;
            met[c->with == sn_withGround ? 3 : other] |= block;
        }
    }
    double slid = f->characters[0].momentum.com.x - start;
    double pushed = fabs(f->obstacles[1].pose.p.x - ball);
    print_message("slid %.2f m, ball moved %.2f m, deepest %.1f mm\n", slid, pushed,
                  1e3 * f->characters[0].deepest);
    assert_true(met[0] && met[1] && met[2] && met[3]);
    assert_true(slid > 1 && pushed > 0.3);
    assert_below(f->characters[0].deepest, 0.03); // a tenth of it; how deep is not for this test
    assert_int_equal(f->guard.retries, 0);
    snSim_Free(sim);
    snScene_Free(scene);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(testEveryKey),       cmocka_unit_test(testShapes),
        cmocka_unit_test(testPath),           cmocka_unit_test(testMeshes),
        cmocka_unit_test(testWrongObstacles), cmocka_unit_test(testWrongShapes),
        cmocka_unit_test(testWrongPairs),     cmocka_unit_test(testExample),
    };
    return cmocka_run_group_tests(tests, enterFolder, leaveFolder);
}
