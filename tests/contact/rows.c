// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0
// label: quick

// Rows: looking for contacts changes nothing, whatever is tried meanwhile; gaps follow motion; both
// sides get the same; points remember what is committed, once a step.
#include "contact/contacts.h"
#include "contact/soft.h"
#include "math/transform.h"

#define STEP 1e-3
#define REACH 0.02 // m, of rows and trials
#define SOFTS 3
#define HARDS 2
#define RING 0.152 // radius of the worm's bend: its ends touch

// Shared by all tests: what takes long to build.
static Body ball, worm;

typedef struct World {
    snArena arena;
    snTasks* tasks;
    snContacts c;
    snRub rub;
    snSolid solid[HARDS];
    snRigid rigid;
    uint8_t* memory; // of all bodies
    size_t bytes;
    snContactRows rows; // to look with
} World;

static int setup(void** state)
{
    (void)state;
    openBody(&ball, ballField, 300, 300);
    openBody(&worm, wormField, 300, 300);
    return 0;
}

static int teardown(void** state)
{
    (void)state;
    drop(&ball.c);
    drop(&worm.c);
    return 0;
}

static snVec3 bend(void* user, snVec3 p)
{
    (void)user;
    double angle = p.z / RING, r = RING + p.x;
    return snV3(r * snCos(angle), p.y, r * snSin(angle));
}

static snVec3 stay(void* user, snVec3 p)
{
    (void)user;
    return p;
}

// Nodes that nothing but contact moves.
static void predict(const void* user, double h, int32_t count, snContactNode* list)
{
    const snSoft* s = user;
    (void)h;
    for (int32_t i = 0; i < count; ++i) {
        if (list[i].node >= 0) {
            snVec4f v = s->v[list[i].node];
            list[i].v = snV3((double)v.x, (double)v.y, (double)v.z);
            list[i].give = (double)s->flesh->inverse_mass[list[i].node];
        }
    }
}

static void placeSoft(World* w, int32_t i, Body* body, MapFcn* map, snVec3 origin, snVec3 v)
{
    snSoft* s = &w->c.softs[i];
    size_t nodes = (size_t)body->flesh->tets.node_count;
    *s = (snSoft){
        .actor = i, .flesh = &body->tissue.flesh, .tissue = &body->tissue, .origin = origin};
    s->predict = predict;
    s->predictor = s;
    s->x = snArena_Push(&w->arena, nodes, sizeof(snVec4f));
    s->v = snArena_Push(&w->arena, nodes, sizeof(snVec4f));
    s->push = snArena_Push(&w->arena, nodes, sizeof(snVec4f));
    for (size_t k = 0; k < nodes; ++k) {
        snVec3 p = map(NULL, body->flesh->tets.position[k]);
        s->x[k] = (snVec4f){(float)p.x, (float)p.y, (float)p.z, 0};
        s->v[k] = (snVec4f){(float)v.x, (float)v.y, (float)v.z, 0};
    }
}

static void placeHard(World* w, int32_t i, const snShapeDef* def, snVec3 p)
{
    snMessage why;
    snHard* hard = &w->c.hards[i];
    assert_ok(snSolid_Build(&w->arena, def, 1, 0.05, &w->solid[i], &why), why);
    *hard = (snHard){.solid = &w->solid[i], .pose = {.p = p}, .com = p};
    hard->pose.q = snQIdentity();
    hard->R = snMatFromQ(hard->pose.q);
}

static void giveMemory(World* w)
{
    size_t at = 0;
    for (int32_t pass = 0; pass < 2; ++pass) { // how much, then where
        at = 0;
        for (int32_t body = SN_BODY_FIRST; body < SN_BODY_FIRST + HARDS + SOFTS; ++body) {
            const snSoft* soft = snContacts_Soft(&w->c, body);
            int32_t points =
                soft ? soft->flesh->point_count : snContacts_Hard(&w->c, body)->solid->hard_count;
            if (pass) {
                snContactMemory_At(snContacts_Memory(&w->c, body), points, w->memory + at);
            }
            at += snContactMemory_StateSize(points);
        }
        w->memory = pass ? w->memory : snArena_Push(&w->arena, at, 1);
    }
    w->bytes = at;
}

// A ball on the ground, another one on top of it, a crate on the ground under that one's side that
// also leans on the first, a ball that does not give way beside it; a worm whose ends touch.
static void open(World* w, double reach)
{
    snMessage why;
    snHost host;
    snShapeDef crate = {.kind = sn_shapeBox, .half = {0.1, 0.2, 0.1}}, stone = {0};
    crate.pose.q = snQIdentity();
    stone = crate;
    stone.kind = sn_shapeSphere;
    stone.radius = 0.2;
    *w = (World){.rub = {0.5, 0.2, snContactLaw_Damping(0.2)}};
    snArena_Init(&w->arena, NULL);
    snHost_Init(&host);
    host.thread_count = 1;
    assert_ok(snTasks_Create(&host, &w->tasks, &why), why);
    w->c = (snContacts){.isa = sn_isaBaseline,
                        .ground = true,
                        .self = true,
                        .material_count = 1,
                        .rubs = &w->rub,
                        .reach = reach,
                        .layer = 0.01,
                        .hard_count = HARDS,
                        .soft_count = SOFTS,
                        .hards = snArena_Push(&w->arena, HARDS, sizeof(snHard)),
                        .softs = snArena_Push(&w->arena, SOFTS, sizeof(snSoft))};
    placeSoft(w, 0, &ball, stay, snV3(0, RADIUS - 0.01, 0), snV3(0.2, -0.05, 0));
    placeSoft(w, 1, &ball, stay, snV3(0.1, 3 * RADIUS - 0.03, 0), snV3(0, -0.1, 0.1));
    placeSoft(w, 2, &worm, bend, snV3(-2, 0.069, 0), snV3(0.1, 0, 0));
    placeHard(w, 0, &crate, snV3(RADIUS + 0.09, 0.199, 0));
    placeHard(w, 1, &stone, snV3(-RADIUS - 0.19, RADIUS, 0));
    w->rigid =
        snRigid_Make(5, w->solid[0].com, snSymScale(5 / w->solid[0].volume, w->solid[0].inertia));
    w->c.hards[0].rigid = &w->rigid;
    w->c.hards[0].moves = true;
    giveMemory(w);
    assert_ok(snContacts_Push(&w->c, &w->arena, &why), why);
    w->rows = snContactRows_Push(&w->c, &w->arena);
    assert_false(w->arena.failed);
}

static void close(World* w)
{
    snTasks_Free(w->tasks);
    snArena_Free(&w->arena);
}

static void list(World* w)
{
    for (int32_t i = 0; i < SOFTS; ++i) {
        snContacts_Roam(&w->c, w->tasks, i, STEP, 0);
    }
    assert_true(snContacts_List(&w->c, w->tasks, STEP));
    for (int32_t g = 0; g < w->c.group_count; ++g) {
        snContacts_Ready(&w->c, g);
    }
}

// Everything goes on as it moves, whatever presses on it.
static void move(World* w, double h)
{
    for (int32_t i = 0; i < SOFTS; ++i) {
        snSoft* s = &w->c.softs[i];
        for (int32_t k = 0; k < s->flesh->tets.node_count; ++k) {
            s->x[k].x += (float)h * s->v[k].x;
            s->x[k].y += (float)h * s->v[k].y;
            s->x[k].z += (float)h * s->v[k].z;
        }
    }
    for (int32_t i = 0; i < HARDS; ++i) {
        snHard* hard = &w->c.hards[i];
        hard->pose.p = hard->com = snMulAdd(hard->pose.p, h, hard->twist.v);
    }
}

// Contact adds to what else acts.
static void clearPush(World* w)
{
    for (int32_t i = 0; i < SOFTS; ++i) {
        snSoft* soft = &w->c.softs[i];
        memset(soft->push, 0, (size_t)soft->flesh->tets.node_count * sizeof(snVec4f));
    }
}

static void step(World* w)
{
    list(w);
    clearPush(w);
    for (int32_t g = 0; g < w->c.group_count; ++g) {
        snContacts_Step(&w->c, g, STEP);
    }
    move(w, STEP);
}

// Rows of all groups, one after the other, each found alone.
typedef struct Rows {
    int32_t count, touching;
    snContactRow* row;
} Rows;

static Rows look(World* w, double margin, double moved)
{
    const snContactQuery query = {.h = STEP, .margin = margin, .moved = moved};
    Rows all = {.row = calloc((size_t)w->c.row_capacity, sizeof(snContactRow))};
    for (int pass = 0; pass < 2; ++pass) { // those that touch, then those with a gap
        for (int32_t g = 0; g < w->c.group_count; ++g) {
            assert_true(snContacts_Find(&w->c, g, &query, &w->rows));
            assert_int_equal(w->rows.left_out, 0);
            int32_t first = pass ? w->rows.touching : 0;
            int32_t end = pass ? w->rows.count : w->rows.touching;
            memcpy(all.row + all.count, w->rows.rows + first,
                   (size_t)(end - first) * sizeof(snContactRow));
            all.count += end - first;
        }
        all.touching = pass ? all.touching : all.count;
    }
    return all;
}

static void assertSameVec(snVec3 a, snVec3 b)
{
    assert_memory_equal(&a, &b, sizeof a);
}

static void assertSame(const snContactRow* a, const snContactRow* b)
{
    assert_int_equal(a->owner, b->owner);
    assert_int_equal(a->point, b->point);
    assert_int_equal(a->other, b->other);
    assert_int_equal(a->slot, b->slot);
    assert_int_equal(a->cell, b->cell);
    if (a->cell >= 0) {
        assert_memory_equal(a->weight, b->weight, sizeof a->weight);
    }
    assert_memory_equal(&a->skin, &b->skin, sizeof a->skin);
    assert_memory_equal(&a->gap, &b->gap, sizeof a->gap);
    assert_true(a->rub->friction == b->rub->friction && a->smooth == b->smooth);
    assert_memory_equal(&a->memo, &b->memo, sizeof a->memo);
    assertSameVec(a->place, b->place);
    assertSameVec(a->normal, b->normal);
    assertSameVec(a->v, b->v);
}

static void assertSameRows(const Rows* a, const Rows* b, int32_t count)
{
    for (int32_t i = 0; i < count; ++i) {
        assertSame(&a->row[i], &b->row[i]);
    }
}

static uint8_t* copyMemory(const World* w)
{
    return memcpy(malloc(w->bytes), w->memory, w->bytes);
}

// How many of the rows are of a kind.
static int32_t count(const World* w, const Rows* rows, bool touching, int32_t other, bool own)
{
    int32_t sum = 0;
    for (int32_t i = 0; i < rows->count; ++i) {
        const snContactRow* p = &rows->row[i];
        bool soft = snContacts_Soft(&w->c, p->other) != NULL;
        int32_t kind = soft ? 2 : p->other == SN_BODY_GROUND ? 0 : 1;
        sum += (p->gap < 0) == touching && kind == other && (p->owner == p->other) == own;
    }
    return sum;
}

static void lookingChangesNothing(void** state)
{
    (void)state;
    World w;
    open(&w, REACH);
    for (int i = 0; i < 5; ++i) {
        step(&w);
    }
    list(&w);
    uint8_t* before = copyMemory(&w);
    Rows one = look(&w, REACH, 0), two = look(&w, REACH, 0);
    assert_memory_equal(before, w.memory, w.bytes);
    assert_int_equal(one.count, two.count);
    assert_int_equal(one.touching, two.touching);
    assertSameRows(&one, &two, one.count);
    for (int kind = 0; kind < 3; ++kind) {
        assert_true(count(&w, &one, true, kind, false) > 0);
        assert_true(count(&w, &one, false, kind, false) > 0);
    }
    assert_true(count(&w, &one, true, 2, true) > 0);
    assert_true(count(&w, &one, false, 2, true) > 0);
    free(before);
    free(one.row);
    free(two.row);
    close(&w);
}

static const snContactRow* rowOf(const Rows* rows, int32_t owner, int32_t other, int32_t point)
{
    for (int32_t i = 0; i < rows->count; ++i) {
        const snContactRow* row = &rows->row[i];
        if (row->owner == owner && row->other == other && row->point == point) {
            return row;
        }
    }
    return NULL;
}

static void marginsOnlyAdd(void** state)
{
    (void)state;
    World w;
    open(&w, REACH);
    step(&w);
    list(&w);
    Rows wide = look(&w, REACH, 0), none = look(&w, 0, 0), half = look(&w, 0.5 * REACH, 0);
    assert_int_equal(none.count, none.touching);
    assert_int_equal(none.touching, wide.touching);
    assertSameRows(&none, &wide, none.count);
    for (int32_t i = wide.touching; i < wide.count; ++i) {
        assert_true(wide.row[i].gap >= 0 && wide.row[i].gap <= REACH);
        assert_int_equal(wide.row[i].slot, -1);
    }
    for (int32_t i = half.touching; i < half.count; ++i) { // in flesh another cell may tell
        const snContactRow* p = &half.row[i];
        const snContactRow* q = rowOf(&wide, p->owner, p->other, p->point);
        assert_non_null(q);
        if (p->owner != p->other) { // but where a body is bent like the worm it tells another gap
            assert_close(q->gap, p->gap, p->cell < 0 ? 0 : 0.1 * REACH);
        }
    }
    const snContactQuery beyond = {.h = STEP, .margin = REACH, .moved = 0.1 * REACH};
    assert_false(snContacts_Find(&w.c, 0, &beyond, &w.rows));
    free(wide.row);
    free(none.row);
    free(half.row);
    close(&w);
}

// By trying all points: lists leave nothing out that is nearer than the margin.
static void gapsAreComplete(void** state)
{
    (void)state;
    World w;
    open(&w, REACH);
    for (int i = 0; i < 20; ++i) { // lists have aged
        step(&w);
    }
    list(&w);
    Rows rows = look(&w, REACH, 0);
    int32_t first = SN_BODY_FIRST + HARDS, ground = 0, crate = 0;
    for (int32_t i = 0; i < SOFTS; ++i) {
        const snSoft* s = &w.c.softs[i];
        for (int32_t k = 0; k < s->flesh->point_count; ++k) {
            snVec3 p = snAdd(s->origin, snTie_Blend(&s->flesh->ties[k], s->x));
            snVec3 q = snSub(p, w.c.hards[0].pose.p);
            const snContactRow* g = rowOf(&rows, first + i, SN_BODY_GROUND, k);
            const snContactRow* h = rowOf(&rows, first + i, SN_BODY_FIRST, k);
            double x = fmax(fabs(q.x) - 0.1, 0), y = fmax(fabs(q.y) - 0.2, 0);
            double far = sqrt(x * x + y * y + pow(fmax(fabs(q.z) - 0.1, 0), 2));
            assert_true((g != NULL) == (p.y <= REACH));
            assert_true((h != NULL) == (far <= REACH));
            if (g) {
                assert_close(g->gap, p.y, 1e-12);
            }
            if (h && far > 0) {
                assert_close(h->gap, far, 1e-12);
            }
            ground += g && g->gap > 0;
            crate += h && far > 0;
        }
    }
    assert_true(ground > 10 && crate > 0);
    free(rows.row);
    close(&w);
}

static void drawVelocities(World* w, uint64_t seed, double whole, double each)
{
    snRandom r = snRandom_Seed(seed);
    for (int32_t i = 0; i < SOFTS; ++i) {
        snSoft* s = &w->c.softs[i];
        snVec3 v = drawIn(&r, whole);
        for (int32_t k = 0; k < s->flesh->tets.node_count; ++k) {
            snVec3 u = snAdd(v, drawIn(&r, each));
            s->v[k] = (snVec4f){(float)u.x, (float)u.y, (float)u.z, 0};
        }
    }
    w->c.hards[0].twist.v = drawIn(&r, whole);
}

// Bodies move against each other by a little; a gap changes by that along the normal.
static void gapsFollowMotion(void** state)
{
    (void)state;
    const double h = 2e-4;
    World w;
    open(&w, REACH);
    list(&w);
    int32_t seen[2] = {0, 0};
    for (uint64_t seed = 1; seed <= 4; ++seed) {
        drawVelocities(&w, seed, 1, 0);
        Rows before = look(&w, 0.5 * REACH, 0.5 * REACH);
        move(&w, h);
        Rows after = look(&w, 0.5 * REACH, 0.5 * REACH);
        for (int32_t i = 0; i < before.count; ++i) {
            const snContactRow* a = &before.row[i];
            const snContactRow* b = rowOf(&after, a->owner, a->other, a->point);
            if (!b || a->owner == a->other || b->cell != a->cell ||
                snDot(a->normal, b->normal) < 0.99) {
                continue; // another face or cell tells
            }
            snVec3 mean = snScale(0.5, snAdd(a->normal, b->normal));
            bool soft = snContacts_Soft(&w.c, a->other) != NULL;
            // a distance that is interpolated has slopes that differ from 1, more so outside
            assert_close((b->gap - a->gap) / h, snDot(a->v, mean), soft ? 0.2 : 2e-3);
            seen[soft]++;
        }
        move(&w, -h);
        free(before.row);
        free(after.row);
    }
    assert_true(seen[0] > 100 && seen[1] > 50);
    close(&w);
}

static snVec3 velocityOf(const snContactSide* side, const snContactRow* row, int32_t body,
                         const World* w)
{
    snVec3 v = {0, 0, 0};
    double sum = 0;
    if (side->soft) {
        for (int k = 0; k < 4; ++k) {
            const snVec4f* u = &side->soft->v[side->node[k]];
            v = snMulAdd(v, (double)side->weight[k],
                         snV3((double)u->x, (double)u->y, (double)u->z));
            sum += (double)side->weight[k];
        }
        assert_close(sum, 1, 1e-5);
    }
    const snHard* hard = snContacts_Hard(&w->c, body);
    if (hard) {
        assert_true(side->hard == (hard->rigid ? hard : NULL));
        v = snAdd(hard->twist.v, snCross(hard->twist.w, snSub(row->place, hard->pose.p)));
    }
    return v;
}

// A force on the row works on its two sides what it works on the velocity between them.
static void sidesGetTheSame(void** state)
{
    (void)state;
    World w;
    open(&w, REACH);
    for (int i = 0; i < 3; ++i) {
        step(&w);
    }
    drawVelocities(&w, 7, 1, 0.5);
    w.c.hards[0].twist.w = snV3(0.3, -0.2, 0.5);
    list(&w);
    Rows rows = look(&w, REACH, 0);
    assert_true(rows.count > rows.touching);
    for (int32_t i = 0; i < rows.count; ++i) {
        const snContactRow* p = &rows.row[i];
        snContactSide one = snContacts_Side(&w.c, p), two = snContacts_OtherSide(&w.c, p);
        snVec3 between =
            snSub(velocityOf(&one, p, p->owner, &w), velocityOf(&two, p, p->other, &w));
        assert_close(snLength(snSub(between, p->v)), 0, 1e-5);
        assert_close(snLength(p->normal), 1, 1e-9);
        assert_true(p->other != SN_BODY_GROUND || (!two.soft && !two.hard));
    }
    free(rows.row);
    close(&w);
}

// Forces of springs: what nodes and obstacles get adds up to what the ground gives.
static void forcesAddUp(void** state)
{
    (void)state;
    World w;
    open(&w, 0);
    step(&w);
    step(&w);
    snVec3 sum = {0, 0, 0}, ground = {0, 0, 0};
    for (int32_t g = 0; g < w.c.group_count; ++g) {
        for (int32_t i = 0; i < w.c.groups[g].row_count; ++i) {
            const snContactRow* p = &snContacts_Rows(&w.c, g)[i];
            assert_true(snDot(p->force, p->normal) >= 0);
            bool fixed = p->other == SN_BODY_GROUND || p->other == SN_BODY_FIRST + 1;
            ground = fixed ? snAdd(ground, p->force) : ground;
            ground = p->owner == SN_BODY_FIRST + 1 ? snSub(ground, p->force) : ground;
        }
    }
    for (int32_t i = 0; i < SOFTS; ++i) {
        for (int32_t k = 0; k < w.c.softs[i].flesh->tets.node_count; ++k) {
            const snVec4f* f = &w.c.softs[i].push[k];
            sum = snAdd(sum, snV3((double)f->x, (double)f->y, (double)f->z));
        }
    }
    sum = snAdd(sum, w.c.hards[0].load.f);
    assert_true(snLength(ground) > 0);
    assert_close(snLength(snSub(sum, ground)) / snLength(ground), 0, 1e-4);
    close(&w);
}

// Sliding along: every id once, the same for a point as long as it touches.
static void idsStay(void** state)
{
    (void)state;
    World w;
    open(&w, REACH);
    list(&w);
    Rows first = look(&w, 0, 0);
    for (int i = 0; i < 20; ++i) {
        const snContactQuery query = {.h = STEP, .margin = REACH};
        step(&w);
        list(&w);
        for (int32_t g = 0; g < w.c.group_count; ++g) {
            assert_true(snContacts_Find(&w.c, g, &query, &w.rows));
            int32_t touching = 0;
            snContacts_SortRows(&w.rows);
            for (int32_t k = 0; k < w.rows.count; ++k) {
                const snContactRow* p = &w.rows.rows[k];
                assert_true(k == 0 || snContactRow_Id(p - 1) < snContactRow_Id(p));
                touching += p->slot >= 0;
            }
            assert_int_equal(touching, w.rows.touching);
        }
    }
    Rows last = look(&w, 0, 0);
    int32_t kept = 0;
    for (int32_t i = 0; i < first.count; ++i) {
        const snContactRow* p = &first.row[i];
        kept += p->other == SN_BODY_GROUND && rowOf(&last, p->owner, p->other, p->point);
    }
    assert_true(kept > 5); // most of those on the ground touch still
    free(first.row);
    free(last.row);
    close(&w);
}

// What was put off by `way` along some direction, for each node another one.
static void nudge(World* w, uint64_t seed, double way)
{
    snRandom r = snRandom_Seed(seed + 100);
    for (int32_t i = 0; i < SOFTS; ++i) {
        for (int32_t k = 0; k < w->c.softs[i].flesh->tets.node_count; ++k) {
            snVec3 d = snScale(way, snNormalize(drawIn(&r, 1)));
            snVec4f* x = &w->c.softs[i].x[k];
            *x = (snVec4f){x->x + (float)d.x, x->y + (float)d.y, x->z + (float)d.z, 0};
        }
    }
}

static void copyNodes(World* to, const World* from)
{
    for (int32_t i = 0; i < SOFTS; ++i) {
        memcpy(to->c.softs[i].x, from->c.softs[i].x,
               (size_t)from->c.softs[i].flesh->tets.node_count * sizeof(snVec4f));
    }
}

// One world is stepped, another one is also looked at elsewhere, with margins, in every step; and a
// third one by finding, pressing and committing. All feel and remember the same.
static void trialsLeaveNoTrace(void** state)
{
    (void)state;
    const double way = 0.2 * REACH; // two bodies may be twice that off; points a little more
    World plain, tried;
    open(&plain, 0);
    open(&tried, REACH);
    for (uint64_t i = 0; i < 25; ++i) {
        list(&tried);
        Rows fresh = look(&tried, 0, 0);
        nudge(&tried, i, way);
        Rows other = look(&tried, 0.2 * REACH, 0.8 * REACH);
        copyNodes(&tried, &plain);
        Rows again = look(&tried, 0, 0);
        assert_int_equal(fresh.count, again.count);
        assertSameRows(&fresh, &again, fresh.count);
        clearPush(&tried);
        for (int32_t g = 0; g < tried.c.group_count; ++g) {
            snContactRows rows = snContacts_RowsOf(&tried.c, g);
            const snContactQuery query = {.h = STEP, .ahead = true, .moved = 0.5 * REACH};
            snContacts_Find(&tried.c, g, &query, &rows);
            snContacts_Solve(&tried.c, g, &rows, STEP);
            snContacts_Commit(&tried.c, g, &rows, STEP);
        }
        step(&plain);
        assert_memory_equal(plain.memory, tried.memory, plain.bytes);
        for (int32_t k = 0; k < SOFTS; ++k) {
            size_t bytes = (size_t)plain.c.softs[k].flesh->tets.node_count * sizeof(snVec4f);
            assert_memory_equal(plain.c.softs[k].push, tried.c.softs[k].push, bytes);
        }
        move(&tried, STEP);
        free(fresh.row);
        free(other.row);
        free(again.row);
    }
    close(&plain);
    close(&tried);
}

// Steps count, looks do not; depth and way out are those of the rows; what has gone is forgotten.
static void memoryIsCommitted(void** state)
{
    (void)state;
    World w;
    open(&w, REACH);
    for (int i = 0; i < 3; ++i) {
        list(&w);
        Rows rows = look(&w, REACH, 0);
        free(rows.row);
        step(&w);
    }
    int32_t known = 0, active = 0;
    for (int32_t g = 0; g < w.c.group_count; ++g) {
        for (int32_t i = 0; i < w.c.groups[g].row_count; ++i, ++known) {
            const snContactRow* p = &snContacts_Rows(&w.c, g)[i];
            const snContactMemory* feeler = snContacts_Memory(&w.c, p->owner);
            const snContactMemo* t = snContactMemory_Find(feeler, p->point, p->other);
            assert_non_null(t);
            assert_true(t->age >= 1 && t->age <= 3);
            assert_true(t->depth == (float)-p->gap);
            assert_true(t->normal[1] == (float)p->normal.y);
            assert_int_equal(t->fresh, 0);
            assert_int_equal(t->cell, p->skin.cell + 1);
        }
    }
    for (int32_t body = SN_BODY_FIRST; body < SN_BODY_FIRST + HARDS + SOFTS; ++body) {
        const snContactMemory* f = snContacts_Memory(&w.c, body);
        for (int64_t i = 0; i < *f->active_count; ++i) {
            for (int k = 0; k < SN_MEMOS; ++k) {
                active += f->memos[SN_MEMOS * (size_t)f->active[i] + (size_t)k].other != 0;
            }
        }
    }
    assert_int_equal(active, known);
    for (int32_t i = 0; i < SOFTS; ++i) { // all of it rises
        w.c.softs[i].origin.y += 5 * (i + 1);
    }
    w.c.hards[0].pose.p.y = w.c.hards[0].com.y = 50;
    w.c.self = false;
    w.c.stale = true;
    step(&w);
    for (int32_t body = SN_BODY_FIRST; body < SN_BODY_FIRST + HARDS + SOFTS; ++body) {
        assert_int_equal(*snContacts_Memory(&w.c, body)->active_count, 0);
    }
    close(&w);
}

// Rows with a gap leave when those that touch need their room.
static void roomIsForWhatTouches(void** state)
{
    (void)state;
    const snContactQuery wide = {.h = STEP, .margin = REACH}, none = {.h = STEP};
    World w;
    open(&w, REACH);
    list(&w);
    for (int32_t g = 0; g < w.c.group_count; ++g) {
        snContactRows small = snContacts_RowsOf(&w.c, g);
        assert_true(snContacts_Find(&w.c, g, &none, &w.rows));
        small.capacity = w.rows.touching + 4;
        assert_true(snContacts_Find(&w.c, g, &wide, &small));
        assert_int_equal(small.touching, w.rows.touching);
        for (int32_t i = 0; i < small.touching; ++i) {
            assertSame(&small.rows[i], &w.rows.rows[i]);
        }
        for (int32_t i = small.touching; i < small.count; ++i) {
            assert_true(small.rows[i].gap >= 0 && small.rows[i].slot < 0);
        }
        snContacts_Find(&w.c, g, &wide, &w.rows);
        assert_true(small.left_out > 0);
        assert_int_equal(small.count + small.left_out, w.rows.count);
    }
    close(&w);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lookingChangesNothing),
        cmocka_unit_test(marginsOnlyAdd),
        cmocka_unit_test(gapsAreComplete),
        cmocka_unit_test(gapsFollowMotion),
        cmocka_unit_test(sidesGetTheSame),
        cmocka_unit_test(forcesAddUp),
        cmocka_unit_test(idsStay),
        cmocka_unit_test(trialsLeaveNoTrace),
        cmocka_unit_test(memoryIsCommitted),
        cmocka_unit_test(roomIsForWhatTouches),
    };
    return cmocka_run_group_tests(tests, setup, teardown);
}
