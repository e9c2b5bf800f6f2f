// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

#include "geom/bcc_split.h"

#include <string.h>

#include "base/message.h"
#include "geom/parts.h"
#include "geom/sort.h"

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
    const snTets* tets;
    const snContents* contents;
    const snSplit* split;
    int32_t* parent; // of corner k of copy c, at 4 c + k
} Joiner;

// Two tets and the face they share.
typedef struct Pair {
    int32_t a, b; // tets
    Face fa, fb;
} Pair;

static void joinParts(Joiner* j, const Pair* pair, int32_t part_a, int32_t part_b)
{
    int32_t a = j->split->first_copy[pair->a] + part_a;
    int32_t b = j->split->first_copy[pair->b] + part_b;
    for (int k = 0; k < 3; ++k) {
        snParts_Join(j->parent, 4 * a + pair->fa.corner[k], 4 * b + pair->fb.corner[k]);
    }
}

static bool joinCorners(Joiner* j, const Pair* pair)
{
    bool found = false;
    for (int k = 0; k < 3; ++k) {
        int32_t a = j->contents->corner[4 * (size_t)pair->a + (size_t)pair->fa.corner[k]];
        int32_t b = j->contents->corner[4 * (size_t)pair->b + (size_t)pair->fb.corner[k]];
        if (a >= 0 && b >= 0) {
            joinParts(j, pair, a, b);
            found = true;
        }
    }
    return found;
}

static bool joinThings(Joiner* j, const Pair* pair)
{
    const snContents* c = j->contents;
    int32_t i = c->begin[pair->a], k = c->begin[pair->b];
    bool found = false;
    while (i < c->begin[pair->a + 1] && k < c->begin[pair->b + 1]) {
        if (c->thing[i] == c->thing[k]) {
            joinParts(j, pair, c->part[i], c->part[k]);
            found = true;
        }
        int32_t least = c->thing[i] < c->thing[k] ? c->thing[i] : c->thing[k];
        i += c->thing[i] == least;
        k += c->thing[k] == least;
    }
    return found;
}

static void joinFace(Joiner* j, int32_t f, int32_t g)
{
    const snContents* c = j->contents;
    Pair pair = {f / 4, g / 4, faceOf(j->tets, f), faceOf(j->tets, g)};
    if (memcmp(pair.fa.node, pair.fb.node, sizeof(pair.fa.node)) != 0) {
        return;
    }
    bool corners = joinCorners(j, &pair), things = joinThings(j, &pair);
    bool open = c->open[pair.a] || c->open[pair.b];
    if (!corners && !things && open && c->parts[pair.a] <= 1 && c->parts[pair.b] <= 1) {
        joinParts(j, &pair, 0, 0);
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

static void makeCopies(const snTets* tets, const snContents* contents, snArena* scratch,
                       snArena* arena, snSplit* out)
{
    int32_t copies = out->first_copy[tets->tet_count];
    out->tets.tet_count = copies;
    out->tets.tet = snArena_Push(arena, 4 * (size_t)copies, sizeof(int32_t));
    out->origin = snArena_Push(arena, (size_t)copies, sizeof(int32_t));
    Joiner j = {tets, contents, out, snArena_Push(scratch, 4 * (size_t)copies, sizeof(int32_t))};
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
    for (int32_t i = 0; i + 1 < 4 * tets->tet_count; ++i) {
        joinFace(&j, order[i], order[i + 1]);
    }
    numberNodes(tets, &j, scratch, arena, out);
}

snStatus snBcc_Split(snArena* arena, const snTets* tets, const snContents* contents, snSplit* out,
                     snMessage* why)
{
    *out = (snSplit){{0}, NULL, NULL, NULL};
    out->first_copy = snArena_Push(arena, (size_t)tets->tet_count + 1, sizeof(int32_t));
    if (!out->first_copy) {
        return snFail(why, sn_errorMemory, "out of memory to split %d cells", tets->tet_count);
    }
    for (int32_t t = 0; t < tets->tet_count; ++t) {
        int32_t parts = contents->parts[t] > 1 ? contents->parts[t] : 1;
        if (parts > INT32_MAX / 4 - out->first_copy[t]) {
            return snFail(why, sn_errorArgument, "%d cells are too many to split", tets->tet_count);
        }
        out->first_copy[t + 1] = out->first_copy[t] + parts;
    }
    snArena scratch;
    snArena_Init(&scratch, &arena->host);
    makeCopies(tets, contents, &scratch, arena, out);
    bool failed = scratch.failed || arena->failed;
    snArena_Free(&scratch);
    return failed ? snFail(why, sn_errorMemory, "out of memory to split %d cells", tets->tet_count)
                  : sn_ok;
}

int32_t snContents_Part(const snContents* contents, int32_t tet, int32_t thing)
{
    int32_t lo = contents->begin[tet], hi = contents->begin[tet + 1];
    while (lo < hi) {
        int32_t middle = lo + (hi - lo) / 2;
        if (contents->thing[middle] < thing) {
            lo = middle + 1;
        } else {
            hi = middle;
        }
    }
    return lo < contents->begin[tet + 1] && contents->thing[lo] == thing ? contents->part[lo] : -1;
}
