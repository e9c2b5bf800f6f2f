// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

// What there is to say about a mesh file: what is in it, what is wrong with it, what to do.
#ifndef SINEW_APPS_CLI_REMARKS_H
#define SINEW_APPS_CLI_REMARKS_H

#include <sinew/io.h>
#include <stdio.h>

// One line: format, counts, size.
void printMesh(FILE* out, const char* path, const snMeshFacts* facts);

// A line for each thing that is not as it should be; returns how many. out may be NULL: count only.
int printRemarks(FILE* out, const snMeshFacts* facts);

#endif
