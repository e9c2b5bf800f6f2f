// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

// The one table of file kinds: what an extension means, and what is read from and written to such
// files (snFileKind, include/sinew/io.h). Readers that look at a file's content answer with its
// numbers too.
#ifndef SN_IO_KIND_H
#define SN_IO_KIND_H

#include <sinew/io.h>

// Numbers of kinds, in the table's order
typedef enum snKindNumber {
    sn_kindNone = -1,
    sn_kindGlb = 0,
    sn_kindGltf,
    sn_kindVrm,
    sn_kindFbx,
    sn_kindDae,
    sn_kindBvh,
    sn_kindPc2,
    sn_kindMdd,
    sn_kindObj,
    sn_kindOff,
    sn_kindPly,
    sn_kindStl,
    sn_kindGmsh,
    sn_kindTetgen,      // the tets
    sn_kindTetgenNodes, // the file beside them
    sn_kindVeg,
    sn_kindMedit,
    sn_kindJson,
    sn_kindBody,
    sn_kindCharacter,
    sn_kindPvd,
    sn_kindVtu,
    sn_kindCsv,
    sn_kindCount,
} snKindNumber;

// By the path's extension, in any case; sn_kindNone when it is unknown or nothing comes before it.
snKindNumber snKind_OfPath(const char* path);

// Where the last extension of the file's name begins, or the end of the path.
const char* snKind_Extension(const char* path);

#endif
