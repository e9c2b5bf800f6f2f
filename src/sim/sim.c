// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

#include "base/cpu.h"
#include "base/hash.h"
#include "base/log.h"
#include "base/message.h"
#include "sim/scene.h"
#include <stddef.h>
#include <string.h>

#define STATE_MAGIC 0x6574617473776e73u // "snwstate"

// Steps become at most 2^this times shorter, and twice as long again after that many good frames.
#define MOST_LEVEL 6
#define STRICT_LEVEL 3 // for what can be borne if need be
#define CALM_FRAMES 30

// The front of the state block; the method's state follows.
typedef struct StateHead {
    uint64_t magic;
    uint64_t model; // hash of everything the state's meaning depends on
    uint64_t check; // in saved states: hash of the rest, so that damage is noticed
    double wanted;  // time that has been asked for, s
    double lost; // what rounding took from `wanted`, s: thousands of small times add up to no error
    // everything from here on goes into hashes
    int64_t step;  // steps done
    int64_t frame; // whole frames done
    int64_t part;  // steps done since
    // the guard
    int64_t level;     // steps are 2^level times shorter than at the start
    int64_t calm;      // good frames since the last trouble
    int64_t retries;   // frames done again
    int64_t character; // where the last trouble was, plus 1; 0 = nowhere yet
    double when;       // s
    uint64_t unused[3];
} StateHead;

struct snSim {
    snHost host;
    snScene* scene;
    const snMethod* method;
    snMethodData* data;
    snTasks* tasks;
    double frame_rate;
    int64_t steps_per_frame; // at level 0
    size_t state_size;
    StateHead* state; // head and method's state in one block
    StateHead* good;  // the last good frame's block
    snFrame frame;
    int64_t frame_step; // step that the frame shows, -1 = none
};

static void* methodState(StateHead* head)
{
    return head + 1;
}

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
static uint64_t hashModel(const snSim* sim)
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
    return hash;
}

static snStatus build(snSim* sim, snMessage* why)
{
    const snSceneDef* def = &sim->scene->def;
    snStatus status = sim->method->build(&sim->scene->world, &sim->data, why);
    status = status ? status : snTasks_Create(&sim->host, &sim->tasks, why);
    if (status) {
        return status;
    }
    double most = def->step > 0 ? def->step : sim->method->chooseStep(sim->data);
    double steps = ceil(1 / (def->frame_rate * most) - 1e-9);
    sim->steps_per_frame = steps > 1 ? (int64_t)steps : 1;
    sim->frame_rate = def->frame_rate;
    sim->state_size = sizeof(StateHead) + sim->method->stateSize(sim->data);
    sim->state = snHost_Allocate(&sim->host, sim->state_size);
    sim->good = snHost_Allocate(&sim->host, sim->state_size);
    if (!sim->state || !sim->good) {
        return snFail(why, sn_errorMemory, "no memory for %zu bytes of state", sim->state_size);
    }
    sim->state->magic = STATE_MAGIC;
    sim->state->model = hashModel(sim);
    sim->method->init(sim->data, methodState(sim->state));
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
    StateHead now = *sim->state;
    const snCharacter* c = sim->scene->world.actors[fault->actor].character;
    double t = snSim_Time(sim), shortest = stepsPerSecond(sim);
    memcpy(sim->state, sim->good, sim->state_size);
    sim->method->forget(sim->data);
    if (now.level < MOST_LEVEL) {
        sim->state->wanted = now.wanted;
        sim->state->lost = now.lost;
        sim->state->calm = 0;
        sim->state->level = now.level + 1;
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
static int64_t calmFrames(const StateHead* head)
{
    return CALM_FRAMES << (head->retries < 8 ? head->retries - 1 : 7);
}

// A step went well; at the end of a frame its state becomes the last good one.
static void countStep(snSim* sim)
{
    StateHead* head = sim->state;
    head->step++;
    if (++head->part == stepsPerFrame(sim)) {
        head->part = 0;
        head->frame++;
        if (head->level > 0 && ++head->calm >= calmFrames(head)) {
            head->level--;
            head->calm = 0;
        }
        memcpy(sim->good, sim->state, sim->state_size);
    }
}

// Compensated summation (Kahan 1965).
static void wantTime(StateHead* head, double dt)
{
    double more = dt + head->lost, sum = head->wanted + more;
    head->lost = more - (sum - head->wanted);
    head->wanted = sum;
}

snStatus snSim_Advance(snSim* sim, double dt, snMessage* why)
{
    snMessage_Clear(why);
    if (!sim || !(dt >= 0 && dt <= 3600)) {
        return snFail(why, sn_errorArgument, "time to advance by must lie in 0..3600 s, found %g",
                      dt);
    }
    snStatus status = sn_ok;
    snFpMode mode = snFpMode_Enter();
    wantTime(sim->state, dt);
    // a millionth of a step forgives the rounding of sums of dt
    while (!status &&
           (double)(stepNumber(sim) + 1) <= sim->state->wanted * stepsPerSecond(sim) + 1e-6) {
        if (sim->host.interrupted && sim->host.interrupted(sim->host.user)) {
            status = snFail(why, sn_errorInterrupted, "stopped at %.6g s", snSim_Time(sim));
            break;
        }
        snFault fault = {-1, -1, NULL};
        if (sim->method->advance(sim->data, sim->tasks, methodState(sim->state), snSim_Time(sim),
                                 1 / stepsPerSecond(sim), sim->state->level < STRICT_LEVEL,
                                 &fault)) {
            countStep(sim);
        } else {
            status = retryFrame(sim, &fault, why);
        }
    }
    sim->frame_step = -1;
    snFpMode_Leave(mode);
    return status;
}

const snFrame* snSim_Frame(snSim* sim)
{
    if (!sim) {
        return NULL;
    }
    if (sim->frame_step != sim->state->step) {
        const StateHead* head = sim->state;
        sim->frame = (snFrame){.time = snSim_Time(sim),
                               .step = head->step,
                               .step_size = 1 / stepsPerSecond(sim),
                               .guard = {head->retries, (int32_t)head->level,
                                         (int32_t)head->character - 1, head->when}};
        snFpMode mode = snFpMode_Enter();
        sim->method->writeFrame(sim->data, sim->tasks, methodState(sim->state), sim->frame.time,
                                &sim->frame);
        snFpMode_Leave(mode);
        sim->frame_step = sim->state->step;
    }
    return &sim->frame;
}

// State -----------------------------------------------------------------------

// A saved state is the state and the last good frame's, to which the guard would go back.
size_t snSim_StateSize(const snSim* sim)
{
    return sim ? 2 * sim->state_size : 0;
}

static uint64_t hashSaved(StateHead head, const uint8_t* saved, size_t bytes)
{
    head.check = 0;
    return snHash(saved + sizeof head, bytes - sizeof head, snHash(&head, sizeof head, 0));
}

void snSim_Save(const snSim* sim, void* state)
{
    if (!sim || !state) {
        return;
    }
    StateHead head;
    memcpy(state, sim->state, sim->state_size);
    memcpy((uint8_t*)state + sim->state_size, sim->good, sim->state_size);
    memcpy(&head, state, sizeof head);
    head.check = hashSaved(head, state, 2 * sim->state_size);
    memcpy(state, &head, sizeof head);
}

static bool isHead(const snSim* sim, const StateHead* head)
{
    return head->magic == STATE_MAGIC && head->model == sim->state->model && head->level >= 0 &&
           head->level <= MOST_LEVEL && head->frame >= 0 && head->frame < INT64_MAX / 2 &&
           head->part >= 0 && head->part < sim->steps_per_frame << head->level;
}

snStatus snSim_Restore(snSim* sim, const void* state, size_t bytes, snMessage* why)
{
    snMessage_Clear(why);
    StateHead head, good;
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
    size_t from = offsetof(StateHead, step);
    return snHash((const uint8_t*)sim->state + from, sim->state_size - from, sim->state->model);
}
