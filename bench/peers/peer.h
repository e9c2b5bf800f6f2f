// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

// Another program that a benchmark compares with: a module opened at run time, so that nothing of
// Sinew depends on it. A module knows nothing of Sinew either; it gets a skeleton as MJCF text
// (peers/mjcf.h).
#ifndef SINEW_BENCH_PEER_H
#define SINEW_BENCH_PEER_H

#include <stddef.h>

// What a module offers.
typedef struct snPeer {
    const char* name;    // for example "MuJoCo"
    const char* version; // as the program itself says

    // Loads a model and a state in the peer's own coordinates (snMjcf_Position, snMjcf_Rate).
    // Returns NULL on failure and says why in `error`.
    void* (*open)(const char* mjcf, const double* qpos, const double* qvel, char* error,
                  size_t error_size);

    // Forward dynamics of the state, `repetitions` times, each from scratch: poses, velocities,
    // mass matrix or articulated inertias, accelerations without applied torques. What
    // snDynamics_SetState and snDynamics_Hybrid do together.
    void (*run)(void* peer, int repetitions);

    void (*close)(void* peer); // NULL is fine
} snPeer;

// The one symbol that a module exports.
typedef const snPeer* snPeer_GetFcn(void);
#define SN_PEER_SYMBOL "snPeer_Get"

#endif
