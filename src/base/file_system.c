// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

// Files as the system has them: POSIX, or Windows with its wide paths.

// fstat, lstat, fseeko and ftruncate
#define _POSIX_C_SOURCE 200809L

#include "base/file.h"

#include <sys/stat.h>

#if defined(_WIN32)

#define WIN32_LEAN_AND_MEAN
#include <errno.h>
#include <fcntl.h>
#include <io.h>
#include <string.h>
#include <wchar.h>
#include <windows.h>

// The system's form of a path in UTF-8; false, with errno, when it is none or too long
static bool widen(const char* path, wchar_t out[SN_PATH_SIZE])
{
    bool fine = MultiByteToWideChar(CP_UTF8, MB_ERR_INVALID_CHARS, path, -1, out, SN_PATH_SIZE) > 0;
    errno = fine ? errno : ENOENT;
    return fine;
}

FILE* snFile_Open(const char* path, const char* mode)
{
    wchar_t wide[SN_PATH_SIZE], how[8] = L"";
    if (!widen(path, wide)) {
        return NULL;
    }
    if (strchr(mode, 'x')) { // which its fopen does not know
        int file = _wopen(wide, _O_WRONLY | _O_CREAT | _O_EXCL | _O_BINARY, _S_IREAD | _S_IWRITE);
        return file < 0 ? NULL : _fdopen(file, "wb");
    }
    for (size_t i = 0; mode[i] && i + 1 < sizeof how / sizeof *how; ++i) {
        how[i] = (wchar_t)mode[i];
    }
    return _wfopen(wide, how);
}

bool snFile_Remove(const char* path)
{
    wchar_t wide[SN_PATH_SIZE];
    return widen(path, wide) && _wremove(wide) == 0;
}

bool snFile_Rename(const char* from, const char* to)
{
    wchar_t a[SN_PATH_SIZE], b[SN_PATH_SIZE];
    if (!widen(from, a) || !widen(to, b)) {
        return false;
    }
    bool done = MoveFileExW(a, b, MOVEFILE_REPLACE_EXISTING) != 0;
    errno = done ? errno : GetLastError() == ERROR_FILE_NOT_FOUND ? ENOENT : EACCES;
    return done;
}

bool snFile_Seek(FILE* file, int64_t offset)
{
    return _fseeki64(file, offset, SEEK_SET) == 0;
}

int64_t snFile_Tell(FILE* file)
{
    return _ftelli64(file);
}

bool snFile_Truncate(FILE* file, int64_t size)
{
    return fflush(file) == 0 && _chsize_s(_fileno(file), size) == 0 && snFile_Seek(file, size);
}

// `found`: what _fstat64 or _wstat64 answered about it
static snEntryKind kindOf(int found, const struct _stat64* info)
{
    return found != 0                              ? sn_entryAbsent
           : (info->st_mode & _S_IFMT) == _S_IFREG ? sn_entryPlain
           : (info->st_mode & _S_IFMT) == _S_IFDIR ? sn_entryFolder
                                                   : sn_entryOther;
}

snEntryKind snFile_KindOfOpen(FILE* file, uint64_t* size)
{
    struct _stat64 info;
    snEntryKind kind = kindOf(_fstat64(_fileno(file), &info), &info);
    *size = kind == sn_entryPlain ? (uint64_t)info.st_size : 0;
    return kind;
}

snEntryKind snFile_KindOf(const char* path)
{
    wchar_t wide[SN_PATH_SIZE];
    struct _stat64 info;
    return widen(path, wide) ? kindOf(_wstat64(wide, &info), &info) : sn_entryAbsent;
}

#else

#include <unistd.h>

FILE* snFile_Open(const char* path, const char* mode)
{
    return fopen(path, mode);
}

bool snFile_Remove(const char* path)
{
    return remove(path) == 0;
}

bool snFile_Rename(const char* from, const char* to)
{
    return rename(from, to) == 0;
}

bool snFile_Seek(FILE* file, int64_t offset)
{
    return fseeko(file, (off_t)offset, SEEK_SET) == 0;
}

int64_t snFile_Tell(FILE* file)
{
    return ftello(file);
}

bool snFile_Truncate(FILE* file, int64_t size)
{
    return fflush(file) == 0 && ftruncate(fileno(file), (off_t)size) == 0 &&
           snFile_Seek(file, size);
}

// `found`: what fstat or lstat answered about it
static snEntryKind kindOf(int found, const struct stat* info)
{
    return found != 0               ? sn_entryAbsent
           : S_ISREG(info->st_mode) ? sn_entryPlain
           : S_ISDIR(info->st_mode) ? sn_entryFolder
                                    : sn_entryOther;
}

snEntryKind snFile_KindOfOpen(FILE* file, uint64_t* size)
{
    struct stat info;
    snEntryKind kind = kindOf(fstat(fileno(file), &info), &info);
    *size = kind == sn_entryPlain ? (uint64_t)info.st_size : 0;
    return kind;
}

snEntryKind snFile_KindOf(const char* path)
{
    struct stat info;
    return kindOf(lstat(path, &info), &info);
}

#endif
