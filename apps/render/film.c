// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

#define _POSIX_C_SOURCE 200809L // stat
#include "render/film.h"

#include "render/encoder.h"
#include "render/page.h"
#include "render/renderer.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#define FOLLOW_TIME 0.15 // s; how slowly a following camera turns its head

// A motion that reaches farther than this times what is seen at once would make it tiny: fitting
// cameras follow it instead.
#define FIT_MOST 2.0

// Scenery is fitted into the picture too, piece by piece, as long as it then shows no more than
// this much more than what the picture is about at that time.
#define SCENERY_MOST 2.0

// Sides are measured with the normals of the film's view.
typedef struct FilmFrame {
    double time;
    Extent extent; // of all panels, without scenery
} FilmFrame;

struct Film {
    FilmDef def;
    char* path;
    bool is_film;   // else a picture or a sheet
    int32_t wanted; // frames that were asked for
    double interval;
    Page page;
    Image picture;
    Renderer* renderer; // of a panel
    Encoder* encoder;
    Camera view; // axes; its eye is found at the end
    double aspect;
    snVec3 normals[4];
    FILE* spool;
    DrawList last[FILM_MOST_PANELS]; // the lists written or read last
    FilmFrame* frames;
    int32_t count, capacity;
    Extent whole, scenery;
    double lowest; // of anything, m
    bool follows;  // the camera
};

void initFilmDef(FilmDef* def)
{
    *def = (FilmDef){.fps = 30, .frames = 12, .at = -1, .panel_count = 1};
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
    d->width = d->width ? d->width : d->panel_count * (sheet ? 480 : 960);
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
    f->page = planPage(d->width, d->height, d->panel_count, d->scales[0] != NULL);
    if (f->page.panel_width < PICTURE_LEAST || f->page.panel_height < PICTURE_LEAST) {
        return failPicture(why, sn_errorArgument, "%d x %d pixels are too few for %d pictures",
                           (int)d->width, (int)d->height, (int)d->panel_count);
    }
    f->wanted = f->is_film ? INT32_MAX : d->at >= 0 ? 1 : d->frames;
    f->interval = f->is_film      ? 1 / d->fps
                  : f->wanted > 1 ? (d->duration - d->start) / (f->wanted - 1)
                                  : 0;
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
    f->is_film = isMoviePath(def->path);
    f->whole = f->scenery = emptyExtent();
    f->lowest = f->whole.low.y;
    f->path = malloc(strlen(def->path) + 1);
    f->spool = tmpfile();
    snStatus status = checkDef(f, why);
    if (!status && (!f->path || !f->spool)) {
        status = failPicture(why, sn_errorIo, "no room for temporary files: %s", strerror(errno));
    }
    status = status ? status : checkPath(def->path, why);
    status = status ? status : createPicture(&f->page, &f->picture, why);
    status = status ? status
                    : createRenderer(f->page.panel_width, f->page.panel_height, &f->renderer, why);
    if (!status && f->is_film) {
        status = openEncoder(def->path, f->def.width, f->def.height, def->fps, &f->encoder, why);
    }
    if (status) {
        abortFilm(f);
        return status;
    }
    memcpy(f->path, def->path, strlen(def->path) + 1);
    f->aspect = (double)f->page.panel_width / f->page.panel_height;
    f->view = def->camera.kind == cameraFixed
                  ? aimCamera(def->camera.eye, plus(def->camera.target, -1, def->camera.eye))
                  : viewAxes(def->camera.view, def->camera.turn);
    frameNormals(&f->view, f->aspect, f->normals);
    *film = f;
    return sn_ok;
}

static void clearLast(Film* f)
{
    for (int32_t k = 0; k < FILM_MOST_PANELS; ++k) {
        clearDrawList(&f->last[k]);
    }
}

void abortFilm(Film* f)
{
    if (f) {
        abortEncoder(f->encoder);
        freeRenderer(f->renderer);
        if (f->spool) {
            fclose(f->spool);
        }
        clearLast(f);
        freeImage(&f->picture);
        free(f->frames);
        free(f->path);
        free(f);
    }
}

// Collecting ------------------------------------------------------------------

double nextFilmTime(const Film* f)
{
    // a little earlier: frames come at sums of steps, not at the exact time
    const FilmDef* d = &f->def;
    double start = d->at >= 0 && !f->is_film ? d->at : d->start;
    return f->count >= f->wanted     ? (double)INFINITY
           : d->times && !f->is_film ? d->times[f->count] - 1e-7
                                     : start + f->count * f->interval - 1e-7;
}

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

static void measureScenery(Film* f, const DrawList* list, const Extent* seen)
{
    for (int32_t i = 0; i < list->count; ++i) {
        Extent e = emptyExtent();
        if (list->items[i].scenery) {
            measureItem(&list->items[i], f->normals, &e);
            f->lowest = fmin(f->lowest, e.low.y);
        }
        Extent all = f->scenery;
        joinExtent(&all, &e);
        joinExtent(&all, seen);
        if (!isEmpty(&e) && (isEmpty(seen) || radiusOf(&all) < SCENERY_MOST * radiusOf(seen))) {
            joinExtent(&f->scenery, &e);
        }
    }
}

// Writes a list and reads back what was written: one way to copy it.
static bool keepList(Film* f, int32_t panel, const DrawList* list)
{
    long start = ftell(f->spool);
    DrawList copy = {0};
    bool ok = start >= 0 && writeDrawList(f->spool, list, &f->last[panel]) &&
              !fseek(f->spool, start, SEEK_SET) && readDrawList(f->spool, &copy, &f->last[panel]) &&
              !fseek(f->spool, 0, SEEK_END);
    clearDrawList(&f->last[panel]);
    f->last[panel] = copy;
    return ok;
}

snStatus addFilmFrame(Film* f, double time, const DrawList* lists, snMessage* why)
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
    FilmFrame* frame = &f->frames[f->count];
    *frame = (FilmFrame){time, emptyExtent()};
    for (int32_t k = 0; k < f->def.panel_count; ++k) {
        if (lists[k].failed) {
            return failPicture(why, sn_errorMemory, "no memory for the frame at %g s", time);
        }
        measureDrawList(&lists[k], false, f->normals, &frame->extent);
        if (!keepList(f, k, &lists[k])) {
            return failPicture(why, sn_errorIo, "frames cannot be kept in a temporary file: %s",
                               strerror(errno));
        }
    }
    for (int32_t k = 0; k < f->def.panel_count; ++k) {
        measureScenery(f, &lists[k], &frame->extent);
    }
    joinExtent(&f->whole, &frame->extent);
    f->lowest = fmin(f->lowest, frame->extent.low.y);
    f->count++;
    return sn_ok;
}

// Aiming ----------------------------------------------------------------------

// Where a following camera looks: the middle of the character; in a film weighted over neighbouring
// times, as many before as after, or it would lag at the ends.
static snVec3 followTarget(const Film* f, int32_t i)
{
    if (!f->is_film) {
        return middleOf(&f->frames[i].extent);
    }
    snVec3 sum = {0, 0, 0};
    double weights = 0;
    int32_t reach = (int32_t)ceil(3 * FOLLOW_TIME / f->interval);
    reach = i < reach ? i : reach;
    reach = f->count - 1 - i < reach ? f->count - 1 - i : reach;
    for (int32_t k = i - reach; k <= i + reach; ++k) {
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

// Whether the motion goes far, seen by what there is at once.
static bool goesFar(const Film* f)
{
    double most = 0;
    for (int32_t i = 0; i < f->count; ++i) {
        most = isEmpty(&f->frames[i].extent) ? most : fmax(most, radiusOf(&f->frames[i].extent));
    }
    return radiusOf(&f->whole) > FIT_MOST * most;
}

static void aimWhole(Film* f)
{
    joinExtent(&f->whole, &f->scenery);
    if (isEmpty(&f->whole)) {
        f->whole = (Extent){{-1, 0, -1}, {1, 1, 1}, {1, 1, 1, 1}};
    }
}

// A longer lens, which does not bring the camera into what is near; or farther away, since a
// shorter one bends what it shows.
static void zoomIn(Film* f, snVec3 middle)
{
    double zoom = f->def.camera.kind != cameraFixed ? f->def.camera.zoom : 0;
    if (zoom > 0 && zoom < 1) {
        double far = dot(plus(f->view.eye, -1, middle), f->view.back);
        f->view.eye = plus(f->view.eye, far * (1 / zoom - 1), f->view.back);
    }
    f->view.zoom = zoom > 1 ? zoom : 1;
}

static Shot aimFilm(Film* f)
{
    int32_t kind = f->def.camera.kind;
    f->follows = !isEmpty(&f->whole) && (kind == cameraFollow || (kind == cameraFit && goesFar(f)));
    aimWhole(f);
    Shot shot = {.centre = middleOf(&f->whole), .radius = radiusOf(&f->whole), .has_ground = true};
    if (f->follows) {
        aimFollow(f, &shot);
    } else if (kind == cameraFit) {
        fitCamera(&f->view, f->aspect, f->whole.side);
    } else if (kind != cameraFixed) {
        aimOrbit(f, &shot);
    }
    zoomIn(f, f->follows || kind == cameraOrbit ? (snVec3){0, 0, 0} : shot.centre);
    // the key light comes over the viewer's left shoulder
    double yaw = atan2(f->view.back.x, f->view.back.z) - 0.9;
    shot.light = (snVec3){0.6 * sin(yaw), 0.8, 0.6 * cos(yaw)};
    return shot;
}

// Where it is, a flesh that dips into the ground by a little still rests on it.
static double groundOf(const Film* f, const FilmPanel* panel)
{
    bool below = f->lowest < -0.02 * radiusOf(&f->whole);
    return panel->ground_known ? panel->ground : below ? f->lowest : 0;
}

static Shot aimShot(const Film* f, const Shot* film, int32_t i)
{
    Shot shot = *film;
    shot.camera = f->view;
    if (f->follows) {
        shot.centre = followTarget(f, i);
        shot.camera.eye = plus(f->view.eye, 1, shot.centre);
    } else if (f->def.camera.kind == cameraOrbit) {
        double turns = f->def.camera.turns != 0 ? f->def.camera.turns : 1;
        double angle = 6.283185307179586 * turns * i / f->count, c = cos(angle), s = sin(angle);
        snVec3 e = f->view.eye, b = f->view.back;
        snVec3 eye = {c * e.x + s * e.z, e.y, c * e.z - s * e.x};
        snVec3 forward = {-(c * b.x + s * b.z), -b.y, -(c * b.z - s * b.x)};
        shot.camera = aimCamera(plus(eye, 1, film->centre), forward);
        shot.camera.zoom = f->view.zoom;
    }
    return shot;
}

// Drawing ---------------------------------------------------------------------

// Draws the next picture of the spool.
static snStatus drawPicture(Film* f, const Shot* shot, snMessage* why)
{
    snStatus status = sn_ok;
    for (int32_t k = 0; k < f->def.panel_count && !status; ++k) {
        const FilmPanel* panel = &f->def.panels[k];
        DrawList list = {0};
        const Image* image = NULL;
        Shot own = *shot;
        own.ground = groundOf(f, panel);
        if (!readDrawList(f->spool, &list, &f->last[k])) {
            status = failPicture(why, sn_errorIo, "a temporary file cannot be read back");
        }
        status = status ? status : renderPicture(f->renderer, &list, &own, &image, why);
        clearDrawList(&f->last[k]);
        f->last[k] = list;
        if (!status) {
            placePanel(&f->page, &f->picture, image, k, panel->name);
        }
    }
    for (int32_t k = 0; k < FILM_MOST_SCALES && f->def.scales[k]; ++k) {
        placeScale(&f->page, &f->picture, f->def.scales[k], f->def.scale_panel, k);
    }
    return status;
}

// A film that is stopped ends there; a sheet or a picture is not made.
static snStatus stopDrawing(const Film* f, int32_t drawn, snMessage* why)
{
    return f->encoder ? failPicture(why, sn_errorInterrupted,
                                    "stopped while drawing: '%s' has the first %d of %d frames, "
                                    "till %.2f s",
                                    f->path, (int)drawn, (int)f->count, f->frames[drawn - 1].time)
                      : failPicture(why, sn_errorInterrupted,
                                    "stopped while drawing: '%s' was not written", f->path);
}

static snStatus drawFrames(Film* f, Image* sheet, snMessage* why)
{
    Shot film = aimFilm(f);
    snStatus status = sn_ok;
    rewind(f->spool);
    clearLast(f);
    for (int32_t i = 0; i < f->count && !status; ++i) {
        Shot shot = aimShot(f, &film, i);
        status = drawPicture(f, &shot, why);
        if (!status && f->encoder) {
            status = encodeImage(f->encoder, &f->picture, why);
        } else if (!status && sheet) {
            placeOnSheet(&f->page, sheet, f->count, &f->picture, i, f->frames[i].time);
        } else if (!status) {
            status = writePng(&f->picture, f->path, why);
        }
        bool stop = !status && f->def.go_on && !f->def.go_on(f->def.user, i + 1, f->count);
        if (stop && i + 1 < f->count) {
            status = stopDrawing(f, i + 1, why);
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
        status = createSheet(&f->page, f->count, &sheet, why);
    }
    status = status ? status : drawFrames(f, wants_sheet ? &sheet : NULL, why);
    if (!status && wants_sheet) {
        status = writePng(&sheet, f->path, why);
    }
    freeImage(&sheet);
    if ((!status || status == sn_errorInterrupted) && f->encoder) {
        Encoder* encoder = f->encoder;
        f->encoder = NULL;
        snMessage close_why;
        snStatus closed = closeEncoder(encoder, &close_why);
        if (closed && why) {
            *why = close_why;
        }
        status = closed ? closed : status;
    }
    abortFilm(f);
    return status;
}
