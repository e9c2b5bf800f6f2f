// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

#include "io/scene/settings.h"

#include <string.h>

#include "method/method.h"

// The first method that has a setting of this name; NULL when there is none.
static const snMethod* findOwner(const char* name)
{
    for (int32_t i = 0; snMethod_At(i); ++i) {
        if (snSettings_Find(snMethod_At(i)->settings, name) >= 0) {
            return snMethod_At(i);
        }
    }
    return NULL;
}

snStatus snCheckStraySettings(snSceneReader* r, const snJson* root, const snFields* keys)
{
    for (const snJson* m = root->child; m; m = m->next) {
        bool known = false;
        for (size_t i = 0; i < keys->count; ++i) {
            known = known || strcmp(keys->fields[i].key, m->key) == 0;
        }
        const snMethod* owner = known ? NULL : findOwner(m->key);
        if (owner) {
            return snFailAt(r, m,
                            "\"%s\" is a setting of the method \"%s\"; write \"settings\": "
                            "{\"%s\": {\"%s\": ...}}",
                            m->key, owner->name, owner->name, m->key);
        }
    }
    return sn_ok;
}

static bool isKind(const snJson* node, const snSetting* s)
{
    bool word = node->kind == sn_jsonString && strlen(node->string) == node->string_length;
    return s->kind == sn_settingChoice ? word
           : s->kind == sn_settingFlag ? node->kind == sn_jsonBool
                                       : node->kind == sn_jsonNumber;
}

// Sets one.
static snStatus readSetting(snSceneReader* r, const snJson* node, const snMethod* method,
                            snScene* scene)
{
    int32_t i = snSettings_Find(method->settings, node->key);
    if (i < 0) {
        return snWrapAt(r, node, snMethod_FailSetting(method, snQuote(node->key).text, &r->why));
    }
    const snSetting* s = &method->settings[i];
    if (!isKind(node, s)) {
        return snFailFound(r, node, s->name, snSetting_Range(s).text);
    }
    char number[SN_NUMBER_SIZE];
    const char* text = node->boolean ? "true" : "false";
    if (node->kind == sn_jsonNumber) {
        snNumber_Print(node->number, number);
        text = number;
    }
    snQuoted quoted = snQuote(node->kind == sn_jsonString ? node->string : text);
    return snWrapAt(r, node, snScene_Set(scene, method->name, s->name, quoted.text, &r->why));
}

static snStatus checkObject(snSceneReader* r, const snJson* node, const char* wanted)
{
    return node->kind == sn_jsonObject ? sn_ok : snFailFound(r, node, "settings", wanted);
}

snStatus snReadSettings(snSceneReader* r, const snJson* node, snScene* scene)
{
    snStatus status = checkObject(r, node, "an object with a method's name and its settings");
    for (const snJson* block = node->child; block && !status; block = block->next) {
        const snMethod* method = snMethod_Find(block->key);
        if (!method) {
            (void)snMethod_FailUnknown(snQuote(block->key).text, &r->why);
            return snWrapAt(r, block, sn_errorArgument);
        }
        status = checkObject(r, block, "an object with settings of that method");
        for (const snJson* m = block->child; m && !status; m = m->next) {
            status = readSetting(r, m, method, scene);
        }
    }
    return status;
}
