// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

// libsinew_import (-lsinew_import): rigs of FBX and Collada by Assimp, Delaunay tets of given nodes
// by Qhull, LAPACK's general SVD; each where it was found when the library was built. libsinew does
// without them and needs the C library alone.
//
//   snHost host;
//   snHost_Init(&host);
//   snImport_Register(&host);
//   snRig_Load(&host, "hero.fbx", &rig, &why);
#ifndef SINEW_IMPORT_H
#define SINEW_IMPORT_H

#include "sinew/base.h"

#ifdef __cplusplus
extern "C" {
#endif

// Sets host->importers, for all that is then made with this host; after snHost_Init. Without it
// such requests fail with sn_errorUnsupported and a message that names this call.
SN_API void snImport_Register(snHost* host);

#ifdef __cplusplus
}
#endif

#endif
