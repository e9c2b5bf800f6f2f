// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

// Settings of a method: texts by name outside, numbers by place inside.
#ifndef SN_WORLD_SETTINGS_H
#define SN_WORLD_SETTINGS_H

#include "base/language.h"
#include <sinew/method.h>

SN_BEGIN_C

// More than any method has, and room for any value's text and its 0.
#define SN_MOST_SETTINGS 32
#define SN_SETTING_SIZE 64

// The values of a method's settings.
typedef struct snSettings {
    const snSetting* table; // the method's; the last one has no name; NULL = none
    int32_t count;
    double value[SN_MOST_SETTINGS]; // a choice is its place in the list, a flag 0 or 1; (count)
} snSettings;

// All at their defaults. A table whose defaults are not valid asserts.
void snSettings_Init(snSettings* settings, const snSetting* table);

// Names and values.
uint64_t snSettings_Hash(const snSettings* settings, uint64_t hash);

// The place of a name in a table, which may be NULL; -1 when it is not there.
int32_t snSettings_Find(const snSetting* table, const char* name);

// The value that a text means; why says what the setting takes.
snStatus snSetting_Parse(const snSetting* setting, const char* text, double* value, snMessage* why);

// What a setting takes: "a number from 0 to 5 Hz", "midpoint or euler", "true or false".
typedef struct snSettingRange {
    char text[200];
} snSettingRange;
snSettingRange snSetting_Range(const snSetting* setting);

SN_END_C

#endif
