// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

#include "cli/kind.h"

bool isFileOf(const char* path, uint32_t what)
{
    const snFileKind* kind = snFileKind_OfPath(path);
    return kind && (kind->reads & what);
}

bool isPointCache(const char* path)
{
    return isFileOf(path, sn_fileFrames) && !isFileOf(path, sn_fileRig);
}

const char* listFilesOf(uint32_t what, FileList list)
{
    return snFileKind_List(what, 0, list, sizeof(FileList));
}
