// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

#include "sim/scene.h"

#include "base/message.h"
#include "math/quat.h"
#include "skel/joint.h"
#include <string.h>

#define MOST_CHARACTERS 10000

void snSceneDef_Init(snSceneDef* def)
{
    *def = (snSceneDef){.size = sizeof(snSceneDef),
                        .method = "explicit",
                        .gravity = {0, -9.81, 0},
                        .frame_rate = 60,
                        .duration = 5,
                        .step = 0,
                        .friction = 0.6,
                        .self_contact = 1};
}

void snStart_Init(snStart* start)
{
    *start = (snStart){.size = sizeof(snStart), .pose = {{0, 0, 0}, {0, 0, 0, 1}}};
}

static bool isPlace(snVec3 v)
{
    return fabs(v.x) <= SN_MOST_LENGTH && fabs(v.y) <= SN_MOST_LENGTH &&
           fabs(v.z) <= SN_MOST_LENGTH;
}

static snStatus checkDef(const snScene* scene, const snSceneDef* def, snMessage* why)
{
    if (def->size != sizeof(snSceneDef)) {
        return snFail(why, sn_errorArgument, "the def was not set up with snSceneDef_Init");
    }
    if (!snScene_FindMethod(scene, def->method)) {
        return snMethod_FailUnknown(def->method, why);
    }
    if (!(def->frame_rate >= 1 && def->frame_rate <= 10000)) {
        return snFail(why, sn_errorArgument, "frame_rate must lie in 1..10000, found %g",
                      def->frame_rate);
    }
    if (!(def->duration >= 0 && def->duration <= 86400)) {
        return snFail(why, sn_errorArgument, "duration must lie in 0..86400 s, found %g",
                      def->duration);
    }
    if (!(def->step == 0 || (def->step >= 1e-7 && def->step <= 0.1))) {
        return snFail(why, sn_errorArgument,
                      "step must be 0 (automatic) or lie in 1e-7..0.1 s, found %g", def->step);
    }
    if (!(fabs(def->ground_height) <= SN_MOST_LENGTH) ||
        !(def->friction >= 0 && def->friction <= 10)) {
        return snFail(why, sn_errorArgument,
                      "the ground's height must lie within 1e9 m and friction in 0..10, found %g "
                      "and %g",
                      def->ground_height, def->friction);
    }
    if (!(def->restitution >= 0 && def->restitution <= 1)) {
        return snFail(why, sn_errorArgument, "restitution must lie in 0..1, found %g",
                      def->restitution);
    }
    if (def->events < 0 || def->events > 100000 || !(def->sleep >= 0 && def->sleep <= 3600)) {
        return snFail(why, sn_errorArgument,
                      "events must lie in 0..100000 and sleep in 0..3600 s, found %d and %g",
                      (int)def->events, def->sleep);
    }
    if (!(snLength(def->gravity) <= 1e6)) {
        return snFail(why, sn_errorArgument, "gravity must be finite and below 1e6 m/s^2");
    }
    return sn_ok;
}

static void takeDef(snScene* s, const snSceneDef* def)
{
    s->def = *def;
    snScene_UseMethod(s, snScene_FindMethod(s, def->method));
    s->world.gravity = def->gravity;
    s->world.ground = def->ground != 0;
    s->world.ground_height = def->ground_height;
    s->world.friction = def->friction;
    s->world.restitution = def->restitution;
    s->world.self_contact = def->self_contact != 0;
    s->world.sleep = def->sleep;
    s->world.events = def->events;
}

snStatus snScene_Create(const snHost* host, const snSceneDef* def, snScene** scene, snMessage* why)
{
    snMessage_Clear(why);
    if (!scene) {
        return snFail(why, sn_errorArgument, "scene must not be NULL");
    }
    *scene = NULL;
    snSceneDef defaults;
    snSceneDef_Init(&defaults);
    def = def ? def : &defaults;
    snHost taken;
    snStatus status = snHost_Take(host, &taken, why);
    status = status ? status : checkDef(NULL, def, why);
    if (status) {
        return status;
    }
    snScene* s = snHost_Allocate(&taken, sizeof *s);
    if (!s) {
        return snFail(why, sn_errorMemory, "no memory for a scene");
    }
    s->host = taken;
    s->world.host = taken;
    takeDef(s, def);
    *scene = s;
    return sn_ok;
}

snStatus snScene_SetDef(snScene* scene, const snSceneDef* def, snMessage* why)
{
    snMessage_Clear(why);
    if (!scene || !def) {
        return snFail(why, sn_errorArgument, "scene and def must not be NULL");
    }
    if (scene->sim_count > 0) {
        return snFail(why, sn_errorArgument, "free the scene's sims before changing its settings");
    }
    snStatus status = checkDef(scene, def, why);
    if (!status) {
        takeDef(scene, def);
    }
    return status;
}

// Characters ------------------------------------------------------------------

void snActor_Free(const snHost* host, snActor* actor)
{
    if (actor->character) {
        const snSkeleton* s = actor->character->skeleton;
        for (int32_t i = 0; actor->drive && i < s->bone_count; ++i) {
            snDrive_Free(actor->drive[i]);
        }
        snDrags_Free(actor->drags, s);
        snHost_Release(host, actor->drive, (size_t)s->bone_count * sizeof(snDrive*));
        snHost_Release(host, actor->q, (size_t)s->nq * sizeof(double));
        snHost_Release(host, actor->qd, (size_t)s->nv * sizeof(double));
        snCharacter_Release(actor->character);
    }
}

void snScene_Free(snScene* scene)
{
    if (scene) {
        snHost host = scene->host;
        for (int32_t i = 0; i < scene->world.actor_count; ++i) {
            snActor_Free(&host, &scene->world.actors[i]);
        }
        snHost_Release(&host, scene->world.actors, (size_t)scene->capacity * sizeof(snActor));
        snScene_FreeObstacles(scene);
        snHost_Release(&host, scene->chosen, (size_t)scene->chosen_capacity * sizeof(snChosen));
        snHost_Release(&host, scene, sizeof *scene);
    }
}

const snSceneDef* snScene_Def(const snScene* scene)
{
    return scene ? &scene->def : NULL;
}

static snStatus checkStart(const snStart* start, const snSkeleton* skeleton, snMessage* why)
{
    if (start->size != sizeof(snStart)) {
        return snFail(why, sn_errorArgument, "the start was not set up with snStart_Init");
    }
    double square = snQDot(start->pose.q, start->pose.q);
    if (!isPlace(start->pose.p) || !(square > 0.25 && square < 4)) {
        return snFail(why, sn_errorArgument,
                      "the start pose must be a position within 1e9 m and a unit quaternion");
    }
    if (!(snLength(start->velocity) <= 1e4) || !(snLength(start->spin) <= 1e4)) {
        return snFail(why, sn_errorArgument,
                      "velocity must be within 1e4 m/s and spin within 1e4 rad/s");
    }
    if (start->material && strlen(start->material) > 31) {
        return snFail(why, sn_errorArgument, "a material's name has at most 31 bytes");
    }
    bool moves = snLength(start->velocity) > 0 || snLength(start->spin) > 0;
    if (moves && skeleton->floating_root < 0 && skeleton->bone_count > 0) {
        return snFail(
            why, sn_errorArgument,
            "velocity and spin need a skeleton with one root on a free joint; this one is "
            "held by the ground");
    }
    for (int32_t i = 0; start->q && i < skeleton->nq; ++i) {
        if (!(fabs(start->q[i]) <= SN_MOST_LENGTH)) {
            return snFail(why, sn_errorArgument, "start coordinate %d is not a number within 1e9",
                          (int)i);
        }
    }
    return sn_ok;
}

// Start coordinates with rotations of unit length, and the rates of a thrown, spinning root.
static snStatus placeActor(snActor* actor, const snStart* start, snMessage* why)
{
    const snSkeleton* s = actor->character->skeleton;
    actor->base.R = snMatFromQ(snQNormalize(start->pose.q));
    actor->base.p = start->pose.p;
    actor->velocity = start->velocity;
    actor->spin = start->spin;
    snSkeleton_ZeroPose(s, actor->q);
    for (int32_t i = 0; start->q && i < s->bone_count; ++i) {
        const snBone* b = &s->bones[i];
        const snJointShape* shape = snJoint_Shape(b->type);
        memcpy(actor->q + b->qi, start->q + b->qi, (size_t)shape->nq * sizeof(double));
        if (b->type == sn_jointBall || b->type == sn_jointFree) {
            double* r = actor->q + b->qi + shape->nq - 4;
            if (!(snQDot(snLoadQ(r), snLoadQ(r)) > 1e-6)) {
                return snFail(why, sn_errorArgument,
                              "the start rotation of bone '%s' must be a unit quaternion",
                              s->defs[i].name);
            }
            snStoreQ(r, snQNormalize(snLoadQ(r)));
        }
    }
    if (s->floating_root >= 0) {
        const snBone* root = &s->bones[s->floating_root];
        snMat3 axes = snMatMul(actor->base.R, root->anchor_R);
        snStore3(actor->qd + root->vi, snMatTVec(axes, start->spin));
        snStore3(actor->qd + root->vi + 3, snMatTVec(axes, start->velocity));
    }
    return sn_ok;
}

static snStatus growActors(snScene* scene, snMessage* why)
{
    snWorld* world = &scene->world;
    if (world->actor_count < scene->capacity) {
        return sn_ok;
    }
    int32_t capacity = scene->capacity ? 2 * scene->capacity : 4;
    snActor* actors = snHost_Allocate(&scene->host, (size_t)capacity * sizeof(snActor));
    if (!actors) {
        return snFail(why, sn_errorMemory, "no memory for %d characters", (int)capacity);
    }
    if (world->actors) {
        memcpy(actors, world->actors, (size_t)world->actor_count * sizeof(snActor));
        snHost_Release(&scene->host, world->actors, (size_t)scene->capacity * sizeof(snActor));
    }
    world->actors = actors;
    scene->capacity = capacity;
    return sn_ok;
}

snStatus snScene_Append(snScene* scene, snCharacter* character, const snStart* start,
                        snMessage* why)
{
    if (scene->world.actor_count >= MOST_CHARACTERS) {
        return snFail(why, sn_errorArgument, "a scene has at most %d characters", MOST_CHARACTERS);
    }
    snStart standing;
    snStart_Init(&standing);
    start = start ? start : &standing;
    const snSkeleton* s = character->skeleton;
    snStatus status = checkStart(start, s, why);
    status = status ? status : growActors(scene, why);
    if (status) {
        return status;
    }
    snActor actor = {.character = snCharacter_Retain(character)};
    actor.q = snHost_Allocate(&scene->host, (size_t)s->nq * sizeof(double));
    actor.qd = snHost_Allocate(&scene->host, (size_t)s->nv * sizeof(double));
    actor.drive = snHost_Allocate(&scene->host, (size_t)s->bone_count * sizeof(snDrive*));
    if (start->material) {
        memcpy(actor.material, start->material, strlen(start->material));
    }
    bool memory = actor.q && actor.qd && actor.drive;
    status = memory ? placeActor(&actor, start, why)
                    : snFail(why, sn_errorMemory, "no memory for character '%s'", character->name);
    if (status) {
        snActor_Free(&scene->host, &actor);
        return status;
    }
    scene->world.actors[scene->world.actor_count++] = actor;
    return sn_ok;
}

snStatus snScene_Add(snScene* scene, snCharacter* character, const snStart* start, int32_t* who,
                     snMessage* why)
{
    snMessage_Clear(why);
    if (!scene || !character) {
        return snFail(why, sn_errorArgument, "scene and character must not be NULL");
    }
    if (scene->sim_count > 0) {
        return snFail(why, sn_errorArgument,
                      "free the scene's sims before adding characters, or use snSim_Add");
    }
    snStatus status = snScene_Append(scene, character, start, why);
    if (!status && who) {
        *who = scene->world.actor_count - 1;
    }
    return status;
}

snActor snScene_TakeOut(snScene* scene, int32_t who)
{
    snWorld* world = &scene->world;
    snActor out = world->actors[who];
    size_t after = (size_t)(--world->actor_count - who);
    memmove(&world->actors[who], &world->actors[who + 1], after * sizeof out);
    return out;
}

void snScene_PutBack(snScene* scene, int32_t who, const snActor* actor)
{
    snWorld* world = &scene->world;
    size_t after = (size_t)(world->actor_count++ - who);
    memmove(&world->actors[who + 1], &world->actors[who], after * sizeof *actor);
    world->actors[who] = *actor;
}

int32_t snScene_CharacterCount(const snScene* scene)
{
    return scene ? scene->world.actor_count : 0;
}

static bool hasActor(const snScene* scene, int32_t who)
{
    return scene && who >= 0 && who < scene->world.actor_count;
}

const snCharacter* snScene_Character(const snScene* scene, int32_t who)
{
    return hasActor(scene, who) ? scene->world.actors[who].character : NULL;
}

snStatus snScene_SetDrive(snScene* scene, int32_t who, const snDriveDef* def, snMessage* why)
{
    snMessage_Clear(why);
    if (!scene || !hasActor(scene, who)) {
        return snFail(why, sn_errorArgument, "there is no character %d", (int)who);
    }
    snActor* actor = &scene->world.actors[who];
    snDrive* drive;
    snStatus status = snDrive_Create(&scene->host, actor->character->skeleton, def, &drive, why);
    if (!status) {
        snDrive_Insert(&actor->drive[def->bone], drive);
    }
    return status;
}
