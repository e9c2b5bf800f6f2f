// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

#define _POSIX_C_SOURCE 200809L // strcasecmp
#include "cli/output.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

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
    own.ground_known = scene && snScene_Def(scene)->ground != 0;
    own.ground = own.ground_known ? snScene_Def(scene)->ground_height - origin.y : 0;
    own.go_on = goOn;
    own.user = o;
    return openFilm(&own, &o->film, why);
}

snStatus openOutput(const snHost* host, const snScene* scene, const snFrame* frame,
                    const char* path, const snSinkDef* how, bool quiet, Output* o, snMessage* why)
{
    if (isFilmPath(path)) {
        FilmDef def;
        DrawOptions draw;
        initFilmOutput(scene, path, &def, &draw);
        return openFilmOutput(scene, frame, &def, &draw, quiet, o, why);
    }
    *o = (Output){0};
    return snSink_Open(host, scene, path, how, &o->sink, why);
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
        snStatus status = snSink_Write(o->sink, frame, why);
        o->written += !status;
        return status;
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

// Some formats have a numbered file per frame, see docs/formats.md.
static const char* sequenceExtension(const char* path)
{
    static const char* const EXTENSIONS[] = {".obj", ".ply", ".vtu"};
    size_t length = strlen(path);
    for (int i = 0; i < 3; ++i) {
        if (length > 4 && strcasecmp(path + length - 4, EXTENSIONS[i]) == 0) {
            return EXTENSIONS[i];
        }
    }
    return NULL;
}

void printWritten(const Output* o, const char* path)
{
    const char* extension = sequenceExtension(path);
    const int stem = (int)strlen(path) - 4;
    if (!extension) {
        printf("wrote %s\n", path);
    } else if (o->written == 1) {
        printf("wrote %.*s_0000%s\n", stem, path, extension);
    } else {
        printf("wrote %.*s_0000%s .. %.*s_%04" PRId64 "%s (%" PRId64 " files)\n", stem, path,
               extension, stem, path, o->written - 1, extension, o->written);
    }
}

void abortOutput(Output* o)
{
    snSink_Abort(o->sink);
    abortFilm(o->film);
    freePainter(&o->painter);
    o->sink = NULL;
    o->film = NULL;
}
