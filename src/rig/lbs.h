// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

// Morphs and linear blend skinning, as glTF 2.0 (3.7.2.2, 3.7.3.3) says: first morph targets, then
// joints. A skinned mesh does not feel its node.
//
//   x = B (X + sum_k w_k D_k),  B = sum_j w_j M_j,  M_j = world(joint j) inverse_bind_j
//
// and of meshes without skin B = world(node).
#ifndef SN_RIG_LBS_H
#define SN_RIG_LBS_H

#include "rig/rig.h"

// M_j of a skin in a pose (world matrices of all nodes). out: (joint_count)
void snLbs_Joints(const snRigSkin* skin, const snMatrix* nodes, snMatrix* out);

// B of a vertex of a shape with influences
snMatrix snLbs_Blend(const snRigShape* shape, const snMatrix* joints, size_t vertex);

// X + sum_k w_k D_k. weights: of the instance's node; NULL = none
snVec3 snLbs_Morph(const snRigShape* shape, const double* weights, size_t vertex);

// The same of its normal, which need not have unit length. For shapes with normals
snVec3 snLbs_MorphNormal(const snRigShape* shape, const double* weights, size_t vertex);

// Positions, and normals unless NULL, in the world. nodes and weights: of the whole rig; weights
// may be NULL: none. joints: scratch; (joint_count of its skin), may be NULL without skin.
void snLbs_Skin(const snRig* rig, const snRigInstance* instance, const snMatrix* nodes,
                const double* weights, snMatrix* joints, float* positions, float* normals);

#endif
