// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

// What of a rig is soft, by its names: head, hands, feet, face, wings, capes and what hangs on them
// are not, all else is. Users say otherwise by patterns.
#ifndef SN_RIG_SOFT_H
#define SN_RIG_SOFT_H

#include "rig/rig.h"

// Patterns of names of joints, meshes and materials: * stands for any text, ? for any character,
// small and capital letters are the same. Where both kinds match, rigid wins.
typedef struct snRigPatterns {
    int32_t soft_count, rigid_count; // 0..1000; default 0
    const char* const* soft;         // what is soft besides; (soft_count)
    const char* const* rigid;        // what is not; (rigid_count)
} snRigPatterns;

bool snRigPattern_Matches(const char* pattern, const char* text);

// Fails when a pattern matches nothing: it is mistyped, or of another rig.
snStatus snRigPatterns_Check(const snRigPatterns* patterns, const snRig* rig, snMessage* why);

// What a node moves is soft because a pattern says so
#define SN_SOFT_ASKED 2

// Whether what each node moves is soft: 0, 1 or SN_SOFT_ASKED. A bone of a VRM file's humanoid
// counts by VRM's name. Children of rigid nodes are rigid too, unless more than half of the body
// hangs on them. carried: how much of the body each node moves, in any unit; (node_count). soft:
// (node_count)
void snRigSoft_Nodes(const snRig* rig, const double* carried, const snRigPatterns* patterns,
                     uint8_t* soft);

// What patterns say of an instance by the names of its mesh and material: 0, 1, or -1: nothing
int snRigSoft_Instance(const snRigInstance* instance, const snRigPatterns* patterns);

// Is it rigid by the name of its mesh or material: a hand, a helmet?
bool snRigSoft_IsRigid(const snRigInstance* instance);

// Is it by its name a joint of flesh itself (a belly, a breast), which is no bone?
bool snRigSoft_IsFlesh(const char* name);

// Is it by its name a joint of a tail, a flipper, a tentacle, which trails as a whole?
bool snRigSoft_IsTail(const char* name);

#endif
