// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

// example_engine FILE.body [SECONDS [SEED [CLOCK [FAULT]]]]: what a game does with saved bodies. A
// crowd of twenty walks through a loop of 60 frames a second, each on the poses that the "game"
// makes of the body's first clip, on two threads; now and then one leaves, comes, is teleported,
// pushed, rolled back, blown at, pressed by a ball, or the game hangs for half a second. Prints ms
// a frame, what happened and memory, and fails on stalls, explosions and memory that grows
// (watch.h). CLOCK: stops after so many seconds of the clock. FAULT: one that is made on purpose.
// 'sinew rig hero.glb --save hero.body' writes such a file.
#define _POSIX_C_SOURCE 200809L

#include <sinew/sinew.h>

#include <math.h>
#include <pthread.h>

#include "watch.h"

#define CROWD 20
#define THREADS 2
#define RATE 60
#define HITCH 30  // frames of half a second
#define CAP 4     // frames whose steps one may take
#define STALL 6.0 // usual frames: the blow of a hitch needs shorter steps

// What has exploded, in sizes of the body: flesh farther from its skinned place than limits let it
// (0.3 of thicknesses up to 0.15); vertices farther from where the character stands than a clip in
// place takes them; flesh that moves faster against its joints in a second (what is suddenly
// pressed goes to its limit within a frame: 2.7).
#define FARTHEST 0.05
#define EXTENT 1.5
#define FASTEST 4.0

typedef enum Happening {
    ADDED,
    REMOVED,
    TELEPORTED,
    HITCHES,
    DROPPED,
    SAVED,
    RESTORED,
    PUSHED,
    SHIFTED,
    BLOWN,
    PRESSED,
    HAPPENINGS
} Happening;

static const char* const NAMES[HAPPENINGS] = {
    "added",    "removed", "teleports", "hitches", "hitches dropped",  "saved",
    "restored", "pushes",  "shifts",    "winds",   "presses of a ball"};

typedef struct Walker {
    snFollow* follow; // NULL: nobody
    double phase;     // s
    snVec3 place;     // in the world
    void* state;      // for rollback; NULL: none
    double state_phase;
    snVec3 state_place;
    bool is_pressed; // by a ball
    float* before;   // displacements of the frame before; (place_count, 4)
    bool is_new;     // there was none
} Walker;

typedef struct Game {
    snBody* body;
    const snRigClip* clip;
    Walker crowd[CROWD];
    int pause;    // frames that the game has missed
    bool is_told; // flesh knows of that
    uint64_t random;
    Watch watch;
    size_t body_bytes, follow_bytes; // that the library holds: for the body, and each walker
    long counts[HAPPENINGS];
    // threads
    pthread_barrier_t begin, end; // of a frame
    atomic_int next;              // walker
    bool is_over;
    WatchPiece pieces[THREADS];
} Game;

// What a thread needs to itself
typedef struct Worker {
    Game* game;
    pthread_t thread;
    snMatrix* nodes;                  // of a pose
    double* weights;                  // likewise
    float* positions;                 // of the surface
    float* now;                       // displacements
    double farthest, extent, fastest; // so far, in sizes
    WatchPiece* piece;                // the walk of one walker
} Worker;

static void stop(const char* what)
{
    fprintf(stderr, "engine: %s\n", what);
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

// Walkers --------------------------------------------------------------------------

static snVec3 anywhere(Game* g)
{
    return (snVec3){draw(g, 1000) * 0.05, 0, draw(g, 1000) * 0.05};
}

// A ball in the belly of a walker, or none
static void press(const Game* g, const Walker* w, bool ball)
{
    snMessage why;
    const snBodyInfo* info = snBody_Info(g->body);
    double size = info->size / info->unit;
    snShapeDef shape = {
        .kind = sn_shapeSphere,
        .pose = {{w->place.x, w->place.y + 0.6 * size, w->place.z + 0.1 * size}, {0, 0, 0, 1}},
        .radius = 0.08 * size};
    check(snFollow_SetObstacles(w->follow, &shape, ball, &why), &why);
}

// Air that moves about one of them, or no longer does
static void blow(Game* g, Walker* w)
{
    snMessage why;
    snForceDef wind;
    double size = snBody_Info(g->body)->size / snBody_Info(g->body)->unit;
    snFollow_ClearForces(w->follow);
    if (draw(g, 2)) {
        snForceDef_Init(&wind);
        wind.kind = sn_forceWind;
        wind.value = (snVec3){3 * size, 0, 2 * size};
        wind.rate = 2;
        check(snFollow_AddForce(w->follow, &wind, &why), &why);
        ++g->counts[BLOWN];
    }
}

static void add(Game* g, Walker* w)
{
    snMessage why;
    snFollowDef def;
    snFollowDef_Init(&def);
    def.clip = -1;
    def.rate = RATE;
    check(snFollow_Create(g->body, &def, &w->follow, &why), &why);
    w->phase = draw(g, 1000) * 0.001 * g->clip->duration;
    w->place = anywhere(g);
    w->before = calloc(4 * (size_t)snBody_Table(g->body)->place_count, sizeof *w->before);
    w->is_new = true;
    press(g, w, true); // takes its memory now
    press(g, w, false);
    ++g->counts[ADDED];
}

static void drop(Game* g, Walker* w)
{
    snFollow_Free(w->follow);
    free(w->state);
    free(w->before);
    *w = (Walker){0};
    ++g->counts[REMOVED];
}

static void save(Game* g, Walker* w)
{
    snMessage why;
    size_t size = snFollow_StateSize(w->follow);
    w->state = w->state ? w->state : malloc(size);
    if (!w->state) {
        stop("out of memory");
    }
    check(snFollow_Save(w->follow, w->state, size, &why), &why);
    w->state_phase = w->phase;
    w->state_place = w->place;
    ++g->counts[SAVED];
}

static void restore(Game* g, Walker* w)
{
    snMessage why;
    check(snFollow_Restore(w->follow, w->state, snFollow_StateSize(w->follow), &why), &why);
    w->phase = w->state_phase;
    w->place = w->state_place;
    w->is_new = true;
    ++g->counts[RESTORED];
}

// The clip, over and over, somewhere in the world
static void pose(const Worker* worker, Walker* w)
{
    snMessage why;
    const Game* g = worker->game;
    double span = g->clip->duration, t = span > 0 ? fmod(w->phase, span) : 0;
    snRig* rig = snBody_Rig(g->body);
    check(snRig_Pose(rig, 0, g->clip->first + t, worker->nodes, worker->weights, &why), &why);
    for (int32_t n = 0; n < snRig_Info(rig)->node_count; ++n) {
        snVec3* p = &worker->nodes[n].p;
        *p = (snVec3){p->x + w->place.x, p->y + w->place.y, p->z + w->place.z};
    }
    check(snFollow_SetPose(w->follow, worker->nodes, worker->weights, &why), &why);
}

// Something happens ----------------------------------------------------------------

static void surprise(Game* g, Walker* w)
{
    snMessage why;
    snVec3 by = {draw(g, 2) ? 1024 : -1024, 0, 0};
    switch (draw(g, 8)) {
    case 0:
        drop(g, w);
        break;
    case 1:
        w->place = anywhere(g);
        check(snFollow_Teleport(w->follow, &why), &why);
        ++g->counts[TELEPORTED];
        break;
    case 2:
        save(g, w);
        break;
    case 3:
        if (w->state) {
            restore(g, w);
        }
        break;
    case 4:
        check(snFollow_Push(w->follow, w->place, (snVec3){0, 0, 2}, 2, &why), &why);
        ++g->counts[PUSHED];
        break;
    case 5:
        blow(g, w);
        break;
    case 6:
        w->is_pressed = !w->is_pressed;
        g->counts[PRESSED] += w->is_pressed;
        break;
    default:
        check(snFollow_Shift(w->follow, by, &why), &why);
        w->place = (snVec3){w->place.x + by.x, w->place.y, w->place.z};
        ++g->counts[SHIFTED];
        break;
    }
}

// Frames ---------------------------------------------------------------------------

// Flesh is about where skinning has it, and goes there no faster than it can; of what is not a
// number no comparison is true.
static void look(Worker* worker, Walker* w)
{
    const Game* g = worker->game;
    const snBodyInfo* info = snBody_Info(g->body);
    const double size = info->size / info->unit, mark[3] = {w->place.x, w->place.y, w->place.z};
    const int32_t count = snRig_Mesh(snBody_Rig(g->body), 0)->vertex_count;
    double away = snFollow_Facts(w->follow).farthest / info->size;
    bool good = away < FARTHEST;
    worker->farthest = fmax(worker->farthest, away);
    for (int32_t i = 0; i < 3 * count; ++i) {
        away = fabs((double)worker->positions[i] - mark[i % 3]) / size;
        good &= away < EXTENT;
        worker->extent = fmax(worker->extent, away);
    }
    for (int32_t i = 0; i < 4 * snBody_Table(g->body)->place_count; ++i) {
        double speed = fabs((double)(worker->now[i] - w->before[i])) * RATE / size;
        speed = w->is_new ? 0 : speed;
        good &= speed < FASTEST;
        worker->fastest = fmax(worker->fastest, speed);
        w->before[i] = worker->now[i];
    }
    w->is_new = false;
    if (!good) {
        stop("flesh has exploded");
    }
}

static void walk(Worker* worker, Walker* w)
{
    snMessage why;
    const Game* g = worker->game;
    const Watch* watch = &g->watch;
    float size = (float)(snBody_Info(g->body)->size / snBody_Info(g->body)->unit);
    w->phase += (1.0 + g->pause) / RATE;
    pose(worker, w);
    press(g, w, w->is_pressed);
    if (g->is_told) {
        check(snFollow_AdvanceWithin(w->follow, (1.0 + g->pause) / RATE,
                                     CAP * snFollow_Facts(w->follow).steps, NULL, &why),
              &why);
    } else {
        check(snFollow_Advance(w->follow, &why), &why); // a hitch is a blow
    }
    check(snFollow_Surface(w->follow, 0, worker->positions, NULL, &why), &why);
    check(snFollow_Displacements(w->follow, worker->now, &why), &why);
    worker->positions[0] = watchHas(watch, FAULT_NAN) ? NAN : worker->positions[0];
    worker->positions[1] += watchHas(watch, FAULT_EXTENT) ? 2 * size : 0;
    worker->now[2] += watchHas(watch, FAULT_SPEED) && watch->frames % 2 ? 0.1f * size : 0;
    look(worker, w);
}

// Whoever is free takes the next one: no walker knows of another.
static void* work(void* argument)
{
    Worker* worker = argument;
    Game* g = worker->game;
    for (;;) {
        pthread_barrier_wait(&g->begin);
        if (g->is_over) {
            return NULL;
        }
        for (int i = atomic_fetch_add(&g->next, 1); i < CROWD; i = atomic_fetch_add(&g->next, 1)) {
            if (g->crowd[i].follow) {
                watchPieceBegins(worker->piece);
                walk(worker, &g->crowd[i]);
                watchPieceEnds(&g->watch, worker->piece, i == 0);
            }
        }
        pthread_barrier_wait(&g->end);
    }
}

// Walkers of one body are alike, so what the library holds is known to the byte.
static void account(const Game* g)
{
    size_t there = 0;
    for (int i = 0; i < CROWD; ++i) {
        there += g->crowd[i].follow != NULL;
    }
    if (g->watch.held != g->body_bytes + there * g->follow_bytes) {
        stop("the library holds other memory than for the body and for those who are there");
    }
}

static void frame(Game* g)
{
    for (int i = 0; i < CROWD && !watchIsCalm(&g->watch); ++i) {
        Walker* w = &g->crowd[i];
        if (!w->follow && draw(g, 30) == 0) {
            add(g, w);
        }
        if (w->follow && draw(g, 120) == 0) {
            surprise(g, w);
        }
    }
    g->next = 0;
    pthread_barrier_wait(&g->begin);
    pthread_barrier_wait(&g->end);
    for (int i = 0; i < THREADS; ++i) {
        watchJoin(&g->watch, &g->pieces[i]);
    }
    account(g);
}

static void openArrays(Worker* worker)
{
    const Game* g = worker->game;
    const snRigInfo* info = snRig_Info(snBody_Rig(g->body));
    worker->nodes = calloc((size_t)info->node_count + 1, sizeof *worker->nodes);
    worker->weights = calloc((size_t)info->weight_count + 1, sizeof *worker->weights);
    worker->positions = calloc(3 * (size_t)info->vertex_count + 3, sizeof *worker->positions);
    worker->now = calloc(4 * (size_t)snBody_Table(g->body)->place_count + 4, sizeof *worker->now);
    if (!worker->nodes || !worker->weights || !worker->positions || !worker->now) {
        stop("out of memory");
    }
}

static void closeArrays(Worker* worker)
{
    free(worker->nodes);
    free(worker->weights);
    free(worker->positions);
    free(worker->now);
}

static void openWorker(Game* g, Worker* worker, WatchPiece* piece)
{
    worker->game = g;
    worker->piece = piece;
    openArrays(worker);
    if (pthread_create(&worker->thread, NULL, work, worker)) {
        stop("no thread");
    }
}

static void closeWorker(Worker* worker)
{
    pthread_join(worker->thread, NULL);
    closeArrays(worker);
}

// The program ----------------------------------------------------------------------

static void play(Game* g)
{
    Watch* watch = &g->watch;
    while (!watchIsOver(watch)) {
        watchFrameBegins(watch);
        g->pause = !watchIsCalm(watch) && draw(g, 4 * RATE) == 0 ? HITCH : 0;
        g->is_told = g->pause > 0 && draw(g, 2);
        g->counts[HITCHES] += g->pause > 0;
        g->counts[DROPPED] += g->is_told;
        frame(g);
        watchFrameEnds(watch);
    }
    for (int i = 0; i < HAPPENINGS; ++i) {
        printf("%ld %s%s", g->counts[i], NAMES[i], i + 1 < HAPPENINGS ? ", " : "\n");
    }
}

static void open(Game* g, const char* path)
{
    snMessage why;
    snHost host;
    snHost_Init(&host);
    host.user = &g->watch;
    host.allocate = watchTake;
    host.release = watchGive;
    host.thread_count = 1; // a game steps its characters in parallel, not each of them
    double begin = watchSeconds(CLOCK_MONOTONIC);
    check(snBody_Load(&host, path, &g->body, &why), &why);
    printf("loaded in %.2f ms\n", 1e3 * (watchSeconds(CLOCK_MONOTONIC) - begin));
    g->clip = snRig_Clip(snBody_Rig(g->body), 0);
    if (!g->clip) {
        stop("the body has no clip to make poses of");
    }
    pthread_barrier_init(&g->begin, NULL, THREADS + 1);
    pthread_barrier_init(&g->end, NULL, THREADS + 1);
}

// One is made and drawn, to see what the library takes for it.
static void measure(Game* g)
{
    Worker worker = {.game = g};
    openArrays(&worker);
    g->body_bytes = g->watch.held;
    add(g, &g->crowd[0]);
    walk(&worker, &g->crowd[0]);
    g->follow_bytes = g->watch.held - g->body_bytes;
    closeArrays(&worker);
}

int main(int argc, char** argv)
{
    static Game g;
    static Worker workers[THREADS];
    double span = argc > 2 ? atof(argv[2]) : 10, clock = argc > 4 ? atof(argv[4]) : 1e6;
    double farthest = 0, extent = 0, fastest = 0;
    g.random = argc > 3 ? (uint64_t)atoll(argv[3]) : 1;
    if (argc < 2 || !(span > 0 && span < 1e7 && clock > 0)) {
        fprintf(stderr, "engine FILE.body [SECONDS [SEED [CLOCK [FAULT]]]]\n");
        return 2;
    }
    watchBegin(&g.watch, "engine", STALL, span * RATE, clock, argc > 5 ? argv[5] : NULL);
    open(&g, argv[1]);
    measure(&g);
    for (int i = 1; i < CROWD; ++i) {
        add(&g, &g.crowd[i]);
    }
    for (int i = 0; i < THREADS; ++i) {
        openWorker(&g, &workers[i], &g.pieces[i]);
    }
    play(&g);
    g.is_over = true;
    pthread_barrier_wait(&g.begin);
    for (int i = 0; i < THREADS; ++i) {
        closeWorker(&workers[i]);
        farthest = fmax(farthest, workers[i].farthest);
        extent = fmax(extent, workers[i].extent);
        fastest = fmax(fastest, workers[i].fastest);
    }
    for (int i = 0; i < CROWD; ++i) {
        drop(&g, &g.crowd[i]);
    }
    snBody_Release(g.body);
    printf("flesh at most %.4f of the size from its skinned place, %.2f from where the character "
           "stands, %.2f a second\n",
           farthest, extent, fastest);
    return watchEnd(&g.watch);
}
