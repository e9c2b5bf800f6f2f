// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

#define _POSIX_C_SOURCE 200809L // strcasecmp
#include "cli/output.h"

#include "cli/place.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#define PATH_BYTES 4096 // of a file's path, as the library takes it

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

// Where its ground is; an animation does not say, the scene beside it may.
static void setGround(const snScene* scene, snVec3 origin, FilmPanel* panel)
{
    panel->ground_known = scene && snScene_Def(scene)->ground != 0;
    panel->ground = panel->ground_known ? snScene_Def(scene)->ground_height - origin.y : 0;
}

// Pictures of a scene far from the world's origin are taken near its first character's.
snStatus openFilmOutput(const snScene* const* scenes, const snFrame* const* frames,
                        const FilmDef* def, const DrawOptions* draw, bool quiet, Output* o,
                        snMessage* why)
{
    snVec3 origin =
        frames[0]->character_count ? frames[0]->characters[0].origin : (snVec3){0, 0, 0};
    *o = (Output){.panel_count = def->panel_count, .progress = {.quiet = quiet}};
    FilmDef own = *def;
    own.camera.eye = minus(own.camera.eye, origin);
    own.camera.target = minus(own.camera.target, origin);
    for (int32_t k = 0; k < own.panel_count; ++k) {
        o->painters[k] = (FramePainter){.scene = scenes[k], .show = *draw, .origin = origin};
        setGround(scenes[k] ? scenes[k] : scenes[own.panel_count - 1 - k], origin, &own.panels[k]);
    }
    listScales(draw, own.scales);
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
        return openFilmOutput(&scene, &frame, &def, &draw, quiet, o, why);
    }
    *o = (Output){.scene = scene};
    return snSink_Open(host, scene, path, how, &o->sink, why);
}

snStatus drawOutput(Output* o, const snFrame* const* frames, snMessage* why)
{
    DrawList lists[FILM_MOST_PANELS] = {0};
    for (int32_t k = 0; k < o->panel_count; ++k) {
        paintFrame(&o->painters[k], frames[k], &lists[k]);
    }
    snStatus status = addFilmFrame(o->film, frames[0]->time, lists, why);
    for (int32_t k = 0; k < o->panel_count; ++k) {
        clearDrawList(&lists[k]);
    }
    return status;
}

static void freePainters(Output* o)
{
    for (int32_t k = 0; k < o->panel_count; ++k) {
        freePainter(&o->painters[k]);
    }
}

snStatus writeOutput(Output* o, const snFrame* frame, snMessage* why)
{
    if (o->sink) {
        snStatus status = snSink_Write(o->sink, frame, why);
        o->written += !status;
        return status;
    }
    return o->film && frame->time >= nextFilmTime(o->film) ? drawOutput(o, &frame, why) : sn_ok;
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
    freePainters(o);
    o->sink = NULL;
    o->film = NULL;
    return status;
}

// Some formats have a numbered file per frame, surfaces not for a single one, see docs/formats.md.
static const char* sequenceExtension(const char* path, bool single)
{
    static const char* const EXTENSIONS[] = {".vtu", ".obj", ".ply", ".off", ".stl"};
    size_t length = strlen(path);
    for (int i = 0; i < (single ? 1 : 5); ++i) {
        if (length > 4 && strcasecmp(path + length - 4, EXTENSIONS[i]) == 0) {
            return EXTENSIONS[i];
        }
    }
    return NULL;
}

// Point caches hold one surface each: of several characters with flesh there is one for every name,
// with a number after it when that is taken, see docs/formats.md.
static int32_t nameCaches(const snScene* scene, const char* path, char (*names)[PATH_BYTES])
{
    int32_t count = 0, total = scene ? snScene_CharacterCount(scene) : 0;
    int stem = (int)strlen(path) - 4;
    for (int32_t i = 0; i < total; ++i) {
        const snCharacter* character = snScene_Character(scene, i);
        char plain[256];
        snprintf(plain, sizeof plain, "%s", snCharacter_Name(character));
        for (char* c = plain; *c; ++c) {
            bool fine = (*c & 0x80) || *c == '-' || *c == '.' || (*c >= '0' && *c <= '9') ||
                        (*c >= 'A' && *c <= 'Z') || (*c >= 'a' && *c <= 'z');
            *c = fine ? *c : '_';
        }
        bool taken = snCharacter_Flesh(character) != NULL;
        count += taken;
        for (int k = 1; taken; ++k) {
            char number[16] = "";
            snprintf(number, k > 1 ? sizeof number : 1, "_%d", k);
            snprintf(names[count - 1], PATH_BYTES, "%.*s_%s%s%s", stem, path, plain, number,
                     path + stem);
            taken = false;
            for (int32_t j = 0; j + 1 < count; ++j) {
                taken = taken || strcmp(names[j], names[count - 1]) == 0;
            }
        }
    }
    return count;
}

// False: it is one file of the given name.
static bool printCaches(const snScene* scene, const char* path)
{
    size_t length = strlen(path), total = scene ? (size_t)snScene_CharacterCount(scene) : 0;
    bool cache = length > 4 && (strcasecmp(path + length - 4, ".pc2") == 0 ||
                                strcasecmp(path + length - 4, ".mdd") == 0);
    char(*names)[PATH_BYTES] = cache ? malloc((total + 1) * sizeof *names) : NULL;
    int32_t count = names ? nameCaches(scene, path, names) : 0;
    for (int32_t i = 0; i < count && count > 1; ++i) {
        printf("%s%s%s", i ? ", " : "wrote ", names[i], i + 1 == count ? "\n" : "");
    }
    free(names);
    return count > 1;
}

void printWritten(const Output* o, const char* path, bool single)
{
    const char* extension = sequenceExtension(path, single);
    const int stem = (int)strlen(path) - 4;
    if (!extension && printCaches(o->scene, path)) {
        return;
    }
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
    freePainters(o);
    o->sink = NULL;
    o->film = NULL;
}
