// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

// Rigs and bodies in archives. A rig is there as far as it is needed to play it: no document, no
// colours, no attributes, no remarks.
#ifndef SN_IO_SAVE_H
#define SN_IO_SAVE_H

#include "character/body.h"
#include "io/archive.h"

#define SN_SAVE_KIND "saved" // snRigInfo.kind of a rig that was read from an archive

// Everything in it is sound when it was read without failure. Written: `rig` is a copy.
void snSave_Rig(snArchive* a, snRig* rig);

// The same; body->rig is there already.
void snSave_Body(snArchive* a, snRigBody* body);

#endif
