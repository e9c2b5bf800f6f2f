// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0
// label: quick

// What libsinew_import does is refused without it, in words that name the library and the call.

#include "base/importers.h"
#include "check.h"
#include "import/host.h"
#include "sim/puppet.h"
#include <sinew/sinew.h>

static void assert_names_call(const snMessage* why)
{
    assert_non_null(strstr(why->text, "libsinew_import"));
    assert_non_null(strstr(why->text, "snImport_Register"));
}

static void rigsAreRefused(void** state)
{
    (void)state;
    static const char FBX[] = "; FBX 7.4.0 project file\nFBXHeaderExtension:  {\n}\n";
    static const char DAE[] = "<?xml version=\"1.0\"?>\n<COLLADA></COLLADA>\n";
    snRig* rig;
    snMessage why;
    assert_refused(snRig_Parse(NULL, FBX, sizeof FBX - 1, "hero", &rig, &why), sn_errorUnsupported,
                   why, "hero: it is FBX, which is read through Assimp");
    assert_names_call(&why);
    assert_refused(snRig_Parse(NULL, DAE, sizeof DAE - 1, "hero", &rig, &why), sn_errorUnsupported,
                   why, "hero: it is Collada");
    assert_names_call(&why);
}

static void tetsOfNodesAreRefused(void** state)
{
    (void)state;
    static const double NODES[4][3] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    static const int32_t TRIANGLES[4][3] = {{0, 2, 1}, {0, 1, 3}, {1, 2, 3}, {0, 3, 2}};
    snCharacter* character;
    snCharacterDef def;
    snMessage why;
    snCharacterDef_Init(&def);
    def.vertex_count = def.triangle_count = def.node_count = 4;
    def.vertices = def.nodes = &NODES[0][0];
    def.triangles = &TRIANGLES[0][0];
    assert_refused(snCharacter_Build(NULL, &def, &character, &why), sn_errorUnsupported, why,
                   "tets of 4 points are made through Qhull");
    assert_names_call(&why);
}

static void generalSvdIsRefused(void** state)
{
    (void)state;
    static const double VERTICES[4][3] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    static const int32_t TRIANGLES[4][3] = {{0, 2, 1}, {0, 1, 3}, {1, 2, 3}, {0, 3, 2}};
    snCharacter* character;
    snCharacterDef def;
    snMessage why;
    snCharacterDef_Init(&def);
    def.vertex_count = def.triangle_count = 4;
    def.vertices = &VERTICES[0][0];
    def.triangles = &TRIANGLES[0][0];
    def.diagonal = sn_diagonalAlwaysGeneral;
    assert_refused(snCharacter_Build(NULL, &def, &character, &why), sn_errorUnsupported, why,
                   "the general SVD is done through LAPACK");
    assert_names_call(&why);
}

// A part that the library was built without says what to install.
static void missingPartsAreNamed(void** state)
{
    (void)state;
    const snImporters none = {.version = snVersion()};
    const snHost host = {.size = sizeof host, .importers = &none};
    static const char FBX[] = "FBXHeaderExtension:  {\n}\n";
    snRig* rig;
    snMessage why;
    assert_refused(snRig_Parse(&host, FBX, sizeof FBX - 1, "hero", &rig, &why), sn_errorUnsupported,
                   why, "install libassimp-dev");
}

static void versionsMustFit(void** state)
{
    (void)state;
    snImporters old = *importHost()->importers;
    snHost host = *importHost();
    snScene* scene;
    snMessage why;
    assert_int_equal(old.version, snVersion());
    old.version += 1;
    host.importers = &old;
    assert_refused(snScene_Create(&host, NULL, &scene, &why), sn_errorArgument, why,
                   "build libsinew_import and libsinew from the same sources");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rigsAreRefused),      cmocka_unit_test(tetsOfNodesAreRefused),
        cmocka_unit_test(generalSvdIsRefused), cmocka_unit_test(missingPartsAreNamed),
        cmocka_unit_test(versionsMustFit),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
