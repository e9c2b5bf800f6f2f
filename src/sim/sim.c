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

int64_t snSim_WantedSteps(const snSim* sim, const snMethodData* data)
{
    const snSceneDef* def = &sim->scene->def;
    double most = def->step > 0 ? def->step : sim->method->chooseStep(data);
    double steps = ceil(1 / (def->frame_rate * most) - 1e-9);
    return steps > 1 ? (int64_t)steps : 1;
}

snStatus snSim_AllocateState(snSim* sim, snMessage* why)
{
    sim->state_size = sizeof(snStateHead) + sim->data->state_size;
    sim->state = snHost_Allocate(&sim->host, sim->state_size);
    sim->good = snHost_Allocate(&sim->host, sim->state_size);
    if (!sim->state || !sim->good) {
        return snFail(why, sn_errorMemory, "no memory for %zu bytes of state", sim->state_size);
    }
    return sn_ok;
}

static snStatus build(snSim* sim, snMessage* why)
{
    const snSceneDef* def = &sim->scene->def;
    snStatus status = snMethod_Build(sim->method, &sim->scene->world, NULL, NULL, &sim->data, why);
    status = status ? status : snTasks_Create(&sim->host, &sim->tasks, why);
    status = status ? status : snSim_AllocateState(sim, why);
    if (status) {
        return status;
    }
    sim->steps_per_frame = snSim_WantedSteps(sim, sim->data);
    sim->frame_rate = def->frame_rate;
    sim->state->magic = STATE_MAGIC;
    sim->state->model = snSim_HashModel(sim);
    snMethodData_Init(sim->data, snSim_Slices(sim->state));
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
    snStatus able = snScene_CheckMethod(scene, why);
    if (able) {
        return able;
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
        snMethodData_Free(sim->data);
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

double snSim_StepsPerSecond(const snSim* sim)
{
    return sim->frame_rate * (double)stepsPerFrame(sim);
}

// Steps from time 0 to now if all had been as long as they are now.
int64_t snSim_StepNumber(const snSim* sim)
{
    return sim->state->frame * stepsPerFrame(sim) + sim->state->part;
}

double snSim_Time(const snSim* sim)
{
    return sim ? (double)snSim_StepNumber(sim) / snSim_StepsPerSecond(sim) : 0;
}

double snSim_Step(const snSim* sim)
{
    return sim ? 1 / (sim->frame_rate * (double)sim->steps_per_frame) : 0;
}

// Guard -----------------------------------------------------------------------

// After a bad step: the frame is done again with steps half as long; fails when they are as short
// as they get.
static snStatus retryFrame(snSim* sim, const snVerdict* verdict, snMessage* why)
{
    snStateHead now = *sim->state;
    const snCharacter* c = snScene_Character(sim->scene, verdict->actor);
    const char* name = c ? c->name : "one of many";
    const char* what = snTrouble_Text(verdict->trouble);
    double t = snSim_Time(sim), shortest = snSim_StepsPerSecond(sim);
    memcpy(sim->state, sim->good, sim->state_size);
    snMethodData_Forget(sim->data);
    if (now.level < MOST_LEVEL) {
        sim->state->wanted = now.wanted;
        sim->state->lost = now.lost;
        sim->state->calm = 0;
        sim->state->level = now.level + 1;
        sim->state->part <<= now.level + 1 - sim->good->level;
        sim->state->retries = now.retries + 1;
        sim->state->character = verdict->actor + 1;
        sim->state->bone = verdict->bone + 1;
        sim->state->trouble = verdict->trouble;
        sim->state->when = t;
        snLog(&sim->host, sn_logWarning, "at %.6g s character '%s' %s; steps are now %.3g ms", t,
              name, what, 1e3 / snSim_StepsPerSecond(sim));
        return sn_ok;
    }
    sim->state->wanted = snSim_Time(sim);
    sim->state->lost = 0;
    sim->failure = *verdict;
    sim->failed_at = t;
    snFail(why, sn_errorNumeric,
           "character '%s' %s; steps of %.3g ms did not help; the state is that of the last good "
           "frame, %.6g s; %s",
           name, what, 1e3 / shortest, snSim_Time(sim), snTrouble_Advice(verdict->trouble));
    if (c && verdict->bone >= 0) {
        snMessage_Prefix(why, "at %.6g s bone '%s'", t, c->skeleton->defs[verdict->bone].name);
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
    *sim->good = *sim->state;
    snSurroundings_CopyState(&sim->data->around, snSim_Slices(sim->state), snSim_Slices(sim->good),
                             sim->data->state_size);
}

// Steps of one frame went well; at its end its state becomes the last good one.
static void countSteps(snSim* sim, int64_t done)
{
    snStateHead* head = sim->state;
    head->step += done;
    head->part += done;
    if (head->part == stepsPerFrame(sim)) {
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
    return (double)(snSim_StepNumber(sim) + 1) <=
           sim->state->wanted * snSim_StepsPerSecond(sim) + 1e-6;
}

static double timeLeft(const snSim* sim)
{
    double steps =
        sim->state->wanted * snSim_StepsPerSecond(sim) + 1e-6 - (double)snSim_StepNumber(sim);
    return isDue(sim) ? fmax(1, floor(steps)) / snSim_StepsPerSecond(sim) : 0;
}

// Steps that are due, of which there is one, up to the end of the frame: good states are kept
// there.
static int64_t dueSteps(const snSim* sim, int64_t most)
{
    double due = sim->state->wanted * snSim_StepsPerSecond(sim) + 1e-6;
    due = floor(due - (double)snSim_StepNumber(sim));
    int64_t left = stepsPerFrame(sim) - sim->state->part;
    left = left < most ? left : most;
    left = due < (double)left ? (int64_t)due : left;
    return left > 1 ? left : 1;
}

static snStatus doSteps(snSim* sim, int64_t count, int64_t* tried, snMessage* why)
{
    snVerdict verdict = {-1, -1, sn_troubleNone};
    snSpan span = {.first = snSim_StepNumber(sim),
                   .count = count,
                   .frame = stepsPerFrame(sim),
                   .rate = snSim_StepsPerSecond(sim),
                   .strict = sim->state->level < STRICT_LEVEL,
                   .shift = sim->state->shift,
                   .clock = sim->is_timed ? &sim->clock : NULL};
    int64_t done =
        sim->method->advance(sim->data, sim->tasks, snSim_Slices(sim->state), &span, &verdict);
    countSteps(sim, done);
    *tried = done < count ? done + 1 : done;
    return done < count ? retryFrame(sim, &verdict, why) : sn_ok;
}

// Who may stop a run, by a call or by the clock, is asked before every step.
static snStatus advanceBy(snSim* sim, int64_t steps, double seconds, snMessage* why)
{
    snStatus status = sn_ok;
    bool timed = seconds < (double)INFINITY;
    double begin = timed ? snClock_Now() : 0;
    while (steps > 0 && !status && isDue(sim)) {
        int64_t count = timed || sim->host.interrupted ? 1 : dueSteps(sim, steps), tried;
        if (timed && snClock_Now() - begin >= seconds) {
            break;
        }
        if (sim->host.interrupted && sim->host.interrupted(sim->host.user)) {
            return snFail(why, sn_errorInterrupted, "stopped at %.6g s", snSim_Time(sim));
        }
        status = doSteps(sim, count, &tried, why);
        steps -= tried;
    }
    return status;
}

snStatus snSim_AdvanceWithin(snSim* sim, double dt, int64_t steps, double seconds, double* left,
                             snMessage* why)
{
    snMessage_Clear(why);
    if (!sim) {
        return snFail(why, sn_errorArgument, "sim must not be NULL");
    }
    if (!(dt >= 0 && dt <= 3600)) {
        return snFail(why, sn_errorArgument, "time to advance by must lie in 0..3600 s, found %g",
                      dt);
    }
    if (steps < 0 || !(seconds >= 0)) {
        return snFail(why, sn_errorArgument, "steps and seconds must not be negative");
    }
    snFpMode mode = snFpMode_Enter();
    sim->failure.trouble = sn_troubleNone;
    wantTime(sim->state, dt);
    snEvents_Begin(&sim->data->around, snSim_Slices(sim->state));
    snEvents_Begin(&sim->data->around, snSim_Slices(sim->good));
    snStatus status = advanceBy(sim, steps, seconds, why);
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

// Stages ----------------------------------------------------------------------

snStatus snSim_TimeStages(snSim* sim, snMessage* why)
{
    snMessage_Clear(why);
    if (!sim) {
        return snFail(why, sn_errorArgument, "sim must not be NULL");
    }
    if (snTasks_WorkerCount(sim->tasks) > 1) {
        return snFail(why, sn_errorUnsupported,
                      "stages are timed on one thread alone, and this sim has %d; set thread_count "
                      "of its host to 1",
                      snTasks_WorkerCount(sim->tasks));
    }
    snStageClock_Init(&sim->clock);
    sim->is_timed = true;
    return sn_ok;
}

const char* snSim_Stage(const snSim* sim, int32_t i, double* seconds)
{
    bool there = sim && i >= 0 && i < sim->method->stage_count;
    if (seconds) {
        *seconds = there ? sim->clock.spent[i] : 0;
    }
    return there ? sim->method->stages[i] : NULL;
}

// Frames ----------------------------------------------------------------------

// The last trouble; what no retry helped against is told although the state went back behind it.
static snGuardCounts countsOf(const snSim* sim)
{
    const snStateHead* head = sim->state;
    snGuardCounts counts = {.retries = head->retries,
                            .level = (int32_t)head->level,
                            .character = (int32_t)head->character - 1,
                            .bone = (int32_t)head->bone - 1,
                            .trouble = (int32_t)head->trouble,
                            .time = head->when};
    if (sim->failure.trouble) {
        counts.character = sim->failure.actor;
        counts.bone = sim->failure.bone;
        counts.trouble = sim->failure.trouble;
        counts.time = sim->failed_at;
    }
    return counts;
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
                               .step_size = 1 / snSim_StepsPerSecond(sim),
                               .guard = countsOf(sim),
                               .character_count = sim->data->actor_count,
                               .characters = sim->data->characters,
                               .shift = head->shift};
        void* state = snSim_Slices(sim->state);
        snFpMode mode = snFpMode_Enter();
        sim->method->writeFrame(sim->data, sim->tasks, state, head->shift);
        snSurroundings_WriteFrame(&sim->data->around, state, sim->frame.time, &sim->frame);
        snFpMode_Leave(mode);
        snSim_Judge(sim);
        snSim_Deliver(sim);
        sim->frame_step = sim->state->step;
    }
    return &sim->frame;
}

// State -----------------------------------------------------------------------

void snSim_Changed(snSim* sim)
{
    memcpy(sim->good, sim->state, sim->state_size);
    sim->failure.trouble = sn_troubleNone; // numbers of characters may have changed
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
    sim->failure.trouble = sn_troubleNone;
    snMethodData_Forget(sim->data);
    sim->frame_step = -1;
    return sn_ok;
}

// Time asked for but not yet simulated is left out: it depends on how calls cut time. So are the
// events at the end of the world's slice.
uint64_t snSim_Hash(const snSim* sim)
{
    if (!sim) {
        return 0;
    }
    const uint8_t* block = (const uint8_t*)sim->state;
    size_t from = offsetof(snStateHead, step);
    size_t events = sizeof(snStateHead) + sim->data->around.events_offset;
    size_t actors = sizeof(snStateHead) + sim->data->around.slice_size;
    uint64_t hash = snHash(block + from, events - from, sim->state->model);
    return snHash(block + actors, sim->state_size - actors, hash);
}
