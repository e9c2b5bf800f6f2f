// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

// Pictures and films of what was baked.
#include "cli/bake.h"
#include "cli/choice.h"
#include "cli/compare.h"

#include <string.h>

const char* bakedName(const snBakedClip* c, char number[16])
{
    snprintf(number, 16, "%d", (int)c->clip);
    return c->name[0] ? c->name : c->clip < 0 ? "motion" : number;
}

// Before, after and difference in a clip
static int drawClip(const Hero* h, const BakeOptions* o, const snBakedClip* clip, const char* path)
{
    FilmDef def;
    Comparison comparison = {0};
    char number[16];
    const char* name = clip->name[0] ? clip->name : clipName(h->rig, clip->clip, number);
    int code = openComparison(o->input, o->path, name, snBody_Info(h->body)->unit, &comparison);
    initFilmDef(&def);
    def.path = path;
    def.duration = comparison.duration;
    code = code ? code : drawComparisons(&comparison, 1, &def, o->quiet);
    closeComparison(&comparison);
    return code;
}

// hero_soft.Walk.png for each clip, beside hero_soft.glb
int drawSheets(const Hero* h, const BakeOptions* o, const snBakeReport* r)
{
    int code = EXIT_DONE;
    for (int32_t i = 0; i < r->clip_count && !code; ++i) {
        const snBakedClip* c = &r->clips[i];
        char end[160], path[HERO_PATH_BYTES], number[16];
        snprintf(end, sizeof end, ".%.120s.png", bakedName(c, number));
        for (char* letter = end; *letter; ++letter) {
            *letter = strchr("/\\:*?\"<>|", *letter) ? '_' : *letter;
        }
        replaceEnd(o->path, end, path);
        code = c->skipped ? EXIT_DONE : drawClip(h, o, c, path);
    }
    return code;
}

// A film of the clip in which flesh moves most
int filmBake(const Hero* h, const BakeOptions* o, const snBakeReport* r)
{
    char number[16];
    const snBakedClip* most = NULL;
    int32_t count = 0;
    for (int32_t i = 0; i < r->clip_count; ++i) {
        const snBakedClip* c = &r->clips[i];
        count += !c->skipped;
        most = !c->skipped && (!most || c->largest > most->largest) ? c : most;
    }
    if (!most) {
        return complain(EXIT_RUN_FAILED, "there is nothing to film");
    }
    if (!o->quiet && count > 1) {
        printf("the film is of '%s', which moves most\n", bakedName(most, number));
    }
    return drawClip(h, o, most, o->film);
}
