// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

// Contact of many bodies side by side: lists body by body, touching group by group. Each of them
// works on its own part: a copy of the head of all contacts with room of its own for what it makes.
// Who runs when makes no difference to what comes out.
#include "contact/place.h"

#include "geom/parts.h"

// What a soft body's lists are made with, by a thread.
snContacts snContacts_Part(const snContacts* c, int32_t soft, int worker)
{
    snContacts part = *c;
    size_t set = c->soft_count > SN_MAX_THREADS ? (size_t)worker : (size_t)soft;
    part.scratch += set * (size_t)c->scratch_size;
    part.gaps += set * (size_t)c->scratch_size;
    return part;
}

// Lists -----------------------------------------------------------------------

static bool areOld(snContacts* c, double h)
{
    bool old = snHards_Roamed(c, h) || c->stale;
    for (int32_t i = 0; i < c->soft_count && !old; ++i) {
        old = c->softs[i].spent;
    }
    return old;
}

static void addRoom(snListRoom* all, snListRoom more)
{
    all->pairs += more.pairs;
    all->points += more.points;
    all->nears += more.nears;
}

static int64_t shareOf(int32_t capacity, int64_t part, int64_t all)
{
    return all > 0 ? (int64_t)((double)capacity * (double)part / (double)all) : 0;
}

// Points and cells that do not fit are looked at without lists; pairs of bodies must fit. Bodies
// that ask for more get more.
static void shareRoom(snContacts* c)
{
    snListRoom all = snList_MeasureHards(c), sum = {0, 0, 0};
    for (int32_t i = 0; i < c->soft_count; ++i) {
        addRoom(&all, c->softs[i].room);
    }
    c->crowded = all.pairs > c->pair_capacity;
    for (int32_t i = 0; i < c->soft_count; ++i) {
        snSoft* s = &c->softs[i];
        snList_Tighten(s);
        addRoom(&sum,
                (snListRoom){s->room.pairs, shareOf(c->point_capacity, s->room.points, all.points),
                             shareOf(c->near_capacity, s->room.nears, all.nears)});
        s->room = sum;
    }
}

// The room from one end to the other.
static void takeRoom(snContacts* part, snListRoom begin, snListRoom end)
{
    part->pairs += begin.pairs;
    part->points += begin.points;
    part->nears += begin.nears;
    part->pair_capacity = (int32_t)(end.pairs - begin.pairs);
    part->point_capacity = (int32_t)(end.points - begin.points);
    part->near_capacity = (int32_t)(end.nears - begin.nears);
    part->pair_count = part->point_count = part->near_count = 0;
}

static snListRoom roomBefore(const snContacts* c, int32_t soft)
{
    return soft > 0 ? c->softs[soft - 1].room : (snListRoom){0, 0, 0};
}

static void lookAround(void* contacts, int soft, int worker)
{
    (void)worker;
    snList_MeasureSoft(contacts, soft);
}

static void listSoft(void* contacts, int soft, int worker)
{
    const snContacts* c = contacts;
    snContacts part = snContacts_Part(c, soft, worker);
    takeRoom(&part, roomBefore(c, soft), c->softs[soft].room);
    snList_Soft(&part, soft);
    c->softs[soft].pair_count = part.pair_count;
}

static int32_t listHards(const snContacts* c)
{
    snContacts part = snContacts_Part(c, 0, 0);
    snListRoom end = {c->pair_capacity, c->point_capacity, c->near_capacity};
    takeRoom(&part, roomBefore(c, c->soft_count), end);
    snList_Hards(&part);
    return part.pair_count;
}

// Groups ----------------------------------------------------------------------

// The higher number leads: a soft body where there is one.
static void join(int32_t* leaders, int32_t one, int32_t two)
{
    if (one >= SN_BODY_FIRST && two >= SN_BODY_FIRST) {
        int32_t a = snParts_Find(leaders, one), b = snParts_Find(leaders, two);
        leaders[a < b ? a : b] = a < b ? b : a;
    }
}

// Also who remembers whom, which lists need not have.
static void joinTouched(const snContacts* c, int32_t body)
{
    const snContactMemory* memory = snContacts_Memory(c, body);
    for (int64_t i = 0; i < *memory->active_count; ++i) {
        const snContactMemo* memos = memory->memos + SN_MEMOS * (size_t)memory->active[i];
        for (int k = 0; k < SN_MEMOS; ++k) {
            join(c->leaders, body, memos[k].other);
        }
    }
}

// Calls visit for all pairs, in the order in which they were listed.
static void eachPair(snContacts* c, int32_t hard_pairs, void (*visit)(snContacts*, snCandidates*))
{
    for (int32_t i = 0; i <= c->soft_count; ++i) {
        snCandidates* first = c->pairs + roomBefore(c, i).pairs;
        int32_t count = i < c->soft_count ? c->softs[i].pair_count : hard_pairs;
        for (int32_t k = 0; k < count; ++k) {
            visit(c, &first[k]);
        }
    }
}

static void joinPair(snContacts* c, snCandidates* pair)
{
    join(c->leaders, pair->owner, pair->other);
}

static int32_t* groupOf(const snContacts* c, int32_t body)
{
    snSoft* soft = snContacts_Soft(c, body);
    return soft ? &soft->group : &snContacts_Hard(c, body)->group;
}

static void numberGroup(snContacts* c, int32_t body)
{
    int32_t* group = groupOf(c, snParts_Find(c->leaders, body));
    if (*group < 0) {
        *group = c->group_count++;
        c->groups[*group] = (snContactGroup){.member_count = 0};
    }
    *groupOf(c, body) = *group;
    c->groups[*group].member_count++;
}

// Those with soft bodies come first.
static void numberGroups(snContacts* c)
{
    const int32_t softs = SN_BODY_FIRST + c->hard_count;
    for (int32_t body = SN_BODY_FIRST; body < snContacts_BodyCount(c); ++body) {
        *groupOf(c, body) = -1;
    }
    for (int32_t body = softs; body < snContacts_BodyCount(c); ++body) {
        numberGroup(c, body);
        c->groups[*groupOf(c, body)].soft_count++;
    }
    c->soft_group_count = c->group_count;
    for (int32_t body = SN_BODY_FIRST; body < softs; ++body) {
        numberGroup(c, body);
    }
}

static void countPair(snContacts* c, snCandidates* pair)
{
    c->groups[*groupOf(c, pair->owner)].pair_count++;
}

static void placePair(snContacts* c, snCandidates* pair)
{
    snContactGroup* group = &c->groups[*groupOf(c, pair->owner)];
    c->sorted[group->pair_first + group->pair_count++] = *pair;
}

// Where each group's bodies and pairs begin; counts are begun anew, to place them.
static void cutGroups(snContacts* c)
{
    int32_t members = 0, pairs = 0;
    for (int32_t i = 0; i < c->group_count; ++i) {
        snContactGroup* group = &c->groups[i];
        group->member_first = members;
        group->pair_first = pairs;
        members += group->member_count;
        pairs += group->pair_count;
        group->member_count = group->pair_count = 0;
        c->lone_count += group->soft_count == 1;
    }
}

// Few points have as many rows as they can remember.
static void placeMembers(snContacts* c)
{
    int32_t rows = 0;
    for (int32_t body = SN_BODY_FIRST; body < snContacts_BodyCount(c); ++body) {
        snContactGroup* group = &c->groups[*groupOf(c, body)];
        c->members[group->member_first + group->member_count++] = body;
    }
    for (int32_t i = 0; i < c->group_count; ++i) {
        snContactGroup* group = &c->groups[i];
        group->row_first = rows;
        for (int32_t k = 0; k < group->member_count; ++k) {
            rows += SN_POINT_ROWS * snContacts_Memory(c, snGroup_Member(c, group, k))->point_count;
        }
        group->row_capacity = rows - group->row_first;
    }
}

static void makeGroups(snContacts* c, int32_t hard_pairs)
{
    for (int32_t body = SN_BODY_FIRST; body < snContacts_BodyCount(c); ++body) {
        c->leaders[body] = body;
    }
    for (int32_t body = SN_BODY_FIRST; body < snContacts_BodyCount(c); ++body) {
        joinTouched(c, body);
    }
    eachPair(c, hard_pairs, joinPair);
    numberGroups(c);
    eachPair(c, hard_pairs, countPair);
    cutGroups(c);
    eachPair(c, hard_pairs, placePair);
    placeMembers(c);
}

bool snContacts_List(snContacts* c, snTasks* tasks, double h)
{
    if (!areOld(c, h)) {
        return !c->crowded;
    }
    c->stale = false;
    c->group_count = c->soft_group_count = c->lone_count = 0;
    snList_Begin(c);
    snTasks_Run(tasks, c->soft_count, lookAround, c);
    shareRoom(c);
    if (!c->crowded) {
        snTasks_Run(tasks, c->soft_count, listSoft, c);
        makeGroups(c, listHards(c));
    }
    return !c->crowded;
}

// Who lies still asks nothing; who is crushed does not feel itself.
static void freshenOwn(const snContacts* c, int32_t body)
{
    snSoft* soft = snContacts_Soft(c, body);
    if (soft && c->self && !soft->crushed && soft->near.asks && !soft->asleep) {
        snSoft_Freshen(soft);
    }
}

void snContacts_Ready(snContacts* c, int32_t number)
{
    const snContactGroup* group = &c->groups[number];
    const snCandidates* pairs = snGroup_Pairs(c, group);
    for (int32_t i = 0; i < group->member_count; ++i) {
        snContactMemory_Fetch(snContacts_Memory(c, snGroup_Member(c, group, i)));
        freshenOwn(c, snGroup_Member(c, group, i));
    }
    for (int32_t i = 0; i < group->pair_count; ++i) {
        snSoft* other = snContacts_Soft(c, pairs[i].other);
        if (other && (pairs[i].all || pairs[i].near.asks) &&
            !(other->asleep && snContacts_IsStill(c, pairs[i].owner))) {
            snSoft_Freshen(other);
        }
    }
}

void snContacts_Step(snContacts* c, int32_t number, double h)
{
    const snContactQuery query = {.h = h, .ahead = true};
    snContactRows rows = snContacts_RowsOf(c, number);
    snContacts_Ready(c, number);
    snContacts_Find(c, number, &query, &rows);
    snContacts_Solve(c, number, &rows, h);
    snContacts_Commit(c, number, &rows, h);
    c->groups[number].row_count = rows.count;
}

void snContacts_Clear(snContacts* c)
{
    for (int32_t i = 0; i < c->group_count; ++i) {
        c->groups[i].row_count = 0;
    }
}
