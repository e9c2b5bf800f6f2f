#!/usr/bin/env bash
# SPDX-FileCopyrightText: 2026 The Sinew authors
# SPDX-License-Identifier: Apache-2.0
# label: full

# The elastic laws and the SVD compile for GPUs as they are, in float and in double, for the device and for the host, without
# warnings.
set -eu
if ! command -v nvcc >/dev/null; then
    echo 'SKIP: nvcc is missing'
    exit 77
fi
cat >laws.cu <<'CODE'
#include "elastic/material.h"

__host__ __device__ double all(const snMaterial* m, snMat3 F, snMat3f f, double mu, double lambda)
{
    snSvdf d = snSvd3f(f);
    snColumnf s = snColumnOff(d.s0, d.s1, d.s2);
    snColumnf p = snStvkPrincipalf(s, (float)mu, (float)lambda, 0.7f, 1.4f);
    snMat3f P = snFromPrincipalf(d.U, p, d.V);
    P = snStretchSlackf(P, 0.49f, 1.96f) > 0 ? snStvkStressf(f, (float)mu, (float)lambda)
                                             : snNeoHookeanStressf(P, (float)mu, (float)lambda);
    // differentials, exact and definite
    snTangentf T = snTangentDefinitef(snStvkPrincipalTangentf(s, 1, 2, 0.7f, 1.4f), 1000);
    snMat3f dP = snDifferentialf(d.U, T, d.V, P);
    dP = snDifferentialf(d.U, snCorotatedTangentf(s, 1, 2), d.V, dP);
    dP = snDifferentialf(d.U, snNeoHookeanTangentf(s, 1, 2), d.V, dP);
    dP = snDifferentialf(d.U, snStvkTangentf(s, 1, 2), d.V, dP);
    dP = snCombinef(1, snStvkDifferentialf(f, dP, 1, 2), 1, snNeoHookeanDifferentialf(f, dP, 1, 2));
    snMat3 exact = snMaterial_Differential(m, F, F, mu, lambda);
    snMat3 definite = snMaterial_DefiniteDifferential(m, F, exact, mu, lambda, 1000);
    return (double)dP.m00 + definite.m00 + (double)P.m00 + snMaterial_Stress(m, F, mu, lambda).m00 +
           snMaterial_Energy(m, F, mu, lambda);
}

__global__ void onDevice(const snMaterial* m, const snMat3* F, const snMat3f* f, double* out)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = all(m, F[i], f[i], 1, 2);
}

double onHost(const snMaterial* m, const snMat3* F, const snMat3f* f)
{
    return all(m, *F, *f, 1, 2);
}
CODE
nvcc -std=c++17 --Werror all-warnings -I"$SOURCE/src" -I"$SOURCE/include" -c laws.cu -o laws.o
echo 'compiled for device and host'
