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

// Of bones inside flesh, and of the nodes fixed to them.
static const Colour BONE_COLOURS[] = {
    {0.80f, 0.25f, 0.22f, 1}, {0.16f, 0.45f, 0.70f, 1}, {0.93f, 0.62f, 0.13f, 1},
    {0.25f, 0.58f, 0.33f, 1}, {0.52f, 0.33f, 0.63f, 1}, {0.10f, 0.60f, 0.62f, 1},
    {0.82f, 0.42f, 0.60f, 1}, {0.55f, 0.42f, 0.25f, 1},
};

#define COUNT(array) ((int32_t)(sizeof(array) / sizeof *(array)))

#define DEFAULT_THICKNESS 0.08 // radius of a bone that has none, as part of its length
#define INNER_THICKNESS 0.35   // of a bone inside flesh, as part of its radius
#define GHOST 0.22f            // opacity of a surface that is looked through
#define FIXED_NODE 0.18        // radius of a node fixed to a bone, as part of a cell's size
#define FREE_NODE 0.06         // and of another one
#define POINT 0.004f           // radius of bare points, as part of their extent
#define DENSE_CAGE 4000        // edges beyond which lines are thinner

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

// A point of a character's floats in the picture.
static snVec3 shiftOf(const FramePainter* painter, const snFrameCharacter* c)
{
    return (snVec3){c->origin.x - painter->origin.x, c->origin.y - painter->origin.y,
                    c->origin.z - painter->origin.z};
}

static void shiftPoint(float out[3], const float* point, snVec3 shift)
{
    put(out, (snVec3){(double)point[0] + shift.x, (double)point[1] + shift.y,
                      (double)point[2] + shift.z});
}

// NULL after latching a failure; free it.
static float* shiftPoints(const float* points, int32_t count, snVec3 shift, DrawList* list)
{
    float* out = malloc(((size_t)count + 1) * 3 * sizeof *out);
    list->failed = list->failed || !out;
    for (int32_t i = 0; out && i < count; ++i) {
        shiftPoint(out + 3 * (size_t)i, points + 3 * (size_t)i, shift);
    }
    return out;
}

static Colour bodyColour(int32_t who)
{
    return BODY_COLOURS[who % COUNT(BODY_COLOURS)];
}

// Of what is looked through: pale, so that colours inside stay what they are.
static Colour ghostColour(int32_t who)
{
    Colour c = bodyColour(who);
    return (Colour){0.5f + 0.5f * c.r, 0.5f + 0.5f * c.g, 0.5f + 0.5f * c.b, GHOST};
}

// Bones -----------------------------------------------------------------------

// The capsule that snBoneDef describes; a bone without length and radius is not drawn.
static DrawBone shapeBone(const snBoneDef* def, const snTransform* pose, snVec3 origin)
{
    snVec3 tip = turn(pose->q, def->tip);
    snVec3 p = {pose->p.x - origin.x, pose->p.y - origin.y, pose->p.z - origin.z};
    double length = sqrt(tip.x * tip.x + tip.y * tip.y + tip.z * tip.z);
    DrawBone bone = {.radius = (float)(def->radius > 0 ? def->radius : DEFAULT_THICKNESS * length)};
    put(bone.from, p);
    put(bone.to, (snVec3){p.x + tip.x, p.y + tip.y, p.z + tip.z});
    return bone;
}

// Bones alone have the character's colour; inside flesh each has its own and is thinner.
static void paintBones(const FramePainter* painter, const snFrameCharacter* c, int32_t who,
                       DrawList* list)
{
    const snSkeleton* skeleton = snCharacter_Skeleton(snScene_Character(painter->scene, who));
    DrawBone* bones = malloc(((size_t)c->bone_count + 1) * sizeof *bones);
    int32_t count = 0;
    bool inside = c->surface_count > 0;
    list->failed = list->failed || !bones;
    for (int32_t i = 0; bones && i < c->bone_count; ++i) {
        DrawBone* bone = &bones[count];
        *bone = shapeBone(snSkeleton_Bone(skeleton, i), &c->bones[i], painter->origin);
        bone->radius *= inside ? (float)INNER_THICKNESS : 1;
        bone->colour = inside ? BONE_COLOURS[i % COUNT(BONE_COLOURS)] : bodyColour(who);
        count += bone->radius > 0;
    }
    addBones(list, drawCapsules, bones, count);
    free(bones);
}

// Flesh -----------------------------------------------------------------------

// What has no triangles to draw
static void paintPoints(const float* points, int32_t count, Colour colour, DrawList* list)
{
    float* spheres = malloc(((size_t)count + 1) * 4 * sizeof *spheres);
    float low[3] = {INFINITY, INFINITY, INFINITY}, high[3] = {-INFINITY, -INFINITY, -INFINITY};
    float size = 0;
    list->failed = list->failed || !spheres;
    for (int32_t i = 0; i < count; ++i) {
        for (int k = 0; k < 3; ++k) {
            low[k] = fminf(low[k], points[3 * (size_t)i + (size_t)k]);
            high[k] = fmaxf(high[k], points[3 * (size_t)i + (size_t)k]);
            size = fmaxf(size, high[k] - low[k]);
        }
    }
    for (int32_t i = 0; spheres && i < count; ++i) {
        memcpy(spheres + 4 * (size_t)i, points + 3 * (size_t)i, 3 * sizeof *points);
        spheres[4 * (size_t)i + 3] = POINT * size;
    }
    if (spheres) {
        addSpheres(list, spheres, NULL, count, colour);
    }
    free(spheres);
}

static void paintSurface(const FramePainter* painter, const snFrameCharacter* c, int32_t who,
                         bool ghost, DrawList* list)
{
    for (int32_t i = 0; i < c->surface_count; ++i) {
        const snFrameSurface* s = &c->surfaces[i];
        float* positions = shiftPoints(s->position, s->vertex_count, shiftOf(painter, c), list);
        DrawMesh mesh = {.vertex_count = s->vertex_count,
                         .triangle_count = s->triangle_count,
                         .positions = positions,
                         .normals = s->normal,
                         .triangles = s->triangles,
                         .colour = ghost ? ghostColour(who) : bodyColour(who)};
        if (positions && s->triangle_count > 0) {
            addMesh(list, &mesh);
        } else if (positions) {
            paintPoints(positions, s->vertex_count, mesh.colour, list);
        }
        free(positions);
    }
}

// The cage of a character, made when it is first wanted; NULL after latching a failure.
static const Cage* cageOf(FramePainter* painter, const snFleshInfo* flesh, int32_t who,
                          DrawList* list)
{
    if (!painter->cages) {
        size_t count = (size_t)snScene_CharacterCount(painter->scene);
        painter->cages = calloc(count, sizeof *painter->cages);
    }
    Cage* cage = painter->cages ? &painter->cages[who] : NULL;
    if (!cage || (!cage->edges && !makeCage(flesh, cage))) {
        list->failed = true;
        return NULL;
    }
    return cage;
}

static void paintNodes(const snFleshInfo* flesh, const float* nodes, DrawList* list)
{
    static const Colour FREE = {0.25f, 0.28f, 0.33f, 1};
    float* spheres = malloc(((size_t)flesh->node_count + 1) * 4 * sizeof *spheres);
    Colour* colours = malloc(((size_t)flesh->node_count + 1) * sizeof *colours);
    list->failed = list->failed || !spheres || !colours;
    for (int32_t i = 0; spheres && colours && i < flesh->node_count; ++i) {
        int32_t bone = flesh->fixed[i];
        memcpy(spheres + 4 * (size_t)i, nodes + 3 * (size_t)i, 3 * sizeof *nodes);
        spheres[4 * (size_t)i + 3] =
            (float)((bone < 0 ? FREE_NODE : FIXED_NODE) * flesh->cell_size);
        colours[i] = bone < 0 ? FREE : BONE_COLOURS[bone % COUNT(BONE_COLOURS)];
    }
    if (!list->failed) {
        addSpheres(list, spheres, colours, flesh->node_count, FREE);
    }
    free(spheres);
    free(colours);
}

// The outside of the cells as lines on faces that are looked through, and all nodes.
static void paintMesh(FramePainter* painter, const snFrameCharacter* c, int32_t who, bool faces,
                      DrawList* list)
{
    static const Colour LINE = {0.16f, 0.22f, 0.32f, 0.55f};
    const snFleshInfo* flesh = snCharacter_Flesh(snScene_Character(painter->scene, who));
    const Cage* cage = cageOf(painter, flesh, who, list);
    float* nodes = shiftPoints(c->nodes, c->node_count, shiftOf(painter, c), list);
    float* lines = cage ? malloc(((size_t)cage->edge_count + 1) * 6 * sizeof *lines) : NULL;
    list->failed = list->failed || !lines;
    if (!list->failed) {
        for (size_t i = 0; i < 2 * (size_t)cage->edge_count; ++i) {
            memcpy(lines + 3 * i, nodes + 3 * (size_t)cage->edges[i], 3 * sizeof *nodes);
        }
        addLines(list, lines, cage->edge_count, LINE, cage->edge_count > DENSE_CAGE ? 0.8f : 1.3f);
        paintNodes(flesh, nodes, list);
        DrawMesh mesh = {.vertex_count = c->node_count,
                         .triangle_count = cage->triangle_count,
                         .positions = nodes,
                         .triangles = cage->triangles,
                         .colour = ghostColour(who)};
        if (faces) {
            addMesh(list, &mesh);
        }
    }
    free(nodes);
    free(lines);
}

void paintFrame(FramePainter* painter, const snFrame* frame, DrawList* list)
{
    const DrawOptions* show = &painter->show;
    for (int32_t i = 0; i < frame->character_count; ++i) {
        const snFrameCharacter* c = &frame->characters[i];
        bool flesh = c->surface_count > 0, bones = show->bones && c->bone_count > 0;
        if (!flesh || bones) {
            paintBones(painter, c, i, list);
        }
        if (flesh && show->mesh) {
            paintMesh(painter, c, i, !show->surface, list);
        }
        if (flesh && (show->surface || (!bones && !show->mesh))) {
            paintSurface(painter, c, i, bones || show->mesh, list);
        }
    }
}

void freePainter(FramePainter* painter)
{
    int32_t count = painter->cages ? snScene_CharacterCount(painter->scene) : 0;
    for (int32_t i = 0; i < count; ++i) {
        freeCage(&painter->cages[i]);
    }
    free(painter->cages);
    painter->cages = NULL;
}
