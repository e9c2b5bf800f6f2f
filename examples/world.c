// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

// example_world [SECONDS [SEED [CLOCK]]]: what a game does with a scene that runs. Soft blocks and
// crates lie about on a ground where a paddle sweeps; all the time some come, leave, are thrown,
// teleported, blown about, rolled back, the origin moves, or the game hangs for half a second.
// Prints ms a frame, what happened and memory. CLOCK: stops after so many seconds of the clock.
#define _POSIX_C_SOURCE 200809L

#include <sinew/sinew.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define RATE 60
#define MOST 6        // blocks, and crates
#define BUDGET 1000   // steps that a frame may take
#define HITCH 0.5     // s
#define FASTEST 100.0 // m/s; what is faster has exploded
#define DEEPEST -2.0  // m; what is lower fell through the ground
#define EVENTS 64     // pairs that may touch at a time
#define WALL 0        // the paddle's number: the first obstacle

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

typedef struct Game {
    snScene* scene;
    snSim* sim;
    snCharacter* block;
    void* saved;       // a state to roll back to; NULL: none
    size_t saved_size; // bytes
    double sweep;      // s since the paddle turned round
    uint64_t random;
    size_t bytes, most[2]; // that the library holds; the most in either half
    int half;
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

// Memory that is counted -----------------------------------------------------------

static void* take(void* user, size_t bytes, size_t alignment)
{
    Game* g = user;
    size_t* most = &g->most[g->half];
    g->bytes += bytes;
    *most = g->bytes > *most ? g->bytes : *most;
    return aligned_alloc(alignment, (bytes + alignment - 1) / alignment * alignment);
}

static void give(void* user, void* memory, size_t bytes)
{
    ((Game*)user)->bytes -= bytes;
    free(memory);
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
        corners[3 * i] = i & 1 ? 0.2 : -0.2;
        corners[3 * i + 1] = i & 2 ? 0.12 : -0.12;
        corners[3 * i + 2] = i & 4 ? 0.15 : -0.15;
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
    def.stuff.damping = 30;
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
        g->counts[SLEEPERS] += c->is_asleep;
        for (int32_t k = 0; k < 3 * c->node_count; ++k) {
            if (!isfinite(c->nodes[k]) || !(fabsf(c->node_velocities[k]) < (float)FASTEST)) {
                stop("flesh has exploded");
            }
        }
        if (!(c->momentum.com.y - frame->shift.y > DEEPEST)) {
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

static double seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

// One frame; returns how long it took.
static double frame(Game* g)
{
    snMessage why;
    double begin = seconds(), left, span = 1.0 / RATE;
    if (draw(g, 10) == 0) {
        surprise(g);
    }
    if (draw(g, 4 * RATE) == 0) {
        span = HITCH;
        ++g->counts[HITCHES];
    }
    sweep(g);
    check(snSim_AdvanceWithin(g->sim, span, BUDGET, 1, &left, &why), &why);
    if (left > 0) { // the world is late, and stays so
        snSim_Skip(g->sim);
    }
    look(g);
    return seconds() - begin;
}

static void play(Game* g, double span, double clock)
{
    double all = 0, worst = 0, begin = seconds();
    int64_t frames = 0, most = (int64_t)(span * RATE);
    for (; frames < most && seconds() - begin < clock; ++frames) {
        double took = frame(g),
               part = fmax((double)frames / (double)most, (seconds() - begin) / clock);
        if (part > 0.5 && !g->half) {
            g->half = 1;
            g->most[1] = g->bytes;
        }
        all += took;
        worst = took > worst ? took : worst;
    }
    const snFrame* f = snSim_Frame(g->sim);
    printf("%lld frames, %.2f ms each, at most %.2f ms; %lld frames done again\n",
           (long long)frames, 1e3 * all / (double)frames, 1e3 * worst, (long long)f->guard.retries);
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
    host.user = g;
    host.allocate = take;
    host.release = give;
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
        fprintf(stderr, "world [SECONDS [SEED [CLOCK]]]\n");
        return 2;
    }
    open(&g);
    play(&g, span, clock);
    forgetSaved(&g);
    snSim_Free(g.sim);
    snScene_Free(g.scene);
    snCharacter_Release(g.block);
    printf("%.2f MB at most in the first half, %.2f in the second, %zu bytes left\n",
           1e-6 * (double)g.most[0], 1e-6 * (double)g.most[1], g.bytes);
    return g.bytes == 0 ? 0 : 1;
}
