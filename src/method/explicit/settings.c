// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

// Settings of the explicit method.
#include "method/explicit/actor.h"

// Places in the table.
enum { INTEGRATOR, KEEP_MOMENTUM, CONTACT, LAYER, COUNT };

// The integrators stand in the order of snIntegrator.
const snSetting SN_EXPLICIT_SETTINGS[COUNT + 1] = {
    [INTEGRATOR] = {"integrator", sn_scopeScene, sn_settingChoice, "", 0, 0, "midpoint",
                    "midpoint|euler",
                    "how a step is made: midpoint is of second order; euler is the symplectic one "
                    "of Kim & Pollard 2011, of first order"},
    [KEEP_MOMENTUM] = {"keep_momentum", sn_scopeScene, sn_settingFlag, "", 0, 0, "true", NULL,
                       "the momentum of free characters changes exactly by what acts from outside"},
    [CONTACT] = {"contact", sn_scopeScene, sn_settingChoice, "", 0, 0, "penalty",
                 "penalty|projection",
                 "how surfaces are kept apart: penalty is skin that gives way, see layer; "
                 "projection also stops what still approaches after a step"},
    [LAYER] = {"layer", sn_scopeScene, sn_settingNumber, "", 0.001, 0.1, "0.01", NULL,
               "how thick the skin is that gives way to what presses on it, as a part of the "
               "body's local thickness; its stiffness is the flesh's"},
};

void snExplicit_TakeSettings(snExplicitData* data, const snSettings* settings)
{
    data->integrator = (int32_t)settings->value[INTEGRATOR];
    data->keep_momentum = settings->value[KEEP_MOMENTUM] > 0;
    data->head.around.project = settings->value[CONTACT] > 0;
    data->head.around.layer = settings->value[LAYER];
}
