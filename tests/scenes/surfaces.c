// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0
// label: full

// Any surface, broken or not, becomes a body that falls on the ground and lies still, or gets an
// error that says what is wrong with it.
#include "check.h"
#include "geom/tets.h"
#include "io/obj.h"
#include "sim/puppet.h"

#define SURFACES SN_SHARED_DATA "/surfaces/"

#define CELLS 1500
#define LONGEST 3.0  // m: files in other units than metres get 1 m
#define SHORTEST 0.1 // m
// Young's modulus over the pressure under a column of flesh as high as the body is large: it keeps
// its shape. Jelly of the default 30 kPa sags to a puddle when it is 2 m high.
#define STAND 10
#define DROP 0.05       // of its size, above the ground
#define QUIET 1e-3      // m/s
#define STILL 1.0       // s that it must be quiet at a stretch
#define PATIENCE 40.0   // s that it may take, STILL included
#define SINK 0.02       // of its size, into the ground
#define MORE_DAMPING 25 // 1/s, for those that the default leaves rocking too long

typedef struct File {
    const char* name;
    const char* error; // what the reader must say; NULL: it becomes a body
} File;

static const File FILES[] = {
    {"cube.obj", NULL},
    {"sphere.obj", NULL},
    {"torus.obj", NULL},
    {"spot.obj", NULL},
    {"spot_low_resolution.obj", NULL},
    {"spot_control_mesh.obj", NULL},
    {"penguin.obj", NULL},
    {"cat-low-resolution.obj", NULL},
    {"hand_closed.obj", NULL},
    {"human_woman.obj", NULL},
    {"goathead.obj", NULL},
    {"skull_low_resolution.obj", NULL},
    {"boot.obj", NULL},
    {"broken/cube_no_bottom.obj", NULL},
    {"broken/hand_lowres.obj", NULL},
    {"broken/human_neutral.obj", NULL},
    {"broken/plane_holes.obj", NULL},
    {"broken/doubleLoopWithCube.obj", NULL},
    {"broken/makehuman_base.obj", NULL},
    {"broken/joined_tetrahedra.obj", NULL},
    {"broken/not_convex.obj", NULL},
    {"broken/spot_nonmanifold.obj", NULL},
    {"broken/multibody.stl", "not OBJ"},
    {"broken/soup.stl", "binary"},
};

typedef struct Result {
    double size, mass, step; // m, kg, s
    int32_t cells;
    double rest, speed; // when it came to rest, s, and how fast it was in the end, m/s
    double sunk;        // most that a vertex was below the ground in the end, m
    int32_t inverted;   // vertices in inverted cells in the end
    int64_t retries;
} Result;

static double sizeOf(const snSurface* s)
{
    snBox b = snSurface_Bounds(s);
    snVec3 d = snSub(b.hi, b.lo);
    return fmax(d.x, fmax(d.y, d.z));
}

static double scaleToMetres(snSurface* s)
{
    double size = sizeOf(s);
    if (size > LONGEST || size < SHORTEST) {
        for (int32_t i = 0; i < s->vertex_count; ++i) {
            s->position[i] = snScale(1 / size, s->position[i]);
        }
        return 1;
    }
    return size;
}

static snVec3 nodeAt(const snFrameCharacter* c, int32_t i)
{
    const float* x = c->nodes + 3 * (size_t)i;
    return snV3((double)x[0], (double)x[1], (double)x[2]);
}

// Vertices whose cell is inside out, lattice cells being right side out at rest.
static int32_t countInverted(const snFleshInfo* f, const snFrameCharacter* c)
{
    int32_t count = 0;
    for (int32_t v = 0; v < f->vertex_count; ++v) {
        const int32_t* n = f->vertex_nodes + 4 * (size_t)v;
        count +=
            snTetVolume(nodeAt(c, n[0]), nodeAt(c, n[1]), nodeAt(c, n[2]), nodeAt(c, n[3])) <= 0;
    }
    return count;
}

static double fastest(const snFrameCharacter* c, const float* before, double dt)
{
    double most = 0;
    for (int32_t i = 0; i < c->node_count; ++i) {
        const float* v = c->node_velocities + 3 * (size_t)i;
        most = fmax(most, snLength(snV3((double)v[0], (double)v[1], (double)v[2])));
    }
    const snFrameSurface* s = &c->surfaces[0];
    for (int32_t i = 0; i < 3 * s->vertex_count; ++i) {
        assert_true(isfinite(s->position[i]) && isfinite(s->normal[i]));
        most = fmax(most, fabs((double)(s->position[i] - before[i])) / dt);
    }
    return most;
}

static double lowest(const snFrameCharacter* c)
{
    double y = HUGE_VAL;
    for (int32_t i = 0; i < c->surfaces[0].vertex_count; ++i) {
        y = fmin(y, (double)c->surfaces[0].position[3 * i + 1]);
    }
    return y;
}

// Drops the body and waits until it lies still, or patience ends.
static Result drop(snCharacter* body, double size, double bottom)
{
    snMessage why;
    snSceneDef def;
    snSceneDef_Init(&def);
    def.ground = 1;
    snStart start;
    snStart_Init(&start);
    start.pose.p.y = DROP * size - bottom;
    snScene* scene;
    assert_ok(snScene_Create(NULL, &def, &scene, &why), why);
    assert_ok(snScene_Add(scene, body, &start, NULL, &why), why);
    snSim* sim = startSim(scene);

    const snFleshInfo* f = snCharacter_Flesh(body);
    Result r = {.size = size, .mass = f->total_mass, .cells = f->cell_count};
    size_t bytes = 3 * (size_t)f->vertex_count * sizeof(float);
    float* before = malloc(bytes);
    const double dt = 1 / def.frame_rate;
    const snFrame* frame = snSim_Frame(sim);
    while (frame->time < PATIENCE && frame->time - r.rest < STILL) {
        memcpy(before, frame->characters[0].surfaces[0].position, bytes);
        advance(sim, dt);
        frame = snSim_Frame(sim);
        r.speed = fastest(&frame->characters[0], before, dt);
        // it is slow too at the top of a bounce: only touching counts
        bool lies = r.speed < QUIET && frame->characters[0].contact_count > 0;
        r.rest = lies ? r.rest : frame->time;
    }
    r.step = snSim_Step(sim);
    r.sunk = -lowest(&frame->characters[0]);
    r.inverted = countInverted(f, &frame->characters[0]);
    r.retries = frame->guard.retries;
    free(before);
    snSim_Free(sim);
    snScene_Free(scene);
    return r;
}

static Result dropSurface(const snSurface* s, double damping)
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
    def.stuff.young = fmax(def.stuff.young, STAND * def.stuff.density * 9.81 * sizeOf(s));
    def.stuff.damping = damping > 0 ? damping : def.stuff.damping;
    assert_ok(snCharacter_Build(NULL, &def, &body, &why), why);
    Result r = drop(body, sizeOf(s), snSurface_Bounds(s).lo.y);
    snCharacter_Release(body);
    return r;
}

static bool report(const char* name, const snSurface* s, const Result* r, bool damped)
{
    bool quiet = r->speed < QUIET;
    bool fine = quiet && r->retries == 0 && r->sunk < SINK * r->size && r->inverted == 0;
    print_message("%-30s %6d %6d %5d %8.3g %6.3f %5.2f %7.3f %6.2f %4d %3d  %s%s\n", name,
                  (int)s->vertex_count, (int)s->triangle_count, (int)r->cells, r->mass,
                  1e3 * r->step, r->rest, 1e3 * r->speed, 100 * r->sunk / r->size, (int)r->inverted,
                  (int)r->retries, fine ? "rests" : "FAILS", damped ? ", damped more" : "");
    return fine;
}

static bool tryFile(const File* file)
{
    char path[512];
    snprintf(path, sizeof path, SURFACES "%s", file->name);
    snArena arena;
    snArena_Init(&arena, NULL);
    snSurface s;
    snMessage why;
    snStatus status = snObj_Read(&arena, path, &s, &why);
    bool fine;
    if (file->error) {
        fine = status == sn_errorFile && strstr(why.text, file->error);
        print_message("%-30s %s\n", file->name, why.text);
    } else {
        assert_ok(status, why);
        scaleToMetres(&s);
        Result r = dropSurface(&s, 0);
        fine = report(file->name, &s, &r, false);
        if (r.speed >= QUIET && r.retries == 0) {
            r = dropSurface(&s, MORE_DAMPING);
            fine = report(file->name, &s, &r, true);
        }
    }
    snArena_Free(&arena);
    return fine;
}

static void testEverySurface(void** state)
{
    (void)state;
    FILE* first = fopen(SURFACES "spot.obj", "rb");
    if (!first) {
        print_message("SKIP: there is no " SURFACES ", so no real surface was dropped\n");
        skip();
    }
    fclose(first);
    print_message("%-30s %6s %6s %5s %8s %6s %5s %7s %6s %4s %3s\n", "file", "verts", "tris",
                  "cells", "kg", "h ms", "rest", "mm/s", "sunk%", "inv", "try");
    int failed = 0;
    for (size_t i = 0; i < sizeof FILES / sizeof FILES[0]; ++i) {
        failed += !tryFile(&FILES[i]);
    }
    assert_int_equal(failed, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(testEverySurface)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
