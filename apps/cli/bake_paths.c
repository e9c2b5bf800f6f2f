// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

// What bakes read and write, by name.
#include "cli/bake.h"
#include "cli/targets.h"

#include <render/film.h>
#include <string.h>

const char* endOfKind(int32_t kind)
{
    static const char* const ENDS[sn_bakeAsCount] = {[sn_bakeShapes] = ".glb",
                                                     [sn_bakePc2] = ".pc2",
                                                     [sn_bakeMdd] = ".mdd",
                                                     [sn_bakeJoints] = ".glb"};
    return ENDS[kind];
}

// hero_soft.glb beside hero.glb when no name is given
int checkBakePaths(BakeOptions* o)
{
    if (o->output) {
        snprintf(o->path, sizeof o->path, "%s", o->output);
    } else {
        char end[HERO_PATH_BYTES];
        snprintf(end, sizeof end, "%s%s", o->suffix ? o->suffix : "_soft", o->end);
        replaceEnd(o->input, end, o->path);
    }
    if (o->output && isFilmPath(o->output)) {
        return complain(EXIT_BAD_CALL, "-o takes the result; add '--film %s' for a film of it",
                        o->output);
    }
    if (!hasEnd(o->path, o->end)) {
        return o->as ? complain(EXIT_BAD_CALL, "'--as %s' writes a %s file, but -o says '%s'",
                                o->as, o->end, o->path)
                     : complain(EXIT_BAD_CALL,
                                "-o takes a name that ends with .glb, .pc2 or .mdd, whatever the "
                                "rig is, or of a folder, which ends with /, found '%s'",
                                o->path);
    }
    if (isSameFile(o->input, o->path)) {
        return complain(EXIT_BAD_CALL,
                        "'%s' is the rig itself, which is never overwritten; give -o another name",
                        o->path);
    }
    if (o->film && !isFilmPath(o->film)) {
        return complain(EXIT_BAD_CALL,
                        "--film takes a name that ends with .mp4 or .png, found '%s'", o->film);
    }
    int code = checkFolder(o->path);
    return code || !o->film ? code : checkFolder(o->film);
}
