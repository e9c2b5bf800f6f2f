// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

// Settings of the explicit method.
#include "method/explicit/actor.h"

// Places in the table.
enum { INTEGRATOR, KEEP_MOMENTUM, CONTACT, COUNT };

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
                 "how surfaces are kept apart: penalty is springs and dampers, as stiff as the "
                 "step bears; projection also stops what still approaches after a step"},
};

void snExplicit_TakeSettings(snExplicitData* data, const snSettings* settings)
{
    data->integrator = (int32_t)settings->value[INTEGRATOR];
    data->keep_momentum = settings->value[KEEP_MOMENTUM] > 0;
    data->head.around.project = settings->value[CONTACT] > 0;
}
