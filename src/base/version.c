// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

#include "sinew/base.h"

uint32_t snVersion(void)
{
    return SN_VERSION_MAJOR * 10000u + SN_VERSION_MINOR * 100u + SN_VERSION_PATCH;
}

const char* snStatus_Name(snStatus status)
{
    switch (status) {
    case sn_ok:
        return "ok";
    case sn_errorArgument:
        return "argument error";
    case sn_errorFile:
        return "file error";
    case sn_errorIo:
        return "input or output error";
    case sn_errorMemory:
        return "out of memory";
    case sn_errorUnsupported:
        return "unsupported";
    case sn_errorNumeric:
        return "numeric error";
    case sn_errorInterrupted:
        return "interrupted";
    }
    return "unknown status";
}
