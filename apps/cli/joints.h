// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

// The joints that a rig gets for 'sinew bake --two-way', as a table.
#ifndef SINEW_APPS_CLI_JOINTS_H
#define SINEW_APPS_CLI_JOINTS_H

#include <sinew/sinew.h>
#include <stdbool.h>

// Complains and returns an exit code when there are none.
int printJoints(const snRig* rig);

// Says what is not as in the file: parts that hang elsewhere, follow their clip, or stretch.
// Complains and returns an exit code when the rig cannot be moved by physics.
int checkJoints(const snRig* rig, bool quiet);

// How clips went that were baked two-way
void printTwoWay(const snBakeReport* report);

#endif
