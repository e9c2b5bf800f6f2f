// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

// A host with libsinew_import's importers.
#ifndef SN_TESTS_IMPORT_HOST_H
#define SN_TESTS_IMPORT_HOST_H

#include <sinew/import.h>

static inline const snHost* importHost(void)
{
    static snHost host;
    snHost_Init(&host);
    snImport_Register(&host);
    return &host;
}

#endif
