// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

// The explicit method (Kim & Pollard 2011): hybrid dynamics of the skeleton, two-way with the flesh
// around it, all in one explicit step.
#ifndef SN_METHOD_EXPLICIT_EXPLICIT_H
#define SN_METHOD_EXPLICIT_EXPLICIT_H

#include "method/explicit/nodes.h"
#include "method/method.h"

extern const snMethod snExplicit;

// The nodes of a character's flesh in a state, for tests that start from strange shapes; NULL for
// bones alone.
snNodes* snExplicit_Nodes(snMethodData* data, void* state, int32_t actor);

#endif
