// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

// Surfaces from files, as bodies without bones that fall on the ground.
#ifndef SN_TESTS_SCENES_FALL_H
#define SN_TESTS_SCENES_FALL_H

#include "base/file.h"
#include "check.h"
#include "io/mesh/obj.h"
#include "scenes/cells.h"
#include "sim/puppet.h"

#define SURFACES SN_SHARED_DATA "/surfaces/"

#define CELLS 1500
#define LONGEST 3.0  // m: files in other units than metres are made 1 m large
#define SHORTEST 0.1 // m
#define DROP 0.05    // of its size, above the ground
#define QUIET 1e-3   // m/s
#define BRIEF 1.5    // s: to fall, and to bounce
#define DEEPEST 0.15 // of its size: when thin things hit the ground
// Young's modulus over the pressure under a column of flesh as high as the body is large: it keeps
// its shape. Jelly of the default 30 kPa sags to a puddle when it is 2 m high.
#define STAND 10

typedef struct SurfaceFile {
    const char* name;
    const char* error; // what the reader must say; NULL: it becomes a body
    bool often;        // dropped in the full tests too: one of each kind
} SurfaceFile;

static const SurfaceFile SURFACE_FILES[] = {
    {"cube.obj", NULL, true},
    {"sphere.obj", NULL, false},
    {"torus.obj", NULL, true},
    {"spot.obj", NULL, false},
    {"spot_low_resolution.obj", NULL, false},
    {"spot_control_mesh.obj", NULL, true},
    {"penguin.obj", NULL, false},
    {"cat-low-resolution.obj", NULL, false},
    {"hand_closed.obj", NULL, true},
    {"human_woman.obj", NULL, false},
    {"goathead.obj", NULL, false},
    {"skull_low_resolution.obj", NULL, false},
    {"boot.obj", NULL, false},
    {"broken/cube_no_bottom.obj", NULL, true},
    {"broken/hand_lowres.obj", NULL, false},
    {"broken/human_neutral.obj", NULL, false},
    {"broken/plane_holes.obj", NULL, true},
    {"broken/doubleLoopWithCube.obj", NULL, false},
    {"broken/makehuman_base.obj", NULL, false},
    {"broken/joined_tetrahedra.obj", NULL, true},
    {"broken/not_convex.obj", NULL, true},
    {"broken/spot_nonmanifold.obj", NULL, true},
    {"broken/multibody.stl", "not OBJ", true},
    {"broken/soup.stl", "not text", true},
};

#define SURFACE_FILE_COUNT (sizeof SURFACE_FILES / sizeof SURFACE_FILES[0])

// How a fall is watched and ended.
typedef struct FallDef {
    double longest; // s
    double still;   // s that it must be quiet at a stretch to end sooner
    double damping; // 1/s; 0 = the default
} FallDef;

typedef struct Fall {
    snSurface surface;
    double size, mass, step; // m, kg, s
    int32_t cells;
    double rest, speed; // when it became quiet, s; how fast its fastest point was at the end, m/s
    double deepest, depth; // most that a vertex was below the ground, ever and at the end, m
    int32_t inverted;      // vertices in cells that are inside out at the end
    int64_t retries;
} Fall;

static inline bool haveSurfaces(void)
{
    FILE* first = fopen(SURFACES "spot.obj", "rb");
    if (first) {
        fclose(first);
    } else {
        print_message("SKIP: there is no " SURFACES ", so no real surface was dropped\n");
    }
    return first;
}

static inline double sizeOf(const snSurface* s)
{
    snBox b = snSurface_Bounds(s);
    snVec3 d = snSub(b.hi, b.lo);
    return fmax(d.x, fmax(d.y, d.z));
}

static inline void scaleToMetres(snSurface* s)
{
    double size = sizeOf(s);
    for (int32_t i = 0; (size > LONGEST || size < SHORTEST) && i < s->vertex_count; ++i) {
        s->position[i] = snScale(1 / size, s->position[i]);
    }
}

static inline snCharacter* buildBody(const snSurface* s, double damping)
{
    snMessage why;
    snCharacterDef def;
    snCharacter* body;
    snCharacterDef_Init(&def);
    def.vertex_count = s->vertex_count;
    def.triangle_count = s->triangle_count;
    def.vertices = &s->position->x;
    def.triangles = s->triangle;
    def.cells = CELLS;
    def.material.young = fmax(def.material.young, STAND * def.material.density * 9.81 * sizeOf(s));
    def.material.damping = damping > 0 ? damping : def.material.damping;
    assert_ok(snCharacter_Build(NULL, &def, &body, &why), why);
    return body;
}

// The fastest node or vertex, the latter by where it was a frame ago; every number is one.
static inline double fastestOf(const snFrameCharacter* c, const float* before, double dt)
{
    double most = 0;
    for (int32_t i = 0; i < c->node_count; ++i) {
        most = fmax(most, snLength(pointAt(c->node_velocities, i)));
    }
    const snFrameSurface* s = &c->surfaces[0];
    for (int32_t i = 0; i < 3 * s->vertex_count; ++i) {
        assert_true(isfinite(s->position[i]) && isfinite(s->normal[i]));
        most = fmax(most, fabs((double)(s->position[i] - before[i])) / dt);
    }
    return most;
}

static inline double depthOf(const snFrameCharacter* c)
{
    double depth = -HUGE_VAL;
    for (int32_t i = 0; i < c->surfaces[0].vertex_count; ++i) {
        depth = fmax(depth, -(double)c->surfaces[0].position[3 * (size_t)i + 1]);
    }
    return depth;
}

static inline void watchFall(snSim* sim, const snFleshInfo* f, const FallDef* def, Fall* fall)
{
    const double dt = 1.0 / 60;
    size_t bytes = 3 * (size_t)f->vertex_count * sizeof(float);
    float* before = malloc(bytes);
    const snFrame* frame = snSim_Frame(sim);
    while (frame->time < def->longest && frame->time - fall->rest < def->still) {
        memcpy(before, frame->characters[0].surfaces[0].position, bytes);
        advance(sim, dt);
        frame = snSim_Frame(sim);
        fall->speed = fastestOf(&frame->characters[0], before, dt);
        fall->depth = depthOf(&frame->characters[0]);
        fall->deepest = fmax(fall->deepest, fall->depth);
        // what turns at the top of a bounce is slow too
        bool lies = fall->speed < QUIET && frame->characters[0].contact_count > 0;
        fall->rest = lies ? fall->rest : frame->time;
    }
    fall->inverted = countInverted(f, frame->characters[0].nodes);
    fall->retries = frame->guard.retries;
    free(before);
}

// Builds a body of a surface that was read into an arena, and drops it.
static inline Fall dropSurface(const snSurface* s, const FallDef* def)
{
    snMessage why;
    snSceneDef scene_def;
    snSceneDef_Init(&scene_def);
    scene_def.ground = 1;
    snCharacter* body = buildBody(s, def->damping);
    const snFleshInfo* f = snCharacter_Flesh(body);
    Fall fall = {.surface = *s, .size = sizeOf(s), .mass = f->total_mass, .cells = f->cell_count};
    snStart start;
    snStart_Init(&start);
    start.pose.p.y = DROP * fall.size - snSurface_Bounds(s).lo.y;
    snScene* scene;
    assert_ok(snScene_Create(NULL, &scene_def, &scene, &why), why);
    assert_ok(snScene_Add(scene, body, &start, NULL, &why), why);
    snSim* sim = startSim(scene);
    fall.step = snSim_Step(sim);
    watchFall(sim, f, def, &fall);
    snSim_Free(sim);
    snScene_Free(scene);
    snCharacter_Release(body);
    return fall;
}

// Reads a file into the arena. Those that are no surfaces must be refused for the right reason;
// then it returns false.
static inline bool readSurface(snArena* arena, const SurfaceFile* file, snSurface* s)
{
    char path[512];
    snMessage why;
    snprintf(path, sizeof path, SURFACES "%s", file->name);
    uint8_t* text;
    size_t length;
    assert_ok(snFile_Read(&arena->host, path, SIZE_MAX / 2, &text, &length, &why), why);
    snStatus status = snObj_Parse(arena, (const char*)text, length, s, &why);
    snHost_Release(&arena->host, text, length + 1);
    if (file->error) {
        assert_refused(status, sn_errorFile, why, file->error);
        print_message("%-30s refused: %s\n", file->name, why.text);
        return false;
    }
    assert_ok(status, why);
    scaleToMetres(s);
    return true;
}

static inline void printHeading(void)
{
    print_message("%-30s %8s %9s %5s %8s %6s %7s %7s %6s %8s %5s\n", "file", "vertices",
                  "triangles", "cells", "kg", "h ms", "quiet s", "mm/s", "sunk %", "inverted",
                  "tries");
}

static inline void printFall(const char* name, const Fall* f, const char* verdict)
{
    print_message("%-30s %8d %9d %5d %8.3g %6.3f %7.2f %7.3f %6.2f %8d %5d  %s\n", name,
                  (int)f->surface.vertex_count, (int)f->surface.triangle_count, (int)f->cells,
                  f->mass, 1e3 * f->step, f->rest, 1e3 * f->speed, 100 * f->depth / f->size,
                  (int)f->inverted, (int)f->retries, verdict);
}

// Bodies of the files, all or those for the full tests, fall on the ground and stay there for a
// while.
static inline void dropFiles(bool all)
{
    const FallDef def = {.longest = BRIEF, .still = BRIEF};
    printHeading();
    for (size_t i = 0; i < SURFACE_FILE_COUNT; ++i) {
        snArena arena;
        snSurface s;
        snArena_Init(&arena, NULL);
        if ((all || SURFACE_FILES[i].often) && readSurface(&arena, &SURFACE_FILES[i], &s)) {
            Fall f = dropSurface(&s, &def);
            printFall(SURFACE_FILES[i].name, &f, "");
            assert_int_equal(f.retries, 0);
            assert_below(f.deepest, DEEPEST * f.size);
        }
        snArena_Free(&arena);
    }
}

#endif
