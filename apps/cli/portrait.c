// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

#include "cli/portrait.h"

#include "cli/rig_facts.h"

#include <render/film.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define WIDTH 1040 // pixels
#define HEIGHT 620

static const Scale SOFTNESS_SCALE = {"flesh",
                                     {"rigid", "", "soft"},
                                     {{0.72f, 0.74f, 0.76f, 1},
                                      {0.80f, 0.74f, 0.66f, 1},
                                      {0.88f, 0.68f, 0.50f, 1},
                                      {0.88f, 0.50f, 0.34f, 1},
                                      {0.80f, 0.26f, 0.20f, 1}}};

// Memory for one mesh after the other
typedef struct Room {
    snMatrix* nodes;
    double* weights;
    float *positions, *normals, *colours;
} Room;

static bool makeRoom(const snRigInfo* f, Room* r)
{
    size_t floats = 3 * (size_t)f->vertex_count + 1;
    *r = (Room){calloc((size_t)f->node_count + 1, sizeof *r->nodes),
                calloc((size_t)f->weight_count + 1, sizeof *r->weights),
                calloc(floats, sizeof *r->positions), calloc(floats, sizeof *r->normals),
                calloc(floats, sizeof *r->colours)};
    return r->nodes && r->weights && r->positions && r->normals && r->colours;
}

static void freeRoom(Room* r)
{
    free(r->nodes);
    free(r->weights);
    free(r->positions);
    free(r->normals);
    free(r->colours);
}

// Its left side to where its front was
static void turnLeft(float* vectors, int32_t count)
{
    for (int32_t i = 0; i < count; ++i) {
        float x = vectors[3 * (size_t)i];
        vectors[3 * (size_t)i] = -vectors[3 * (size_t)i + 2];
        vectors[3 * (size_t)i + 2] = x;
    }
}

static snStatus addInstance(const snBody* body, int32_t at, const float* softness, Room* r,
                            DrawList lists[2], snMessage* why)
{
    const snRig* rig = snBody_Rig(body);
    const snRigMesh* m = snRig_Mesh(rig, at);
    snStatus status = snRig_Skin(rig, at, r->nodes, r->weights, r->positions, r->normals, why);
    if (status) {
        return status;
    }
    for (int32_t v = 0; v < m->vertex_count; ++v) {
        Colour c = scaleColour(&SOFTNESS_SCALE, (double)softness[v]);
        memcpy(r->colours + 3 * (size_t)v, &c, 3 * sizeof *r->colours);
    }
    float unit = (float)snBody_Info(body)->unit;
    for (size_t i = 0; i < 3 * (size_t)m->vertex_count; ++i) {
        r->positions[i] *= unit;
    }
    const DrawMesh mesh = {.vertex_count = m->vertex_count,
                           .triangle_count = m->triangle_count,
                           .positions = r->positions,
                           .normals = r->normals,
                           .triangles = m->triangles,
                           .colours = r->colours,
                           .colour = {1, 1, 1, 1}};
    addMesh(&lists[0], &mesh);
    turnLeft(r->positions, m->vertex_count);
    turnLeft(r->normals, m->vertex_count);
    addMesh(&lists[1], &mesh);
    return sn_ok;
}

static snStatus fillLists(const snBody* body, Room* r, DrawList lists[2], snMessage* why)
{
    const snRig* rig = snBody_Rig(body);
    const float* softness = snBody_Info(body)->vertex_softness;
    snStatus status = snRig_Pose(rig, -1, 0, r->nodes, r->weights, why);
    for (int32_t i = 0; i < snRig_Info(rig)->mesh_count && !status; ++i) {
        const snRigMesh* m = snRig_Mesh(rig, i);
        if (snRig_Node(rig, m->node)->is_shown) {
            status = addInstance(body, i, softness, r, lists, why);
        }
        softness += m->vertex_count;
    }
    return status;
}

snStatus drawPortrait(const snBody* body, const char* path, snMessage* why)
{
    FilmDef def;
    Film* film;
    initFilmDef(&def);
    def.path = path;
    def.width = WIDTH;
    def.height = HEIGHT;
    def.at = 0;
    def.camera.view = viewFront;
    def.camera.turn = turnOfRig(snBody_Rig(body));
    def.panel_count = 2;
    def.scales[0] = &SOFTNESS_SCALE;
    snprintf(def.panels[0].name, sizeof def.panels[0].name, "front");
    snprintf(def.panels[1].name, sizeof def.panels[1].name, "left");
    snStatus status = openFilm(&def, &film, why);
    if (status) {
        return status;
    }
    Room room;
    DrawList lists[FILM_MOST_PANELS] = {0};
    if (makeRoom(snRig_Info(snBody_Rig(body)), &room)) {
        status = fillLists(body, &room, lists, why);
    } else {
        snprintf(why->text, sizeof why->text, "out of memory");
        status = sn_errorMemory;
    }
    status = status ? status : addFilmFrame(film, 0, lists, why);
    freeRoom(&room);
    clearDrawList(&lists[0]);
    clearDrawList(&lists[1]);
    if (status) {
        abortFilm(film);
        return status;
    }
    return closeFilm(film, why);
}
