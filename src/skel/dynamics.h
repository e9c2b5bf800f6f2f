// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

#ifndef SN_SKEL_DYNAMICS_H
#define SN_SKEL_DYNAMICS_H

#include "skel/ik.h"
#include "skel/integrate.h"
#include "skel/momentum.h"

SN_BEGIN_C

struct snDynamics {
    snHost host;
    snArena arena;
    snSkeleton* skeleton;
    snVec3 gravity;          // m/s^2
    snVec3 gravity_used;     // that the motion's accelerations were found with
    double* q;               // (nq)
    double* qd;              // (nv)
    double* q_last;          // the state before a step that may fail; (nq)
    double* qd_last;         // (nv)
    snMomentumTarget target; // of the momentum correction
    snWorkspace ws;          // motion is that of (q, qd) between calls
    snInertia6* composite;   // scratch of the mass matrix; (bone_count)
    snIkSpace ik;            // scratch
};

// Poses and velocities of the state into the workspace.
void snDynamics_Update(snDynamics* dynamics);

SN_END_C

#endif
