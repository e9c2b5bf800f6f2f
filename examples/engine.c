// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

// example_engine FILE.body [SECONDS [SEED]]: what a game does with saved bodies. A crowd of twenty
// walks through a loop of 60 frames a second, each on the poses that the "game" makes of the
// body's first clip; now and then one leaves, comes, is teleported, pushed, rolled back, or the
// game hangs for half a second. Prints ms a frame and memory. 'sinew rig hero.glb --save
// hero.body' writes such a file.
#define _POSIX_C_SOURCE 200809L

#include <sinew/sinew.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#define CROWD 20
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
    snMatrix* nodes;  // scratch of a pose
    double* weights;  // likewise
    float* positions; // of the surface
    uint64_t random;
    size_t bytes, most_bytes; // of all that the library holds
    long counts[8];           // of events
} Game;

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
    g->bytes += bytes;
    g->most_bytes = g->bytes > g->most_bytes ? g->bytes : g->most_bytes;
    return aligned_alloc(alignment, (bytes + alignment - 1) / alignment * alignment);
}

static void give(void* user, void* memory, size_t bytes)
{
    ((Game*)user)->bytes -= bytes;
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
static void pose(Game* g, Walker* w)
{
    snMessage why;
    double span = g->clip->duration, t = span > 0 ? fmod(w->phase, span) : 0;
    snRig* rig = snBody_Rig(g->body);
    check(snRig_Pose(rig, 0, g->clip->first + t, g->nodes, g->weights, &why), &why);
    for (int32_t n = 0; n < snRig_Info(rig)->node_count; ++n) {
        snVec3* p = &g->nodes[n].p;
        *p = (snVec3){p->x + w->place.x, p->y + w->place.y, p->z + w->place.z};
    }
    check(snFollow_SetPose(w->follow, g->nodes, g->weights, &why), &why);
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

// One frame of everybody; `pause`: frames that the game has missed
static void frame(Game* g, int pause)
{
    snMessage why;
    double size = snBody_Info(g->body)->size;
    for (int i = 0; i < CROWD; ++i) {
        Walker* w = &g->crowd[i];
        if (!w->follow && draw(g, 30) == 0) {
            add(g, w);
        }
        if (w->follow && draw(g, 120) == 0) {
            surprise(g, w);
        }
        if (!w->follow) {
            continue;
        }
        w->phase += (1.0 + pause) / RATE;
        pose(g, w);
        check(snFollow_Advance(w->follow, &why), &why);
        check(snFollow_Surface(w->follow, 0, g->positions, NULL, &why), &why);
        if (!(snFollow_Facts(w->follow).farthest < FARTHEST * size) || !isfinite(g->positions[0])) {
            stop("flesh has exploded");
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

static void play(Game* g, int frames)
{
    double all = 0, worst = 0;
    for (int i = 0; i < frames; ++i) {
        int pause = draw(g, 4 * RATE) == 0 ? HITCH : 0;
        double begin = seconds();
        g->counts[HITCHES] += pause > 0;
        frame(g, pause);
        double took = seconds() - begin;
        all += took;
        worst = took > worst ? took : worst;
    }
    printf("%d frames, %.2f ms each for a crowd of up to %d, at most %.2f ms\n", frames,
           1e3 * all / frames, CROWD, 1e3 * worst);
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
    const snRigInfo* info = snRig_Info(snBody_Rig(g->body));
    g->clip = snRig_Clip(snBody_Rig(g->body), 0);
    g->nodes = calloc((size_t)info->node_count + 1, sizeof *g->nodes);
    g->weights = calloc((size_t)info->weight_count + 1, sizeof *g->weights);
    g->positions = calloc(3 * (size_t)info->vertex_count + 3, sizeof *g->positions);
    if (!g->clip || !g->nodes || !g->weights || !g->positions) {
        stop(g->clip ? "out of memory" : "the body has no clip to make poses of");
    }
}

int main(int argc, char** argv)
{
    static Game g;
    double span = argc > 2 ? atof(argv[2]) : 10;
    g.random = argc > 3 ? (uint64_t)atoll(argv[3]) : 1;
    if (argc < 2 || !(span > 0 && span < 1e6)) {
        fprintf(stderr, "engine FILE.body [SECONDS [SEED]]\n");
        return 2;
    }
    open(&g, argv[1]);
    for (int i = 0; i < CROWD; ++i) {
        add(&g, &g.crowd[i]);
    }
    play(&g, (int)(span * RATE));
    for (int i = 0; i < CROWD; ++i) {
        drop(&g, &g.crowd[i]);
    }
    snBody_Release(g.body);
    free(g.nodes);
    free(g.weights);
    free(g.positions);
    printf("%.1f MB at most, %zu bytes left\n", 1e-6 * (double)g.most_bytes, g.bytes);
    return g.bytes == 0 ? 0 : 1;
}
