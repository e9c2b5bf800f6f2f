// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

#include "cli/output.h"

#include <stddef.h>

static bool goOn(void* user, int32_t done, int32_t count)
{
    Output* o = user;
    showDrawn(&o->progress, done, count);
    return stopCount() == o->stops;
}

void initFilmOutput(const snScene* scene, const char* path, FilmDef* def, DrawOptions* draw)
{
    initFilmDef(def);
    def->path = path;
    def->duration = snScene_Def(scene)->duration;
    *draw = (DrawOptions){.surface = true};
}

static snVec3 minus(snVec3 a, snVec3 b)
{
    return (snVec3){a.x - b.x, a.y - b.y, a.z - b.z};
}

// Pictures of a scene far from the world's origin are taken near its first character's.
snStatus openFilmOutput(const snScene* scene, const snFrame* frame, const FilmDef* def,
                        const DrawOptions* draw, bool quiet, Output* o, snMessage* why)
{
    snVec3 origin = frame->character_count ? frame->characters[0].origin : (snVec3){0, 0, 0};
    *o = (Output){.painter = {.scene = scene, .show = *draw, .origin = origin},
                  .progress = {.quiet = quiet}};
    FilmDef own = *def;
    own.camera.eye = minus(own.camera.eye, origin);
    own.camera.target = minus(own.camera.target, origin);
    own.ground_known = snScene_Def(scene)->ground != 0;
    own.ground = snScene_Def(scene)->ground_height - origin.y;
    own.go_on = goOn;
    own.user = o;
    return openFilm(&own, &o->film, why);
}

snStatus openOutput(const snHost* host, const snScene* scene, const snFrame* frame,
                    const char* path, bool quiet, Output* o, snMessage* why)
{
    if (isFilmPath(path)) {
        FilmDef def;
        DrawOptions draw;
        initFilmOutput(scene, path, &def, &draw);
        return openFilmOutput(scene, frame, &def, &draw, quiet, o, why);
    }
    *o = (Output){0};
    return snSink_Open(host, scene, path, NULL, &o->sink, why);
}

snStatus drawOutput(Output* o, const snFrame* frame, snMessage* why)
{
    DrawList list = {0};
    paintFrame(&o->painter, frame, &list);
    snStatus status = addFilmFrame(o->film, frame->time, &list, why);
    clearDrawList(&list);
    return status;
}

snStatus writeOutput(Output* o, const snFrame* frame, snMessage* why)
{
    if (o->sink) {
        return snSink_Write(o->sink, frame, why);
    }
    return o->film && frame->time >= nextFilmTime(o->film) ? drawOutput(o, frame, why) : sn_ok;
}

snStatus closeOutput(Output* o, snMessage* why)
{
    snStatus status = sn_ok;
    if (o->sink) {
        status = snSink_Close(o->sink, why);
    } else if (o->film) {
        o->progress = startProgress(o->progress.quiet);
        o->stops = stopCount();
        status = closeFilm(o->film, why);
        endProgress(&o->progress);
    }
    freePainter(&o->painter);
    o->sink = NULL;
    o->film = NULL;
    return status;
}

void abortOutput(Output* o)
{
    snSink_Abort(o->sink);
    abortFilm(o->film);
    freePainter(&o->painter);
    o->sink = NULL;
    o->film = NULL;
}
