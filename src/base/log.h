// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

// Log lines, by the host's hook.
#ifndef SN_BASE_LOG_H
#define SN_BASE_LOG_H

#include "base/language.h"
#include "base/message.h"
#include "sinew/base.h"

SN_BEGIN_C

// One line without newline; nothing when the host (may be NULL) has no log.
void snLog(const snHost* host, snLogLevel level, const char* format, ...) SN_PRINTF(3, 4);

SN_END_C

#endif
