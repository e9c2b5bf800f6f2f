// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

// example_world [SECONDS [SEED [CLOCK [FAULT]]]]: what a game does with a scene that runs. Soft
// blocks and crates lie about on a ground where a paddle sweeps; all the time some come, leave, are
// thrown, teleported, blown about, rolled back, the origin moves, or the game hangs for half a
// second. Prints ms a frame, what happened and memory, and fails on stalls, explosions and memory
// that grows (watch.h). CLOCK: stops after so many seconds of the clock. FAULT: one that is made on
// purpose.
#define _POSIX_C_SOURCE 200809L

#include <sinew/sinew.h>

#include <math.h>

#include "watch.h"

#define RATE 60
#define MOST 6     // blocks, and crates
#define BUDGET 3   // usual frames whose steps a frame may take
#define HITCH 0.5  // s
#define STALL 12.0 // usual frames: those of the budget, in a pile
#define EVENTS 64  // pairs that may touch at a time
#define WALL 0     // the paddle's number: the first obstacle

// What has exploded: nodes farther from the block's middle, in half diagonals of it at rest; nodes
// faster, m/s; what is lower fell through the ground, m.
#define EXTENT 4.0
#define FASTEST 60.0
#define DEEPEST -2.0

typedef enum Happening {
    ADDED,
    REMOVED,
    CRATES_ADDED,
    CRATES_REMOVED,
    TELEPORTS,
    PUSHES,
    KICKS,
    WINDS,
    SHIFTS,
    SAVES,
    RESTORES,
    HITCHES,
    BEGINS,
    ENDS,
    SLEEPERS,
    HAPPENINGS,
} Happening;

static const char* const NAMES[HAPPENINGS] = {
    "added",  "removed", "crates added", "crates removed", "teleports", "pushes", "kicks", "winds",
    "shifts", "saved",   "restored",     "hitches",        "begins",    "ends",   "asleep"};

static const double HALF[3] = {0.2, 0.12, 0.15}; // of a block's sides, m

typedef struct Game {
    snScene* scene;
    snSim* sim;
    snCharacter* block;
    void* saved;       // a state to roll back to; NULL: none
    size_t saved_size; // bytes
    double sweep;      // s since the paddle turned round
    uint64_t random;
    Watch watch;
    double extent, fastest, deepest; // so far
    long counts[HAPPENINGS];
} Game;

static void stop(const char* what)
{
    fprintf(stderr, "world: %s\n", what);
    exit(1);
}

static void check(snStatus status, const snMessage* why)
{
    if (status) {
        stop(why->text);
    }
}

static uint32_t draw(Game* g, uint32_t below)
{
    g->random = g->random * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(g->random >> 33) % below;
}

static double range(Game* g, double low, double high)
{
    return low + (high - low) * draw(g, 1000) / 1000;
}

// Who is there ---------------------------------------------------------------------

// A box of eight corners; the library makes flesh of it.
static snCharacter* makeBlock(const snHost* host)
{
    static const int32_t QUADS[6][4] = {{0, 4, 6, 2}, {1, 3, 7, 5}, {0, 1, 5, 4},
                                        {2, 6, 7, 3}, {0, 2, 3, 1}, {4, 5, 7, 6}};
    double corners[24];
    int32_t triangles[36];
    for (int i = 0; i < 8; ++i) {
        for (int k = 0; k < 3; ++k) {
            corners[3 * i + k] = i >> k & 1 ? HALF[k] : -HALF[k];
        }
    }
    for (int i = 0; i < 6; ++i) {
        const int32_t* q = QUADS[i];
        int32_t two[6] = {q[0], q[1], q[2], q[0], q[2], q[3]};
        memcpy(triangles + 6 * (size_t)i, two, sizeof two);
    }
    snMessage why;
    snCharacterDef def;
    snCharacter* block;
    snCharacterDef_Init(&def);
    def.name = "block";
    def.cells = 60;
    def.material.damping = 30;
    def.vertex_count = 8;
    def.triangle_count = 12;
    def.vertices = corners;
    def.triangles = triangles;
    check(snCharacter_Build(host, &def, &block, &why), &why);
    return block;
}

static snVec3 anywhere(Game* g, double height)
{
    snVec3 shift = snSim_Frame(g->sim)->shift;
    return (snVec3){shift.x + range(g, -2, 2), shift.y + height, shift.z + range(g, -2, 2)};
}

static void forgetSaved(Game* g)
{
    free(g->saved);
    g->saved = NULL;
}

static void add(Game* g)
{
    snMessage why;
    snStart start;
    snStart_Init(&start);
    start.pose.p = anywhere(g, 1.5);
    start.velocity = (snVec3){range(g, -2, 2), 0, range(g, -2, 2)};
    start.spin = (snVec3){range(g, -3, 3), 0, range(g, -3, 3)};
    check(snSim_Add(g->sim, g->block, &start, NULL, &why), &why);
    forgetSaved(g);
    ++g->counts[ADDED];
}

static void addCrate(Game* g)
{
    snMessage why;
    snObstacleDef def;
    snShapeDef box = {
        .kind = sn_shapeBox, .pose = {{0, 0, 0}, {0, 0, 0, 1}}, .half = {0.15, 0.15, 0.15}};
    snObstacleDef_Init(&def);
    def.name = "crate";
    def.shape_count = 1;
    def.shapes = &box;
    def.mass = range(g, 1, 10);
    def.pose.p = anywhere(g, 2.5);
    check(snSim_AddObstacle(g->sim, &def, NULL, &why), &why);
    forgetSaved(g);
    ++g->counts[CRATES_ADDED];
}

static void leave(Game* g, const snFrame* frame)
{
    snMessage why;
    if (draw(g, 2) && frame->obstacle_count > 1) {
        int32_t which = 1 + (int32_t)draw(g, (uint32_t)frame->obstacle_count - 1);
        check(snSim_RemoveObstacle(g->sim, which, &why), &why);
        ++g->counts[CRATES_REMOVED];
    } else if (frame->character_count > 1) {
        int32_t who = (int32_t)draw(g, (uint32_t)frame->character_count);
        check(snSim_Remove(g->sim, who, &why), &why);
        ++g->counts[REMOVED];
    }
    forgetSaved(g);
}

static void come(Game* g, const snFrame* frame)
{
    if (draw(g, 2) && frame->obstacle_count <= MOST) {
        addCrate(g);
    } else if (frame->character_count < MOST) {
        add(g);
    }
}

// Something happens ----------------------------------------------------------------

static void push(Game* g, const snFrame* frame)
{
    snMessage why;
    snVec3 impulse = {range(g, -20, 20), range(g, 0, 40), range(g, -20, 20)};
    if (draw(g, 2) && frame->obstacle_count > 1) {
        int32_t which = 1 + (int32_t)draw(g, (uint32_t)frame->obstacle_count - 1);
        snVec3 place = frame->obstacles[which].pose.p;
        place.y += 0.1;
        check(snSim_PushObstacle(g->sim, which, place, impulse, &why), &why);
        ++g->counts[KICKS];
    } else {
        int32_t who = (int32_t)draw(g, (uint32_t)frame->character_count);
        snVec3 place = frame->characters[who].momentum.com;
        place.y += 0.1;
        check(snSim_Push(g->sim, who, place, impulse, 0.3, &why), &why);
        ++g->counts[PUSHES];
    }
}

static void teleport(Game* g, const snFrame* frame)
{
    snMessage why;
    int32_t who = (int32_t)draw(g, (uint32_t)frame->character_count);
    snVec3 from = frame->characters[who].momentum.com, to = anywhere(g, range(g, 0.3, 2));
    snTransform by = {{to.x - from.x, to.y - from.y, to.z - from.z}, {0, 0, 0, 1}};
    check(snSim_Teleport(g->sim, who, by, &why), &why);
    ++g->counts[TELEPORTS];
}

static void blow(Game* g)
{
    snMessage why;
    snForceDef wind;
    snScene_ClearForces(g->scene);
    if (draw(g, 2)) {
        snForceDef_Init(&wind);
        wind.kind = draw(g, 2) ? sn_forceWind : sn_forcePoint;
        wind.value = (snVec3){range(g, -5, 5), 0, range(g, -5, 5)};
        wind.place.y = 1;
        wind.towards = range(g, -3, 6);
        wind.radius = 4;
        check(snScene_AddForce(g->scene, &wind, &why), &why);
        ++g->counts[WINDS];
    }
}

static void rollBack(Game* g)
{
    snMessage why;
    size_t size = snSim_StateSize(g->sim);
    if (g->saved && draw(g, 2)) {
        check(snSim_Restore(g->sim, g->saved, g->saved_size, &why), &why);
        ++g->counts[RESTORES];
        return;
    }
    forgetSaved(g);
    g->saved = malloc(size);
    if (!g->saved) {
        stop("out of memory");
    }
    g->saved_size = size;
    snSim_Save(g->sim, g->saved);
    ++g->counts[SAVES];
}

static void surprise(Game* g)
{
    snMessage why;
    const snFrame* frame = snSim_Frame(g->sim);
    snVec3 by = {draw(g, 2) ? 1024 : -1024, 0, 0};
    switch (draw(g, 8)) {
    case 0:
        come(g, frame);
        break;
    case 1:
        leave(g, frame);
        break;
    case 2:
        push(g, frame);
        break;
    case 3:
        teleport(g, frame);
        break;
    case 4:
        blow(g);
        break;
    case 5:
        by.x = fabs(frame->shift.x) > 1e5 ? -frame->shift.x : by.x;
        check(snSim_Shift(g->sim, by, &why), &why);
        ++g->counts[SHIFTS];
        break;
    default:
        rollBack(g);
        break;
    }
}

// To and fro, two seconds each way, with two to rest
static void sweep(Game* g)
{
    snMessage why;
    g->sweep += 1.0 / RATE;
    if (g->sweep > 4) {
        snVec3 shift = snSim_Frame(g->sim)->shift;
        double x = snSim_Frame(g->sim)->obstacles[WALL].pose.p.x - shift.x;
        snTransform to = {{shift.x + (x > 0 ? -2.5 : 2.5), shift.y + 0.2, shift.z}, {0, 0, 0, 1}};
        check(snSim_MoveObstacle(g->sim, WALL, to, 2, &why), &why);
        g->sweep = 0;
    }
}

// The nodes of a block; of what is not a number no comparison is true.
static void lookAt(Game* g, const snFrameCharacter* c)
{
    const snVec3 com = c->momentum.com;
    const double middle[3] = {com.x - c->origin.x, com.y - c->origin.y, com.z - c->origin.z};
    const double half = sqrt(HALF[0] * HALF[0] + HALF[1] * HALF[1] + HALF[2] * HALF[2]);
    bool good = true;
    for (int32_t k = 0; k < 3 * c->node_count; ++k) {
        double at = (double)c->nodes[k], speed = fabs((double)c->node_velocities[k]);
        at = watchHas(&g->watch, FAULT_NAN) ? (double)NAN : at;
        at += watchHas(&g->watch, FAULT_EXTENT) ? 2 * EXTENT * half : 0;
        speed += watchHas(&g->watch, FAULT_SPEED) ? FASTEST : 0;
        double away = fabs(at - middle[k % 3]) / half;
        good &= away < EXTENT && speed < FASTEST;
        g->extent = fmax(g->extent, away);
        g->fastest = fmax(g->fastest, speed);
    }
    if (!good) {
        stop("flesh has exploded");
    }
}

// Everything is somewhere, and no faster than anything here can be; who fell off comes back.
static void look(Game* g)
{
    snMessage why;
    const snFrame* frame = snSim_Frame(g->sim);
    for (int32_t i = 0; i < frame->event_count; ++i) {
        g->counts[BEGINS] += frame->events[i].began != 0;
        g->counts[ENDS] += frame->events[i].ended != 0;
    }
    for (int32_t i = 0; i < frame->character_count; ++i) {
        const snFrameCharacter* c = &frame->characters[i];
        double height = c->momentum.com.y - frame->shift.y;
        g->counts[SLEEPERS] += c->is_asleep;
        lookAt(g, c);
        g->deepest = fmin(g->deepest, height);
        if (!(height > DEEPEST)) {
            stop("somebody fell through the ground");
        }
    }
    for (int32_t i = 0; i < frame->character_count; ++i) {
        snVec3 at = snSim_Frame(g->sim)->characters[i].momentum.com;
        snVec3 home = snSim_Frame(g->sim)->shift;
        snTransform back = {{home.x - at.x, 1, home.z - at.z}, {0, 0, 0, 1}};
        if (hypot(home.x - at.x, home.z - at.z) > 50) {
            check(snSim_Teleport(g->sim, i, back, &why), &why);
        }
    }
}

// The program ----------------------------------------------------------------------

static void frame(Game* g)
{
    snMessage why;
    bool calm = watchIsCalm(&g->watch);
    double left, span = 1.0 / RATE;
    int64_t steps = (int64_t)(BUDGET * span / snSim_Step(g->sim));
    if (!calm && draw(g, 10) == 0) {
        surprise(g);
    }
    if (!calm && draw(g, 4 * RATE) == 0) {
        span = HITCH;
        ++g->counts[HITCHES];
    }
    sweep(g);
    check(snSim_AdvanceWithin(g->sim, span, steps, 1, &left, &why), &why);
    if (left > 0) { // the world is late, and stays so
        snSim_Skip(g->sim);
    }
    look(g);
}

static void play(Game* g)
{
    while (!watchIsOver(&g->watch)) {
        watchFrameBegins(&g->watch);
        frame(g);
        watchFrameEnds(&g->watch);
    }
    printf("%lld frames done again, nodes at most %.2f of their block's half diagonal from its "
           "middle, %.1f m/s, middles %.2f m above the ground or higher\n",
           (long long)snSim_Frame(g->sim)->guard.retries, g->extent, g->fastest, g->deepest);
    for (int i = 0; i < HAPPENINGS; ++i) {
        printf("%ld %s%s", g->counts[i], NAMES[i], i + 1 < HAPPENINGS ? ", " : "\n");
    }
}

static void open(Game* g)
{
    snMessage why;
    snHost host;
    snSceneDef def;
    snObstacleDef wall;
    snShapeDef box = {
        .kind = sn_shapeBox, .pose = {{0, 0, 0}, {0, 0, 0, 1}}, .half = {0.1, 0.2, 1.5}};
    snHost_Init(&host);
    host.user = &g->watch;
    host.allocate = watchTake;
    host.release = watchGive;
    host.thread_count = 1;
    snSceneDef_Init(&def);
    def.ground = 1;
    def.events = EVENTS;
    def.sleep = 0.5;
    check(snScene_Create(&host, &def, &g->scene, &why), &why);
    g->block = makeBlock(&host);
    check(snScene_Add(g->scene, g->block, NULL, NULL, &why), &why);
    snObstacleDef_Init(&wall);
    wall.name = "paddle";
    wall.hosted = 1;
    wall.shape_count = 1;
    wall.shapes = &box;
    wall.pose.p = (snVec3){2.5, 0.2, 0};
    check(snScene_AddObstacle(g->scene, &wall, NULL, &why), &why);
    check(snSim_Create(g->scene, &g->sim, &why), &why);
}

int main(int argc, char** argv)
{
    static Game g;
    double span = argc > 1 ? atof(argv[1]) : 10, clock = argc > 3 ? atof(argv[3]) : 1e6;
    g.random = argc > 2 ? (uint64_t)atoll(argv[2]) : 1;
    if (!(span > 0 && span < 1e7 && clock > 0)) {
        fprintf(stderr, "world [SECONDS [SEED [CLOCK [FAULT]]]]\n");
        return 2;
    }
    watchBegin(&g.watch, "world", STALL, span * RATE, clock, argc > 4 ? argv[4] : NULL);
    g.deepest = (double)INFINITY;
    open(&g);
    for (int i = 1; i < MOST; ++i) {
        add(&g);
        addCrate(&g);
    }
    play(&g);
    forgetSaved(&g);
    snSim_Free(g.sim);
    snScene_Free(g.scene);
    snCharacter_Release(g.block);
    return watchEnd(&g.watch);
}
