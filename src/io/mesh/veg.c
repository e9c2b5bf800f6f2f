// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

#include "io/mesh/veg.h"

#include <stdio.h>
#include <string.h>

#include "io/mesh/tetgen.h"

// To the next line that begins with a star.
static void skipSection(snCursor* c)
{
    snWord word;
    do {
        snCursor_NextLine(c);
        snCursor ahead = *c;
        word = snCursor_LineWord(&ahead);
    } while (word.length > 0 && word.text[0] != '*');
}

static snStatus readElements(snArena* arena, snCursor* c, snTetFile* file)
{
    snCursor_NextLine(c);
    snWord kind = snCursor_LineWord(c);
    if (file->tets.position == NULL) {
        return snCursor_Fail(c, "*ELEMENTS must come after *VERTICES");
    }
    if (file->tets.tet) {
        return snCursor_Fail(c, "a second list of elements");
    }
    if (snWord_IsLike(kind, "CUBIC")) {
        return snCursor_Refuse(c, "the elements are cubes; tets are needed");
    }
    if (!snWord_IsLike(kind, "TET") && !snWord_IsLike(kind, "TETS")) {
        return snCursor_Fail(c, "expected TET, the kind of the elements, found '%.*s'",
                             snWord_Shown(kind), kind.text);
    }
    snCursor_NextLine(c);
    return snTetgen_Tets(arena, c, file);
}

static snStatus readVertices(snArena* arena, snCursor* c, snTetFile* file)
{
    if (file->tets.position) {
        return snCursor_Fail(c, "a second list of vertices");
    }
    snCursor_NextLine(c);
    return snTetgen_Nodes(arena, c, file);
}

static snStatus readSection(snArena* arena, snCursor* c, snTetFile* file)
{
    snWord word = snCursor_LineWord(c);
    if (snWord_IsLike(word, "*VERTICES")) {
        return readVertices(arena, c, file);
    }
    if (snWord_IsLike(word, "*ELEMENTS")) {
        return readElements(arena, c, file);
    }
    if (snWord_IsLike(word, "*INCLUDE")) {
        return snCursor_Refuse(c, "*INCLUDE is not followed; put all into one file");
    }
    if (!snWord_IsLike(word, "*MATERIAL") && !snWord_IsLike(word, "*REGION") &&
        !snWord_IsLike(word, "*SET")) {
        return snCursor_Fail(c,
                             "expected a section (*VERTICES, *ELEMENTS, *MATERIAL, *REGION, "
                             "*SET), found '%.*s'",
                             snWord_Shown(word), word.text);
    }
    skipSection(c);
    return sn_ok;
}

snStatus snVeg_Parse(snArena* arena, const char* text, size_t length, snTetFile* out,
                     snMessage* why)
{
    snTetFile file = {0};
    snprintf(file.format, sizeof file.format, "Vega");
    memset(out, 0, sizeof *out);
    snCursor c = snCursor_Start(text, length, '#', why), ahead = c;
    snStatus status = sn_ok;
    if (snCursor_LineWord(&ahead).length == 0) {
        snCursor_NextLine(&c);
    }
    while (!status && c.at < c.end) {
        status = readSection(arena, &c, &file);
    }
    status = status ? status : snTetFile_Check(&file, why);
    if (!status) {
        *out = file;
        snMessage_Clear(why);
    }
    return status;
}
