// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

// A picture of a rig with its body, from the front and from its left: where it is soft.
#ifndef SINEW_APPS_CLI_PORTRAIT_H
#define SINEW_APPS_CLI_PORTRAIT_H

#include <sinew/sinew.h>

// Writes a .png. sn_errorUnsupported when this machine or build cannot draw.
snStatus drawPortrait(const snBody* body, const char* path, snMessage* why);

#endif
