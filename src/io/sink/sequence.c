// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

#include "io/sink/sequence.h"

#include <string.h>

#include "base/message.h"

void snSequence_Path(const snSequence* s, int64_t number,
                     char path[SN_PATH_SIZE + SN_SEQUENCE_NUMBER])
{
    if (s->single) {
        snprintf(path, SN_PATH_SIZE + SN_SEQUENCE_NUMBER, "%s", s->stem);
    } else {
        snprintf(path, SN_PATH_SIZE + SN_SEQUENCE_NUMBER, "%s_%04lld%s", s->stem, (long long)number,
                 s->extension);
    }
}

snStatus snSequence_Open(snSequence* s, const char* path, const char* extension, snMessage* why)
{
    size_t length = strlen(path) - (s->single ? 0 : strlen(extension));
    if (length + SN_SEQUENCE_NUMBER > SN_PATH_SIZE) {
        return snFail(why, sn_errorArgument, "cannot write '%.100s': the path is too long", path);
    }
    memcpy(s->stem, path, length);
    s->stem[length] = 0;
    s->extension = extension;
    snStatus status = snSequence_Begin(s, why);
    snFileWriter_Abort(&s->file);
    return status;
}

snStatus snSequence_Begin(snSequence* s, snMessage* why)
{
    char path[SN_PATH_SIZE + SN_SEQUENCE_NUMBER];
    snSequence_Path(s, s->written, path);
    return snFileWriter_Open(&s->file, path, why);
}

snStatus snSequence_End(snSequence* s, snMessage* why)
{
    snStatus status = snFileWriter_Close(&s->file, why);
    s->written += status == sn_ok;
    return status;
}

void snSequence_DropLast(snSequence* s)
{
    char path[SN_PATH_SIZE + SN_SEQUENCE_NUMBER];
    s->written -= 1;
    snSequence_Path(s, s->written, path);
    snFile_Remove(path);
}

void snSequence_Release(snSequence* s)
{
    snFileWriter_Abort(&s->file);
    while (s->written > 0 && !s->finished) {
        snSequence_DropLast(s);
    }
}
