// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

#include "cli/remarks.h"
#include "cli/setting.h"

#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdbool.h>
#include <string.h>

const char* plural(int64_t count)
{
    return count == 1 ? "" : "s";
}

void printMesh(FILE* out, const char* path, const snMeshFacts* f)
{
    fprintf(out, "%s: %s, ", path, f->format);
    if (f->tet_count > 0) {
        fprintf(out, "%" PRId32 " nodes, %" PRId32 " tet%s, %" PRId32 " faces around %s",
                f->node_count, f->tet_count, plural(f->tet_count), f->triangle_count,
                f->tet_count == 1 ? "it" : "them");
    } else {
        fprintf(out, "%" PRId32 " vertices, %" PRId32 " triangle%s", f->vertex_count,
                f->triangle_count, plural(f->triangle_count));
        if (f->shells > 1 && f->seam_edges == 0) {
            fprintf(out, " in %" PRId32 " parts", f->shells);
        }
    }
    fprintf(out, "; %.4g x %.4g x %.4g, volume %.4g in the file's units\n", f->high.x - f->low.x,
            f->high.y - f->low.y, f->high.z - f->low.z, fabs(f->volume));
    int64_t others = f->other_elements - f->other_volumes;
    if (others > 0) {
        fprintf(out,
                others == 1 ? "  %" PRId64 " point, edge or face is passed over\n"
                            : "  %" PRId64 " points, edges and faces are passed over\n",
                others);
    }
}

void printSceneFacts(FILE* out, const char* name, const snScene* scene)
{
    const snSceneDef* d = snScene_Def(scene);
    int count = (int)snScene_CharacterCount(scene);
    fprintf(out,
            "%s: scene, %d character%s, %g s at %g frames/s, method %s, gravity (%g, %g, %g) "
            "m/s^2\n",
            name, count, count == 1 ? "" : "s", d->duration, d->frame_rate, d->method, d->gravity.x,
            d->gravity.y, d->gravity.z);
    if (d->ground) {
        fprintf(out, "  ground at %g m, friction %g\n", d->ground_height, d->friction);
    }
    int obstacles = (int)snScene_ObstacleCount(scene);
    if (obstacles > 0) {
        fprintf(out, "  %d obstacle%s, friction %g, restitution %g\n", obstacles,
                obstacles == 1 ? "" : "s", d->friction, d->restitution);
    }
    printChosen(out, scene);
}

typedef struct Remarks {
    FILE* out;
    int count;
} Remarks;

#define REMARK_BYTES 512

// Says it when n > 0, with n before it. "tet{s} {is|are} flat": what is for one and for more.
static void remark(Remarks* r, int64_t n, const char* format, ...)
{
    va_list list;
    va_start(list, format);
    if (n > 0 && r->out) {
        char text[REMARK_BYTES];
        vsnprintf(text, sizeof text, format, list);
        fprintf(r->out, "  %" PRId64 " ", n);
        for (const char* c = text; *c; ++c) {
            size_t one = strcspn(c, "|}"), end = strcspn(c, "}");
            bool both = one < end;
            if (*c != '{') {
                fputc(*c, r->out);
            } else if (n == 1) {
                fprintf(r->out, "%.*s", both ? (int)one - 1 : 0, c + 1);
                c += end;
            } else {
                size_t from = both ? one + 1 : 1;
                fprintf(r->out, "%.*s", (int)(end - from), c + from);
                c += end;
            }
        }
        fprintf(r->out, "\n");
    }
    va_end(list);
    r->count += n > 0;
}

// One without a number before it
static void say(Remarks* r, const char* format, ...)
{
    va_list list;
    va_start(list, format);
    if (r->out) {
        fprintf(r->out, "  ");
        vfprintf(r->out, format, list);
        fprintf(r->out, "\n");
    }
    va_end(list);
    ++r->count;
}

static void remarkTets(Remarks* r, const snMeshFacts* f)
{
    // when all are, the writer has another convention
    bool all = f->turned_tets == f->tet_count;
    remark(r, all ? 0 : f->turned_tets,
           "tet{s} {is|are} inside out, the first is %" PRId64 "; {it is|they are} turned",
           f->first_turned_tet);
    remark(r, f->flat_tets,
           "tet{s} {has|have} no volume, the first is %" PRId64
           "; {it is|they are} left out. Mesh again if cracks open there",
           f->first_flat_tet);
    remark(r, f->duplicate_tets,
           "tet{s} {repeats an earlier one|repeat earlier ones}, the first is %" PRId64
           "; {it is|they are} left out",
           f->first_duplicate_tet);
    remark(r, f->sliver_tets,
           "tet{s} {is a sliver|are slivers}, the worst is %" PRId64
           " with %.2g %% of a good one's volume; {it makes|they make} steps short. Mesh again "
           "with better quality if runs are slow",
           f->worst_tet, 100 * f->worst_shape);
    remark(r, f->stray_nodes,
           "node{s} {belongs|belong} to no tet, the first is %" PRId64
           "; {it is|they are} left out",
           f->first_stray_node);
    remark(r, f->crowded_faces,
           "face{s} {has|have} more tets than fit: tets overlap there. Mesh again if that is not "
           "meant");
    remark(r, f->tet_parts > 1 ? f->tet_parts : 0,
           "parts share no node and will fall apart; join them, or take one part only");
    remark(r, f->other_volumes,
           "{hexahedron, prism or pyramid is|hexahedra, prisms or pyramids are} not taken, so the "
           "body lacks {it; split it|them; split them} into tets");
}

static void remarkSurface(Remarks* r, const snMeshFacts* f)
{
    // where exporters cut it, a surface only looks open
    remark(r, f->seam_edges > 0 ? f->twin_vertices : 0,
           "{vertex lies|vertices lie} at the place of another one, which cuts the surface along "
           "%" PRId32 " edges; the body is the same. Join them for a mesh that is whole (Blender: "
           "Merge by Distance)",
           f->seam_edges);
    remark(r, f->open_edges - f->seam_edges,
           "edge{s} {has|have} a triangle on one side only: the surface is open. The body is what "
           "it winds around; close the holes if that is not what you mean");
    remark(r, f->misoriented_edges,
           "edge{s} {joins|join} triangles that face opposite ways, which makes holes in the body; "
           "turn them consistently (Blender: Recalculate Outside)");
    remark(r, f->crowded_edges,
           "edge{s} {has|have} three triangles or more; remove inner faces if the body is not as "
           "you expect");
    remark(r, f->degenerate_count,
           "triangle{s} {names|name} a vertex twice; {it counts|they count} for nothing");
    remark(r, f->duplicate_count,
           "triangle{s} {repeats another; remove it|repeat others; remove "
           "them}");
    remark(r, f->unused_count,
           "{vertex belongs|vertices belong} to no triangle; {it moves|they move} along with the "
           "flesh");
    if (f->volume < 0 && f->open_edges == f->seam_edges) {
        say(r, "the surface is inside out; it is taken the other way round");
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

// Bodies ----------------------------------------------------------------------

// Volumes that differ by less are the same: the body's is sampled, and open surfaces have none.
#define SAME_VOLUME 1.25

int printVolumeRemark(FILE* out, const snMeshFacts* facts, const snScene* scene)
{
    Remarks r = {out, 0};
    const snFleshInfo* flesh = snCharacter_Flesh(snScene_Character(scene, 0));
    double size[2] = {0, 0}, volume = fabs(facts->volume);
    if (!flesh || facts->tet_count > 0) {
        return 0;
    }
    const double sides[3] = {facts->high.x - facts->low.x, facts->high.y - facts->low.y,
                             facts->high.z - facts->low.z};
    for (int k = 0; k < 3; ++k) {
        double low = (double)INFINITY, high = -low;
        for (size_t i = 0; i < 3 * (size_t)flesh->triangle_count; ++i) {
            double x = flesh->vertices[3 * (size_t)flesh->triangles[i] + (size_t)k];
            low = fmin(low, x);
            high = fmax(high, x);
        }
        size[0] = fmax(size[0], sides[k]);
        size[1] = fmax(size[1], high - low);
    }
    double scale = size[1] / size[0], wound = flesh->volume / (scale * scale * scale);
    if (volume > SAME_VOLUME * wound || wound > SAME_VOLUME * volume) {
        say(&r,
            "the triangles enclose %.4g, parts that overlap counted twice and parts that face "
            "the other way subtracted; the body is what they wind around, %.4g. Look at it with "
            "'sinew render --show surface,mesh'",
            volume, wound);
    }
    return r.count;
}

// One digit that counts
static double roundYoung(double young)
{
    double power = pow(10, floor(log10(young)));
    return power * floor(young / power + 0.5);
}

int printSoftRemarks(FILE* out, const snScene* scene)
{
    Remarks r = {out, 0};
    const snSceneDef* d = snScene_Def(scene);
    double gravity = sqrt(d->gravity.x * d->gravity.x + d->gravity.y * d->gravity.y +
                          d->gravity.z * d->gravity.z) /
                     SN_GRAVITY;
    bool lands = d->ground || snScene_ObstacleCount(scene) > 0;
    for (int32_t i = 0; i < snScene_CharacterCount(scene) && lands; ++i) {
        const snCharacter* c = snScene_Character(scene, i);
        const snFleshInfo* flesh = snCharacter_Flesh(c);
        double advised = flesh ? gravity * flesh->young_advised : 0;
        if (flesh && flesh->young < 0.25 * advised) {
            double low = (double)INFINITY, high = -low;
            for (int32_t k = 0; k < flesh->vertex_count; ++k) {
                low = fmin(low, flesh->vertices[3 * (size_t)k + 1]);
                high = fmax(high, flesh->vertices[3 * (size_t)k + 1]);
            }
            say(&r,
                "'%s': young %.3g kPa is too soft for a body %.2g m tall, which sinks into a heap "
                "under its own weight; try %.3g kPa",
                snCharacter_Name(c), 1e-3 * flesh->young, high - low, 1e-3 * roundYoung(advised));
        }
    }
    return r.count;
}

int32_t nodesOfBone(const snFleshInfo* flesh, int32_t bone)
{
    int32_t count = 0;
    for (int32_t i = 0; i < flesh->node_count; ++i) {
        count += flesh->fixed[i] == bone;
    }
    return count;
}

// A bone holds about a node a cell along its length; with fewer the flesh slips.
#define LEAST_NODES 0.75

int printBoneRemarks(FILE* out, const snCharacter* character)
{
    Remarks r = {out, 0};
    const snFleshInfo* flesh = snCharacter_Flesh(character);
    const snSkeleton* skeleton = snCharacter_Skeleton(character);
    for (int32_t i = 0; flesh && i < snSkeleton_BoneCount(skeleton); ++i) {
        const snBoneDef* b = snSkeleton_Bone(skeleton, i);
        double length = sqrt(b->tip.x * b->tip.x + b->tip.y * b->tip.y + b->tip.z * b->tip.z);
        int32_t nodes = nodesOfBone(flesh, i);
        if (length > flesh->cell_size && nodes < LEAST_NODES * length / flesh->cell_size) {
            say(&r,
                "bone '%s' of '%s' is %.3g m long and holds %d node%s: flesh there hardly follows "
                "it. More cells (of less than %.2g m) or a larger radius of the bone help",
                b->name, snCharacter_Name(character), length, (int)nodes, plural(nodes),
                flesh->cell_size);
        }
    }
    return r.count;
}

// Animations ------------------------------------------------------------------

// A larger share of edges with other lengths is no deformation.
#define MOST_MISFIT 0.1

int printFitRemark(FILE* out, const snAnimation* animation)
{
    Remarks r = {out, 0};
    double misfit = snAnimation_Misfit(animation);
    if (misfit > MOST_MISFIT) {
        say(&r,
            "%.0f %% of the mesh's edges have quite other lengths at the first frame: its "
            "vertices most likely are in another order. Give --mesh the mesh that the cache was "
            "made of, as .obj, .ply or .off",
            100 * misfit);
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
           "frame{s} {is|are} at the time of the one before, the first is %" PRId64
           "; players show one of them. Write it again with times that grow",
           first_twin);
    if (longest > LONG_GAP * shortest) {
        say(&r,
            "frames are %.4g to %.4g s apart, most before frame %" PRId64
            "; are some missing there?",
            shortest, longest, longest_at);
    }
    return r.count;
}
