// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

#include "base/importers.h"

#include "base/message.h"

snStatus snImporters_Fail(const snHost* host, const char* what, const char* maker,
                          const char* package, const char* instead, snMessage* why)
{
    const char* other = instead[0] ? ", or " : "";
    if (host && host->importers) {
        return snFail(
            why, sn_errorUnsupported,
            "%s through %s, and that was missing when libsinew_import was built; install %s "
            "and build again%s%s",
            what, maker, package, other, instead);
    }
    return snFail(
        why, sn_errorUnsupported,
        "%s through %s, and that is in libsinew_import: link it (-lsinew_import) and call "
        "snImport_Register for the snHost that is passed here%s%s",
        what, maker, other, instead);
}
