// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

// What a host does to a sim while it runs.
#include "base/message.h"
#include "math/quat.h"
#include "sim/sim_state.h"
#include <string.h>

#define MOST_IMPULSE 1e6 // Ns

static bool isPlace(snVec3 p)
{
    return snLength(p) <= SN_MOST_LENGTH;
}

static bool isPose(const snTransform* pose)
{
    double square = snQDot(pose->q, pose->q);
    return isPlace(pose->p) && square > 0.25 && square < 4;
}

static snStatus findActor(const snSim* sim, int32_t who, snMessage* why)
{
    snMessage_Clear(why);
    bool there = sim && snScene_Character(sim->scene, who);
    return there ? sn_ok : snFail(why, sn_errorArgument, "there is no character %d", (int)who);
}

static snStatus findObstacle(const snSim* sim, int32_t number, snMessage* why)
{
    snMessage_Clear(why);
    bool there = sim && snScene_Obstacle(sim->scene, number);
    return there ? sn_ok : snFail(why, sn_errorArgument, "there is no obstacle %d", (int)number);
}

// Coming and going ------------------------------------------------------------

static snStatus checkAlone(const snSim* sim, snMessage* why)
{
    snMessage_Clear(why);
    if (!sim) {
        return snFail(why, sn_errorArgument, "sim must not be NULL");
    }
    if (sim->scene->sim_count > 1) {
        return snFail(why, sn_errorArgument,
                      "the scene has other sims, which know it as it is; free them first");
    }
    return snMethod_Require(sim->method, sn_doesChange, why);
}

// Slices of those who stayed.
static void carrySlices(snSim* next, const snSim* sim, const snChange* change)
{
    uint8_t *old = snSim_Slices(sim->state), *state = snSim_Slices(next->state);
    for (int32_t i = 0; i < sim->data->actor_count; ++i) {
        int32_t now = snChange_Of(change->actor, i);
        if (now >= 0) {
            memcpy(state + next->data->slices[now].offset, old + sim->data->slices[i].offset,
                   sim->data->slices[i].own);
            next->data->wants[now] = sim->data->wants[i];
        }
    }
    snMethodData_NoteWants(next->data);
    snSurroundings_Carry(&sim->data->around, old, change, &next->data->around, state);
}

// The block of a world that has changed: those who stayed as they are, the others as they start.
static void carryState(snSim* next, const snSim* sim, const snChange* change)
{
    int64_t wanted = snSim_WantedSteps(sim, next->data);
    int64_t times = (wanted + sim->steps_per_frame - 1) / sim->steps_per_frame;
    *next->state = *sim->state;
    next->steps_per_frame = sim->steps_per_frame * times;
    next->state->part *= times;
    snMethodData_Init(next->data, snSim_Slices(next->state));
    carrySlices(next, sim, change);
    if (next->state->character > 0) { // 0 when it is gone
        next->state->character = snChange_Of(change->actor, (int32_t)sim->state->character - 1) + 1;
    }
    next->state->model = snSim_HashModel(next);
}

// The scene has changed; on failure the sim goes on as it is, and the scene is to be put back.
static snStatus follow(snSim* sim, const snChange* change, snMessage* why)
{
    snSim next = *sim;
    snStatus status = snScene_CheckMethod(sim->scene, why);
    if (!status) {
        status =
            snMethod_Build(sim->method, &sim->scene->world, sim->data, change, &next.data, why);
    }
    if (status) {
        return status;
    }
    status = snSim_AllocateState(&next, why);
    if (status) {
        snHost_Release(&sim->host, next.state, next.state_size);
        snHost_Release(&sim->host, next.good, next.state_size);
        snMethodData_Free(next.data);
        return status;
    }
    carryState(&next, sim, change);
    snMethodData_Free(sim->data);
    snHost_Release(&sim->host, sim->state, sim->state_size);
    snHost_Release(&sim->host, sim->good, sim->state_size);
    *sim = next;
    snSim_Changed(sim);
    return sn_ok;
}

// The scene was put back as it was, but lies elsewhere.
static void rebind(snSim* sim)
{
    if (sim->method->rebind) {
        sim->method->rebind(sim->data);
    }
}

snStatus snSim_Add(snSim* sim, snCharacter* character, const snStart* start, int32_t* who,
                   snMessage* why)
{
    const snChange change = {-1, -1};
    if (!sim || !character) {
        (void)snFail(why, sn_errorArgument, "sim and character must not be NULL");
        return sn_errorArgument; // so that the analyser sees it
    }
    snStatus status = checkAlone(sim, why);
    if (status) {
        return status;
    }
    snStart placed;
    snStart_Init(&placed);
    placed = start ? *start : placed;
    placed.pose.p = snSub(placed.pose.p, sim->state->shift);
    int32_t last = sim->scene->world.actor_count;
    status = snScene_Append(sim->scene, character, &placed, why);
    if (status) {
        rebind(sim);
        return status;
    }
    status = follow(sim, &change, why);
    if (status) {
        snActor out = snScene_TakeOut(sim->scene, last);
        rebind(sim);
        snActor_Free(&sim->host, &out);
        return status;
    }
    if (who) {
        *who = last;
    }
    return sn_ok;
}

snStatus snSim_Remove(snSim* sim, int32_t who, snMessage* why)
{
    const snChange change = {who, -1};
    snStatus status = checkAlone(sim, why);
    status = status ? status : findActor(sim, who, why);
    if (!status && sim->scene->world.actor_count == 1) {
        status = snFail(why, sn_errorArgument, "the last character of a sim has to stay");
    }
    if (status) {
        return status;
    }
    snActor out = snScene_TakeOut(sim->scene, who);
    status = follow(sim, &change, why);
    if (status) {
        snScene_PutBack(sim->scene, who, &out);
        rebind(sim);
    } else {
        snActor_Free(&sim->host, &out);
    }
    return status;
}

snStatus snSim_AddObstacle(snSim* sim, const snObstacleDef* def, int32_t* number, snMessage* why)
{
    const snChange change = {-1, -1};
    if (!sim || !def) {
        (void)snFail(why, sn_errorArgument, "sim and def must not be NULL");
        return sn_errorArgument; // so that the analyser sees it
    }
    snStatus status = checkAlone(sim, why);
    if (status) {
        return status;
    }
    snObstacleDef placed = *def;
    placed.pose.p = snSub(placed.pose.p, sim->state->shift);
    int32_t last = sim->scene->world.obstacle_count;
    status = snScene_AppendObstacle(sim->scene, &placed, why);
    if (status) {
        return status;
    }
    status = follow(sim, &change, why);
    if (status) {
        snObstacle out = snScene_TakeOutObstacle(sim->scene, last);
        snObstacle_Free(&out);
        return status;
    }
    if (number) {
        *number = last;
    }
    return sn_ok;
}

snStatus snSim_RemoveObstacle(snSim* sim, int32_t number, snMessage* why)
{
    const snChange change = {-1, number};
    snStatus status = checkAlone(sim, why);
    status = status ? status : findObstacle(sim, number, why);
    if (status) {
        return status;
    }
    snObstacle out = snScene_TakeOutObstacle(sim->scene, number);
    status = follow(sim, &change, why);
    if (status) {
        snScene_PutBackObstacle(sim->scene, number, &out);
    } else {
        snObstacle_Free(&out);
    }
    return status;
}

// Moving ----------------------------------------------------------------------

snStatus snSim_MoveObstacle(snSim* sim, int32_t number, snTransform pose, double seconds,
                            snMessage* why)
{
    snStatus status = findObstacle(sim, number, why);
    if (status) {
        return status;
    }
    if (!snScene_Obstacle(sim->scene, number)->hosted) {
        return snFail(why, sn_errorArgument,
                      "obstacle %d is not hosted: set that in the def that it is added with",
                      (int)number);
    }
    if (!isPose(&pose) || !(seconds >= 0 && seconds <= 3600)) {
        return snFail(why, sn_errorArgument,
                      "an obstacle moves to a position within 1e9 m and a unit quaternion, in "
                      "0..3600 s");
    }
    void* state = snSim_Slices(sim->state);
    snSurroundings* around = &sim->data->around;
    double now = snSim_Time(sim);
    pose.p = snSub(pose.p, sim->state->shift);
    pose.q = snQNormalize(pose.q);
    snSurroundings_Move(around, state, number, pose, now, now + seconds);
    if (seconds == 0) { // who lies on it cannot feel that it goes
        snSurroundings_Wake(around, state);
        snMethodData_Forget(sim->data);
    }
    snSim_Changed(sim);
    return sn_ok;
}

snStatus snSim_Teleport(snSim* sim, int32_t who, snTransform by, snMessage* why)
{
    snStatus status = findActor(sim, who, why);
    status = status ? status : snMethod_Require(sim->method, sn_doesTeleport, why);
    if (status) {
        return status;
    }
    if (!isPose(&by)) {
        return snFail(why, sn_errorArgument,
                      "a character is moved by a way within 1e9 m and a unit quaternion");
    }
    // about the world's origin, which the scene's own is `shift` away from
    by.q = snQNormalize(by.q);
    snVec3 shift = sim->state->shift;
    by.p = snAdd(by.p, snSub(snQRotate(by.q, shift), shift));
    double held = snSim_Held(sim, false, who);
    if (!sim->method->teleport(sim->data, snSim_Slices(sim->state), who, by)) {
        return snFail(why, sn_errorUnsupported,
                      "character '%s' is held at its root; remove it and add it elsewhere",
                      snScene_Character(sim->scene, who)->name);
    }
    snSurroundings_Uproot(&sim->data->around, snSim_Slices(sim->state), who);
    snMethodData_Forget(sim->data);
    snSim_NoteHost(sim, false, who, held);
    snSim_Changed(sim);
    return sn_ok;
}

snStatus snSim_Shift(snSim* sim, snVec3 by, snMessage* why)
{
    snMessage_Clear(why);
    if (!sim || !isPlace(by) || !isPlace(snAdd(sim->state->shift, by))) {
        return snFail(why, sn_errorArgument, "the origin must stay within 1e9 m of the scene's");
    }
    sim->state->shift = snAdd(sim->state->shift, by);
    sim->good->shift = sim->state->shift;
    sim->frame_step = -1;
    return sn_ok;
}

// Pushing ---------------------------------------------------------------------

static snStatus checkPush(snVec3 place, snVec3 impulse, double radius, snMessage* why)
{
    bool fine = fabs(impulse.x) <= MOST_IMPULSE && fabs(impulse.y) <= MOST_IMPULSE &&
                fabs(impulse.z) <= MOST_IMPULSE;
    if (!fine || !isPlace(place) || !(radius >= 0 && radius <= 1000)) {
        return snFail(why, sn_errorArgument,
                      "a push needs a place within 1e9 m, an impulse within 1e6 Ns and a radius in "
                      "0..1000 m");
    }
    return sn_ok;
}

snStatus snSim_Push(snSim* sim, int32_t who, snVec3 place, snVec3 impulse, double radius,
                    snMessage* why)
{
    snStatus status = findActor(sim, who, why);
    status = status ? status : snMethod_Require(sim->method, sn_doesPush, why);
    status = status ? status : checkPush(place, impulse, radius, why);
    if (status) {
        return status;
    }
    snBlast blast = {snSub(place, sim->state->shift), impulse, radius, snSim_Time(sim),
                     snSim_Step(sim)};
    double held = snSim_Held(sim, false, who);
    sim->method->push(sim->data, snSim_Slices(sim->state), who, &blast);
    snSim_NoteHost(sim, false, who, held);
    snSurroundings_Wake(&sim->data->around, snSim_Slices(sim->state));
    snSim_Changed(sim);
    return sn_ok;
}

snStatus snSim_PushObstacle(snSim* sim, int32_t number, snVec3 place, snVec3 impulse,
                            snMessage* why)
{
    snStatus status = findObstacle(sim, number, why);
    status = status ? status : checkPush(place, impulse, 0, why);
    if (status) {
        return status;
    }
    if (!(snScene_Obstacle(sim->scene, number)->mass > 0)) {
        return snFail(why, sn_errorArgument, "obstacle %d has no mass: it does not give way",
                      (int)number);
    }
    void* state = snSim_Slices(sim->state);
    place = snSub(place, sim->state->shift);
    double held = snSim_Held(sim, true, number);
    snSurroundings_Push(&sim->data->around, state, number, place, impulse);
    snSim_NoteHost(sim, true, number, held);
    snSurroundings_Wake(&sim->data->around, state);
    snSim_Changed(sim);
    return sn_ok;
}

void snSim_Wake(snSim* sim)
{
    if (sim) {
        snSurroundings_Wake(&sim->data->around, snSim_Slices(sim->state));
        snSim_Changed(sim);
    }
}
