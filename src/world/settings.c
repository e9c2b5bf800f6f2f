// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

#include "world/settings.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/hash.h"
#include "base/json.h"
#include "base/message.h"

#define MOST_CHOICES 16

static const char* const KIND_NAMES[sn_settingKindCount] = {"number", "integer", "choice", "flag"};
static const char* const SCOPE_NAMES[sn_scopeCount] = {"scene", "character"};

const char* snSettingKind_Name(int32_t kind)
{
    return kind >= 0 && kind < sn_settingKindCount ? KIND_NAMES[kind] : NULL;
}

const char* snSettingScope_Name(int32_t scope)
{
    return scope >= 0 && scope < sn_scopeCount ? SCOPE_NAMES[scope] : NULL;
}

// The words of a choice.
typedef struct Choices {
    int32_t count;
    const char* word[MOST_CHOICES];
    char text[200];
} Choices;

static void splitChoices(const snSetting* s, Choices* out)
{
    out->count = 0;
    snprintf(out->text, sizeof out->text, "%s", s->choices);
    for (char* word = out->text; word && out->count < MOST_CHOICES;) {
        char* bar = strchr(word, '|');
        out->word[out->count++] = word;
        if (bar) {
            *bar++ = 0;
        }
        word = bar;
    }
}

// "a, b or c"
static void listChoices(const Choices* choices, char* out, size_t size)
{
    size_t used = 0;
    for (int32_t i = 0; i < choices->count && used < size; ++i) {
        const char* gap = i == 0 ? "" : i + 1 == choices->count ? " or " : ", ";
        used += (size_t)snprintf(out + used, size - used, "%s%s", gap, choices->word[i]);
    }
}

snSettingRange snSetting_Range(const snSetting* s)
{
    snSettingRange range = {"true or false"};
    if (s->kind == sn_settingChoice) {
        Choices choices;
        splitChoices(s, &choices);
        listChoices(&choices, range.text, sizeof range.text);
    } else if (s->kind != sn_settingFlag) {
        char low[SN_NUMBER_SIZE], high[SN_NUMBER_SIZE];
        snNumber_Print(s->low, low);
        snNumber_Print(s->high, high);
        snprintf(range.text, sizeof range.text, "a %s from %s to %s%s%s",
                 s->kind == sn_settingInteger ? "whole number" : "number", low, high,
                 s->unit[0] ? " " : "", s->unit);
    }
    return range;
}

static bool parseNumber(const snSetting* s, const char* text, double* value)
{
    size_t length = strlen(text);
    return length > 0 && snNumber_Parse(text, length, value) == length && *value >= s->low &&
           *value <= s->high && (s->kind == sn_settingNumber || *value == floor(*value));
}

static bool parseFlag(const char* text, double* value)
{
    *value = strcmp(text, "true") == 0;
    return *value > 0 || strcmp(text, "false") == 0;
}

static bool parseChoice(const Choices* choices, const char* text, double* value)
{
    int32_t i = 0;
    while (i < choices->count && strcmp(choices->word[i], text) != 0) {
        ++i;
    }
    *value = i;
    return i < choices->count;
}

snStatus snSetting_Parse(const snSetting* s, const char* text, double* value, snMessage* why)
{
    Choices choices = {0};
    bool good = false;
    if (s->kind == sn_settingChoice) {
        splitChoices(s, &choices);
        good = parseChoice(&choices, text, value);
    } else {
        good = s->kind == sn_settingFlag ? parseFlag(text, value) : parseNumber(s, text, value);
    }
    if (good && strlen(text) < SN_SETTING_SIZE) {
        return sn_ok;
    }
    const char* near = snSuggest(text, choices.word, (size_t)choices.count);
    return snFail(why, sn_errorArgument, "'%s' takes %s, found '%.60s'%s%s%s", s->name,
                  snSetting_Range(s).text, text, near ? "; did you mean " : "", near ? near : "",
                  near ? "?" : "");
}

int32_t snSettings_Find(const snSetting* table, const char* name)
{
    for (int32_t i = 0; table && table[i].name; ++i) {
        if (strcmp(table[i].name, name) == 0) {
            return i;
        }
    }
    return -1;
}

void snSettings_Init(snSettings* settings, const snSetting* table)
{
    *settings = (snSettings){.table = table};
    for (; table && table[settings->count].name; ++settings->count) {
        assert(settings->count < SN_MOST_SETTINGS);
        const snSetting* s = &table[settings->count];
        snStatus status = snSetting_Parse(s, s->preset, &settings->value[settings->count], NULL);
        assert(!status);
        (void)status;
    }
}

uint64_t snSettings_Hash(const snSettings* settings, uint64_t hash)
{
    for (int32_t i = 0; i < settings->count; ++i) {
        const char* name = settings->table[i].name;
        hash = snHash(name, strlen(name), hash);
        hash = snHash(&settings->value[i], sizeof settings->value[i], hash);
    }
    return hash;
}
