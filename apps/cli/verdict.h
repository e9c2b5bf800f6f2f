// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

// What there is to say about a run when it is over: trouble, contacts, efforts.
#ifndef SINEW_APPS_CLI_VERDICT_H
#define SINEW_APPS_CLI_VERDICT_H

#include <sinew/sinew.h>

// On stdout, a line each.
void printVerdict(const snFrame* frame, const snScene* scene);

#endif
