// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

#include "cli/draw_frame.h"

#include "cli/draw_contact.h"
#include "cli/draw_flesh.h"
#include "cli/place.h"
#include "cli/stretch.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

// Of characters, one after the other; muted, so that light and shade carry the form.
static const Colour BODY_COLOURS[] = {
    {0.87f, 0.49f, 0.34f, 1}, {0.36f, 0.56f, 0.74f, 1}, {0.47f, 0.65f, 0.46f, 1},
    {0.88f, 0.69f, 0.35f, 1}, {0.62f, 0.50f, 0.69f, 1}, {0.38f, 0.64f, 0.65f, 1},
};

// Ratios are told apart by their logarithms: half and double are as far from 1. The ends are ratios
// of 1.4 unless others are asked for.
#define MOST_STRETCH 1.4
static const Scale STRETCH_SCALE = {"stretch",
                                    {"0.7", "1", "1.4"},
                                    {{0.13f, 0.30f, 0.70f, 1},
                                     {0.49f, 0.65f, 0.87f, 1},
                                     {0.84f, 0.84f, 0.83f, 1},
                                     {0.90f, 0.55f, 0.42f, 1},
                                     {0.72f, 0.09f, 0.13f, 1}}};

#define DEFAULT_THICKNESS 0.08 // radius of a bone that has none, as part of its length
#define INNER_THICKNESS 0.35   // of a bone inside flesh, as part of its radius
#define GHOST 0.22f            // opacity of a surface that is looked through
#define GHOST_FILL 0.45f       // and of cells that are
#define POINT 0.004f           // radius of bare points, as part of their extent
#define DENSE_WIRE 20000       // edges beyond which lines are thinner

// Words -----------------------------------------------------------------------

typedef struct DrawWord {
    const char* word;
    size_t place; // of the option
} DrawWord;

static const DrawWord WORDS[] = {
    {"surface", offsetof(DrawOptions, surface)}, {"wire", offsetof(DrawOptions, wire)},
    {"stretch", offsetof(DrawOptions, stretch)}, {"bones", offsetof(DrawOptions, bones)},
    {"mesh", offsetof(DrawOptions, mesh)},       {"fill", offsetof(DrawOptions, fill)},
    {"mass", offsetof(DrawOptions, mass)},       {"contacts", offsetof(DrawOptions, contacts)},
};

const char DRAW_WORDS[] = "surface, wire, stretch, bones, mesh, fill, mass and contacts";

bool readDrawOptions(const char* text, DrawOptions* options)
{
    bool any = false;
    *options = (DrawOptions){0};
    while (*text) {
        size_t length = strcspn(text, ","), i = 0, count = sizeof WORDS / sizeof *WORDS;
        while (i < count &&
               (strlen(WORDS[i].word) != length || strncmp(text, WORDS[i].word, length) != 0)) {
            ++i;
        }
        if (i == count) {
            return false;
        }
        *(bool*)((char*)options + WORDS[i].place) = any = true;
        text += length + (text[length] == ',');
    }
    return any;
}

bool needsScene(const DrawOptions* o)
{
    return o->stretch || o->bones || o->mesh || o->fill || o->mass || o->contacts;
}

void listScales(const DrawOptions* o, const Scale* scales[2])
{
    int count = 0;
    scales[0] = scales[1] = NULL;
    if (o->stretch) {
        scales[count++] = &STRETCH_SCALE;
    }
    if (o->fill) {
        scales[count] = &FILL_SCALE;
    }
}

// Places ----------------------------------------------------------------------

// A point of a character's floats in the picture.
static snVec3 shiftOf(const FramePainter* painter, const snFrameCharacter* c)
{
    return minus(c->origin, painter->origin);
}

static void shiftPoint(float out[3], const float* point, snVec3 shift)
{
    put(out, (snVec3){(double)point[0] + shift.x, (double)point[1] + shift.y,
                      (double)point[2] + shift.z});
}

// Points, or those that are listed; NULL after latching a failure; free it.
static float* shiftPoints(const float* points, const int32_t* which, int32_t count, snVec3 shift,
                          DrawList* list)
{
    float* out = malloc(((size_t)count + 1) * 3 * sizeof *out);
    list->failed = list->failed || !out;
    for (int32_t i = 0; out && i < count; ++i) {
        shiftPoint(out + 3 * (size_t)i, points + 3 * (size_t)(which ? which[i] : i), shift);
    }
    return out;
}

static Colour bodyColour(int32_t who)
{
    return BODY_COLOURS[who % (int32_t)(sizeof BODY_COLOURS / sizeof *BODY_COLOURS)];
}

// Of what is looked through: pale, so that colours inside stay what they are.
static Colour ghostColour(int32_t who)
{
    Colour c = bodyColour(who);
    return (Colour){0.5f + 0.5f * c.r, 0.5f + 0.5f * c.g, 0.5f + 0.5f * c.b, GHOST};
}

static const snFleshInfo* fleshOf(const FramePainter* painter, int32_t who)
{
    return painter->scene ? snCharacter_Flesh(snScene_Character(painter->scene, who)) : NULL;
}

// Bones -----------------------------------------------------------------------

// The capsule that snBoneDef describes; a bone without length and radius is not drawn.
static DrawBone shapeBone(const snBoneDef* def, const snTransform* pose, snVec3 origin)
{
    snVec3 tip = turn(pose->q, def->tip), p = minus(pose->p, origin);
    DrawBone bone = {
        .radius = (float)(def->radius > 0 ? def->radius : DEFAULT_THICKNESS * lengthOf(tip))};
    put(bone.from, p);
    put(bone.to, along(p, 1, tip));
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
        bone->colour = inside ? boneColour(i) : bodyColour(who);
        count += bone->radius > 0;
    }
    addBones(list, drawCapsules, bones, count);
    free(bones);
}

// The surface -----------------------------------------------------------------

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

// The hide of a character, made of its rest shape or, without a scene, of its first frame.
static const Hide* hideOf(FramePainter* painter, const snFrameSurface* s, int32_t who,
                          DrawList* list)
{
    PaintedBody* body = &painter->bodies[who];
    const snFleshInfo* flesh = fleshOf(painter, who);
    if (!body->has_hide) {
        float* rest = malloc(((size_t)s->vertex_count + 1) * 3 * sizeof *rest);
        for (size_t i = 0; rest && i < 3 * (size_t)s->vertex_count; ++i) {
            rest[i] = flesh ? (float)flesh->vertices[i] : s->position[i];
        }
        body->has_hide =
            rest && makeHide(rest, s->vertex_count, s->triangles, s->triangle_count, &body->hide);
        free(rest);
    }
    list->failed = list->failed || !body->has_hide;
    return body->has_hide ? &body->hide : NULL;
}

static double placeOnScale(const DrawOptions* show, double stretch)
{
    double end = stretch < 1 ? (show->low > 0 ? show->low : 1 / MOST_STRETCH)
                             : (show->high > 0 ? show->high : MOST_STRETCH);
    double part = log(fmax(stretch, 1e-3)) / log(end);
    return stretch < 1 ? 0.5 - 0.5 * part : 0.5 + 0.5 * part;
}

// Colours of vertices by the stretch of the flesh; NULL after latching a failure; free it.
static float* colourStretch(const snFleshInfo* flesh, const snFrameCharacter* c, const Hide* hide,
                            const DrawOptions* show, DrawList* list)
{
    int32_t count = hide->creases.vertex_count;
    float* stretch = malloc(((size_t)flesh->node_count + 1) * sizeof *stretch);
    float* colours = malloc(((size_t)count + 1) * 3 * sizeof *colours);
    bool ok = stretch && colours && nodeStretch(flesh, c->nodes, stretch);
    list->failed = list->failed || !ok;
    for (int32_t i = 0; ok && i < count; ++i) {
        size_t at = 4 * (size_t)hide->creases.origins[i];
        double mean = 0;
        for (size_t k = 0; k < 4; ++k) {
            mean += (double)flesh->vertex_weights[at + k] *
                    (double)stretch[flesh->vertex_nodes[at + k]];
        }
        Colour colour = scaleColour(&STRETCH_SCALE, placeOnScale(show, mean));
        memcpy(colours + 3 * (size_t)i, &colour, 3 * sizeof *colours);
    }
    free(stretch);
    if (!ok) {
        free(colours);
    }
    return ok ? colours : NULL;
}

static void paintWire(const Hide* hide, const float* positions, DrawList* list)
{
    static const Colour LINE = {0.10f, 0.11f, 0.14f, 0.6f};
    float* lines = malloc(((size_t)hide->edge_count + 1) * 6 * sizeof *lines);
    list->failed = list->failed || !lines;
    for (size_t i = 0; lines && i < 2 * (size_t)hide->edge_count; ++i) {
        memcpy(lines + 3 * i, positions + 3 * (size_t)hide->edges[i], 3 * sizeof *lines);
    }
    if (lines) {
        addLines(list, lines, hide->edge_count, LINE, hide->edge_count > DENSE_WIRE ? 0.6f : 1);
    }
    free(lines);
}

static void paintTriangles(FramePainter* painter, const snFrameCharacter* c, int32_t who,
                           bool ghost, DrawList* list)
{
    const snFrameSurface* s = &c->surfaces[0];
    const snFleshInfo* flesh = fleshOf(painter, who);
    const Hide* hide = hideOf(painter, s, who, list);
    if (!hide) {
        return;
    }
    const Creases* creases = &hide->creases;
    bool stretch = painter->show.stretch && flesh && c->node_count > 0;
    float* positions = shiftPoints(s->position, creases->origins, creases->vertex_count,
                                   shiftOf(painter, c), list);
    float* normals = malloc(((size_t)creases->vertex_count + 1) * 3 * sizeof *normals);
    float* colours = stretch ? colourStretch(flesh, c, hide, &painter->show, list) : NULL;
    list->failed = list->failed || !normals;
    if (!list->failed) {
        hideNormals(hide, positions, s->normal, normals);
        DrawMesh mesh = {.vertex_count = creases->vertex_count,
                         .triangle_count = creases->triangle_count,
                         .positions = positions,
                         .normals = normals,
                         .triangles = creases->triangles,
                         .colours = colours,
                         .colour = stretch ? (Colour){1, 1, 1, ghost ? GHOST : 1}
                                   : ghost ? ghostColour(who)
                                           : bodyColour(who)};
        addMesh(list, &mesh);
        if (painter->show.wire) {
            paintWire(hide, positions, list);
        }
    }
    free(positions);
    free(normals);
    free(colours);
}

static void paintSurface(FramePainter* painter, const snFrameCharacter* c, int32_t who, bool ghost,
                         DrawList* list)
{
    const snFrameSurface* s = &c->surfaces[0];
    if (s->triangle_count > 0) {
        paintTriangles(painter, c, who, ghost, list);
        return;
    }
    float* points = shiftPoints(s->position, NULL, s->vertex_count, shiftOf(painter, c), list);
    if (points) {
        paintPoints(points, s->vertex_count, bodyColour(who), list);
    }
    free(points);
}

// All of it -------------------------------------------------------------------

// Cells and nodes, as asked for.
static void paintInside(FramePainter* painter, const snFrameCharacter* c, int32_t who, bool surface,
                        DrawList* list)
{
    const DrawOptions* show = &painter->show;
    const snFleshInfo* flesh = fleshOf(painter, who);
    PaintedBody* body = &painter->bodies[who];
    body->has_cage = body->has_cage || makeCage(flesh, &body->cage);
    float* nodes = shiftPoints(c->nodes, NULL, c->node_count, shiftOf(painter, c), list);
    list->failed = list->failed || !body->has_cage;
    if (!list->failed && show->fill) {
        bool glass = surface || show->bones || show->mesh || show->mass;
        paintFill(flesh, &body->cage, nodes, glass ? GHOST_FILL : 1, list);
    } else if (!list->failed && show->mesh) {
        Colour faces = surface ? (Colour){0, 0, 0, 0} : ghostColour(who);
        paintCage(&body->cage, nodes, c->node_count, faces, list);
    }
    if (!list->failed && show->mass) {
        paintMass(flesh, nodes, list);
    } else if (!list->failed && show->mesh) {
        paintNodes(flesh, nodes, list);
    }
    free(nodes);
}

static void paintCharacter(FramePainter* painter, const snFrameCharacter* c, int32_t who,
                           DrawList* list)
{
    const DrawOptions* show = &painter->show;
    bool flesh = c->surface_count > 0, bones = show->bones && c->bone_count > 0;
    bool inside = flesh && fleshOf(painter, who) && (show->mesh || show->fill || show->mass);
    bool surface = show->surface || show->wire || show->stretch || !(bones || inside);
    if (painter->scene && (!flesh || bones)) {
        paintBones(painter, c, who, list);
    }
    if (inside) {
        paintInside(painter, c, who, surface, list);
    }
    if (flesh && surface) {
        bool contacts = show->contacts && painter->scene;
        paintSurface(painter, c, who, bones || inside || contacts, list);
    }
}

static bool makeRoom(FramePainter* painter, const snFrame* frame)
{
    if (!painter->bodies) {
        painter->bodies = calloc((size_t)frame->character_count + 1, sizeof *painter->bodies);
        painter->body_count = painter->bodies ? frame->character_count : 0;
    }
    int32_t count = painter->scene ? frame->obstacle_count : 0;
    if (!painter->solids) {
        painter->solids = calloc((size_t)count + 1, sizeof *painter->solids);
        bool ok = painter->solids != NULL;
        for (int32_t i = 0; i < count && ok; ++i) {
            ok = makeSolid(snScene_Obstacle(painter->scene, i), &painter->solids[i]);
            painter->solid_count += ok;
        }
        return ok && painter->bodies;
    }
    return painter->bodies && painter->solid_count == count;
}

void paintFrame(FramePainter* painter, const snFrame* frame, DrawList* list)
{
    if (!makeRoom(painter, frame)) {
        list->failed = true;
        return;
    }
    for (int32_t i = 0; i < frame->character_count && i < painter->body_count; ++i) {
        paintCharacter(painter, &frame->characters[i], i, list);
    }
    for (int32_t i = 0; i < painter->solid_count; ++i) {
        const snObstacleDef* def = snScene_Obstacle(painter->scene, i);
        Colour colour = {def->colour[0], def->colour[1], def->colour[2], def->colour[3]};
        paintSolid(&painter->solids[i], &frame->obstacles[i].pose, painter->origin, colour,
                   def->mass <= 0, list);
    }
    if (painter->scene && painter->show.contacts) {
        paintContacts(painter->scene, frame, painter->origin, list);
    }
}

void freePainter(FramePainter* painter)
{
    for (int32_t i = 0; i < painter->body_count; ++i) {
        freeCage(&painter->bodies[i].cage);
        freeHide(&painter->bodies[i].hide);
    }
    for (int32_t i = 0; i < painter->solid_count; ++i) {
        freeSolid(&painter->solids[i]);
    }
    free(painter->bodies);
    free(painter->solids);
    painter->bodies = NULL;
    painter->solids = NULL;
    painter->body_count = painter->solid_count = 0;
}
