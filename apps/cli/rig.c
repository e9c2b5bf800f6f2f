// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

// sinew rig: make the body of a rig, say what it is, draw it, and keep its controls.
#include "cli/advice.h"
#include "cli/hero.h"
#include "cli/joints.h"
#include "cli/kind.h"
#include "cli/motion.h"
#include "cli/portrait.h"
#include "cli/progress.h"
#include "cli/saved.h"
#include "cli/targets.h"

#include <math.h>
#include <render/film.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define RATE 60.0       // frames a second
#define TRIED 2.0       // s of the clip that are simulated
#define MOST_REGIONS 16 // that are listed
#define MOST_MESHES 8

typedef struct RigOptions {
    ControlOptions controls;
    const char *output, *body, *threads;
    const char *controls_path, *body_path; // of --save; NULL = not given
    MotionOptions motion;
    Words clips, saves;
    bool quiet, joints;
} RigOptions;

// What a clip did to the flesh
typedef struct Trial {
    double* farthest; // of each region, m; (region_count)
    snFollowFacts facts;
    double span; // s of the clip that were simulated
} Trial;

static int tryClip(snBody* body, const Choice* choice, Trial* t)
{
    snMessage why;
    snFollowDef def;
    snFollow* follow = NULL;
    int32_t regions = snBody_Info(body)->region_count;
    snFollowDef_Init(&def);
    def.rate = RATE;
    def.motion = choice->motion;
    def.clip = choice->motion ? 0 : choice->clips[0];
    t->farthest = calloc((size_t)regions + 1, sizeof *t->farthest);
    if (!t->farthest) {
        return complain(EXIT_RUN_FAILED, "out of memory");
    }
    snStatus status = snFollow_Create(body, &def, &follow, &why);
    if (status) {
        return complain(exitCode(status), "%s", why.text);
    }
    t->facts = snFollow_Facts(follow);
    t->span = fmin(t->facts.last - t->facts.first, TRIED);
    int frames = (int)ceil(t->span * RATE);
    for (int i = 0; i <= frames && !status && !stopCount(); ++i) {
        for (int32_t r = 0; r < regions; ++r) {
            t->farthest[r] = fmax(t->farthest[r], snFollow_Distance(follow, r));
        }
        status = i < frames ? snFollow_Advance(follow, &why) : sn_ok;
    }
    t->facts = snFollow_Facts(follow);
    snFollow_Free(follow);
    return status        ? complain(exitCode(status), "%s", why.text)
           : stopCount() ? complain(EXIT_RUN_FAILED, "stopped")
                         : EXIT_DONE;
}

// What was built --------------------------------------------------------------

static void printRegions(const snBodyInfo* info, const Trial* t)
{
    printf("  %-24s %8s %10s %14s %17s %14s\n", "soft region, by joint", "cells", "mass (kg)",
           "thickness (mm)", "slowest mode (Hz)", "moves by (mm)");
    for (int32_t i = 0; i < info->region_count && i < MOST_REGIONS; ++i) {
        const snBodyRegion* r = &info->regions[i];
        char mass[24], thickness[24] = "-", moves[24];
        if (r->thickness > 0) {
            shortNumber(1e3 * r->thickness, thickness);
        }
        printf("  %-24s %8d %10s %14s %17.3g %14s\n", r->name[0] ? r->name : "(no name)",
               (int)r->cell_count, shortNumber(r->mass, mass), thickness, r->hz,
               shortNumber(1e3 * t->farthest[i], moves));
    }
    if (info->region_count > MOST_REGIONS) {
        printf("  and %d smaller ones\n", (int)info->region_count - MOST_REGIONS);
    }
}

static void printPart(int32_t count, const char* one, const char* many, bool* said)
{
    if (count > 0) {
        printf("%s%d %s", *said ? "; " : "  ", (int)count, count == 1 ? one : many);
        *said = true;
    }
}

// Which meshes have nothing soft; some of them
static void printRigidMeshes(const snBody* body)
{
    const snRig* rig = snBody_Rig(body);
    const float* softness = snBody_Info(body)->vertex_softness;
    int said = 0;
    for (int32_t i = 0; i < snRig_Info(rig)->mesh_count && said <= MOST_MESHES; ++i) {
        const snRigMesh* m = snRig_Mesh(rig, i);
        bool soft = false;
        for (int32_t v = 0; v < m->vertex_count; ++v) {
            soft = soft || softness[v] > 0;
        }
        softness += m->vertex_count;
        if (!soft && said++ < MOST_MESHES) {
            printf(said > 1 ? ", %s" : "  rigid meshes: %s", m->name[0] ? m->name : "(no name)");
        }
    }
    if (said > 0) {
        printf(said > MOST_MESHES ? " and more\n" : "\n");
    }
}

static void printBody(const snBody* body, const Trial* t)
{
    const snBodyInfo* f = snBody_Info(body);
    char side[24];
    printf("  %d cells of %s mm, step %.3g ms; %.0f %% of the vertices are soft, the "
           "rest follow their skinning\n",
           (int)f->cell_count, shortNumber(1e3 * f->cell, side), 1e3 * f->step,
           100.0 * f->soft_vertex_count / fmax(f->vertex_count, 1));
    printRegions(f, t);
    bool said = false;
    printPart(f->shells_riding, "small part rides on the flesh under it as one piece",
              "small parts ride on the flesh under them, each as one piece", &said);
    printPart(f->shells_draped, "sheet goes along with it", "sheets go along with it", &said);
    printPart(f->shells_fixed, "part without skin stays on its node",
              "parts without skin stay on their nodes", &said);
    printf(said ? "\n" : "");
    printRigidMeshes(body);
}

// What will be seen -----------------------------------------------------------

static void printOutlook(const Hero* h, const Choice* choice, const Trial* t)
{
    char number[16], length[24];
    const snFollowFacts* f = &t->facts;
    double size = snBody_Info(h->body)->size, moved = 0;
    for (int32_t r = 0; r < snBody_Info(h->body)->region_count; ++r) {
        moved = fmax(moved, t->farthest[r]);
    }
    double share = f->frames > 0 ? (double)f->limited / (double)f->frames : 0;
    if (choice->motion) {
        printf("  tried the motion '%s' for", snMotion_Name(choice->motion));
    } else {
        printf("  tried clip '%s' for", clipName(h->rig, choice->clips[0], number));
    }
    printf(" %.2g s: flesh moves by up to %s mm, %.2g %% of its size\n", t->span,
           shortNumber(1e3 * moved, length), 100 * moved / size);
    if (choice->count > 1) {
        printf("  one clip is tried, the first of the %d that --clip means\n", (int)choice->count);
    }
    char line[ADVICE_BYTES];
    Outcome outcome = {.moved = moved, .limited = share};
    if (findAdvice(&h->def, snBody_Info(h->body), &outcome, true, line)) {
        printf("  %s\n", line);
    }
    if (f->interventions > 0) {
        printf("  %lld frames had to be done again with shorter steps: try --softness %g\n",
               (long long)f->interventions, softnessFor(snBody_Info(h->body), 0.5));
    }
}

// Files -----------------------------------------------------------------------

// A picture that was not asked for may be missing.
static int drawHero(const Hero* h, const RigOptions* o)
{
    snMessage why;
    char path[HERO_PATH_BYTES];
    replaceEnd(h->path, ".sinew.png", path);
    const char* to = o->output ? o->output : path;
    snStatus status = drawPortrait(h->body, to, &why);
    if (status && (o->output || status != sn_errorUnsupported)) {
        return complain(status == sn_errorIo ? EXIT_RUN_FAILED : exitCode(status), "%s%s", why.text,
                        o->output ? "" : "; '-o FILE.png' says where else");
    }
    if (!o->quiet) {
        printf(status ? "no picture: %s\n" : "wrote %s\n", status ? why.text : to);
    }
    return EXIT_DONE;
}

static int saveControls(const Hero* h, const RigOptions* o)
{
    snMessage why;
    char path[HERO_PATH_BYTES];
    replaceEnd(h->path, ".sinew.json", path);
    bool asked = o->controls_path != NULL;
    const char* to = asked ? o->controls_path : path;
    snBodyDef def = h->def;
    bool trying = o->controls.quality && def.quality == sn_qualityDraft;
    if (trying) { // bakes are not meant to be drafts for ever
        snBodyDef usual;
        snBodyDef_Init(&usual);
        def.quality = h->saved ? snBodyFile_Def(h->saved)->quality : usual.quality;
    }
    if (snBodyDef_Save(&def, to, &why)) {
        return complain(EXIT_RUN_FAILED, "%s%s", why.text,
                        asked ? "" : "; '--save FILE.sinew.json' says where else");
    }
    if (!o->quiet) {
        printf("wrote %s%s%s\n", to, asked ? "" : ", which 'sinew bake' uses",
               trying ? "; --quality draft is for trying and is not kept" : "");
    }
    return EXIT_DONE;
}

// The body itself, for programs that play it
static int saveBody(const Hero* h, const RigOptions* o)
{
    snMessage why;
    if (!o->body_path) {
        return EXIT_DONE;
    }
    if (snBody_Save(h->body, o->body_path, &why)) {
        return complain(EXIT_RUN_FAILED, "%s", why.text);
    }
    if (!o->quiet) {
        printf("wrote %s, which snBody_Load reads\n", o->body_path);
    }
    return EXIT_DONE;
}

// The command -----------------------------------------------------------------

// Controls and the body itself, one of each
static int readSaves(RigOptions* o)
{
    for (int32_t i = 0; i < o->saves.count; ++i) {
        const char* path = o->saves.at[i];
        bool body = isFileOf(path, sn_fileBody);
        if (!body && !isFileOf(path, sn_fileControls)) {
            return complain(EXIT_BAD_CALL,
                            "--save takes a name that ends with .json, or with .body for the body "
                            "itself, found '%s'",
                            path);
        }
        const char** to = body ? &o->body_path : &o->controls_path;
        if (*to) {
            return complain(EXIT_BAD_CALL, "--save takes one %s file, found '%s' and '%s'",
                            snFileKind_OfPath(path)->extension, *to, path);
        }
        *to = path;
        if (checkFolder(path)) {
            return EXIT_BAD_CALL;
        }
    }
    return EXIT_DONE;
}

static int checkPaths(RigOptions* o)
{
    if (o->output && (!isFilmPath(o->output) || isMoviePath(o->output))) {
        return complain(EXIT_BAD_CALL,
                        "-o takes a name that ends with .png, found '%s'; 'sinew "
                        "bake' writes .glb",
                        o->output);
    }
    return o->output && checkFolder(o->output) ? EXIT_BAD_CALL : readSaves(o);
}

// A rig without clips hops.
static int showHero(Hero* h, const RigOptions* o, int32_t added)
{
    Choice choice = {0};
    Trial trial = {0};
    bool still = snRig_Info(h->rig)->clip_count == 0 && o->clips.count == 0;
    MotionOptions motion = o->motion;
    motion.motion = motion.motion || !still ? motion.motion : snMotion_Name(sn_motionHop);
    int code = chooseMotion(h->path, h->rig, &o->clips, &motion, added, o->quiet, &choice);
    Progress progress = startProgress(o->quiet);
    showBuilding(&progress, h->path);
    code = code ? code : tryClip(h->body, &choice, &trial);
    endProgress(&progress);
    if (!code && !o->quiet && trial.farthest) {
        printAssumptions(h, &o->controls);
        printBody(h->body, &trial);
        printOutlook(h, &choice, &trial);
    }
    free(trial.farthest);
    freeChoice(&choice);
    return code;
}

static int rig(int argc, char** argv)
{
    RigOptions o = {0};
    Option options[MOST_OPTIONS] = {
        {.name = "-o", .value = &o.output},
        {.name = "--output", .value = &o.output},
        {.name = "--save", .words = &o.saves},
        {.name = "--body", .value = &o.body},
        {.name = "--clip", .words = &o.clips},
        {.name = "--motion", .words = &o.motion.given},
        {.name = "--threads", .value = &o.threads},
        {.name = "--quiet", .flag = &o.quiet},
        {.name = "--map", .value = &o.motion.map},
        {.name = "--no-feet", .flag = &o.motion.no_feet},
        {.name = "--motion-clip", .value = &o.motion.clip},
        {.name = "--joints", .flag = &o.joints},
    };
    const char* word;
    snHost host;
    Hero hero;
    addControls(&o.controls, options);
    int count = parseArguments(&RIG_COMMAND, argc, argv, options, &word, 1);
    if (count < 1) {
        return count < 0 ? EXIT_BAD_CALL
                         : complain(EXIT_BAD_CALL,
                                    "which rig? give a .glb, .gltf, .vrm, .fbx or .dae file");
    }
    if (readMotionOptions(&o.motion) || checkPaths(&o) || !readHost(o.threads, NULL, &host)) {
        return EXIT_BAD_CALL;
    }
    catchStops();
    host.interrupted = isStopWanted;
    host.log = printWarning;
    int32_t added = -1;
    int code = openHero(word, o.body, &o.controls, &hero);
    if (!code && o.joints) {
        code = printJoints(hero.rig);
        closeHero(&hero);
        return code;
    }
    code = code ? code : addMotion(hero.rig, &o.motion, &o.clips, o.quiet, &added);
    code = code ? code : buildHero(&host, &hero, o.quiet);
    code = code ? code : showHero(&hero, &o, added);
    code = code ? code : drawHero(&hero, &o);
    code = code ? code : saveBody(&hero, &o);
    code = code ? code : saveControls(&hero, &o);
    closeHero(&hero);
    return code;
}

static void printMore(FILE* out)
{
    printControls(out);
    fprintf(out, "\n  sinew rig hero.glb\n"
                 "  sinew rig hero.glb --clip Run --softness 3 --rigid '*armour*'\n"
                 "  sinew rig hero.glb --save hero.body\n");
}

const Command RIG_COMMAND = {
    "rig",
    "FILE ...",
    "show the body that a rig gets, and keep its controls",
    "Makes the body of a rigged character (.glb .gltf .vrm .fbx .dae) as 'sinew bake' does, and "
    "prints the\n"
    "assumed unit, a table of its soft regions and what will be seen of them in a clip. Draws it\n"
    "(hero.sinew.png) and writes its controls beside the rig (hero.sinew.json), where later calls "
    "for\nthe same rig find them.\n\n"
    "  -o FILE.png       the picture\n"
    "  --save FILE.json  the controls\n"
    "  --save FILE.body  besides, the body itself, which programs load in milliseconds without\n"
    "                    the rig (docs/engine.md); --save may be given for both\n"
    "  --body FILE.json  controls to begin with, instead of hero.sinew.json\n"
    "  --clip NAME       the clip that is tried, for up to 2 s; otherwise the first that moves; "
    "of\n"
    "                    several the first\n"
    "  --motion NAME     hop, shake or turn instead; a rig without clips hops\n"
    "  --motion FILE     a clip of another file instead; --motion-clip NAME, --map FILE and "
    "--no-feet\n"
    "                    as for 'bake'\n"
    "  --joints          print the joints that 'sinew bake --two-way' makes of it, and do no more\n"
    "  --threads N       threads, 1..64; otherwise one per core. Never changes the result\n"
    "  --quiet           print nothing but errors\n\n",
    rig,
    printMore};
