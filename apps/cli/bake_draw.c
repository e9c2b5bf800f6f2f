// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

// Pictures and films of what was baked.
#include "cli/advice.h"
#include "cli/bake.h"
#include "cli/choice.h"
#include "cli/compare.h"

#include <math.h>
#include <string.h>

// When the frames begin and end that were baked of a clip, counted from its first key, s
static void spanOf(const snBakedClip* c, const snBakeDef* def, double* first, double* last)
{
    double frames = fmax(ceil(c->duration * def->rate - 1e-6), 1); // as snBake spreads them
    *first = c->duration * fmin(def->first_frame / frames, 1);
    *last = c->duration * fmin((def->first_frame + c->frame_count - 1) / frames, 1);
}

// Before, after and difference in what was baked of a clip
static int drawClip(const Hero* h, const BakeOptions* o, const snBakeDef* def,
                    const snBakedClip* clip, const char* path)
{
    Comparison comparison = {0};
    char number[16];
    double first, last;
    const char* name = clip->name[0] ? clip->name : clipName(h->rig, clip->clip, number);
    int code = openComparison(o->input, o->path, name, snBody_Info(h->body)->unit, &comparison);
    spanOf(clip, def, &first, &last);
    code = code ? code : drawMoments(&comparison, first, last, path, o->quiet);
    closeComparison(&comparison);
    return code;
}

// hero_soft.Walk.png for each clip, beside hero_soft.glb
int drawSheets(const Hero* h, const BakeOptions* o, const snBakeDef* def, const snBakeReport* r)
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
        code = c->skipped ? EXIT_DONE : drawClip(h, o, def, c, path);
    }
    return code;
}

// A film of the clip in which flesh moves most
int filmBake(const Hero* h, const BakeOptions* o, const snBakeDef* def, const snBakeReport* r)
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
    return drawClip(h, o, def, most, o->film);
}
