// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

#include "io/scene/bone.h"

#include <stdio.h>
#include <string.h>

#include "io/scene/mass.h"
#include "io/scene/names.h"
#include "io/scene/pose.h"
#include "skel/joint.h"

#define MOST_BONES 100000

#define JOINT(type) (1u << sn_joint##type)

static const snField SKELETON_FIELDS[] = {{.key = "bones"}};
static const snFields SKELETON_KEYS = SN_FIELDS("a skeleton", SKELETON_FIELDS);

static const snField BONE_FIELDS[] = {
    {.key = "name"},
    {.key = "parent"},
    {.key = "joint",
     .kind = sn_fieldWord,
     .offset = offsetof(snBoneDef, joint),
     .name = snJointType_Name},
    {.key = "position",
     .kind = sn_fieldVector,
     .offset = offsetof(snBoneDef, anchor.p),
     .lo = -SN_SCENE_LENGTH,
     .hi = SN_SCENE_LENGTH,
     .unit = "m"},
    {.key = "rotation"},
    {.key = "rotation_degrees"},
    {.key = "axis",
     .kind = sn_fieldVector,
     .offset = offsetof(snBoneDef, axis),
     .lo = -SN_SCENE_LENGTH,
     .hi = SN_SCENE_LENGTH},
    {.key = "axis2",
     .kind = sn_fieldVector,
     .offset = offsetof(snBoneDef, axis2),
     .lo = -SN_SCENE_LENGTH,
     .hi = SN_SCENE_LENGTH,
     .only = JOINT(Universal) | JOINT(Planar)},
    {.key = "mass",
     .kind = sn_fieldNumber,
     .offset = offsetof(snBoneDef, mass.mass),
     .hi = SN_SCENE_FORCE,
     .unit = "kg"},
    {.key = "com",
     .kind = sn_fieldVector,
     .offset = offsetof(snBoneDef, mass.com),
     .lo = -SN_SCENE_LENGTH,
     .hi = SN_SCENE_LENGTH,
     .unit = "m"},
    {.key = "inertia"},
    {.key = "capsule"},
    {.key = "mesh"},
    {.key = "point_masses"},
    {.key = "dofs"},
    {.key = "swing",
     .kind = sn_fieldPositive,
     .offset = offsetof(snBoneDef, swing),
     .hi = 180,
     .unit = "degrees",
     .degrees = true,
     .only = JOINT(Ball)},
    {.key = "limit_frequency",
     .kind = sn_fieldPositive,
     .offset = offsetof(snBoneDef, limit_frequency),
     .hi = 1e6,
     .unit = "Hz"},
    {.key = "tip",
     .kind = sn_fieldVector,
     .offset = offsetof(snBoneDef, tip),
     .lo = -SN_SCENE_LENGTH,
     .hi = SN_SCENE_LENGTH,
     .unit = "m"},
    {.key = "radius",
     .kind = sn_fieldNumber,
     .offset = offsetof(snBoneDef, radius),
     .hi = SN_SCENE_LENGTH,
     .unit = "m"},
};
static const snFields BONE_KEYS = SN_FIELDS("a bone", BONE_FIELDS);

static const snField DOF_FIELDS[] = {
    {.key = "limits", .only = ~JOINT(Free)},
    {.key = "rest"},
    {.key = "stiffness",
     .kind = sn_fieldNumber,
     .offset = offsetof(snDofDef, stiffness),
     .hi = SN_SCENE_FORCE,
     .unit = "Nm/rad or N/m"},
    {.key = "damping",
     .kind = sn_fieldNumber,
     .offset = offsetof(snDofDef, damping),
     .hi = SN_SCENE_FORCE,
     .unit = "Nm s/rad or N s/m"},
    {.key = "armature",
     .kind = sn_fieldNumber,
     .offset = offsetof(snDofDef, armature),
     .hi = SN_SCENE_FORCE,
     .unit = "kg m^2 or kg"},
};
static const snFields DOF_KEYS = SN_FIELDS("an entry of \"dofs\"", DOF_FIELDS);

// The bones of one skeleton while they are read.
typedef struct Bones {
    snNames names;
    const snJson** nodes; // (bones)
    snBoneDef* defs;      // (bones)
} Bones;

// [lower, upper], either null
static snStatus readLimits(snSceneReader* r, const snJson* node, bool turn, snDofDef* dof)
{
    if (node->kind != sn_jsonArray || node->count != 2) {
        return snFailFound(r, node, "limits", "[lower, upper], either may be null for none");
    }
    snField field = *snCoordinateField(turn);
    field.key = "limits";
    const snJson* lower = node->child;
    const snJson* upper = lower->next;
    snStatus status =
        lower->kind == sn_jsonNull ? sn_ok : snField_Number(r, lower, &field, &dof->lower);
    if (!status && upper->kind != sn_jsonNull) {
        status = snField_Number(r, upper, &field, &dof->upper);
    }
    if (!status && dof->lower > dof->upper) {
        return snFailAt(r, node, "the lower limit is above the upper one; give [lower, upper]");
    }
    return status;
}

static snStatus readDof(snSceneReader* r, const snJson* node, int32_t joint, bool turn,
                        snDofDef* dof)
{
    snStatus status = snFields_Read(r, node, &DOF_KEYS, dof);
    status = status ? status : snFields_CheckUse(r, node, &DOF_KEYS, joint, "a free joint");
    const snJson* limits = snJson_Get(node, "limits");
    const snJson* rest = snJson_Get(node, "rest");
    status = status || !limits ? status : readLimits(r, limits, turn, dof);
    return status || !rest ? status : snField_Number(r, rest, snCoordinateField(turn), &dof->rest);
}

static snStatus readDofs(snSceneReader* r, const snJson* node, snBoneDef* def)
{
    int32_t most = snJoint_Shape(def->joint)->dof_count, i = 0;
    snStatus status = sn_ok;
    if (node->kind != sn_jsonArray || node->count > (size_t)most) {
        char wanted[100];
        snprintf(wanted, sizeof wanted, "an array of at most %d, as many as a %s joint takes",
                 (int)most, snJointType_Name(def->joint));
        return snFailFound(r, node, "dofs", wanted);
    }
    for (const snJson* m = node->child; m && !status; m = m->next, ++i) {
        bool turn = def->joint == sn_jointFree ? i == 0 : snIsTurn(def->joint, i);
        status = readDof(r, m, def->joint, turn, &def->dof[i]);
    }
    return status;
}

static snStatus failParent(snSceneReader* r, const snJson* bones, const Bones* known,
                           const snJson* node)
{
    snQuoted name = snQuote(node->string);
    for (const snJson* m = bones->child; m; m = m->next) {
        const snJson* other = snJson_Get(m, "name");
        if (other && other->kind == sn_jsonString && strcmp(other->string, node->string) == 0) {
            return snFailAt(
                r, node,
                "the parent \"%s\" is the bone of line %u, which is not an earlier one; "
                "list parents before their children",
                name.text, (unsigned)m->line);
        }
    }
    snHint hint = snHint_For(node->string, known->names.names, known->names.count);
    return snFailAt(r, node, "there is no bone \"%s\" to be the parent;%s", name.text,
                    hint.text[0] ? hint.text
                                 : " list it before, or leave \"parent\" out for the ground");
}

static snStatus readParent(snSceneReader* r, const snJson* bones, const Bones* known,
                           const snJson* node, snBoneDef* def)
{
    if (!node || node->kind == sn_jsonNull) {
        return sn_ok;
    }
    const char* name;
    snStatus status = snField_Name(r, node, &name);
    if (status) {
        return status;
    }
    def->parent = snNames_Find(&known->names, name);
    return def->parent < 0 ? failParent(r, bones, known, node) : sn_ok;
}

static snStatus readName(snSceneReader* r, const snJson* node, Bones* known, snBoneDef* def)
{
    const snJson* name;
    snStatus status = snFields_Require(r, node, &BONE_KEYS, "name", &name);
    status = status ? status : snField_Name(r, name, &def->name);
    if (status) {
        return status;
    }
    int32_t twin = snNames_Find(&known->names, def->name);
    if (twin >= 0) {
        return snFailAt(r, name, "the bone of line %u is called \"%s\" too; rename one",
                        (unsigned)known->nodes[twin]->line, snQuote(def->name).text);
    }
    return sn_ok;
}

static snStatus readBone(snSceneReader* r, const snJson* bones, const snJson* node, Bones* known)
{
    snBoneDef* def = &known->defs[known->names.count];
    snBoneDef_Init(def);
    snStatus status = snFields_Read(r, node, &BONE_KEYS, def);
    status = status ? status : readName(r, node, known, def);
    status = status ? status : readParent(r, bones, known, snJson_Get(node, "parent"), def);
    if (status) {
        return status;
    }
    char joint[32];
    snprintf(joint, sizeof joint, "a %s joint", snJointType_Name(def->joint));
    const snJson* dofs = snJson_Get(node, "dofs");
    status = snFields_CheckUse(r, node, &BONE_KEYS, def->joint, joint);
    status = status ? status : snReadRotation(r, node, &def->anchor.q);
    status = status ? status : snReadMass(r, node, def);
    status = status || !dofs ? status : readDofs(r, dofs, def);
    if (!status) {
        known->nodes[known->names.count] = node;
        snNames_Add(&known->names, def->name);
    }
    return status;
}

// Which bone a message of snSkeleton_Create is about: "bone 12 'knee': ..."; else the list itself
static const snJson* blamed(const snMessage* why, const snJson* bones, const Bones* known)
{
    const char* digit = strncmp(why->text, "bone ", 5) == 0 ? why->text + 5 : "";
    size_t index = 0;
    bool any = false;
    for (; *digit >= '0' && *digit <= '9' && index < MOST_BONES; ++digit) {
        index = 10 * index + (size_t)(*digit - '0');
        any = true;
    }
    return any && index < known->names.count ? known->nodes[index] : bones;
}

static snStatus readBones(snSceneReader* r, const snJson* node, snSkeleton** skeleton)
{
    const snJson* bones;
    snStatus status = snFields_Check(r, node, &SKELETON_KEYS);
    status = status ? status : snFields_Require(r, node, &SKELETON_KEYS, "bones", &bones);
    status = status ? status : snField_Array(r, bones, 1, MOST_BONES);
    if (status) {
        return status;
    }
    Bones known;
    known.nodes = snArena_Push(&r->arena, bones->count, sizeof(snJson*));
    known.defs = snArena_Push(&r->arena, bones->count, sizeof(snBoneDef));
    if (!snNames_Init(&known.names, &r->arena, bones->count) || r->arena.failed) {
        return snFailMemory(r);
    }
    for (const snJson* m = bones->child; m && !status; m = m->next) {
        status = readBone(r, bones, m, &known);
    }
    if (status) {
        return status;
    }
    status = snSkeleton_Create(&r->host, known.defs, (int32_t)bones->count, skeleton, &r->why);
    return snWrapAt(r, blamed(&r->why, bones, &known), status);
}

static snStatus findSkeleton(snSceneReader* r, const snJson* node, snSkeleton** skeleton)
{
    const snLibrary* library = r->library;
    const char* name;
    snStatus status = snField_Name(r, node, &name);
    if (!status && library && library->find) {
        status = snWrapAt(r, node, library->find(library->user, &r->host, name, skeleton, &r->why));
    }
    if (status || *skeleton) {
        return status;
    }
    snHint hint = snHint_ForList(name, library ? library->names : NULL);
    return snFailAt(r, node, "there is no built-in skeleton \"%s\";%s", snQuote(name).text,
                    hint.text[0] ? hint.text : " give its bones: {\"bones\": [...]}");
}

snStatus snReadSkeleton(snSceneReader* r, const snJson* node, snSkeleton** skeleton)
{
    *skeleton = NULL;
    if (node->kind != sn_jsonString && node->kind != sn_jsonObject) {
        return snFailFound(r, node, "the skeleton",
                           "a built-in skeleton's name or {\"bones\": [...]}");
    }
    return node->kind == sn_jsonString ? findSkeleton(r, node, skeleton)
                                       : readBones(r, node, skeleton);
}
