// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

#include "io/sink/morph.h"

#include <math.h>
#include <string.h>

#include "base/message.h"
#include "base/tasks.h"
#include "linsolve/basis.h"

// Principal components one after the other, each taken off the frames before the next is sought
// (NIPALS: Wold 1966). With residuals r(f) and a trial shape s,
//   t(f) = r(f).s / s.s     s = sum of t(f) r(f) / sum of t(f)^2
// repeated is the power iteration for the largest singular value. It starts from the frame with the
// worst vertex, and few rounds keep part of it: what counts in the end is that vertex, not a mean.
// Weights come from positions alone; normals are fitted to them, as the second formula does.
// A shape costs 2 ROUNDS + 2 multiplications per coordinate and frame, and one for its normals.
// Shapes of 181 frames of the built-in starfish and worm that fall, to 0.001 of their size:
// 79 and 101 without rounds, 69 and 70 with two, 71 and 81 with 24, which are the true components.
#define ROUNDS 2

// Coordinates that a task sums over all frames; their sums stay in the first-level cache.
#define CHUNK 1024

typedef struct Fit {
    const snMorph* morph;
    snTasks* tasks;
    size_t half;     // floats of the positions, and of the normals
    float* shape;    // that is sought; (2 half)
    double* score;   // t of each frame; (frame_count)
    float* weight;   // the same as floats, largest 1; (frame_count)
    double* worst;   // largest squared distance of a vertex at each frame, m^2; (frame_count)
    double norm;     // s.s, or the sum of t^2
    size_t combined; // where in the shape the coordinates begin that are summed
} Fit;

static double worstOf(const float* frame, size_t half)
{
    float worst = 0;
    for (size_t i = 0; i < half; i += 3) {
        const float* d = frame + i;
        float square = d[0] * d[0] + d[1] * d[1] + d[2] * d[2];
        worst = square > worst ? square : worst;
    }
    return (double)worst;
}

static void differTask(void* argument, int index, int worker)
{
    (void)worker;
    const Fit* fit = argument;
    const float* first = fit->morph->frames[0];
    float* frame = fit->morph->frames[index + 1];
    for (size_t i = 0; i < 2 * fit->half; ++i) {
        frame[i] -= first[i];
    }
    fit->worst[index + 1] = worstOf(frame, fit->half);
}

static void projectTask(void* argument, int index, int worker)
{
    (void)worker;
    const Fit* fit = argument;
    fit->score[index + 1] =
        snBasis_Dot(fit->morph->frames[index + 1], fit->shape, fit->half) / fit->norm;
}

static void combineTask(void* argument, int index, int worker)
{
    (void)worker;
    const Fit* fit = argument;
    double sums[CHUNK] = {0};
    size_t start = (size_t)index * CHUNK, left = fit->half - start;
    size_t count = left < CHUNK ? left : CHUNK;
    start += fit->combined;
    for (int32_t f = 1; f < fit->morph->frame_count; ++f) {
        const float* frame = fit->morph->frames[f] + start;
        double t = fit->score[f];
        for (size_t i = 0; i < count; ++i) {
            sums[i] += t * (double)frame[i];
        }
    }
    for (size_t i = 0; i < count; ++i) {
        fit->shape[start + i] = (float)(sums[i] / fit->norm);
    }
}

static void subtractTask(void* argument, int index, int worker)
{
    (void)worker;
    const Fit* fit = argument;
    float* frame = fit->morph->frames[index + 1];
    float w = fit->weight[index + 1];
    for (size_t i = 0; i < 2 * fit->half; ++i) {
        frame[i] -= w * fit->shape[i];
    }
    fit->worst[index + 1] = worstOf(frame, fit->half);
}

static int32_t worstFrame(const Fit* fit)
{
    int32_t worst = 0;
    for (int32_t f = 1; f < fit->morph->frame_count; ++f) {
        worst = fit->worst[f] > fit->worst[worst] ? f : worst;
    }
    return worst;
}

static void project(Fit* fit)
{
    fit->norm = snBasis_Dot(fit->shape, fit->shape, fit->half);
    snTasks_Run(fit->tasks, fit->morph->frame_count - 1, projectTask, fit);
}

static void combine(Fit* fit, size_t from)
{
    fit->norm = 0;
    for (int32_t f = 1; f < fit->morph->frame_count; ++f) {
        fit->norm += fit->score[f] * fit->score[f];
    }
    fit->combined = from;
    snTasks_Run(fit->tasks, (int)((fit->half + CHUNK - 1) / CHUNK), combineTask, fit);
}

// Makes the largest weight 1: a shape is then as large as it ever shows.
static void scale(Fit* fit)
{
    double largest = 0;
    for (int32_t f = 1; f < fit->morph->frame_count; ++f) {
        largest = fabs(fit->score[f]) > largest ? fabs(fit->score[f]) : largest;
    }
    for (int32_t f = 1; f < fit->morph->frame_count; ++f) {
        fit->weight[f] = (float)(fit->score[f] / largest);
        fit->score[f] = (double)fit->weight[f];
    }
    for (size_t i = 0; i < fit->half; ++i) {
        fit->shape[i] = (float)(largest * (double)fit->shape[i]);
    }
}

// What is subtracted is what a player will add, floats and all.
static void takeShape(Fit* fit)
{
    memcpy(fit->shape, fit->morph->frames[worstFrame(fit)], fit->half * sizeof(float));
    for (int i = 0; i < ROUNDS; ++i) {
        project(fit);
        combine(fit, 0);
    }
    project(fit);
    scale(fit);
    combine(fit, fit->half);
    snTasks_Run(fit->tasks, fit->morph->frame_count - 1, subtractTask, fit);
}

// Frames as they were, each a shape
static void keepFrames(const Fit* fit, snMorph* morph)
{
    for (int32_t f = 1; f < morph->frame_count; ++f) {
        float* frame = morph->frames[f];
        for (int32_t k = 0; k < morph->shape_count; ++k) {
            for (size_t i = 0; i < 2 * fit->half; ++i) {
                frame[i] += morph->weights[k][f] * morph->shapes[k][i];
            }
        }
    }
    morph->shape_count = morph->frame_count - 1;
    morph->shapes = morph->frames + 1;
    morph->weights = NULL;
    morph->error = 0;
}

static snStatus findShapes(Fit* fit, snMorph* morph, snArena* arena, double error)
{
    size_t most = (size_t)morph->frame_count - 1;
    morph->shapes = snArena_Push(arena, most, sizeof(float*));
    morph->weights = snArena_Push(arena, most, sizeof(float*));
    if (!morph->shapes || !morph->weights) {
        return sn_errorMemory;
    }
    for (;;) {
        double worst = fit->worst[worstFrame(fit)];
        if (worst <= error * error) {
            morph->error = sqrt(worst);
            return sn_ok;
        }
        if ((size_t)morph->shape_count >= most) {
            keepFrames(fit, morph);
            return sn_ok;
        }
        fit->shape = snArena_Push(arena, 2 * fit->half, sizeof(float));
        fit->weight = snArena_Push(arena, (size_t)morph->frame_count, sizeof(float));
        if (!fit->shape || !fit->weight) {
            return sn_errorMemory;
        }
        takeShape(fit);
        morph->shapes[morph->shape_count] = fit->shape;
        morph->weights[morph->shape_count++] = fit->weight;
    }
}

// Moves every shape's weights into 0..1, which is all that Blender and most engines let a weight
// be: what the least weight did goes into frame 0, and the shape grows by the range.
static void moveWeights(snMorph* morph)
{
    size_t width = SN_MORPH_WIDTH * (size_t)morph->vertex_count;
    for (int32_t k = 0; k < morph->shape_count; ++k) {
        float *weight = morph->weights[k], least = 0, most = 0;
        for (int32_t f = 0; f < morph->frame_count; ++f) {
            least = weight[f] < least ? weight[f] : least;
            most = weight[f] > most ? weight[f] : most;
        }
        float range = most - least;
        for (int32_t f = 0; f < morph->frame_count; ++f) {
            weight[f] = range > 0 ? (weight[f] - least) / range : 0;
        }
        for (size_t i = 0; i < width; ++i) {
            morph->frames[0][i] += least * morph->shapes[k][i];
            morph->shapes[k][i] *= range;
        }
    }
}

// Normals of a file have unit length; only the direction of their sum matters, so a vertex's shapes
// shrink with its normal.
static void scaleNormals(snMorph* morph)
{
    size_t half = 3 * (size_t)morph->vertex_count;
    for (size_t i = half; i < 2 * half; i += 3) {
        float* n = morph->frames[0] + i;
        float length = sqrtf(n[0] * n[0] + n[1] * n[1] + n[2] * n[2]);
        float scale = length > 0 ? 1 / length : 0;
        for (int axis = 0; axis < 3; ++axis) {
            n[axis] = length > 0 ? n[axis] * scale : axis == 1 ? 1.0f : 0.0f;
            for (int32_t k = 0; k < morph->shape_count; ++k) {
                morph->shapes[k][i + (size_t)axis] *= length > 0 ? scale : 1;
            }
        }
    }
}

snStatus snMorph_Fit(snMorph* morph, snArena* arena, double error, snMessage* why)
{
    Fit fit = {.morph = morph,
               .half = 3 * (size_t)morph->vertex_count,
               .score = snArena_Push(arena, (size_t)morph->frame_count, sizeof(double)),
               .worst = snArena_Push(arena, (size_t)morph->frame_count, sizeof(double))};
    if (!fit.score || !fit.worst) {
        return snFail(why, sn_errorMemory, "out of memory");
    }
    snStatus status = snTasks_Create(&arena->host, &fit.tasks, why);
    if (status) {
        return status;
    }
    morph->shape_count = 0;
    morph->error = 0;
    snTasks_Run(fit.tasks, morph->frame_count - 1, differTask, &fit);
    if (error > 0) {
        status = findShapes(&fit, morph, arena, error);
        if (!status && morph->weights) {
            moveWeights(morph);
            scaleNormals(morph);
        }
    } else if (fit.worst[worstFrame(&fit)] > 0) {
        keepFrames(&fit, morph);
    }
    snTasks_Free(fit.tasks);
    return status ? snFail(why, status, "out of memory after %d shapes", (int)morph->shape_count)
                  : sn_ok;
}

float snMorph_Weight(const snMorph* morph, int32_t shape, int32_t frame)
{
    return morph->weights ? morph->weights[shape][frame] : frame == shape + 1 ? 1.0f : 0.0f;
}
