// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

#include "contact/law.h"

#include "math/trig.h"

// e = exp(-pi z / sqrt(1 - z^2)) for a spring that is left when it has pushed back
double snContactLaw_Damping(double restitution)
{
    double low = 0, high = 1;
    for (int i = 0; i < 50; ++i) {
        double z = 0.5 * (low + high);
        bool more = snExp(-SN_PI * z / sqrt(1 - z * z)) > restitution;
        low = more ? z : low;
        high = more ? high : z;
    }
    return restitution > 0 ? 0.5 * (low + high) : 1;
}
