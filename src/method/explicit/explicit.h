// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

// The explicit method (Kim & Pollard 2011): hybrid dynamics of the skeleton, stepped with the
// flesh. At this stage the characters are skeletons alone.
#ifndef SN_METHOD_EXPLICIT_EXPLICIT_H
#define SN_METHOD_EXPLICIT_EXPLICIT_H

#include "method/method.h"

extern const snMethod snExplicit;

#endif
