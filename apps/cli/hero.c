// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

#define _POSIX_C_SOURCE 200809L // access
#include "cli/hero.h"

#include "cli/clip.h"
#include "cli/kind.h"
#include "cli/progress.h"
#include "cli/rig_facts.h"
#include "cli/saved.h"
#include "cli/targets.h"

#include <math.h>
#include <render/film.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

void replaceEnd(const char* path, const char* end, char out[HERO_PATH_BYTES])
{
    const char *slash = strrchr(path, '/'), *dot = strrchr(slash ? slash : path, '.');
    int stem = (int)(dot ? dot - path : (ptrdiff_t)strlen(path));
    snprintf(out, HERO_PATH_BYTES, "%.*s%s", stem, path, end);
}

// What to do with something that is no rig
static const char* adviceOn(const char* path)
{
    return isFileOf(path, sn_fileMotion)
               ? "; a .bvh file holds motion only: give a character, and this file "
                 "with --motion"
           : isFilmPath(path) ? "; --sheet takes no name: sheets are called as the result and the "
                                "clip, as hero_soft.Walk.png. --film takes one"
           : isFileOf(path, MESH_FILES) ? "; 'sinew run' drops meshes as soft bodies"
           : isFileOf(path, sn_fileBody)
               ? "; a saved body is for snBody_Load, give the rig that it was made of"
               : "";
}

int checkHero(const char* path)
{
    FileList rigs;
    if (isFolder(path)) {
        bool ends = path[strlen(path) - 1] == '/';
        return complain(EXIT_BAD_CALL, "'%s' is a folder: give the files in it, as in '%s%s*.glb'",
                        path, path, ends ? "" : "/");
    }
    return isFileOf(path, sn_fileRig)
               ? EXIT_DONE
               : complain(EXIT_BAD_CALL, "'%s' is no rig: its name does not end with %s%s", path,
                          listFilesOf(sn_fileRig, rigs), adviceOn(path));
}

int openHero(const char* path, const char* saved, const ControlOptions* controls, Hero* h)
{
    snMessage why;
    *h = (Hero){.path = path};
    int code = checkHero(path);
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
    const snHost host = toolHost();
    snStatus status = snRig_Load(&host, path, &h->rig, &why);
    if (status) {
        return complain(exitCode(status), "%s", why.text);
    }
    return holdsMotionOnly(h->rig)
               ? complain(
                     EXIT_BAD_CALL,
                     "'%s' holds motion only: there is no mesh in it that could get flesh; give "
                     "a character, and this file with --motion",
                     path)
               : EXIT_DONE;
}

int buildHero(const snHost* host, Hero* h, bool quiet)
{
    snMessage why;
    Progress progress = startProgress(quiet);
    showBuilding(&progress, h->path);
    snStatus status = snBody_Build(host, h->rig, &h->def, &h->body, &why);
    endProgress(&progress);
    if (status && status != sn_errorInterrupted && h->saved) {
        return complain(exitCode(status),
                        "%s: %s; controls of '%s' are used, mend it if they are "
                        "the cause",
                        h->path, why.text, h->saved_path);
    }
    return status ? complain(exitCode(status), "%s: %s", h->path, why.text) : EXIT_DONE;
}

// Begins the next part of a list
static void nextPart(int* count)
{
    printf((*count)++ ? ", " : " ");
}

static void printPatterns(const char* name, int32_t count, const char* const* patterns, int* parts)
{
    for (int32_t i = 0; i < count; ++i) {
        nextPart(parts);
        printf("%s %s", name, patterns[i]);
    }
}

// What the file says and options do not
static void printSaved(const Hero* h, const ControlOptions* controls)
{
    snBodyDef saved = *snBodyFile_Def(h->saved), usual;
    int parts = 0;
    snBodyDef_Init(&usual);
    printf("%s:", h->saved_path);
    for (const snBodyControl* c = snBodyControls(); c->name; ++c) {
        double value = *snBodyDef_Number(&saved, c);
        if (value != *snBodyDef_Number(&usual, c) && !givenControl(controls, c->name)) {
            nextPart(&parts);
            printf("%s %g%s%s", c->name, value, c->unit[0] ? " " : "", c->unit);
        }
    }
    if (saved.quality != usual.quality && !controls->quality) {
        nextPart(&parts);
        printf("quality %s", snQuality_Name(saved.quality));
    }
    if (saved.paint && !controls->paint) {
        nextPart(&parts);
        printf("paint %s", saved.paint);
    }
    printPatterns("soft", controls->soft.count > 0 ? 0 : saved.soft_count, saved.soft, &parts);
    printPatterns("rigid", controls->rigid.count > 0 ? 0 : saved.rigid_count, saved.rigid, &parts);
    printf(parts ? "\n" : " nothing but defaults and what options say\n");
}

#define USUAL_HZ 5.0

// Softness that nobody asked for
static void printSoftness(const snBodyInfo* info)
{
    printf("softness %.3g Hz, ", info->softness);
    if (fabs(info->softness - USUAL_HZ) < 0.005) {
        printf("as usual\n");
    } else {
        printf("chosen for a %s body, %.3g m at its longest\n",
               info->softness < USUAL_HZ ? "calm" : "lively", info->size);
    }
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
        printSaved(h, controls);
    }
    if (!(h->def.softness > 0)) {
        printSoftness(snBody_Info(h->body));
    }
    printRigRemarks(h->rig);
    if (snBody_Info(h->body)->remark[0]) {
        printf("  %s\n", snBody_Info(h->body)->remark);
    }
}

void closeHero(Hero* h)
{
    snBody_Release(h->body);
    snRig_Release(h->rig);
    snBodyFile_Free(h->saved);
    *h = (Hero){0};
}
