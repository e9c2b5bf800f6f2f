// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

// Methods: the ways to simulate a scene. What each can do and which settings it has, for programs
// that ask before they choose, and for help texts. Scenes name their method (snSceneDef) and set
// its settings by name (snScene_Set); `sinew describe` prints all of it.
#ifndef SINEW_METHOD_H
#define SINEW_METHOD_H

#include "base.h"

#ifdef __cplusplus
extern "C" {
#endif

// What a method may be able to do; bits of snMethod_Does.
typedef enum snDoes {
    sn_doesOneWay = 1 << 0,      // joints follow a motion exactly, and flesh follows them
    sn_doesTwoWay = 1 << 1,      // flesh, contact and inertia move joints
    sn_doesDynamic = 1 << 2,     // mass and inertia: flesh swings
    sn_doesQuasistatic = 1 << 3, // flesh is at rest at each instant
    sn_doesGround = 1 << 4,      // contact with the ground
    sn_doesObstacles = 1 << 5,   // contact with obstacles that do not give way
    sn_doesMovable = 1 << 6,     // obstacles with a mass, which are pushed about
    sn_doesOthers = 1 << 7,      // contact between characters
    sn_doesSelf = 1 << 8,        // contact of a surface with itself
    sn_doesFields = 1 << 9,      // fields of force, such as wind
    sn_doesDrags = 1 << 10,      // bones that are dragged along paths
    sn_doesPush = 1 << 11,       // impulses between steps
    sn_doesGrab = 1 << 12,       // springs and forces at places of the skin
    sn_doesTeleport = 1 << 13,   // characters are put elsewhere between steps
    sn_doesChange = 1 << 14,     // characters and obstacles come and go while it runs
    sn_doesEvents = 1 << 15,     // frames report who begins and ends to touch whom
    sn_doesSleep = 1 << 16,      // what lies still sleeps
    sn_doesGpu = 1 << 17,        // runs on a graphics processor
} snDoes;

// A capability as programs show it to people.
typedef struct snCapability {
    uint32_t bit;      // an snDoes
    const char* name;  // "two-way"
    const char* about; // a line of text
} snCapability;

// All of them, in the order of their bits; the last one has no name.
SN_API const snCapability* snCapabilities(void);

// What a setting is set for.
typedef enum snSettingScope {
    sn_scopeScene = 0, // the whole scene
    sn_scopeCharacter, // each character
    sn_scopeCount,     // how many there are
} snSettingScope;

// What a setting's text is.
typedef enum snSettingKind {
    sn_settingNumber = 0, // "0.25"
    sn_settingInteger,    // "12"
    sn_settingChoice,     // one of a few words
    sn_settingFlag,       // "true" or "false"
    sn_settingKindCount,  // how many there are
} snSettingKind;

// "number", "integer", "choice", "flag"; NULL for a number that is none.
SN_API const char* snSettingKind_Name(int32_t kind);

// "scene", "character"; NULL for a number that is none.
SN_API const char* snSettingScope_Name(int32_t scope);

// A setting of a method.
typedef struct snSetting {
    const char* name;    // as in scene files and --set
    int32_t scope;       // an snSettingScope
    int32_t kind;        // an snSettingKind
    const char* unit;    // "" = none
    double low, high;    // range of numbers and integers
    const char* preset;  // its default, as text
    const char* choices; // "midpoint|euler"; NULL when it is no choice
    const char* about;   // a line of text
} snSetting;

// How many methods there are.
SN_API int32_t snMethod_Count(void);

// The name of method 0, 1, 2 …; NULL after the last.
SN_API const char* snMethod_Name(int32_t i);

// A line about a method; NULL when there is none of that name.
SN_API const char* snMethod_About(const char* method);

// What it can do: bits of snDoes; 0 when there is none of that name.
SN_API uint32_t snMethod_Does(const char* method);

// Its setting 0, 1, 2 …; NULL after the last, or when there is no such method.
SN_API const snSetting* snMethod_Setting(const char* method, int32_t i);

#ifdef __cplusplus
}
#endif

#endif
