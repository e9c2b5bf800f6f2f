// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

// example_engine FILE.body [SECONDS [SEED [CLOCK]]]: what a game does with saved bodies. A crowd of
// twenty walks through a loop of 60 frames a second, each on the poses that the "game" makes of the
// body's first clip, on two threads; now and then one leaves, comes, is teleported, pushed, rolled
// back, or the game hangs for half a second. Prints ms a frame, what happened and memory. CLOCK:
// stops after so many seconds of the clock. 'sinew rig hero.glb --save hero.body' writes such a
// file.
#define _POSIX_C_SOURCE 200809L

#include <sinew/sinew.h>

#include <math.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#define CROWD 20
#define THREADS 2
#define RATE 60
#define HITCH 30     // frames of half a second
#define FARTHEST 1.0 // flesh farther from its skinned place, in sizes of the body, has exploded

typedef struct Walker {
    snFollow* follow; // NULL: nobody
    double phase;     // s
    snVec3 place;     // in the world
    void* state;      // for rollback; NULL: none
    double state_phase;
    snVec3 state_place;
} Walker;

typedef struct Game {
    snBody* body;
    const snRigClip* clip;
    Walker crowd[CROWD];
    int pause; // frames that the game has missed
    uint64_t random;
    atomic_size_t bytes, most[2]; // of all that the library holds; the most in either half
    atomic_int half;
    long counts[8]; // of events
    // threads
    pthread_barrier_t begin, end; // of a frame
    atomic_int next;              // walker
    bool is_over;
} Game;

// What a thread needs to itself
typedef struct Worker {
    Game* game;
    pthread_t thread;
    snMatrix* nodes;  // of a pose
    double* weights;  // likewise
    float* positions; // of the surface
} Worker;

enum { ADDED, REMOVED, TELEPORTED, HITCHES, SAVED, RESTORED, PUSHED, SHIFTED };

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

// Memory that is counted -----------------------------------------------------------

static void* take(void* user, size_t bytes, size_t alignment)
{
    Game* g = user;
    size_t now = atomic_fetch_add(&g->bytes, bytes) + bytes;
    atomic_size_t* most = &g->most[g->half];
    size_t before = *most;
    while (now > before && !atomic_compare_exchange_weak(most, &before, now)) {
    }
    return aligned_alloc(alignment, (bytes + alignment - 1) / alignment * alignment);
}

static void give(void* user, void* memory, size_t bytes)
{
    atomic_fetch_sub(&((Game*)user)->bytes, bytes);
    free(memory);
}

// Walkers --------------------------------------------------------------------------

static snVec3 anywhere(Game* g)
{
    return (snVec3){draw(g, 1000) * 0.05, 0, draw(g, 1000) * 0.05};
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
    ++g->counts[ADDED];
}

static void drop(Game* g, Walker* w)
{
    snFollow_Free(w->follow);
    free(w->state);
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
    switch (draw(g, 6)) {
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
    default:
        check(snFollow_Shift(w->follow, by, &why), &why);
        w->place = (snVec3){w->place.x + by.x, w->place.y, w->place.z};
        ++g->counts[SHIFTED];
        break;
    }
}

// Frames ---------------------------------------------------------------------------

static void walk(const Worker* worker, Walker* w)
{
    snMessage why;
    const Game* g = worker->game;
    w->phase += (1.0 + g->pause) / RATE;
    pose(worker, w);
    check(snFollow_Advance(w->follow, &why), &why);
    check(snFollow_Surface(w->follow, 0, worker->positions, NULL, &why), &why);
    double size = snBody_Info(g->body)->size;
    if (!(snFollow_Facts(w->follow).farthest < FARTHEST * size) ||
        !isfinite(worker->positions[0])) {
        stop("flesh has exploded");
    }
}

// Whoever is free takes the next one: no walker knows of another.
static void* work(void* argument)
{
    const Worker* worker = argument;
    Game* g = worker->game;
    for (;;) {
        pthread_barrier_wait(&g->begin);
        if (g->is_over) {
            return NULL;
        }
        for (int i = atomic_fetch_add(&g->next, 1); i < CROWD; i = atomic_fetch_add(&g->next, 1)) {
            if (g->crowd[i].follow) {
                walk(worker, &g->crowd[i]);
            }
        }
        pthread_barrier_wait(&g->end);
    }
}

static void frame(Game* g)
{
    for (int i = 0; i < CROWD; ++i) {
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
}

static void openWorker(Game* g, Worker* worker)
{
    const snRigInfo* info = snRig_Info(snBody_Rig(g->body));
    worker->game = g;
    worker->nodes = calloc((size_t)info->node_count + 1, sizeof *worker->nodes);
    worker->weights = calloc((size_t)info->weight_count + 1, sizeof *worker->weights);
    worker->positions = calloc(3 * (size_t)info->vertex_count + 3, sizeof *worker->positions);
    if (!worker->nodes || !worker->weights || !worker->positions ||
        pthread_create(&worker->thread, NULL, work, worker)) {
        stop("no memory or no thread");
    }
}

static void closeWorker(Worker* worker)
{
    pthread_join(worker->thread, NULL);
    free(worker->nodes);
    free(worker->weights);
    free(worker->positions);
}

// The program ----------------------------------------------------------------------

static double seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static void play(Game* g, double span, double clock)
{
    double all = 0, worst = 0, start = seconds();
    int64_t frames = 0, most = (int64_t)(span * RATE);
    for (; frames < most && seconds() - start < clock; ++frames) {
        double begin = seconds();
        g->pause = draw(g, 4 * RATE) == 0 ? HITCH : 0;
        g->counts[HITCHES] += g->pause > 0;
        frame(g);
        double took = seconds() - begin;
        bool late = fmax((double)frames / (double)most, (seconds() - start) / clock) > 0.5;
        if (late && !g->half) {
            g->half = 1;
            g->most[1] = g->bytes;
        }
        all += took;
        worst = took > worst ? took : worst;
    }
    printf("%lld frames, %.2f ms each for a crowd of up to %d, at most %.2f ms\n",
           (long long)frames, 1e3 * all / (double)frames, CROWD, 1e3 * worst);
    printf("%ld added, %ld removed, %ld teleports, %ld hitches, %ld saved, %ld restored, %ld "
           "pushes, %ld shifts\n",
           g->counts[ADDED], g->counts[REMOVED], g->counts[TELEPORTED], g->counts[HITCHES],
           g->counts[SAVED], g->counts[RESTORED], g->counts[PUSHED], g->counts[SHIFTED]);
}

static void open(Game* g, const char* path)
{
    snMessage why;
    snHost host;
    snHost_Init(&host);
    host.user = g;
    host.allocate = take;
    host.release = give;
    host.thread_count = 1; // a game steps its characters in parallel, not each of them
    double begin = seconds();
    check(snBody_Load(&host, path, &g->body, &why), &why);
    printf("loaded in %.2f ms\n", 1e3 * (seconds() - begin));
    g->clip = snRig_Clip(snBody_Rig(g->body), 0);
    if (!g->clip) {
        stop("the body has no clip to make poses of");
    }
    pthread_barrier_init(&g->begin, NULL, THREADS + 1);
    pthread_barrier_init(&g->end, NULL, THREADS + 1);
}

int main(int argc, char** argv)
{
    static Game g;
    static Worker workers[THREADS];
    double span = argc > 2 ? atof(argv[2]) : 10, clock = argc > 4 ? atof(argv[4]) : 1e6;
    g.random = argc > 3 ? (uint64_t)atoll(argv[3]) : 1;
    if (argc < 2 || !(span > 0 && span < 1e7 && clock > 0)) {
        fprintf(stderr, "engine FILE.body [SECONDS [SEED [CLOCK]]]\n");
        return 2;
    }
    open(&g, argv[1]);
    for (int i = 0; i < CROWD; ++i) {
        add(&g, &g.crowd[i]);
    }
    for (int i = 0; i < THREADS; ++i) {
        openWorker(&g, &workers[i]);
    }
    play(&g, span, clock);
    g.is_over = true;
    pthread_barrier_wait(&g.begin);
    for (int i = 0; i < THREADS; ++i) {
        closeWorker(&workers[i]);
    }
    for (int i = 0; i < CROWD; ++i) {
        drop(&g, &g.crowd[i]);
    }
    snBody_Release(g.body);
    printf("%.1f MB at most in the first half, %.1f in the second, %zu bytes left\n",
           1e-6 * (double)g.most[0], 1e-6 * (double)g.most[1], (size_t)g.bytes);
    return g.bytes == 0 ? 0 : 1;
}
