// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

#include "rig/joints.h"

#include "math/svd.h"
#include "math/trig.h"
#include "rig/pose.h"
#include <stdlib.h>

// What moves less of the skin goes with what it hangs on.
#define LEAST_SHARE 0.003

// Of the size: what slides by more does not hang there; what slides by less against another joint
// can hang on that; what slides by more than this hangs on nothing.
#define SLIDE 0.01
#define HOST 0.02
#define LOOSE 0.1

// How much farther away a joint is a worse place to hang on, in slide over distance
#define FARTHER 0.1

// Of a pivot's distance, against how far it moves: see pivotOf
#define SMALL_PIVOT 1e-4

// The root moves no more of the skin itself than the first when it is only a place to hang on;
// beside what it carries then there is no more than the second.
#define BARE 0.02
#define BESIDE 0.25

#define RATE 30.0 // Hz, of looking at clips
#define MOST_SAMPLES 2000

#define LOOSE_TURN (SN_PI / 6) // of a rig without clips

// What snRigJoints_Free frees
typedef struct Made {
    snRigJoints joints;
    snArena arena;
} Made;

// A node that may become a joint
typedef struct Bone {
    int32_t node, parent;
    double share, subtree; // of the skin: its own, with all below
    double stretch, slide;
    snVec3 pivot;
    bool is_kept, is_moved, follows;
    int32_t place; // in the table
} Bone;

typedef struct Fitter {
    const snRig* rig;
    snArena arena;
    snMessage* why;
    double size;
    double* share;    // of nodes; (node_count)
    double* subtree;  // (node_count)
    int32_t* of_node; // bones; (node_count)
    int32_t count;
    Bone* bones; // parents first; (count)
    int32_t root;
    int32_t samples;
    snJointFrame* frames; // (samples, count)
    snJointFrame* seen;   // (samples)
    double* far;          // (samples)
} Fitter;

snJointFrame snJointFrame_Of(const snMatrix* world)
{
    return (snJointFrame){snQFromMat(snPolar3d(snMatrix_Linear(world)).R), world->p};
}

snJointFrame snRigJoint_Frame(const snRigJoint* joint, const snMatrix* nodes)
{
    snJointFrame frame = snJointFrame_Of(&nodes[joint->node]);
    frame.p = snAdd(frame.p, snQRotate(frame.q, joint->pivot));
    return frame;
}

snJointFrame snJointFrame_From(const snJointFrame* a, const snJointFrame* b)
{
    snQuat back = snQConj(a->q);
    return (snJointFrame){snQMul(back, b->q), snQRotate(back, snSub(b->p, a->p))};
}

static snStatus failMemory(const Fitter* f)
{
    return snFail(f->why, sn_errorMemory, "no memory for the joints");
}

// What moves what ------------------------------------------------------------------

static void addShares(Fitter* f)
{
    const snRig* rig = f->rig;
    double all = fmax(1, rig->info.vertex_count);
    for (int32_t i = 0; i < rig->info.mesh_count; ++i) {
        const snRigInstance* at = &rig->instances[i];
        const snRigShape* shape = at->shape;
        if (at->info.skin < 0 || !shape->first) {
            f->share[at->info.node] += shape->vertex_count / all;
            continue;
        }
        const int32_t* joints = rig->skins[at->info.skin].joints;
        for (int32_t k = 0; k < shape->first[shape->vertex_count]; ++k) {
            f->share[joints[shape->joint[k]]] += (double)shape->weight[k] / all;
        }
    }
    for (int32_t n = rig->info.node_count; n-- > 0;) {
        int32_t parent = rig->nodes[n].parent;
        f->subtree[n] += f->share[n];
        if (parent >= 0) {
            f->subtree[parent] += f->subtree[n];
        }
    }
}

static snStatus findBones(Fitter* f)
{
    const snRig* rig = f->rig;
    size_t nodes = (size_t)rig->info.node_count;
    f->share = snArena_Push(&f->arena, nodes, sizeof *f->share);
    f->subtree = snArena_Push(&f->arena, nodes, sizeof *f->subtree);
    f->of_node = snArena_Push(&f->arena, nodes, sizeof *f->of_node);
    f->bones = snArena_Push(&f->arena, nodes, sizeof *f->bones);
    if (f->arena.failed) {
        return failMemory(f);
    }
    addShares(f);
    for (int32_t n = 0; n < rig->info.node_count; ++n) {
        int32_t parent = rig->nodes[n].parent;
        f->of_node[n] = -1;
        if (f->subtree[n] >= LEAST_SHARE) {
            f->of_node[n] = f->count;
            f->bones[f->count++] = (Bone){.node = n,
                                          .parent = parent >= 0 ? f->of_node[parent] : -1,
                                          .share = f->share[n],
                                          .subtree = f->subtree[n]};
        }
    }
    return f->count > 0 ? sn_ok
                        : snFail(f->why, sn_errorArgument, "no joint moves anything of the rig");
}

// Samples --------------------------------------------------------------------------

static double scaleOf(const snMatrix* m)
{
    return sqrt((snLengthSq(m->x) + snLengthSq(m->y) + snLengthSq(m->z)) / 3);
}

static void addSample(Fitter* f, const snRigClipData* clip, double time, snMatrix* world,
                      double* first_scale)
{
    snRigClipData_World(f->rig, clip, time, world, NULL);
    for (int32_t b = 0; b < f->count; ++b) {
        const snMatrix* m = &world[f->bones[b].node];
        double scale = scaleOf(m);
        f->frames[(size_t)f->samples * (size_t)f->count + (size_t)b] = snJointFrame_Of(m);
        first_scale[b] = f->samples == 0 ? scale : first_scale[b];
        double change = first_scale[b] > 0 ? fabs(scale / first_scale[b] - 1) : 0;
        f->bones[b].stretch = fmax(f->bones[b].stretch, change);
    }
    ++f->samples;
}

static int32_t samplesOf(const snRigClipData* clip, double rate)
{
    return (int32_t)fmin(MOST_SAMPLES, ceil(clip->info.duration * rate)) + 1;
}

static snStatus takeSamples(Fitter* f)
{
    const snRig* rig = f->rig;
    double all = 0;
    for (int32_t c = 0; c < rig->info.clip_count; ++c) {
        all += rig->clips[c].info.duration;
    }
    double rate = fmin(RATE, MOST_SAMPLES / fmax(all, 1e-3));
    size_t most = 1;
    for (int32_t c = 0; c < rig->info.clip_count; ++c) {
        most += (size_t)samplesOf(&rig->clips[c], rate);
    }
    size_t count = (size_t)f->count;
    f->frames = snArena_Push(&f->arena, most * count, sizeof *f->frames);
    f->seen = snArena_Push(&f->arena, most, sizeof *f->seen);
    f->far = snArena_Push(&f->arena, most, sizeof *f->far);
    snMatrix* world = snArena_Push(&f->arena, (size_t)rig->info.node_count, sizeof *world);
    double* scale = snArena_Push(&f->arena, count, sizeof *scale);
    if (f->arena.failed) {
        return failMemory(f);
    }
    for (int32_t c = 0; c < rig->info.clip_count; ++c) {
        const snRigClip* info = &rig->clips[c].info;
        int32_t times = samplesOf(&rig->clips[c], rate);
        for (int32_t i = 0; i < times; ++i) {
            double t = times > 1 ? info->first + info->duration * i / (times - 1) : info->first;
            addSample(f, &rig->clips[c], t, world, scale);
        }
    }
    if (f->samples == 0) {
        addSample(f, NULL, 0, world, scale);
    }
    return sn_ok;
}

// A bone as another one sees it, in all samples
static void seeFrom(const Fitter* f, int32_t from, int32_t bone)
{
    for (int32_t i = 0; i < f->samples; ++i) {
        const snJointFrame* row = f->frames + (size_t)i * (size_t)f->count;
        f->seen[i] = snJointFrame_From(&row[from], &row[bone]);
    }
}

static int compare(const void* a, const void* b)
{
    double x = *(const double*)a, y = *(const double*)b;
    return (x > y) - (x < y);
}

// How far what was seen goes from its middle, in sizes, when a pivot of it is looked at: but for
// one frame in twenty
static double spreadOf(const Fitter* f, snVec3 mean, snMat3 turn, snVec3 pivot)
{
    for (int32_t i = 0; i < f->samples; ++i) {
        snMat3 D = snMatSub(snMatFromQ(f->seen[i].q), turn);
        snVec3 d = snAdd(snSub(f->seen[i].p, mean), snMatVec(D, pivot));
        f->far[i] = snLength(d) / f->size;
    }
    qsort(f->far, (size_t)f->samples, sizeof *f->far, compare);
    return f->far[(f->samples - 1) * 19 / 20];
}

// Means of what was seen
static snVec3 meanOf(const Fitter* f, snMat3* turn)
{
    snVec3 mean = snV3(0, 0, 0);
    *turn = snMat3_Diagonal(0, 0, 0);
    for (int32_t i = 0; i < f->samples; ++i) {
        mean = snMulAdd(mean, 1.0 / f->samples, f->seen[i].p);
        *turn = snMatAdd(*turn, snMatScale(1.0 / f->samples, snMatFromQ(f->seen[i].q)));
    }
    return mean;
}

// Where a bone is on the mean as another one sees it, and how far it goes from there, in sizes
static snVec3 slideOf(const Fitter* f, int32_t from, int32_t bone, double* slide)
{
    snMat3 turn;
    seeFrom(f, from, bone);
    snVec3 mean = meanOf(f, &turn);
    *slide = spreadOf(f, mean, turn, snV3(0, 0, 0));
    return mean;
}

// The point c of a bone that stands stillest as another one sees it. It is seen at p_i + R_i c, so
// least squares of d_i + D_i c, d_i and D_i what p_i and R_i differ by from their means; a little
// for c being small, since turns about one axis say nothing of the place along it.
static snVec3 pivotOf(const Fitter* f, int32_t from, int32_t bone, snVec3* place, double* slide)
{
    snMat3 turn;
    seeFrom(f, from, bone);
    snVec3 mean = meanOf(f, &turn), b = snV3(0, 0, 0);
    double small = SMALL_PIVOT * f->samples;
    snMat3 A = snMat3_Diagonal(small, small, small);
    for (int32_t i = 0; i < f->samples; ++i) {
        snMat3 D = snMatSub(snMatFromQ(f->seen[i].q), turn);
        A = snMatAdd(A, snMatMul(snTranspose(D), D));
        b = snSub(b, snMatTVec(D, snSub(f->seen[i].p, mean)));
    }
    bool ok;
    snVec3 pivot = snMatVec(snMatInverse(A, &ok), b);
    pivot = ok ? pivot : snV3(0, 0, 0);
    *place = snAdd(mean, snMatVec(turn, pivot));
    *slide = spreadOf(f, mean, turn, pivot);
    return pivot;
}

// The tree -------------------------------------------------------------------------

static bool isUnder(const Fitter* f, int32_t bone, int32_t above)
{
    while (bone >= 0 && bone != above) {
        bone = f->bones[bone].parent;
    }
    return bone == above;
}

// The bone that carries the body: what is above it only moves it about.
static int32_t findRoot(const Fitter* f)
{
    int32_t root = -1;
    for (int32_t b = 0; b < f->count; ++b) {
        if (f->bones[b].parent < 0 && (root < 0 || f->bones[b].subtree > f->bones[root].subtree)) {
            root = b;
        }
    }
    while (f->bones[root].share <= BARE) {
        int32_t best = -1, children = 0;
        double slide, beside = f->bones[root].subtree - f->bones[root].share;
        for (int32_t b = root + 1; b < f->count; ++b) {
            if (f->bones[b].parent == root) {
                best = best < 0 || f->bones[b].subtree > f->bones[best].subtree ? b : best;
                ++children;
            }
        }
        if (best < 0) {
            break;
        }
        (void)slideOf(f, root, best, &slide);
        if (children > 1 && (slide <= SLIDE || beside - f->bones[best].subtree > BESIDE)) {
            break;
        }
        root = best;
    }
    return root;
}

typedef struct Host {
    int32_t bone; // -1 = none
    double slide;
    snVec3 pivot;
} Host;

// The joint that a point of a bone slides against least; nearer ones are better.
static Host findHost(const Fitter* f, int32_t bone)
{
    Host best = {.bone = -1};
    double least = (double)INFINITY;
    for (int32_t h = 0; h < f->count; ++h) {
        if (f->bones[h].is_kept && h != bone && !isUnder(f, h, bone)) {
            double slide;
            snVec3 place, pivot = pivotOf(f, h, bone, &place, &slide);
            double far = (snLength(place) + snLength(pivot)) / f->size;
            double now = slide + FARTHER * far;
            if (slide < HOST && now < least) {
                least = now;
                best = (Host){h, slide, pivot};
            }
        }
    }
    return best;
}

static void movePivot(Fitter* f, int32_t bone, snVec3 pivot)
{
    f->bones[bone].pivot = pivot;
    for (int32_t i = 0; i < f->samples; ++i) {
        snJointFrame* at = &f->frames[(size_t)i * (size_t)f->count + (size_t)bone];
        at->p = snAdd(at->p, snQRotate(at->q, pivot));
    }
}

// Bones that slide hang elsewhere, follow the clip, or are refused.
static snStatus hangBone(Fitter* f, int32_t bone)
{
    Bone* b = &f->bones[bone];
    (void)slideOf(f, b->parent, bone, &b->slide);
    if (b->slide <= SLIDE) {
        return sn_ok;
    }
    Host host = findHost(f, bone);
    if (host.bone >= 0 && host.slide < b->slide / 3) {
        b->is_moved = host.bone != b->parent;
        b->parent = host.bone;
        b->slide = host.slide;
        movePivot(f, bone, host.pivot);
        return sn_ok;
    }
    b->follows = true;
    return b->slide <= LOOSE
               ? sn_ok
               : snFail(f->why, sn_errorUnsupported,
                        "'%.60s' (node %d) hangs on '%.60s' and slides against it by %.0f %% of "
                        "the size, and there is no joint, such as the end of its limb, against "
                        "which it does not: physics would tear it off",
                        f->rig->nodes[b->node].name, (int)b->node,
                        f->rig->nodes[f->bones[b->parent].node].name, 100 * b->slide);
}

static snStatus makeTree(Fitter* f)
{
    f->root = findRoot(f);
    for (int32_t b = 0; b < f->count; ++b) {
        f->bones[b].is_kept = !isUnder(f, f->root, b) || b == f->root;
    }
    for (int32_t b = 0; b < f->count; ++b) {
        int32_t parent = f->bones[b].parent;
        if (f->bones[b].is_kept && b != f->root && (parent < 0 || !f->bones[parent].is_kept)) {
            f->bones[b].parent = f->root; // for now: it hangs on what is above the root
        }
    }
    f->bones[f->root].parent = -1;
    snStatus status = sn_ok;
    for (int32_t b = 0; b < f->count && !status; ++b) {
        status = f->bones[b].is_kept && b != f->root ? hangBone(f, b) : sn_ok;
    }
    return status;
}

// The table ------------------------------------------------------------------------

// Where the largest child of a bone is as the bone sees it; of the last one of a chain, on from its
// parent
static snVec3 farEnd(const Fitter* f, int32_t bone)
{
    int32_t child = -1;
    double slide;
    for (int32_t b = 0; b < f->count; ++b) {
        if (f->bones[b].is_kept && f->bones[b].parent == bone &&
            (child < 0 || f->bones[b].subtree > f->bones[child].subtree)) {
            child = b;
        }
    }
    return child >= 0 ? slideOf(f, bone, child, &slide)
                      : snNeg(slideOf(f, bone, f->bones[bone].parent, &slide));
}

static void fillJoint(const Fitter* f, int32_t bone, snRigJoint* out)
{
    const Bone* b = &f->bones[bone];
    *out = (snRigJoint){.name = f->rig->nodes[b->node].name,
                        .node = b->node,
                        .parent = b->parent < 0 ? -1 : f->bones[b->parent].place,
                        .type = sn_jointFree,
                        .follows = b->follows,
                        .is_moved = b->is_moved,
                        .pivot = b->pivot,
                        .rest = snQIdentity(),
                        .axis = snV3(0, 1, 0),
                        .slide = b->slide,
                        .stretch = b->stretch,
                        .share = b->share};
    if (b->parent < 0) {
        return;
    }
    snVec3 along = farEnd(f, bone);
    seeFrom(f, b->parent, bone);
    snRigJoint_Fit(out, f->seen, f->samples, along);
    if (f->rig->info.clip_count == 0) {
        out->type = sn_jointBall;
        out->axis = snLengthSq(along) > 0 ? snNormalize(along) : out->axis;
        out->low = -LOOSE_TURN, out->high = LOOSE_TURN, out->swing = LOOSE_TURN;
    }
}

static snStatus fillTable(Fitter* f, Made* made)
{
    const snRig* rig = f->rig;
    snArena* arena = &made->arena;
    snRigJoint* joints = snArena_Push(arena, (size_t)f->count, sizeof *joints);
    int32_t* of_node = snArena_Push(arena, (size_t)rig->info.node_count, sizeof *of_node);
    int32_t count = 0, before = -1;
    if (!joints || !of_node) {
        return failMemory(f);
    }
    for (int32_t b = 0; b < f->count; ++b) {
        f->bones[b].place = -1;
    }
    while (count > before) { // parents first, wherever they hang now
        before = count;
        for (int32_t b = 0; b < f->count; ++b) {
            Bone* at = &f->bones[b];
            bool ready = b == f->root || (at->parent >= 0 && f->bones[at->parent].place >= 0);
            if (at->is_kept && at->place < 0 && ready) {
                at->place = count;
                fillJoint(f, b, &joints[count++]);
            }
        }
    }
    for (int32_t n = 0; n < rig->info.node_count; ++n) {
        int32_t bone = f->of_node[n], parent = rig->nodes[n].parent;
        of_node[n] = bone >= 0 && f->bones[bone].is_kept ? f->bones[bone].place
                     : parent >= 0                       ? of_node[parent]
                                                         : -1;
    }
    made->joints = (snRigJoints){count, joints, of_node, f->size};
    return sn_ok;
}

snStatus snRigJoints_Fit(const snHost* host, const snRig* rig, snRigJoints** joints, snMessage* why)
{
    snHost taken;
    if (!rig || !joints) {
        return snFail(why, sn_errorArgument, "a rig and a place for the result are needed");
    }
    *joints = NULL;
    snStatus status = snHost_Take(host, &taken, why);
    Made* made = status ? NULL : snHost_Allocate(&taken, sizeof *made);
    if (!made) {
        return status ? status : snFail(why, sn_errorMemory, "out of memory");
    }
    snVec3 side = snSub(rig->info.high, rig->info.low);
    Fitter f = {.rig = rig, .why = why, .size = fmax(fmax(side.x, side.y), fmax(side.z, 1e-12))};
    snArena_Init(&f.arena, &taken);
    snArena_Init(&made->arena, &taken);
    status = findBones(&f);
    status = status ? status : takeSamples(&f);
    status = status ? status : makeTree(&f);
    status = status ? status : fillTable(&f, made);
    snArena_Free(&f.arena);
    if (status) {
        snRigJoints_Free(&made->joints);
        return status;
    }
    *joints = &made->joints;
    snMessage_Clear(why);
    return sn_ok;
}

void snRigJoints_Free(snRigJoints* joints)
{
    if (joints) {
        Made* made = (Made*)joints;
        snHost host = made->arena.host;
        snArena_Free(&made->arena);
        snHost_Release(&host, made, sizeof *made);
    }
}
