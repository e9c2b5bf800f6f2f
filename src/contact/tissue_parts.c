// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

// A limb that swings moves far and fast, and hardly against itself or what it hangs on. So how much
// nearer two places can have come is told by how their parts of the body have moved against each
// other, and not by the way that anything has travelled.
#include "contact/tissue_parts.h"

#include "base/message.h"
#include "contact/tissue_parts_pass.h"
#include "math/isa.h"
#include "math/quat.h"

// Parts of a large body, about, and the least number of points and of cells in one
#define PARTS 64
#define LEAST_POINTS 64
#define LEAST_CELLS 256

// Nodes of a part that tell of the whole, about
#define SAMPLES 12

// Of places as floats, in the largest of their coordinates
#define ROUNDING 1e-6

// At rest ----------------------------------------------------------------------

typedef struct Maker {
    const snTissue* tissue;
    const snBvh* bvh;
    int32_t* sizes;  // items below a node of the tree
    int32_t* firsts; // of them in order[]
    int32_t* marks;  // of nodes of the flesh: the last part that has them, and 1
    int32_t* of;
    int32_t count;
} Maker;

// Children have higher numbers than their parents.
static void sizeNodes(Maker* m)
{
    for (int32_t i = m->bvh->node_count - 1; i >= 0; --i) {
        const snBvhNode* node = &m->bvh->nodes[i];
        bool leaf = node->count > 0;
        m->sizes[i] = leaf ? node->count : m->sizes[node->first] + m->sizes[node->first + 1];
        m->firsts[i] = leaf ? node->first : m->firsts[node->first];
    }
}

static void divide(Maker* m, int32_t most)
{
    for (int32_t i = 0; i < m->bvh->node_count; ++i) {
        m->of[i] = -1;
    }
    for (int32_t i = 0; i < m->bvh->node_count; ++i) {
        const snBvhNode* node = &m->bvh->nodes[i];
        bool leaf = node->count > 0;
        if (m->of[i] < 0 && (leaf || m->sizes[i] <= most)) {
            m->of[i] = m->count++;
        }
        if (!leaf) {
            m->of[node->first] = m->of[node->first + 1] = m->of[i];
        }
    }
}

// The four nodes of the flesh that an item hangs on.
static const int32_t* nodesOf(const Maker* m, int32_t item)
{
    const snFleshView* flesh = &m->tissue->flesh;
    return m->bvh == &m->tissue->point_tree ? flesh->ties[item].node
                                            : flesh->tets.tet + 4 * (size_t)item;
}

// Each node once. nodes: NULL = they are counted.
static int32_t listNodes(const Maker* m, int32_t top, int32_t mark, int32_t* nodes)
{
    int32_t count = 0;
    for (int32_t i = m->firsts[top]; i < m->firsts[top] + m->sizes[top]; ++i) {
        const int32_t* n = nodesOf(m, m->bvh->order[i]);
        for (int k = 0; k < 4; ++k) {
            if (m->marks[n[k]] != mark) {
                m->marks[n[k]] = mark;
                if (nodes) {
                    nodes[count] = n[k];
                }
                ++count;
            }
        }
    }
    return count;
}

// Points that lie outside of their cell move farther than its nodes.
static float reachOf(const Maker* m, int32_t top)
{
    float most = 1;
    for (int32_t i = m->firsts[top]; i < m->firsts[top] + m->sizes[top]; ++i) {
        const snTie* tie = &m->tissue->flesh.ties[m->bvh->order[i]];
        const float* w = tie->weight;
        most = fmaxf(most, fabsf(w[0]) + fabsf(w[1]) + fabsf(w[2]) + fabsf(w[3]));
    }
    return most;
}

// Parts are numbered as their highest nodes are.
static void fill(Maker* m, snTissueParts* parts, int32_t* begin, float* reach, int32_t* nodes)
{
    int32_t part = 0;
    for (int32_t i = 0; i < m->bvh->node_count && part < m->count; ++i) {
        if (m->of[i] == part) {
            int32_t mark = part + 1 + (nodes ? m->count : 0);
            int32_t* to = nodes ? nodes + begin[part] : NULL;
            begin[part + 1] = begin[part] + listNodes(m, i, mark, to);
            reach[part] = m->bvh == &m->tissue->point_tree ? reachOf(m, i) : 1;
            ++part;
        }
    }
    *parts = (snTissueParts){.count = m->count, .of = m->of, .begin = begin, .nodes = nodes};
    parts->reach = reach;
}

static bool make(const snTissue* tissue, const snBvh* bvh, int32_t least, snArena* arena,
                 snArena* scratch, snTissueParts* parts)
{
    Maker m = {.tissue = tissue, .bvh = bvh};
    size_t all = (size_t)bvh->node_count;
    m.sizes = snArena_Push(scratch, all, sizeof(int32_t));
    m.firsts = snArena_Push(scratch, all, sizeof(int32_t));
    m.marks = snArena_Push(scratch, (size_t)tissue->flesh.tets.node_count, sizeof(int32_t));
    m.of = snArena_Push(arena, all, sizeof(int32_t));
    if (scratch->failed || arena->failed) {
        return false;
    }
    sizeNodes(&m);
    divide(&m, bvh->item_count / PARTS > least ? bvh->item_count / PARTS : least);
    int32_t* begin = snArena_Push(arena, (size_t)m.count + 1, sizeof(int32_t));
    float* reach = snArena_Push(arena, (size_t)m.count, sizeof(float));
    if (arena->failed) {
        return false;
    }
    fill(&m, parts, begin, reach, NULL);
    int32_t* nodes = snArena_Push(arena, (size_t)begin[m.count], sizeof(int32_t));
    if (nodes) {
        fill(&m, parts, begin, reach, nodes);
    }
    return nodes != NULL;
}

snStatus snTissue_BuildParts(snArena* arena, snTissue* tissue, snMessage* why)
{
    snArena scratch;
    snArena_Init(&scratch, &arena->host);
    bool made =
        make(tissue, &tissue->point_tree, LEAST_POINTS, arena, &scratch, &tissue->point_parts) &&
        make(tissue, &tissue->cell_tree, LEAST_CELLS, arena, &scratch, &tissue->cell_parts);
    snArena_Free(&scratch);
    return made ? sn_ok : snFail(why, sn_errorMemory, "no memory for the parts of a body");
}

// Motion -----------------------------------------------------------------------

static snVec3 widen(snVec4f a)
{
    return snV3((double)a.x, (double)a.y, (double)a.z);
}

// Places before and after, of samples.
typedef struct Samples {
    int count;
    snVec3 from[2 * SAMPLES], to[2 * SAMPLES];
} Samples;

static snVec3 meanOf(const snVec3* a, int count)
{
    snVec3 sum = snV3(0, 0, 0);
    for (int i = 0; i < count; ++i) {
        sum = snAdd(sum, a[i]);
    }
    return snScale(1.0 / count, sum);
}

// A turn by an angle about an axis has sum d x (d' - d) = sin(angle) (sum |d|^2 - d d') axis, d and
// d' being places about their means, but for what is of second order. R: how they have been turned
// before.
static snQuat turnOf(const Samples* s, snVec3 from, snVec3 to, snMat3 R)
{
    snSym3 I = {0};
    snVec3 L = snV3(0, 0, 0);
    for (int i = 0; i < s->count; ++i) {
        snVec3 d = snMatVec(R, snSub(s->from[i], from));
        L = snAdd(L, snCross(d, snSub(s->to[i], to)));
        I.xx += d.y * d.y + d.z * d.z, I.yy += d.x * d.x + d.z * d.z;
        I.zz += d.x * d.x + d.y * d.y;
        I.xy -= d.x * d.y, I.xz -= d.x * d.z, I.yz -= d.y * d.z;
    }
    bool ok;
    snVec3 w = snSymVec(snSymInverse(I, &ok), L);
    double sine = snLength(w);
    return ok && sine > 0 && sine < 1 ? snQExp(snScale(asin(sine) / sine, w)) : snQIdentity();
}

// Any motion as one will do; this one leaves little. The second turn mends the first.
static void fit(const Samples* s, snPartMotion* motion)
{
    snVec3 from = meanOf(s->from, s->count), to = meanOf(s->to, s->count);
    snQuat first = turnOf(s, from, to, snMat3_Identity());
    snQuat then = turnOf(s, from, to, snMatFromQ(first));
    motion->middle = from;
    motion->R = snMatFromQ(snQNormalize(snQMul(then, first)));
    motion->t = snSub(to, snMatVec(motion->R, from));
}

static snVec3 carry(const snPartMotion* motion, snVec3 p)
{
    return snAdd(snMatVec(motion->R, p), motion->t);
}

// The farthest that places can be from one another that two motions carry from one place, within a
// ball. Of two turns the difference stretches by its norm over the square root of 2.
static double between(const snPartMotion* a, const snPartMotion* b, snVec3 middle, double radius)
{
    double sum = 0;
    for (int i = 0; i < 3; ++i) {
        sum += snLengthSq(snSub(snMatCol(a->R, i), snMatCol(b->R, i)));
    }
    return snLength(snSub(carry(a, middle), carry(b, middle))) + sqrt(0.5 * sum) * radius;
}

SN_ISA_DECLARE(snPartFcn, snPartMeasure);

static void measure(snPartFcn* pass, const snTissueTree* tree, const snTissueParts* parts,
                    int32_t part, const snVec4f* x, snPartMotion* motion)
{
    const int32_t* nodes = parts->nodes + parts->begin[part];
    const int32_t count = parts->begin[part + 1] - parts->begin[part];
    const int32_t stride = count > SAMPLES ? count / SAMPLES : 1;
    Samples samples = {.count = 0};
    for (int32_t i = 0; i < count && samples.count < 2 * SAMPLES; i += stride) {
        samples.from[samples.count] = widen(tree->seen[nodes[i]]);
        samples.to[samples.count++] = widen(x[nodes[i]]);
    }
    fit(&samples, motion);
    snVec3 from = motion->middle, to = carry(motion, from);
    snPartPass p = {.count = count, .nodes = nodes, .seen = tree->seen, .x = x};
    p.margins = tree->margins;
    p.middle[0] = (float)from.x, p.middle[1] = (float)from.y, p.middle[2] = (float)from.z;
    p.to[0] = (float)to.x, p.to[1] = (float)to.y, p.to[2] = (float)to.z;
    for (int i = 0; i < 3; ++i) {
        snVec3 c = snMatCol(motion->R, i);
        p.R[i] = (float)c.x, p.R[3 + i] = (float)c.y, p.R[6 + i] = (float)c.z;
    }
    const snPartExtent extent = pass(&p);
    const double reach = (double)parts->reach[part];
    motion->off = reach * sqrt((double)extent.off_sq);
    motion->radius = reach * sqrt((double)extent.radius_sq);
    motion->least = (double)extent.least;
    motion->most = reach * (double)extent.most;
}

// The motion of the whole body: that of the middles of its parts.
static snPartMotion wholeOf(const snTissueTree* tree, const snTissueParts* parts)
{
    snPartMotion whole = {.off = 0};
    Samples samples = {.count = 0};
    const int32_t stride = parts->count > SAMPLES ? parts->count / SAMPLES : 1;
    for (int32_t i = 0; i < parts->count && samples.count < 2 * SAMPLES; i += stride) {
        samples.from[samples.count] = tree->cell_parts[i].middle;
        samples.to[samples.count++] = carry(&tree->cell_parts[i], tree->cell_parts[i].middle);
    }
    fit(&samples, &whole);
    return whole;
}

static double largestPlace(const snTissueTree* tree)
{
    snBox box = snTissueTree_Box(tree);
    snVec3 most = snMax3(snScale(-1, box.lo), box.hi);
    return fmax(fmax(most.x, most.y), most.z);
}

// Against the whole body, and by rounding.
static void compare(snPartMotion* motion, int32_t count, const snPartMotion* whole, double rounding)
{
    for (int32_t i = 0; i < count; ++i) {
        snPartMotion* m = &motion[i];
        m->off += rounding;
        m->way = between(m, whole, m->middle, m->radius) + m->off;
    }
}

// Most runs are of parts that are far from each other, for which their ways say enough.
static void closeRuns(snTissueTree* tree, const snTissue* tissue)
{
    tree->travel = 0;
    for (int32_t i = 0; i < tissue->run_count; ++i) {
        const snPartMotion* a = &tree->point_parts[tissue->runs[i].point];
        const snPartMotion* b = &tree->cell_parts[tissue->runs[i].cell];
        double way = a->way + b->way;
        double near = (1 + SN_SELF_ROUNDING) * (tree->closed[i] + way + a->most + b->most);
        if ((double)tree->soonest[i] <= near) {
            double of_b = between(a, b, b->middle, b->radius);
            double of_a = between(a, b, a->middle, a->radius);
            way = fmin(way, a->off + b->off + fmin(of_a, of_b));
        }
        tree->closed[i] += way;
        tree->travel = fmax(tree->travel, tree->closed[i]);
    }
}

void snTissueTree_MoveParts(snIsa isa, snTissueTree* tree, const snTissue* tissue, const snVec4f* x)
{
    const snTissueParts *points = &tissue->point_parts, *cells = &tissue->cell_parts;
    snPartFcn* pass = SN_ISA_CHOOSE(isa, snPartMeasure);
    const size_t size = (size_t)tissue->flesh.tets.node_count * sizeof(snVec4f);
    if (!tree->recalls) {
        memcpy(tree->seen, x, size);
    }
    for (int32_t i = 0; i < points->count; ++i) {
        measure(pass, tree, points, i, x, &tree->point_parts[i]);
    }
    for (int32_t i = 0; i < cells->count; ++i) {
        measure(pass, tree, cells, i, x, &tree->cell_parts[i]);
    }
    if (tree->recalls && tissue->run_count > 0) {
        const snPartMotion whole = wholeOf(tree, cells);
        double rounding = ROUNDING * largestPlace(tree);
        compare(tree->point_parts, points->count, &whole, rounding);
        compare(tree->cell_parts, cells->count, &whole, rounding);
        closeRuns(tree, tissue);
    }
    memcpy(tree->seen, x, size);
    tree->recalls = true;
}
