// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

// Force fields: what pulls at everything in a scene (scene.h: flesh, bones and obstacles that give
// way), and at flesh that follows poses (body.h), by mass.
#ifndef SINEW_FORCE_H
#define SINEW_FORCE_H

#include "base.h"

#ifdef __cplusplus
extern "C" {
#endif

// What pulls at everything.
typedef enum snForceKind {
    sn_forceUniform = 0, // an acceleration
    sn_forceWind,        // air that moves, or, at rest, drags
    sn_forcePoint,       // towards a place, or away from it
    sn_forceCall,        // what a function of the host says
    sn_forceKindCount,   // how many there are
} snForceKind;

// A force field. Only the fields of its kind are looked at, and place and radius.
typedef struct snForceDef {
    uint32_t size;  // sizeof(snForceDef); set by snForceDef_Init
    int32_t kind;   // an snForceKind; default uniform
    snVec3 place;   // its middle, m; default 0
    double radius;  // m, > 0; at distance d it has (1 - d^2/radius^2)^2 of its strength, from
                    // there on nothing; default infinity = everywhere the same
    snVec3 value;   // uniform: m/s^2, below 1e6; wind: velocity of the air, m/s, below 1e4
    double rate;    // wind: how quickly bodies are taken along, 1/s, 0..1e4; default 1
    double towards; // point: acceleration towards the place, m/s^2, within 1e6; negative: away
    // call: the acceleration, m/s^2, of what is at a place, m, with a velocity, m/s, at a time, s.
    // The same for the same arguments, or runs do not repeat. Called on the thread that advances.
    snVec3 (*call)(void* user, double time, snVec3 place, snVec3 velocity);
    void* user; // call: its first argument
} snForceDef;

// Fills the defaults.
SN_API void snForceDef_Init(snForceDef* def);

#ifdef __cplusplus
}
#endif

#endif
