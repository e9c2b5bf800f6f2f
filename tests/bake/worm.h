// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

// The worm of the examples with a body of draft quality, in a folder of its own.
#ifndef SN_TESTS_BAKE_WORM_H
#define SN_TESTS_BAKE_WORM_H

#include "io/folder.h"

#include "check.h"
#include <sinew/body.h>

static snBody* worm;

static inline int setUp(void** state)
{
    snMessage why;
    snRig* rig;
    snBodyDef def;
    snBodyDef_Init(&def);
    def.quality = sn_qualityDraft;
    assert_ok(snRig_Load(NULL, SN_TEST_DATA "/../../docs/examples/worm.gltf", &rig, &why), why);
    assert_ok(snBody_Build(NULL, rig, &def, &worm, &why), why);
    snRig_Release(rig);
    return enterFolder(state);
}

static inline int tearDown(void** state)
{
    snBody_Release(worm);
    return leaveFolder(state);
}

#endif
