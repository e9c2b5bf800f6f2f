// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

#include "cli/remarks.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdbool.h>

void printMesh(FILE* out, const char* path, const snMeshFacts* f)
{
    fprintf(out, "%s: %s, ", path, f->format);
    if (f->tet_count > 0) {
        fprintf(out, "%" PRId32 " nodes, %" PRId32 " tets, %" PRId32 " faces around them",
                f->node_count, f->tet_count, f->triangle_count);
    } else {
        fprintf(out, "%" PRId32 " vertices, %" PRId32 " triangles", f->vertex_count,
                f->triangle_count);
    }
    fprintf(out, "; %.4g x %.4g x %.4g, volume %.4g in the file's units\n", f->high.x - f->low.x,
            f->high.y - f->low.y, f->high.z - f->low.z, f->volume);
    if (f->other_elements > f->other_volumes) {
        fprintf(out, "  %" PRId64 " points, edges and faces are passed over\n",
                f->other_elements - f->other_volumes);
    }
}

void printSceneFacts(FILE* out, const char* name, const snScene* scene)
{
    const snSceneDef* d = snScene_Def(scene);
    int count = (int)snScene_CharacterCount(scene);
    fprintf(out,
            "%s: scene, %d character%s, %g s at %g frames/s, method %s, %s integrator, gravity "
            "(%g, %g, %g) m/s^2\n",
            name, count, count == 1 ? "" : "s", d->duration, d->frame_rate, d->method,
            snIntegrator_Name(d->integrator), d->gravity.x, d->gravity.y, d->gravity.z);
    if (d->ground) {
        fprintf(out, "  ground at %g m, friction %g\n", d->ground_height, d->friction);
    }
    int obstacles = (int)snScene_ObstacleCount(scene);
    if (obstacles > 0) {
        fprintf(out, "  %d obstacle%s, friction %g, restitution %g, contact by %s\n", obstacles,
                obstacles == 1 ? "" : "s", d->friction, d->restitution,
                snContactMode_Name(d->contact));
    }
}

typedef struct Remarks {
    FILE* out;
    int count;
} Remarks;

// Says it when n > 0.
static void remark(Remarks* r, int64_t n, const char* format, ...)
{
    va_list list;
    va_start(list, format);
    if (n > 0 && r->out) {
        fprintf(r->out, "  %" PRId64 " ", n);
        vfprintf(r->out, format, list);
        fprintf(r->out, "\n");
    }
    va_end(list);
    r->count += n > 0;
}

static void remarkTets(Remarks* r, const snMeshFacts* f)
{
    // when all are, the writer has another convention
    bool all = f->turned_tets == f->tet_count;
    remark(r, all ? 0 : f->turned_tets,
           "tets are inside out, the first is %" PRId64 "; they are turned", f->first_turned_tet);
    remark(r, f->flat_tets,
           "tets have no volume, the first is %" PRId64
           "; they are left out. Mesh again if cracks open there",
           f->first_flat_tet);
    remark(r, f->duplicate_tets,
           "tets repeat earlier ones, the first is %" PRId64 "; they are left out",
           f->first_duplicate_tet);
    remark(r, f->sliver_tets,
           "tets are slivers, the worst is %" PRId64
           " with %.2g %% of a good one's volume; they make steps short. Mesh again with better "
           "quality if runs are slow",
           f->worst_tet, 100 * f->worst_shape);
    remark(r, f->stray_nodes, "nodes belong to no tet, the first is %" PRId64 "; they are left out",
           f->first_stray_node);
    remark(r, f->crowded_faces,
           "faces have more tets than fit: tets overlap there. Mesh again if that is not meant");
    remark(r, f->tet_parts > 1 ? f->tet_parts : 0,
           "parts share no node and will fall apart; join them, or take one part only");
    remark(r, f->other_volumes,
           "hexahedra, prisms or pyramids are not taken, so the body lacks them; split them into "
           "tets");
}

static void remarkSurface(Remarks* r, const snMeshFacts* f)
{
    remark(r, f->open_edges,
           "edges have a triangle on one side only: the surface is open. The body is what it winds "
           "around; close the holes if that is not what you mean");
    remark(r, f->misoriented_edges,
           "edges join triangles that face opposite ways, which makes holes in the body; turn them "
           "consistently (Blender: Recalculate Outside)");
    remark(r, f->crowded_edges,
           "edges have three triangles or more; remove inner faces if the body is not as you "
           "expect");
    remark(r, f->degenerate_count, "triangles name a vertex twice; they count for nothing");
    remark(r, f->duplicate_count, "triangles repeat others; remove them");
    remark(r, f->unused_count, "vertices belong to no triangle; they move along with the flesh");
    if (f->volume < 0 && f->open_edges == 0) {
        ++r->count;
        if (r->out) {
            fprintf(r->out,
                    "  the surface is inside out; turn its faces (Blender: Flip Normals)\n");
        }
    }
}

int printRemarks(FILE* out, const snMeshFacts* facts)
{
    Remarks r = {out, 0};
    if (facts->tet_count > 0) {
        remarkTets(&r, facts);
    } else {
        remarkSurface(&r, facts);
    }
    return r.count;
}

// Gaps this much longer than the shortest look as if frames were missing.
#define LONG_GAP 1.5

int printTimeRemarks(FILE* out, const snAnimation* animation)
{
    Remarks r = {out, 0};
    int64_t twins = 0, first_twin = 0, longest_at = 0;
    double shortest = 1e300, longest = 0;
    for (int64_t i = 1; i < snAnimation_FrameCount(animation); ++i) {
        double gap = snAnimation_Time(animation, i) - snAnimation_Time(animation, i - 1);
        first_twin = gap <= 0 && twins == 0 ? i : first_twin;
        twins += gap <= 0;
        shortest = gap > 0 && gap < shortest ? gap : shortest;
        longest_at = gap > longest ? i : longest_at;
        longest = gap > longest ? gap : longest;
    }
    remark(&r, twins,
           "frames are at the time of the one before, the first is %" PRId64
           "; players show one of them. Write it again with times that grow",
           first_twin);
    if (longest > LONG_GAP * shortest) {
        ++r.count;
        fprintf(out,
                "  frames are %.4g to %.4g s apart, most before frame %" PRId64
                "; are some missing there?\n",
                shortest, longest, longest_at);
    }
    return r.count;
}
