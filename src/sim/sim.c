// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

#include "base/clock.h"
#include "base/cpu.h"
#include "base/hash.h"
#include "base/log.h"
#include "base/message.h"
#include "sim/sim_state.h"
#include <stddef.h>
#include <string.h>

#define STATE_MAGIC 0x6574617473776e73u // "snwstate"

// Steps become at most 2^this times shorter, and twice as long again after that many good frames.
#define MOST_LEVEL 6
#define STRICT_LEVEL 3 // for what can be borne if need be
#define CALM_FRAMES 30

static uint64_t hashFlesh(const snFlesh* f, uint64_t hash)
{
    size_t nodes = (size_t)f->tets.node_count, points = (size_t)f->point_count;
    hash = snHash(f->tets.position, nodes * sizeof(snVec3), hash);
    hash = snHash(f->node_mass, nodes * sizeof(float), hash);
    hash = snHash(f->damping, nodes * sizeof(float), hash);
    hash = snHash(f->binding.fixed, nodes * sizeof(int32_t), hash);
    hash = snHash(f->dampers, nodes * sizeof(snDamper), hash);
    hash = snHash(f->contact_mass, points * sizeof(float), hash);
    hash = snHash(f->cells->blocks, (size_t)f->cells->block_count * sizeof(snCellBlock), hash);
    hash = snHash(f->cells->volumes, (size_t)f->cells->block_count * sizeof(snCellVolume), hash);
    hash = snHash(f->cells->laws, (size_t)f->cells->law_count * sizeof(snCellLaw), hash);
    hash = snHash(f->cells->block_law, (size_t)f->cells->block_count * sizeof(int32_t), hash);
    hash = snHash(f->cells->fans, (size_t)f->cells->fan_count * sizeof(snCellFan), hash);
    hash = snHash(f->cells->chunks, (size_t)f->cells->chunk_count * sizeof(snCellChunk), hash);
    hash = snHash(f->cells->shapes, (size_t)f->cells->shape_count * sizeof(snCellShape), hash);
    hash = snHash(f->cells->block_shape, (size_t)f->cells->block_count * sizeof(int32_t), hash);
    const snMaterial* m = &f->cells->material;
    double law[] = {m->kind,
                    m->diagonalize,
                    m->lower,
                    m->upper,
                    f->cells->node_averaged,
                    f->cells->general_svd,
                    f->cells->damping,
                    f->step.rest};
    hash = snHash(law, sizeof law, hash);
    return snHash(f->ties, points * sizeof(snTie), hash);
}

static uint64_t hashObstacles(const snWorld* world, uint64_t hash)
{
    for (int32_t i = 0; i < world->obstacle_count; ++i) {
        const snObstacleDef* o = &world->obstacles[i].def;
        hash = snHash(&o->pose, sizeof o->pose, hash);
        hash = snHash(&o->mass, sizeof o->mass, hash);
        if (o->hosted) {
            hash = snHash(&o->hosted, sizeof o->hosted, hash);
        }
        hash = snHash(o->material, strlen(o->material), hash);
        for (int32_t k = 0; k < o->shape_count; ++k) {
            const snShapeDef* s = &o->shapes[k];
            double numbers[] = {s->kind,   s->half.x, s->half.y,
                                s->half.z, s->radius, s->half_length};
            hash = snHash(numbers, sizeof numbers, hash);
            hash = snHash(&s->pose, sizeof s->pose, hash);
            hash = snHash(s->vertices, (size_t)(s->vertices ? s->vertex_count : 0) * sizeof(snVec3),
                          hash);
        }
    }
    return snHash(world->pairs, (size_t)world->pair_count * sizeof(snPair), hash);
}

// Everything that gives the numbers in the state their meaning. Bones lie in zero-filled memory,
// padding included.
uint64_t snSim_HashModel(const snSim* sim)
{
    const snWorld* world = &sim->scene->world;
    double settings[] = {world->gravity.x,
                         world->gravity.y,
                         world->gravity.z,
                         sim->frame_rate * (double)sim->steps_per_frame,
                         (double)world->integrator,
                         world->keep_momentum ? 1 : 0,
                         world->ground ? 1 : 0,
                         world->ground_height,
                         world->friction,
                         world->restitution,
                         (double)world->contact_mode,
                         world->self_contact ? 1 : 0};
    uint64_t hash =
        snHash(settings, sizeof settings, snHash(sim->method->name, strlen(sim->method->name), 0));
    hash = hashObstacles(world, hash);
    for (int32_t i = 0; i < world->actor_count; ++i) {
        const snActor* actor = &world->actors[i];
        const snSkeleton* s = snCharacter_Moving(actor->character);
        hash = snHash(s->bones, (size_t)s->bone_count * sizeof(snBone), hash);
        hash = snHash(s->passives, (size_t)s->passive_count * sizeof(snPassiveDef), hash);
        hash = snHash(&actor->base, sizeof actor->base, hash);
        hash = snHash(actor->material, sizeof actor->material, hash);
        if (actor->character->has_flesh) {
            hash = hashFlesh(&actor->character->flesh, hash);
        }
    }
    if (world->sleep > 0) { // sims without have the bits of older ones
        hash = snHash(&world->sleep, sizeof world->sleep, hash);
    }
    return hash;
}

int64_t snSim_WantedSteps(const snSim* sim, const snMethodData* data)
{
    const snSceneDef* def = &sim->scene->def;
    double most = def->step > 0 ? def->step : sim->method->chooseStep(data);
    double steps = ceil(1 / (def->frame_rate * most) - 1e-9);
    return steps > 1 ? (int64_t)steps : 1;
}

static snStatus build(snSim* sim, snMessage* why)
{
    const snSceneDef* def = &sim->scene->def;
    snStatus status = sim->method->build(&sim->scene->world, &sim->data, why);
    status = status ? status : snTasks_Create(&sim->host, &sim->tasks, why);
    if (status) {
        return status;
    }
    sim->steps_per_frame = snSim_WantedSteps(sim, sim->data);
    sim->frame_rate = def->frame_rate;
    sim->method_size = sim->method->stateSize(sim->data);
    sim->state_size = sizeof(snStateHead) + sim->method_size + snEvents_Size(sim);
    sim->state = snHost_Allocate(&sim->host, sim->state_size);
    sim->good = snHost_Allocate(&sim->host, sim->state_size);
    if (!sim->state || !sim->good) {
        return snFail(why, sn_errorMemory, "no memory for %zu bytes of state", sim->state_size);
    }
    sim->state->magic = STATE_MAGIC;
    sim->state->model = snSim_HashModel(sim);
    sim->method->init(sim->data, snSim_MethodState(sim->state));
    memcpy(sim->good, sim->state, sim->state_size);
    sim->frame_step = -1;
    return sn_ok;
}

snStatus snSim_Create(snScene* scene, snSim** sim, snMessage* why)
{
    snMessage_Clear(why);
    if (!scene || !sim) {
        return snFail(why, sn_errorArgument, "scene and sim must not be NULL");
    }
    *sim = NULL;
    if (scene->world.actor_count == 0) {
        return snFail(why, sn_errorArgument, "the scene is empty; add a character");
    }
    snSim* s = snHost_Allocate(&scene->host, sizeof *s);
    if (!s) {
        return snFail(why, sn_errorMemory, "no memory for a simulation");
    }
    s->host = scene->host;
    s->scene = scene;
    s->method = scene->method;
    scene->sim_count++;
    snStatus status = build(s, why);
    if (status) {
        snSim_Free(s);
        return status;
    }
    *sim = s;
    return sn_ok;
}

void snSim_Free(snSim* sim)
{
    if (sim) {
        snHost host = sim->host;
        sim->scene->sim_count--;
        snTasks_Free(sim->tasks);
        sim->method->free(sim->data);
        snHost_Release(&host, sim->state, sim->state_size);
        snHost_Release(&host, sim->good, sim->state_size);
        snHost_Release(&host, sim, sizeof *sim);
    }
}

// Time ------------------------------------------------------------------------

static int64_t stepsPerFrame(const snSim* sim)
{
    return sim->steps_per_frame << sim->state->level;
}

static double stepsPerSecond(const snSim* sim)
{
    return sim->frame_rate * (double)stepsPerFrame(sim);
}

// Steps from time 0 to now if all had been as long as they are now.
static int64_t stepNumber(const snSim* sim)
{
    return sim->state->frame * stepsPerFrame(sim) + sim->state->part;
}

double snSim_Time(const snSim* sim)
{
    return sim ? (double)stepNumber(sim) / stepsPerSecond(sim) : 0;
}

double snSim_Step(const snSim* sim)
{
    return sim ? 1 / (sim->frame_rate * (double)sim->steps_per_frame) : 0;
}

// Guard -----------------------------------------------------------------------

// After a bad step: the frame is done again with steps half as long; fails when they are as short
// as they get.
static snStatus retryFrame(snSim* sim, const snFault* fault, snMessage* why)
{
    snStateHead now = *sim->state;
    const snCharacter* c = sim->scene->world.actors[fault->actor].character;
    double t = snSim_Time(sim), shortest = stepsPerSecond(sim);
    memcpy(sim->state, sim->good, sim->state_size);
    sim->method->forget(sim->data);
    if (now.level < MOST_LEVEL) {
        sim->state->wanted = now.wanted;
        sim->state->lost = now.lost;
        sim->state->calm = 0;
        sim->state->level = now.level + 1;
        sim->state->part <<= now.level + 1 - sim->good->level;
        sim->state->retries = now.retries + 1;
        sim->state->character = fault->actor + 1;
        sim->state->when = t;
        snLog(&sim->host, sn_logWarning, "at %.6g s character '%s' %s; steps are now %.3g ms", t,
              c->name, fault->text, 1e3 / stepsPerSecond(sim));
        return sn_ok;
    }
    sim->state->wanted = snSim_Time(sim);
    sim->state->lost = 0;
    snFail(why, sn_errorNumeric,
           "character '%s' %s; steps of %.3g ms did not help; the state is that of the last good "
           "frame, %.6g s; try weaker drives or stiffer flesh",
           c->name, fault->text, 1e3 / shortest, snSim_Time(sim));
    if (fault->bone >= 0) {
        snMessage_Prefix(why, "at %.6g s bone '%s'", t, c->skeleton->defs[fault->bone].name);
    } else {
        snMessage_Prefix(why, "at %.6g s", t);
    }
    return sn_errorNumeric;
}

// The more often trouble came, the longer the guard waits before it trusts longer steps again.
static int64_t calmFrames(const snStateHead* head)
{
    return CALM_FRAMES << (head->retries < 8 ? head->retries - 1 : 7);
}

// The state becomes the last good one.
static void keepState(snSim* sim)
{
    size_t events = sizeof(snStateHead) + sim->method_size;
    *sim->good = *sim->state;
    sim->method->keep(sim->data, snSim_MethodState(sim->state), snSim_MethodState(sim->good));
    memcpy((uint8_t*)sim->good + events, (uint8_t*)sim->state + events, sim->state_size - events);
}

// A step went well; at the end of a frame its state becomes the last good one.
static void countStep(snSim* sim)
{
    snStateHead* head = sim->state;
    head->step++;
    if (++head->part == stepsPerFrame(sim)) {
        head->part = 0;
        head->frame++;
        if (head->level > 0 && ++head->calm >= calmFrames(head)) {
            head->level--;
            head->calm = 0;
        }
        keepState(sim);
    }
}

// Compensated summation (Kahan 1965).
static void wantTime(snStateHead* head, double dt)
{
    double more = dt + head->lost, sum = head->wanted + more;
    head->lost = more - (sum - head->wanted);
    head->wanted = sum;
}

// Whether one is; a millionth of a step forgives the rounding of sums of dt.
static bool isDue(const snSim* sim)
{
    return (double)(stepNumber(sim) + 1) <= sim->state->wanted * stepsPerSecond(sim) + 1e-6;
}

static double timeLeft(const snSim* sim)
{
    double steps = sim->state->wanted * stepsPerSecond(sim) + 1e-6 - (double)stepNumber(sim);
    return isDue(sim) ? fmax(1, floor(steps)) / stepsPerSecond(sim) : 0;
}

static snStatus doStep(snSim* sim, snMessage* why)
{
    snFault fault = {-1, -1, NULL};
    double h = 1 / stepsPerSecond(sim);
    if (sim->host.interrupted && sim->host.interrupted(sim->host.user)) {
        return snFail(why, sn_errorInterrupted, "stopped at %.6g s", snSim_Time(sim));
    }
    if (!sim->method->advance(sim->data, sim->tasks, snSim_MethodState(sim->state), snSim_Time(sim),
                              h, sim->state->level < STRICT_LEVEL, &fault)) {
        return retryFrame(sim, &fault, why);
    }
    snEvents_Step(sim, h);
    countStep(sim);
    return sn_ok;
}

snStatus snSim_AdvanceWithin(snSim* sim, double dt, int64_t steps, double seconds, double* left,
                             snMessage* why)
{
    snMessage_Clear(why);
    if (!sim || !(dt >= 0 && dt <= 3600)) {
        return snFail(why, sn_errorArgument, "time to advance by must lie in 0..3600 s, found %g",
                      dt);
    }
    if (steps < 0 || !(seconds >= 0)) {
        return snFail(why, sn_errorArgument, "steps and seconds must not be negative");
    }
    snStatus status = sn_ok;
    snFpMode mode = snFpMode_Enter();
    bool timed = seconds < (double)INFINITY;
    double begin = timed ? snClock_Now() : 0;
    wantTime(sim->state, dt);
    snEvents_Begin(sim, sim->state);
    snEvents_Begin(sim, sim->good);
    for (int64_t i = 0; i < steps && !status && isDue(sim); ++i) {
        if (timed && snClock_Now() - begin >= seconds) {
            break;
        }
        status = doStep(sim, why);
    }
    if (left) {
        *left = timeLeft(sim);
    }
    sim->frame_step = -1;
    snFpMode_Leave(mode);
    return status;
}

snStatus snSim_Advance(snSim* sim, double dt, snMessage* why)
{
    return snSim_AdvanceWithin(sim, dt, INT64_MAX, (double)INFINITY, NULL, why);
}

void snSim_Skip(snSim* sim)
{
    if (sim) {
        sim->state->wanted = sim->good->wanted = snSim_Time(sim);
        sim->state->lost = sim->good->lost = 0;
    }
}

const snFrame* snSim_Frame(snSim* sim)
{
    if (!sim) {
        return NULL;
    }
    if (sim->frame_step != sim->state->step) {
        const snStateHead* head = sim->state;
        sim->frame = (snFrame){.time = snSim_Time(sim),
                               .step = head->step,
                               .step_size = 1 / stepsPerSecond(sim),
                               .guard = {head->retries, (int32_t)head->level,
                                         (int32_t)head->character - 1, head->when},
                               .shift = head->shift};
        const snEventTable* table = snEvents_Of(sim, sim->state);
        if (table) {
            sim->frame.event_count = (int32_t)table->count;
            sim->frame.events = table->events;
            sim->frame.event_lost = table->lost;
        }
        snFpMode mode = snFpMode_Enter();
        sim->method->writeFrame(sim->data, sim->tasks, snSim_MethodState(sim->state),
                                sim->frame.time, &sim->frame);
        snFpMode_Leave(mode);
        sim->frame_step = sim->state->step;
    }
    return &sim->frame;
}

// State -----------------------------------------------------------------------

void snSim_Changed(snSim* sim)
{
    memcpy(sim->good, sim->state, sim->state_size);
    sim->frame_step = -1;
}

// A saved state is the state and the last good frame's, to which the guard would go back.
size_t snSim_StateSize(const snSim* sim)
{
    return sim ? 2 * sim->state_size : 0;
}

static uint64_t hashSaved(snStateHead head, const uint8_t* saved, size_t bytes)
{
    head.check = 0;
    return snHash(saved + sizeof head, bytes - sizeof head, snHash(&head, sizeof head, 0));
}

void snSim_Save(const snSim* sim, void* state)
{
    if (!sim || !state) {
        return;
    }
    snStateHead head;
    memcpy(state, sim->state, sim->state_size);
    memcpy((uint8_t*)state + sim->state_size, sim->good, sim->state_size);
    memcpy(&head, state, sizeof head);
    head.check = hashSaved(head, state, 2 * sim->state_size);
    memcpy(state, &head, sizeof head);
}

static bool isHead(const snSim* sim, const snStateHead* head)
{
    return head->magic == STATE_MAGIC && head->model == sim->state->model && head->level >= 0 &&
           head->level <= MOST_LEVEL && head->frame >= 0 && head->frame < INT64_MAX / 2 &&
           head->part >= 0 && head->part < sim->steps_per_frame << head->level;
}

snStatus snSim_Restore(snSim* sim, const void* state, size_t bytes, snMessage* why)
{
    snMessage_Clear(why);
    snStateHead head, good;
    if (!sim || !state) {
        return snFail(why, sn_errorArgument, "sim and state must not be NULL");
    }
    if (bytes != 2 * sim->state_size) {
        return snFail(why, sn_errorArgument,
                      "a state of this sim has %zu bytes, found %zu; restore one of the same scene",
                      2 * sim->state_size, bytes);
    }
    memcpy(&head, state, sizeof head);
    memcpy(&good, (const uint8_t*)state + sim->state_size, sizeof good);
    if (!isHead(sim, &head) || !isHead(sim, &good)) {
        return snFail(why, sn_errorArgument,
                      "this state belongs to another scene, or to none; restore one that was saved "
                      "from the same scene");
    }
    if (head.check != hashSaved(head, state, bytes)) {
        return snFail(why, sn_errorArgument, "this state is damaged; save it again");
    }
    memcpy(sim->state, state, sim->state_size);
    memcpy(sim->good, (const uint8_t*)state + sim->state_size, sim->state_size);
    sim->state->check = 0;
    sim->method->forget(sim->data);
    sim->frame_step = -1;
    return sn_ok;
}

// Time asked for but not yet simulated is left out: it depends on how calls cut time.
uint64_t snSim_Hash(const snSim* sim)
{
    if (!sim) {
        return 0;
    }
    size_t from = offsetof(snStateHead, step), end = sizeof(snStateHead) + sim->method_size;
    return snHash((const uint8_t*)sim->state + from, end - from, sim->state->model);
}
