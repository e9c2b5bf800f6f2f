// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

#include "sim/scene_def.h"

#include "sim/scene.h"

#define AT(field) .name = #field, .offset = offsetof(snSceneDef, field)

static const snDefField FIELDS[] = {
    {AT(method), .kind = sn_defText, .about = "the method that simulates it"},
    {AT(gravity), .kind = sn_defVector, .unit = "m/s^2", .low = -1e6, .high = 1e6,
     .about = "acceleration of what falls"},
    {AT(frame_rate), .kind = sn_defNumber, .unit = "frames/s", .low = 1, .high = 10000,
     .about = "frames a second"},
    {AT(duration), .kind = sn_defNumber, .unit = "s", .low = 0, .high = 86400,
     .about = "how long a run lasts"},
    {AT(step), .kind = sn_defNumber, .unit = "s", .low = 0, .high = 0.1,
     .about = "largest step, at least 1e-7; 0 is automatic; whole steps make a frame"},
    {AT(ground), .kind = sn_defFlag, .about = "a horizontal ground holds surfaces up"},
    {AT(ground_height), .kind = sn_defNumber, .unit = "m", .low = -SN_MOST_LENGTH,
     .high = SN_MOST_LENGTH, .about = "the ground's y"},
    {AT(friction), .kind = sn_defNumber, .low = 0, .high = 10,
     .about = "Coulomb's coefficient where no pair of materials says otherwise"},
    {AT(restitution), .kind = sn_defNumber, .low = 0, .high = 1,
     .about = "part of the speed that a bounce gives back, of rigid bodies faster than 0.1 m/s"},
    {AT(self_contact), .kind = sn_defFlag, .about = "surfaces also touch themselves"},
    {AT(events), .kind = sn_defInteger, .low = 0, .high = 100000,
     .about = "pairs of bodies whose touching frames report, at most"},
    {AT(sleep), .kind = sn_defNumber, .unit = "s", .low = 0, .high = 3600,
     .about = "of lying almost still, after which bodies sleep together; 0 is never"},
};

static void init(void* def)
{
    snSceneDef_Init(def);
}

const snDefTable SN_SCENE_DEF = {.name = "snSceneDef",
                                 .about = "a scene as a whole",
                                 .size = sizeof(snSceneDef),
                                 .init = init,
                                 .count = sizeof FIELDS / sizeof *FIELDS,
                                 .fields = FIELDS};
