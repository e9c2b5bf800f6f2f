// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

// Surfaces on the characters of frames.h, moved without a sim: a ball of jelly that is thrown,
// turns over and wobbles.
#ifndef SN_TESTS_IO_SINK_BLOB_H
#define SN_TESTS_IO_SINK_BLOB_H

#include "io/sink/frames.h"

#define RINGS 12
#define SECTORS 20
#define BLOB_VERTICES (RINGS * SECTORS + 2)
#define BLOB_TRIANGLES (2 * RINGS * SECTORS)

// The second character is here, and its positions are taken from here: 12 x 1024 m.
#define FAR_ORIGIN 12288.0

typedef struct Blob {
    snFrameSurface surface;
    float position[3 * BLOB_VERTICES], normal[3 * BLOB_VERTICES];
    int32_t triangles[3 * BLOB_TRIANGLES];
    snVec3 world[BLOB_VERTICES]; // the positions, m
} Blob;

// Rings from pole to pole, the poles last.
static inline void linkBlob(Blob* blob)
{
    const int32_t south = RINGS * SECTORS, north = south + 1;
    int32_t* t = blob->triangles;
    for (int32_t k = 0; k < SECTORS; ++k) {
        int32_t next = (k + 1) % SECTORS, top = (RINGS - 1) * SECTORS;
        const int32_t caps[6] = {south, k, next, north, top + next, top + k};
        memcpy(t, caps, sizeof(caps));
        t += 6;
        for (int32_t r = 0; r + 1 < RINGS; ++r) {
            int32_t a = r * SECTORS + k, b = r * SECTORS + next;
            const int32_t quad[6] = {a, a + SECTORS, b, b, a + SECTORS, b + SECTORS};
            memcpy(t, quad, sizeof(quad));
            t += 6;
        }
    }
    blob->surface = (snFrameSurface){BLOB_VERTICES, BLOB_TRIANGLES, blob->position, blob->normal,
                                     blob->triangles};
}

static inline snVec3 blobPoint(int32_t i)
{
    if (i >= RINGS * SECTORS) {
        return snV3(0, i == RINGS * SECTORS ? -1 : 1, 0);
    }
    double up = SN_PI * ((i / SECTORS + 1.0) / (RINGS + 1) - 0.5);
    double round = 2 * SN_PI * (i % SECTORS) / SECTORS;
    return snV3(snCos(up) * snSin(round), snSin(up), snCos(up) * snCos(round));
}

// Where the blob is at a time. `wobble`: how much it changes its shape, 0 = it is rigid.
static inline void moveBlob(Blob* blob, double t, double wobble, snVec3 origin)
{
    snTransform pose = {snV3(3 * t, 2 + 4 * t - 5 * t * t, -t), snQExp(snV3(2 * t, 5 * t, -t))};
    for (int32_t i = 0; i < BLOB_VERTICES; ++i) {
        snVec3 u = blobPoint(i);
        double wave = snSin(3 * u.x - 9 * t) * snCos(2 * u.z) - snSin(3 * u.x) * snCos(2 * u.z);
        double radius = 0.5 * (1 + wobble * (0.1 * wave + 0.2 * u.y * snSin(7 * t)));
        snVec3 x = snMul3(snV3(0.8, 0.5, 1), snScale(radius, u));
        x.x += wobble * 0.2 * x.y * x.y * snSin(4 * t);
        snVec3 y = snTPoint(pose, x);
        snVec3 n = snQRotate(pose.q, snNormalize(snMul3(snV3(1 / 0.8, 1 / 0.5, 1), u)));
        const float position[3] = {(float)y.x, (float)y.y, (float)y.z};
        const float normal[3] = {(float)n.x, (float)n.y, (float)n.z};
        memcpy(blob->position + 3 * i, position, sizeof(position));
        memcpy(blob->normal + 3 * i, normal, sizeof(normal));
        blob->world[i] =
            snAdd(origin, snV3((double)position[0], (double)position[1], (double)position[2]));
    }
}

// A stage whose characters have surfaces.
typedef struct FleshStage {
    Stage stage;
    Blob blobs[CHARACTERS];
    double wobble;
} FleshStage;

static inline void openFleshStage(FleshStage* f, double wobble)
{
    openStage(&f->stage);
    f->wobble = wobble;
    for (int i = 0; i < CHARACTERS; ++i) {
        linkBlob(&f->blobs[i]);
        f->stage.characters[i].surface_count = 1;
        f->stage.characters[i].surfaces = &f->blobs[i].surface;
    }
    f->stage.characters[1].origin.x = FAR_ORIGIN;
}

static inline const snFrame* makeFleshFrame(FleshStage* f, int number, double t)
{
    for (int i = 0; i < CHARACTERS; ++i) {
        moveBlob(&f->blobs[i], t + 0.1 * i, f->wobble, f->stage.characters[i].origin);
    }
    return makeFrame(&f->stage, number, t);
}

#endif
