// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

// The pose in which meshes were bound to their joints. There every joint of a skin says the same of
// the mesh, world(joint) inverse_bind = G, so that skinning is one map: the mesh as it was made. A
// file does not keep G, and its nodes' own pose may be any frame of a clip: G is taken such that
// the joint that carries most of the skin, itself and by what hangs on it, is where the nodes' own
// pose has it: the root of the body, not an animator's handle that comes before it in the file.
#ifndef SN_RIG_BIND_POSE_H
#define SN_RIG_BIND_POSE_H

#include "rig/rig.h"

// World matrices of all nodes. What no skin names is against its parent as in the nodes' own pose,
// and so are joints whose inverse bind matrix has no inverse. Of two skins that disagree on a joint
// the first wins. nodes: (node_count)
snStatus snRig_BindPose(const snRig* rig, snMatrix* nodes, snMessage* why);

#endif
