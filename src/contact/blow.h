// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

// Obstacles that meet each other or the ground have no layer that gives way: they do so in a blow.
// A spring, as stiff as the step bears, throws them back until they part at the speed that
// restitution asks for, at once or within a few steps, and is spent then. What they lie on
// afterwards, or meet slower than SN_SLOW, damps them critically.
#ifndef SN_CONTACT_BLOW_H
#define SN_CONTACT_BLOW_H

#include "contact/contacts.h"

SN_BEGIN_C

// Forces of a group's rows between obstacles and of them with the ground, on the obstacles; and
// what their points are to remember.
void snBlows_Apply(const snContacts* contacts, const snContactGroup* group, snContactRow* rows,
                   int32_t count, double h);

SN_END_C

#endif
