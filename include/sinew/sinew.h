// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

// All of Sinew's public API.
#ifndef SINEW_SINEW_H
#define SINEW_SINEW_H

#include "bake.h"
#include "base.h"
#include "body.h"
#include "character.h"
#include "clip.h"
#include "dynamics.h"
#include "force.h"
#include "io.h"
#include "joints.h"
#include "method.h"
#include "rig.h"
#include "scene.h"
#include "shape.h"
#include "sim.h"
#include "skeleton.h"

#endif
