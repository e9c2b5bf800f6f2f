// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

#define _POSIX_C_SOURCE 200809L // stat
#include "render/film.h"

#include "render/encoder.h"
#include "render/renderer.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#define FOLLOW_TIME 0.15 // s; how slowly a following camera turns its head
#define SHEET_GAP 10     // pixels around pictures of a sheet

typedef struct FilmFrame {
    double time;
    Extent extent; // side: with the normals of the film's view
} FilmFrame;

struct Film {
    FilmDef def;
    char* path;
    bool is_film;   // else a picture or a sheet
    int32_t wanted; // frames that were asked for
    double interval;
    Renderer* renderer;
    Encoder* encoder;
    Camera view; // axes; its eye is found at the end
    double aspect;
    snVec3 normals[4];
    FILE* spool;
    DrawList last; // the list written or read last
    FilmFrame* frames;
    int32_t count, capacity;
    Extent whole;
};

void initFilmDef(FilmDef* def)
{
    *def = (FilmDef){.fps = 30, .frames = 12, .at = -1};
}

static bool endsWith(const char* path, const char* end)
{
    size_t a = strlen(path), b = strlen(end);
    return a > b && strcmp(path + a - b, end) == 0;
}

bool isFilmPath(const char* path)
{
    return endsWith(path, ".mp4") || endsWith(path, ".png");
}

// Opening ---------------------------------------------------------------------

// Says at the beginning what would otherwise fail at the end.
static snStatus checkPath(const char* path, snMessage* why)
{
    struct stat info;
    char* name = temporaryName(path);
    if (!stat(path, &info) && S_ISDIR(info.st_mode)) {
        free(name);
        return failPicture(why, sn_errorIo, "cannot write '%s': it is a folder", path);
    }
    FILE* file = name ? fopen(name, "wb") : NULL;
    snStatus status =
        file ? sn_ok : failPicture(why, sn_errorIo, "cannot write '%s': %s", path, strerror(errno));
    if (file) {
        fclose(file);
        remove(name);
    }
    free(name);
    return status;
}

static snStatus checkDef(Film* f, snMessage* why)
{
    FilmDef* d = &f->def;
    bool sheet = !f->is_film && d->at < 0;
    d->width = d->width ? d->width : sheet ? 480 : 960;
    d->height = d->height ? d->height : sheet ? 360 : 720;
    if (d->width < PICTURE_LEAST || d->width > PICTURE_MOST || d->height < PICTURE_LEAST ||
        d->height > PICTURE_MOST) {
        return failPicture(why, sn_errorArgument,
                           "a picture has %d..%d pixels each way, not %d x %d", PICTURE_LEAST,
                           PICTURE_MOST, (int)d->width, (int)d->height);
    }
    if (f->is_film && (d->width % 2 || d->height % 2)) {
        return failPicture(why, sn_errorArgument, "a film's width and height are even, not %d x %d",
                           (int)d->width, (int)d->height);
    }
    f->wanted = f->is_film ? INT32_MAX : d->at >= 0 ? 1 : d->frames;
    f->interval = f->is_film      ? 1 / d->fps
                  : f->wanted > 1 ? d->duration / (f->wanted - 1)
                                  : d->duration;
    return sn_ok;
}

snStatus openFilm(const FilmDef* def, Film** film, snMessage* why)
{
    *film = NULL;
    if (!isFilmPath(def->path)) {
        return failPicture(why, sn_errorArgument,
                           "cannot write '%s': its name ends neither with "
                           ".png nor with .mp4",
                           def->path);
    }
    Film* f = calloc(1, sizeof *f);
    if (!f) {
        return failPicture(why, sn_errorMemory, "no memory for a film");
    }
    f->def = *def;
    f->is_film = endsWith(def->path, ".mp4");
    f->whole = emptyExtent();
    f->path = malloc(strlen(def->path) + 1);
    f->spool = tmpfile();
    snStatus status = checkDef(f, why);
    if (!status && (!f->path || !f->spool)) {
        status = failPicture(why, sn_errorIo, "no room for temporary files: %s", strerror(errno));
    }
    status = status ? status : checkPath(def->path, why);
    status = status ? status : createRenderer(f->def.width, f->def.height, &f->renderer, why);
    if (!status && f->is_film) {
        status = openEncoder(def->path, f->def.width, f->def.height, def->fps, &f->encoder, why);
    }
    if (status) {
        abortFilm(f);
        return status;
    }
    memcpy(f->path, def->path, strlen(def->path) + 1);
    f->aspect = (double)f->def.width / f->def.height;
    f->view = def->camera.kind == cameraFixed
                  ? aimCamera(def->camera.eye, plus(def->camera.target, -1, def->camera.eye))
                  : viewAxes(def->camera.view, 0);
    frameNormals(&f->view, f->aspect, f->normals);
    *film = f;
    return sn_ok;
}

void abortFilm(Film* f)
{
    if (f) {
        abortEncoder(f->encoder);
        freeRenderer(f->renderer);
        if (f->spool) {
            fclose(f->spool);
        }
        clearDrawList(&f->last);
        free(f->frames);
        free(f->path);
        free(f);
    }
}

// Collecting ------------------------------------------------------------------

double nextFilmTime(const Film* f)
{
    // a little earlier: frames come at sums of steps, not at the exact time
    double start = f->def.at >= 0 && !f->is_film ? f->def.at : 0;
    return f->count < f->wanted ? start + f->count * f->interval - 1e-7 : (double)INFINITY;
}

static void joinExtent(Extent* a, const Extent* b)
{
    a->low = (snVec3){fmin(a->low.x, b->low.x), fmin(a->low.y, b->low.y), fmin(a->low.z, b->low.z)};
    a->high = (snVec3){fmax(a->high.x, b->high.x), fmax(a->high.y, b->high.y),
                       fmax(a->high.z, b->high.z)};
    for (int k = 0; k < 4; ++k) {
        a->side[k] = fmax(a->side[k], b->side[k]);
    }
}

snStatus addFilmFrame(Film* f, double time, const DrawList* list, snMessage* why)
{
    if (f->count == f->capacity) {
        int32_t capacity = f->capacity ? 2 * f->capacity : 64;
        FilmFrame* frames = realloc(f->frames, (size_t)capacity * sizeof *frames);
        if (!frames) {
            return failPicture(why, sn_errorMemory, "no memory for %d frames", (int)capacity);
        }
        f->frames = frames;
        f->capacity = capacity;
    }
    if (list->failed) {
        return failPicture(why, sn_errorMemory, "no memory for the frame at %g s", time);
    }
    FilmFrame* frame = &f->frames[f->count];
    *frame = (FilmFrame){time, emptyExtent()};
    measureDrawList(list, f->normals, &frame->extent);
    // read back what was written: one way to copy a list
    long start = ftell(f->spool);
    DrawList copy = {0};
    bool ok = start >= 0 && writeDrawList(f->spool, list, &f->last) &&
              !fseek(f->spool, start, SEEK_SET) && readDrawList(f->spool, &copy, &f->last) &&
              !fseek(f->spool, 0, SEEK_END);
    clearDrawList(&f->last);
    f->last = copy;
    if (!ok) {
        return failPicture(why, sn_errorIo, "frames cannot be kept in a temporary file: %s",
                           strerror(errno));
    }
    if (frame->extent.low.x <= frame->extent.high.x) {
        joinExtent(&f->whole, &frame->extent);
    }
    f->count++;
    return sn_ok;
}

// Aiming ----------------------------------------------------------------------

static snVec3 middleOf(const Extent* e)
{
    return (snVec3){0.5 * (e->low.x + e->high.x), 0.5 * (e->low.y + e->high.y),
                    0.5 * (e->low.z + e->high.z)};
}

static double radiusOf(const Extent* e)
{
    snVec3 d = plus(e->high, -1, e->low);
    return fmax(0.5 * sqrt(dot(d, d)), 1e-3);
}

// Where a following camera looks: the middle of the character, weighted over neighbouring times.
static snVec3 followTarget(const Film* f, int32_t i)
{
    snVec3 sum = {0, 0, 0};
    double weights = 0;
    int32_t reach = (int32_t)ceil(3 * FOLLOW_TIME / f->interval);
    int32_t first = i > reach ? i - reach : 0,
            end = f->count - i > reach ? i + reach + 1 : f->count;
    for (int32_t k = first; k < end; ++k) {
        double t = (f->frames[k].time - f->frames[i].time) / FOLLOW_TIME, w = exp(-0.5 * t * t);
        sum = plus(sum, w, middleOf(&f->frames[k].extent));
        weights += w;
    }
    return (snVec3){sum.x / weights, sum.y / weights, sum.z / weights};
}

// The camera's place relative to what it follows: nothing is cut off in any frame.
static void aimFollow(Film* f, Shot* shot)
{
    double side[4] = {-1e30, -1e30, -1e30, -1e30};
    shot->radius = 0;
    for (int32_t i = 0; i < f->count; ++i) {
        snVec3 target = followTarget(f, i);
        for (int k = 0; k < 4; ++k) {
            side[k] = fmax(side[k], f->frames[i].extent.side[k] - dot(f->normals[k], target));
        }
        shot->radius = fmax(shot->radius, radiusOf(&f->frames[i].extent));
    }
    fitCamera(&f->view, f->aspect, side);
}

// Far enough to see an upright cylinder around everything from all sides.
static void aimOrbit(Film* f, const Shot* shot)
{
    double half = 0.5 * (f->whole.high.y - f->whole.low.y);
    double across = hypot(f->whole.high.x - shot->centre.x, f->whole.high.z - shot->centre.z);
    double side[4];
    for (int k = 0; k < 4; ++k) {
        snVec3 n = f->normals[k];
        side[k] = fabs(n.y) * half + hypot(n.x, n.z) * across;
    }
    fitCamera(&f->view, f->aspect, side);
}

static Shot aimFilm(Film* f)
{
    bool empty = f->whole.low.x > f->whole.high.x;
    if (empty) {
        f->whole = (Extent){{-1, 0, -1}, {1, 1, 1}, {1, 1, 1, 1}};
    }
    Shot shot = {.centre = middleOf(&f->whole), .radius = radiusOf(&f->whole), .has_ground = true};
    if (f->def.camera.kind == cameraFit) {
        fitCamera(&f->view, f->aspect, f->whole.side);
    } else if (f->def.camera.kind == cameraFollow && !empty) {
        aimFollow(f, &shot);
    } else if (f->def.camera.kind != cameraFixed) {
        aimOrbit(f, &shot);
    }
    // a flesh that dips into the ground by a little still rests on it
    double low = f->whole.low.y;
    shot.ground = f->def.ground_known ? f->def.ground : low < -0.02 * shot.radius ? low : 0;
    // the key light comes over the viewer's left shoulder
    double yaw = atan2(f->view.back.x, f->view.back.z) - 0.9;
    shot.light = (snVec3){0.6 * sin(yaw), 0.8, 0.6 * cos(yaw)};
    return shot;
}

static Shot aimShot(const Film* f, const Shot* film, int32_t i)
{
    Shot shot = *film;
    shot.camera = f->view;
    if (f->def.camera.kind == cameraFollow) {
        shot.centre = followTarget(f, i);
        shot.camera.eye = plus(f->view.eye, 1, shot.centre);
    } else if (f->def.camera.kind == cameraOrbit) {
        double turns = f->def.camera.turns != 0 ? f->def.camera.turns : 1;
        double angle = 6.283185307179586 * turns * i / f->count, c = cos(angle), s = sin(angle);
        snVec3 e = f->view.eye, b = f->view.back;
        snVec3 eye = {c * e.x + s * e.z, e.y, c * e.z - s * e.x};
        snVec3 forward = {-(c * b.x + s * b.z), -b.y, -(c * b.z - s * b.x)};
        shot.camera = aimCamera(plus(eye, 1, film->centre), forward);
    }
    return shot;
}

// Drawing ---------------------------------------------------------------------

static int32_t sheetColumns(int32_t count)
{
    int32_t columns = (int32_t)ceil(sqrt(1.2 * count));
    return columns < count ? columns : count;
}

static int32_t labelScale(const Film* f)
{
    return f->def.width < 240 ? 1 : 2;
}

static snStatus createSheet(const Film* f, Image* sheet, snMessage* why)
{
    static const uint8_t PAPER[3] = {248, 249, 250};
    int32_t columns = sheetColumns(f->count), rows = (f->count + columns - 1) / columns;
    int32_t label = 7 * labelScale(f) + SHEET_GAP;
    return createImage(columns * (f->def.width + SHEET_GAP) + SHEET_GAP,
                       rows * (f->def.height + label + SHEET_GAP) + SHEET_GAP, PAPER, sheet, why);
}

static void placeOnSheet(const Film* f, Image* sheet, const Image* image, int32_t i)
{
    static const uint8_t INK[3] = {70, 76, 84};
    int32_t columns = sheetColumns(f->count), scale = labelScale(f);
    int32_t x = SHEET_GAP + i % columns * (f->def.width + SHEET_GAP);
    int32_t y = SHEET_GAP + i / columns * (f->def.height + 7 * scale + 2 * SHEET_GAP);
    char text[32];
    snprintf(text, sizeof text, "%.2f s", f->frames[i].time);
    int32_t width = scale * (6 * (int32_t)strlen(text) - 1);
    pasteImage(sheet, image, x, y);
    drawText(sheet, x + (f->def.width - width) / 2, y + f->def.height + SHEET_GAP / 2 + 1, scale,
             text, INK);
}

static snStatus drawFrames(Film* f, Image* sheet, snMessage* why)
{
    Shot film = aimFilm(f);
    snStatus status = sn_ok;
    rewind(f->spool);
    clearDrawList(&f->last);
    for (int32_t i = 0; i < f->count && !status; ++i) {
        DrawList list = {0};
        const Image* image = NULL;
        Shot shot = aimShot(f, &film, i);
        if (!readDrawList(f->spool, &list, &f->last)) {
            status = failPicture(why, sn_errorIo, "a temporary file cannot be read back");
        }
        status = status ? status : renderPicture(f->renderer, &list, &shot, &image, why);
        clearDrawList(&f->last);
        f->last = list;
        if (!status && f->encoder) {
            status = encodeImage(f->encoder, image, why);
        } else if (!status && sheet) {
            placeOnSheet(f, sheet, image, i);
        } else if (!status) {
            status = writePng(image, f->path, why);
        }
        if (!status && f->def.go_on && !f->def.go_on(f->def.user, i + 1, f->count)) {
            status = failPicture(why, sn_errorInterrupted, "stopped while drawing '%s'", f->path);
        }
    }
    return status;
}

snStatus closeFilm(Film* f, snMessage* why)
{
    Image sheet = {0};
    bool wants_sheet = !f->is_film && f->def.at < 0;
    snStatus status =
        f->count > 0 ? sn_ok
                     : failPicture(why, sn_errorArgument, "there is no frame for '%s'", f->path);
    if (!status && wants_sheet) {
        status = createSheet(f, &sheet, why);
    }
    status = status ? status : drawFrames(f, wants_sheet ? &sheet : NULL, why);
    if (!status && wants_sheet) {
        status = writePng(&sheet, f->path, why);
    }
    freeImage(&sheet);
    if (!status && f->encoder) {
        Encoder* encoder = f->encoder;
        f->encoder = NULL;
        status = closeEncoder(encoder, why);
    }
    abortFilm(f);
    return status;
}
