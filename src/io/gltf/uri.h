// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

// Files that a document names, relative to its own folder.
#ifndef SN_IO_GLTF_URI_H
#define SN_IO_GLTF_URI_H

#include "base/memory.h"

// The path that a relative URI means, with its %20 and the like put right. False when it would
// leave the folder, names another scheme, or is too long.
bool snUri_Path(const char* uri, char* out, size_t size);

// A path as a URI: slashes, blanks and the like as %20. NULL when memory runs out.
const char* snUri_Of(snArena* arena, const char* path);

// It names a file from the folder of its document: no data:, no other scheme, no root
bool snUri_IsRelative(const char* uri);

// What comes before a relative URI of one folder, "a/b/" or "" for the present one, to mean the
// same file in another; "" when they are one. NULL when one of them is not there, memory runs out,
// or the system has no such paths.
const char* snUri_Between(snArena* arena, const char* from, const char* to);

#endif
