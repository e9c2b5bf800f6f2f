// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

// Another program that simulates a soft body: a module opened at run time, as in peers/peer.h.
#ifndef SINEW_BENCH_BEAM_H
#define SINEW_BENCH_BEAM_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

// A body of tets under gravity, stable neo-Hookean (Smith, de Goes & Kim 2018), undamped, at rest
// at first, some nodes held. Arrays are the caller's and read by `open` alone.
typedef struct snBeamModel {
    int32_t node_count, tet_count;
    const double* nodes;  // m; (node_count, 3)
    const int32_t* tets;  // (tet_count, 4)
    const double* mass;   // kg; (node_count)
    const int32_t* fixed; // >= 0: held; (node_count)
    double mu, lambda;    // Lamé, Pa
    double gravity;       // along y, m/s^2
    double step;          // s
} snBeamModel;

// What a module offers.
typedef struct snBeamPeer {
    const char* name;
    const char* version;
    void* (*open)(const snBeamModel* model); // NULL on failure
    void (*run)(void* peer, int steps);
    double (*height)(const void* peer, int32_t node); // y of a node now, m
    void (*close)(void* peer);                        // NULL is fine
} snBeamPeer;

// The one symbol that such a module exports.
typedef const snBeamPeer* snBeamPeer_GetFcn(void);
#define SN_BEAM_PEER_SYMBOL "snBeamPeer_Get"

#ifdef __cplusplus
}
#endif

#endif
