// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

// What there is to say about files: what is in them, what is wrong with them, what to do. A line
// begins with the file's name and what it is, those of details and remarks with two blanks.
#ifndef SINEW_APPS_CLI_REMARKS_H
#define SINEW_APPS_CLI_REMARKS_H

#include <sinew/io.h>
#include <stdio.h>

// One line: format, counts, size.
void printMesh(FILE* out, const char* path, const snMeshFacts* facts);

// One line, and one of the ground if there is any.
void printSceneFacts(FILE* out, const char* name, const snScene* scene);

// A line for each thing that is not as it should be; returns how many. out may be NULL: count only.
int printRemarks(FILE* out, const snMeshFacts* facts);

// The same for a surface whose triangles enclose another volume than the body that was made of it,
// the first character of a scene.
int printVolumeRemark(FILE* out, const snMeshFacts* facts, const snScene* scene);

// For characters that are too soft for their own weight where they can land.
int printSoftRemarks(FILE* out, const snScene* scene);

// For bones that hold too little of their flesh.
int printBoneRemarks(FILE* out, const snCharacter* character);

// For the times of an animation's frames.
int printTimeRemarks(FILE* out, const snAnimation* animation);

// For a mesh that does not fit its point cache.
int printFitRemark(FILE* out, const snAnimation* animation);

// Nodes that are fixed to a bone.
int32_t nodesOfBone(const snFleshInfo* flesh, int32_t bone);

// "s", but for 1.
const char* plural(int64_t count);

#endif
