// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

#include <stdio.h>
#include <string.h>

#include "bake/baker.h"
#include "base/clock.h"
#include "base/file.h"
#include "base/hash.h"
#include "base/log.h"
#include "io/kind.h"
#include "rig/motion.h"
#include "sim/follow.h"

// Clips shorter than this have no length, s
#define SHORTEST 0.002

#define MOST_FRAMES 10000000

// Flesh that swings at 1 Hz with the usual damping has lost nine tenths of its swing by then, s
#define LEAD 2.0

// What snBakeReport_Free frees
typedef struct Report {
    snBakeReport report;
    snArena arena;
} Report;

void snBakeDef_Init(snBakeDef* def)
{
    *def = (snBakeDef){.size = sizeof *def,
                       .shapes = 8,
                       .error = 1e-3,
                       .joints = 32,
                       .rate = 60,
                       .last_frame = -1,
                       .loop = -1,
                       .strength = 1};
}

snStatus snBaker_NameFiles(snBaker* b, const char* const* paths, int32_t count)
{
    snArena* arena = &((Report*)b->report)->arena;
    const char** files = snArena_Push(arena, (size_t)count, sizeof *files);
    for (int32_t i = 0; i < count && files; ++i) {
        files[i] = paths[i] ? snArena_String(arena, paths[i], strlen(paths[i])) : NULL;
    }
    b->report->files = files;
    b->report->file_count = arena->failed ? 0 : count;
    return arena->failed ? snFail(b->why, sn_errorMemory, "out of memory") : sn_ok;
}

void snBakeReport_Free(snBakeReport* report)
{
    if (report) {
        Report* r = (Report*)report;
        snHost host = r->arena.host;
        snArena_Free(&r->arena);
        snHost_Release(&host, r, sizeof *r);
    }
}

void snBaker_Tell(const snBaker* b, const char* stage, const snBakeClip* clip)
{
    if (b->def->progress) {
        snBakeProgress p = {.clip = clip ? clip->facts->name : "",
                            .stage = stage,
                            .clip_index = clip ? clip->number : 0,
                            .clip_count = b->clip_count,
                            .done = b->done,
                            .total = b->total};
        b->def->progress(b->def->user, &p);
    }
}

const char* snBaker_CopyText(snBaker* b, const char* text)
{
    return snArena_String(&((Report*)b->report)->arena, text, strlen(text));
}

// Clips ----------------------------------------------------------------------------

// Documents may have any name, point caches are known by theirs.
static bool fitsName(int32_t as, const char* path)
{
    snKindNumber kind = snKind_OfPath(path);
    return as == sn_bakePc2 ? kind == sn_kindPc2 : as == sn_bakeMdd ? kind == sn_kindMdd : true;
}

static snStatus checkDef(const snBaker* b)
{
    const snBakeDef* d = b->def;
    if (d->size != sizeof *d || d->clip_count < 0 || (d->clip_count > 0 && !d->clips)) {
        return snFail(b->why, sn_errorArgument, "a def that snBakeDef_Init filled is needed");
    }
    if (d->as < 0 || d->as >= sn_bakeAsCount || !fitsName(d->as, b->path)) {
        return snFail(b->why, sn_errorArgument,
                      "the path must end with .pc2 for PC2 and with .mdd for MDD, found '%.200s'",
                      b->path);
    }
    if (d->first_frame < 0 || (d->last_frame >= 0 && d->last_frame <= d->first_frame)) {
        return snFail(b->why, sn_errorArgument,
                      "frames must go from 0 or later to a later one, found %d..%d",
                      (int)d->first_frame, (int)d->last_frame);
    }
    if (d->motion < 0 || d->motion >= sn_motionCount || (d->motion > 0 && d->clip_count > 0)) {
        return snFail(b->why, sn_errorArgument, "either clips or one of %d motions can be baked",
                      sn_motionCount - 1);
    }
    if (!(d->rate >= 1 && d->rate <= 240) || d->shapes < 0 || d->shapes > 64 || d->joints < 1 ||
        d->joints > SN_HELPER_MOST) {
        return snFail(
            b->why, sn_errorArgument,
            "frames a second must lie in 1..240, found %g, shapes in 0..64, found %d, and "
            "joints in 1..%d, found %d",
            d->rate, (int)d->shapes, SN_HELPER_MOST, (int)d->joints);
    }
    if (!(d->error >= 1e-5 && d->error <= 1)) {
        return snFail(b->why, sn_errorArgument,
                      "the error of shapes must lie in 1e-5..1 of the size, found %g", d->error);
    }
    if (!(d->strength >= 0 && d->strength <= 100)) {
        return snFail(b->why, sn_errorArgument, "strength must lie in 0..100, found %g",
                      d->strength);
    }
    if (b->rig->info.is_baked) {
        return snFail(b->why, sn_errorArgument,
                      "the rig is baked already; bake the original, all clips at once");
    }
    for (int32_t i = 0; i < d->clip_count; ++i) {
        bool twice = false;
        for (int32_t k = 0; k < i; ++k) {
            twice = twice || d->clips[k] == d->clips[i];
        }
        if (d->clips[i] < 0 || d->clips[i] >= b->rig->info.clip_count || twice) {
            return snFail(b->why, sn_errorArgument,
                          twice ? "clip %d is named twice (there are %d)"
                                : "there is no clip %d; there are %d, from 0",
                          (int)d->clips[i], (int)b->rig->info.clip_count);
        }
    }
    return sn_ok;
}

// A clip for messages: its name, or else its number
static const char* callClip(const snBakedClip* facts, char number[16])
{
    (void)snprintf(number, 16, "%d", (int)facts->clip);
    return facts->name[0] ? facts->name : number;
}

// The frames that are asked for. Flesh of a loop goes through all that is before them; other flesh
// needs LEAD to forget how it began.
static snStatus choosePart(const snBaker* b, snBakeClip* c)
{
    char number[16];
    int32_t first = b->def->first_frame, asked = b->def->last_frame, last = asked;
    last = last < 0 || last >= c->all ? c->all - 1 : last;
    if (first >= last && first > 0) {
        return snFail(b->why, sn_errorArgument,
                      "clip '%.100s' has frames 0..%d at %g a second: frames %d..%d leave nothing "
                      "of it",
                      callClip(c->facts, number), (int)(c->all - 1), b->def->rate, (int)first,
                      (int)(asked < 0 ? last : asked));
    }
    int32_t lead = c->track.is_loop ? first : (int32_t)ceil(LEAD * c->rate);
    c->first = first;
    c->lead = lead < first ? lead : first;
    c->wanted = last - first + 1;
    c->run = c->track;
    c->run.first = c->track.is_loop ? c->track.first : snBakeClip_Time(c, -c->lead);
    return sn_ok;
}

// Frames from the first to the last key, evenly, at least as many a second as asked for
static snStatus timeClip(snBaker* b, snBakeClip* c)
{
    double duration = c->track.last - c->track.first, count = ceil(duration * b->def->rate - 1e-6);
    if (!(count < MOST_FRAMES)) {
        char number[16];
        return snFail(b->why, sn_errorArgument,
                      "clip '%.100s' lasts %g s: that are too many frames; bake it with a lower "
                      "rate",
                      callClip(c->facts, number), duration);
    }
    c->all = (int32_t)fmax(1, count) + 1;
    c->rate = (c->all - 1) / duration;
    snStatus status = choosePart(b, c);
    if (status) {
        return status;
    }
    c->facts->duration = duration;
    c->facts->is_loop = c->track.is_loop;
    c->facts->miss = c->track.seam_distance * c->track.size * b->body->made.unit;
    c->facts->miss_angle = c->track.seam_angle;
    if (c->track.seam_node >= 0) {
        c->facts->miss_node = snBaker_CopyText(b, b->rig->nodes[c->track.seam_node].name);
    }
    return sn_ok;
}

static snStatus addClip(snBaker* b, int32_t clip, const snRigClipData* motion, snBakedClip* facts)
{
    snBakeClip* c = &b->clips[b->clip_count];
    *c = (snBakeClip){
        .facts = facts, .number = b->clip_count, .motion = motion, .added = clip < 0 ? 0 : -1};
    const char* name = motion->info.name ? motion->info.name : "";
    snArena* arena = &((Report*)b->report)->arena;
    facts->name = snArena_String(arena, name, strlen(name));
    facts->clip = clip;
    facts->duration = motion->info.duration;
    facts->miss_node = facts->turn_node = "";
    if (!facts->name) {
        return snFail(b->why, sn_errorMemory, "out of memory");
    }
    snRigTrackDef def;
    snRigTrackDef_Init(&def);
    def.loop = b->def->loop;
    snStatus status = snRigTrack_Of(&b->arena, b->rig, motion, &def, &c->track, b->why);
    if (status) {
        return status;
    }
    facts->skipped = c->track.is_constant || c->track.last - c->track.first < SHORTEST;
    if (facts->skipped) {
        return sn_ok;
    }
    ++b->clip_count;
    status = timeClip(b, c);
    if (!status && b->def->two_way) {
        status = snBaker_Act(b, c);
        status = status ? status : timeClip(b, c);
    }
    return status;
}

static snStatus findClips(snBaker* b)
{
    const snBakeDef* d = b->def;
    snArena* arena = &((Report*)b->report)->arena;
    int32_t all = b->rig->info.clip_count, count = d->clip_count > 0 ? d->clip_count : all;
    count = d->motion ? 1 : count;
    snBakedClip* facts = snArena_Push(arena, (size_t)count + 1, sizeof *facts);
    b->clips = snArena_Push(&b->arena, (size_t)count + 1, sizeof *b->clips);
    b->acted = snArena_Push(&b->arena, (size_t)count + 1, sizeof *b->acted);
    if (!facts || !b->clips || !b->acted) {
        return snFail(b->why, sn_errorMemory, "out of memory");
    }
    b->report->clips = facts;
    b->report->clip_count = count;
    snStatus status = sn_ok;
    if (d->motion) {
        status = snMotion_BuildClip(&b->arena, b->rig, d->motion, &b->motion, b->why);
        return status ? status : addClip(b, -1, &b->motion, facts);
    }
    for (int32_t i = 0; i < count && !status; ++i) {
        int32_t clip = d->clip_count > 0 ? d->clips[i] : i;
        status = addClip(b, clip, &b->rig->clips[clip], &facts[i]);
    }
    if (!status && b->clip_count == 0) {
        return snFail(b->why, sn_errorArgument,
                      count == 0 ? "the file has no clips; take a motion in place of one"
                                 : "nothing moves in the clips; take others, or a motion");
    }
    return status;
}

// Simulating -----------------------------------------------------------------------

static snStatus makeFollow(const snBaker* b, const snBakeClip* c, snFollow** out)
{
    snFollowDef def;
    snFollowSetup setup;
    snFollowDef_Init(&def);
    def.rate = c->rate;
    def.ground = b->def->ground;
    def.ground_height = b->def->ground_height;
    *out = NULL;
    snStatus status = snFollowSetup_From(b->body, &def, &setup, b->why);
    setup.track = &c->run;
    return status ? status : snFollow_CreateFromSetup(&b->host, &setup, out, b->why);
}

static snStatus addFrame(snBaker* b, const snBakeClip* c, const snFollow* follow)
{
    const snVec4f* u = snFollow_Nodes(follow);
    snFollowFacts facts = snFollow_Facts(follow);
    snFrameFacts kept = {facts.limited, facts.interventions};
    for (int32_t i = 0; i < b->soft_count; ++i) {
        const snVec4f* x = &u[b->soft[i]];
        float* out = b->nodes + 3 * (size_t)i;
        out[0] = x->x, out[1] = x->y, out[2] = x->z;
    }
    return snBakeFile_AddFrame(&b->file, c->number, &kept, b->nodes, b->why);
}

static snStatus addState(snBaker* b, const snBakeClip* c, const snFollow* follow, void* state)
{
    snStatus status = snFollow_Save(follow, state, b->file.state_size, b->why);
    return status ? status : snBakeFile_AddState(&b->file, c->number, state, b->why);
}

static snStatus simulate(snBaker* b, snBakeClip* c, snFollow* follow, void* state)
{
    const snBakedFrames* frames = &b->file.clips[c->number];
    int32_t had, often = (int32_t)fmax(1, c->rate + 0.5);
    snStatus status = snBakeFile_State(&b->file, c->number, state, &had, b->why);
    if (!status && had >= 0) {
        status = snFollow_Restore(follow, state, b->file.state_size, b->why);
        b->report->resumed_frames += had + 1;
        b->done += had + 1;
    } else if (!status) {
        snFollow_Begin(follow);
        for (int32_t i = 0; i < c->lead && !b->interrupted; ++i) {
            snFollow_AdvanceFrame(follow);
            b->interrupted = b->host.interrupted && b->host.interrupted(b->host.user);
        }
        status = b->interrupted ? sn_ok : addFrame(b, c, follow);
        b->done += !b->interrupted;
    }
    while (!status && frames->count < c->wanted && !b->interrupted) {
        snBaker_Tell(b, "simulate", c);
        b->interrupted = b->host.interrupted && b->host.interrupted(b->host.user);
        if (b->interrupted) {
            status = addState(b, c, follow, state);
            break;
        }
        snFollow_AdvanceFrame(follow);
        status = addFrame(b, c, follow);
        ++b->done;
        if (!status && frames->count < c->wanted && frames->count % often == 0) {
            status = addState(b, c, follow, state);
        }
    }
    return status;
}

static snStatus simulateClip(snBaker* b, snBakeClip* c)
{
    snFollow* follow;
    double begin = snClock_Now();
    if (b->file.clips[c->number].count == c->wanted) {
        b->report->resumed_frames += c->wanted;
        b->done += c->wanted;
        return sn_ok;
    }
    snStatus status = makeFollow(b, c, &follow);
    if (status) {
        return status;
    }
    void* state = snHost_Allocate(&b->host, b->file.state_size);
    status =
        state ? simulate(b, c, follow, state) : snFail(b->why, sn_errorMemory, "out of memory");
    snHost_Release(&b->host, state, b->file.state_size);
    snFollow_Free(follow);
    c->facts->seconds = snClock_Now() - begin;
    return status;
}

// The side file --------------------------------------------------------------------

static uint64_t hashList(const void* list, size_t count, size_t size, uint64_t seed)
{
    return snHash(list, count * size, seed);
}

// Of a clip that is not in the document
static uint64_t hashMotion(const snRigClipData* motion, uint64_t seed)
{
    for (int32_t i = 0; i < motion->info.channel_count; ++i) {
        const snRigChannel* c = &motion->channels[i];
        size_t keys = (size_t)c->key_count, parts = c->interpolation == sn_interpolateCubic ? 3 : 1;
        int32_t facts[3] = {c->node, c->path, c->interpolation};
        seed = hashList(facts, 3, sizeof *facts, seed);
        seed = hashList(c->times, keys, sizeof *c->times, seed);
        seed = hashList(c->values, keys * parts * (size_t)c->width, sizeof *c->values, seed);
    }
    return seed;
}

// All that simulated frames depend on
static uint64_t identify(const snBaker* b)
{
    const snRigBody* body = &b->body->made;
    const snRigSource* source = &b->rig->source;
    size_t nodes = (size_t)body->tets.node_count, tets = (size_t)body->tets.tet_count;
    uint32_t version = snVersion();
    double numbers[] = {b->def->rate,
                        b->def->ground ? 1 : 0,
                        b->def->ground_height,
                        b->def->motion,
                        b->def->loop,
                        b->def->first_frame,
                        b->def->last_frame,
                        b->def->two_way ? 1 + b->def->strength : 0,
                        b->def->is_free ? 1 : 0,
                        body->def.softness,
                        body->def.damping,
                        body->def.limit,
                        body->def.inertia,
                        body->def.gravity,
                        body->def.shape,
                        body->unit,
                        body->cell,
                        body->step.rest};
    uint64_t h = hashList(&version, 1, sizeof version, 0);
    h = hashList(source->bytes, source->size, 1, h);
    for (int32_t i = 0; i < source->buffer_count; ++i) {
        h = hashList(source->buffers[i].data, source->buffers[i].size, 1, h);
    }
    h = hashList(numbers, sizeof numbers, 1, h);
    h = hashList(body->tets.position, nodes, sizeof(snVec3), h);
    h = hashList(body->tets.tet, tets, 4 * sizeof(int32_t), h);
    h = hashList(body->mass, nodes, sizeof(double), h);
    h = hashList(body->held, nodes, 1, h);
    h = hashList(body->thickness, nodes, sizeof(double), h);
    h = hashList(body->stiff, tets, sizeof(double), h);
    h = body->damping ? hashList(body->damping, nodes, sizeof(float), h) : h;
    h = body->limit ? hashList(body->limit, nodes, sizeof(float), h + 1) : h;
    h = hashList(body->young, (size_t)body->regions.count, sizeof(double), h);
    for (int32_t c = 0; c < b->clip_count; ++c) {
        h = hashList(&b->clips[c].facts->clip, 1, sizeof(int32_t), h);
        h = b->clips[c].facts->clip >= snRig_OwnClips(b->rig) ? hashMotion(b->clips[c].motion, h)
                                                              : h;
    }
    return h;
}

static snStatus openFile(snBaker* b)
{
    const snRigBody* body = &b->body->made;
    const char* path = b->def->frames;
    snFollow* follow;
    int32_t* soft = snArena_Push(&b->arena, (size_t)body->tets.node_count, sizeof *soft);
    char* beside = snArena_Push(&b->arena, strlen(b->path) + sizeof ".frames", 1);
    b->file.clips = snArena_Push(&b->arena, (size_t)b->clip_count, sizeof *b->file.clips);
    for (int32_t c = 0; c < b->clip_count && b->file.clips; ++c) {
        b->file.clips[c].wanted = b->clips[c].wanted;
        b->file.clips[c].offset =
            snArena_Push(&b->arena, (size_t)b->clips[c].wanted, sizeof(int64_t));
        b->total += b->clips[c].wanted;
    }
    for (int32_t i = 0; i < body->tets.node_count && soft; ++i) {
        if (!body->held[i]) {
            soft[b->soft_count++] = i;
        }
    }
    b->soft = soft;
    b->nodes = snArena_Push(&b->arena, 3 * (size_t)b->soft_count, sizeof *b->nodes);
    if (b->arena.failed) {
        return snFail(b->why, sn_errorMemory, "out of memory");
    }
    memcpy(beside, b->path, strlen(b->path));
    memcpy(beside + strlen(b->path), ".frames", sizeof ".frames");
    snStatus status = makeFollow(b, &b->clips[0], &follow);
    if (status) {
        return status;
    }
    b->file.host = b->host;
    b->file.path = path ? path : beside;
    b->file.id = identify(b);
    b->file.node_count = (size_t)b->soft_count;
    b->file.state_size = snFollow_StateSize(follow);
    b->file.clip_count = b->clip_count;
    snFollow_Free(follow);
    return snBakeFile_Open(&b->file, b->def->resume != 0, b->why);
}

// The bake -------------------------------------------------------------------------

// hero.part.glb for hero.glb, if that is there: half a bake takes the place of nothing.
static snStatus placePart(snBaker* b)
{
    FILE* older = snFile_Open(b->path, "rb");
    bool has_end = snKind_OfPath(b->path) == sn_kindGlb;
    size_t length = has_end ? (size_t)(snKind_Extension(b->path) - b->path) : strlen(b->path);
    if (!older) {
        return sn_ok;
    }
    fclose(older);
    char* path = snArena_Push(&b->arena, length + sizeof ".part.glb", 1);
    if (!path) {
        return snFail(b->why, sn_errorMemory, "out of memory");
    }
    memcpy(path, b->path, length);
    memcpy(path + length, ".part.glb", sizeof ".part.glb");
    b->path = path;
    return sn_ok;
}

bool snBaker_IsStopped(const snBaker* b)
{
    return !b->interrupted && b->host.interrupted && b->host.interrupted(b->host.user) &&
           snFail(b->why, sn_errorInterrupted,
                  "interrupted while shapes were made: nothing is written yet; resume goes on");
}

static snStatus bake(snBaker* b)
{
    snStatus status = b->def->as == sn_bakeJoints ? snBaker_CheckJoints(b) : sn_ok;
    status = status ? status : findClips(b);
    status = status ? status : openFile(b);
    for (int32_t i = 0; i < b->clip_count && !status && !b->interrupted; ++i) {
        status = simulateClip(b, &b->clips[i]);
    }
    for (int32_t i = 0; i < b->clip_count && !status; ++i) {
        snBakeClip* c = &b->clips[i];
        c->made = b->file.clips[i].count;
        c->is_closed = c->track.is_loop && !c->track.is_open && c->made == c->all;
        c->facts->frame_count = c->made;
    }
    bool caches = b->def->as == sn_bakePc2 || b->def->as == sn_bakeMdd;
    bool joints = b->def->as == sn_bakeJoints;
    if (!status && caches && b->interrupted) {
        return snFail(b->why, sn_errorInterrupted,
                      "interrupted: nothing is written yet; resume goes on");
    }
    if (caches) {
        status = status ? status : snBaker_BuildFrames(b);
        status = status ? status : snBaker_WriteCaches(b);
    } else {
        status = status || !b->interrupted ? status : placePart(b);
        status = status ? status : joints ? snBaker_Joints(b) : snBaker_Shapes(b);
        status = status ? status : joints ? snBaker_WriteJoints(b) : snBaker_Write(b);
    }
    if (status) {
        return status;
    }
    b->report->complete = !b->interrupted;
    b->report->path = snArena_String(&((Report*)b->report)->arena, b->path, strlen(b->path));
    status = caches ? sn_ok : snBaker_NameFiles(b, &b->report->path, 1);
    if (status || !b->report->path) {
        return snFail(b->why, sn_errorMemory, "out of memory");
    }
    if (b->interrupted) {
        return snFail(b->why, sn_errorInterrupted,
                      "interrupted: '%.300s' has what was simulated till then; resume goes on",
                      b->path);
    }
    snBakeFile_Close(&b->file);
    snFile_Remove(b->file.path);
    return sn_ok;
}

static snStatus start(snBaker* b, const snHost* host)
{
    snStatus status = snHost_Take(host, &b->host, b->why);
    Report* report = status ? NULL : snHost_Allocate(&b->host, sizeof *report);
    if (!report) {
        return status ? status : snFail(b->why, sn_errorMemory, "out of memory");
    }
    b->report = &report->report;
    b->report->path = "";
    snArena_Init(&report->arena, &b->host);
    snArena_Init(&b->arena, &b->host);
    status = checkDef(b);
    return status ? status : snTasks_Create(&b->host, &b->tasks, b->why);
}

snStatus snBake(const snHost* host, snBody* body, const snBakeDef* def, const char* path,
                snBakeReport** report, snMessage* why)
{
    return snBaker_Run(host, body, def, path, SN_BAKE_CACHE, report, why);
}

snStatus snBaker_Run(const snHost* host, snBody* body, const snBakeDef* def, const char* path,
                     size_t cache, snBakeReport** report, snMessage* why)
{
    if (report) {
        *report = NULL;
    }
    if (!body || !def || !path || !path[0]) {
        return snFail(why, sn_errorArgument, "a body, a def and a path are needed");
    }
    snBaker b = {.body = body, .rig = body->rig, .def = def, .path = path, .why = why};
    b.cache = cache;
    snStatus status = start(&b, host);
    status = status ? status : bake(&b);
    snBakeFile_Close(&b.file);
    snFollowSurface_Free(b.surface);
    snRigJoints_Free(b.joints);
    for (int32_t i = 0; i < b.clip_count; ++i) {
        snArena_Free(&b.clips[i].own);
    }
    snTasks_Free(b.tasks);
    snArena_Free(&b.arena);
    if (report && (status == sn_ok || status == sn_errorInterrupted)) {
        *report = b.report;
    } else {
        snBakeReport_Free(b.report);
    }
    if (!status) {
        snMessage_Clear(why);
    }
    return status;
}
