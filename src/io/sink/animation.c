// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

#include "io/sink/animation.h"

#include <math.h>
#include <string.h>

#include "base/file.h"
#include "base/message.h"
#include "io/kind.h"
#include "io/mesh/file.h"

// No file may be larger: GLB files end there.
#define MOST_BYTES ((uint64_t)4 << 30)

void snAnimationDef_Init(snAnimationDef* def)
{
    *def = (snAnimationDef){.size = sizeof(snAnimationDef), .frame_rate = 60};
}

void snAnimation_Free(snAnimation* a)
{
    if (a) {
        snHost host = a->host;
        snRig_Release(a->rig);
        snArena_Free(&a->arena);
        snHost_Release(&host, a->file, a->size + 1);
        snHost_Release(&host, a, sizeof(*a));
    }
}

bool snAnimation_BuildSurface(snAnimation* a, snAnimationSurface* s)
{
    s->position = snArena_Push(&a->arena, 3 * (size_t)s->vertex_count, sizeof(float));
    s->normal = snArena_Push(&a->arena, 3 * (size_t)s->vertex_count, sizeof(float));
    s->triangles = snArena_Push(&a->arena, 3 * (size_t)s->triangle_count, sizeof(int32_t));
    return !a->arena.failed;
}

// Lays out what snAnimation_Frame shows.
static snStatus makeFrame(snAnimation* a, snMessage* why)
{
    int32_t most = 0;
    a->characters = snArena_Push(&a->arena, (size_t)a->surface_count, sizeof(snFrameCharacter));
    a->shown = snArena_Push(&a->arena, (size_t)a->surface_count, sizeof(snFrameSurface));
    for (int32_t i = 0; i < a->surface_count && !a->arena.failed; ++i) {
        const snAnimationSurface* s = &a->surfaces[i];
        a->shown[i] = (snFrameSurface){s->vertex_count, s->triangle_count, s->position, s->normal,
                                       s->triangles};
        a->characters[i] =
            (snFrameCharacter){.name = s->name, .surface_count = 1, .surfaces = &a->shown[i]};
        most = s->vertex_count > most ? s->vertex_count : most;
    }
    a->sums = snArena_Push(&a->arena, (size_t)most, sizeof(snVec3));
    a->frame.character_count = a->surface_count;
    a->frame.characters = a->characters;
    return a->arena.failed ? snFail(why, sn_errorMemory, "out of memory") : sn_ok;
}

// Takes the place of a zeroed animation that was filled, or frees it.
static snStatus finish(snAnimation* a, snStatus status, snAnimation** animation, snMessage* why)
{
    status = status ? status : makeFrame(a, why);
    if (status) {
        snAnimation_Free(a);
        return status;
    }
    *animation = a;
    snMessage_Clear(why);
    return sn_ok;
}

static snStatus begin(const snHost* host, snAnimation** animation, snMessage* why)
{
    snHost taken;
    snStatus status = snHost_Take(host, &taken, why);
    *animation = status ? NULL : snHost_Allocate(&taken, sizeof(snAnimation));
    if (*animation) {
        (*animation)->host = taken;
        snArena_Init(&(*animation)->arena, &taken);
    }
    return status || *animation ? status : snFail(why, sn_errorMemory, "out of memory");
}

snStatus snAnimation_Parse(const snHost* host, snAnimationKind kind, const uint8_t* bytes,
                           size_t count, const snSurface* mesh, double frame_rate,
                           snAnimation** animation, snMessage* why)
{
    snAnimation* a;
    *animation = NULL;
    snStatus status = begin(host, &a, why);
    if (status) {
        return status;
    }
    if (kind == sn_animationGlb) {
        status = snRig_Parse(&a->host, bytes, count, "animation", &a->rig, why);
        status = status ? status : snGlb_ReadClip(a, NULL, why);
    } else {
        status = kind == sn_animationPc2 ? snPc2_Parse(a, bytes, count, mesh, frame_rate, why)
                                         : snMdd_Parse(a, bytes, count, mesh, why);
    }
    return finish(a, status, animation, why);
}

// Loading -----------------------------------------------------------------------

// The kind that a path's extension means; -1 when there is none
static int findKind(const char* path)
{
    const snFileKind* kind = snFileKind_OfPath(path);
    snKindNumber number = snKind_OfPath(path);
    return !kind || !(kind->reads & sn_fileFrames) ? -1
           : number == sn_kindPc2                  ? (int)sn_animationPc2
           : number == sn_kindMdd                  ? (int)sn_animationMdd
                                                   : (int)sn_animationGlb;
}

static snStatus checkDef(const char* path, int kind, const snAnimationDef* def, snMessage* why)
{
    if (def->size != sizeof(snAnimationDef)) {
        return snFail(why, sn_errorArgument, "the def was not set up with snAnimationDef_Init");
    }
    if (!(def->frame_rate >= 1e-3 && def->frame_rate <= 1e6)) {
        return snFail(why, sn_errorArgument, "frame_rate must lie in 0.001..1e6, found %g",
                      def->frame_rate);
    }
    if (kind < 0) {
        char known[128];
        return snFail(why, sn_errorUnsupported,
                      "cannot read '%s' as an animation: its name does not end with %s", path,
                      snFileKind_List(sn_fileFrames, 0, known, sizeof known));
    }
    if (def->mesh && kind == sn_animationGlb) {
        return snFail(why, sn_errorArgument,
                      "'%s' has triangles of its own; a mesh is for .pc2 and .mdd files", path);
    }
    if (def->clip && kind != sn_animationGlb) {
        return snFail(why, sn_errorArgument, "'%s' has no clips; a clip is for rigs (.glb ...)",
                      path);
    }
    return sn_ok;
}

static snStatus loadRig(const snHost* host, const char* path, const char* clip,
                        snAnimation** animation, snMessage* why)
{
    snAnimation* a;
    snStatus status = begin(host, &a, why);
    if (status) {
        return status;
    }
    status = snRig_Load(&a->host, path, &a->rig, why);
    if (!status) {
        status = snGlb_ReadClip(a, clip, why);
        if (status) {
            snMessage_Prefix(why, "%.300s", path);
        }
    }
    return finish(a, status, animation, why);
}

// Triangles for points that are known by their numbers alone
static snStatus readMesh(snArena* arena, const char* path, snMeshFile* mesh, snMessage* why)
{
    const snFileKind* kind = snFileKind_OfPath(path);
    if (kind && kind->reads & sn_fileRig) {
        return snFail(why, sn_errorUnsupported,
                      "%.300s: it is a rig, on which Blender plays the cache by the script "
                      "that 'sinew bake' writes beside it; here give one mesh as .obj, .ply "
                      "or .off",
                      path);
    }
    snStatus status = snMeshFile_Read(arena, path, mesh, why);
    if (!status && strncmp(mesh->facts.format, "STL", 3) == 0) {
        status = snFail(why, sn_errorUnsupported,
                        "%.300s: STL keeps no order of vertices, so the points would be joined "
                        "wrongly; give the mesh as .obj, .ply or .off, for example the first file "
                        "of 'sinew run ... -o x.obj'",
                        path);
    }
    return status;
}

snStatus snAnimation_Load(const snHost* host, const char* path, const snAnimationDef* def,
                          snAnimation** animation, snMessage* why)
{
    if (!path || !animation) {
        return snFail(why, sn_errorArgument, "snAnimation_Load: %s is NULL",
                      path ? "animation" : "path");
    }
    *animation = NULL;
    snAnimationDef usual;
    snAnimationDef_Init(&usual);
    def = def ? def : &usual;
    int kind = findKind(path);
    snStatus status = checkDef(path, kind, def, why);
    if (status || kind == sn_animationGlb) {
        return status ? status : loadRig(host, path, def->clip, animation, why);
    }
    snArena arena;
    snMeshFile mesh = {0};
    uint8_t* bytes = NULL;
    size_t count = 0;
    snArena_Init(&arena, host);
    status = def->mesh ? readMesh(&arena, def->mesh, &mesh, why) : sn_ok;
    if (!status) {
        size_t limit = MOST_BYTES < SIZE_MAX ? (size_t)MOST_BYTES : SIZE_MAX / 2;
        status = snFile_Read(host, path, limit, &bytes, &count, why);
    }
    if (!status && count == 0) {
        snHost_Release(host, bytes, 1);
        status = snFail(why, sn_errorFile, "%.300s: the file is empty; write it again", path);
    } else if (!status) {
        status =
            snAnimation_Parse(host, (snAnimationKind)kind, bytes, count,
                              def->mesh ? &mesh.surface : NULL, def->frame_rate, animation, why);
        if (*animation) {
            (*animation)->file = bytes;
            (*animation)->size = count;
        } else {
            snMessage_Prefix(why, "%s", path);
            snHost_Release(host, bytes, count + 1);
        }
    }
    snArena_Free(&arena);
    return status;
}

// Showing -----------------------------------------------------------------------

int64_t snAnimation_FrameCount(const snAnimation* a)
{
    return a ? a->frame_count : 0;
}

double snAnimation_Time(const snAnimation* a, int64_t frame)
{
    return a && frame >= 0 && frame < a->frame_count ? a->times[frame] : 0;
}

double snAnimation_Misfit(const snAnimation* a)
{
    return a ? a->misfit : 0;
}

// Weighted by area; up where there is none.
static void fillNormals(const snAnimationSurface* s, snVec3* sums)
{
    memset(sums, 0, (size_t)s->vertex_count * sizeof(*sums));
    for (size_t t = 0; t < 3 * (size_t)s->triangle_count; t += 3) {
        snVec3 p[3];
        for (size_t k = 0; k < 3; ++k) {
            const float* x = s->position + 3 * (size_t)s->triangles[t + k];
            p[k] = snV3((double)x[0], (double)x[1], (double)x[2]);
        }
        snVec3 cross = snTriangleCross(p[0], p[1], p[2]);
        for (size_t k = 0; k < 3; ++k) {
            sums[s->triangles[t + k]] = snAdd(sums[s->triangles[t + k]], cross);
        }
    }
    for (size_t i = 0; i < (size_t)s->vertex_count; ++i) {
        snVec3 n = snNormalize(sums[i]);
        bool none = !(snLengthSq(n) > 0.5);
        s->normal[3 * i] = none ? 0 : (float)n.x;
        s->normal[3 * i + 1] = none ? 1 : (float)n.y;
        s->normal[3 * i + 2] = none ? 0 : (float)n.z;
    }
}

snStatus snAnimation_Frame(snAnimation* a, int64_t number, const snFrame** frame, snMessage* why)
{
    if (!a || !frame) {
        return snFail(why, sn_errorArgument, "snAnimation_Frame: %s is NULL",
                      a ? "frame" : "animation");
    }
    *frame = NULL;
    if (number < 0 || number >= a->frame_count) {
        return snFail(why, sn_errorArgument, "there is no frame %lld; there are %lld, from 0",
                      (long long)number, (long long)a->frame_count);
    }
    a->pose(a, number);
    for (int32_t i = 0; i < a->surface_count; ++i) {
        const snAnimationSurface* s = &a->surfaces[i];
        bool good = true;
        for (size_t k = 0; k < 3 * (size_t)s->vertex_count; ++k) {
            good &= fabs((double)s->position[k]) <= SN_ANIMATION_LARGEST;
        }
        if (!good) {
            return snFail(why, sn_errorFile,
                          "frame %lld: a vertex of '%s' is not at a place (its coordinates are not "
                          "finite, or beyond %g)",
                          (long long)number, s->name, SN_ANIMATION_LARGEST);
        }
        fillNormals(s, a->sums);
    }
    a->frame.time = a->times[number];
    a->frame.step = number;
    *frame = &a->frame;
    snMessage_Clear(why);
    return sn_ok;
}
