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

snStatus openFilmOutput(const snScene* scene, const FilmDef* def, const DrawOptions* draw,
                        bool quiet, Output* o, snMessage* why)
{
    *o = (Output){.scene = scene, .draw = *draw, .progress = {.quiet = quiet}};
    FilmDef own = *def;
    own.go_on = goOn;
    own.user = o;
    return openFilm(&own, &o->film, why);
}

snStatus openOutput(const snHost* host, const snScene* scene, const char* path, bool quiet,
                    Output* o, snMessage* why)
{
    if (isFilmPath(path)) {
        FilmDef def;
        DrawOptions draw;
        initFilmOutput(scene, path, &def, &draw);
        return openFilmOutput(scene, &def, &draw, quiet, o, why);
    }
    *o = (Output){.scene = scene};
    return snSink_Open(host, scene, path, &o->sink, why);
}

snStatus drawOutput(Output* o, const snFrame* frame, snMessage* why)
{
    DrawList list = {0};
    buildDrawList(frame, o->scene, &o->draw, &list);
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
    o->sink = NULL;
    o->film = NULL;
    return status;
}

void abortOutput(Output* o)
{
    snSink_Abort(o->sink);
    abortFilm(o->film);
    o->sink = NULL;
    o->film = NULL;
}
