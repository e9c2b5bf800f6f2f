// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

#include "flesh/tables.h"

#include "base/message.h"
#include "flesh/points.h"
#include "flesh/rod.h"
#include <string.h>

// Material ----------------------------------------------------------------------

const snFleshMaterial* snFleshDef_MaterialAt(const snFleshDef* def, snVec3 p)
{
    for (int32_t i = def->region_count; i-- > 0;) {
        const snRegionDef* r = &def->regions[i];
        if (snSegmentDistance(r->a, r->b, p) <= r->radius) {
            return &r->material;
        }
    }
    return &def->material;
}

const snFleshMaterial* snFleshDef_MaterialOf(const snFleshDef* def, const snTets* tets,
                                             int32_t cell)
{
    snVec3 sum = snV3(0, 0, 0);
    for (int k = 0; k < 4; ++k) {
        sum = snAdd(sum, tets->position[tets->tet[4 * (size_t)cell + (size_t)k]]);
    }
    return snFleshDef_MaterialAt(def, snScale(0.25, sum));
}

// Nodes -------------------------------------------------------------------------

// damping of a node: the mean over its cells, by their mass
static void fillNodes(const snFleshDef* def, const snFlesh* f, double* cell_mass, float* mass,
                      float* inverse, float* damping)
{
    int32_t nodes = f->tets.node_count;
    double* sum = cell_mass + nodes;
    for (int32_t e = 0; e < f->tets.tet_count; ++e) {
        const snFleshMaterial* s = snFleshDef_MaterialOf(def, &f->tets, e);
        double m = f->fill[e] * s->density * snTets_Volume(&f->tets, e);
        for (int k = 0; k < 4; ++k) {
            int32_t node = f->tets.tet[4 * (size_t)e + (size_t)k];
            cell_mass[node] += m;
            sum[node] += m * s->damping;
        }
    }
    for (int32_t i = 0; i < nodes; ++i) {
        bool free = f->binding.fixed[i] < 0;
        mass[i] = (float)f->mass[i];
        inverse[i] = free ? (float)(1 / f->mass[i]) : 0;
        damping[i] = free ? (float)(sum[i] / cell_mass[i]) : 0;
    }
}

// Makes the weights sum to 1 after rounding: the largest takes the rest.
static void roundWeights(const double w[4], float out[4])
{
    int largest = 0;
    double rest = 1;
    for (int k = 0; k < 4; ++k) {
        out[k] = (float)w[k];
        largest = w[k] > w[largest] ? k : largest;
    }
    for (int k = 0; k < 4; ++k) {
        rest -= k == largest ? 0 : (double)out[k];
    }
    out[largest] = (float)rest;
}

// Bones farther than the nearest one by less than its radius share the node, the nearer the more:
// w = (1 - (d - least)/R)^2. Far from joints that leaves one. Unused places repeat the first bone.
static snDamper damperOf(const snRod* rods, int32_t count, int32_t nearest, snVec3 p)
{
    snDamper out = {{nearest, nearest, nearest, nearest}, {0, 0, 0, 0}};
    double w[4] = {0, 0, 0, 0}, sum = 0;
    if (nearest < 0) {
        return out;
    }
    double least = snSegmentDistance(rods[nearest].from, rods[nearest].to, p);
    double R = rods[nearest].radius;
    w[0] = 1;
    for (int32_t b = 0; b < count; ++b) {
        double d = snSegmentDistance(rods[b].from, rods[b].to, p) - least;
        if (b == nearest || !(d < R)) {
            continue;
        }
        double mine = (1 - d / R) * (1 - d / R);
        int at = 4;
        for (; at > 1 && w[at - 1] < mine; --at) {
            if (at < 4) {
                w[at] = w[at - 1];
                out.bone[at] = out.bone[at - 1];
            }
        }
        if (at < 4) {
            w[at] = mine;
            out.bone[at] = b;
        }
    }
    for (int k = 0; k < 4; ++k) {
        sum += w[k];
    }
    for (int k = 0; k < 4; ++k) {
        w[k] /= sum;
    }
    roundWeights(w, out.weight);
    for (int k = 1; k < 4; ++k) {
        out.bone[k] = out.weight[k] > 0 ? out.bone[k] : nearest;
    }
    return out;
}

// Bones -------------------------------------------------------------------------

// Counts become the places where the next entry goes; afterwards begin[b] .. begin[b + 1] - 1.
static void startLists(int32_t* begin, int32_t bones)
{
    int32_t sum = 0;
    for (int32_t b = 0; b <= bones; ++b) {
        int32_t count = begin[b];
        begin[b] = sum;
        sum += count;
    }
}

static void endLists(int32_t* begin, int32_t bones)
{
    for (int32_t b = bones; b > 0; --b) {
        begin[b] = begin[b - 1];
    }
    begin[0] = 0;
}

static snStatus listFixed(snArena* arena, int32_t bones, const snRod* rods, snFlesh* f,
                          snMessage* why)
{
    int32_t* begin = snArena_Push(arena, (size_t)bones + 1, sizeof(int32_t));
    snFixedNode* list = snArena_Push(arena, (size_t)f->binding.fixed_count, sizeof(snFixedNode));
    if (arena->failed) {
        return snFail(why, sn_errorMemory, "no memory for %d fixed nodes",
                      (int)f->binding.fixed_count);
    }
    for (int32_t i = 0; i < f->tets.node_count; ++i) {
        if (f->binding.fixed[i] >= 0) {
            ++begin[f->binding.fixed[i]];
        }
    }
    startLists(begin, bones);
    for (int32_t i = 0; i < f->tets.node_count; ++i) {
        int32_t b = f->binding.fixed[i];
        if (b >= 0) {
            snVec3 d = snSub(f->tets.position[i], rods[b].from);
            list[begin[b]++] = (snFixedNode){i, snMatTVec(rods[b].R, d)};
        }
    }
    endLists(begin, bones);
    f->fixed_begin = begin;
    f->fixed = list;
    return sn_ok;
}

// The block's share in a bone, begun if need be; those from `first` on are the block's, by bones.
static snShare* shareIn(snShare* list, int32_t first, int32_t* count, int32_t bone)
{
    int32_t k = *count;
    while (k > first && list[k - 1].bone >= bone) {
        --k;
    }
    if (k == *count || list[k].bone != bone) {
        memmove(list + k + 1, list + k, (size_t)(*count - k) * sizeof *list);
        list[k] = (snShare){.bone = bone};
        ++*count;
    }
    return &list[k];
}

// Adds a block's free nodes and the bones that damp them to the list; room for four a node. Returns
// how long the list is then.
static int32_t shareBlock(const snFlesh* f, int32_t bones, int32_t block, snShare* list,
                          int32_t count)
{
    int32_t first = count, left = f->tets.node_count - block * SN_LANES;
    for (int32_t i = 0; i < (left < SN_LANES ? left : SN_LANES); ++i) {
        const snDamper* d = &f->dampers[block * SN_LANES + i];
        for (int k = 0; k < 4 && f->binding.fixed[block * SN_LANES + i] < 0; ++k) {
            float weight = bones > 0 ? d->weight[k] : (k == 0 ? 1.0f : 0.0f);
            if (weight > 0) {
                snShare* share = shareIn(list, first, &count, bones > 0 ? d->bone[k] : 0);
                share->weight[i] = weight;
                share->lanes |= (uint32_t)1 << i;
            }
        }
    }
    return count;
}

// Free nodes and the bones that damp them, in blocks.
static snStatus listShares(snArena* arena, int32_t bones, snFlesh* f, snMessage* why)
{
    int32_t nodes = f->tets.node_count, blocks = (nodes + SN_LANES - 1) / SN_LANES;
    int32_t* begin = snArena_Push(arena, (size_t)blocks + 1, sizeof(int32_t));
    for (int32_t b = 0; begin && b < blocks; ++b) {
        snShare room[4 * SN_LANES];
        begin[b + 1] = begin[b] + shareBlock(f, bones, b, room, 0);
    }
    snShare* list = snArena_Push(arena, begin ? (size_t)begin[blocks] : 0, sizeof(snShare));
    if (!begin || !list) {
        return snFail(why, sn_errorMemory, "no memory for the dampers of %d nodes", (int)nodes);
    }
    for (int32_t b = 0; b < blocks; ++b) {
        shareBlock(f, bones, b, list, begin[b]);
    }
    f->share_begin = begin;
    f->shares = list;
    return sn_ok;
}

static snMass shareOf(const snMass* mass, double share)
{
    snMass out = *mass;
    out.mass *= share;
    out.inertia = snSymScale(share, mass->inertia);
    return out;
}

// The given skeleton with a share of its masses, and those of the nodes fixed to each bone.
static snStatus mergeMasses(snArena* scratch, const snFleshDef* def, snFlesh* f, snMessage* why)
{
    int32_t bones = def->skeleton->bone_count;
    snBoneDef* defs = snArena_Push(scratch, (size_t)bones, sizeof(snBoneDef));
    if (!defs) {
        return snFail(why, sn_errorMemory, "no memory for %d bones", (int)bones);
    }
    for (int32_t b = 0; b < bones; ++b) {
        defs[b] = def->skeleton->defs[b];
        defs[b].mass = shareOf(&defs[b].mass, def->bone_mass);
        for (int32_t n = f->fixed_begin[b]; n < f->fixed_begin[b + 1]; ++n) {
            snMass point = snMass_Point(f->mass[f->fixed[n].node], f->fixed[n].place);
            defs[b].mass = snMass_Add(&defs[b].mass, &point);
        }
    }
    return snSkeleton_Create(&scratch->host, defs, bones, &f->skeleton, why);
}

// Surface -----------------------------------------------------------------------

static snStatus tiePoints(snArena* arena, snArena* scratch, const snFleshDef* def, snFlesh* f,
                          snMessage* why)
{
    snPoints points;
    if (f->point_count == 0) {
        return sn_ok; // cells alone, without a surface
    }
    snStatus status = snPoints_SpreadForCells(scratch, def->surface, f->cell, &points, why);
    if (status) {
        return status;
    }
    if (points.count != f->point_count) {
        return snFail(why, sn_errorFile, "the surface has %d points, the flesh was made for %d",
                      (int)points.count, (int)f->point_count);
    }
    snTie* ties = snArena_Push(arena, (size_t)f->point_count, sizeof(snTie));
    float* area = snArena_Push(arena, (size_t)f->point_count, sizeof(float));
    if (arena->failed) {
        return snFail(why, sn_errorMemory, "no memory for %d surface points", (int)f->point_count);
    }
    for (int32_t i = 0; i < f->point_count; ++i) {
        roundWeights(f->embedding.weight[i], ties[i].weight);
        area[i] = (float)points.area[i];
        for (int k = 0; k < 4; ++k) {
            ties[i].node[k] = f->tets.tet[4 * (size_t)f->embedding.cell[i] + (size_t)k];
        }
    }
    f->ties = ties;
    f->point_area = area;
    return sn_ok;
}

static snStatus fillAll(snArena* arena, snArena* scratch, const snFleshDef* def, snFlesh* out,
                        snMessage* why)
{
    size_t nodes = (size_t)out->tets.node_count;
    size_t lanes = (nodes + SN_LANES - 1) / SN_LANES * SN_LANES;
    int32_t bones = def->skeleton->bone_count;
    const snRod* rods = snRods_Place(scratch, def->skeleton);
    double* sums = snArena_Push(scratch, 2 * nodes, sizeof(double));
    float* mass = snArena_Push(arena, lanes, sizeof(float));
    float* inverse = snArena_Push(arena, lanes, sizeof(float));
    float* damping = snArena_Push(arena, lanes, sizeof(float));
    snDamper* dampers = snArena_Push(arena, nodes, sizeof(snDamper));
    if (arena->failed || scratch->failed) {
        return snFail(why, sn_errorMemory, "no memory for %zu nodes", nodes);
    }
    fillNodes(def, out, sums, mass, inverse, damping);
    for (size_t i = 0; i < nodes; ++i) {
        dampers[i] = damperOf(rods, bones, out->binding.bone[i], out->tets.position[i]);
    }
    out->node_mass = mass;
    out->inverse_mass = inverse;
    out->damping = damping;
    out->dampers = dampers;
    snStatus status = listFixed(arena, bones, rods, out, why);
    status = status ? status : listShares(arena, bones, out, why);
    status = status ? status : tiePoints(arena, scratch, def, out, why);
    return status ? status : mergeMasses(scratch, def, out, why);
}

snStatus snTables_Fill(snArena* arena, const snFleshDef* def, snFlesh* out, snMessage* why)
{
    snArena scratch;
    snArena_Init(&scratch, &arena->host);
    snStatus status = fillAll(arena, &scratch, def, out, why);
    snArena_Free(&scratch);
    return status;
}
