// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

#include "cli/compare.h"

#include "cli/cli.h"
#include "cli/progress.h"
#include "cli/rig_facts.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { PANEL_BEFORE, PANEL_AFTER, PANEL_DIFFERENCE, PANEL_COUNT };

#define LOOKS 60        // times at which the largest difference is looked for
#define LEAST_END 0.001 // of the scale, as a part of the size

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
        const char* was = snRig_Clip(c->before, i)->name;
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
    snStatus status = snRig_Load(NULL, before, &c->before, &why);
    status = status ? status : snRig_Load(NULL, after, &c->after, &why);
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

// Posing ----------------------------------------------------------------------

// Both at one time; one mesh after the other
typedef struct Pair {
    const Comparison* of;
    snMatrix *nodes, *old_nodes;
    double *old_weights, *weights;
    float *old_positions, *old_normals, *positions, *normals, *colours;
} Pair;

static bool makePair(const Comparison* c, Pair* p)
{
    const snRigInfo *f = snRig_Info(c->before), *g = snRig_Info(c->after);
    size_t floats = 3 * (size_t)f->vertex_count + 1;
    *p = (Pair){.of = c,
                .nodes = calloc((size_t)g->node_count + 1, sizeof *p->nodes),
                .old_nodes = calloc((size_t)f->node_count + 1, sizeof *p->nodes),
                .old_weights = calloc((size_t)f->weight_count + 1, sizeof *p->weights),
                .weights = calloc((size_t)g->weight_count + 1, sizeof *p->weights),
                .old_positions = calloc(floats, sizeof *p->positions),
                .old_normals = calloc(floats, sizeof *p->positions),
                .positions = calloc(floats, sizeof *p->positions),
                .normals = calloc(floats, sizeof *p->positions),
                .colours = calloc(floats, sizeof *p->positions)};
    return p->nodes && p->old_nodes && p->old_weights && p->weights && p->old_positions &&
           p->old_normals && p->positions && p->normals && p->colours;
}

static void freePair(Pair* p)
{
    free(p->nodes);
    free(p->old_nodes);
    free(p->old_weights);
    free(p->weights);
    free(p->old_positions);
    free(p->old_normals);
    free(p->positions);
    free(p->normals);
    free(p->colours);
}

// A motion is in the second alone.
static snStatus posePair(Pair* p, double time, snMessage* why)
{
    const Comparison* c = p->of;
    double at = snRig_Clip(c->after, c->clip)->first + time;
    snStatus status = snRig_Pose(c->after, c->clip, at, p->nodes, p->weights, why);
    for (int32_t n = 0; n < snRig_Info(c->before)->node_count && !status; ++n) {
        p->old_nodes[n] = p->nodes[c->same[n]];
    }
    return status ? status
                  : snRig_Pose(c->before, c->old_clip, at, c->old_clip < 0 ? NULL : p->old_nodes,
                               p->old_weights, why);
}

static snStatus skinPair(Pair* p, int32_t mesh, snMessage* why)
{
    const Comparison* c = p->of;
    snStatus status = snRig_Skin(c->before, mesh, p->old_nodes, p->old_weights, p->old_positions,
                                 p->old_normals, why);
    return status ? status
                  : snRig_Skin(c->after, mesh, p->nodes, p->weights, p->positions, p->normals, why);
}

// mm
static double differenceAt(const Pair* p, int32_t vertex)
{
    const float *a = p->old_positions + 3 * (size_t)vertex, *b = p->positions + 3 * (size_t)vertex;
    double x = (double)(b[0] - a[0]), y = (double)(b[1] - a[1]), z = (double)(b[2] - a[2]);
    return 1e3 * p->of->unit * sqrt(x * x + y * y + z * z);
}

// The largest difference of the clip, or what is hardly seen, mm
static snStatus findMost(Pair* p, double* most, snMessage* why)
{
    const Comparison* c = p->of;
    const snRigInfo* f = snRig_Info(c->before);
    double size = fmax(fmax(f->high.x - f->low.x, f->high.y - f->low.y), f->high.z - f->low.z);
    snStatus status = sn_ok;
    *most = fmax(fmax(*most, LEAST_END * 1e3 * c->unit * size), 1e-6);
    for (int k = 0; k <= LOOKS && !status; ++k) {
        status = posePair(p, c->duration * k / LOOKS, why);
        for (int32_t i = 0; i < snRig_Info(c->after)->mesh_count && !status; ++i) {
            status = skinPair(p, i, why);
            for (int32_t v = 0; v < snRig_Mesh(c->after, i)->vertex_count && !status; ++v) {
                *most = fmax(*most, differenceAt(p, v));
            }
        }
    }
    return status;
}

static double roundUp(double value)
{
    double ten = pow(10, floor(log10(value)));
    return ten * ceil(value / ten);
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

// before, after: NULL = not wanted
static snStatus fillLists(Pair* p, double time, double end, DrawList* before, DrawList* after,
                          DrawList* difference, snMessage* why)
{
    const Comparison* c = p->of;
    float unit = (float)c->unit;
    snStatus status = posePair(p, time, why);
    for (int32_t i = 0; i < snRig_Info(c->after)->mesh_count && !status; ++i) {
        const snRigMesh* m = snRig_Mesh(c->after, i);
        status = skinPair(p, i, why);
        if (status || !snRig_Node(c->after, m->node)->is_shown) {
            continue;
        }
        for (int32_t v = 0; v < m->vertex_count; ++v) {
            Colour colour = scaleColour(&DIFFERENCE_SCALE, differenceAt(p, v) / end);
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
        addOne(m, p->positions, p->normals, p->colours, difference);
    }
    return status;
}

static snStatus addFrames(Film* film, Pair* pairs, int32_t count, double last, double end,
                          snMessage* why)
{
    snStatus status = sn_ok;
    while (!status && !stopCount() && nextFilmTime(film) <= last + 1e-9) {
        DrawList lists[FILM_MOST_PANELS] = {0};
        double time = fmax(nextFilmTime(film) + 1e-7, 0);
        if (count == 1) {
            status = fillLists(pairs, time, end, &lists[PANEL_BEFORE], &lists[PANEL_AFTER],
                               &lists[PANEL_DIFFERENCE], why);
        }
        for (int32_t k = 0; k < count && count > 1 && !status; ++k) {
            status = fillLists(&pairs[k], time, end, NULL, NULL, &lists[k], why);
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
    bool sheet = def->at < 0 && strstr(def->path, ".png");
    def->height = def->height ? def->height : sheet ? 340 : 720;
    def->width = def->width ? def->width : sheet ? 900 : 1680;
}

static void setPanels(FilmDef* def, int32_t count)
{
    static const char* const NAMES[PANEL_COUNT] = {"before", "after", "difference"};
    def->panel_count = count == 1 ? PANEL_COUNT : count;
    def->scale_panel = def->panel_count - 1;
    for (int k = 0; k < PANEL_COUNT && count == 1; ++k) {
        snprintf(def->panels[k].name, sizeof def->panels[k].name, "%s", NAMES[k]);
    }
}

static snStatus drawPairs(Pair* pairs, int32_t count, const FilmDef* given, Progress* progress,
                          snMessage* why)
{
    FilmDef def = *given;
    Scale scale = DIFFERENCE_SCALE;
    char labels[2][16];
    double end = 0;
    Film* film;
    snStatus status = sn_ok;
    for (int32_t k = 0; k < count && !status; ++k) {
        status = findMost(&pairs[k], &end, why);
    }
    if (status) {
        return status;
    }
    end = roundUp(end);
    snprintf(labels[0], sizeof labels[0], "%.3g", end / 2);
    snprintf(labels[1], sizeof labels[1], "%.3g", end);
    scale.labels[1] = labels[0];
    scale.labels[2] = labels[1];
    setSize(&def);
    setPanels(&def, count);
    def.scales[0] = &scale;
    def.go_on = goOn;
    def.user = progress;
    status = openFilm(&def, &film, why);
    if (!status) {
        status = addFrames(film, pairs, count, def.at >= 0 ? def.at : def.duration, end, why);
        if (status) {
            abortFilm(film);
        } else {
            status = closeFilm(film, why);
        }
    }
    return status;
}

int drawComparisons(const Comparison* comparisons, int32_t count, const FilmDef* def, bool quiet)
{
    Pair pairs[FILM_MOST_PANELS];
    snMessage why;
    bool made = true;
    FilmDef turned = *def;
    catchStops();
    Progress progress = startProgress(quiet);
    snStatus status = sn_errorMemory;
    snprintf(why.text, sizeof why.text, "out of memory");
    for (int32_t k = 0; k < count; ++k) {
        made = makePair(&comparisons[k], &pairs[k]) && made;
    }
    if (made) {
        turned.camera.turn = turnOfRig(comparisons[0].before);
        status = drawPairs(pairs, count, &turned, &progress, &why);
    }
    for (int32_t k = 0; k < count; ++k) {
        freePair(&pairs[k]);
    }
    endProgress(&progress);
    if (status) {
        return complain(status == sn_errorIo ? EXIT_RUN_FAILED : exitCode(status), "%s", why.text);
    }
    if (!quiet) {
        printf("wrote %s\n", def->path);
    }
    return EXIT_DONE;
}
