// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

// Contact forces as arrows.
#ifndef SINEW_APPS_CLI_DRAW_CONTACT_H
#define SINEW_APPS_CLI_DRAW_CONTACT_H

#include <render/draw.h>
#include <sinew/sinew.h>

// An arrow at each contact, along the force on the owner of the point. Its length goes with the
// root of the force, its area with the force: one with the character's weight is half as long as
// the character, one with a hundredth of it a tenth of that, so a foot that lands and a body that
// rests on a thousand points both can be read. Yellow: the ground pushes; red: an obstacle; violet:
// a character.
void paintContacts(const snScene* scene, const snFrame* frame, snVec3 origin, DrawList* list);

#endif
