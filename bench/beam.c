// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

// A soft beam, held at one end, sags under its weight for a quarter of a second: the same nodes,
// tets, masses, held nodes and stable neo-Hookean law in Sinew and in Bullet, undamped, nothing to
// touch, one thread. How far its end has sunk shows that both simulate the same.
#include "beam.h"

#include "base/message.h"
#include "module.h"
#include "peers/beam.h"
#include "sim.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SECONDS 0.25 // simulated
#define LENGTH 0.4   // m
#define YOUNG 300e3
#define POISSON 0.4
#define DENSITY 1000.0
#define ALIKE 0.1 // both sag alike when they differ by no more than this part

typedef struct Beam {
    int cubes[3]; // along x, y, z
    int32_t node_count, tet_count;
    double* nodes;
    int32_t* tets;
    snCharacter* character;
    int32_t tip; // the node in the middle of the free end
} Beam;

// Mesh ------------------------------------------------------------------------

static int32_t nodeAt(const Beam* b, int i, int j, int k)
{
    return (int32_t)((k * (b->cubes[1] + 1) + j) * (b->cubes[0] + 1) + i);
}

// Six tets around the diagonal of a cube.
static void fillCube(Beam* b, int i, int j, int k)
{
    static const int ORDER[6][3] = {{0, 1, 2}, {1, 2, 0}, {2, 0, 1},
                                    {1, 0, 2}, {2, 1, 0}, {0, 2, 1}};
    for (int t = 0; t < 6; ++t) {
        int step[3] = {0, 0, 0};
        int32_t n[4];
        for (int c = 0; c < 4; ++c) {
            n[c] = nodeAt(b, i + step[0], j + step[1], k + step[2]);
            if (c < 3) {
                step[ORDER[t][c]] = 1;
            }
        }
        int32_t* tet = b->tets + 4 * (size_t)b->tet_count++;
        tet[0] = n[0];
        tet[1] = n[t < 3 ? 1 : 2]; // odd orders are mirrored
        tet[2] = n[t < 3 ? 2 : 1];
        tet[3] = n[3];
    }
}

static bool makeMesh(Beam* b)
{
    const int nx = b->cubes[0], ny = b->cubes[1], nz = b->cubes[2];
    const double edge = LENGTH / nx;
    b->node_count = (nx + 1) * (ny + 1) * (nz + 1);
    b->tip = nodeAt(b, nx, ny / 2, nz / 2);
    b->nodes = calloc((size_t)b->node_count, 3 * sizeof(double));
    b->tets = calloc((size_t)nx * (size_t)ny * (size_t)nz, 24 * sizeof(int32_t));
    if (!b->nodes || !b->tets) {
        return false;
    }
    for (int32_t n = 0; n < b->node_count; ++n) {
        double* x = b->nodes + 3 * (size_t)n;
        const int32_t i = n % (nx + 1), j = n / (nx + 1) % (ny + 1), k = n / (nx + 1) / (ny + 1);
        x[0] = edge * i;
        x[1] = edge * j;
        x[2] = edge * k;
    }
    for (int c = 0; c < nx * ny * nz; ++c) {
        fillCube(b, c % nx, c / nx % ny, c / nx / ny);
    }
    return true;
}

// A character of this mesh whose bone, across the held end, holds the nodes near it.
static snStatus makeCharacter(Beam* b, snMessage* why)
{
    static const int32_t TRIANGLES[36] = {0, 2, 1, 1, 2, 3, 4, 5, 6, 5, 7, 6, 0, 1, 4, 1, 5, 4,
                                          2, 6, 3, 3, 6, 7, 0, 4, 2, 2, 4, 6, 1, 3, 5, 3, 7, 5};
    double corners[24];
    for (int i = 0; i < 8; ++i) {
        for (int k = 0; k < 3; ++k) {
            corners[3 * i + k] = (i >> k & 1) * LENGTH * b->cubes[k] / b->cubes[0];
        }
    }
    snSkeleton* skeleton = NULL;
    snBoneDef bone;
    snBoneDef_Init(&bone);
    bone.name = "wall";
    bone.anchor.p = (snVec3){0, corners[22] / 2, 0};
    bone.tip = (snVec3){0, 0, corners[23]};
    bone.radius = corners[22];
    bone.mass = snMass_Capsule((snVec3){0, 0, 0}, bone.tip, bone.radius, DENSITY);
    snStatus status = snSkeleton_Create(NULL, &bone, 1, &skeleton, why);
    snCharacterDef def;
    snCharacterDef_Init(&def);
    def.name = "beam";
    def.skeleton = skeleton;
    def.vertex_count = 8;
    def.triangle_count = 12;
    def.vertices = corners;
    def.triangles = TRIANGLES;
    def.node_count = b->node_count;
    def.cell_count = b->tet_count;
    def.nodes = b->nodes;
    def.tets = b->tets;
    def.material =
        (snFleshMaterial){.density = DENSITY, .young = YOUNG, .poisson = POISSON, .damping = 0};
    def.law = sn_lawNeoHookean;
    status = status ? status : snCharacter_Build(NULL, &def, &b->character, why);
    snSkeleton_Release(skeleton);
    return status;
}

static void closeBeam(Beam* b)
{
    snCharacter_Release(b->character);
    free(b->nodes);
    free(b->tets);
}

// Figures ---------------------------------------------------------------------

// How it went.
typedef struct Result {
    double h;    // step, s
    double best; // shortest time, s
    double sag;  // of the end, m
} Result;

static void emit(const snBenchOut* out, const char* name, snBenchRunner* r, Result* result,
                 const char* peer)
{
    snBenchRow row = {.bench = "peers", .name = name, .threads = 1, .peer = peer};
    row.metric = "s_per_s";
    row.unit = "s/s";
    snBench_Emit(out, &row, r, 1 / SECONDS);
    row.unit = "ms";
    row.metric = "step_ms";
    snBench_Emit(out, &row, r, 1e3 * result->h / SECONDS);
    row.metric = "h_ms";
    snBench_EmitNumber(out, &row, 1e3 * result->h);
    row.metric = "sag_mm";
    row.unit = "mm";
    snBench_EmitNumber(out, &row, 1e3 * result->sag);
    result->best = snBench_Summarise(r->samples, r->count).best;
}

// Sinew: at its automatic step.
static snStatus timeOurs(const snBenchOut* out, const char* name, const Beam* b, Result* result,
                         snMessage* why)
{
    static snBenchRunner r;
    snScene* scene = NULL;
    snBenchSim sim = {.sim = NULL};
    snHost host;
    snSceneDef def;
    snSceneDef_Init(&def);
    snHost_Init(&host);
    host.thread_count = 1;
    def.self_contact = 0;
    snStatus status = snScene_Create(&host, &def, &scene, why);
    status = status ? status : snScene_Add(scene, b->character, NULL, NULL, why);
    status = status ? status : snBenchSim_Open(&sim, scene, 0, why);
    if (!status) {
        sim.frames = (int)(SECONDS * sim.rate + 0.5);
        r = snBenchRunner_Of(snBenchSim_Run, snBenchSim_Rewind, &sim);
        snBench_Time(out, &r, 1, 1);
        status = sim.status;
    }
    if (!status) {
        const snFrameCharacter* c = &snSim_Frame(sim.sim)->characters[0];
        result->h = snSim_Step(sim.sim);
        result->sag = b->nodes[3 * (size_t)b->tip + 1] -
                      ((double)c->nodes[3 * (size_t)b->tip + 1] + c->origin.y);
        emit(out, name, &r, result, NULL);
    }
    snBenchSim_Close(&sim);
    snScene_Free(scene);
    return status;
}

// The other program, every run from the start. False when the beam does not sag as ours.
static bool timePeer(const snBenchOut* out, const char* name, const snBeamPeer* peer,
                     const snBeamModel* model, int32_t tip, double sag, Result* result)
{
    static snBenchRunner r;
    char text[64];
    const double end = snBench_Now() + SN_BENCH_SECONDS;
    const int steps = (int)(SECONDS / model->step + 0.5);
    r.count = 0;
    for (int i = 0; i < out->runs && (i == 0 || snBench_Now() < end); ++i) {
        void* p = peer->open(model);
        if (!p) {
            return false;
        }
        const double start = snBench_Clock(1);
        peer->run(p, steps);
        r.samples[r.count++] = snBench_Clock(1) - start;
        result->sag = model->nodes[3 * (size_t)tip + 1] - peer->height(p, tip);
        peer->close(p);
        if (!(fabs(result->sag - sag) < ALIKE * fabs(sag))) {
            return false;
        }
    }
    snprintf(text, sizeof text, "%s %s", peer->name, peer->version);
    result->h = model->step;
    emit(out, name, &r, result, text);
    return true;
}

// At the longest of some steps that goes well. Ours is 0.72 of the longest at which a body at rest
// is stable.
static void compare(const snBenchOut* out, const char* name, const snBeamPeer* peer, const Beam* b,
                    const Result* ours)
{
    static const double STEPS[4] = {1.3, 1, 0.7, 0.4};
    const snFleshInfo* flesh = snCharacter_Flesh(b->character);
    const double mu = YOUNG / (2 * (1 + POISSON));
    snBeamModel model = {.node_count = flesh->node_count,
                         .tet_count = flesh->cell_count,
                         .nodes = flesh->nodes,
                         .tets = flesh->cells,
                         .mass = flesh->mass,
                         .fixed = flesh->fixed,
                         .mu = mu,
                         .lambda = 2 * mu * POISSON / (1 - 2 * POISSON),
                         .gravity = -SN_GRAVITY};
    Result theirs = {0, 0, 0};
    bool done = false;
    for (int i = 0; i < 4 && !done; ++i) {
        model.step = SECONDS / ceil(SECONDS / (STEPS[i] * ours->h));
        done = timePeer(out, name, peer, &model, b->tip, ours->sag, &theirs);
    }
    if (!done) {
        out->note(out->user, "Bullet's beam does not sag as ours");
        return;
    }
    snBenchRow row = {.bench = "peers", .name = name, .metric = "speedup", .threads = 1};
    row.unit = "x";
    snBench_EmitNumber(out, &row, theirs.best / ours->best);
}

snStatus snBench_Beam(const snBenchOut* out, snMessage* why)
{
    static const struct {
        const char* name;
        int cubes[3];
    } CASES[2] = {{"beam_3k", {16, 6, 6}}, {"beam_9k", {24, 8, 8}}};
    snModule bullet =
        snModule_Open(out, "bullet", SN_BEAM_PEER_SYMBOL, "libbullet-dev and a C++ compiler are");
    snBeamPeer_GetFcn* get = NULL;
    memcpy(&get, &bullet.symbol, sizeof get); // ISO C has no cast from object to function pointers
    snStatus status = sn_ok;
    for (int i = 0; i < (out->small ? 1 : 2) && !status; ++i) {
        Beam beam = {.character = NULL};
        Result ours = {0, 0, 0};
        memcpy(beam.cubes, CASES[i].cubes, sizeof beam.cubes);
        status = makeMesh(&beam) ? sn_ok : snFail(why, sn_errorMemory, "out of memory");
        status = status ? status : makeCharacter(&beam, why);
        status = status ? status : timeOurs(out, CASES[i].name, &beam, &ours, why);
        if (!status && get) {
            compare(out, CASES[i].name, get(), &beam, &ours);
        }
        closeBeam(&beam);
    }
    snModule_Close(&bullet);
    return status;
}
