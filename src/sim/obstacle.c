// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

// Obstacles and materials of a scene.
#include "base/message.h"
#include "math/quat.h"
#include "sim/scene.h"
#include <string.h>

#define MOST_OBSTACLES 10000
#define MOST_SHAPES 1000
#define MOST_KEYS 100000
#define MOST_MESH 10000000
#define MOST_PAIRS 1000

static const char* const SHAPE_NAMES[sn_shapeKindCount] = {"box", "sphere", "capsule", "mesh"};

const char* snShapeKind_Name(int32_t kind)
{
    return kind >= 0 && kind < sn_shapeKindCount ? SHAPE_NAMES[kind] : NULL;
}

void snObstacleDef_Init(snObstacleDef* def)
{
    *def = (snObstacleDef){.size = sizeof(snObstacleDef),
                           .name = "",
                           .material = "",
                           .pose = {{0, 0, 0}, {0, 0, 0, 1}},
                           .colour = {0.62f, 0.66f, 0.70f, 1}};
}

// Checks ----------------------------------------------------------------------

static bool isPose(const snTransform* pose)
{
    double square = snQDot(pose->q, pose->q);
    return snLength(pose->p) <= SN_MOST_LENGTH && square > 0.25 && square < 4;
}

static bool isLength(double x)
{
    return x >= 1e-4 && x <= 1e4;
}

static snStatus checkMesh(const snShapeDef* s, int32_t index, snMessage* why)
{
    if (s->vertex_count < 4 || s->vertex_count > MOST_MESH || s->triangle_count < 4 ||
        s->triangle_count > MOST_MESH || !s->vertices || !s->triangles) {
        return snFail(why, sn_errorArgument,
                      "shape %d: a mesh needs 4..%d vertices and triangles, found %d and %d",
                      (int)index, MOST_MESH, (int)s->vertex_count, (int)s->triangle_count);
    }
    for (int32_t i = 0; i < s->vertex_count; ++i) {
        if (!(snLength(s->vertices[i]) <= 1e4)) {
            return snFail(why, sn_errorArgument,
                          "shape %d: vertex %d is not a place within 1e4 m of the obstacle's frame",
                          (int)index, (int)i);
        }
    }
    for (int32_t i = 0; i < 3 * s->triangle_count; ++i) {
        if (s->triangles[i] < 0 || s->triangles[i] >= s->vertex_count) {
            return snFail(why, sn_errorArgument, "shape %d: triangle %d names vertex %d of %d",
                          (int)index, (int)(i / 3), (int)s->triangles[i], (int)s->vertex_count);
        }
    }
    return sn_ok;
}

static snStatus checkShape(const snShapeDef* s, int32_t index, snMessage* why)
{
    if (!isPose(&s->pose)) {
        return snFail(why, sn_errorArgument,
                      "shape %d: its pose must be a position and a unit quaternion", (int)index);
    }
    bool round = s->kind == sn_shapeSphere || s->kind == sn_shapeCapsule;
    if (s->kind == sn_shapeBox &&
        !(isLength(s->half.x) && isLength(s->half.y) && isLength(s->half.z))) {
        return snFail(why, sn_errorArgument,
                      "shape %d: half sides of a box must lie in 1e-4..1e4 m, found %g, %g, %g",
                      (int)index, s->half.x, s->half.y, s->half.z);
    }
    if (round && !isLength(s->radius)) {
        return snFail(why, sn_errorArgument,
                      "shape %d: its radius must lie in 1e-4..1e4 m, found %g", (int)index,
                      s->radius);
    }
    if (s->kind == sn_shapeCapsule && !(s->half_length >= 0 && s->half_length <= 1e4)) {
        return snFail(why, sn_errorArgument, "shape %d: half_length must lie in 0..1e4 m, found %g",
                      (int)index, s->half_length);
    }
    if (!snShapeKind_Name(s->kind)) {
        return snFail(why, sn_errorArgument, "shape %d: kind %d is none of the %d there are",
                      (int)index, (int)s->kind, sn_shapeKindCount);
    }
    return s->kind == sn_shapeMesh ? checkMesh(s, index, why) : sn_ok;
}

static snStatus checkPath(const snObstacleDef* def, snMessage* why)
{
    if (def->key_count < 0 || def->key_count > MOST_KEYS ||
        (def->key_count > 0 && (!def->times || !def->keys))) {
        return snFail(why, sn_errorArgument, "a path has 0..%d keys with times and poses",
                      MOST_KEYS);
    }
    if (def->key_count > 0 && def->mass > 0) {
        return snFail(why, sn_errorArgument,
                      "an obstacle follows a path or has a mass, not both; leave one out");
    }
    if (def->hosted && (def->key_count > 0 || def->mass > 0)) {
        return snFail(why, sn_errorArgument,
                      "a hosted obstacle has neither a mass nor a path; leave them out");
    }
    for (int32_t i = 0; i < def->key_count; ++i) {
        if (!(fabs(def->times[i]) <= 1e9) || (i > 0 && !(def->times[i] > def->times[i - 1])) ||
            !isPose(&def->keys[i])) {
            return snFail(why, sn_errorArgument,
                          "key %d of the path must come after the one before it and be a position "
                          "and a unit quaternion",
                          (int)i);
        }
    }
    return sn_ok;
}

static snStatus checkObstacle(const snObstacleDef* def, snMessage* why)
{
    if (def->size != sizeof(snObstacleDef)) {
        return snFail(why, sn_errorArgument, "the def was not set up with snObstacleDef_Init");
    }
    if ((def->name && strlen(def->name) > 63) || (def->material && strlen(def->material) > 31)) {
        return snFail(why, sn_errorArgument,
                      "a name has at most 63 bytes, a material's at most 31");
    }
    if (def->shape_count < 1 || def->shape_count > MOST_SHAPES || !def->shapes) {
        return snFail(why, sn_errorArgument, "an obstacle has 1..%d shapes, found %d", MOST_SHAPES,
                      (int)def->shape_count);
    }
    if (!isPose(&def->pose)) {
        return snFail(why, sn_errorArgument,
                      "the pose must be a position within 1e9 m and a unit quaternion");
    }
    if (!(def->mass == 0 || (def->mass >= 1e-6 && def->mass <= 1e6))) {
        return snFail(why, sn_errorArgument,
                      "mass must be 0 (it does not give way) or lie in 1e-6..1e6 kg, found %g",
                      def->mass);
    }
    if (!(snLength(def->velocity) <= 1e4) || !(snLength(def->spin) <= 1e4)) {
        return snFail(why, sn_errorArgument,
                      "velocity must be within 1e4 m/s and spin within 1e4 rad/s");
    }
    for (int k = 0; k < 4; ++k) {
        if (!(def->colour[k] >= 0 && def->colour[k] <= 1)) {
            return snFail(why, sn_errorArgument, "colour and opacity must lie in 0..1");
        }
    }
    snStatus status = checkPath(def, why);
    for (int32_t i = 0; !status && i < def->shape_count; ++i) {
        status = checkShape(&def->shapes[i], i, why);
    }
    return status;
}

// Copies ----------------------------------------------------------------------

static void* copyTo(snArena* arena, const void* from, size_t count, size_t size)
{
    void* to = snArena_Push(arena, count, size);
    if (to && count > 0) {
        memcpy(to, from, count * size);
    }
    return to;
}

static const char* copyText(snArena* arena, const char* text)
{
    return snArena_String(arena, text ? text : "", text ? strlen(text) : 0);
}

static void copyShapes(snArena* arena, const snObstacleDef* def, snObstacleDef* out)
{
    size_t count = (size_t)def->shape_count;
    snShapeDef* shapes = copyTo(arena, def->shapes, count, sizeof *shapes);
    for (size_t i = 0; shapes && i < count; ++i) {
        snShapeDef* s = &shapes[i];
        bool mesh = s->kind == sn_shapeMesh;
        s->pose.q = snQNormalize(s->pose.q);
        s->vertices =
            mesh ? copyTo(arena, s->vertices, (size_t)s->vertex_count, sizeof(snVec3)) : NULL;
        s->triangles =
            mesh ? copyTo(arena, s->triangles, 3 * (size_t)s->triangle_count, sizeof(int32_t))
                 : NULL;
    }
    out->shapes = shapes;
}

static void copyPath(snArena* arena, const snObstacleDef* def, snObstacleDef* out)
{
    size_t count = (size_t)def->key_count;
    snTransform* keys = copyTo(arena, def->keys, count, sizeof *keys);
    for (size_t i = 0; keys && i < count; ++i) {
        keys[i].q = snQNormalize(keys[i].q);
    }
    out->keys = keys;
    out->times = copyTo(arena, def->times, count, sizeof(double));
}

// The obstacle gets a path; nothing changes when there is no memory for it.
static snStatus takePath(const snHost* host, const snObstacleDef* def, snObstacle* o,
                         snMessage* why)
{
    snObstacleDef taken = o->def;
    snArena arena;
    snPath path;
    snArena_Init(&arena, host);
    taken.key_count = def->key_count;
    taken.ends = def->ends;
    copyPath(&arena, def, &taken);
    snStatus status = arena.failed ? sn_errorMemory : snPath_Build(&arena, &taken, &path, why);
    if (status) {
        bool memory = arena.failed;
        snArena_Free(&arena);
        return memory ? snFail(why, sn_errorMemory, "no memory for a path") : status;
    }
    snArena_Free(&o->path_arena);
    o->path_arena = arena;
    o->path = path;
    o->def = taken;
    return sn_ok;
}

static snStatus growObstacles(snScene* scene, snMessage* why)
{
    snWorld* world = &scene->world;
    if (world->obstacle_count < scene->obstacle_capacity) {
        return sn_ok;
    }
    int32_t capacity = scene->obstacle_capacity ? 2 * scene->obstacle_capacity : 4;
    snObstacle* grown = snHost_Allocate(&scene->host, (size_t)capacity * sizeof *grown);
    if (!grown) {
        return snFail(why, sn_errorMemory, "no memory for %d obstacles", (int)capacity);
    }
    if (world->obstacles) {
        memcpy(grown, world->obstacles, (size_t)world->obstacle_count * sizeof *grown);
        snHost_Release(&scene->host, world->obstacles,
                       (size_t)scene->obstacle_capacity * sizeof *grown);
    }
    world->obstacles = grown;
    scene->obstacle_capacity = capacity;
    return sn_ok;
}

snStatus snScene_AppendObstacle(snScene* scene, const snObstacleDef* def, snMessage* why)
{
    if (scene->world.obstacle_count >= MOST_OBSTACLES) {
        return snFail(why, sn_errorArgument, "a scene has at most %d obstacles", MOST_OBSTACLES);
    }
    snStatus status = checkObstacle(def, why);
    status = status ? status : growObstacles(scene, why);
    if (status) {
        return status;
    }
    snObstacle* o = &scene->world.obstacles[scene->world.obstacle_count];
    snArena_Init(&o->arena, &scene->host);
    snArena_Init(&o->path_arena, &scene->host);
    o->def = *def;
    o->def.pose.q = snQNormalize(def->pose.q);
    o->def.name = copyText(&o->arena, def->name);
    o->def.material = copyText(&o->arena, def->material);
    copyShapes(&o->arena, def, &o->def);
    status = o->arena.failed ? snFail(why, sn_errorMemory, "no memory for an obstacle")
                             : takePath(&scene->host, def, o, why);
    if (status) {
        snArena_Free(&o->arena);
        return status;
    }
    scene->world.obstacle_count++;
    return sn_ok;
}

snStatus snScene_AddObstacle(snScene* scene, const snObstacleDef* def, int32_t* number,
                             snMessage* why)
{
    snMessage_Clear(why);
    if (!scene || !def) {
        return snFail(why, sn_errorArgument, "scene and def must not be NULL");
    }
    if (scene->sim_count > 0) {
        return snFail(why, sn_errorArgument,
                      "free the scene's sims before adding obstacles, or use snSim_AddObstacle");
    }
    snStatus status = snScene_AppendObstacle(scene, def, why);
    if (!status && number) {
        *number = scene->world.obstacle_count - 1;
    }
    return status;
}

snObstacle snScene_TakeOutObstacle(snScene* scene, int32_t number)
{
    snWorld* world = &scene->world;
    snObstacle out = world->obstacles[number];
    size_t after = (size_t)(--world->obstacle_count - number);
    memmove(&world->obstacles[number], &world->obstacles[number + 1], after * sizeof out);
    return out;
}

void snScene_PutBackObstacle(snScene* scene, int32_t number, const snObstacle* obstacle)
{
    snWorld* world = &scene->world;
    size_t after = (size_t)(world->obstacle_count++ - number);
    memmove(&world->obstacles[number + 1], &world->obstacles[number], after * sizeof *obstacle);
    world->obstacles[number] = *obstacle;
}

void snObstacle_Free(snObstacle* obstacle)
{
    snArena_Free(&obstacle->arena);
    snArena_Free(&obstacle->path_arena);
}

snStatus snScene_SetPath(snScene* scene, int32_t number, int32_t key_count, int32_t ends,
                         const double* times, const snTransform* keys, snMessage* why)
{
    snMessage_Clear(why);
    if (!snScene_Obstacle(scene, number)) {
        return snFail(why, sn_errorArgument, "there is no obstacle %d", (int)number);
    }
    snObstacle* o = &scene->world.obstacles[number];
    if (scene->sim_count > 0 && (o->def.key_count == 0 || key_count == 0)) {
        return snFail(why, sn_errorArgument,
                      "obstacle %d '%s' has to have a path, of one key at least, as long as a sim "
                      "exists",
                      (int)number, o->def.name);
    }
    snObstacleDef def = o->def;
    def.key_count = key_count;
    def.ends = ends;
    def.times = times;
    def.keys = keys;
    snStatus status = checkPath(&def, why);
    return status ? status : takePath(&scene->host, &def, o, why);
}

void snScene_FreeObstacles(snScene* scene)
{
    snWorld* world = &scene->world;
    for (int32_t i = 0; i < world->obstacle_count; ++i) {
        snObstacle_Free(&world->obstacles[i]);
    }
    snHost_Release(&scene->host, world->obstacles,
                   (size_t)scene->obstacle_capacity * sizeof(snObstacle));
    snHost_Release(&scene->host, world->pairs, (size_t)scene->pair_capacity * sizeof(snPair));
}

int32_t snScene_ObstacleCount(const snScene* scene)
{
    return scene ? scene->world.obstacle_count : 0;
}

const snObstacleDef* snScene_Obstacle(const snScene* scene, int32_t number)
{
    bool there = scene && number >= 0 && number < scene->world.obstacle_count;
    return there ? &scene->world.obstacles[number].def : NULL;
}

// Materials -------------------------------------------------------------------

snStatus snScene_SetPair(snScene* scene, const char* material, const char* other, double friction,
                         double restitution, snMessage* why)
{
    snMessage_Clear(why);
    if (!scene || !material || !other || strlen(material) > 31 || strlen(other) > 31) {
        return snFail(why, sn_errorArgument, "a pair needs two names of at most 31 bytes");
    }
    if (scene->sim_count > 0) {
        return snFail(why, sn_errorArgument, "free the scene's sims before setting pairs");
    }
    if (!(friction >= 0 && friction <= 10) || !(restitution >= 0 && restitution <= 1)) {
        return snFail(why, sn_errorArgument,
                      "friction must lie in 0..10 and restitution in 0..1, found %g and %g",
                      friction, restitution);
    }
    snWorld* world = &scene->world;
    snPair* pair = snPair_Find(world->pairs, world->pair_count, material, other);
    if (!pair) {
        if (world->pair_count >= MOST_PAIRS) {
            return snFail(why, sn_errorArgument, "a scene has at most %d pairs", MOST_PAIRS);
        }
        if (!world->pairs) {
            world->pairs = snHost_Allocate(&scene->host, MOST_PAIRS * sizeof *pair);
            scene->pair_capacity = world->pairs ? MOST_PAIRS : 0;
        }
        if (!world->pairs) {
            return snFail(why, sn_errorMemory, "no memory for pairs of materials");
        }
        pair = &world->pairs[world->pair_count++];
        memcpy(pair->material, material, strlen(material) + 1);
        memcpy(pair->other, other, strlen(other) + 1);
    }
    pair->friction = friction;
    pair->restitution = restitution;
    return sn_ok;
}
