// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

// A program that tests/cli/wine.sh builds for this system and for Windows, to compare what both
// say:
//   runner scene NAME SECONDS   hashes of a built-in scene's state, tenth by tenth
//   runner bake RIG OUT         bakes all clips of a rig, quickly
// Exit code 1 with a message when something fails.
#include <inttypes.h>
#include <scenes/scenes.h>
#include <sinew/sinew.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int fail(const snMessage* why)
{
    fprintf(stderr, "runner: %s\n", why->text);
    return 1;
}

static int runScene(const char* name, double seconds)
{
    snMessage why;
    snScene* scene;
    snSim* sim;
    snHost host;
    snHost_Init(&host);
    host.thread_count = 2;
    if (snBuiltinScene_Find(name)->make(&host, &scene, &why) || snSim_Create(scene, &sim, &why)) {
        return fail(&why);
    }
    for (int i = 0; i < 10; ++i) {
        if (snSim_Advance(sim, seconds / 10, &why)) {
            return fail(&why);
        }
        printf("%d %016" PRIx64 "\n", i, snSim_Hash(sim));
    }
    snSim_Free(sim);
    snScene_Free(scene);
    return 0;
}

static int bakeRig(const char* path, const char* out)
{
    snMessage why;
    snRig* rig;
    snBody* body;
    snBodyDef build;
    snBakeDef def;
    snBodyDef_Init(&build);
    snBakeDef_Init(&def);
    build.quality = sn_qualityDraft;
    if (snRig_Load(NULL, path, &rig, &why) || snBody_Build(NULL, rig, &build, &body, &why) ||
        snBake(NULL, body, &def, out, NULL, &why)) {
        return fail(&why);
    }
    snBody_Release(body);
    snRig_Release(rig);
    return 0;
}

int main(int argc, char** argv)
{
    if (argc == 4 && strcmp(argv[1], "scene") == 0) {
        return runScene(argv[2], strtod(argv[3], NULL));
    }
    if (argc == 4 && strcmp(argv[1], "bake") == 0) {
        return bakeRig(argv[2], argv[3]);
    }
    fprintf(stderr, "usage: runner scene NAME SECONDS | runner bake RIG OUT\n");
    return 2;
}
