// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0
// label: quick

// Obstacles in GLB files: every vertex lies on the shape where the frame has it, triangles face
// outwards, leave no hole and enclose its volume, colours and motion are those of the scene.
// gltf/validator.sh looks at the file.

#include "io/folder.h"

#include "io/sink/blob.h"
#include "io/sink/glb_reader.h"

#define FRAMES 5
#define OBSTACLES 5
#define MOST 4096

// Floats of places within a few metres of their node
#define ROUNDING 2e-6

// Volume that a ball of 16 rings and 32 sectors has less than a true one: (1 - cos) of half an
// angle in each direction makes 2 %.
#define ROUND_LOSS 0.025

enum { BOX, BALL, PILL, WEDGE, PAIR };

typedef struct World {
    FleshStage flesh;
    snShapeDef shapes[OBSTACLES][2];
    snObstacleDef defs[OBSTACLES];
    snFrameObstacle obstacles[OBSTACLES];
} World;

static const snVec3 wedge_vertices[4] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
static const int32_t wedge_triangles[12] = {0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 3};

static void openWorld(World* w)
{
    static const char* const names[OBSTACLES] = {"box", "ball", "pill", "wedge", ""};
    const snTransform tilted = {snV3(0.1, -0.2, 0.3), snQExp(snV3(0.3, 0.5, -0.2))};
    const snTransform plain = {snV3(0, 0, 0), snQIdentity()};
    openFleshStage(&w->flesh, 0.2);
    memset(w->shapes, 0, sizeof w->shapes);
    w->shapes[BOX][0] = (snShapeDef){.kind = sn_shapeBox, .pose = tilted, .half = {0.5, 0.1, 2}};
    w->shapes[BALL][0] = (snShapeDef){.kind = sn_shapeSphere, .pose = tilted, .radius = 0.7};
    w->shapes[PILL][0] =
        (snShapeDef){.kind = sn_shapeCapsule, .pose = tilted, .radius = 0.2, .half_length = 0.6};
    w->shapes[WEDGE][0] = (snShapeDef){.kind = sn_shapeMesh,
                                       .pose = tilted,
                                       .vertex_count = 4,
                                       .triangle_count = 4,
                                       .vertices = wedge_vertices,
                                       .triangles = wedge_triangles};
    w->shapes[PAIR][0] = (snShapeDef){.kind = sn_shapeBox, .pose = plain, .half = {1, 1, 1}};
    w->shapes[PAIR][1] =
        (snShapeDef){.kind = sn_shapeBox, .pose = {snV3(5, 0, 0), plain.q}, .half = {1, 2, 3}};
    snMessage why;
    for (int i = 0; i < OBSTACLES; ++i) {
        snObstacleDef_Init(&w->defs[i]);
        w->defs[i].name = names[i];
        w->defs[i].shape_count = i == PAIR ? 2 : 1;
        w->defs[i].shapes = w->shapes[i];
        w->defs[i].colour[3] = i == BALL ? 0.25f : 1;
        w->defs[i].colour[0] = 0.5f;
        w->defs[i].colour[1] = 0.02f;
        w->defs[i].colour[2] = 1;
        int32_t number;
        assert_ok(snScene_AddObstacle(w->flesh.stage.scene, &w->defs[i], &number, &why), why);
        assert_int_equal(number, i);
    }
}

// The box stands still, the ball travels, the pill turns, the wedge does both far away.
static const snFrame* makeWorldFrame(World* w, int k)
{
    double t = k / 60.0;
    makeFleshFrame(&w->flesh, k, t);
    for (int i = 0; i < OBSTACLES; ++i) {
        w->obstacles[i] =
            (snFrameObstacle){.name = w->defs[i].name, .pose = {snV3(i, 1, -i), snQIdentity()}};
    }
    w->obstacles[BALL].pose.p.x += 3 * t;
    w->obstacles[PILL].pose.q = snQExp(snV3(0, 4 + 20 * t, 0));
    w->obstacles[WEDGE].pose =
        (snTransform){snV3(FAR_AWAY + t, 2, 1), snQExp(snV3(10 * t, 0, 0.5))};
    w->flesh.stage.frame.obstacle_count = OBSTACLES;
    w->flesh.stage.frame.obstacles = w->obstacles;
    return &w->flesh.stage.frame;
}

static void closeWorld(World* w)
{
    closeStage(&w->flesh.stage);
}

static void writeWorld(World* w, const char* path, int frames)
{
    snMessage why;
    snSink* sink;
    assert_ok(snSink_Open(NULL, w->flesh.stage.scene, path, NULL, &sink, &why), why);
    for (int k = 0; k < frames; ++k) {
        assert_ok(snSink_Write(sink, makeWorldFrame(w, k), &why), why);
    }
    assert_ok(snSink_Close(sink, &why), why);
}

// How far a place, as the piece sees it, is from the piece's surface
static double distance(const snShapeDef* s, snVec3 x)
{
    if (s->kind == sn_shapeBox) {
        return fmax(fmax(fabs(x.x) - s->half.x, fabs(x.y) - s->half.y), fabs(x.z) - s->half.z);
    }
    if (s->kind == sn_shapeMesh) {
        double nearest = HUGE_VAL;
        for (int i = 0; i < 4; ++i) {
            nearest = fmin(nearest, snLength(snSub(x, s->vertices[i])));
        }
        return nearest;
    }
    double half = s->kind == sn_shapeCapsule ? s->half_length : 0;
    double along = fmin(fmax(x.y, -half), half);
    return snLength(snSub(x, snV3(0, along, 0))) - s->radius;
}

static double volumeOf(const snObstacleDef* def)
{
    double sum = 0;
    for (int i = 0; i < def->shape_count; ++i) {
        const snShapeDef* s = &def->shapes[i];
        double r = s->radius;
        sum += s->kind == sn_shapeBox      ? 8 * s->half.x * s->half.y * s->half.z
               : s->kind == sn_shapeMesh   ? 1.0 / 6
               : s->kind == sn_shapeSphere ? 4 * SN_PI / 3 * r * r * r
                                           : SN_PI * r * r * (4 * r / 3 + 2 * s->half_length);
    }
    return sum;
}

// The triangles of a node's mesh
static const uint32_t* indicesOf(const Glb* glb, size_t node, size_t* count)
{
    const snJson* mesh = element(glb, "meshes", getSize(glb->nodes[node], "mesh"));
    const snJson* primitive = snJson_At(snJson_Get(mesh, "primitives"), 0);
    const snJson* a = element(glb, "accessors", getSize(primitive, "indices"));
    const snJson* view = element(glb, "bufferViews", getSize(a, "bufferView"));
    *count = getSize(a, "count");
    assert_int_equal(getSize(a, "componentType"), 5125);
    assert_true(4 * *count <= getSize(view, "byteLength"));
    return (const uint32_t*)(const void*)(glb->binary + getSize(view, "byteOffset"));
}

static void checkObstacle(const World* w, const Glb* glb, int i, size_t frame)
{
    static snVec3 x[MOST], n[MOST];
    const snObstacleDef* def = &w->defs[i];
    size_t node = findNode(glb, def->name[0] ? def->name : "obstacle", "surface"), corners;
    size_t count = meshOf(glb, node).vertex_count;
    const uint32_t* t = indicesOf(glb, node, &corners);
    snVec3 origin = w->obstacles[i].pose.p;
    assert_true(count <= MOST && corners % 3 == 0);
    showMesh(glb, node, frame, x, n);
    for (size_t v = 0; v < count; ++v) {
        snVec3 local = snTPoint(snTInverse(w->obstacles[i].pose), x[v]);
        double nearest = HUGE_VAL;
        for (int k = 0; k < def->shape_count; ++k) {
            double gap =
                distance(&def->shapes[k], snTPoint(snTInverse(def->shapes[k].pose), local));
            nearest = fmin(nearest, fabs(gap));
        }
        assert_below(nearest, ROUNDING);
    }
    double volume = 0, area = 0;
    snVec3 open = snV3(0, 0, 0); // areas along their normals: they cancel where nothing is missing
    for (size_t k = 0; k < corners; k += 3) {
        assert_true(t[k] < count && t[k + 1] < count && t[k + 2] < count);
        snVec3 a = snSub(x[t[k]], origin), b = snSub(x[t[k + 1]], origin),
               c = snSub(x[t[k + 2]], origin);
        snVec3 cross = snCross(snSub(b, a), snSub(c, a));
        assert_true(snLength(cross) > 0);
        volume += snDot(a, snCross(b, c)) / 6;
        area += snLength(cross);
        open = snAdd(open, cross);
        for (size_t j = 0; j < 3; ++j) { // normals and triangles say the same of outside
            assert_true(snDot(n[t[k + j]], cross) > 0.9 * snLength(cross));
        }
    }
    assert_below(snLength(open), ROUNDING * area);
    bool round = i == BALL || i == PILL;
    double loss = 1 - volume / volumeOf(def);
    assert_true(round ? loss > 0 && loss < ROUND_LOSS : fabs(loss) < 1e-5); // floats
}

static void test_shapes(void** state)
{
    (void)state;
    World w;
    Glb glb;
    openWorld(&w);
    writeWorld(&w, "obstacles.glb", FRAMES);
    readGlb(&glb, "obstacles.glb");
    assert_int_equal(glb.frame_count, FRAMES);
    for (int k = 0; k < FRAMES; ++k) {
        makeWorldFrame(&w, k);
        for (int i = 0; i < OBSTACLES; ++i) {
            checkObstacle(&w, &glb, i, (size_t)k);
        }
    }
    // only what moves has channels
    static const bool travels[OBSTACLES] = {false, true, false, true, false};
    static const bool turns[OBSTACLES] = {false, false, true, true, false};
    for (int i = 0; i < OBSTACLES; ++i) {
        size_t node = findNode(&glb, i == PAIR ? "obstacle" : w.defs[i].name, "surface");
        assert_int_equal(glb.translation[node] != NULL, travels[i]);
        assert_int_equal(glb.rotation[node] != NULL, turns[i]);
        assert_null(glb.weights[node]);
    }
    freeGlb(&glb);
    closeWorld(&w);
}

// sRGB becomes linear, and what is seen through is blended.
static void test_colours(void** state)
{
    (void)state;
    World w;
    Glb glb;
    openWorld(&w);
    writeWorld(&w, "colours.glb", 1);
    readGlb(&glb, "colours.glb");
    for (int i = 0; i < OBSTACLES; ++i) {
        size_t node = findNode(&glb, i == PAIR ? "obstacle" : w.defs[i].name, "surface");
        const snJson* mesh = element(&glb, "meshes", getSize(glb.nodes[node], "mesh"));
        const snJson* primitive = snJson_At(snJson_Get(mesh, "primitives"), 0);
        const snJson* material = element(&glb, "materials", getSize(primitive, "material"));
        const snJson* alpha = snJson_Get(material, "alphaMode");
        const snJson* colour =
            snJson_Get(snJson_Get(material, "pbrMetallicRoughness"), "baseColorFactor");
        const double wanted[4] = {pow((0.5 + 0.055) / 1.055, 2.4), 0.02 / 12.92, 1,
                                  i == BALL ? 0.25 : 1};
        for (size_t k = 0; k < 4; ++k) {
            assert_close(snJson_At(colour, k)->number, wanted[k], 1e-6); // floats
        }
        assert_true(i == BALL ? alpha && strcmp(alpha->string, "BLEND") == 0 : !alpha);
    }
    freeGlb(&glb);
    closeWorld(&w);
}

// Our own reader shows them as surfaces after those of the characters.
static void test_read(void** state)
{
    (void)state;
    World w;
    snMessage why;
    snAnimation* a;
    const snFrame* frame;
    openWorld(&w);
    writeWorld(&w, "read.glb", FRAMES);
    assert_ok(snAnimation_Load(NULL, "read.glb", NULL, &a, &why), why);
    assert_int_equal(snAnimation_FrameCount(a), FRAMES);
    assert_ok(snAnimation_Frame(a, FRAMES - 1, &frame, &why), why);
    assert_int_equal(frame->character_count, CHARACTERS + OBSTACLES);
    assert_string_equal(frame->characters[CHARACTERS + BALL].name, "ball");
    const snFrameSurface* s = &frame->characters[CHARACTERS + BALL].surfaces[0];
    makeWorldFrame(&w, FRAMES - 1);
    snVec3 centre = snTPoint(w.obstacles[BALL].pose, w.shapes[BALL][0].pose.p);
    for (int i = 0; i < s->vertex_count; ++i) {
        const float* x = s->position + 3 * i;
        snVec3 at = snV3((double)x[0], (double)x[1], (double)x[2]);
        assert_close(snLength(snSub(at, centre)), 0.7, ROUNDING);
    }
    snAnimation_Free(a);
    closeWorld(&w);
}

static void test_refused(void** state)
{
    (void)state;
    static const char* const paths[] = {"bad.glb", "bad.csv"};
    for (int i = 0; i < 2; ++i) {
        World w;
        snMessage why;
        snSink* sink;
        openWorld(&w);
        assert_ok(snSink_Open(NULL, w.flesh.stage.scene, paths[i], NULL, &sink, &why), why);
        makeWorldFrame(&w, 0);
        w.flesh.stage.frame.obstacle_count = 1;
        assert_int_equal(snSink_Write(sink, &w.flesh.stage.frame, &why), sn_errorArgument);
        assert_non_null(strstr(why.text, "1 obstacles, the scene 5"));
        makeWorldFrame(&w, 0);
        w.obstacles[PILL].pose.p.y = (double)NAN;
        assert_int_equal(snSink_Write(sink, &w.flesh.stage.frame, &why), sn_errorArgument);
        assert_non_null(strstr(why.text, "obstacle 2"));
        assert_ok(snSink_Write(sink, makeWorldFrame(&w, 0), &why), why);
        assert_ok(snSink_Close(sink, &why), why);
        closeWorld(&w);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_shapes),
        cmocka_unit_test(test_colours),
        cmocka_unit_test(test_read),
        cmocka_unit_test(test_refused),
    };
    return cmocka_run_group_tests(tests, enterFolder, leaveFolder);
}
