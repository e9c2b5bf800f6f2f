// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

#include <stdio.h>
#include <string.h>

#include "base/json.h"
#include "rig/soft.h"

// Names that are told to someone who asked for none of them, and that are looked at for near ones
#define MOST_NAMES 6
#define MOST_NEAR 256

// How many clips' names end so: exporters put armatures before them, as in "Armature|Run".
static int32_t countEnds(const snRig* rig, const char* word)
{
    int32_t count = 0;
    size_t tail = strlen(word);
    for (int32_t i = 0; i < rig->info.clip_count && tail > 0; ++i) {
        size_t length = strlen(rig->clips[i].info.name);
        count += length > tail && strcmp(rig->clips[i].info.name + length - tail, word) == 0;
    }
    return count;
}

static snStatus failNone(const snRig* rig, const char* word, snMessage* why)
{
    int32_t count = rig->info.clip_count;
    if (count == 0) {
        return snFail(why, sn_errorArgument, "it has no clips, so none called '%.100s'", word);
    }
    if (countEnds(rig, word) > 0) {
        return snFail(why, sn_errorArgument, "it has no clip '%.100s'; did you mean '*%.100s'?",
                      word, word);
    }
    const char* names[MOST_NEAR] = {NULL};
    size_t named = 0;
    for (int32_t i = 0; i < count && named < MOST_NEAR; ++i) {
        names[named++] = rig->clips[i].info.name;
    }
    const char* near = snSuggest(word, names, named);
    char list[400] = "";
    size_t used = 0;
    for (int32_t i = 0; i < count && i < MOST_NAMES; ++i) {
        const char* name = rig->clips[i].info.name;
        used += (size_t)snprintf(list + used, sizeof list - used, i ? ", '" : "'");
        used += (size_t)(name[0] ? snprintf(list + used, sizeof list - used, "%.50s'", name)
                                 : snprintf(list + used, sizeof list - used, "%d'", (int)i));
    }
    return near ? snFail(why, sn_errorArgument, "it has no clip '%.100s'; did you mean '%.100s'?",
                         word, near)
                : snFail(why, sn_errorArgument, "it has no clip '%.100s'; it has %s%s", word, list,
                         count > MOST_NAMES ? " and more, which 'sinew info' lists" : "");
}

// The clip of that number as text; -1 when there is none
static int32_t findNumber(const snRig* rig, const char* word)
{
    char number[16];
    for (int32_t i = 0; i < rig->info.clip_count; ++i) {
        snprintf(number, sizeof number, "%d", (int)i);
        if (strcmp(number, word) == 0) {
            return i;
        }
    }
    return -1;
}

snStatus snRig_FindClips(const snRig* rig, const char* word, int32_t* clips, int32_t* count,
                         snMessage* why)
{
    if (!rig || !word || !clips || !count) {
        return snFail(why, sn_errorArgument, "a rig, a word and places for clips are needed");
    }
    int32_t exact = snRig_FindClip(rig, word);
    exact = exact >= 0 ? exact : findNumber(rig, word);
    bool all = exact < 0 && strcmp(word, "all") == 0;
    *count = 0;
    for (int32_t i = 0; i < rig->info.clip_count; ++i) {
        const char* name = rig->clips[i].info.name;
        if (exact >= 0 ? i == exact : all || (name[0] && snRigPattern_Matches(word, name))) {
            clips[(*count)++] = i;
        }
    }
    return *count > 0 ? sn_ok : failNone(rig, word, why);
}
