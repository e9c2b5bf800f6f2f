// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

// Does a recording fit a character, by what was matched of it? A person's motion is in the limbs,
// of which each follows whole when its upper and its lower part do, on a trunk that stands as that
// of a person. Both legs or both arms are enough: busts have no legs, penguins no arms to speak of.
// The same holds of what an animal did, for a person's body.
#ifndef SN_RIG_RECORDING_FIT_H
#define SN_RIG_RECORDING_FIT_H

#include "rig/recording_skeleton.h"

#define SN_FIT_LEAN 45.0  // deg that a trunk may be off the vertical and still stand
#define SN_FIT_STOOP 30.0 // the same of a recording without arms or legs, for a person's body

// Nodes, or joints, between which the trunk is
typedef struct snTrunk {
    int32_t hips[2]; // left and right thigh, or the pelvis twice; -1: not known
    int32_t top;     // head, neck, or the uppermost of the back; -1: not known
} snTrunk;

// part_of: node or joint of each role, -1 = none; (SN_ROLE_COUNT)
snTrunk snTrunk_Of(const int32_t* part_of);

// How far it is off `up`, deg; 0 when it is not known.
double snTrunk_Lean(const snTrunk* trunk, const snVec3* place, snVec3 up);

typedef struct snRecordingFit {
    bool is_person;       // the recording has whole arms and legs
    bool is_for_person;   // the character has
    bool legs, arms;      // both follow whole
    double lean;          // of the trunk in the bind pose, deg
    double recorded_lean; // of the recording's in its rest pose
    char follows[512];    // "'Hips' by 'pelvis', ...": what follows what, as much as fits
    char missing[256];    // joints of the recording's limbs that nothing follows
} snRecordingFit;

snStatus snRecordingFit_Find(snArena* arena, const snRecordingSkeleton* p, const snClip* clip,
                             snRecordingFit* fit, snMessage* why);

// Refuses a recording that does not fit the character, unless somebody has said by a mapping file
// how a body of another kind is meant to.
snStatus snRecordingFit_Check(snArena* arena, const snRecordingSkeleton* p, const snClip* clip,
                              const snRecordingFit* fit, bool is_mapped, snMessage* why);

// The reason, what there is on either side, what was found, and what to do. The recording skeleton
// may lack its skeleton.
snStatus snRecordingFit_Refuse(snArena* arena, const snRecordingSkeleton* p, const snClip* clip,
                               const char* reason, snMessage* why);

#endif
