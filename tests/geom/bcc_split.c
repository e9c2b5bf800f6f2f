// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0
// label: quick

// Fingers closer than a cell come apart, a palm holds them together, a solid body stays as it is.
#include "geom/bcc_split.h"
#include "check.h"
#include "geom/bcc.h"
#include "geom/parts.h"

#define CELL 0.5

typedef enum Kind { FINGERS, HAND, SOLID } Kind;

// Two fingers along y with a gap of 0.12, a quarter of a cell; a palm joins them below y = 0.6.
// 0 = nothing, 1 and 2 = the fingers, 3 = both in one.
static int whatAt(Kind kind, snVec3 p)
{
    bool length = p.y > 0 && p.y < 3 && p.z > 0 && p.z<0.4, wide = p.x> 0 && p.x < 0.8;
    if (!length || !wide) {
        return 0;
    }
    bool one = kind == SOLID || (kind == HAND && p.y < 0.6);
    return one ? 3 : p.x < 0.34 ? 1 : p.x > 0.46 ? 2 : 0;
}

// The body as tets and what they hold. Things: lumps along each finger.
typedef struct Body {
    snArena arena;
    snTets tets;
    snContents contents;
} Body;

#define LUMPS 30
#define PLACES (40 * 200 * 25)

static snVec3 placeAt(int i)
{
    return snV3(0.8 * (i % 40 + 0.5) / 40, 3 * (i / 40 % 200 + 0.5) / 200,
                0.4 * (i / 8000 + 0.5) / 25);
}

static void cover(Body* b, Kind kind, snVec3 shift)
{
    snBox box = {{0, 0, 0}, {0.8, 3, 0.4}};
    snBcc l;
    snMessage why;
    int64_t* origin;
    snArena_Init(&b->arena, NULL);
    assert_ok(snBcc_Cover(box, CELL, shift, &l, &why), why);
    size_t count = (size_t)snBcc_TetCount(&l);
    uint8_t* keep = snArena_Push(&b->arena, count, 1);
    uint8_t* holds = snArena_Push(&b->arena, 2 * LUMPS * count, 1);
    for (int i = 0; i < PLACES; ++i) {
        snVec3 p = placeAt(i);
        int what = whatAt(kind, p);
        int64_t t = snBcc_Locate(&l, p);
        assert_true(t >= 0);
        keep[t] = (uint8_t)(keep[t] | (what ? 1 << what : 0));
        int lump = (int)(p.y * (LUMPS - 1) / 3); // and the next: lumps overlap
        for (int k = 0; k < 4; ++k) {
            if (what >> (k & 1) & 1) {
                holds[2 * LUMPS * (size_t)t + (size_t)((k & 1) * LUMPS + lump + k / 2)] = 1;
            }
        }
    }
    assert_ok(snBcc_Extract(&b->arena, &l, keep, &b->tets, &origin, &why), why);
    size_t tets = (size_t)b->tets.tet_count;
    b->contents = (snContents){snArena_Push(&b->arena, tets, sizeof(int32_t)),
                               snArena_Push(&b->arena, 4 * tets, sizeof(int32_t)),
                               snArena_Push(&b->arena, tets, 1),
                               snArena_Push(&b->arena, tets + 1, sizeof(int32_t)),
                               snArena_Push(&b->arena, 2 * LUMPS * tets, sizeof(int32_t)),
                               snArena_Push(&b->arena, 2 * LUMPS * tets, sizeof(int32_t))};
    snContents* c = &b->contents;
    for (size_t t = 0; t < tets; ++t) {
        bool both = (keep[origin[t]] & 6) == 6 && !(keep[origin[t]] & 8);
        c->parts[t] = both ? 2 : 1;
        c->begin[t + 1] = c->begin[t];
        for (int k = 0; k < 4; ++k) {
            c->corner[4 * t + (size_t)k] = -1;
        }
        for (int i = 0; i < 2 * LUMPS; ++i) {
            if (holds[2 * LUMPS * (size_t)origin[t] + (size_t)i]) {
                c->thing[c->begin[t + 1]] = i;
                c->part[c->begin[t + 1]++] = both ? i / LUMPS : 0;
            }
        }
    }
}

static void split(Body* b, snSplit* out)
{
    snMessage why;
    assert_ok(snBcc_Split(&b->arena, &b->tets, &b->contents, out, &why), why);
}

static int32_t countParts(snArena* arena, const snTets* tets, int32_t** parent)
{
    int32_t count = 0;
    *parent = snArena_Push(arena, (size_t)tets->node_count, sizeof(int32_t));
    snParts_Start(*parent, tets->node_count);
    for (int32_t i = 0; i < 4 * tets->tet_count; ++i) {
        snParts_Join(*parent, tets->tet[i], tets->tet[i / 4 * 4]);
    }
    for (int32_t i = 0; i < tets->node_count; ++i) {
        count += (*parent)[i] == i;
    }
    return count;
}

static void checkSound(const snTets* given, const snSplit* split)
{
    for (int32_t c = 0; c < split->tets.tet_count; ++c) {
        for (int k = 0; k < 4; ++k) {
            int32_t node = split->tets.tet[4 * c + k];
            assert_int_equal(split->node[node], given->tet[4 * split->origin[c] + k]);
        }
        assert_true(split->first_copy[split->origin[c]] <= c);
        assert_true(split->first_copy[split->origin[c] + 1] > c);
    }
}

static const snVec3 shifts[4] = {{0, 0, 0}, {0.25, 0.1, -0.3}, {-0.4, 0.3, 0.2}, {0.5, -0.5, 0.5}};

static void test_fingers(void** state)
{
    (void)state;
    for (int i = 0; i < 4; ++i) {
        Body b;
        snSplit s;
        int32_t *parent, part[2] = {-1, -1};
        cover(&b, FINGERS, shifts[i]);
        assert_int_equal(countParts(&b.arena, &b.tets, &parent), 1); // welded by the cells
        split(&b, &s);
        checkSound(&b.tets, &s);
        assert_true(s.tets.tet_count > b.tets.tet_count);
        assert_int_equal(countParts(&b.arena, &s.tets, &parent), 2);
        // every lump of a finger lies in a copy of that finger
        for (int32_t t = 0; t < b.tets.tet_count; ++t) {
            for (int32_t k = 0; k < 2 * LUMPS; ++k) {
                int32_t at = snContents_Part(&b.contents, t, k);
                if (at < 0) {
                    continue;
                }
                int32_t copy = s.first_copy[t] + at, *of = &part[k / LUMPS];
                int32_t root = snParts_Find(parent, s.tets.tet[4 * copy]);
                *of = *of < 0 ? root : *of;
                assert_int_equal(*of, root);
            }
        }
        assert_true(part[0] >= 0 && part[1] >= 0 && part[0] != part[1]);
        snArena_Free(&b.arena);
    }
}

static void test_palm(void** state)
{
    (void)state;
    for (int i = 0; i < 4; ++i) {
        Body b;
        snSplit s;
        int32_t* parent;
        cover(&b, HAND, shifts[i]);
        split(&b, &s);
        checkSound(&b.tets, &s);
        assert_int_equal(countParts(&b.arena, &s.tets, &parent), 1);
        // above the palm, two copies of one cell share no node
        int copies = 0;
        for (int32_t c = 0; c + 1 < s.tets.tet_count; ++c) {
            bool above = true;
            for (int k = 0; k < 4; ++k) {
                above &= s.tets.position[s.tets.tet[4 * c + k]].y > 0.6 + CELL;
            }
            if (s.origin[c] != s.origin[c + 1] || !above) {
                continue;
            }
            ++copies;
            for (int k = 0; k < 16; ++k) {
                assert_true(s.tets.tet[4 * c + k / 4] != s.tets.tet[4 * c + 4 + k % 4]);
            }
        }
        assert_true(copies > 10);
        snArena_Free(&b.arena);
    }
}

static void test_solid(void** state)
{
    (void)state;
    for (int i = 0; i < 4; ++i) {
        Body b;
        snSplit s;
        cover(&b, SOLID, shifts[i]);
        split(&b, &s);
        assert_int_equal(s.tets.tet_count, b.tets.tet_count);
        assert_int_equal(s.tets.node_count, b.tets.node_count);
        assert_memory_equal(s.tets.tet, b.tets.tet, 4 * (size_t)b.tets.tet_count * sizeof(int32_t));
        snArena_Free(&b.arena);
    }
}

// Cells of which nothing is known fall apart, corners and openness tie them.
static void test_ties(void** state)
{
    (void)state;
    for (int how = 0; how < 3; ++how) {
        Body b;
        snSplit s;
        cover(&b, SOLID, shifts[1]);
        memset(b.contents.begin, 0, ((size_t)b.tets.tet_count + 1) * sizeof(int32_t));
        for (int32_t i = 0; i < 4 * b.tets.tet_count; ++i) {
            b.contents.corner[i] = how == 1 ? 0 : -1;
            b.contents.open[i / 4] = how == 2;
        }
        split(&b, &s);
        checkSound(&b.tets, &s);
        assert_int_equal(s.tets.node_count, how == 0 ? 4 * b.tets.tet_count : b.tets.node_count);
        snArena_Free(&b.arena);
    }
}

static void test_nothing(void** state)
{
    (void)state;
    Body b = {.tets = {0}};
    int32_t begin[1] = {0};
    snSplit s;
    b.contents.begin = begin;
    snArena_Init(&b.arena, NULL);
    split(&b, &s);
    assert_int_equal(s.tets.tet_count, 0);
    snArena_Free(&b.arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_fingers), cmocka_unit_test(test_palm),
                                       cmocka_unit_test(test_solid), cmocka_unit_test(test_ties),
                                       cmocka_unit_test(test_nothing)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
