// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

#include "cli/output.h"

#include "cli/kind.h"
#include "cli/place.h"
#include "cli/targets.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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
    if (draw->stretch && draw->low > 0) {
        o->stretch = *own.scales[0];
        snprintf(o->ends[0], sizeof o->ends[0], "%.3g", draw->low);
        snprintf(o->ends[1], sizeof o->ends[1], "%.3g", draw->high);
        o->stretch.labels[0] = o->ends[0];
        o->stretch.labels[2] = o->ends[1];
        own.scales[0] = &o->stretch;
    }
    own.go_on = goOn;
    own.user = o;
    return openFilm(&own, &o->film, why);
}

// Some formats have a numbered file per frame, see docs/formats.md.
static const char* sequenceExtension(const char* path)
{
    return isFileOf(path, sn_fileSurface) ? snFileKind_OfPath(path)->extension : NULL;
}

static bool isVtk(const char* path)
{
    return hasEnd(path, ".vtu") || hasEnd(path, ".pvd");
}

// Files that hold surfaces alone are no use for bones.
static snStatus checkSurfaces(const snFrame* frame, const char* path, snMessage* why)
{
    bool any = !sequenceExtension(path) && !isPointCache(path);
    for (int32_t i = 0; i < frame->character_count && !any; ++i) {
        any = frame->characters[i].surface_count > 0;
    }
    if (!any) {
        snprintf(why->text, sizeof why->text,
                 "cannot write '%.300s': the characters are bones alone, and such files hold "
                 "surfaces; write .glb or .csv, or give them flesh",
                 path);
    }
    return any ? sn_ok : sn_errorUnsupported;
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
    snStatus status = checkSurfaces(frame, path, why);
    status = status ? status : snSink_Open(host, scene, path, how, &o->sink, why);
    if (status && strstr(why->text, "names no known format")) {
        size_t used = strlen(why->text); // the library knows nothing of pictures
        snprintf(why->text + used, sizeof why->text - used, ", .mp4 (a film), .png (pictures)");
    }
    return status;
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
    size_t total = scene ? (size_t)snScene_CharacterCount(scene) : 0;
    char(*names)[PATH_BYTES] = isPointCache(path) ? malloc((total + 1) * sizeof *names) : NULL;
    int32_t count = names ? nameCaches(scene, path, names) : 0;
    for (int32_t i = 0; i < count && count > 1; ++i) {
        printf("%s%s%s", i ? ", " : "wrote ", names[i], i + 1 == count ? "\n" : "");
    }
    free(names);
    return count > 1;
}

// The first and the last file of a sequence
static void printSequence(const Output* o, const char* path, const char* extension)
{
    const int stem = (int)strlen(path) - 4;
    printf("%.*s_0000%s", stem, path, extension);
    if (o->written > 1) {
        printf(" .. %.*s_%04" PRId64 "%s", stem, path, o->written - 1, extension);
    }
}

void printWritten(const Output* o, const char* path, bool single)
{
    const char* extension = single ? NULL : sequenceExtension(path);
    const int stem = (int)strlen(path) - 4;
    if (isVtk(path) && single) {
        printf("wrote %.*s.vtu and %.*s.vtp\n", stem, path, stem, path);
    } else if (isVtk(path)) {
        printf("wrote %.*s.pvd, ", stem, path);
        printSequence(o, path, ".vtu");
        printf(" and ");
        printSequence(o, path, ".vtp");
        printf(" (%" PRId64 " files)\n", 2 * o->written + 1);
    } else if (extension) {
        printf("wrote ");
        printSequence(o, path, extension);
        printf(o->written > 1 ? " (%" PRId64 " files)\n" : "\n", o->written);
    } else if (!printCaches(o->scene, path)) {
        printf("wrote %s\n", path);
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
