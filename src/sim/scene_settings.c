// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

// The method of a scene: its settings, and whether it does what the scene asks for.
#include "base/message.h"
#include "sim/scene.h"
#include <string.h>

const snMethod* snScene_FindMethod(const snScene* scene, const char* name)
{
    bool own = scene && scene->method && name && strcmp(scene->method->name, name) == 0;
    return own ? scene->method : snMethod_Find(name);
}

// The scene's numbers, from the texts of those settings that its method has.
static void takeSettings(snScene* scene)
{
    snSettings* settings = &scene->world.settings;
    snSettings_Init(settings, scene->method->settings);
    for (int32_t i = 0; i < scene->chosen_count; ++i) {
        const snChosen* c = &scene->chosen[i];
        if (c->method == scene->method) {
            double* value = &settings->value[c->setting];
            (void)snSetting_Parse(&settings->table[c->setting], c->text, value, NULL);
        }
    }
}

void snScene_UseMethod(snScene* scene, const snMethod* method)
{
    scene->method = method;
    scene->def.method = method->name;
    takeSettings(scene);
}

// What was chosen for a setting; NULL = nothing.
static snChosen* findChosen(const snScene* scene, const snMethod* method, int32_t setting)
{
    for (int32_t i = 0; i < scene->chosen_count; ++i) {
        snChosen* c = &scene->chosen[i];
        if (c->method == method && c->setting == setting) {
            return c;
        }
    }
    return NULL;
}

static snStatus growChosen(snScene* scene, snMessage* why)
{
    if (scene->chosen_count < scene->chosen_capacity) {
        return sn_ok;
    }
    int32_t capacity = scene->chosen_capacity ? 2 * scene->chosen_capacity : 8;
    snChosen* grown = snHost_Allocate(&scene->host, (size_t)capacity * sizeof *grown);
    if (!grown) {
        return snFail(why, sn_errorMemory, "no memory for %d settings", (int)capacity);
    }
    size_t bytes = (size_t)scene->chosen_capacity * sizeof *grown;
    if (scene->chosen) {
        memcpy(grown, scene->chosen, bytes);
        snHost_Release(&scene->host, scene->chosen, bytes);
    }
    scene->chosen = grown;
    scene->chosen_capacity = capacity;
    return sn_ok;
}

// Keeps a text that is known to be valid.
static snStatus keepText(snScene* scene, const snMethod* method, int32_t setting, const char* text,
                         snMessage* why)
{
    snChosen* c = findChosen(scene, method, setting);
    snStatus status = c ? sn_ok : growChosen(scene, why);
    if (!status) {
        c = c ? c : &scene->chosen[scene->chosen_count++];
        *c = (snChosen){.method = method, .setting = setting};
        memcpy(c->text, text, strlen(text));
    }
    return status;
}

static snStatus checkValue(const snMethod* method, int32_t setting, const char* text,
                           snMessage* why)
{
    const snSetting* s = &method->settings[setting];
    double value;
    snStatus status = snSetting_Parse(s, text, &value, why);
    if (!status && s->scope != sn_scopeScene) {
        status = snFail(why, sn_errorUnsupported,
                        "'%s' is a setting of each character, and scenes set only what holds for "
                        "all of them",
                        s->name);
    }
    if (status) {
        snMessage_Prefix(why, "method '%s'", method->name);
    }
    return status;
}

snStatus snScene_Set(snScene* scene, const char* method_name, const char* name, const char* value,
                     snMessage* why)
{
    snMessage_Clear(why);
    if (!scene || !name || !value) {
        return snFail(why, sn_errorArgument, "scene, name and value must not be NULL");
    }
    if (scene->sim_count > 0) {
        return snFail(why, sn_errorArgument, "free the scene's sims before changing its settings");
    }
    const snMethod* method = method_name ? snScene_FindMethod(scene, method_name) : scene->method;
    if (!method) {
        return snMethod_FailUnknown(method_name, why);
    }
    int32_t setting = snSettings_Find(method->settings, name);
    if (setting < 0) {
        return snMethod_FailSetting(method, name, why);
    }
    snStatus status = checkValue(method, setting, value, why);
    status = status ? status : keepText(scene, method, setting, value, why);
    if (!status) {
        takeSettings(scene);
    }
    return status;
}

const char* snScene_Get(const snScene* scene, const char* method_name, const char* name)
{
    if (!scene || !name) {
        return NULL;
    }
    const snMethod* method = method_name ? snScene_FindMethod(scene, method_name) : scene->method;
    int32_t setting = method ? snSettings_Find(method->settings, name) : -1;
    if (setting < 0) {
        return NULL;
    }
    const snChosen* c = findChosen(scene, method, setting);
    return c ? c->text : method->settings[setting].preset;
}

// What the scene asks of a method. Contact between characters and of a surface with itself is no
// request: all scenes have it unless they say otherwise.
static uint32_t needsOf(const snScene* scene)
{
    const snWorld* world = &scene->world;
    uint32_t needs = world->ground ? sn_doesGround : 0;
    needs |= world->obstacle_count > 0 ? sn_doesObstacles : 0;
    needs |= world->forces.count > 0 ? sn_doesFields : 0;
    needs |= world->sleep > 0 ? sn_doesSleep : 0;
    needs |= scene->def.events > 0 ? sn_doesEvents : 0;
    for (int32_t i = 0; i < world->obstacle_count; ++i) {
        needs |= world->obstacles[i].def.mass > 0 ? sn_doesMovable : 0;
    }
    for (int32_t i = 0; i < world->actor_count; ++i) {
        needs |= world->actors[i].drags ? sn_doesDrags : 0;
    }
    return needs;
}

snStatus snScene_CheckMethod(const snScene* scene, snMessage* why)
{
    return snMethod_Require(scene->method, needsOf(scene), why);
}
