// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0
// label: full
// needs: assimp zlib

// Rigs of FBX and Collada: made ones are read as they are meant, and whatever is damaged in them,
// or in real ones, is read or refused with a reason. Assimp crashes on some; that must not reach
// us.

#include "base/random.h"
#include "io/fbx/made_rigs.h"
#include "rig/shared.h"

#define DAMAGES 250 // of each file

static snRig* parse(const char* text, const char* name)
{
    snRig* rig;
    snMessage why;
    assert_ok(snRig_Parse(NULL, text, strlen(text), name, &rig, &why), why);
    return rig;
}

static void expectCube(const snRig* rig)
{
    snMessage why;
    const snRigInfo* info = snRig_Info(rig);
    assert_int_equal(info->joint_count, 2);
    assert_int_equal(info->triangle_count, MADE_TRIANGLES);
    assert_int_equal(info->clip_count, 1);
    assert_close(snRig_Clip(rig, 0)->duration, 1, 1e-6);
    // a quarter turn about (0, 1, 0) takes the top's far corner (1, 2, 1) to (-1, 2, 1)
    snMatrix nodes[16];
    float x[3 * 24];
    double nearest = 1;
    assert_true(info->node_count <= 16 && info->vertex_count <= 24);
    assert_ok(snRig_Pose(rig, 0, 1, nodes, NULL, &why), why);
    assert_ok(snRig_Skin(rig, 0, nodes, NULL, x, NULL, &why), why);
    for (int32_t v = 0; v < info->vertex_count; ++v) {
        const float* p = x + 3 * v;
        nearest =
            fmin(nearest, fabs((double)p[0] + 1) + fabs((double)p[1] - 2) + fabs((double)p[2] - 1));
    }
    assert_below(nearest, 1e-5);
}

static void test_made(void** state)
{
    (void)state;
    char text[MADE_SIZE];
    snRig* rig = parse(makeDae(text, "", MADE_PLAIN), "made.dae");
    expectCube(rig);
    snRig_Release(rig);
    rig = parse(makeFbx(text, "", ""), "made.fbx");
    expectCube(rig);
    snRig_Release(rig);
}

// Textures -------------------------------------------------------------------------

// A texture of the made FBX's material
#define TEXTURE(number, path, property)                                                          \
    {                                                                                            \
        "\tTexture: " number ", \"Texture::\", \"\" {\n\t\tType: \"TextureVideoClip\"\n"         \
        "\t\tFileName: \"C:\\work\\lost\\" path "\"\n\t\tRelativeFilename: \"" path "\"\n\t}\n", \
            "\tC: \"OP\"," number ",20, \"" property "\"\n"                                      \
    }

static const char* textOf(const snRig* rig)
{
    return (const char*)rig->source.bytes + rig->source.json_begin;
}

static void expectText(const snRig* rig, const char* says)
{
    if (!strstr(textOf(rig), says)) {
        fail_msg("'%s' is not in %s", says, textOf(rig));
    }
}

static void test_textures(void** state)
{
    (void)state;
    static const struct {
        const char *object, *connection;
    } ALL[] = {
        TEXTURE("50", "maps\\skin colour.png", "DiffuseColor"),
        TEXTURE("51", "maps/normal.png", "NormalMap"),
        TEXTURE("52", "glow.png", "EmissiveColor"),
        TEXTURE("53", "shine.png", "SpecularColor"),
        TEXTURE("54", "bumps.png", "Bump"),
        TEXTURE("55", "glow.png", "TransparentColor"),
    };
    char text[MADE_SIZE], objects[4096] = "", connections[1024] = "";
    for (size_t i = 0; i < sizeof ALL / sizeof *ALL; ++i) {
        strncat(objects, ALL[i].object, sizeof objects - strlen(objects) - 1);
        strncat(connections, ALL[i].connection, sizeof connections - strlen(connections) - 1);
    }
    snRig* rig = parse(makeFbx(text, objects, connections), "made.fbx");
    expectText(rig,
               "\"images\":[{\"uri\":\"maps/skin%20colour.png\"},{\"uri\":\"maps/normal.png\"},"
               "{\"uri\":\"glow.png\"},{\"uri\":\"shine.png\"},{\"uri\":\"bumps.png\"}]");
    expectText(rig, "\"baseColorTexture\":{\"index\":0}");
    expectText(rig, "\"normalTexture\":{\"index\":1}");
    expectText(rig, "\"emissiveTexture\":{\"index\":2},\"emissiveFactor\":[1,1,1]");
    expectText(rig, "\"textures\":{\"specular\":{\"index\":3},\"opacity\":{\"index\":2},"
                    "\"bump\":{\"index\":4}}");
    snRig_Release(rig);
    rig =
        parse(makeDae(text,
                      "<library_images><image id=\"i\"><init_from>./a%20b.png</init_from></image>"
                      "</library_images>",
                      "<newparam sid=\"s\"><surface type=\"2D\"><init_from>i</init_from></surface>"
                      "</newparam><newparam sid=\"t\"><sampler2D><source>s</source></sampler2D>"
                      "</newparam><technique sid=\"c\"><phong><emission><texture texture=\"t\" "
                      "texcoord=\"u\"/></emission><diffuse><texture texture=\"t\" texcoord=\"u\"/>"
                      "</diffuse></phong></technique>"),
              "made.dae");
    expectText(rig, "\"baseColorTexture\":{\"index\":0}");
    expectText(rig, "\"emissiveTexture\":{\"index\":0}");
    expectText(rig, "a%20b.png");
    snRig_Release(rig);
}

// Damage ---------------------------------------------------------------------------

static bool isDigit(uint8_t c)
{
    return c >= '0' && c <= '9';
}

// Other digits, other bytes, a piece twice, or a piece missing; returns the new size, at most
// twice.
static size_t damage(snRandom* random, uint8_t* bytes, size_t size)
{
    uint32_t kind = snRandom_Below(random, 4), times = 1 + snRandom_Below(random, 8);
    size_t at = snRandom_Below(random, (uint32_t)size);
    size_t length = snRandom_Below(random, 200);
    length = at + length > size ? size - at : length;
    if (kind == 0) {
        memmove(bytes + at + length, bytes + at, size - at);
        return size + length;
    }
    if (kind == 1) {
        memmove(bytes + at, bytes + at + length, size - at - length);
        return size - length;
    }
    for (; times; --times) {
        at = snRandom_Below(random, (uint32_t)size);
        for (; kind == 2 && at < size - 1 && !isDigit(bytes[at]); ++at) {
        }
        bytes[at] =
            (uint8_t)(kind == 2 ? '0' + snRandom_Below(random, 10) : snRandom_Below(random, 256));
    }
    return size;
}

static void tryDamages(const char* name, const uint8_t* bytes, size_t size, int count)
{
    snRandom random = snRandom_Seed(11);
    uint8_t* copy = malloc(2 * size + 400);
    int crashed = 0, read = 0;
    for (int i = 0; i < count; ++i) {
        snRig* rig = NULL;
        snMessage why = {{0}};
        memcpy(copy, bytes, size);
        size_t now = damage(&random, copy, size);
        if (snRig_Parse(NULL, copy, now, name, &rig, &why) == sn_ok) {
            assert_non_null(rig);
            assert_string_equal(why.text, "");
            ++read;
        } else {
            assert_null(rig);
            assert_non_null(strstr(why.text, name));
            assert_true(strlen(why.text) > strlen(name) + 10);
            if (strstr(why.text, "Assimp, which")) {
                assert_non_null(strstr(why.text, "export it as glTF"));
                ++crashed;
            }
        }
        snRig_Release(rig);
    }
    print_message("%s: of %d damaged ones %d were read, %d too much for Assimp\n", name, count,
                  read, crashed);
    free(copy);
}

static void test_damaged(void** state)
{
    (void)state;
    char text[MADE_SIZE];
    makeDae(text, "", MADE_PLAIN);
    tryDamages("made.dae", (const uint8_t*)text, strlen(text), DAMAGES);
    makeFbx(text, "", "");
    tryDamages("made.fbx", (const uint8_t*)text, strlen(text), DAMAGES);
}

static void test_damaged_data(void** state)
{
    (void)state;
    static const char* const NAMES[] = {"RiggedSimple.dae",
                                        "maya_game_sausage_7500_binary_combined.fbx",
                                        "blender_279_sausage_7400_binary.fbx"};
    if (!haveRigs()) {
        return;
    }
    for (size_t i = 0; i < sizeof NAMES / sizeof *NAMES; ++i) {
        char path[512];
        snprintf(path, sizeof path, RIGS "/%s", NAMES[i]);
        FILE* file = fopen(path, "rb");
        assert_non_null(file);
        uint8_t* bytes = malloc(1 << 20);
        size_t size = fread(bytes, 1, 1 << 20, file);
        fclose(file);
        assert_true(size > 1000 && size < 1 << 20);
        tryDamages(NAMES[i], bytes, size, DAMAGES);
        free(bytes);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_made), cmocka_unit_test(test_textures),
                                       cmocka_unit_test(test_damaged),
                                       cmocka_unit_test(test_damaged_data)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
