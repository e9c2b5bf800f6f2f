// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

#include "cli/draw_frame.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// Of characters, one after the other; muted, so that light and shade carry the form.
static const Colour BODY_COLOURS[] = {
    {0.87f, 0.49f, 0.34f, 1}, {0.36f, 0.56f, 0.74f, 1}, {0.47f, 0.65f, 0.46f, 1},
    {0.88f, 0.69f, 0.35f, 1}, {0.62f, 0.50f, 0.69f, 1}, {0.38f, 0.64f, 0.65f, 1},
};

#define DEFAULT_THICKNESS 0.08 // radius of a bone that has none, as part of its length

bool readDrawOptions(const char* text, DrawOptions* options)
{
    *options = (DrawOptions){false, false, false};
    while (*text) {
        size_t length = strcspn(text, ",");
        if (length == 7 && strncmp(text, "surface", length) == 0) {
            options->surface = true;
        } else if (length == 5 && strncmp(text, "bones", length) == 0) {
            options->bones = true;
        } else if (length == 4 && strncmp(text, "mesh", length) == 0) {
            options->mesh = true;
        } else {
            return false;
        }
        text += length + (text[length] == ',');
    }
    return options->surface || options->bones || options->mesh;
}

// v turned by q: v + 2 u x (u x v + w v), u the vector part.
static snVec3 turn(snQuat q, snVec3 v)
{
    snVec3 t = {q.y * v.z - q.z * v.y + q.w * v.x, q.z * v.x - q.x * v.z + q.w * v.y,
                q.x * v.y - q.y * v.x + q.w * v.z};
    return (snVec3){v.x + 2 * (q.y * t.z - q.z * t.y), v.y + 2 * (q.z * t.x - q.x * t.z),
                    v.z + 2 * (q.x * t.y - q.y * t.x)};
}

static void put(float out[3], snVec3 v)
{
    out[0] = (float)v.x;
    out[1] = (float)v.y;
    out[2] = (float)v.z;
}

// The capsule that snBoneDef describes; a bone without length and radius is not drawn.
static DrawBone shapeBone(const snBoneDef* def, const snTransform* pose, Colour colour)
{
    snVec3 tip = turn(pose->q, def->tip);
    double length = sqrt(tip.x * tip.x + tip.y * tip.y + tip.z * tip.z);
    DrawBone bone = {.radius = (float)(def->radius > 0 ? def->radius : DEFAULT_THICKNESS * length),
                     .colour = colour};
    put(bone.from, pose->p);
    put(bone.to, (snVec3){pose->p.x + tip.x, pose->p.y + tip.y, pose->p.z + tip.z});
    return bone;
}

static void addSkeleton(const snFrameCharacter* character, const snSkeleton* skeleton,
                        Colour colour, DrawList* list)
{
    DrawBone* bones = malloc((size_t)character->bone_count * sizeof *bones);
    int32_t count = 0;
    list->failed = list->failed || !bones;
    for (int32_t i = 0; bones && i < character->bone_count; ++i) {
        bones[count] = shapeBone(snSkeleton_Bone(skeleton, i), &character->bones[i], colour);
        count += bones[count].radius > 0;
    }
    addBones(list, drawCapsules, bones, count);
    free(bones);
}

void buildDrawList(const snFrame* frame, const snScene* scene, const DrawOptions* options,
                   DrawList* list)
{
    const int32_t colours = (int32_t)(sizeof BODY_COLOURS / sizeof *BODY_COLOURS);
    for (int32_t i = 0; i < frame->character_count; ++i) {
        const snSkeleton* skeleton = snCharacter_Skeleton(snScene_Character(scene, i));
        // characters are bones alone so far, so they are drawn whatever is asked for
        if (options->bones || options->surface || options->mesh) {
            addSkeleton(&frame->characters[i], skeleton, BODY_COLOURS[i % colours], list);
        }
    }
}
