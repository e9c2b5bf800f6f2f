// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

#include "rig/names.h"

#include <string.h>

#define MOST_WORDS 8
#define LONGEST 64 // bytes of a name without its separators; what is longer means nothing

// Words and what they stand for. Some mean one thing in one school and its neighbour in another:
// such a word means `part` unless a surer name has it, then `other`. Surer names come first.
typedef struct Entry {
    const char* word;
    snHumanPart part;
    snHumanPart other;
    int doubt; // 0: no other meaning
} Entry;

#define MOST_DOUBT 2

// Left or right is not part of the word. Spellings of CMU and cgspeed, Mixamo, MotionBuilder,
// ACCAD, Biovision, Poser and Daz, 3ds Max, Blender, MakeHuman, Unreal, SMPL, and our own.
static const Entry ENTRIES[] = {
    {"hips", sn_partPelvis, sn_partNone, 0},
    {"pelvis", sn_partPelvis, sn_partNone, 0},
    {"spine", sn_partTrunk, sn_partNone, 0},
    {"abdomen", sn_partTrunk, sn_partNone, 0},
    {"chest", sn_partTrunk, sn_partNone, 0},
    {"upperchest", sn_partTrunk, sn_partNone, 0},
    {"torso", sn_partTrunk, sn_partNone, 0},
    {"thorax", sn_partTrunk, sn_partNone, 0},
    {"waist", sn_partTrunk, sn_partNone, 0},
    {"lowerback", sn_partTrunk, sn_partNone, 0},
    {"upperback", sn_partTrunk, sn_partNone, 0},
    {"back", sn_partTrunk, sn_partNone, 0},
    {"neck", sn_partNeck, sn_partNone, 0},
    {"head", sn_partHead, sn_partNone, 0},
    {"collar", sn_partCollar, sn_partNone, 0},
    {"collarbone", sn_partCollar, sn_partNone, 0},
    {"clavicle", sn_partCollar, sn_partNone, 0},
    {"upperarm", sn_partUpperArm, sn_partNone, 0},
    {"uparm", sn_partUpperArm, sn_partNone, 0},
    {"shldr", sn_partUpperArm, sn_partNone, 0},
    {"humerus", sn_partUpperArm, sn_partNone, 0},
    {"forearm", sn_partForearm, sn_partNone, 0},
    {"lowerarm", sn_partForearm, sn_partNone, 0},
    {"lowarm", sn_partForearm, sn_partNone, 0},
    {"loarm", sn_partForearm, sn_partNone, 0},
    {"elbow", sn_partForearm, sn_partNone, 0},
    {"radius", sn_partForearm, sn_partNone, 0},
    {"wrist", sn_partHand, sn_partNone, 0},
    {"thumb", sn_partThumb, sn_partNone, 0},
    {"thumb1", sn_partThumb, sn_partNone, 0},
    {"index", sn_partIndex1, sn_partNone, 0},
    {"index1", sn_partIndex1, sn_partNone, 0},
    {"index2", sn_partIndex2, sn_partNone, 0},
    {"mid1", sn_partMiddle1, sn_partNone, 0},
    {"mid2", sn_partMiddle2, sn_partNone, 0},
    {"middle1", sn_partMiddle1, sn_partNone, 0},
    {"middle2", sn_partMiddle2, sn_partNone, 0},
    {"fingers1", sn_partMiddle1, sn_partNone, 0},
    {"fingers2", sn_partMiddle2, sn_partNone, 0},
    {"thigh", sn_partThigh, sn_partNone, 0},
    {"upleg", sn_partThigh, sn_partNone, 0},
    {"upperleg", sn_partThigh, sn_partNone, 0},
    {"femur", sn_partThigh, sn_partNone, 0},
    {"shin", sn_partShin, sn_partNone, 0},
    {"calf", sn_partShin, sn_partNone, 0},
    {"knee", sn_partShin, sn_partNone, 0},
    {"lowleg", sn_partShin, sn_partNone, 0},
    {"loleg", sn_partShin, sn_partNone, 0},
    {"lowerleg", sn_partShin, sn_partNone, 0},
    {"tibia", sn_partShin, sn_partNone, 0},
    {"ankle", sn_partFoot, sn_partNone, 0},
    {"toebase", sn_partToes, sn_partNone, 0},
    {"toe", sn_partToes, sn_partNone, 0},
    {"toes", sn_partToes, sn_partNone, 0},
    {"ball", sn_partToes, sn_partNone, 0},
    {"hip", sn_partThigh, sn_partNone, 1},
    {"arm", sn_partUpperArm, sn_partForearm, 1},
    {"leg", sn_partShin, sn_partThigh, 1},
    {"foot", sn_partFoot, sn_partToes, 1},
    {"hand", sn_partHand, sn_partNone, 1},
    {"shoulder", sn_partUpperArm, sn_partCollar, 2},
};

// Joints whose names hold one of these are helpers, whatever else the name says.
static const char* const HELPERS[] = {"end",  "nub",    "tip",    "site",      "twist",
                                      "roll", "ctrl",   "dummy",  "target",    "pole",
                                      "ik",   "socket", "attach", "attachment"};

#define BOTH(name) name "_l", name "_r"
static const char* const NAMES[SN_ROLE_COUNT] = {
    NULL,
    NULL,
    "pelvis",
    NULL,
    "trunk",
    NULL,
    "neck",
    NULL,
    "head",
    NULL,
    BOTH("collar"),
    BOTH("upper_arm"),
    BOTH("forearm"),
    BOTH("hand"),
    BOTH("thumb"),
    BOTH("index1"),
    BOTH("index2"),
    BOTH("fingers1"),
    BOTH("fingers2"),
    BOTH("thigh"),
    BOTH("shin"),
    BOTH("foot"),
    BOTH("toes"),
};

const char* snRole_Name(int32_t role)
{
    return NAMES[role];
}

snHumanPart snRole_Part(int32_t role)
{
    return (snHumanPart)(role / 2);
}

// Words of a name ---------------------------------------------------------------

typedef enum Side { NO_SIDE = -1, LEFT = 0, RIGHT = 1 } Side;

// A name cut into small words at separators, digits and capitals; sides taken out.
typedef struct Words {
    char text[LONGEST + MOST_WORDS];
    const char* word[MOST_WORDS];
    int count;
    int number; // at the end of the name, or -1; no word
    Side side;
} Words;

static bool isDigit(char c)
{
    return c >= '0' && c <= '9';
}

static bool isCapital(char c)
{
    return c >= 'A' && c <= 'Z';
}

static bool isLetter(char c)
{
    return isCapital(c) || (c >= 'a' && c <= 'z');
}

// Does a word begin at `at`, which is not the name's start? Of several capitals the last one begins
// a word: LHipJoint.
static bool isBreak(const char* at)
{
    char before = at[-1];
    if (isDigit(*at) != isDigit(before) || isLetter(*at) != isLetter(before)) {
        return true;
    }
    bool small_follows = isLetter(at[1]) && !isCapital(at[1]);
    return isCapital(*at) && (!isCapital(before) || small_follows);
}

static Side sideOf(const char* word)
{
    return strcmp(word, "l") == 0 || strcmp(word, "left") == 0    ? LEFT
           : strcmp(word, "r") == 0 || strcmp(word, "right") == 0 ? RIGHT
                                                                  : NO_SIDE;
}

static bool isHelper(const char* word)
{
    for (size_t i = 0; i < sizeof HELPERS / sizeof *HELPERS; ++i) {
        if (strcmp(word, HELPERS[i]) == 0) {
            return true;
        }
    }
    return false;
}

// Takes the word that ends the text.
static bool takeWord(Words* w, const char* word)
{
    Side side = sideOf(word);
    if (isDigit(*word)) {
        w->number = 0;
        for (const char* d = word; *d && w->number < 1000; ++d) {
            w->number = 10 * w->number + (*d - '0');
        }
    } else if (side != NO_SIDE) {
        w->side = side;
    } else if (isLetter(*word)) {
        w->number = -1;
        if (w->count == MOST_WORDS || isHelper(word)) {
            return false;
        }
        w->word[w->count++] = word;
    }
    return true;
}

// False when the name is that of a helper, or nothing that makes sense. What stands before a colon
// is the rig's name.
static bool cutName(const char* name, Words* w)
{
    name = snName_Plain(name);
    *w = (Words){.number = -1, .side = NO_SIDE};
    char* out = w->text;
    for (const char* at = name; *at;) {
        const char* word = out;
        do {
            if (out - w->text >= LONGEST) {
                return false;
            }
            *out++ = isCapital(*at) ? (char)(*at + ('a' - 'A')) : *at;
            ++at;
        } while (*at && !isBreak(at));
        *out++ = 0;
        if (!takeWord(w, word)) {
            return false;
        }
    }
    return true;
}

// Looking up ---------------------------------------------------------------------

static const Entry* findEntry(const char* word)
{
    for (size_t i = 0; i < sizeof ENTRIES / sizeof *ENTRIES; ++i) {
        if (strcmp(word, ENTRIES[i].word) == 0) {
            return &ENTRIES[i];
        }
    }
    return NULL;
}

// With its number, or without: spines and necks may be numbered on, others only with 0 or 1.
static const Entry* findNumbered(char* word, int number)
{
    size_t length = strlen(word);
    const Entry* found = NULL;
    if (number >= 0 && number <= 9) {
        word[length] = (char)('0' + number);
        word[length + 1] = 0;
        found = findEntry(word);
        word[length] = 0;
    }
    found = found ? found : findEntry(word);
    bool many = found && (found->part == sn_partTrunk || found->part == sn_partNeck);
    bool plain = found && !isDigit(found->word[strlen(found->word) - 1]);
    return plain && number > 1 && !many ? NULL : found;
}

// The longest tail of the words that means something; what stands before is the rig's own prefix.
// Sides may be grown on to the word: lfemur, leftHand in small letters.
static const Entry* findWords(Words* w)
{
    static const char* const GROWN[4] = {"left", "right", "l", "r"};
    for (int first = 0; first < w->count; ++first) {
        char word[LONGEST + 2] = "";
        size_t used = 0;
        for (int i = first; i < w->count; ++i) {
            size_t length = strlen(w->word[i]);
            memcpy(word + used, w->word[i], length);
            used += length;
        }
        const Entry* found = findNumbered(word, w->number);
        for (int g = 0; g < 4 && !found && w->side == NO_SIDE; ++g) {
            size_t length = strlen(GROWN[g]);
            if (strncmp(word, GROWN[g], length) == 0) {
                found = findNumbered(word + length, w->number);
                found = found && found->part >= sn_partCollar ? found : NULL;
                w->side = found ? (Side)(g % 2) : NO_SIDE;
            }
        }
        if (found) {
            return found;
        }
    }
    return NULL;
}

bool snRoles_IsAbove(const int32_t* parents, int32_t above, int32_t joint)
{
    while (joint >= 0 && joint != above) {
        joint = parents[joint];
    }
    return joint == above;
}

// Gives the joint the role unless another one has a better claim. Of two on one line the lower one
// moves the bone, the upper one is a helper.
static void claim(const int32_t* parents, int32_t joint, int32_t role, int32_t* owner,
                  int32_t* roles)
{
    snHumanPart part = snRole_Part(role);
    bool many = part == sn_partTrunk || part == sn_partNeck;
    if (!many && owner[role] >= 0) {
        if (!snRoles_IsAbove(parents, owner[role], joint)) {
            return;
        }
        roles[owner[role]] = sn_partNone;
    }
    owner[role] = joint;
    roles[joint] = role;
}

// One name of the given doubt.
static void findRole(const char* name, int doubt, const int32_t* parents, int32_t joint,
                     int32_t* owner, int32_t* roles)
{
    Words w;
    const Entry* e = cutName(name, &w) ? findWords(&w) : NULL;
    if (!e) {
        return;
    }
    bool middle = e->part < sn_partCollar;
    snHumanPart part = e->part;
    if (strcmp(e->word, "hip") == 0 && w.side == NO_SIDE) {
        part = sn_partPelvis;
        middle = true;
    }
    if (e->doubt != doubt || (middle ? w.side != NO_SIDE : w.side == NO_SIDE)) {
        return;
    }
    int32_t side = middle ? 0 : (int32_t)w.side;
    if (doubt > 0 && owner[SN_ROLE(part, side)] >= 0) {
        part = e->other;
    }
    if (part != sn_partNone) {
        claim(parents, joint, SN_ROLE(part, side), owner, roles);
    }
}

// Limbs whose joints have one name and numbers: arm_joint_L_2, leg.R.001. Which is which follows
// from their order, from the body on.
typedef struct Limb {
    const char* word;
    bool sided;
    int least; // joints it has at least
    snHumanPart parts[4];
} Limb;

static const Limb LIMBS[] = {
    {"arm", true, 2, {sn_partUpperArm, sn_partForearm, sn_partHand}},
    {"leg", true, 3, {sn_partThigh, sn_partShin, sn_partFoot, sn_partToes}},
    {"torso", false, 1, {sn_partTrunk, sn_partTrunk, sn_partTrunk, sn_partTrunk}},
    {"spine", false, 1, {sn_partTrunk, sn_partTrunk, sn_partTrunk, sn_partTrunk}},
    {"neck", false, 2, {sn_partNeck, sn_partHead}},
};

static bool isOfLimb(const char* name, const Limb* limb, int side)
{
    Words w;
    if (!cutName(name, &w)) {
        return false;
    }
    while (w.count > 0 &&
           (!strcmp(w.word[w.count - 1], "joint") || !strcmp(w.word[w.count - 1], "bone"))) {
        --w.count;
    }
    return w.count > 0 && strcmp(w.word[w.count - 1], limb->word) == 0 &&
           (limb->sided ? (int)w.side == side : w.side == NO_SIDE);
}

// Nothing of the limb may be known otherwise, and its joints must hang on each other.
static void findLimb(const char* const* names, const int32_t* parents, int32_t count,
                     const Limb* limb, int side, int32_t* owner, int32_t* roles)
{
    int32_t joints[4];
    int found = 0;
    for (int k = 0; k < 4 && limb->parts[k]; ++k) {
        if (owner[SN_ROLE(limb->parts[k], side)] >= 0) {
            return;
        }
    }
    for (int32_t i = 0; i < count && found < 4; ++i) {
        if (isOfLimb(names[i], limb, side) &&
            (found == 0 || snRoles_IsAbove(parents, joints[found - 1], i))) {
            joints[found++] = i;
        }
    }
    for (int k = 0; k < found && found >= limb->least && limb->parts[k]; ++k) {
        roles[joints[k]] = SN_ROLE(limb->parts[k], side);
        owner[roles[joints[k]]] = joints[k];
    }
}

// Without a name for it, the pelvis is what carries both legs.
static void findPelvis(const int32_t* parents, const int32_t* owner, int32_t* roles)
{
    int32_t left = owner[SN_ROLE(sn_partThigh, 0)], right = owner[SN_ROLE(sn_partThigh, 1)];
    if (owner[SN_ROLE(sn_partPelvis, 0)] >= 0 || left < 0 || right < 0) {
        return;
    }
    int32_t joint = parents[left];
    while (joint >= 0 && !snRoles_IsAbove(parents, joint, right)) {
        joint = parents[joint];
    }
    if (joint >= 0 && (roles[joint] == sn_partNone || snRole_Part(roles[joint]) == sn_partTrunk)) {
        roles[joint] = SN_ROLE(sn_partPelvis, 0);
    }
}

void snRoles_Find(const char* const* names, const int32_t* parents, int32_t count, int32_t* roles)
{
    int32_t owner[SN_ROLE_COUNT];
    memset(owner, -1, sizeof owner);
    for (int32_t i = 0; i < count; ++i) {
        roles[i] = sn_partNone;
    }
    for (int doubt = 0; doubt <= MOST_DOUBT; ++doubt) {
        for (int32_t i = 0; i < count; ++i) {
            findRole(names[i], doubt, parents, i, owner, roles);
        }
    }
    for (size_t k = 0; k < sizeof LIMBS / sizeof *LIMBS; ++k) {
        for (int side = 0; side <= (int)LIMBS[k].sided; ++side) {
            findLimb(names, parents, count, &LIMBS[k], side, owner, roles);
        }
    }
    findPelvis(parents, owner, roles);
}

const char* snName_Plain(const char* name)
{
    const char* colon = strrchr(name, ':');
    return colon ? colon + 1 : name;
}
