// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0
// label: quick

// A document that is made is read back as what went in.

#include "io/gltf/rig_document.h"

#include "check.h"

// Two triangles that share an edge, as six corners: position, a number, joint and weight
static float ROWS[6][12] = {
    {0, 0, 0, 2, 0, 0, 0, 0, 1, 0, 0, 0}, {1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0},
    {0, 1, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0}, {0, 1, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0},
    {1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0}, {1, 1, 0, 3, 1, 0, 0, 0, 1, 0, 0, 0},
};

static void makePart(snArena* arena, snDocumentPart* p)
{
    static uint32_t indices[6];
    *p = (snDocumentPart){.material = 0, .vertex_count = 6, .index_count = 6, .indices = indices};
    assert_int_equal(snDocumentPart_AddField(p, "POSITION", 3), 0);
    assert_int_equal(snDocumentPart_AddField(p, "_CONTROL_POINT", 1), 3);
    assert_int_equal(snDocumentPart_AddField(p, "JOINTS_0", 4), 4);
    assert_int_equal(snDocumentPart_AddField(p, "WEIGHTS_0", 4), 8);
    p->rows = snArena_Push(arena, 6, p->width * sizeof *p->rows);
    for (uint32_t v = 0; v < 6; ++v) {
        memcpy(p->rows + v * p->width, ROWS[v], p->width * sizeof *p->rows);
        indices[v] = v;
    }
}

static void test_weld(void** state)
{
    (void)state;
    static const uint32_t BY_POINT[] = {2, 0, 1, 1, 0, 3}, AS_MET[] = {0, 1, 2, 2, 1, 3};
    snArena arena;
    snDocumentPart p;
    snArena_Init(&arena, NULL);
    for (int by_point = 0; by_point < 2; ++by_point) {
        makePart(&arena, &p);
        assert_true(snDocumentPart_Weld(&p, &arena, by_point ? 3 : -1));
        assert_int_equal(p.vertex_count, 4);
        assert_memory_equal(p.indices, by_point ? BY_POINT : AS_MET, sizeof BY_POINT);
        for (size_t v = 0; by_point && v < 4; ++v) {
            assert_true(p.rows[v * p.width + 3] == (float)v);
        }
    }
    snArena_Free(&arena);
}

static snRig* makeRig(snArena* arena)
{
    static float times[] = {0, 1}, moves[] = {0, 0, 0, 0, 0, 2};
    snDocumentPart part;
    makePart(arena, &part);
    assert_true(snDocumentPart_Weld(&part, arena, 3));
    snQuat none = {0, 0, 0, 1};
    snVec3 one = {1, 1, 1}, zero = {0, 0, 0};
    snMatrix binds[2] = {snMatrix_Identity(), snMatrix_Identity()};
    binds[1].p.x = -1;
    int32_t joints[2] = {1, 2};
    snDocumentNode nodes[] = {{"skin", -1, 0, 0, zero, none, one, NULL},
                              {"root", -1, -1, -1, {0, 0, 0}, none, {2, 2, 2}, NULL},
                              {"tip", 1, -1, -1, {1, 0, 0}, none, one, NULL}};
    snDocumentSkin skin = {2, joints, binds};
    snDocumentMesh mesh = {.name = "sheet", .part_count = 1, .parts = &part};
    snDocumentMaterial material = {.name = "red", .color = {1, 0, 0, 1}, .two_sided = true};
    snDocumentImage images[] = {{.uri = "skin%20of%20it.png"}, {.uri = "shine.png"}};
    for (int i = 0; i < sn_textureCount; ++i) {
        material.image[i] = i == sn_textureSpecular ? 1 : i == sn_textureOpacity ? -1 : 0;
    }
    snDocumentTrack track = {2, sn_pathTranslation, 2, 3, times, moves};
    snDocumentClip clip = {"go", 0.5, 1, &track};
    snRigDocument d = {.generator = "test",
                       .node_count = 3,
                       .skin_count = 1,
                       .mesh_count = 1,
                       .material_count = 1,
                       .image_count = 2,
                       .clip_count = 1,
                       .nodes = nodes,
                       .skins = &skin,
                       .meshes = &mesh,
                       .materials = &material,
                       .images = images,
                       .clips = &clip};
    uint8_t* bytes;
    size_t count;
    snMessage why;
    snRig* rig;
    snHost host;
    assert_ok(snHost_Take(NULL, &host, &why), why);
    assert_ok(snRigDocument_Write(&d, &host, &bytes, &count, &why), why);
    assert_ok(snRig_Parse(NULL, bytes, count, "made", &rig, &why), why);
    snHost_Release(&host, bytes, count + 1);
    return rig;
}

static void expectMaterial(const snRig* rig)
{
    static const char* const PARTS[] = {
        "\"images\":[{\"uri\":\"skin%20of%20it.png\"},{\"uri\":\"shine.png\"}]",
        "\"baseColorTexture\":{\"index\":0}",
        "\"metallicRoughnessTexture\":{\"index\":0}",
        "\"metallicFactor\":1",
        "\"normalTexture\":{\"index\":0}",
        "\"occlusionTexture\":{\"index\":0}",
        "\"emissiveTexture\":{\"index\":0},\"emissiveFactor\":[1,1,1]",
        "\"extras\":{\"textures\":{\"specular\":{\"index\":1},\"shininess\":{\"index\":0}",
    };
    const char* text = (const char*)rig->source.bytes + rig->source.json_begin;
    for (size_t i = 0; i < sizeof PARTS / sizeof *PARTS; ++i) {
        if (!strstr(text, PARTS[i])) {
            fail_msg("'%s' is not in %s", PARTS[i], text);
        }
    }
    assert_null(strstr(text, "opacity"));
}

static void test_document(void** state)
{
    (void)state;
    snArena arena;
    snMessage why;
    snMatrix nodes[3];
    float x[12];
    snArena_Init(&arena, NULL);
    snRig* rig = makeRig(&arena);
    const snRigInfo* info = snRig_Info(rig);
    assert_int_equal(info->warning_count, 0);
    assert_int_equal(info->node_count, 3);
    assert_int_equal(info->joint_count, 2);
    assert_int_equal(info->vertex_count, 4);
    assert_int_equal(info->triangle_count, 2);
    assert_string_equal(info->generator, "test");
    assert_string_equal(snRig_Mesh(rig, 0)->material, "red");
    assert_string_equal(snRig_Clip(rig, 0)->name, "go");
    assert_true(rig->clips[0].start == 0.5);
    expectMaterial(rig);
    assert_string_equal(rig->shapes[0].attributes[0].name, "_CONTROL_POINT");
    assert_ok(snRig_Pose(rig, 0, 0.5, nodes, NULL, &why), why);
    assert_ok(snRig_Skin(rig, 0, nodes, NULL, x, NULL, &why), why);
    // control point 0 hangs on the tip, which is at 2 (0, 0, 1) and began at (1, 0, 0) of the mesh
    static const float WANTED[] = {0, 0, 2, 0, 2, 0, 0, 0, 0, 0, 2, 2};
    for (int i = 0; i < 12; ++i) {
        assert_close((double)x[i], (double)WANTED[i], 1e-6);
    }
    snRig_Release(rig);
    snArena_Free(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_weld),
                                       cmocka_unit_test(test_document)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
