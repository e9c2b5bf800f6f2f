// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

#include "geom/lattice_split.h"

#include <string.h>

#include "base/message.h"
#include "geom/parts.h"
#include "geom/sort.h"

#define STEPS 8
#define SAMPLES 165 // (STEPS + 1)(STEPS + 2)(STEPS + 3)/6
#define LINKS 720   // STEPS (STEPS + 1)(STEPS + 2): pairs of samples one step apart
#define BATCH 256   // tets whose samples are asked for together

// Samples ------------------------------------------------------------------------

// The grid in a tet: sample s has corner[s][k] of STEPS parts of corner k.
typedef struct Grid {
    int8_t corner[SAMPLES][4];
    int16_t index[STEPS + 1][STEPS + 1][STEPS + 1]; // by the first three
    int16_t link[LINKS][2];
} Grid;

static void makeGrid(Grid* g)
{
    int16_t count = 0, links = 0;
    for (int i = 0; i <= STEPS; ++i) {
        for (int j = 0; j <= STEPS - i; ++j) {
            for (int k = 0; k <= STEPS - i - j; ++k) {
                const int parts[4] = {i, j, k, STEPS - i - j - k};
                for (int c = 0; c < 4; ++c) {
                    g->corner[count][c] = (int8_t)parts[c];
                }
                g->index[i][j][k] = count++;
            }
        }
    }
    for (int16_t s = 0; s < SAMPLES; ++s) {
        for (int a = 0; a < 4; ++a) {
            for (int b = a + 1; b < 4 && g->corner[s][a] > 0; ++b) {
                int8_t moved[4];
                memcpy(moved, g->corner[s], sizeof(moved));
                --moved[a];
                ++moved[b];
                g->link[links][0] = s;
                g->link[links++][1] = g->index[moved[0]][moved[1]][moved[2]];
            }
        }
    }
}

// Names the connected sets of samples 1, 2, ... in place; returns how many.
static int nameParts(const Grid* g, uint8_t* label)
{
    int32_t parent[SAMPLES];
    uint8_t name[SAMPLES] = {0};
    int count = 0;
    snParts_Start(parent, SAMPLES);
    for (int i = 0; i < LINKS; ++i) {
        if (label[g->link[i][0]] && label[g->link[i][1]]) {
            snParts_Join(parent, g->link[i][0], g->link[i][1]);
        }
    }
    for (int s = 0; s < SAMPLES; ++s) {
        int32_t root = snParts_Find(parent, s);
        if (label[s]) {
            name[root] = name[root] ? name[root] : (uint8_t)++count;
            label[s] = name[root];
        }
    }
    return count;
}

static snVec3 samplePoint(const snTets* tets, int32_t t, const int8_t* corner)
{
    snVec3 p = snV3(0, 0, 0);
    for (int k = 0; k < 4; ++k) {
        p = snMulAdd(p, corner[k] / (double)STEPS,
                     tets->position[tets->tet[4 * (size_t)t + (size_t)k]]);
    }
    return p;
}

static snStatus sampleAll(const Grid* g, const snTets* tets, snMaterialFcn* material, void* user,
                          snVec3* point, snSplit* out, snMessage* why)
{
    for (int32_t t = 0; t < tets->tet_count; t += BATCH) {
        int32_t end = tets->tet_count - t < BATCH ? tets->tet_count : t + BATCH;
        uint8_t* label = out->label + (size_t)t * SAMPLES;
        for (int64_t i = 0; i < (int64_t)(end - t) * SAMPLES; ++i) {
            point[i] = samplePoint(tets, t + (int32_t)(i / SAMPLES), g->corner[i % SAMPLES]);
        }
        snStatus status = material(user, point, (int64_t)(end - t) * SAMPLES, label, why);
        if (status) {
            return status;
        }
        for (int32_t u = t; u < end; ++u) {
            int count = nameParts(g, out->label + (size_t)u * SAMPLES);
            out->first_copy[u + 1] = out->first_copy[u] + (count > 0 ? count : 1);
        }
    }
    return sn_ok;
}

// Faces --------------------------------------------------------------------------

// Face f = 4 t + k lies opposite corner k. Its corners by rising node number:
typedef struct Face {
    int32_t node[3];
    int corner[3]; // which of the tet's
} Face;

static Face faceOf(const snTets* tets, int32_t f)
{
    Face face;
    int count = 0;
    const int32_t* v = tets->tet + 4 * (size_t)(f / 4);
    for (int k = 0; k < 4; ++k) {
        if (k == f % 4) {
            continue;
        }
        int at = count++;
        for (; at > 0 && face.node[at - 1] > v[k]; --at) {
            face.node[at] = face.node[at - 1];
            face.corner[at] = face.corner[at - 1];
        }
        face.node[at] = v[k];
        face.corner[at] = k;
    }
    return face;
}

// All faces, those of the same three nodes beside each other.
static int32_t* sortFaces(const snTets* tets, snArena* scratch)
{
    int32_t faces = 4 * tets->tet_count;
    uint64_t* key = snArena_Push(scratch, (size_t)faces, sizeof(uint64_t));
    int32_t* order = snArena_Push(scratch, (size_t)faces, sizeof(int32_t));
    for (int pass = 0; pass < 2 && !scratch->failed; ++pass) {
        for (int32_t i = 0; i < faces; ++i) {
            order[i] = pass == 0 ? i : order[i];
            Face face = faceOf(tets, order[i]);
            uint64_t first = (uint64_t)face.node[0];
            key[i] = pass == 0 ? (uint64_t)face.node[2] : first << 32 | (uint64_t)face.node[1];
        }
        snSort_Pairs(scratch, key, order, faces);
    }
    return order;
}

// Joining ------------------------------------------------------------------------

typedef struct Joiner {
    const Grid* grid;
    const snTets* tets;
    const snSplit* split;
    int32_t* parent; // of corner k of copy c, at 4 c + k
    uint8_t* joined; // per copy: through a face with material
} Joiner;

static void joinCopies(Joiner* j, int32_t a, const Face* fa, int32_t b, const Face* fb)
{
    for (int k = 0; k < 3; ++k) {
        snParts_Join(j->parent, 4 * a + fa->corner[k], 4 * b + fb->corner[k]);
    }
}

static uint8_t labelOn(const Joiner* j, int32_t t, const Face* face, int i, int k)
{
    int parts[4] = {0, 0, 0, 0};
    parts[face->corner[0]] = i;
    parts[face->corner[1]] = k;
    parts[face->corner[2]] = STEPS - i - k;
    int16_t s = j->grid->index[parts[0]][parts[1]][parts[2]];
    return j->split->label[(size_t)t * SAMPLES + (size_t)s];
}

static void joinFace(Joiner* j, int32_t f, int32_t g, bool lonely)
{
    Face fa = faceOf(j->tets, f), fb = faceOf(j->tets, g);
    if (memcmp(fa.node, fb.node, sizeof(fa.node)) != 0) {
        return;
    }
    int32_t a = j->split->first_copy[f / 4], b = j->split->first_copy[g / 4];
    if (lonely) {
        for (int32_t c = a; c < j->split->first_copy[f / 4 + 1]; ++c) {
            if (!j->joined[c]) {
                joinCopies(j, c, &fa, b, &fb);
            }
        }
        return;
    }
    for (int i = 0; i <= STEPS; ++i) {
        for (int k = 0; k <= STEPS - i; ++k) {
            uint8_t la = labelOn(j, f / 4, &fa, i, k), lb = labelOn(j, g / 4, &fb, i, k);
            if (la && lb) {
                joinCopies(j, a + la - 1, &fa, b + lb - 1, &fb);
                j->joined[a + la - 1] = j->joined[b + lb - 1] = 1;
            }
        }
    }
}

static void joinAll(Joiner* j, const int32_t* order)
{
    int32_t faces = 4 * j->tets->tet_count;
    for (int32_t i = 0; i + 1 < faces; ++i) {
        joinFace(j, order[i], order[i + 1], false);
    }
    for (int32_t i = 0; i + 1 < faces; ++i) {
        joinFace(j, order[i], order[i + 1], true);
        joinFace(j, order[i + 1], order[i], true);
    }
}

// Each set of joined corners is a node; nodes keep the order of those they come from.
static void numberNodes(const snTets* tets, Joiner* j, snArena* scratch, snArena* arena,
                        snSplit* out)
{
    int32_t corners = 4 * out->tets.tet_count;
    uint64_t* key = snArena_Push(scratch, (size_t)corners, sizeof(uint64_t));
    int32_t* root = snArena_Push(scratch, (size_t)corners, sizeof(int32_t));
    int32_t* number = snArena_Push(scratch, (size_t)corners, sizeof(int32_t));
    if (scratch->failed) {
        return;
    }
    int32_t count = 0;
    for (int32_t i = 0; i < corners; ++i) {
        if (snParts_Find(j->parent, i) == i) {
            key[count] = (uint64_t)tets->tet[4 * (size_t)out->origin[i / 4] + (size_t)(i % 4)];
            root[count++] = i;
        }
    }
    snSort_Pairs(scratch, key, root, count);
    out->tets.node_count = count;
    out->tets.position = snArena_Push(arena, (size_t)count, sizeof(snVec3));
    out->node = snArena_Push(arena, (size_t)count, sizeof(int32_t));
    if (scratch->failed || arena->failed) {
        return;
    }
    for (int32_t i = 0; i < count; ++i) {
        number[root[i]] = i;
        out->node[i] = (int32_t)key[i];
        out->tets.position[i] = tets->position[key[i]];
    }
    for (int32_t i = 0; i < corners; ++i) {
        out->tets.tet[i] = number[snParts_Find(j->parent, i)];
    }
}

// Whole --------------------------------------------------------------------------

static void makeCopies(const snTets* tets, const Grid* grid, snArena* scratch, snArena* arena,
                       snSplit* out)
{
    int32_t copies = out->first_copy[tets->tet_count];
    out->tets.tet_count = copies;
    out->tets.tet = snArena_Push(arena, 4 * (size_t)copies, sizeof(int32_t));
    out->origin = snArena_Push(arena, (size_t)copies, sizeof(int32_t));
    Joiner j = {grid, tets, out, snArena_Push(scratch, 4 * (size_t)copies, sizeof(int32_t)),
                snArena_Push(scratch, (size_t)copies, 1)};
    int32_t* order = sortFaces(tets, scratch);
    if (scratch->failed || arena->failed) {
        return;
    }
    for (int32_t t = 0; t < tets->tet_count; ++t) {
        for (int32_t c = out->first_copy[t]; c < out->first_copy[t + 1]; ++c) {
            out->origin[c] = t;
        }
    }
    snParts_Start(j.parent, 4 * copies);
    joinAll(&j, order);
    numberNodes(tets, &j, scratch, arena, out);
}

snStatus snLattice_Split(snArena* arena, const snTets* tets, snMaterialFcn* material, void* user,
                         snSplit* out, snMessage* why)
{
    *out = (snSplit){{0}, NULL, NULL, NULL, NULL};
    if (tets->tet_count > INT32_MAX / 64) {
        return snFail(why, sn_errorArgument, "%d cells are too many to split", tets->tet_count);
    }
    snArena scratch;
    snArena_Init(&scratch, &arena->host);
    Grid* grid = snArena_Push(&scratch, 1, sizeof(Grid));
    snVec3* point = snArena_Push(&scratch, BATCH * SAMPLES, sizeof(snVec3));
    out->label = snArena_Push(arena, (size_t)tets->tet_count, SAMPLES);
    out->first_copy = snArena_Push(arena, (size_t)tets->tet_count + 1, sizeof(int32_t));
    snStatus status = sn_ok;
    if (!scratch.failed && !arena->failed) {
        makeGrid(grid);
        status = sampleAll(grid, tets, material, user, point, out, why);
        if (!status) {
            makeCopies(tets, grid, &scratch, arena, out);
        }
    }
    bool failed = scratch.failed || arena->failed;
    snArena_Free(&scratch);
    if (failed) {
        return snFail(why, sn_errorMemory, "out of memory to split %d cells", tets->tet_count);
    }
    return status;
}

int32_t snSplit_Copy(const snSplit* split, int32_t tet, const double weight[4])
{
    int32_t first = split->first_copy[tet];
    const uint8_t* label = split->label + (size_t)tet * SAMPLES;
    if (split->first_copy[tet + 1] == first + 1) {
        return first;
    }
    double least = HUGE_VAL;
    int best = 1, s = 0;
    for (int i = 0; i <= STEPS; ++i) {
        for (int j = 0; j <= STEPS - i; ++j) {
            for (int k = 0; k <= STEPS - i - j; ++k, ++s) {
                const double parts[4] = {i, j, k, STEPS - i - j - k};
                double d = 0;
                for (int c = 0; c < 4; ++c) {
                    double gap = parts[c] / STEPS - weight[c];
                    d += gap * gap;
                }
                if (label[s] && d < least) {
                    least = d;
                    best = label[s];
                }
            }
        }
    }
    return first + best - 1;
}
