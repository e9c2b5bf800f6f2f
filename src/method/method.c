// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

#include "method/method.h"

#include <stdio.h>
#include <string.h>

#include "base/json.h"
#include "base/message.h"
#include "method/explicit/explicit.h"

static const snMethod* const METHODS[] = {&snExplicit};
static const int32_t COUNT = sizeof METHODS / sizeof *METHODS;

static const snCapability CAPABILITIES[] = {
    {sn_doesOneWay, "one-way", "joints follow a motion exactly, and flesh follows them"},
    {sn_doesTwoWay, "two-way", "flesh, contact and inertia move joints"},
    {sn_doesDynamic, "dynamic", "mass and inertia: flesh swings"},
    {sn_doesQuasistatic, "quasistatic", "flesh is at rest at each instant"},
    {sn_doesGround, "ground", "contact with the ground"},
    {sn_doesObstacles, "obstacles", "contact with obstacles that do not give way"},
    {sn_doesMovable, "movable obstacles", "obstacles with a mass, which are pushed about"},
    {sn_doesOthers, "other characters", "contact between characters"},
    {sn_doesSelf, "self-contact", "contact of a surface with itself"},
    {sn_doesFields, "fields", "fields of force, such as wind"},
    {sn_doesDrags, "drags", "bones that are dragged along paths"},
    {sn_doesPush, "push", "impulses between steps"},
    {sn_doesGrab, "grab", "springs and forces at places of the skin"},
    {sn_doesTeleport, "teleport", "characters are put elsewhere between steps"},
    {sn_doesChange, "coming and going", "characters and obstacles come and go while it runs"},
    {sn_doesEvents, "events", "frames report who begins and ends to touch whom"},
    {sn_doesSleep, "sleep", "what lies still sleeps"},
    {sn_doesGpu, "gpu", "runs on a graphics processor"},
    {0, NULL, NULL},
};

const snMethod* snMethod_At(int32_t i)
{
    return i >= 0 && i < COUNT ? METHODS[i] : NULL;
}

const snMethod* snMethod_Find(const char* name)
{
    for (int32_t i = 0; name && i < COUNT; ++i) {
        if (strcmp(METHODS[i]->name, name) == 0) {
            return METHODS[i];
        }
    }
    return NULL;
}

// Asking ----------------------------------------------------------------------

const snCapability* snCapabilities(void)
{
    return CAPABILITIES;
}

int32_t snMethod_Count(void)
{
    return COUNT;
}

const char* snMethod_Name(int32_t i)
{
    const snMethod* method = snMethod_At(i);
    return method ? method->name : NULL;
}

const char* snMethod_About(const char* name)
{
    const snMethod* method = snMethod_Find(name);
    return method ? method->about : NULL;
}

uint32_t snMethod_Does(const char* name)
{
    const snMethod* method = snMethod_Find(name);
    return method ? method->does : 0;
}

const snSetting* snMethod_Setting(const char* name, int32_t i)
{
    const snMethod* method = snMethod_Find(name);
    int32_t k = 0;
    while (method && method->settings && method->settings[k].name && k < i) {
        ++k;
    }
    bool there = method && method->settings && i >= 0 && method->settings[k].name;
    return there ? &method->settings[k] : NULL;
}

// Refusing --------------------------------------------------------------------

snStatus snMethod_Refuse(const snMethod* method, uint32_t bit, snMessage* why)
{
    const snCapability* c = CAPABILITIES;
    const snMethod* other = NULL;
    while (c->name && c->bit != bit) {
        ++c;
    }
    for (int32_t i = 0; i < COUNT && !other; ++i) {
        other = METHODS[i]->does & bit ? METHODS[i] : NULL;
    }
    if (!other) {
        return snFail(why, sn_errorUnsupported,
                      "method '%s' has no '%s' (%s), and no other method has it yet", method->name,
                      c->name, c->about);
    }
    return snFail(why, sn_errorUnsupported,
                  "method '%s' has no '%s' (%s); method '%s' has it: choose that one", method->name,
                  c->name, c->about, other->name);
}

snStatus snMethod_Require(const snMethod* method, uint32_t bits, snMessage* why)
{
    uint32_t missing = bits & ~method->does;
    return missing ? snMethod_Refuse(method, missing & -missing, why) : sn_ok;
}

static void listNames(char* out, size_t size)
{
    size_t used = 0;
    for (int32_t i = 0; i < COUNT && used < size; ++i) {
        used += (size_t)snprintf(out + used, size - used, "%s%s", i ? ", " : "", METHODS[i]->name);
    }
}

snStatus snMethod_FailUnknown(const char* name, snMessage* why)
{
    char names[200];
    const char* all[sizeof METHODS / sizeof *METHODS];
    for (int32_t i = 0; i < COUNT; ++i) {
        all[i] = METHODS[i]->name;
    }
    listNames(names, sizeof names);
    const char* near = snSuggest(name ? name : "", all, (size_t)COUNT);
    return snFail(
        why, sn_errorUnsupported, "there is no method '%.60s' in this version; %s%s%sthere is: %s",
        name ? name : "", near ? "did you mean '" : "", near ? near : "", near ? "'? " : "", names);
}

// A method other than `method` that has a setting of this name.
static const snMethod* findOwner(const snMethod* method, const char* name)
{
    for (int32_t i = 0; i < COUNT; ++i) {
        if (METHODS[i] != method && snSettings_Find(METHODS[i]->settings, name) >= 0) {
            return METHODS[i];
        }
    }
    return NULL;
}

snStatus snMethod_FailSetting(const snMethod* method, const char* name, snMessage* why)
{
    const char* names[SN_MOST_SETTINGS] = {NULL};
    char list[300] = "it has none";
    size_t count = 0, used = 0;
    for (const snSetting* s = method->settings; s && s->name && used < sizeof list; ++s) {
        used += (size_t)snprintf(list + used, sizeof list - used, "%s%s", count ? ", " : "it has ",
                                 s->name);
        names[count++] = s->name;
    }
    const snMethod* owner = findOwner(method, name);
    if (owner) {
        return snFail(why, sn_errorArgument,
                      "method '%s' has no setting '%.60s'; method '%s' has one: choose that "
                      "method, or set it there",
                      method->name, name, owner->name);
    }
    const char* near = snSuggest(name, names, count);
    return snFail(why, sn_errorArgument, "method '%s' has no setting '%.60s'; %s%s%s", method->name,
                  name, near ? "did you mean '" : list, near ? near : "", near ? "'?" : "");
}
