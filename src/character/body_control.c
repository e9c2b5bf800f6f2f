// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

#include <sinew/body.h>

// Files, options of the tool and its help, and the check of defs all come from this table.
static const snBodyControl CONTROLS[] = {
    {"softness", "Hz", 0.5, 50, 0,
     "of the slowest jiggle; lower is softer; otherwise up to 5.5, by the rig's clips and size",
     offsetof(snBodyDef, softness)},
    {"damping", "", 0, 2, 0.2,
     "how fast jiggle dies away, as a ratio: at 0 it never does, at 1 there is none",
     offsetof(snBodyDef, damping)},
    {"limit", "", 0.01, 1, 0.3,
     "how far flesh may leave what it returns to, as a part of the local thickness",
     offsetof(snBodyDef, limit)},
    {"inertia", "", 0, 2, 1, "share of the root's motion that is felt",
     offsetof(snBodyDef, inertia)},
    {"gravity", "", -1, 2, 0, "share of sag", offsetof(snBodyDef, gravity)},
    {"shape", "", 0, 1, 0, "what flesh returns to: 0 the skinned pose, 1 its own shape",
     offsetof(snBodyDef, shape)},
    {"height", "m", 0.001, 1000, 0, "of the rig in its own pose; otherwise by the file's unit",
     offsetof(snBodyDef, height)},
    {NULL, NULL, 0, 0, 0, NULL, 0},
};

const snBodyControl* snBodyControls(void)
{
    return CONTROLS;
}

double* snBodyDef_Number(snBodyDef* def, const snBodyControl* control)
{
    return (double*)(void*)((char*)def + control->offset);
}
