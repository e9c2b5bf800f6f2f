// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

#define _POSIX_C_SOURCE 200809L // access
#include "cli/hero.h"

#include "cli/progress.h"
#include "cli/rig_facts.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

void replaceEnd(const char* path, const char* end, char out[HERO_PATH_BYTES])
{
    const char *slash = strrchr(path, '/'), *dot = strrchr(slash ? slash : path, '.');
    int stem = (int)(dot ? dot - path : (ptrdiff_t)strlen(path));
    snprintf(out, HERO_PATH_BYTES, "%.*s%s", stem, path, end);
}

static int checkKind(const char* path)
{
    if (isForeignRig(path)) {
        return complain(EXIT_BAD_CALL,
                        "'%s' cannot be read: of rigs only .glb, .gltf and .vrm are; export the "
                        "character as .glb",
                        path);
    }
    if (!isRigPath(path)) {
        return complain(EXIT_BAD_CALL,
                        "'%s' is no rig: its name does not end with .glb, .gltf or .vrm%s", path,
                        isMeshPath(path) ? "; 'sinew run' drops meshes as soft bodies" : "");
    }
    return EXIT_DONE;
}

int openHero(const char* path, const char* saved, const ControlOptions* controls, Hero* h)
{
    snMessage why;
    *h = (Hero){.path = path};
    int code = checkKind(path);
    if (code) {
        return code;
    }
    if (saved) {
        snprintf(h->saved_path, sizeof h->saved_path, "%s", saved);
    } else {
        replaceEnd(path, ".sinew.json", h->saved_path);
    }
    snBodyDef_Init(&h->def);
    if (saved || access(h->saved_path, F_OK) == 0) {
        snStatus status = snBodyFile_Load(NULL, h->saved_path, &h->saved, &why);
        if (status) {
            return complain(exitCode(status), "%s%s", why.text,
                            saved ? "" : "; mend or delete that file, which is used for this rig");
        }
        h->def = *snBodyFile_Def(h->saved);
    }
    code = readControls(controls, &h->def);
    if (code) {
        return code;
    }
    snStatus status = snRig_Load(NULL, path, &h->rig, &why);
    return status ? complain(exitCode(status), "%s", why.text) : EXIT_DONE;
}

int buildHero(const snHost* host, Hero* h, bool quiet)
{
    snMessage why;
    Progress progress = startProgress(quiet);
    showBuilding(&progress, h->path);
    snStatus status = snBody_Build(host, h->rig, &h->def, &h->body, &why);
    endProgress(&progress);
    return status ? complain(exitCode(status), "%s: %s", h->path, why.text) : EXIT_DONE;
}

void printAssumptions(const Hero* h, const ControlOptions* controls)
{
    const snRigInfo* f = snRig_Info(h->rig);
    double tall = f->high.y - f->low.y, unit = snBody_Info(h->body)->unit;
    printf("%s: %.4g units tall", h->path, tall);
    if (h->def.height > 0) {
        printf(", %.3g m as %s\n", unit * tall,
               givenControl(controls, "height") ? "--height says" : "saved");
    } else {
        printf(": taken as %s, %.3g m; --height says otherwise\n", f->unit_name, unit * tall);
    }
    if (h->saved) {
        printf("controls of %s are used where no option says otherwise\n", h->saved_path);
    }
}

void closeHero(Hero* h)
{
    snBody_Release(h->body);
    snRig_Release(h->rig);
    snBodyFile_Free(h->saved);
    *h = (Hero){0};
}
