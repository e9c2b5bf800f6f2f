// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

// The flesh of a rig's body: cells, which of their nodes are held, and how stiff they are.

#include "character/body_maker.h"
#include "character/core.h"
#include "character/grip.h"
#include "flesh/mesh.h"
#include "geom/nearest.h"

// Parts thinner than this many cells follow their skinning, those thicker than that are as soft as
// they can be.
#define THIN 1.5
#define THICK 2.5

// Water, as flesh nearly is
#define DENSITY 1000.0
#define POISSON 0.40

#define TWO_PI 6.283185307179586

static const int32_t CELLS[sn_qualityCount] = {4000, 12000, 40000};

// Flesh is never so stiff that steps become shorter than this at 5 Hz, in proportion above; they
// take the time in which sound, sqrt(E/density) fast, passes this part of a cell (measured).
#define LEAST_STEP 5e-4 // s
#define STEP_CELLS 0.3

// Most cells to lay when only a small part of the body is soft, in times of what is wanted
#define MOST_MORE 10

// Cells in a cube of the lattice, and how far those that the skin cuts stand out, in cubes' sides
// (measured); how often the range of sizes is halved
#define CUBE 12
#define BORDER 0.4
#define HALVINGS 30

// Regions with less than this part of all soft mass are small; their modulus is at most this many
// times that of the largest or a part of it.
#define SMALL 0.05
#define UNLIKE 3.0

// Stiffness is not painted to less than this part.
#define LEAST_PAINT 0.01

// Cells ----------------------------------------------------------------------------

// A field 0..1 of the vertices, diffused into the cells as if it and the rest were two joints
static snStatus diffuse(const snBodyMaker* m, snArena* arena, const snFlesh* flesh,
                        const float* field, float** out, snMessage* why)
{
    size_t vertices = (size_t)m->solid.vertex_count, nodes = (size_t)flesh->tets.node_count;
    int32_t* first = snArena_Push(arena, vertices + 1, sizeof *first);
    int32_t* joint = snArena_Push(arena, 2 * vertices, sizeof *joint);
    float* weight = snArena_Push(arena, 2 * vertices, sizeof *weight);
    snNodeWeights* found;
    *out = snArena_Push(arena, nodes, sizeof **out);
    if (arena->failed) {
        return snFail(why, sn_errorMemory, "out of memory");
    }
    for (size_t v = 0; v < vertices; ++v) {
        first[v + 1] = 2 * (int32_t)(v + 1);
        joint[2 * v + 1] = 1;
        weight[2 * v] = field[v];
        weight[2 * v + 1] = 1 - field[v];
    }
    snInfluences two = {m->solid.vertex_count, 2, first, joint, weight};
    snStatus status = snWeights_Diffuse(arena, &flesh->tets, flesh->fill, &flesh->embedding, &two,
                                        &found, NULL, why);
    for (size_t i = 0; !status && i < nodes; ++i) {
        for (int k = 0; k < 2; ++k) {
            (*out)[i] += found[i].joint[k] == 0 ? found[i].weight[k] : 0;
        }
    }
    return status;
}

// The painted factors of nodes that were kept; NULL: nobody painted
static snStatus diffusePaint(const snBodyMaker* m, snPaint kind, const float** out, snMessage* why)
{
    size_t vertices = (size_t)m->solid.vertex_count, nodes = (size_t)m->flesh.tets.node_count;
    *out = NULL;
    if (!m->paint[kind]) {
        return sn_ok;
    }
    snArena scratch;
    snArena_Init(&scratch, &m->arena->host);
    float* field = snArena_Push(&scratch, vertices, sizeof *field);
    float* factors = snArena_Push(m->arena, (size_t)m->out->tets.node_count, sizeof *factors);
    float* of_nodes;
    snStatus status = sn_ok;
    if (!field || !factors) {
        (void)snFail(why, sn_errorMemory, "no memory for %zu nodes", nodes);
        status = sn_errorMemory; // so that the analyser sees it
    }
    for (size_t v = 0; !status && v < vertices; ++v) {
        field[v] = m->paint[kind][v] / SN_PAINT_MOST;
    }
    status = status ? status : diffuse(m, &scratch, &m->flesh, field, &of_nodes, why);
    for (size_t i = 0; !status && i < nodes; ++i) {
        if (m->number[i] >= 0) {
            factors[m->number[i]] = SN_PAINT_MOST * of_nodes[i];
        }
    }
    snArena_Free(&scratch);
    *out = factors;
    return status;
}

// What is known of the body before it has cells
typedef struct Shape {
    const double* area; // about each vertex, m^2
    double volume, skin;
} Shape;

static snStatus measureShape(snBodyMaker* m, Shape* out, snMessage* why)
{
    const snSurface* s = &m->solid;
    double* area = snArena_Push(&m->scratch, (size_t)s->vertex_count, sizeof *area);
    if (!area) {
        (void)snFail(why, sn_errorMemory, "out of memory");
        return sn_errorMemory; // so that the analyser sees it
    }
    *out = (Shape){.area = area};
    for (int32_t t = 0; t < s->triangle_count; ++t) {
        const int32_t* n = s->triangle + 3 * (ptrdiff_t)t;
        snVec3 from = s->position[0], a = snSub(s->position[n[0]], from);
        snVec3 b = snSub(s->position[n[1]], from), c = snSub(s->position[n[2]], from);
        double size = 0.5 * snLength(snCross(snSub(b, a), snSub(c, a)));
        out->volume += snDot(a, snCross(b, c)) / 6;
        out->skin += size;
        for (int k = 0; k < 3; ++k) {
            area[n[k]] += size / 3;
        }
    }
    return sn_ok;
}

static double softOf(const snBodyMaker* m, int32_t vertex, double cell)
{
    return (double)m->soft[vertex] * snSmoothStep(THIN, THICK, m->thickness[vertex] / cell);
}

// About how many cells of that size are soft
static double countSoft(const snBodyMaker* m, const Shape* shape, double cell)
{
    double soft = 0, all = 0, skin = 0;
    for (int32_t v = 0; v < m->solid.vertex_count; ++v) {
        double mask = softOf(m, v, cell), part = shape->area[v] * m->thickness[v];
        soft += mask * part;
        all += part;
        skin += mask > SN_BODY_SOFT ? shape->area[v] : 0;
    }
    double volume = all > 0 ? shape->volume * soft / all : 0;
    return CUBE * (volume + BORDER * cell * skin) / (cell * cell * cell);
}

// Cells are so small that about as many as wanted are soft.
static snStatus chooseCell(snBodyMaker* m, double* cell, snMessage* why)
{
    Shape shape;
    double wanted = CELLS[m->def->quality], low = 1e-4 * m->out->size, high = m->out->size;
    snStatus status = measureShape(m, &shape, why);
    for (int i = 0; i < HALVINGS && !status; ++i) {
        *cell = 0.5 * (low + high);
        double border = BORDER * *cell * shape.skin, cube = *cell * *cell * *cell;
        bool many = countSoft(m, &shape, *cell) > wanted ||
                    CUBE * (shape.volume + border) / cube > MOST_MORE * wanted;
        *(many ? &low : &high) = *cell;
    }
    return status;
}

// How soft nodes are
static snStatus diffuseMask(snBodyMaker* m, snMessage* why)
{
    float* field = snArena_Push(&m->scratch, (size_t)m->solid.vertex_count, sizeof *field);
    if (!field) {
        (void)snFail(why, sn_errorMemory, "out of memory");
        return sn_errorMemory; // so that the analyser sees it
    }
    for (int32_t v = 0; v < m->solid.vertex_count; ++v) {
        field[v] = (float)softOf(m, v, m->flesh.cell);
    }
    return diffuse(m, &m->scratch, &m->flesh, field, &m->mask, why);
}

static snStatus makeCells(snBodyMaker* m, snMessage* why)
{
    snFleshDef def;
    snFleshDef_Init(&def);
    def.surface = &m->solid;
    def.stuff.density = DENSITY;
    snStatus status = chooseCell(m, &def.cell_size, why);
    status = status ? status : snMesh_Make(&m->scratch, &def, &m->flesh, why);
    return status ? status : diffuseMask(m, why);
}

// A layer of flesh of thickness d over its bone jiggles with sqrt(E/density)/d. So that thin limbs
// jiggle as belly and thighs do, flesh that is thinner than usual is softer: by the square of its
// thickness over the mean, down to this part.
#define SOFTEST 0.5

static void softenThin(const snBodyMaker* m, const double* thickness, double* stiff)
{
    const snFlesh* flesh = &m->flesh;
    double sum = 0, mass = 0;
    for (int32_t i = 0; i < flesh->tets.node_count; ++i) {
        double soft = (double)m->mask[i] * flesh->mass[i];
        sum += soft * thickness[i];
        mass += soft;
    }
    for (int32_t e = 0; e < flesh->tets.tet_count; ++e) {
        double part = 0;
        for (size_t k = 0; k < 4; ++k) {
            part += 0.25 * thickness[flesh->tets.tet[4 * (size_t)e + k]] * mass / fmax(sum, 1e-30);
        }
        stiff[e] = flesh->fill[e] * fmin(fmax(part * part, SOFTEST), 1);
    }
}

// Holding --------------------------------------------------------------------------

// Depth of nodes below the surface and thickness of the body about them
static snStatus measureNodes(snBodyMaker* m, double* depth, double* thickness, snMessage* why)
{
    snNearest nearest;
    snStatus status = snNearest_Build(&m->scratch, &m->solid, &nearest, why);
    for (int32_t i = 0; !status && i < m->flesh.tets.node_count; ++i) {
        snNearestHit hit;
        snVec3 p = m->flesh.tets.position[i];
        if (!snNearest_Find(&nearest, p, HUGE_VAL, &hit)) {
            continue;
        }
        bool outside = snDot(snSub(p, hit.point), hit.normal) > 0;
        depth[i] = outside ? 0 : hit.distance;
        for (int k = 0; k < 3; ++k) {
            int32_t v = m->solid.triangle[3 * (ptrdiff_t)hit.triangle + k];
            thickness[i] += hit.weight[k] * m->thickness[v];
        }
    }
    return status;
}

static double mostYoung(double cell, double softness)
{
    double speed = STEP_CELLS * cell / LEAST_STEP * fmax(1, softness / 5);
    return DENSITY * speed * speed;
}

static snStatus holdNodes(snBodyMaker* m, const snNodeWeights* weights, const double* depth,
                          const double* stiff, uint8_t* held, snRegions* regions, snMessage* why)
{
    snRigBody* out = m->out;
    const snTets* mesh = &m->flesh.tets;
    snVec3* place = snArena_Push(&m->scratch, (size_t)out->joint_count, sizeof *place);
    if (!place) {
        (void)snFail(why, sn_errorMemory, "out of memory");
        return sn_errorMemory; // so that the analyser sees it
    }
    for (int32_t j = 0; j < out->joint_count; ++j) {
        place[j] = snScale(out->unit, m->bind[out->joint[j]].p);
    }
    for (int32_t i = 0; i < mesh->node_count; ++i) {
        held[i] = (double)m->mask[i] <= SN_BODY_SOFT;
    }
    const snCoreDef core = {.rig = out->rig,
                            .joint_count = out->joint_count,
                            .joint = out->joint,
                            .place = place,
                            .mesh = mesh,
                            .cell = m->flesh.cell,
                            .weights = weights,
                            .depth = depth};
    double omega = TWO_PI * (m->def->softness > 0 ? m->def->softness : 5);
    const snGripDef grip = {.mesh = mesh,
                            .stiff = stiff,
                            .mass = m->flesh.mass,
                            .soft = m->mask,
                            .cell = m->flesh.cell,
                            .poisson = POISSON,
                            .slowest = omega * omega / mostYoung(m->flesh.cell, m->def->softness)};
    snStatus status = snCore_Hold(&core, held, why);
    return status ? status : snGrip_Hold(&m->scratch, &grip, held, regions, why);
}

// Keeping --------------------------------------------------------------------------

// Cells with a free node, and the nodes they use
static snStatus keepSoft(snBodyMaker* m, const snNodeWeights* weights, const double* thickness,
                         const double* stiff, const uint8_t* held, const snRegions* regions,
                         snMessage* why)
{
    const snTets* all = &m->flesh.tets;
    snRigBody* out = m->out;
    size_t nodes = (size_t)all->node_count, cells = (size_t)all->tet_count;
    m->number = snArena_Push(&m->scratch, nodes, sizeof *m->number);
    double* fill = snArena_Push(m->arena, cells, sizeof *fill);
    double* kept_stiff = snArena_Push(m->arena, cells, sizeof *kept_stiff);
    double* mass = snArena_Push(m->arena, nodes, sizeof *mass);
    double* thick = snArena_Push(m->arena, nodes, sizeof *thick);
    float* soft = snArena_Push(m->arena, nodes, sizeof *soft);
    uint8_t* kept_held = snArena_Push(m->arena, nodes, 1);
    snNodeWeights* kept = snArena_Push(m->arena, nodes, sizeof *kept);
    out->tets.position = snArena_Push(m->arena, nodes, sizeof *out->tets.position);
    out->tets.tet = snArena_Push(m->arena, 4 * cells, sizeof *out->tets.tet);
    if (m->arena->failed || m->scratch.failed) {
        return snFail(why, sn_errorMemory, "no memory for %zu cells", cells);
    }
    for (size_t e = 0; e < cells; ++e) {
        for (int k = 0; k < 4 && regions->of_cell[e] >= 0; ++k) {
            m->number[all->tet[4 * e + (size_t)k]] = 1;
        }
    }
    for (size_t i = 0; i < nodes; ++i) {
        int32_t at = out->tets.node_count;
        if (!m->number[i]) {
            m->number[i] = -1;
            continue;
        }
        m->number[i] = at;
        out->tets.position[at] = all->position[i];
        mass[at] = m->flesh.mass[i];
        thick[at] = thickness[i];
        soft[at] = m->mask[i];
        kept_held[at] = held[i];
        kept[at] = weights[i];
        ++out->tets.node_count;
    }
    for (size_t e = 0; e < cells; ++e) {
        int32_t at = out->tets.tet_count;
        if (regions->of_cell[e] >= 0) {
            fill[at] = m->flesh.fill[e];
            kept_stiff[at] = stiff[e];
            for (size_t k = 0; k < 4; ++k) {
                out->tets.tet[4 * (size_t)at + k] = m->number[all->tet[4 * e + k]];
            }
            ++out->tets.tet_count;
        }
    }
    out->cell = m->flesh.cell;
    out->fill = fill, out->stiff = kept_stiff, out->mass = mass, out->thickness = thick;
    out->held = kept_held, out->weights = kept, out->soft = soft;
    return out->tets.tet_count > 0
               ? sn_ok
               : snFail(why, sn_errorArgument,
                        "nothing of this rig is soft: all is thinner than %.2g cells of %.3g m or "
                        "rigid by name; say what is soft (soft), or ask for finer cells (quality)",
                        THIN, out->cell);
}

// Stiffness ------------------------------------------------------------------------

// Young's modulus of each region, so that its slowest jiggle is as fast as wanted. Small regions
// are not much softer or stiffer than what weighs most.
static void setTone(const snBodyMaker* m, double* young, double* hz)
{
    const snRegions* regions = &m->out->regions;
    double omega = TWO_PI * m->out->def.softness, most = mostYoung(m->out->cell, m->def->softness);
    double all = 0;
    int32_t largest = 0;
    for (int32_t r = 0; r < regions->count; ++r) {
        young[r] = fmin(omega * omega / fmax(regions->slowest[r], 1e-30), most);
        largest = regions->mass[r] > regions->mass[largest] ? r : largest;
        all += regions->mass[r];
    }
    for (int32_t r = 0; r < regions->count; ++r) {
        if (regions->mass[r] < SMALL * all) {
            young[r] = fmin(fmax(young[r], young[largest] / UNLIKE), young[largest] * UNLIKE);
        }
        hz[r] = sqrt(young[r] * regions->slowest[r]) / TWO_PI;
    }
}

static snStatus stiffen(snBodyMaker* m, snMessage* why)
{
    snRigBody* out = m->out;
    const snTets* mesh = &out->tets;
    size_t cells = (size_t)mesh->tet_count, nodes = (size_t)mesh->node_count;
    snStatus status = snRegions_Find(m->arena, mesh, out->mass, out->held, &out->regions, why);
    status = status ? status
                    : snRegions_Slowest(&out->regions, &m->arena->host, mesh, out->stiff, out->mass,
                                        POISSON, SN_MODE_WELL, why);
    if (!status && out->def.softness == 0) {
        status = snBodyMaker_Pace(m, &out->def.softness, why);
    }
    double* young = snArena_Push(m->arena, (size_t)out->regions.count, sizeof *young);
    double* hz = snArena_Push(m->arena, (size_t)out->regions.count, sizeof *hz);
    double* mu = snArena_Push(&m->scratch, cells, sizeof *mu);
    double* lambda = snArena_Push(&m->scratch, cells, sizeof *lambda);
    double* inverse = snArena_Push(&m->scratch, nodes, sizeof *inverse);
    const float* painted = NULL;
    status = status ? status : diffusePaint(m, sn_paintSoftness, &painted, why);
    status = status ? status : diffusePaint(m, sn_paintDamping, &out->damping, why);
    status = status ? status : diffusePaint(m, sn_paintLimit, &out->limit, why);
    if (status || m->arena->failed || m->scratch.failed) {
        return status ? status : snFail(why, sn_errorMemory, "no memory for %zu cells", cells);
    }
    setTone(m, young, hz);
    for (size_t e = 0; e < cells; ++e) {
        double part = out->fill[e] > 0 ? out->stiff[e] / out->fill[e] : 1, tone = 0;
        for (size_t k = 0; painted && k < 4; ++k) {
            tone += 0.25 * (double)painted[mesh->tet[4 * e + k]];
        }
        part *= painted ? fmax(tone * tone, LEAST_PAINT) : 1;
        snLame lame = snLame_FromYoung(part * young[out->regions.of_cell[e]], POISSON);
        mu[e] = lame.mu;
        lambda[e] = lame.lambda;
    }
    for (size_t i = 0; i < nodes; ++i) {
        inverse[i] = out->held[i] ? 0 : 1 / out->mass[i];
    }
    snCellsDef def;
    snCellsDef_Init(&def);
    def.node_count = mesh->node_count;
    def.cell_count = mesh->tet_count;
    def.rest = &mesh->position->x;
    def.tets = mesh->tet;
    def.mu = mu;
    def.lambda = lambda;
    def.weight = out->fill;
    out->young = young;
    out->hz = hz;
    status = snCells_Build(m->arena, &def, &out->cells, why);
    return status ? status
                  : snCells_StableStep(out->cells, &m->arena->host, inverse, 60, &out->step, why);
}

snStatus snBodyMaker_Flesh(snBodyMaker* m, snMessage* why)
{
    snNodeWeights* weights = NULL;
    snRegions regions = {0};
    snStatus status = makeCells(m, why);
    if (status) {
        return status;
    }
    const snFlesh* flesh = &m->flesh;
    size_t nodes = (size_t)flesh->tets.node_count;
    double* depth = snArena_Push(&m->scratch, nodes, sizeof *depth);
    double* thickness = snArena_Push(&m->scratch, nodes, sizeof *thickness);
    double* stiff = snArena_Push(&m->scratch, (size_t)flesh->tets.tet_count, sizeof *stiff);
    uint8_t* held = snArena_Push(&m->scratch, nodes, 1);
    if (m->scratch.failed) {
        return snFail(why, sn_errorMemory, "no memory for %zu nodes", nodes);
    }
    status = snWeights_Diffuse(&m->scratch, &flesh->tets, flesh->fill, &flesh->embedding, &m->skin,
                               &weights, NULL, why);
    status = status ? status : measureNodes(m, depth, thickness, why);
    if (!status) {
        softenThin(m, thickness, stiff);
    }
    status = status ? status : holdNodes(m, weights, depth, stiff, held, &regions, why);
    status = status ? status : keepSoft(m, weights, thickness, stiff, held, &regions, why);
    return status ? status : stiffen(m, why);
}
