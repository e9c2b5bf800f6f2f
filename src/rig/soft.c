// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

#include "rig/soft.h"

#include <string.h>

// What parts of words make a name one of what is rigid. Words of three letters must be whole,
// longer ones may have something before or behind them: lefthand, handslot.
static const char* const RIGID[] = {
    "head",  "face",   "skull",  "jaw",    "eye",      "eyes",  "eyelid",  "eyeball", "mouth",
    "teeth", "tooth",  "tongue", "brow",   "nose",     "beak",  "horn",    "hair",    "ear",
    "ears",  "hand",   "palm",   "wrist",  "finger",   "thumb", "index",   "pinky",   "pinkie",
    "foot",  "feet",   "toe",    "toes",   "toebase",  "ankle", "hoof",    "paw",     "claw",
    "heel",  "weapon", "helmet", "socket", "wing",     "wings", "feather", "fin",     "fins",
    "cape",  "cloak",  "armour", "armor",  "gauntlet", "glove", "boot",    "shoe",
};

static const char* const NECK[] = {"neck"};
static const char* const ARM[] = {"arm"};
static const char* const LEG[] = {"leg"};
static const char* const TAIL[] = {"tail", "flipper", "fluke", "tentacle"};

static const char* const FLESH[] = {
    "belly", "stomach", "breast", "boob", "bust",   "butt",  "buttock",
    "glute", "jiggle",  "fat",    "flab", "wobble", "udder", "paunch",
};

// Patterns -------------------------------------------------------------------------

static char small(char c)
{
    return c >= 'A' && c <= 'Z' ? (char)(c + ('a' - 'A')) : c;
}

bool snRigPattern_Matches(const char* pattern, const char* text)
{
    const char *star = NULL, *again = NULL;
    while (*text) {
        if (*pattern == '*') {
            star = pattern++;
            again = text;
        } else if (*pattern && (*pattern == '?' || small(*pattern) == small(*text))) {
            ++pattern;
            ++text;
        } else if (star) {
            pattern = star + 1;
            text = ++again;
        } else {
            return false;
        }
    }
    while (*pattern == '*') {
        ++pattern;
    }
    return *pattern == 0;
}

static bool matchesAny(const char* pattern, const snRig* rig)
{
    bool found = false;
    for (int32_t i = 0; i < rig->info.node_count && !found; ++i) {
        found = snRigPattern_Matches(pattern, rig->nodes[i].name);
    }
    for (int32_t i = 0; i < rig->info.human_count && !found; ++i) {
        found = snRigPattern_Matches(pattern, rig->humans[i].bone);
    }
    for (int32_t i = 0; i < rig->info.mesh_count && !found; ++i) {
        found = snRigPattern_Matches(pattern, rig->instances[i].info.name) ||
                snRigPattern_Matches(pattern, rig->instances[i].info.material);
    }
    return found;
}

snStatus snRigPatterns_Check(const snRigPatterns* p, const snRig* rig, snMessage* why)
{
    for (int32_t i = 0; i < p->soft_count + p->rigid_count; ++i) {
        bool rigid = i >= p->soft_count;
        const char* pattern = rigid ? p->rigid[i - p->soft_count] : p->soft[i];
        if (!matchesAny(pattern, rig)) {
            return snFail(why, sn_errorArgument,
                          "no joint, mesh or material is called '%.100s', which should be %s; "
                          "'sinew info' lists their names, and * stands for any text",
                          pattern, rigid ? "rigid" : "soft");
        }
    }
    return sn_ok;
}

// 0, 1, or -1: no pattern matches
static int patternsSay(const snRigPatterns* p, const char* name)
{
    for (int32_t i = 0; i < p->rigid_count; ++i) {
        if (snRigPattern_Matches(p->rigid[i], name)) {
            return 0;
        }
    }
    for (int32_t i = 0; i < p->soft_count; ++i) {
        if (snRigPattern_Matches(p->soft[i], name)) {
            return 1;
        }
    }
    return -1;
}

// Names ----------------------------------------------------------------------------

#define LONGEST 64 // letters of a word that are looked at

static bool isLetter(char c)
{
    return small(c) >= 'a' && small(c) <= 'z';
}

// The next word of a name in small letters; words end at what is no letter and before capitals that
// follow small ones. Returns where it ended, NULL: there is none.
static const char* nextWord(const char* at, char word[LONGEST + 1])
{
    size_t length = 0;
    while (*at && !isLetter(*at)) {
        ++at;
    }
    while (isLetter(*at) && length < LONGEST) {
        bool capital = small(*at) != *at;
        if (capital && length > 0 && small(at[-1]) == at[-1]) {
            break;
        }
        word[length++] = small(*at++);
    }
    word[length] = 0;
    return length > 0 ? at : NULL;
}

static bool isIn(const char* word, const char* const* list, size_t count)
{
    size_t length = strlen(word);
    for (size_t i = 0; i < count; ++i) {
        size_t n = strlen(list[i]);
        bool whole = n == length;
        if ((whole || n > 3) && n <= length &&
            (memcmp(word, list[i], n) == 0 || memcmp(word + length - n, list[i], n) == 0)) {
            return true;
        }
    }
    return false;
}

// What stands before a colon is the rig's name.
static bool nameIsIn(const char* name, const char* const* list, size_t count)
{
    char word[LONGEST + 1];
    const char* colon = strrchr(name, ':');
    for (const char* at = nextWord(colon ? colon + 1 : name, word); at; at = nextWord(at, word)) {
        if (isIn(word, list, count)) {
            return true;
        }
    }
    return false;
}

bool snRigSoft_IsFlesh(const char* name)
{
    return nameIsIn(name, FLESH, sizeof FLESH / sizeof *FLESH);
}

bool snRigSoft_IsTail(const char* name)
{
    return nameIsIn(name, TAIL, sizeof TAIL / sizeof *TAIL);
}

int snRigSoft_Instance(const snRigInstance* instance, const snRigPatterns* patterns)
{
    int mesh = patternsSay(patterns, instance->info.name);
    int material = patternsSay(patterns, instance->info.material);
    return mesh == 0 || material == 0 ? 0 : mesh > 0 || material > 0 ? 1 : -1;
}

bool snRigSoft_IsRigid(const snRigInstance* instance)
{
    size_t count = sizeof RIGID / sizeof *RIGID;
    return nameIsIn(instance->info.name, RIGID, count) ||
           nameIsIn(instance->info.material, RIGID, count);
}

static const char* nameOf(const snRig* rig, int32_t node)
{
    for (int32_t i = 0; i < rig->info.human_count; ++i) {
        if (rig->humans[i].node == node) {
            return rig->humans[i].bone;
        }
    }
    return rig->nodes[node].name;
}

// Joints in a line, this one and those above it, that carry something and have such a name
static int countAbove(const snRig* rig, const double* carried, int32_t node,
                      const char* const* list, size_t count)
{
    int sum = 0;
    for (; node >= 0; node = rig->nodes[node].parent) {
        sum += carried[node] > 0 && nameIsIn(rig->nodes[node].name, list, count);
    }
    return sum;
}

// How many joints that carry something follow one another below a node, at most
static int countBelow(const snRig* rig, const double* carried, int32_t node)
{
    int most = 0;
    for (int32_t n = node + 1; n < rig->info.node_count; ++n) {
        int32_t up = n;
        int count = 0;
        while (up > node) { // parents come first
            count += carried[up] > 0;
            up = rig->nodes[up].parent;
        }
        most = up == node && count > most ? count : most;
    }
    return most;
}

// Heads, hands and feet that are not called so: what comes last in a neck, and in an arm or a leg
// of three joints or more. Of a leg that goes on below its third, the heel, the last two.
static bool isEnd(const snRig* rig, const double* carried, int32_t node)
{
    int below = countBelow(rig, carried, node);
    return (below == 0 && (countAbove(rig, carried, node, NECK, 1) >= 1 ||
                           countAbove(rig, carried, node, ARM, 1) >= 3)) ||
           (below <= 1 && countAbove(rig, carried, node, LEG, 1) >= 3);
}

// How much hangs on a node: what it moves itself and what all below it do
static double carriedBelow(const snRig* rig, const double* carried, int32_t node, double* all)
{
    double sum = 0;
    *all = 0;
    for (int32_t n = 0; n < rig->info.node_count; ++n) {
        int32_t up = n;
        while (up > node) { // parents come first
            up = rig->nodes[up].parent;
        }
        sum += up == node ? carried[n] : 0;
        *all += carried[n];
    }
    return sum;
}

// Marks of a node that is rigid
enum { SELF = 1, BELOW = 2 };

void snRigSoft_Nodes(const snRig* rig, const double* carried, const snRigPatterns* patterns,
                     uint8_t* soft)
{
    // first marks, then what they come to
    for (int32_t n = 0; n < rig->info.node_count; ++n) {
        int32_t parent = rig->nodes[n].parent;
        soft[n] = parent >= 0 && (soft[parent] & BELOW) ? SELF | BELOW : 0;
        if (!soft[n] && (nameIsIn(nameOf(rig, n), RIGID, sizeof RIGID / sizeof *RIGID) ||
                         (carried[n] > 0 && isEnd(rig, carried, n)))) {
            double all, below = carriedBelow(rig, carried, n, &all);
            soft[n] = below > 0.5 * all ? SELF : SELF | BELOW;
        }
    }
    for (int32_t n = 0; n < rig->info.node_count; ++n) {
        int said = patternsSay(patterns, rig->nodes[n].name);
        soft[n] = said == 1 ? SN_SOFT_ASKED : said == 0 ? 0 : !(soft[n] & SELF);
    }
}
