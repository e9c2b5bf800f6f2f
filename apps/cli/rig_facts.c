// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

#include "cli/rig_facts.h"

#include "cli/cli.h"
#include "cli/kind.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// Joints that are listed, nodes that are shown as a tree, and times at which a clip is looked at
#define MOST_JOINTS 300
#define MOST_NODES 4096
#define TIMES 9

bool holdsMotionOnly(const snRig* rig)
{
    const snRigInfo* f = snRig_Info(rig);
    return f->mesh_count == 0 && f->clip_count > 0;
}

int openRig(const char* path, const PlaybackOptions* options, snRig** rig, bool* skinned)
{
    snMessage why;
    const snHost host = toolHost();
    snStatus status = snRig_Load(&host, path, rig, &why);
    // motion alone has nothing to show as an animation
    *skinned = !status && (snRig_Info(*rig)->skin_count > 0 || holdsMotionOnly(*rig));
    if (*skinned && (options->mesh || options->rate)) {
        return complain(EXIT_BAD_CALL, "--mesh and --rate are for .pc2 and .mdd files");
    }
    return status ? complain(exitCode(status), "%s", why.text) : EXIT_DONE;
}

// Whoever faces +z has the left arm at +x.
double turnOfRig(const snRig* rig)
{
    const snRigInfo* f = snRig_Info(rig);
    int32_t left = snRig_FindHuman(rig, "leftUpperArm"),
            right = snRig_FindHuman(rig, "rightUpperArm");
    snMatrix* nodes = left >= 0 && right >= 0 ? calloc((size_t)f->node_count, sizeof *nodes) : NULL;
    bool back =
        nodes && !snRig_Pose(rig, -1, 0, nodes, NULL, NULL) && nodes[left].p.x < nodes[right].p.x;
    free(nodes);
    return back ? 3.141592653589793 : 0;
}

double turnOfFile(const char* path)
{
    snRig* rig = NULL;
    const snHost host = toolHost();
    double turn =
        isFileOf(path, sn_fileRig) && !snRig_Load(&host, path, &rig, NULL) ? turnOfRig(rig) : 0;
    snRig_Release(rig);
    return turn;
}

static const char* nameOr(const char* name, const char* other)
{
    return name[0] ? name : other;
}

static const char* plural(int32_t count)
{
    return count == 1 ? "" : "s";
}

static void printSize(const snRigInfo* f)
{
    double x = f->high.x - f->low.x, y = f->high.y - f->low.y, z = f->high.z - f->low.z;
    printf("  %.4g wide, %.4g high, %.4g deep in its own pose", x, y, z);
    if (f->unit > 0) {
        printf("; probably in %s: %.3g x %.3g x %.3g m\n", f->unit_name, f->unit * x, f->unit * y,
               f->unit * z);
    } else {
        printf("; no unit makes that a character\n");
    }
}

static void printMeshes(const snRig* rig, const snRigInfo* f)
{
    printf("  %-24s %-20s %9s %9s %7s  %s\n", "mesh", "material", "vertices", "triangles", "morphs",
           "moved by");
    for (int32_t i = 0; i < f->mesh_count; ++i) {
        const snRigMesh* m = snRig_Mesh(rig, i);
        printf("  %-24s %-20s %9d %9d %7d  ", nameOr(m->name, "-"), nameOr(m->material, "-"),
               (int)m->vertex_count, (int)m->triangle_count, (int)m->target_count);
        if (m->skin >= 0) {
            printf("skin %d, up to %d joint%s a vertex\n", (int)m->skin, (int)m->influence_most,
                   plural(m->influence_most));
        } else {
            printf("node %s\n", nameOr(snRig_Node(rig, m->node)->name, "without a name"));
        }
    }
}

static void printClips(const snRig* rig, const snRigInfo* f)
{
    printf("  %-32s %9s %9s  %s\n", "clip", "from (s)", "to (s)", "channels");
    for (int32_t i = 0; i < f->clip_count; ++i) {
        const snRigClip* c = snRig_Clip(rig, i);
        char number[16];
        snprintf(number, sizeof number, "%d", (int)i);
        printf("  %-32s %9.4g %9.4g  %d%s\n", nameOr(c->name, number), c->first, c->last,
               (int)c->channel_count, c->duration > 0 ? "" : " (a single pose)");
    }
}

static int depthOf(const snRig* rig, int32_t joint)
{
    int depth = 0;
    for (int32_t n = snRig_Node(rig, joint)->parent; n >= 0; n = snRig_Node(rig, n)->parent) {
        depth += snRig_Node(rig, n)->is_joint;
    }
    return depth;
}

// A joint and what hangs on it, as a tree; returns how many joints were met
static int printTree(const snRig* rig, const snRigInfo* f, int32_t node, int met)
{
    const snRigNode* n = snRig_Node(rig, node);
    if (n->is_joint && met++ < MOST_JOINTS) {
        printf("  %*s%s\n", 2 * depthOf(rig, node), "", nameOr(n->name, "(no name)"));
    }
    for (int32_t i = node + 1; i < f->node_count && met < MOST_JOINTS; ++i) {
        if (snRig_Node(rig, i)->parent == node) {
            met = printTree(rig, f, i, met);
        }
    }
    return met;
}

static void printJoints(const snRig* rig, const snRigInfo* f)
{
    int met = 0;
    bool tree = f->node_count <= MOST_NODES;
    printf("  joints\n");
    for (int32_t i = 0; i < f->node_count && met < MOST_JOINTS; ++i) {
        const snRigNode* n = snRig_Node(rig, i);
        if (tree && n->parent < 0) {
            met = printTree(rig, f, i, met);
        } else if (!tree && n->is_joint) {
            printf("  %s\n", nameOr(n->name, "(no name)"));
            ++met;
        }
    }
    if (f->joint_count > MOST_JOINTS) {
        printf("  and %d more\n", (int)f->joint_count - MOST_JOINTS);
    }
}

static const char* nameOfKind(const char* kind)
{
    for (int32_t i = 0; snFileKind_At(i); ++i) {
        if (strcmp(snFileKind_At(i)->extension + 1, kind) == 0) {
            return snFileKind_At(i)->name;
        }
    }
    return "of a saved body, made";
}

void printRig(const char* path, const snRig* rig)
{
    const snRigInfo* f = snRig_Info(rig);
    printf("%s: rig (%s%s%s), %d node%s, %d joint%s in %d skin%s, %d mesh%s, %d vertices, %d "
           "triangles, %d clip%s\n",
           path, nameOfKind(f->kind), f->generator[0] ? " by " : "", f->generator,
           (int)f->node_count, plural(f->node_count), (int)f->joint_count, plural(f->joint_count),
           (int)f->skin_count, plural(f->skin_count), (int)f->mesh_count,
           f->mesh_count == 1 ? "" : "es", (int)f->vertex_count, (int)f->triangle_count,
           (int)f->clip_count, plural(f->clip_count));
    if (holdsMotionOnly(rig)) {
        printf("  it holds motion only: there is no mesh in it\n");
    } else {
        printSize(f);
    }
    if (f->human_count > 0) {
        printf("  a humanoid: %d bones have VRM's names\n", (int)f->human_count);
    }
    if (f->mesh_count > 0) {
        printMeshes(rig, f);
    }
    if (f->clip_count > 0) {
        printClips(rig, f);
    }
    if (f->joint_count > 0) {
        printJoints(rig, f);
    }
}

int printRigRemarks(const snRig* rig)
{
    const snRigInfo* f = snRig_Info(rig);
    if (strcmp(f->kind, "fbx") == 0 || strcmp(f->kind, "dae") == 0) {
        printf(
            "  %s becomes glTF in metres, Y up; textures stay where they are, and are named from "
            "there\n",
            nameOfKind(f->kind));
    }
    for (int32_t i = 0; i < f->warning_count; ++i) {
        printf("  %s\n", f->warnings[i]);
    }
    return f->warning_count;
}

// Memory for poses
typedef struct Room {
    snMatrix* nodes;
    double* weights;
    float* positions;
} Room;

static snStatus lookAt(const snRig* rig, int32_t clip, double time, const Room* room,
                       snMessage* why)
{
    snStatus status = snRig_Pose(rig, clip, time, room->nodes, room->weights, why);
    for (int32_t i = 0; i < snRig_Info(rig)->mesh_count && !status; ++i) {
        status = snRig_Skin(rig, i, room->nodes, room->weights, room->positions, NULL, why);
    }
    return status;
}

int checkRigClips(const char* path, const snRig* rig)
{
    const snRigInfo* f = snRig_Info(rig);
    snMessage why;
    Room room = {calloc((size_t)f->node_count + 1, sizeof(snMatrix)),
                 calloc((size_t)f->weight_count + 1, sizeof(double)),
                 calloc((size_t)f->vertex_count + 1, 3 * sizeof(float))};
    bool full = room.nodes && room.weights && room.positions;
    int code = full ? EXIT_DONE : complain(EXIT_RUN_FAILED, "out of memory");
    for (int32_t c = -1; c < f->clip_count && !code; ++c) {
        const snRigClip* clip = snRig_Clip(rig, c);
        for (int k = 0; k < TIMES && !code; ++k) {
            double time = clip ? clip->first + clip->duration * k / (TIMES - 1) : 0;
            if (lookAt(rig, c, time, &room, &why)) {
                code = complain(EXIT_BAD_CALL, "%s: clip %d, %.4g s: %s; export the file again",
                                path, (int)c, time, why.text);
            }
        }
    }
    free(room.nodes);
    free(room.weights);
    free(room.positions);
    return code;
}
