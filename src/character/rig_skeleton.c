// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

#include "character/rig_skeleton.h"

#include <stdio.h>

#include "geom/nearest.h"
#include "geom/winding.h"
#include "rig/bind_pose.h"
#include "skel/joint.h"

// Water, as flesh nearly is
#define DENSITY 1000.0

// Part of the flesh about a bone that counts as bone: about that of a skeleton in a body
#define BONY 0.15

// Samples along the longest side of the body, which are cubes; any place in the cells of flesh is
// nearer to a node than the second, in sides of the lattice's cubes.
#define SAMPLES 64
#define COVERED 0.56

// A bone that moves skin without volume weighs this part of what its share of the skin would, as a
// ball of this size.
#define THIN 0.02
#define BALL 0.02

// Limits bounce at this frequency.
#define LIMIT_HZ 10.0

#define DIRECTIONS 26

// Moments of masses in a bone's frame
typedef struct Moments {
    double m;
    snVec3 mx;
    snSym3 mxx;
} Moments;

typedef struct Maker {
    snArena* arena;
    snArena scratch;
    snRigSkeleton* out;
    const snMatrix* nodes; // the pose
    snMatrix* map;         // (count)
    Moments* bones;        // (count)
    Moments* flesh;        // that jiggles; (count)
    Moments* skin;         // of vertices, as if each weighed 1; (count)
    snMessage* why;
} Maker;

static snStatus failMemory(const Maker* m)
{
    return snFail(m->why, sn_errorMemory, "no memory for the skeleton");
}

static void addMass(Moments* at, double m, snVec3 x, double spread)
{
    at->m += m;
    at->mx = snMulAdd(at->mx, m, x);
    at->mxx.xx += m * (x.x * x.x + spread);
    at->mxx.yy += m * (x.y * x.y + spread);
    at->mxx.zz += m * (x.z * x.z + spread);
    at->mxx.xy += m * x.x * x.y;
    at->mxx.xz += m * x.x * x.z;
    at->mxx.yz += m * x.y * x.z;
}

static void addBall(Moments* at, double m, snVec3 x, double radius)
{
    addMass(at, m, x, 0.2 * radius * radius);
}

static snMass massOf(const Moments* at)
{
    snVec3 c = snScale(at->m > 0 ? 1 / at->m : 0, at->mx);
    double xx = at->mxx.xx - at->m * c.x * c.x, yy = at->mxx.yy - at->m * c.y * c.y;
    double zz = at->mxx.zz - at->m * c.z * c.z;
    snSym3 I = {yy + zz,
                xx + zz,
                xx + yy,
                -(at->mxx.xy - at->m * c.x * c.y),
                -(at->mxx.xz - at->m * c.x * c.z),
                -(at->mxx.yz - at->m * c.y * c.z)};
    return (snMass){at->m, c, I};
}

// Frames ---------------------------------------------------------------------------

snJointFrame snRigSkeleton_See(const snRigSkeleton* rig_skeleton, int32_t bone,
                               const snMatrix* nodes)
{
    const snRigJoint* j = &rig_skeleton->joints->joints[bone];
    snJointFrame own = snRigJoint_Frame(j, nodes);
    if (j->parent < 0) {
        return own;
    }
    snJointFrame up = snRigJoint_Frame(&rig_skeleton->joints->joints[j->parent], nodes);
    return snJointFrame_From(&up, &own);
}

void snRigSkeleton_Read(const snRigSkeleton* rig_skeleton, const snMatrix* nodes, double* q)
{
    double unit = rig_skeleton->body->unit;
    for (int32_t b = 0; b < rig_skeleton->joints->count; ++b) {
        const snRigJoint* j = &rig_skeleton->joints->joints[b];
        double* at = q + rig_skeleton->skeleton->bones[b].qi;
        snJointFrame seen = snRigSkeleton_See(rig_skeleton, b, nodes);
        snQuat turn = j->parent < 0 ? seen.q : snQMul(snQConj(j->rest), seen.q);
        if (j->type == sn_jointRevolute) {
            double swing;
            snJoint_Split(j->axis, turn, &swing, at);
        } else if (j->type == sn_jointBall) {
            snStoreQ(at, turn);
        } else if (j->type == sn_jointFree) {
            snVec3 p =
                j->parent < 0 ? seen.p : snQRotate(snQConj(j->rest), snSub(seen.p, j->place));
            snStore3(at, snScale(unit, p));
            snStoreQ(at + 3, turn);
        }
    }
}

// From the bind pose to the frames of bones
static snStatus findMaps(Maker* m)
{
    const snRigBody* body = m->out->body;
    const snRigJoints* joints = m->out->joints;
    snMatrix* bind = snArena_Push(&m->scratch, (size_t)body->rig->info.node_count, sizeof *bind);
    if (!bind) {
        return failMemory(m);
    }
    snStatus status = snRig_BindPose(body->rig, bind, m->why);
    for (int32_t b = 0; b < joints->count && !status; ++b) {
        int32_t n = joints->joints[b].node;
        bool ok;
        snMatrix back = snMatrix_Inverse(&bind[n], &ok);
        if (!ok) {
            return snFail(m->why, sn_errorArgument, "joint '%.60s' is flat in the bind pose",
                          body->rig->nodes[n].name);
        }
        snJointFrame frame = snRigJoint_Frame(&joints->joints[b], m->nodes);
        snMatrix moved = snMatrix_Mul(&m->nodes[n], &back);
        snQuat turn = snQConj(frame.q);
        m->map[b] =
            (snMatrix){snQRotate(turn, moved.x), snQRotate(turn, moved.y), snQRotate(turn, moved.z),
                       snScale(body->unit, snQRotate(turn, snSub(moved.p, frame.p)))};
    }
    return status;
}

static snStatus findBones(Maker* m)
{
    const snRigBody* body = m->out->body;
    int32_t* bone = snArena_Push(m->arena, (size_t)body->joint_count, sizeof *bone);
    if (!bone) {
        return failMemory(m);
    }
    for (int32_t j = 0; j < body->joint_count; ++j) {
        bone[j] = m->out->joints->of_node[body->joint[j]];
        if (bone[j] < 0) {
            return snFail(m->why, sn_errorUnsupported,
                          "joint '%.60s' (node %d) moves flesh and hangs on nothing that physics "
                          "moves: it is of another skeleton",
                          body->rig->nodes[body->joint[j]].name, (int)body->joint[j]);
        }
    }
    m->out->bone = bone;
    return sn_ok;
}

// Masses ---------------------------------------------------------------------------

static void addNodes(Maker* m)
{
    const snRigBody* body = m->out->body;
    for (int32_t i = 0; i < body->tets.node_count; ++i) {
        const snNodeWeights* w = &body->weights[i];
        for (int k = 0; k < SN_WEIGHTS_MOST && w->joint[k] >= 0; ++k) {
            int32_t b = m->out->bone[w->joint[k]];
            double part = body->mass[i] * (double)w->weight[k];
            snVec3 x = snMatrix_Point(&m->map[b], body->tets.position[i]);
            addMass(&m->bones[b], body->held[i] ? part : BONY * part, x, 0);
            addMass(&m->flesh[b], body->held[i] ? 0 : part, x, 0);
            m->out->mass += body->held[i] ? part : (1 + BONY) * part;
        }
    }
}

typedef void VisitFcn(Maker* m, int32_t bone, double weight, snVec3 x, double mass);

// Calls for each bone that moves a welded vertex.
static void visitBones(Maker* m, int32_t vertex, VisitFcn* visit, snVec3 x, double mass)
{
    const snRigBody* body = m->out->body;
    const snRig* rig = body->rig;
    int32_t at = body->weld.origin[vertex], instance = 0;
    while (body->weld.first[instance + 1] <= at) {
        ++instance;
    }
    const snRigInstance* shown = &rig->instances[instance];
    const snRigShape* shape = shown->shape;
    int32_t v = at - body->weld.first[instance];
    bool skinned = shown->info.skin >= 0 && shape->first;
    int32_t begin = skinned ? shape->first[v] : 0, end = skinned ? shape->first[v + 1] : 1;
    for (int32_t k = begin; k < end; ++k) {
        int32_t node =
            skinned ? rig->skins[shown->info.skin].joints[shape->joint[k]] : shown->info.node;
        int32_t b = m->out->joints->of_node[node];
        if (b >= 0) {
            visit(m, b, skinned ? (double)shape->weight[k] : 1, x, mass);
        }
    }
}

static void addSkin(Maker* m, int32_t bone, double weight, snVec3 x, double mass)
{
    addMass(&m->skin[bone], mass * weight, snMatrix_Point(&m->map[bone], x), 0);
}

static void addSolid(Maker* m, int32_t bone, double weight, snVec3 x, double mass)
{
    double side = m->out->body->size / SAMPLES;
    addMass(&m->bones[bone], mass * weight, snMatrix_Point(&m->map[bone], x), side * side / 12);
    m->out->mass += mass * weight;
}

// Cubes in the box of the skin
typedef struct Grid {
    snVec3 low;
    double side;
    int32_t nx, ny, nz;
} Grid;

static snVec3 gridPoint(const Grid* g, int64_t i)
{
    int64_t x = i % g->nx, y = i / g->nx % g->ny, z = i / g->nx / g->ny;
    return snAdd(g->low, snScale(g->side, snV3((double)x + 0.5, (double)y + 0.5, (double)z + 0.5)));
}

static int32_t clampCell(double x, int32_t count)
{
    return (int32_t)fmax(0, fmin(count - 1, floor(x)));
}

// Marks samples about nodes of the flesh, which have their mass already.
static void coverSamples(const snRigBody* body, const Grid* g, uint8_t* covered)
{
    double far = COVERED * body->cell;
    for (int32_t i = 0; i < body->tets.node_count; ++i) {
        snVec3 p = snScale(1 / g->side, snSub(body->tets.position[i], g->low));
        double r = far / g->side;
        for (int32_t z = clampCell(p.z - r, g->nz); z <= clampCell(p.z + r, g->nz); ++z) {
            for (int32_t y = clampCell(p.y - r, g->ny); y <= clampCell(p.y + r, g->ny); ++y) {
                for (int32_t x = clampCell(p.x - r, g->nx); x <= clampCell(p.x + r, g->nx); ++x) {
                    int64_t k = ((int64_t)z * g->ny + y) * g->nx + x;
                    snVec3 d = snSub(gridPoint(g, k), body->tets.position[i]);
                    covered[k] |= snLengthSq(d) < far * far;
                }
            }
        }
    }
}

static Grid gridOver(snBox box, double side)
{
    return (Grid){box.lo, side, (int32_t)((box.hi.x - box.lo.x) / side) + 1,
                  (int32_t)((box.hi.y - box.lo.y) / side) + 1,
                  (int32_t)((box.hi.z - box.lo.z) / side) + 1};
}

// The corner of the nearest triangle that is nearest
static int32_t nearestVertex(const snNearest* skin, snVec3 p)
{
    snNearestHit hit;
    if (!snNearest_Find(skin, p, (double)INFINITY, &hit)) {
        return 0;
    }
    const double* w = hit.weight;
    int corner = w[0] >= w[1] && w[0] >= w[2] ? 0 : w[1] >= w[2] ? 1 : 2;
    return skin->surface.triangle[3 * (ptrdiff_t)hit.triangle + corner];
}

// The body inside the skin where no flesh is
static snStatus addRigidParts(Maker* m)
{
    const snRigBody* body = m->out->body;
    const snSurface* s = &body->weld.surface;
    Grid g = gridOver(snSurface_Bounds(s), body->size / SAMPLES);
    int64_t all = (int64_t)g.nx * g.ny * g.nz, count = 0;
    snWinding winding;
    snNearest skin;
    uint8_t* covered = snArena_Push(&m->scratch, (size_t)all, 1);
    snVec3* at = snArena_Push(&m->scratch, (size_t)all, sizeof *at);
    double* w = snArena_Push(&m->scratch, (size_t)all, sizeof *w);
    if (m->scratch.failed) {
        return failMemory(m);
    }
    coverSamples(body, &g, covered);
    for (int64_t i = 0; i < all; ++i) {
        if (!covered[i]) {
            at[count++] = gridPoint(&g, i);
        }
    }
    snStatus status = snWinding_Build(&m->scratch, s, &winding, m->why);
    status = status ? status : snNearest_Build(&m->scratch, s, &skin, m->why);
    status =
        status ? status : snWinding_Batch(&winding, at, count, w, &m->arena->host, NULL, m->why);
    for (int64_t i = 0; i < count && !status; ++i) {
        if (snWinding_IsInside(w[i])) {
            visitBones(m, nearestVertex(&skin, at[i]), addSolid, at[i],
                       DENSITY * g.side * g.side * g.side);
        }
    }
    return status;
}

// Bones of skin without volume, or of no skin at all
static void addThinParts(Maker* m)
{
    const snSurface* s = &m->out->body->weld.surface;
    double radius = BALL * m->out->body->size, whole = m->out->mass;
    for (int32_t v = 0; v < s->vertex_count; ++v) {
        visitBones(m, v, addSkin, s->position[v], 1.0 / s->vertex_count);
    }
    for (int32_t b = 0; b < m->out->joints->count; ++b) {
        const Moments* skin = &m->skin[b];
        snVec3 middle = snScale(skin->m > 0 ? 1 / skin->m : 0, skin->mx);
        double mass = THIN * whole * fmax(skin->m, 1e-3);
        addBall(&m->bones[b], mass, middle, radius);
        m->out->mass += mass;
    }
}

// Bones ----------------------------------------------------------------------------

// A bone with the flesh about it
static Moments wholeOf(const Maker* m, int32_t bone)
{
    Moments all = m->bones[bone];
    all.m += m->flesh[bone].m;
    all.mx = snAdd(all.mx, m->flesh[bone].mx);
    all.mxx = snSymAdd(all.mxx, m->flesh[bone].mxx);
    return all;
}

// Tips to root: moments of inertia about each joint of all that hangs on it, in the pose
static bool measureLimbs(Maker* m)
{
    const snRigJoints* joints = m->out->joints;
    double* limb = snArena_Push(m->arena, (size_t)joints->count, sizeof *limb);
    if (!limb) {
        return false;
    }
    for (int32_t b = 0; b < joints->count; ++b) {
        Moments all = wholeOf(m, b);
        snMass mass = massOf(&all);
        double own = 0.5 * (mass.inertia.xx + mass.inertia.yy + mass.inertia.zz);
        snJointFrame frame = snRigJoint_Frame(&joints->joints[b], m->nodes);
        double unit = m->out->body->unit;
        snVec3 com = snMulAdd(snQRotate(frame.q, mass.com), unit, frame.p);
        for (int32_t up = b; up >= 0; up = joints->joints[up].parent) {
            snJointFrame at = snRigJoint_Frame(&joints->joints[up], m->nodes);
            limb[up] += own + mass.mass * snLengthSq(snMulAdd(com, -unit, at.p));
        }
    }
    m->out->limb = limb;
    return true;
}

static snStatus makeSkeleton(Maker* m)
{
    const snRigJoints* joints = m->out->joints;
    size_t count = (size_t)joints->count;
    snBoneDef* defs = snArena_Push(&m->scratch, count, sizeof *defs);
    char(*names)[16] = snArena_Push(&m->scratch, count, sizeof *names);
    if (!defs || !names) {
        return failMemory(m);
    }
    for (int32_t b = 0; b < joints->count; ++b) {
        const snRigJoint* j = &joints->joints[b];
        snBoneDef* def = &defs[b];
        snBoneDef_Init(def);
        snprintf(names[b], sizeof *names, "%d", (int)b); // names of files may repeat
        def->name = names[b];
        def->parent = j->parent;
        def->joint = j->type;
        def->axis = j->axis;
        def->mass = massOf(&m->bones[b]);
        def->limit_frequency = LIMIT_HZ;
        if (j->parent >= 0) {
            def->anchor = (snTransform){snScale(m->out->body->unit, j->place), j->rest};
        }
        if (j->type == sn_jointRevolute || j->type == sn_jointBall) {
            def->dof[0].lower = j->low, def->dof[0].upper = j->high;
            def->swing = j->type == sn_jointBall ? j->swing : (double)INFINITY;
        }
    }
    snStatus status =
        snSkeleton_Create(&m->arena->host, defs, joints->count, &m->out->skeleton, m->why);
    for (int32_t b = 0; b < joints->count; ++b) {
        Moments all = wholeOf(m, b);
        defs[b].mass = massOf(&all);
    }
    return status ? status
                  : snSkeleton_Create(&m->arena->host, defs, joints->count, &m->out->whole, m->why);
}

// Places of the skin farthest in each of 26 directions, of those that a bone moves alone
typedef struct Extreme {
    double far[DIRECTIONS];
    int32_t vertex[DIRECTIONS]; // -1 = none
} Extreme;

static void addExtremes(Extreme* e, int32_t vertex, snVec3 p)
{
    for (int k = 0, d = 0; k < 27; ++k) {
        if (k != 13) {
            int x = k % 3 - 1, y = k / 3 % 3 - 1, z = k / 9 - 1;
            snVec3 way = snNormalize(snV3(x, y, z));
            double far = snDot(way, p);
            if (e->vertex[d] < 0 || far > e->far[d]) {
                e->far[d] = far;
                e->vertex[d] = vertex;
            }
            ++d;
        }
    }
}

// The bone that moves more than half of a vertex; weights of one bone's joints add up.
static void addOwner(Maker* m, int32_t bone, double weight, snVec3 x, double mass)
{
    (void)x, (void)mass;
    m->skin[bone].m += weight;
}

static int32_t ownerOf(Maker* m, int32_t vertex)
{
    int32_t owner = -1;
    for (int32_t b = 0; b < m->out->joints->count; ++b) {
        m->skin[b].m = 0;
    }
    visitBones(m, vertex, addOwner, snV3(0, 0, 0), 0);
    for (int32_t b = 0; b < m->out->joints->count; ++b) {
        owner = m->skin[b].m > 0.5 ? b : owner;
    }
    return owner;
}

static snStatus findPoints(Maker* m)
{
    const snSurface* s = &m->out->body->weld.surface;
    size_t count = (size_t)m->out->joints->count;
    Extreme* extremes = snArena_Push(&m->scratch, count, sizeof *extremes);
    snRigSkeletonPoint* points = snArena_Push(m->arena, count * DIRECTIONS, sizeof *points);
    if (!extremes || !points) {
        return failMemory(m);
    }
    for (size_t b = 0; b < count; ++b) {
        for (int d = 0; d < DIRECTIONS; ++d) {
            extremes[b].vertex[d] = -1;
        }
    }
    for (int32_t v = 0; v < s->vertex_count; ++v) {
        int32_t owner = ownerOf(m, v);
        if (owner >= 0) {
            addExtremes(&extremes[owner], v, s->position[v]);
        }
    }
    m->out->points = points;
    for (size_t b = 0; b < count; ++b) {
        for (int d = 0; d < DIRECTIONS; ++d) {
            bool twice = extremes[b].vertex[d] < 0;
            for (int k = 0; k < d; ++k) {
                twice = twice || extremes[b].vertex[k] == extremes[b].vertex[d];
            }
            if (!twice) {
                snVec3 x = s->position[extremes[b].vertex[d]];
                points[m->out->point_count++] =
                    (snRigSkeletonPoint){(int32_t)b, snMatrix_Point(&m->map[b], x)};
            }
        }
    }
    return sn_ok;
}

static snStatus make(Maker* m)
{
    size_t count = (size_t)m->out->joints->count;
    m->out->map = m->map = snArena_Push(m->arena, count, sizeof *m->map);
    m->bones = snArena_Push(&m->scratch, count, sizeof *m->bones);
    m->flesh = snArena_Push(&m->scratch, count, sizeof *m->flesh);
    m->skin = snArena_Push(&m->scratch, count, sizeof *m->skin);
    if (!m->map || m->scratch.failed) {
        return failMemory(m);
    }
    snStatus status = findMaps(m);
    status = status ? status : findBones(m);
    if (!status) {
        addNodes(m);
        status = addRigidParts(m);
    }
    if (status) {
        return status;
    }
    addThinParts(m);
    if (!measureLimbs(m)) {
        return failMemory(m);
    }
    status = makeSkeleton(m);
    return status ? status : findPoints(m);
}

snStatus snRigSkeleton_Build(snArena* arena, const snRigBody* body, const snRigJoints* joints,
                             const snMatrix* nodes, snRigSkeleton* out, snMessage* why)
{
    *out = (snRigSkeleton){.body = body, .joints = joints};
    Maker m = {.arena = arena, .out = out, .nodes = nodes, .why = why};
    snArena_Init(&m.scratch, &arena->host);
    snStatus status = make(&m);
    snArena_Free(&m.scratch);
    if (status) {
        snRigSkeleton_Free(out);
    }
    return status;
}

void snRigSkeleton_Free(snRigSkeleton* rig_skeleton)
{
    if (rig_skeleton) {
        snSkeleton_Release(rig_skeleton->skeleton);
        snSkeleton_Release(rig_skeleton->whole);
        rig_skeleton->skeleton = rig_skeleton->whole = NULL;
    }
}
