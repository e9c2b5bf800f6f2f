// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

#include "contact/penalty.h"

#include "math/trig.h"

// The budget, with a margin for flesh that is stretched and so stiffer than at rest.
#define BUDGET 3.6

// c when nothing is left: contact is soft then, but never without effect.
#define LEAST_SHARE 0.01

double snPenalty_Left(double h, double stable_step)
{
    double part = h / stable_step;
    return BUDGET - 4 * part * part;
}

double snPenalty_Share(double left)
{
    double root = left > 0 ? sqrt(4 + left) - 2 : 0;
    return root * root > LEAST_SHARE ? root * root : LEAST_SHARE;
}

snFirmness snPenalty_Firmness(double left, double mass)
{
    double c = snPenalty_Share(left);
    snFirmness out = {c * mass, sqrt(c) * mass};
    return out;
}

// e = exp(-pi z / sqrt(1 - z^2)) for a spring that is left when it has pushed back
double snPenalty_Damping(double restitution)
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
