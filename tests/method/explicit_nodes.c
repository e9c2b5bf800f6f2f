// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0
// label: quick

// The passes over nodes, one by one, against plain double arithmetic.
#include "method/explicit/nodes.h"

#include "base/cpu.h"
#include "base/hash.h"
#include "base/random.h"
#include "character/character.h"
#include "math/quat.h"
#include "sim/flesh.h"
#include "skel/joint.h"

#define FLOAT 6e-8 // half a unit in the last place, relative

static snVec3 widen(snVec4f a)
{
    return snV3((double)a.x, (double)a.y, (double)a.z);
}

static snVec3 randomVec(snRandom* r, double size)
{
    double x = snRandom_Range(r, -size, size), y = snRandom_Range(r, -size, size);
    return snV3(x, y, snRandom_Range(r, -size, size));
}

static snVec4f narrow(snVec3 a)
{
    return (snVec4f){(float)a.x, (float)a.y, (float)a.z, 0};
}

typedef struct Stage {
    snCharacter* character;
    const snFlesh* flesh;
    const snSkeleton* skeleton;
    snArena arena;
    snTasks* tasks;
    snNodes nodes;
    snBoneMotion *rest, *motion;
    snBase base;
    void* state;
} Stage;

static void setUp(Stage* s, snCharacter* character)
{
    snMessage why;
    snBase base = {snMatFromQ(snQNormalize(snQ(0.1, 0.3, -0.2, 0.9))), snV3(30.3, -4.2, 7.9)};
    s->character = character;
    s->flesh = &character->flesh;
    s->skeleton = s->flesh->skeleton;
    s->base = base;
    snArena_Init(&s->arena, NULL);
    assert_ok(snTasks_Create(NULL, &s->tasks, &why), why);
    size_t bones = (size_t)s->skeleton->bone_count;
    s->nodes = (snNodes){0};
    snNodes_Push(&s->nodes, s->flesh, snCpu_Choose(sn_isaAuto), &s->arena);
    s->rest = snArena_Push(&s->arena, bones, sizeof(snBoneMotion));
    s->motion = snArena_Push(&s->arena, bones, sizeof(snBoneMotion));
    s->state = snArena_Push(&s->arena, snNodes_StateSize(s->flesh), 1);
    assert_false(s->arena.failed);
    snNodes_At(&s->nodes, s->state);
}

static void tearDown(Stage* s)
{
    snArena_Free(&s->arena);
    snTasks_Free(s->tasks);
    snCharacter_Release(s->character);
}

// The zero pose as the rest, and a bent, moving one.
static void pose(Stage* s, double angle, double speed)
{
    double q[PUPPET_MOST], qd[PUPPET_MOST];
    snRandom r = snRandom_Seed(9);
    snSkeleton_ZeroPose(s->skeleton, q);
    snKinematics_Position(s->skeleton, q, NULL, s->rest);
    bendPose(s->skeleton, angle, q);
    for (int32_t k = 0; k < s->skeleton->nv; ++k) {
        qd[k] = snRandom_Range(&r, -speed, speed);
    }
    snKinematics_State(s->skeleton, q, qd, &s->base, s->motion);
}

// Node velocities and all kinds of forces at random.
static void disturb(Stage* s, double speed, double force)
{
    snRandom r = snRandom_Seed(12);
    for (int32_t i = 0; i < s->flesh->tets.node_count; ++i) {
        if (s->flesh->inverse_mass[i] > 0) {
            s->nodes.v[i] = narrow(snAdd(widen(s->nodes.v[i]), randomVec(&r, speed)));
        }
        s->nodes.f[i] = narrow(randomVec(&r, force));
        s->nodes.push[i] = narrow(randomVec(&r, force));
    }
}

// Placing ---------------------------------------------------------------------

// In the zero pose every node is where the base takes it; bent, fixed nodes go with their bones,
// and all move as a rigid body does when joints stand still.
static void placedWhereBonesAre(void** state)
{
    (void)state;
    Stage s;
    setUp(&s, makeBuiltin("worm"));
    pose(&s, 0, 0);
    snNodes_Place(&s.nodes, s.rest, s.motion, &s.base, snV3(0, 0, 0), snV3(0, 0, 0));
    snVec3 o = s.nodes.head->origin;
    assert_true(o.x == floor(o.x) && o.y == floor(o.y) && o.z == floor(o.z));
    assert_below(snLength(snSub(o, s.motion[0].p)), sqrt(3) / 2);
    for (int32_t i = 0; i < s.flesh->tets.node_count; ++i) {
        snVec3 p = snAdd(s.base.p, snMatVec(s.base.R, s.flesh->tets.position[i]));
        snVec3 x = snAdd(snAdd(o, widen(s.nodes.x[i])), widen(s.nodes.lost[i]));
        assert_below(snLength(snSub(x, p)), 1e-13); // x and lost together have 48 bits
        assert_close(snLength(widen(s.nodes.v[i])), 0, 0);
    }

    pose(&s, 0.5, 0);
    for (int32_t i = 0; i < s.skeleton->bone_count; ++i) { // all turn as one about the first
        s.motion[i].w = snV3(0.3, -1, 2);
        s.motion[i].v = snCross(s.motion[i].w, snSub(s.motion[i].p, s.motion[0].p));
    }
    snNodes_Place(&s.nodes, s.rest, s.motion, &s.base, snV3(0, 0, 0), snV3(0, 0, 0));
    for (int32_t i = 0; i < s.flesh->tets.node_count; ++i) {
        snVec3 x = snAdd(s.nodes.head->origin, widen(s.nodes.x[i]));
        snVec3 v = snCross(s.motion[0].w, snSub(x, s.motion[0].p));
        assert_below(snLength(snSub(widen(s.nodes.v[i]), v)), 1e-6);
    }
    for (int32_t b = 0; b < s.skeleton->bone_count; ++b) {
        for (int32_t k = s.flesh->fixed_begin[b]; k < s.flesh->fixed_begin[b + 1]; ++k) {
            const snFixedNode* n = &s.flesh->fixed[k];
            snVec3 p = snAdd(s.motion[b].p, snMatVec(s.motion[b].R, n->place));
            snVec3 x = snAdd(s.nodes.head->origin, widen(s.nodes.x[n->node]));
            assert_below(snLength(snSub(x, p)), 2e-7);
        }
    }
    // holding them there changes nothing but the last bit
    for (int32_t k = 0; k < s.flesh->fixed_begin[s.skeleton->bone_count]; ++k) {
        int32_t i = s.flesh->fixed[k].node;
        snVec3 x = widen(s.nodes.x[i]), v = widen(s.nodes.v[i]);
        snNodes_Hold(&s.nodes, s.motion);
        assert_below(snLength(snSub(widen(s.nodes.x[i]), x)), 2e-7);
        assert_below(snLength(snSub(widen(s.nodes.v[i]), v)), 1e-6);
    }
    tearDown(&s);
}

// Moving ----------------------------------------------------------------------

// Many small steps go as far as one long one.
static void driftsAddUp(void** state)
{
    (void)state;
    const double h = 2e-4, speed = 1e-4;
    const int steps = 20000;
    Stage s;
    setUp(&s, makeBlock(snV3(0.2, 0.1, 0.1), 100));
    snNodes_Place(&s.nodes, s.rest, s.motion, &s.base, snV3(speed, -speed, speed), snV3(0, 0, 0));
    snVec3 from = snAdd(widen(s.nodes.x[5]), widen(s.nodes.lost[5]));
    for (int i = 0; i < steps; ++i) {
        snNodes_Drift(&s.nodes, s.tasks, 0.5 * h);
    }
    snVec3 d = snSub(snAdd(widen(s.nodes.x[5]), widen(s.nodes.lost[5])), from);
    double way = 0.5 * h * speed * steps;
    assert_relative(d.x, way, 1e-6, 0);
    assert_relative(d.y, -way, 1e-6, 0);
    assert_relative(d.z, way, 1e-6, 0);
    tearDown(&s);
}

// Another origin moves nothing: places and friction's anchors stay where they were, to 48 bits and
// to float.
static void rebasingMovesNothing(void** state)
{
    (void)state;
    Stage s;
    setUp(&s, makeBlock(snV3(0.2, 0.1, 0.1), 100));
    snNodes_Place(&s.nodes, s.rest, s.motion, &s.base, snV3(0, 0, 0), snV3(0, 0, 0));
    size_t nodes = (size_t)s.flesh->tets.node_count;
    snVec3* p = malloc(nodes * sizeof *p);
    snVec3 first = s.nodes.head->origin;
    for (size_t i = 0; i < nodes; ++i) {
        p[i] = snAdd(first, snAdd(widen(s.nodes.x[i]), widen(s.nodes.lost[i])));
    }
    snNodes_Rebase(&s.nodes, snAdd(first, snV3(1.9, -1.9, 1.9))); // near enough
    assert_memory_equal(&s.nodes.head->origin, &first, sizeof first);
    snNodes_Rebase(&s.nodes, snAdd(first, snV3(2.4, -0.7, -0.2)));
    snVec3 moved = snSub(s.nodes.head->origin, first);
    assert_true(moved.x == 2 && moved.y == -1 && moved.z == 0);
    for (size_t i = 0; i < nodes; ++i) {
        snVec3 x = snAdd(s.nodes.head->origin, snAdd(widen(s.nodes.x[i]), widen(s.nodes.lost[i])));
        assert_below(snLength(snSub(x, p[i])), 2e-14);
    }
    // what is no number, or gone for good, is left to the guard
    snVec3 origin = s.nodes.head->origin;
    snNodes_Rebase(&s.nodes, snV3((double)NAN, 0, 0));
    snNodes_Rebase(&s.nodes, snV3(1e30, 0, 0));
    assert_memory_equal(&s.nodes.head->origin, &origin, sizeof origin);
    free(p);
    tearDown(&s);
}

// Forces ----------------------------------------------------------------------

static snVec3 referenceVelocity(const Stage* s, int32_t i)
{
    const snDamper* d = &s->flesh->dampers[i];
    snVec3 x = snAdd(s->nodes.head->origin, widen(s->nodes.x[i])), sum = snV3(0, 0, 0);
    for (int k = 0; k < 4; ++k) {
        if (d->weight[k] > 0) {
            const snBoneMotion* m = &s->motion[d->bone[k]];
            snVec3 v = snAdd(m->v, snCross(m->w, snSub(x, m->p)));
            sum = snMulAdd(sum, (double)d->weight[k], v);
        }
    }
    return sum;
}

// v' = (v + h (a - g (v/2 - r))) / (1 + h g/2): the implicit midpoint rule for m dv/dt = f - m g
// (v - r).
static void kicksFollowTheFormula(void** state)
{
    (void)state;
    const snVec3 gravity = {1, -9.81, 0.5};
    static const double STEPS[] = {1e-3, 0.1, 10}; // the last: any damping is stable
    for (int n = 0; n < 3; ++n) {
        double h = STEPS[n];
        Stage s;
        setUp(&s, makeBuiltin("worm"));
        pose(&s, 0.4, 1.5);
        snNodes_Place(&s.nodes, s.rest, s.motion, &s.base, snV3(0, 0, 0), snV3(0, 0, 0));
        snNodes_Hold(&s.nodes, s.motion);
        disturb(&s, 1, 0.05);
        size_t bytes = (size_t)s.flesh->tets.node_count * sizeof(snVec4f);
        snVec4f* before = malloc(bytes);
        memcpy(before, s.nodes.v, bytes);
        snNodesTally tally = snNodes_Kick(&s.nodes, s.tasks, h, gravity, true);
        double fastest = 0, jiggle = 0;
        for (int32_t i = 0; i < s.flesh->tets.node_count; ++i) {
            if (s.flesh->inverse_mass[i] == 0) {
                assert_memory_equal(&s.nodes.v[i], &before[i], sizeof before[i]);
                continue;
            }
            double m = (double)s.flesh->node_mass[i], g = (double)s.flesh->damping[i];
            snVec3 f = snAdd(widen(s.nodes.f[i]), widen(s.nodes.push[i]));
            snVec3 a = snMulAdd(gravity, 1 / m, f), v = widen(before[i]);
            snVec3 r = referenceVelocity(&s, i);
            snVec3 u = snMulAdd(v, h, snAdd(a, snScale(-g, snSub(snScale(0.5, v), r))));
            u = snScale(1 / (1 + 0.5 * h * g), u);
            double scale = snLength(v) + h * (snLength(a) + g * (snLength(v) + snLength(r)));
            assert_below(snLength(snSub(widen(s.nodes.v[i]), u)), 20 * FLOAT * scale);
            double speed = snLength(snSub(u, r));
            fastest = fmax(fastest, speed * speed);
            jiggle += 0.5 * m * speed * speed;
        }
        assert_int_equal(tally.bad, -1);
        assert_relative(tally.fastest, fastest, 1e-4, 0);
        assert_relative(tally.jiggle, jiggle, 1e-4, 0);
        free(before);
        tearDown(&s);
    }
}

static void badNodesAreFound(void** state)
{
    (void)state;
    Stage s;
    setUp(&s, makeBuiltin("worm"));
    pose(&s, 0, 0);
    snNodes_Place(&s.nodes, s.rest, s.motion, &s.base, snV3(0, 0, 0), snV3(0, 0, 0));
    snNodes_Hold(&s.nodes, s.motion);
    disturb(&s, 1, 0.05);
    int32_t i = 0;
    while (s.flesh->inverse_mass[i] == 0) {
        ++i;
    }
    s.nodes.f[i].y = NAN;
    assert_int_equal(snNodes_Kick(&s.nodes, s.tasks, 1e-3, snV3(0, 0, 0), true).bad, i);
    tearDown(&s);
}

// Bones get minus what flesh gets, at the same points: forces and moments of dampers and of fixed
// nodes sum to those that act from outside, also when bones accelerate.
static void pullsAreReactions(void** state)
{
    (void)state;
    const double h = 2e-3;
    Stage s;
    setUp(&s, makeBuiltin("starfish_coarse"));
    pose(&s, 0.3, 2);
    snNodes_Place(&s.nodes, s.rest, s.motion, &s.base, snV3(0, 0, 0), snV3(0, 0, 0));
    snNodes_Hold(&s.nodes, s.motion);
    disturb(&s, 1, 5);
    size_t bytes = (size_t)s.flesh->tets.node_count * sizeof(snVec4f);
    snVec4f* before = malloc(bytes);
    snWrench pulls[PUPPET_MOST];
    memcpy(before, s.nodes.v, bytes);
    snNodes_Kick(&s.nodes, s.tasks, h, snV3(0, 0, 0), true);
    snInertia6 drags[PUPPET_MOST];
    snVec3 gravity = snV3(1, -3, 2);
    snNodes_Pull(&s.nodes, s.motion, pulls, drags);
    for (int32_t b = 0; b < s.skeleton->bone_count; ++b) {
        s.motion[b].dw = snV3(300 * snSin(b), -200, 100 * snCos(b)); // less gravity's
        s.motion[b].dv = snV3(40, 30 * snSin(2 * b), -50);
        snWrench more = snInertia6_Times(&drags[b], s.motion[b].dw, snAdd(s.motion[b].dv, gravity));
        pulls[b].n = snSub(pulls[b].n, more.n);
        pulls[b].f = snSub(pulls[b].f, more.f);
    }
    snNodes_Settle(&s.nodes, s.tasks, h, 0, gravity, s.motion, true);
    snVec3 o = s.nodes.head->origin, f = snV3(0, 0, 0), n = snV3(0, 0, 0), given = f, turn = n;
    double size = 0;
    for (int32_t i = 0; i < s.flesh->tets.node_count; ++i) {
        snVec3 x = widen(s.nodes.x[i]);
        snVec3 force = snAdd(widen(s.nodes.f[i]), widen(s.nodes.push[i]));
        given = snAdd(given, force);
        turn = snAdd(turn, snCross(x, force));
        size += snLength(force);
        if (s.flesh->inverse_mass[i] > 0) {
            snVec3 kick = snScale((double)s.flesh->node_mass[i] / h,
                                  snSub(widen(s.nodes.v[i]), widen(before[i])));
            f = snAdd(f, kick);
            n = snAdd(n, snCross(x, kick));
        }
    }
    for (int32_t b = 0; b < s.skeleton->bone_count; ++b) {
        f = snAdd(f, pulls[b].f);
        n = snAdd(n, snAdd(pulls[b].n, snCross(snSub(s.motion[b].p, o), pulls[b].f)));
    }
    // velocities of some m/s are rounded to float; over h that is a force on each node
    double tolerance = 1e-4 * size;
    print_message("forces of %.3g N: sums apart by %.2g N, %.2g Nm\n", size,
                  snLength(snSub(f, given)), snLength(snSub(n, turn)));
    assert_below(snLength(snSub(f, given)), tolerance);
    assert_below(snLength(snSub(n, turn)), tolerance);
    free(before);
    tearDown(&s);
}

// What dampers do to the bones, node by node: forces w m g ((v + v')/2 - r)
// at the nodes, and masses w h m g / (2 + h g) that resist the bones' accelerations.
static void pullsMatchAPlainLoop(void** state)
{
    (void)state;
    const double h = 2e-3;
    Stage s;
    setUp(&s, makeBuiltin("starfish_coarse"));
    pose(&s, 0.3, 2);
    snNodes_Place(&s.nodes, s.rest, s.motion, &s.base, snV3(0, 0, 0), snV3(0, 0, 0));
    snNodes_Hold(&s.nodes, s.motion);
    disturb(&s, 1, 5);
    size_t bytes = (size_t)s.flesh->tets.node_count * sizeof(snVec4f);
    snVec4f* before = malloc(bytes);
    snWrench pulls[PUPPET_MOST];
    snInertia6 drags[PUPPET_MOST];
    memcpy(before, s.nodes.v, bytes);
    snNodes_Kick(&s.nodes, s.tasks, h, snV3(0, -9.81, 0), true);
    snNodes_Pull(&s.nodes, s.motion, pulls, drags);
    for (int32_t b = 0; b < s.skeleton->bone_count; ++b) {
        snVec3 f = snV3(0, 0, 0), n = f, first = f;
        double mass = 0, trace = 0, xy = 0, xz = 0, yz = 0, size = 0;
        for (int32_t i = 0; i < s.flesh->tets.node_count; ++i) {
            const snDamper* d = &s.flesh->dampers[i];
            snVec3 x = snAdd(s.nodes.head->origin, widen(s.nodes.x[i]));
            snVec3 r = snSub(x, s.motion[b].p), force = snV3(0, 0, 0);
            double m = (double)s.flesh->node_mass[i], g = (double)s.flesh->damping[i], weight = 0;
            for (int k = 0; k < 4; ++k) {
                weight += d->bone[k] == b ? (double)d->weight[k] : 0;
            }
            if (s.flesh->binding.fixed[i] == b) {
                force = snAdd(widen(s.nodes.f[i]), widen(s.nodes.push[i]));
            } else if (s.flesh->binding.fixed[i] < 0) {
                snVec3 mean = snScale(0.5, snAdd(widen(before[i]), widen(s.nodes.v[i])));
                double c = 0.5 * h * weight * m * g / (1 + 0.5 * h * g);
                force = snScale(weight * m * g, snSub(mean, referenceVelocity(&s, i)));
                mass += c;
                first = snMulAdd(first, c, r);
                trace += 2 * c * snLengthSq(r);
                xy -= c * r.x * r.y, xz -= c * r.x * r.z, yz -= c * r.y * r.z;
            }
            f = snAdd(f, force);
            n = snAdd(n, snCross(r, force));
            size += snLength(force);
        }
        const snInertia6* J = &drags[b];
        assert_below(snLength(snSub(pulls[b].f, f)), 1e-5 * size);
        assert_below(snLength(snSub(pulls[b].n, n)), 1e-5 * size);
        assert_close(J->M.xx, mass, 1e-6 * mass);
        assert_below(snLength(snSub(snV3(J->B.m21, J->B.m02, J->B.m10), first)), 1e-6 * mass);
        assert_close(J->A.xx + J->A.yy + J->A.zz, trace, 1e-6 * mass);
        assert_close(J->A.xy, xy, 1e-6 * mass);
        assert_close(J->A.xz, xz, 1e-6 * mass);
        assert_close(J->A.yz, yz, 1e-6 * mass);
    }
    free(before);
    tearDown(&s);
}

// Settling gives nodes half of their bones' accelerations times g h^2 / (1 + h g/2), moves them on,
// and sums what it has moved; fixed nodes keep their velocities.
static void settlingMatchesAPlainLoop(void** state)
{
    (void)state;
    const double h = 2e-3;
    const snVec3 gravity = {0, -9.81, 0};
    Stage s;
    setUp(&s, makeBuiltin("worm"));
    pose(&s, 0.3, 2);
    snNodes_Place(&s.nodes, s.rest, s.motion, &s.base, snV3(0, 0, 0), snV3(0, 0, 0));
    snNodes_Hold(&s.nodes, s.motion);
    disturb(&s, 1, 5);
    int32_t count = s.flesh->tets.node_count;
    snVec3* v = malloc((size_t)count * sizeof *v);
    snVec3* x = malloc((size_t)count * sizeof *x);
    for (int32_t b = 0; b < s.skeleton->bone_count; ++b) {
        s.motion[b].dw = snV3(300 * snSin(b), -200, 100 * snCos(b));
        s.motion[b].dv = snV3(40, 30 * snSin(2 * b), -50);
    }
    for (int32_t i = 0; i < count; ++i) {
        const snDamper* d = &s.flesh->dampers[i];
        double g = (double)s.flesh->damping[i], part = 0.5 * h * h * g / (1 + 0.5 * h * g);
        snVec3 a = snV3(0, 0, 0), at = widen(s.nodes.x[i]);
        for (int k = 0; k < 4; ++k) {
            const snBoneMotion* m = &s.motion[d->bone[k]];
            snVec3 r = snSub(snAdd(s.nodes.head->origin, at), m->p);
            snVec3 own = snAdd(snAdd(m->dv, gravity), snCross(m->dw, r));
            a = snMulAdd(a, (double)d->weight[k], own);
        }
        v[i] = snMulAdd(widen(s.nodes.v[i]), part, a);
        x[i] = snMulAdd(snAdd(at, widen(s.nodes.lost[i])), h, v[i]);
    }
    snWhole whole = snNodes_Settle(&s.nodes, s.tasks, h, h, gravity, s.motion, true);
    for (int32_t i = 0; i < count; ++i) {
        snVec3 now = snAdd(widen(s.nodes.x[i]), widen(s.nodes.lost[i]));
        assert_below(snLength(snSub(widen(s.nodes.v[i]), v[i])), 20 * FLOAT * (1 + snLength(v[i])));
        assert_below(snLength(snSub(now, x[i])), 20 * FLOAT * h * (1 + snLength(v[i])));
    }
    snWhole again = snNodes_Whole(&s.nodes, s.tasks);
    assert_memory_equal(&whole, &again, sizeof whole);
    free(v);
    free(x);
    tearDown(&s);
}

// All passes give the same bits for every instruction set.
static void sameBitsForInstructions(void** state)
{
    (void)state;
    const double h = 2e-3;
    const snVec3 gravity = {0, -9.81, 0};
    uint64_t first = 0;
    for (int isa = sn_isaBaseline; isa <= (int)snCpu_Best(); ++isa) {
        Stage s;
        setUp(&s, makeBuiltin("starfish_coarse"));
        s.nodes.isa = (snIsa)isa;
        pose(&s, 0.3, 2);
        snNodes_Place(&s.nodes, s.rest, s.motion, &s.base, snV3(0, 0, 0), snV3(0, 0, 0));
        snNodes_Drift(&s.nodes, s.tasks, h);
        snNodes_Hold(&s.nodes, s.motion);
        disturb(&s, 1, 5);
        snWrench pulls[PUPPET_MOST] = {{{0, 0, 0}, {0, 0, 0}}};
        snInertia6 drags[PUPPET_MOST];
        memset(drags, 0, sizeof drags);
        snNodesTally tally = snNodes_Kick(&s.nodes, s.tasks, h, gravity, true);
        snNodes_Pull(&s.nodes, s.motion, pulls, drags);
        snWhole whole = snNodes_Settle(&s.nodes, s.tasks, h, h, gravity, s.motion, true);
        snNodes_Turn(&s.nodes, s.tasks, whole.momentum.com, (snTwist){{1, 2, 3}, {4, 5, 6}});
        uint64_t hash = snHash(s.state, snNodes_StateSize(s.flesh), 0);
        hash = snHash(&tally, sizeof tally, hash);
        hash = snHash(&whole, sizeof whole, hash);
        hash = snHash(pulls, sizeof pulls, hash);
        hash = snHash(drags, sizeof drags, hash);
        first = isa == sn_isaBaseline ? hash : first;
        assert_int_equal(hash, first);
        tearDown(&s);
    }
}

// The account's work is that of elastic forces with the mean velocity.
static void workIsForceTimesMeanVelocity(void** state)
{
    (void)state;
    const double h = 1e-3;
    Stage s;
    setUp(&s, makeBuiltin("starfish_coarse"));
    pose(&s, 0.3, 2);
    snNodes_Place(&s.nodes, s.rest, s.motion, &s.base, snV3(0, 0, 0), snV3(0, 0, 0));
    snNodes_Hold(&s.nodes, s.motion);
    size_t bytes = (size_t)s.flesh->tets.node_count * sizeof(snVec4f);
    snVec4f* before = malloc(bytes);
    disturb(&s, 1, 5);
    memcpy(before, s.nodes.v, bytes);
    snNodes_Hold(&s.nodes, s.motion);
    snNodesTally tally = snNodes_Kick(&s.nodes, s.tasks, h, snV3(0, -9.81, 0), true);
    for (int32_t i = 0; i < s.skeleton->bone_count; ++i) {
        s.motion[i].v = snAdd(s.motion[i].v, snV3(0.2, -0.1, 0.3));
    }
    snNodes_Hold(&s.nodes, s.motion);
    double work = tally.before + tally.after + snNodes_FixedWork(&s.nodes, h), expected = 0;
    double size = 0;
    for (int32_t i = 0; i < s.flesh->tets.node_count; ++i) {
        snVec3 sum = snAdd(widen(before[i]), widen(s.nodes.v[i]));
        expected += 0.5 * h * snDot(widen(s.nodes.f[i]), sum);
        size += 0.5 * h * snLength(widen(s.nodes.f[i])) * snLength(sum);
    }
    assert_close(work, expected, 1e-6 * size);
    free(before);
    tearDown(&s);
}

// Momentum --------------------------------------------------------------------

static void wholeIsTheSum(void** state)
{
    (void)state;
    Stage s;
    setUp(&s, makeBuiltin("worm"));
    pose(&s, 0.4, 2);
    snNodes_Place(&s.nodes, s.rest, s.motion, &s.base, snV3(0, 0, 0), snV3(0, 0, 0));
    disturb(&s, 1, 0);
    snWhole whole = snNodes_Whole(&s.nodes, s.tasks);
    snWhole sum = {0};
    for (int32_t i = 0; i < s.flesh->tets.node_count; ++i) {
        if (s.flesh->inverse_mass[i] > 0) {
            double m = (double)s.flesh->node_mass[i];
            snVec3 x = snAdd(s.nodes.head->origin, widen(s.nodes.x[i]));
            snWhole one = {.momentum = {m, x, snScale(m, widen(s.nodes.v[i])), snV3(0, 0, 0)}};
            sum = snWhole_Join(&sum, &one);
        }
    }
    assert_relative(whole.momentum.mass, sum.momentum.mass, 1e-12, 0);
    assert_below(snLength(snSub(whole.momentum.com, sum.momentum.com)), 1e-12);
    assert_below(snLength(snSub(whole.momentum.linear, sum.momentum.linear)), 1e-11);
    assert_below(snLength(snSub(whole.momentum.angular, sum.momentum.angular)), 1e-11);
    const double *a = &whole.inertia.xx, *b = &sum.inertia.xx;
    for (int k = 0; k < 6; ++k) {
        assert_close(a[k], b[k], 1e-12);
    }
    tearDown(&s);
}

// Without bones the correction turns nodes, and puts them on the target to float.
static void turningCorrects(void** state)
{
    (void)state;
    Stage s;
    setUp(&s, makeBlock(snV3(0.2, 0.1, 0.1), 100));
    snNodes_Place(&s.nodes, s.rest, s.motion, &s.base, snV3(1, 2, 3), snV3(2, -1, 1));
    disturb(&s, 0.5, 0);
    snWhole now = snNodes_Whole(&s.nodes, s.tasks);
    snMomentumTarget target = {snV3(3, -2, 8), snV3(0.1, 0.2, -0.3), 1};
    snNodes_Turn(&s.nodes, s.tasks, now.momentum.com, snMomentum_Correction(&target, &now));
    snMomentum then = snNodes_Whole(&s.nodes, s.tasks).momentum;
    assert_below(snLength(snSub(then.linear, target.linear)), 1e-5);
    assert_below(snLength(snSub(then.angular, target.angular)), 1e-6);
    tearDown(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(placedWhereBonesAre),     cmocka_unit_test(driftsAddUp),
        cmocka_unit_test(rebasingMovesNothing),    cmocka_unit_test(kicksFollowTheFormula),
        cmocka_unit_test(badNodesAreFound),        cmocka_unit_test(pullsAreReactions),
        cmocka_unit_test(pullsMatchAPlainLoop),    cmocka_unit_test(settlingMatchesAPlainLoop),
        cmocka_unit_test(sameBitsForInstructions), cmocka_unit_test(workIsForceTimesMeanVelocity),
        cmocka_unit_test(wholeIsTheSum),           cmocka_unit_test(turningCorrects),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
