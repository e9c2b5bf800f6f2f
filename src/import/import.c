// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

#include <sinew/import.h>

#include "import/parts.h"

static const snImporters IMPORTERS = {
    .version = 10000 * SN_VERSION_MAJOR + 100 * SN_VERSION_MINOR + SN_VERSION_PATCH,
#ifdef SN_HAVE_ASSIMP
    .rig = snAssimp_Import,
#endif
#ifdef SN_HAVE_QHULL
    .delaunay = snQhull_Delaunay,
#endif
#ifdef SN_HAVE_LAPACK
    .svd = snLapack_Svd,
#endif
};

void snImport_Register(snHost* host)
{
    if (host) {
        host->importers = &IMPORTERS;
    }
}
