// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

// The skin of a rig's body: which of its shells enclose flesh, how thick and how soft it is there.

#include "character/body_maker.h"
#include "geom/thickness.h"
#include <string.h>

// Shells thinner than this part of the rig's size on the mean, 2 V/A, are sheets.
#define SHEET 0.008

// Gaps between clothes and body that count as body, parts of the size
#define GAP 0.02

// Attributes of vertices that paint how soft they are, and the other controls
#define SOFT "_SOFT"
static const char* const PAINTS[sn_paintCount] = {"_SOFTNESS", "_DAMPING", "_LIMIT",
                                                  "_INERTIA",  "_GRAVITY", "_SHAPE"};

// Vertices -------------------------------------------------------------------------

typedef struct Vertex {
    const snRigInstance* instance;
    int32_t at; // vertex of it
} Vertex;

static Vertex vertexOf(const snBodyMaker* m, int32_t welded)
{
    const snRigWeld* weld = &m->out->weld;
    int32_t v = weld->origin[welded], low = 0, high = weld->instance_count;
    while (high - low > 1) {
        int32_t middle = low + (high - low) / 2;
        if (weld->first[middle] <= v) {
            low = middle;
        } else {
            high = middle;
        }
    }
    return (Vertex){&m->out->rig->instances[low], v - weld->first[low]};
}

static bool isSkinned(const snRigInstance* instance)
{
    return instance->info.skin >= 0 && instance->shape->first;
}

// Shells ---------------------------------------------------------------------------

static snShellFate fateOf(const snBodyMaker* m, int32_t shell, bool skinned)
{
    const snRigShell* s = &m->out->weld.shells[shell];
    double size = m->out->size / m->out->unit;
    return !skinned                                   ? sn_fateFixed
           : s->is_small                              ? sn_fateRides
           : 2 * s->enclosed < SHEET * size * s->area ? sn_fateDrapes
                                                      : sn_fateFlesh;
}

static snStatus chooseShells(snBodyMaker* m, snMessage* why)
{
    snRigBody* out = m->out;
    const snRigWeld* weld = &out->weld;
    int32_t* counts[] = {&out->shells.fixed, &out->shells.flesh, &out->shells.riding,
                         &out->shells.draped};
    m->fate = snArena_Push(&m->scratch, (size_t)weld->shell_count, 1);
    uint8_t* seen = snArena_Push(&m->scratch, (size_t)weld->shell_count, 1);
    snBox box = snBox_Empty();
    if (m->scratch.failed) {
        return snFail(why, sn_errorMemory, "out of memory");
    }
    for (int32_t v = 0; v < weld->surface.vertex_count; ++v) {
        box = snBox_Point(box, weld->surface.position[v]);
    }
    snVec3 d = snSub(box.hi, box.lo);
    out->size = weld->surface.vertex_count ? fmax(fmax(d.x, d.y), d.z) : 0;
    for (int32_t v = 0; v < weld->surface.vertex_count; ++v) {
        int32_t shell = weld->shell[v];
        if (shell >= 0 && !seen[shell]) {
            seen[shell] = 1;
            m->fate[shell] = (uint8_t)fateOf(m, shell, isSkinned(vertexOf(m, v).instance));
            ++*counts[m->fate[shell]];
        }
    }
    if (weld->surface.vertex_count == 0) {
        return snFail(why, sn_errorArgument,
                      "it holds motion only: there is no mesh in it that could get flesh; give a "
                      "character, and this as its motion");
    }
    return out->shells.flesh > 0
               ? sn_ok
               : snFail(why, sn_errorArgument,
                        "no skinned part of this rig encloses a volume, so there is no flesh to "
                        "give it; give its surface thickness (Blender: Solidify), or close it");
}

// A surface that is inside out, as mirrored nodes leave it, is turned: normals show outwards.
static void turnOut(snSurface* s)
{
    double volume = 0;
    snVec3 from = s->vertex_count ? s->position[0] : snV3(0, 0, 0);
    for (int pass = 0; pass < 2; ++pass) {
        for (ptrdiff_t i = 0; i < s->triangle_count && (pass == 0 || volume < 0); ++i) {
            int32_t* t = s->triangle + 3 * i;
            snVec3 a = snSub(s->position[t[0]], from), b = snSub(s->position[t[1]], from);
            snVec3 c = snSub(s->position[t[2]], from);
            if (pass == 0) {
                volume += snDot(a, snCross(b, c));
            } else {
                int32_t was = t[1];
                t[1] = t[2];
                t[2] = was;
            }
        }
    }
}

static snStatus takeSolid(snBodyMaker* m, snMessage* why)
{
    const snRigWeld* weld = &m->out->weld;
    const snSurface* all = &weld->surface;
    snSurface* s = &m->solid;
    s->position = snArena_Push(&m->scratch, (size_t)all->vertex_count, sizeof *s->position);
    s->triangle = snArena_Push(&m->scratch, 3 * (size_t)all->triangle_count, sizeof *s->triangle);
    m->welded = snArena_Push(&m->scratch, (size_t)all->vertex_count, sizeof *m->welded);
    m->solid_of = snArena_Push(&m->scratch, (size_t)all->vertex_count, sizeof *m->solid_of);
    if (m->scratch.failed) {
        return snFail(why, sn_errorMemory, "out of memory");
    }
    for (int32_t v = 0; v < all->vertex_count; ++v) {
        m->solid_of[v] = -1;
        if (weld->shell[v] >= 0 && m->fate[weld->shell[v]] == sn_fateFlesh) {
            s->position[s->vertex_count] = all->position[v];
            m->welded[s->vertex_count] = v;
            m->solid_of[v] = s->vertex_count++;
        }
    }
    for (int32_t i = 0; i < all->triangle_count; ++i) {
        const int32_t* t = all->triangle + 3 * (ptrdiff_t)i;
        bool degenerate = t[0] == t[1] || t[1] == t[2] || t[2] == t[0];
        if (!degenerate && m->solid_of[t[0]] >= 0) {
            for (int k = 0; k < 3; ++k) {
                s->triangle[3 * (ptrdiff_t)s->triangle_count + k] = m->solid_of[t[k]];
            }
            ++s->triangle_count;
        }
    }
    turnOut(s);
    m->thickness = snArena_Push(&m->scratch, (size_t)s->vertex_count, sizeof *m->thickness);
    return !m->thickness
               ? snFail(why, sn_errorMemory, "out of memory")
               : snThickness_Find(&m->scratch.host, s, GAP * m->out->size, m->thickness, why);
}

// Joints ---------------------------------------------------------------------------

// How much of the body each node moves, by vertices
static void weighNodes(const snBodyMaker* m, double* carried, int64_t* influences)
{
    for (int32_t v = 0; v < m->solid.vertex_count; ++v) {
        Vertex x = vertexOf(m, m->welded[v]);
        const snRigShape* shape = x.instance->shape;
        if (!isSkinned(x.instance)) {
            continue; // one of a shell whose first vertex is skinned
        }
        const int32_t* joints = m->out->rig->skins[x.instance->info.skin].joints;
        for (int32_t i = shape->first[x.at]; i < shape->first[x.at + 1]; ++i) {
            carried[joints[shape->joint[i]]] += (double)shape->weight[i];
            ++*influences;
        }
    }
}

// From the bind pose in metres to the joint
static snStatus placeJoints(snBodyMaker* m, const double* carried, int32_t* place, snMessage* why)
{
    snRigBody* out = m->out;
    int32_t nodes = out->rig->info.node_count;
    int32_t* joint = snArena_Push(m->arena, (size_t)nodes, sizeof *joint);
    snMatrix* inverse = snArena_Push(m->arena, (size_t)nodes, sizeof *inverse);
    if (m->arena->failed) {
        return snFail(why, sn_errorMemory, "out of memory");
    }
    for (int32_t n = 0; n < nodes; ++n) {
        place[n] = -1;
        if (carried[n] > 0) {
            bool ok;
            snMatrix M = snMatrix_Inverse(&m->bind[n], &ok);
            if (!ok) {
                return snFail(why, sn_errorArgument,
                              "node '%s' is flat in the bind pose, though it moves vertices",
                              out->rig->nodes[n].name);
            }
            M.x = snScale(1 / out->unit, M.x);
            M.y = snScale(1 / out->unit, M.y);
            M.z = snScale(1 / out->unit, M.z);
            place[n] = out->joint_count;
            joint[out->joint_count] = n;
            inverse[out->joint_count++] = M;
        }
    }
    out->joint = joint;
    out->inverse = inverse;
    return sn_ok;
}

// The first number that an attribute gives a vertex; false when it has none
static bool paintOf(Vertex x, const char* name, float* out)
{
    const snRigShape* shape = x.instance->shape;
    if (shape->color && strcmp(name, "COLOR_0") == 0) {
        *out = shape->color[(ptrdiff_t)x.at * shape->color_width];
        return true;
    }
    for (int32_t i = 0; i < shape->attribute_count; ++i) {
        const snRigAttribute* a = &shape->attributes[i];
        if (strcmp(a->name, name) == 0) {
            *out = a->values[(ptrdiff_t)x.at * a->width];
            return true;
        }
    }
    return false;
}

// Factors that are painted. Fails when nothing has the attribute that the def names.
static snStatus takePaint(snBodyMaker* m, snMessage* why)
{
    bool found = !m->def->paint;
    for (int k = 0; k < sn_paintCount; ++k) {
        float* factors = snArena_Push(&m->scratch, (size_t)m->solid.vertex_count, sizeof *factors);
        if (!factors) {
            return snFail(why, sn_errorMemory, "out of memory");
        }
        for (int32_t v = 0; v < m->solid.vertex_count; ++v) {
            Vertex x = vertexOf(m, m->welded[v]);
            float ignored;
            factors[v] = 1;
            m->paint[k] = paintOf(x, PAINTS[k], &factors[v]) ? factors : m->paint[k];
            factors[v] = fminf(fmaxf(factors[v], 0), SN_PAINT_MOST);
            found = found || paintOf(x, m->def->paint, &ignored);
        }
    }
    return found ? sn_ok
                 : snFail(why, sn_errorArgument,
                          "no soft part of this rig has the attribute '%s'; colours are COLOR_0, "
                          "other names begin with _",
                          m->def->paint);
}

// Do names of meshes and materials say what is rigid? Not when most of the body would be.
static bool partsCount(const snBodyMaker* m)
{
    int32_t count = 0;
    for (int32_t v = 0; v < m->solid.vertex_count; ++v) {
        count += snRigSoft_IsRigid(vertexOf(m, m->welded[v]).instance);
    }
    return 2 * (int64_t)count < m->solid.vertex_count;
}

// Names, then patterns of mesh and material, then paint
static float softOf(const snBodyMaker* m, Vertex x, const uint8_t* soft, bool parts)
{
    const snRigShape* shape = x.instance->shape;
    double sum = 0;
    int said = snRigSoft_Instance(x.instance, &m->patterns);
    uint8_t least = parts && snRigSoft_IsRigid(x.instance) ? SN_SOFT_ASKED : 1;
    if (isSkinned(x.instance)) {
        const int32_t* joints = m->out->rig->skins[x.instance->info.skin].joints;
        for (int32_t i = shape->first[x.at]; i < shape->first[x.at + 1]; ++i) {
            sum += (double)shape->weight[i] * (soft[joints[shape->joint[i]]] >= least);
        }
    }
    sum = said >= 0 ? said : fmin(sum, 1);
    float paint = 1;
    paintOf(x, m->def->paint ? m->def->paint : SOFT, &paint);
    sum *= fmin(fmax((double)paint, 0), 1);
    return (float)sum;
}

static snStatus takeInfluences(snBodyMaker* m, int64_t count, const int32_t* place,
                               const uint8_t* soft, snMessage* why)
{
    size_t vertices = (size_t)m->solid.vertex_count;
    int32_t* first = snArena_Push(&m->scratch, vertices + 1, sizeof *first);
    int32_t* joint = snArena_Push(&m->scratch, (size_t)count, sizeof *joint);
    float* weight = snArena_Push(&m->scratch, (size_t)count, sizeof *weight);
    bool parts = partsCount(m);
    m->soft = snArena_Push(&m->scratch, vertices, sizeof *m->soft);
    if (m->scratch.failed) {
        return snFail(why, sn_errorMemory, "out of memory");
    }
    for (size_t v = 0; v < vertices; ++v) {
        Vertex x = vertexOf(m, m->welded[v]);
        const snRigShape* shape = x.instance->shape;
        first[v + 1] = first[v];
        m->soft[v] = softOf(m, x, soft, parts);
        if (isSkinned(x.instance)) {
            const int32_t* joints = m->out->rig->skins[x.instance->info.skin].joints;
            for (int32_t i = shape->first[x.at]; i < shape->first[x.at + 1]; ++i) {
                joint[first[v + 1]] = place[joints[shape->joint[i]]];
                weight[first[v + 1]++] = shape->weight[i];
            }
        }
    }
    m->skin = (snInfluences){.vertex_count = m->solid.vertex_count,
                             .joint_count = m->out->joint_count,
                             .first = first,
                             .joint = joint,
                             .weight = weight};
    return sn_ok;
}

snStatus snBodyMaker_Skin(snBodyMaker* m, snMessage* why)
{
    size_t nodes = (size_t)m->out->rig->info.node_count;
    double* carried = snArena_Push(&m->scratch, nodes, sizeof *carried);
    int32_t* place = snArena_Push(&m->scratch, nodes, sizeof *place);
    uint8_t* soft = snArena_Push(&m->scratch, nodes, 1);
    int64_t influences = 0;
    snStatus status =
        m->scratch.failed ? snFail(why, sn_errorMemory, "out of memory") : chooseShells(m, why);
    status = status ? status : takeSolid(m, why);
    if (status) {
        return status;
    }
    weighNodes(m, carried, &influences);
    snRigSoft_Nodes(m->out->rig, carried, &m->patterns, soft);
    status = placeJoints(m, carried, place, why);
    status = status ? status : takeInfluences(m, influences, place, soft, why);
    return status ? status : takePaint(m, why);
}
