// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

#include "cli/compare.h"

#include "cli/choice.h"
#include "cli/moments.h"
#include "cli/place.h"
#include "cli/progress.h"
#include "cli/rig_facts.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { PANEL_BEFORE, PANEL_AFTER, PANEL_DIFFERENCE, PANEL_COUNT };

#define SHEET_MOMENTS 6 // of a sheet of the largest differences
#define SHEET_WIDTH 1200
#define SHEET_HEIGHT 480
#define SHOWN 0.06 // of the size, that differences are shown as at most,
#define MOST 10    // but not so many times as large

static const Colour SKIN = {0.87f, 0.49f, 0.34f, 1};

static const Scale DIFFERENCE_SCALE = {"difference (mm)",
                                       {"0", "", ""},
                                       {{0.82f, 0.83f, 0.84f, 1},
                                        {0.62f, 0.76f, 0.84f, 1},
                                        {0.95f, 0.82f, 0.42f, 1},
                                        {0.92f, 0.50f, 0.24f, 1},
                                        {0.72f, 0.09f, 0.13f, 1}}};

// Opening ---------------------------------------------------------------------

// The second may have nodes behind those of the first: helper joints.
static bool fitEachOther(const snRig* a, const snRig* b)
{
    const snRigInfo *f = snRig_Info(a), *g = snRig_Info(b);
    bool fit = f->mesh_count == g->mesh_count && f->node_count <= g->node_count;
    for (int32_t i = 0; fit && i < f->mesh_count; ++i) {
        fit = snRig_Mesh(a, i)->vertex_count == snRig_Mesh(b, i)->vertex_count;
    }
    return fit;
}

// Nodes of the second for those of the first, which may have other numbers there
static int32_t* mapNodes(const snRig* a, const snRig* b)
{
    int32_t count = snRig_Info(b)->node_count;
    int32_t* same = calloc((size_t)count + 1, sizeof *same);
    for (int32_t n = 0; same && n < snRig_Info(a)->node_count; ++n) {
        while (same[n] < count - 1 &&
               snRig_Node(b, same[n])->file_index != snRig_Node(a, n)->file_index) {
            ++same[n];
        }
    }
    return same;
}

// Whether weights that the first file does not have do something in a clip of the second, or
// joints.
static bool isBaked(const Comparison* c, int32_t clip, double* weights)
{
    const snRigClip *k = snRig_Clip(c->after, clip), *before = snRig_Clip(c->before, clip);
    if (snRig_Info(c->after)->node_count > snRig_Info(c->before)->node_count) {
        return !before || before->channel_count != k->channel_count;
    }
    double middle = 0.5 * (k->first + k->last);
    if (snRig_Pose(c->after, clip, middle, NULL, weights, NULL)) {
        return false;
    }
    for (int32_t n = 0; n < snRig_Info(c->after)->node_count; ++n) {
        const snRigNode *old = snRig_Node(c->before, n), *node = snRig_Node(c->after, n);
        for (int32_t i = old->weight_count; i < node->weight_count; ++i) {
            if (weights[node->weight_first + i] != 0) {
                return true;
            }
        }
    }
    return false;
}

// The clip that is meant; without a word the first one that was baked, or just the first
static int findClip(const char* path, const char* word, Comparison* c)
{
    snMessage why;
    const snRigInfo* f = snRig_Info(c->after);
    int32_t count = f->clip_count;
    int32_t* found = malloc(((size_t)count + 1) * sizeof *found);
    double* weights = calloc((size_t)f->weight_count + 1, sizeof *weights);
    snStatus status = sn_ok;
    if (found && weights && (word || count == 0)) {
        status = snRig_FindClips(c->after, word ? word : "all", found, &count, &why);
        c->clip = found[0];
    } else if (found && weights) {
        while (c->clip < count && !isBaked(c, c->clip, weights)) {
            ++c->clip;
        }
        c->clip = c->clip < count ? c->clip : 0;
    }
    bool failed = !found || !weights;
    free(found);
    free(weights);
    return failed   ? complain(EXIT_RUN_FAILED, "out of memory")
           : status ? complain(exitCode(status), "%s: %s", path, why.text)
                    : EXIT_DONE;
}

// The same clip of the rig before, or what "Run (two-way)" was made of; -1: a motion, which is new
static int32_t findOldClip(const Comparison* c, const char* name)
{
    static const char ACTED[] = "(two-way)";
    const snRigClip* same = snRig_Clip(c->before, c->clip); // new clips come last
    size_t length = strlen(name), tail = sizeof ACTED - 1;
    if (same && strcmp(same->name, name) == 0) {
        return c->clip;
    }
    if (length < tail || strcmp(name + length - tail, ACTED) != 0) {
        return -1;
    }
    length -= length > tail ? tail + 1 : tail; // with the space
    for (int32_t i = 0; i < snRig_Info(c->before)->clip_count; ++i) {
        char number[16];
        const char* was = clipName(c->before, i, number);
        if (strlen(was) == length && memcmp(was, name, length) == 0) {
            return i;
        }
    }
    return -1;
}

int openComparison(const char* before, const char* after, const char* clip, double unit,
                   Comparison* c)
{
    snMessage why;
    *c = (Comparison){0};
    const snHost host = toolHost();
    snStatus status = snRig_Load(&host, before, &c->before, &why);
    status = status ? status : snRig_Load(&host, after, &c->after, &why);
    if (status) {
        return complain(exitCode(status), "%s", why.text);
    }
    if (!fitEachOther(c->before, c->after)) {
        return complain(EXIT_BAD_CALL,
                        "'%s' has other nodes or meshes than '%s'; compare a rig with what 'sinew "
                        "bake' made of it",
                        after, before);
    }
    c->same = mapNodes(c->before, c->after);
    int code = c->same ? findClip(after, clip, c) : complain(EXIT_RUN_FAILED, "out of memory");
    if (code) {
        return code;
    }
    const snRigClip* shown = snRig_Clip(c->after, c->clip);
    c->old_clip = findOldClip(c, shown->name);
    double guess = snRig_Info(c->before)->unit;
    c->unit = unit > 0 ? unit : guess > 0 ? guess : 1;
    c->duration = shown->duration;
    return EXIT_DONE;
}

void closeComparison(Comparison* c)
{
    snRig_Release(c->before);
    snRig_Release(c->after);
    free(c->same);
    *c = (Comparison){0};
}

// Drawing ---------------------------------------------------------------------

static void addOne(const snRigMesh* m, const float* positions, const float* normals,
                   const float* colours, DrawList* list)
{
    addMesh(list, &(DrawMesh){.vertex_count = m->vertex_count,
                              .triangle_count = m->triangle_count,
                              .positions = positions,
                              .normals = normals,
                              .triangles = m->triangles,
                              .colours = colours,
                              .colour = colours ? (Colour){1, 1, 1, 1} : SKIN});
}

// What is drawn, and how
typedef struct Drawing {
    FilmDef film;
    Scale scale;
    char labels[2][16];
    double times[SHEET_MOMENTS]; // of a sheet of moments
    double end;                  // of the scale, mm
    double larger;               // differences, where they are coloured, than they are: 1 = not
} Drawing;

static double roundUp(double value)
{
    double ten = pow(10, floor(log10(value)));
    return ten * ceil(value / ten);
}

static void setScale(Drawing* d, double largest)
{
    d->end = roundUp(1e3 * largest);
    d->scale = DIFFERENCE_SCALE;
    const char* form = d->end > 199 ? "%.0f" : "%.3g";
    snprintf(d->labels[0], sizeof d->labels[0], form, d->end / 2);
    snprintf(d->labels[1], sizeof d->labels[1], form, d->end);
    d->scale.labels[1] = d->labels[0];
    d->scale.labels[2] = d->labels[1];
    d->film.scales[0] = &d->scale;
}

// before, after: NULL = not wanted
static snStatus fillLists(Pair* p, double time, const Drawing* d, DrawList* before, DrawList* after,
                          DrawList* difference, snMessage* why)
{
    const Comparison* c = p->of;
    float unit = (float)c->unit, more = (float)d->larger - 1;
    snStatus status = posePair(p, time, why);
    for (int32_t i = 0; i < snRig_Info(c->after)->mesh_count && !status; ++i) {
        const snRigMesh* m = snRig_Mesh(c->after, i);
        status = skinPair(p, i, why);
        if (status || !showsMesh(p, i)) {
            continue;
        }
        for (int32_t v = 0; v < m->vertex_count; ++v) {
            Colour colour =
                scaleColour(&DIFFERENCE_SCALE, 1e3 * lengthOf(differenceAt(p, v)) / d->end);
            memcpy(p->colours + 3 * (size_t)v, &colour, 3 * sizeof *p->colours);
        }
        for (size_t k = 0; k < 3 * (size_t)m->vertex_count; ++k) {
            p->old_positions[k] *= unit;
            p->positions[k] *= unit;
        }
        if (before && after) {
            addOne(m, p->old_positions, p->old_normals, NULL, before);
            addOne(m, p->positions, p->normals, NULL, after);
        }
        for (size_t k = 0; k < 3 * (size_t)m->vertex_count && more > 0; ++k) {
            p->positions[k] += more * (p->positions[k] - p->old_positions[k]);
        }
        addOne(m, p->positions, p->normals, p->colours, difference);
    }
    return status;
}

static snStatus addFrames(Film* film, Pair* pairs, int32_t count, const Drawing* d, snMessage* why)
{
    snStatus status = sn_ok;
    double last = d->film.at >= 0 ? d->film.at : d->film.duration;
    while (!status && !stopCount() && nextFilmTime(film) <= last + 1e-9) {
        DrawList lists[FILM_MOST_PANELS] = {0};
        double time = fmax(nextFilmTime(film) + 1e-7, 0);
        if (count == 1) {
            status = fillLists(pairs, time, d, &lists[PANEL_BEFORE], &lists[PANEL_AFTER],
                               &lists[PANEL_DIFFERENCE], why);
        }
        for (int32_t k = 0; k < count && count > 1 && !status; ++k) {
            status = fillLists(&pairs[k], time, d, NULL, NULL, &lists[k], why);
        }
        status = status ? status : addFilmFrame(film, time, lists, why);
        for (int k = 0; k < FILM_MOST_PANELS; ++k) {
            clearDrawList(&lists[k]);
        }
    }
    return status;
}

static bool goOn(void* user, int32_t done, int32_t count)
{
    showDrawn(user, done, count);
    return stopCount() == 0;
}

// Three panels would be very wide otherwise.
static void setSize(FilmDef* def)
{
    bool sheet = def->at < 0 && !isMoviePath(def->path);
    def->height = def->height ? def->height : sheet ? 340 : 720;
    def->width = def->width ? def->width : sheet ? 900 : 1680;
}

// The first one also says which clip it is.
static void setPanels(FilmDef* def, const Comparison* comparison, int32_t count)
{
    static const char* const NAMES[PANEL_COUNT] = {"before", "after", "difference"};
    def->panel_count = count == 1 ? PANEL_COUNT : count;
    def->scale_panel = def->panel_count - 1;
    for (int k = 0; k < PANEL_COUNT && count == 1; ++k) {
        snprintf(def->panels[k].name, sizeof def->panels[k].name, "%s", NAMES[k]);
    }
    const snRigClip* clip = snRig_Clip(comparison->after, comparison->clip);
    if (count == 1 && clip && clip->name[0]) {
        snprintf(def->panels[0].name, sizeof def->panels[0].name, "%.24s: before", clip->name);
    }
}

static snStatus drawPairs(Pair* pairs, int32_t count, Drawing* d, Progress* progress,
                          snMessage* why)
{
    Film* film;
    setSize(&d->film);
    setPanels(&d->film, pairs->of, count);
    if (d->larger > 1) {
        snprintf(d->film.panels[PANEL_DIFFERENCE].name, sizeof d->film.panels->name,
                 "difference, %g times", d->larger);
    }
    d->film.go_on = goOn;
    d->film.user = progress;
    snStatus status = openFilm(&d->film, &film, why);
    if (!status) {
        status = addFrames(film, pairs, count, d, why);
        if (status) {
            abortFilm(film);
        } else {
            status = closeFilm(film, why);
        }
    }
    return status;
}

// All of the clips, as the def says
static snStatus drawAll(Pair* pairs, int32_t count, Drawing* d, Progress* progress, snMessage* why)
{
    snStatus status = sn_ok;
    double largest = 0;
    for (int32_t k = 0; k < count && !status; ++k) {
        Moments moments;
        status = findMoments(&pairs[k], 0, pairs[k].of->duration, &moments, why);
        largest = fmax(largest, moments.largest);
    }
    setScale(d, largest);
    return status ? status : drawPairs(pairs, count, d, progress, why);
}

// As many times as large, in whole numbers, as shows them well
static double timesLarger(const Pair* p, double largest)
{
    const snRigInfo* f = snRig_Info(p->of->before);
    double size = fmax(fmax(f->high.x - f->low.x, f->high.y - f->low.y), f->high.z - f->low.z);
    return fmin(fmax(floor(SHOWN * p->of->unit * size / largest), 1), MOST);
}

// The part of the clip from film.start to film.duration
static snStatus drawBest(Pair* p, Drawing* d, Progress* progress, snMessage* why)
{
    Moments moments;
    FilmDef* film = &d->film;
    snStatus status = findMoments(p, film->start, film->duration, &moments, why);
    if (status) {
        return status;
    }
    int32_t count = chooseMoments(&moments, SHEET_MOMENTS, d->times);
    status = chooseSide(p, d->times, count, film->camera.turn, &film->camera.turn, why);
    setScale(d, moments.largest);
    film->camera.kind = cameraFollow;
    if (!isMoviePath(film->path)) {
        d->larger = timesLarger(p, moments.largest);
        film->times = d->times;
        film->frames = count;
        film->width = SHEET_WIDTH;
        film->height = SHEET_HEIGHT;
    }
    return status ? status : drawPairs(p, 1, d, progress, why);
}

static int drawWith(const Comparison* comparisons, int32_t count, const FilmDef* def, bool best,
                    bool quiet)
{
    Pair pairs[FILM_MOST_PANELS];
    Drawing drawing = {.film = *def, .larger = 1};
    snMessage why;
    bool made = true;
    catchStops();
    Progress progress = startProgress(quiet);
    snStatus status = sn_errorMemory;
    snprintf(why.text, sizeof why.text, "out of memory");
    for (int32_t k = 0; k < count; ++k) {
        made = makePair(&comparisons[k], &pairs[k]) && made;
    }
    drawing.film.camera.turn = turnOfRig(comparisons[0].before);
    if (made) {
        status = best ? drawBest(pairs, &drawing, &progress, &why)
                      : drawAll(pairs, count, &drawing, &progress, &why);
    }
    for (int32_t k = 0; k < count; ++k) {
        freePair(&pairs[k]);
    }
    endProgress(&progress);
    if (status) {
        return complain(status == sn_errorIo ? EXIT_RUN_FAILED : exitCode(status), "%s", why.text);
    }
    if (!quiet) {
        printf("wrote %s", def->path);
        for (int32_t k = 0; drawing.film.times && k < drawing.film.frames; ++k) {
            printf("%s%.2f", k > 0 ? ", " : ": at ", drawing.times[k]);
        }
        printf(drawing.film.times ? " s\n" : "\n");
    }
    return EXIT_DONE;
}

int drawComparisons(const Comparison* comparisons, int32_t count, const FilmDef* def, bool quiet)
{
    return drawWith(comparisons, count, def, false, quiet);
}

int drawMoments(const Comparison* comparison, double first, double last, const char* path,
                bool quiet)
{
    FilmDef def;
    initFilmDef(&def);
    def.path = path;
    def.start = first;
    def.duration = last;
    return drawWith(comparison, 1, &def, true, quiet);
}
