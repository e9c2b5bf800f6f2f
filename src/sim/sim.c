// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

#include "base/cpu.h"
#include "base/hash.h"
#include "base/message.h"
#include "sim/scene.h"
#include <string.h>

#define STATE_MAGIC 0x6574617473776e73u // "snwstate"

// The front of the state block; the method's state follows.
typedef struct StateHead {
    uint64_t magic;
    uint64_t model; // hash of everything the state's meaning depends on
    int64_t step;   // steps done
    double wanted;  // time that has been asked for, s
    double lost; // what rounding took from `wanted`, s: thousands of small times add up to no error
    uint64_t check; // in saved states: hash of the rest, so that damage is noticed
    uint64_t unused[2];
} StateHead;

struct snSim {
    snHost host;
    snScene* scene;
    const snMethod* method;
    snMethodData* data;
    snTasks* tasks;
    int64_t steps_per_frame;
    double steps_per_second;
    size_t state_size;
    StateHead* state; // head and method's state in one block
    StateHead* good;  // the last good frame's block
    snFrame frame;
    snFrameCharacter* characters; // frame's
    int64_t frame_step;           // step that the frame shows, -1 = none
};

static void* methodState(StateHead* head)
{
    return head + 1;
}

// Everything that gives the numbers in the state their meaning. Bones lie in zero-filled memory,
// padding included.
static uint64_t hashModel(const snSim* sim)
{
    const snWorld* world = &sim->scene->world;
    double settings[] = {world->gravity.x,          world->gravity.y,
                         world->gravity.z,          sim->steps_per_second,
                         (double)world->integrator, world->keep_momentum ? 1 : 0};
    uint64_t hash =
        snHash(settings, sizeof settings, snHash(sim->method->name, strlen(sim->method->name), 0));
    for (int32_t i = 0; i < world->actor_count; ++i) {
        const snActor* actor = &world->actors[i];
        const snSkeleton* s = actor->character->skeleton;
        hash = snHash(s->bones, (size_t)s->bone_count * sizeof(snBone), hash);
        hash = snHash(s->passives, (size_t)s->passive_count * sizeof(snPassiveDef), hash);
        hash = snHash(&actor->base, sizeof actor->base, hash);
    }
    return hash;
}

static snStatus build(snSim* sim, snMessage* why)
{
    const snSceneDef* def = &sim->scene->def;
    double most = def->step > 0 ? def->step : sim->method->step;
    double steps = ceil(1 / (def->frame_rate * most) - 1e-9);
    sim->steps_per_frame = steps > 1 ? (int64_t)steps : 1;
    sim->steps_per_second = def->frame_rate * (double)sim->steps_per_frame;
    snStatus status = sim->method->build(&sim->scene->world, &sim->data, why);
    status = status ? status : snTasks_Create(&sim->host, &sim->tasks, why);
    if (status) {
        return status;
    }
    size_t actors = (size_t)sim->scene->world.actor_count;
    sim->state_size = sizeof(StateHead) + sim->method->stateSize(sim->data);
    sim->state = snHost_Allocate(&sim->host, sim->state_size);
    sim->good = snHost_Allocate(&sim->host, sim->state_size);
    sim->characters = snHost_Allocate(&sim->host, actors * sizeof(snFrameCharacter));
    if (!sim->state || !sim->good || !sim->characters) {
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
        snHost_Release(&host, sim->characters,
                       (size_t)sim->scene->world.actor_count * sizeof(snFrameCharacter));
        snHost_Release(&host, sim, sizeof *sim);
    }
}

// Time ------------------------------------------------------------------------

double snSim_Time(const snSim* sim)
{
    return sim ? (double)sim->state->step / sim->steps_per_second : 0;
}

double snSim_Step(const snSim* sim)
{
    return sim ? 1 / sim->steps_per_second : 0;
}

static snStatus failStep(snSim* sim, const snFault* fault, snMessage* why)
{
    double t = snSim_Time(sim);
    const snActor* actor = &sim->scene->world.actors[fault->actor];
    memcpy(sim->state, sim->good, sim->state_size);
    sim->state->wanted = snSim_Time(sim);
    sim->state->lost = 0;
    return snFail(why, sn_errorNumeric,
                  "at %.6g s bone '%s' of character '%s' %s; the state is that of the last good "
                  "frame, %.6g s; try a smaller step or weaker drives",
                  t, actor->character->skeleton->defs[fault->bone].name, actor->character->name,
                  fault->text, snSim_Time(sim));
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
    int64_t due = (int64_t)floor(sim->state->wanted * sim->steps_per_second + 1e-6);
    while (sim->state->step < due && !status) {
        if (sim->state->step % sim->steps_per_frame == 0) {
            memcpy(sim->good, sim->state, sim->state_size);
        }
        if (sim->host.interrupted && sim->host.interrupted(sim->host.user)) {
            status = snFail(why, sn_errorInterrupted, "stopped at %.6g s", snSim_Time(sim));
            break;
        }
        snFault fault = {-1, -1, NULL};
        if (sim->method->advance(sim->data, sim->tasks, methodState(sim->state), snSim_Time(sim),
                                 snSim_Step(sim), &fault)) {
            sim->state->step++;
        } else {
            status = failStep(sim, &fault, why);
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
        snFpMode mode = snFpMode_Enter();
        sim->method->writeFrame(sim->data, methodState(sim->state), sim->characters);
        snFpMode_Leave(mode);
        sim->frame = (snFrame){snSim_Time(sim), sim->state->step, sim->scene->world.actor_count,
                               sim->characters};
        sim->frame_step = sim->state->step;
    }
    return &sim->frame;
}

// State -----------------------------------------------------------------------

size_t snSim_StateSize(const snSim* sim)
{
    return sim ? sim->state_size : 0;
}

static uint64_t hashState(StateHead head, const void* body, size_t bytes)
{
    head.check = 0;
    return snHash(body, bytes, snHash(&head, sizeof head, 0));
}

void snSim_Save(const snSim* sim, void* state)
{
    StateHead head = *sim->state;
    head.check = hashState(head, sim->state + 1, sim->state_size - sizeof head);
    memcpy(state, sim->state, sim->state_size);
    memcpy(state, &head, sizeof head);
}

snStatus snSim_Restore(snSim* sim, const void* state, size_t bytes, snMessage* why)
{
    snMessage_Clear(why);
    StateHead head;
    if (!sim || !state) {
        return snFail(why, sn_errorArgument, "sim and state must not be NULL");
    }
    if (bytes != sim->state_size) {
        return snFail(why, sn_errorArgument,
                      "a state of this sim has %zu bytes, found %zu; restore one of the same scene",
                      sim->state_size, bytes);
    }
    memcpy(&head, state, sizeof head);
    if (head.magic != STATE_MAGIC || head.model != sim->state->model) {
        return snFail(why, sn_errorArgument,
                      "this state belongs to another scene, or to none; restore one that was saved "
                      "from the same scene");
    }
    if (head.check != hashState(head, (const uint8_t*)state + sizeof head, bytes - sizeof head)) {
        return snFail(why, sn_errorArgument, "this state is damaged; save it again");
    }
    memcpy(sim->state, state, bytes);
    memcpy(sim->good, state, bytes);
    sim->frame_step = -1;
    return sn_ok;
}

// Time asked for but not yet simulated is left out: it depends on how calls cut time.
uint64_t snSim_Hash(const snSim* sim)
{
    uint64_t hash = snHash(&sim->state->step, sizeof sim->state->step, sim->state->model);
    return snHash(methodState(sim->state), sim->state_size - sizeof(StateHead), hash);
}
