// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

// The SVD for any m x n, by LAPACK: what Kim & Pollard 2011 compare with in
// Table V. Two hundred times slower than snSvdBatch; only for that comparison.

#include <stddef.h>

#include "import/parts.h"
#include "math/lanes.h"

// The Fortran symbol; the two hidden arguments are the lengths of the job letters.
void sgesvd_(const char* jobu, const char* jobvt, const int* m, const int* n, float* a,
             const int* lda, float* s, float* u, const int* ldu, float* vt, const int* ldvt,
             float* work, const int* lwork, int* info, size_t jobu_length, size_t jobvt_length);

// by rows, or of a transposed matrix by columns
static float determinant(const float* a)
{
    return a[0] * (a[4] * a[8] - a[5] * a[7]) + a[1] * (a[5] * a[6] - a[3] * a[8]) +
           a[2] * (a[3] * a[7] - a[4] * a[6]);
}

void snLapack_Svd(int block_count, const float* F, float* U, float* s, float* V)
{
    enum { WORK = 64, LANES = SN_LANE_COUNT };
    const int three = 3, lwork = WORK;
    for (int k = 0; k < block_count * LANES; ++k) {
        const int at = k / LANES * 9 * LANES + k % LANES;
        float a[9], u[9], vt[9], values[3], work[WORK];
        int info = 0;
        for (int i = 0; i < 9; ++i) {
            a[i] = F[at + (i % 3 * 3 + i / 3) * LANES];
        }
        sgesvd_("A", "A", &three, &three, a, &three, values, u, &three, vt, &three, work, &lwork,
                &info, 1, 1);
        // reflections become rotations at the expense of the smallest value's sign
        const float signs[2] = {determinant(u) < 0 ? -1.0F : 1.0F,
                                determinant(vt) < 0 ? -1.0F : 1.0F};
        values[2] *= signs[0] * signs[1];
        for (int i = 0; i < 9; ++i) {
            // u by columns, vt' by rows
            U[at + (i % 3 * 3 + i / 3) * LANES] = u[i] * (i / 3 == 2 ? signs[0] : 1);
            V[at + i * LANES] = vt[i] * (i % 3 == 2 ? signs[1] : 1);
        }
        for (int i = 0; i < 3; ++i) {
            s[k / LANES * 3 * LANES + i * LANES + k % LANES] = values[i];
        }
    }
}
