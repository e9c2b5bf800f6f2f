// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

// A description of Sinew for programs: methods with their settings, and every def with its fields,
// as JSON. So bindings, editors and web pages need no list of their own.
#ifndef SINEW_DESCRIBE_H
#define SINEW_DESCRIBE_H

#include "base.h"

#ifdef __cplusplus
extern "C" {
#endif

// Writes the description of `what` as JSON, 0-terminated, into text of `size` bytes: a method
// ("explicit"), a def ("snSceneDef"), or all there is (NULL or "all"). *length (may be NULL) is its
// length in bytes without the 0, also when it does not fit, which is an error; text may be NULL to
// ask for the length alone.
//
// All: {"version", "methods", "capabilities", "defs"}. A method: {"name", "about", "does",
// "settings"}; a setting: {"name", "scope", "kind", "unit", "low", "high", "default", "choices",
// "about"}. A def: {"name", "about", "fields"}; a field: {"name", "type", "unit", "low", "high",
// "default", "choices", "of", "count", "about"}. Keys that say nothing are left out; a default of
// null is none, or infinite.
SN_API snStatus snDescribe(const snHost* host, const char* what, char* text, size_t size,
                           size_t* length, snMessage* why);

#ifdef __cplusplus
}
#endif

#endif
