// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

#include "rig/rig.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "rig/lbs.h"
#include "rig/pose.h"

// Whole life -----------------------------------------------------------------------

snRig* snRig_New(const snHost* host)
{
    snRig* rig = snHost_Allocate(host, sizeof *rig);
    if (!rig) {
        return NULL;
    }
    rig->host = *host;
    snOwners_Init(&rig->owners);
    snArena_Init(&rig->arena, host);
    rig->info.kind = rig->info.generator = rig->info.unit_name = "";
    rig->warnings = snArena_Push(&rig->arena, SN_RIG_WARNINGS + 1, sizeof *rig->warnings);
    rig->info.warnings = rig->warnings;
    if (!rig->warnings) {
        snRig_Release(rig);
        return NULL;
    }
    return rig;
}

snRig* snRig_Retain(snRig* rig)
{
    if (rig) {
        snOwners_Add(&rig->owners);
    }
    return rig;
}

void snRig_Release(snRig* rig)
{
    if (rig && snOwners_Drop(&rig->owners)) {
        snHost host = rig->host;
        for (int32_t i = 0; i < rig->source.buffer_count; ++i) {
            const snRigBuffer* b = &rig->source.buffers[i];
            snHost_Release(&host, b->file, b->file_size + 1);
        }
        snArena_Free(&rig->arena);
        snHost_Release(&host, rig->source.bytes, rig->source.size + 1);
        snHost_Release(&host, rig, sizeof *rig);
    }
}

void snRig_Warn(snRig* rig, const char* format, ...)
{
    char text[512];
    va_list arguments;
    if (rig->info.warning_count >= SN_RIG_WARNINGS) {
        ++rig->unsaid;
        return;
    }
    va_start(arguments, format);
    int length = vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    length = length < 0 ? 0 : length < (int)sizeof text ? length : (int)sizeof text - 1;
    const char* kept = snArena_String(&rig->arena, text, (size_t)length);
    if (kept) {
        rig->warnings[rig->info.warning_count++] = kept;
    }
}

// Looking --------------------------------------------------------------------------

const snRigInfo* snRig_Info(const snRig* rig)
{
    return rig ? &rig->info : NULL;
}

const snRigNode* snRig_Node(const snRig* rig, int32_t node)
{
    return rig && node >= 0 && node < rig->info.node_count ? &rig->nodes[node] : NULL;
}

const snRigMesh* snRig_Mesh(const snRig* rig, int32_t mesh)
{
    return rig && mesh >= 0 && mesh < rig->info.mesh_count ? &rig->instances[mesh].info : NULL;
}

const snRigClip* snRig_Clip(const snRig* rig, int32_t clip)
{
    return rig && clip >= 0 && clip < rig->info.clip_count ? &rig->clips[clip].info : NULL;
}

int32_t snRig_FindClip(const snRig* rig, const char* name)
{
    char number[16];
    int32_t count = rig && name ? rig->info.clip_count : 0;
    for (int32_t i = 0; i < count; ++i) {
        if (name[0] && strcmp(rig->clips[i].info.name, name) == 0) {
            return i;
        }
    }
    for (int32_t i = 0; i < count; ++i) {
        snprintf(number, sizeof number, "%d", (int)i);
        if (!rig->clips[i].info.name[0] && strcmp(number, name) == 0) {
            return i;
        }
    }
    return -1;
}

int32_t snRig_FindHuman(const snRig* rig, const char* bone)
{
    for (int32_t i = 0; rig && bone && i < rig->info.human_count; ++i) {
        if (strcmp(rig->humans[i].bone, bone) == 0) {
            return rig->humans[i].node;
        }
    }
    return -1;
}

// Finishing ------------------------------------------------------------------------

// The box around all meshes at rest. Nothing when they are at no finite place.
static snStatus measure(snRig* rig, snMessage* why)
{
    snRigInfo* info = &rig->info;
    snArena arena;
    snArena_Init(&arena, &rig->host);
    int32_t most = 0, joints = 0;
    for (int32_t i = 0; i < info->mesh_count; ++i) {
        int32_t count = rig->instances[i].info.vertex_count;
        most = count > most ? count : most;
    }
    for (int32_t i = 0; i < info->skin_count; ++i) {
        joints = rig->skins[i].joint_count > joints ? rig->skins[i].joint_count : joints;
    }
    snMatrix* nodes = snArena_Push(&arena, (size_t)info->node_count, sizeof *nodes);
    snMatrix* scratch = snArena_Push(&arena, (size_t)joints, sizeof *scratch);
    float* x = snArena_Push(&arena, (size_t)most, 3 * sizeof *x);
    if (arena.failed) {
        snArena_Free(&arena);
        return snFail(why, sn_errorMemory, "out of memory");
    }
    double low[3] = {HUGE_VAL, HUGE_VAL, HUGE_VAL}, high[3] = {-HUGE_VAL, -HUGE_VAL, -HUGE_VAL};
    snRigClipData_World(rig, NULL, 0, nodes, NULL);
    for (int32_t i = 0; i < info->mesh_count; ++i) {
        snLbs_Skin(rig, &rig->instances[i], nodes, rig->weights, scratch, x, NULL);
        for (size_t k = 0; k < 3 * (size_t)rig->instances[i].info.vertex_count; ++k) {
            low[k % 3] = fmin(low[k % 3], (double)x[k]);
            high[k % 3] = fmax(high[k % 3], (double)x[k]);
        }
    }
    snArena_Free(&arena);
    if (low[0] <= high[0] && isfinite(high[0] - low[0] + high[1] - low[1] + high[2] - low[2])) {
        info->low = snV3(low[0], low[1], low[2]);
        info->high = snV3(high[0], high[1], high[2]);
    }
    return sn_ok;
}

// Characters are 5 cm to 40 m in their longest direction; the first unit that makes it so.
static void guessUnit(snRigInfo* info)
{
    static const struct {
        double metres;
        const char* name;
    } UNITS[] = {{1, "m"}, {0.01, "cm"}, {0.001, "mm"}};
    snVec3 d = snSub(info->high, info->low);
    double size = fmax(fmax(d.x, d.y), d.z);
    for (size_t i = 0; i < sizeof UNITS / sizeof *UNITS && info->unit == 0; ++i) {
        if (size * UNITS[i].metres >= 0.05 && size * UNITS[i].metres <= 40) {
            info->unit = UNITS[i].metres;
            info->unit_name = UNITS[i].name;
        }
    }
}

snStatus snRig_Finish(snRig* rig, snMessage* why)
{
    snRigInfo* info = &rig->info;
    snStatus status = measure(rig, why);
    if (status) {
        return status;
    }
    guessUnit(info);
    if (rig->unsaid > 0) {
        char text[64];
        int length = snprintf(text, sizeof text, "%d more remarks are left out", (int)rig->unsaid);
        rig->warnings[info->warning_count] = snArena_String(&rig->arena, text, (size_t)length);
        info->warning_count += rig->warnings[info->warning_count] != NULL;
    }
    return rig->arena.failed ? snFail(why, sn_errorMemory, "out of memory") : sn_ok;
}
