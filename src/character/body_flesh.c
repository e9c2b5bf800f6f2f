// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

// The flesh of a rig's body: cells, which of their nodes are held, and how stiff they are.

#include "character/body_maker.h"
#include "character/held_bits.h"
#include "character/held_core.h"
#include "flesh/mesh.h"
#include "geom/nearest.h"

// Parts thinner than this many cells follow their skinning, those thicker than that are as soft as
// they can be. Tails are so when they are thinner: nothing of them has to be held.
#define THIN 1.5
#define THICK 2.5
#define THIN_TAIL 1.0
#define THICK_TAIL 1.5

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
    double tail = 0;
    for (int32_t k = m->skin.first[vertex]; k < m->skin.first[vertex + 1]; ++k) {
        tail += m->is_tail[m->skin.joint[k]] ? (double)m->skin.weight[k] : 0;
    }
    double thin = THIN + tail * (THIN_TAIL - THIN), thick = THICK + tail * (THICK_TAIL - THICK);
    return (double)m->soft[vertex] * snSmoothStep(thin, thick, m->bulk[vertex] / cell);
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
    def.material.density = DENSITY;
    snStatus status = snBodyMaker_Trail(m, why);
    status = status ? status : chooseCell(m, &def.cell_size, why);
    status = status ? status : snMesh_Build(&m->scratch, &def, &m->flesh, why);
    return status ? status : diffuseMask(m, why);
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
            thickness[i] += hit.weight[k] * m->bulk[v];
        }
    }
    return status;
}

static double mostYoung(double cell, double softness)
{
    double speed = STEP_CELLS * cell / LEAST_STEP * fmax(1, softness / 5);
    return DENSITY * speed * speed;
}

// Nodes with more tether than this neither need to be held nor say how stiff flesh should be.
#define TAIL 0.5f

static snStatus holdNodes(snBodyMaker* m, const snNodeWeights* weights, const double* depth,
                          uint8_t* held, snMessage* why)
{
    snRigBody* out = m->out;
    const snTets* mesh = &m->flesh.tets;
    snVec3* place = snArena_Push(&m->scratch, (size_t)out->joint_count, sizeof *place);
    uint8_t* still = snArena_Push(&m->scratch, (size_t)mesh->node_count, 1);
    if (!place || !still) {
        (void)snFail(why, sn_errorMemory, "out of memory");
        return sn_errorMemory; // so that the analyser sees it
    }
    for (int32_t j = 0; j < out->joint_count; ++j) {
        place[j] = snScale(out->unit, m->bind[out->joint[j]].p);
    }
    for (int32_t i = 0; i < mesh->node_count; ++i) {
        m->tether[i] = (float)snBodyMaker_Tether(m, &weights[i]);
        held[i] = (double)m->mask[i] <= SN_BODY_SOFT;
        still[i] = m->tether[i] > TAIL;
    }
    const snHeldCoreDef core = {.rig = out->rig,
                                .joint_count = out->joint_count,
                                .joint = out->joint,
                                .place = place,
                                .mesh = mesh,
                                .cell = m->flesh.cell,
                                .weights = weights,
                                .depth = depth};
    double omega = TWO_PI * (m->def->softness > 0 ? m->def->softness : 5);
    const snHeldBitsDef bits = {.mesh = mesh,
                                .stiff = m->flesh.fill,
                                .mass = m->flesh.mass,
                                .soft = m->mask,
                                .still = still,
                                .cell = m->flesh.cell,
                                .poisson = POISSON,
                                .slowest =
                                    omega * omega / mostYoung(m->flesh.cell, m->def->softness)};
    snStatus status = snHeldCore_Mark(&core, held, why);
    return status ? status : snHeldBits_Mark(&m->scratch, &bits, held, why);
}

// Keeping --------------------------------------------------------------------------

static bool isFree(const snTets* mesh, const uint8_t* held, size_t cell)
{
    const int32_t* n = mesh->tet + 4 * cell;
    return !held[n[0]] || !held[n[1]] || !held[n[2]] || !held[n[3]];
}

// Cells with a free node, and the nodes they use
static snStatus keepSoft(snBodyMaker* m, const snNodeWeights* weights, const double* thickness,
                         const uint8_t* held, snMessage* why)
{
    const snTets* all = &m->flesh.tets;
    snRigBody* out = m->out;
    size_t nodes = (size_t)all->node_count, cells = (size_t)all->tet_count;
    m->number = snArena_Push(&m->scratch, nodes, sizeof *m->number);
    double* fill = snArena_Push(m->arena, cells, sizeof *fill);
    double* mass = snArena_Push(m->arena, nodes, sizeof *mass);
    double* thick = snArena_Push(m->arena, nodes, sizeof *thick);
    float* soft = snArena_Push(m->arena, nodes, sizeof *soft);
    float* tether = snArena_Push(m->arena, nodes, sizeof *tether);
    uint8_t* kept_held = snArena_Push(m->arena, nodes, 1);
    snNodeWeights* kept = snArena_Push(m->arena, nodes, sizeof *kept);
    out->tets.position = snArena_Push(m->arena, nodes, sizeof *out->tets.position);
    out->tets.tet = snArena_Push(m->arena, 4 * cells, sizeof *out->tets.tet);
    if (m->arena->failed || m->scratch.failed) {
        return snFail(why, sn_errorMemory, "no memory for %zu cells", cells);
    }
    for (size_t e = 0; e < cells; ++e) {
        for (int k = 0; k < 4 && isFree(all, held, e); ++k) {
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
        tether[at] = m->tether[i];
        kept_held[at] = held[i];
        kept[at] = weights[i];
        ++out->tets.node_count;
    }
    for (size_t e = 0; e < cells; ++e) {
        int32_t at = out->tets.tet_count;
        if (isFree(all, held, e)) {
            fill[at] = m->flesh.fill[e];
            for (size_t k = 0; k < 4; ++k) {
                out->tets.tet[4 * (size_t)at + k] = m->number[all->tet[4 * e + k]];
            }
            ++out->tets.tet_count;
        }
    }
    out->cell = m->flesh.cell;
    out->fill = fill, out->mass = mass, out->thickness = thick;
    out->held = kept_held, out->weights = kept, out->soft = soft;
    out->tether = tether;
    return out->tets.tet_count > 0
               ? sn_ok
               : snFail(why, sn_errorArgument,
                        "nothing of this rig is soft: all is thinner than %.2g cells of %.3g m or "
                        "rigid by name; say what is soft (soft), or ask for finer cells (quality)",
                        THIN, out->cell);
}

// Stiffness ------------------------------------------------------------------------

// Flesh that sags little jiggles fast: thin limbs beside a belly. So that each part jiggles at
// about the same frequency, flesh is as stiff as its part sags with one modulus for all, within so
// many times what is usual, and goes over smoothly into its neighbours.
#define RATIO 4.0
#define SMOOTHINGS 4

// How far what each joint moves sags where it does most: sum of m w s^2 over that of m w s
static void sagOfJoints(const snRigBody* body, const double* sag, double* joint, double* sum)
{
    double top = 0, bottom = 0;
    for (int32_t i = 0; i < body->tets.node_count; ++i) {
        const snNodeWeights* w = &body->weights[i];
        for (int k = 0; k < SN_WEIGHTS_MOST && w->joint[k] >= 0; ++k) {
            double part = body->mass[i] * (double)w->weight[k] * sag[i];
            joint[w->joint[k]] += part * sag[i];
            sum[w->joint[k]] += part;
            top += part * sag[i];
            bottom += part;
        }
    }
    double usual = bottom > 0 ? top / bottom : 1;
    for (int32_t j = 0; j < body->joint_count; ++j) {
        double own = sum[j] > 0 ? joint[j] / (sum[j] * usual) : 1;
        joint[j] = fmin(fmax(own, 1 / RATIO), RATIO);
    }
}

// Each node's becomes the mean of it and the means of its cells.
static void smoothNodes(const snTets* mesh, double* field, double* sum, double* count)
{
    for (int32_t i = 0; i < mesh->node_count; ++i) {
        sum[i] = count[i] = 0;
    }
    for (size_t e = 0; e < (size_t)mesh->tet_count; ++e) {
        const int32_t* n = mesh->tet + 4 * e;
        double mean = 0.25 * (field[n[0]] + field[n[1]] + field[n[2]] + field[n[3]]);
        for (int k = 0; k < 4; ++k) {
            sum[n[k]] += mean;
            count[n[k]] += 1;
        }
    }
    for (int32_t i = 0; i < mesh->node_count; ++i) {
        field[i] = count[i] > 0 ? 0.5 * (field[i] + sum[i] / count[i]) : field[i];
    }
}

// Stiffness of each cell with 1 Pa in all
static snStatus evenOut(snBodyMaker* m, const uint8_t* still, double* stiff, snMessage* why)
{
    snRigBody* out = m->out;
    const snTets* mesh = &out->tets;
    size_t cells = (size_t)mesh->tet_count, nodes = (size_t)mesh->node_count;
    double* sag = snArena_Push(&m->scratch, nodes, sizeof *sag);
    double* sum = snArena_Push(&m->scratch, nodes + (size_t)out->joint_count, sizeof *sum);
    double* stiffness = snArena_Push(&m->scratch, nodes, sizeof *stiffness);
    double* joint = snArena_Push(&m->scratch, (size_t)out->joint_count, sizeof *joint);
    float* kept = snArena_Push(m->arena, nodes, sizeof *kept);
    if (m->arena->failed || m->scratch.failed) {
        return snFail(why, sn_errorMemory, "no memory for %zu cells", cells);
    }
    snStatus status = snRegions_Sag(&out->regions, &m->arena->host, mesh, out->fill, out->mass,
                                    still, POISSON, sag, why);
    if (status) {
        return status;
    }
    sagOfJoints(out, sag, joint, sum);
    for (size_t i = 0; i < nodes; ++i) {
        kept[i] = (float)sag[i];
        for (int k = 0; k < SN_WEIGHTS_MOST && out->weights[i].joint[k] >= 0; ++k) {
            stiffness[i] += (double)out->weights[i].weight[k] * joint[out->weights[i].joint[k]];
        }
    }
    for (int k = 0; k < SMOOTHINGS; ++k) {
        smoothNodes(mesh, stiffness, sum, sag);
    }
    for (size_t i = 0; i < nodes; ++i) {
        kept[i] /= (float)stiffness[i];
    }
    out->sag = kept;
    for (size_t e = 0; e < cells; ++e) {
        const int32_t* n = mesh->tet + 4 * e;
        stiff[e] = 0.25 * out->fill[e] *
                   (stiffness[n[0]] + stiffness[n[1]] + stiffness[n[2]] + stiffness[n[3]]);
    }
    return sn_ok;
}

// Young's modulus of each region, so that its slowest jiggle is as fast as wanted. Small regions
// are not much softer or stiffer than what weighs most.
static void setStiffness(const snBodyMaker* m, double* young, double* hz)
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
        hz[r] = regions->slowest[r] > 0 ? sqrt(young[r] * regions->slowest[r]) / TWO_PI
                                        : m->out->def.softness;
    }
}

static double meanOf(const snTets* mesh, const float* field, size_t cell)
{
    const int32_t* n = mesh->tet + 4 * cell;
    return 0.25 * (double)(field[n[0]] + field[n[1]] + field[n[2]] + field[n[3]]);
}

// Young's modulus of a cell whose region has this one. Tails are stiff enough to trail in one
// piece across: sound, sqrt(E/density) fast, passes half their thickness d in 1/omega.
static double youngOf(const snRigBody* body, double young, double stiff, size_t cell)
{
    const int32_t* n = body->tets.tet + 4 * cell;
    const double* d = body->thickness;
    double own = body->fill[cell] > 0 ? young * stiff / body->fill[cell] : young;
    double speed = TWO_PI * body->def.softness * 0.125 * (d[n[0]] + d[n[1]] + d[n[2]] + d[n[3]]);
    double trail = fmin(DENSITY * speed * speed, mostYoung(body->cell, body->def.softness));
    return fmax(own, meanOf(&body->tets, body->tether, cell) * trail);
}

static snStatus stiffen(snBodyMaker* m, snMessage* why)
{
    snRigBody* out = m->out;
    const snTets* mesh = &out->tets;
    size_t cells = (size_t)mesh->tet_count, nodes = (size_t)mesh->node_count;
    double* stiff = snArena_Push(m->arena, cells, sizeof *stiff);
    uint8_t* still = snArena_Push(&m->scratch, nodes, 1);
    for (size_t i = 0; still && i < nodes; ++i) {
        still[i] = out->tether[i] > TAIL;
    }
    snStatus status = snRegions_Find(m->arena, mesh, out->mass, out->held, &out->regions, why);
    status = status ? status : evenOut(m, still, stiff, why);
    status = status ? status
                    : snRegions_Slowest(&out->regions, &m->arena->host, mesh, stiff, out->mass,
                                        still, POISSON, SN_MODE_WELL, why);
    status = status ? status
                    : snRegions_Sway(&out->regions, &m->arena->host, mesh, stiff, out->mass, still,
                                     POISSON, why);
    if (!status && out->def.softness == 0) {
        status = snBodyMaker_ChooseFrequency(m, &out->def.softness, why);
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
    status = status ? status : diffusePaint(m, sn_paintInertia, &out->inertia, why);
    status = status ? status : diffusePaint(m, sn_paintGravity, &out->gravity, why);
    status = status ? status : diffusePaint(m, sn_paintShape, &out->shape, why);
    if (status || m->arena->failed || m->scratch.failed) {
        return status ? status : snFail(why, sn_errorMemory, "no memory for %zu cells", cells);
    }
    setStiffness(m, young, hz);
    for (size_t e = 0; e < cells; ++e) {
        double part = painted ? meanOf(mesh, painted, e) : 1, of = young[out->regions.of_cell[e]];
        double E = fmax(part * part, LEAST_PAINT) * youngOf(out, of, stiff[e], e);
        snLame lame = snLame_FromYoung(E, POISSON);
        stiff[e] = out->fill[e] * E / of;
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
    out->stiff = stiff;
    out->hz = hz;
    status = snCells_Build(m->arena, &def, &out->cells, why);
    return status ? status
                  : snCells_StableStep(out->cells, &m->arena->host, inverse, 60, &out->step, why);
}

snStatus snBodyMaker_Flesh(snBodyMaker* m, snMessage* why)
{
    snNodeWeights* weights = NULL;
    snStatus status = makeCells(m, why);
    if (status) {
        return status;
    }
    const snFlesh* flesh = &m->flesh;
    size_t nodes = (size_t)flesh->tets.node_count;
    double* depth = snArena_Push(&m->scratch, nodes, sizeof *depth);
    double* thickness = snArena_Push(&m->scratch, nodes, sizeof *thickness);
    uint8_t* held = snArena_Push(&m->scratch, nodes, 1);
    m->tether = snArena_Push(&m->scratch, nodes, sizeof *m->tether);
    if (m->scratch.failed) {
        return snFail(why, sn_errorMemory, "no memory for %zu nodes", nodes);
    }
    status = snWeights_Diffuse(&m->scratch, &flesh->tets, flesh->fill, &flesh->embedding, &m->skin,
                               &weights, NULL, why);
    status = status ? status : measureNodes(m, depth, thickness, why);
    status = status ? status : holdNodes(m, weights, depth, held, why);
    status = status ? status : keepSoft(m, weights, thickness, held, why);
    return status ? status : stiffen(m, why);
}
