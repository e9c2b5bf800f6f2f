// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0
// label: long

// What one would see on the shared rigs: flesh moves where the clip does, edges of the skin are
// hardly torn, nothing buzzes, small parts ride along with the skin under them.

#include "sim/follow.h"

#include "rig/lbs.h"
#include "rig/shared.h"

static const double longest = 1.5; // s of a clip that are looked at
static const double lively = 8;    // m/s^2 over sizes of 1.7 m: clips with more should show
static const double shown = 0.005; // of the size
static const double torn = 5e-4;   // share of edges longer or shorter by more than half
static const double longer = 2.0;  // times as long as skinned, at most, of any edge
static const double buzz = 0.6;   // fast part of flesh's motion over that of the skin and all of it
static const double loose = 0.02; // of the size: a part against the skin under it

// Clips that should show, and how many of them do
static int lively_count, shown_count;

#define FRAMES 5
#define NEWEST (FRAMES - 1)

typedef struct Looks {
    const snRigBody* body;
    snMatrix* joints;     // of one skin
    double* soft;         // the surface with flesh, m
    double* left[FRAMES]; // by what vertices left their places in the last frames, newest last, m
    double* skin[FRAMES];
    float* offsets;
    // found
    double most, apart, stretch;
    double accelerations; // sums of squares: second differences of the skin,
    double fast_skin;     // fourth ones, which leave what is faster than 10 Hz,
    double fast;          // the same of what flesh adds,
    double all;           // and all that it adds
    int64_t edges, wrong;
} Looks;

static void turn(double* of[FRAMES])
{
    double* oldest = of[0];
    memmove(of, of + 1, NEWEST * sizeof *of);
    of[NEWEST] = oldest;
}

static double secondOf(double* const of[FRAMES], ptrdiff_t k, int at)
{
    return of[at + 1][k] - 2 * of[at][k] + of[at - 1][k];
}

static double fourthOf(double* const of[FRAMES], ptrdiff_t k)
{
    return secondOf(of, k, 3) - 2 * secondOf(of, k, 2) + secondOf(of, k, 1);
}

static void skinAll(Looks* l, const snMatrix* nodes)
{
    const snRigBody* body = l->body;
    const snRigWeld* weld = &body->weld;
    for (int32_t i = 0; i < weld->instance_count; ++i) {
        const snRigInstance* instance = &body->rig->instances[i];
        bool skinned = instance->info.skin >= 0;
        if (skinned) {
            snLbs_Joints(&body->rig->skins[instance->info.skin], nodes, l->joints);
        }
        for (int32_t v = weld->first[i]; v < weld->first[i + 1]; ++v) {
            size_t at = (size_t)(v - weld->first[i]), w = (size_t)weld->map[v];
            if (weld->origin[w] == v) {
                snMatrix B = skinned ? snLbs_Blend(instance->shape, l->joints, at)
                                     : nodes[instance->info.node];
                snVec3 p = snMatrix_Point(&B, snLbs_Morph(instance->shape, NULL, at));
                l->skin[NEWEST][3 * w] = body->unit * p.x;
                l->skin[NEWEST][3 * w + 1] = body->unit * p.y;
                l->skin[NEWEST][3 * w + 2] = body->unit * p.z;
            }
        }
    }
}

static double distance(const double* p, int32_t a, int32_t b)
{
    double sum = 0;
    for (ptrdiff_t c = 0; c < 3; ++c) {
        double d = p[3 * (ptrdiff_t)a + c] - p[3 * (ptrdiff_t)b + c];
        sum += d * d;
    }
    return sqrt(sum);
}

static void lookAtEdges(Looks* l)
{
    const snSurface* s = &l->body->weld.surface;
    for (ptrdiff_t t = 0; t < 3 * (ptrdiff_t)s->triangle_count; ++t) {
        int32_t a = s->triangle[t], b = s->triangle[t % 3 == 2 ? t - 2 : t + 1];
        double is = distance(l->soft, a, b), was = distance(l->skin[NEWEST], a, b);
        if (was > 0.005 * l->body->size) {
            l->edges++;
            l->wrong += is > 1.5 * was || is < 0.5 * was;
            l->stretch = fmax(l->stretch, is / was);
        }
    }
}

static void lookAtRiders(Looks* l)
{
    const snRigBody* body = l->body;
    for (int32_t r = 0; r < body->rider_count; ++r) {
        const snRider* rider = &body->riders[r];
        const float* as_one = l->offsets + 3 * (ptrdiff_t)body->riding[rider->vertex_begin];
        for (int32_t i = 0; i < rider->ride_count; ++i) {
            const snRide* ride = &body->rides[rider->ride_begin + i];
            double sum = 0;
            for (int c = 0; c < 3; ++c) {
                double under = 0;
                for (int k = 0; k < 3; ++k) {
                    under += (double)(ride->weight[k] * l->offsets[3 * ride->vertex[k] + c]);
                }
                sum += (under - (double)as_one[c]) * (under - (double)as_one[c]);
            }
            l->apart = fmax(l->apart, body->unit * sqrt(sum));
        }
    }
}

static void lookAtFrame(Looks* l, const snFollow* follow, const snMatrix* nodes, int frame)
{
    turn(l->left);
    turn(l->skin);
    skinAll(l, nodes);
    snFollow_Offsets(follow, l->offsets);
    for (ptrdiff_t k = 0; k < 3 * (ptrdiff_t)l->body->weld.surface.vertex_count; ++k) {
        double o = l->body->unit * (double)l->offsets[k];
        l->left[NEWEST][k] = o;
        l->soft[k] = l->skin[NEWEST][k] + o;
        l->most = fmax(l->most, fabs(o));
        if (frame >= NEWEST) {
            double a = secondOf(l->skin, k, 2), b = fourthOf(l->skin, k), c = fourthOf(l->left, k);
            l->accelerations += a * a;
            l->fast_skin += b * b;
            l->fast += c * c;
            l->all += o * o;
        }
    }
    lookAtEdges(l);
    lookAtRiders(l);
}

static void lookAtClip(const snRigBody* body, int32_t clip, const char* name)
{
    snMessage why;
    snFollow* follow;
    snFollowSetup def;
    Looks l = {.body = body};
    size_t vertices = (size_t)body->weld.surface.vertex_count;
    snFollowSetup_Init(&def);
    def.body = body;
    def.clip = clip;
    def.motion = clip < 0 ? sn_motionHop : sn_motionNone;
    assert_ok(snFollow_CreateFromSetup(NULL, &def, &follow, &why), why);
    const snRigTrack* track = snFollow_Track(follow);
    snMatrix* nodes = calloc((size_t)body->rig->info.node_count, sizeof *nodes);
    l.joints = calloc((size_t)body->rig->info.node_count + 1, sizeof *l.joints);
    l.offsets = calloc(3 * vertices, sizeof *l.offsets);
    l.soft = calloc(3 * vertices, sizeof *l.soft);
    for (int k = 0; k < FRAMES; ++k) {
        l.left[k] = calloc(3 * vertices, sizeof(double));
        l.skin[k] = calloc(3 * vertices, sizeof(double));
    }
    int frames = (int)(60 * fmin(longest, track->last - track->first));
    snFollow_Begin(follow);
    for (int i = 0; i <= frames; ++i) {
        snRigTrack_At(track, snFollow_Facts(follow).time, nodes, NULL);
        lookAtFrame(&l, follow, nodes, i);
        assert_true(snFollow_AdvanceFrame(follow));
    }
    // root mean square of the skin's acceleration, for a body as large as a person
    double numbers = fmax(1, (double)(frames - 3)) * (double)vertices;
    double a = 3600 * sqrt(l.accelerations / numbers) * 1.7 / body->size;
    double torn_share = l.edges ? (double)l.wrong / (double)l.edges : 0;
    double fast = sqrt(l.fast) / (sqrt(l.fast_skin) + sqrt(l.all) + 1e-30);
    print_message("%s clip %d: %.1f m/s^2, moved %.2f %%, torn %.1e, stretched %.2f, fast %.2f, "
                  "apart %.2f %%\n",
                  name, (int)clip, a, 100 * l.most / body->size, torn_share, l.stretch, fast,
                  100 * l.apart / body->size);
    assert_below(torn_share, torn);
    assert_below(l.stretch, longer);
    assert_below(fast, buzz);
    assert_below(l.apart, loose * body->size);
    lively_count += a >= lively;
    shown_count += a >= lively && l.most > shown * body->size;
    for (int k = 0; k < FRAMES; ++k) {
        free(l.left[k]);
        free(l.skin[k]);
    }
    free(l.soft);
    free(l.offsets);
    free(l.joints);
    free(nodes);
    snFollow_Free(follow);
}

static void checkRig(const char* name, snRig* rig, void* user)
{
    snMessage why;
    snRigBody body;
    snBodyDef def;
    snArena arena;
    (void)user;
    snArena_Init(&arena, NULL);
    snBodyDef_Init(&def);
    def.quality = sn_qualityDraft;
    if (snRigBody_Build(&arena, rig, &def, &body, &why)) {
        print_message("%s: %s\n", name, why.text);
    } else {
        // about eight clips of each
        int32_t clips = rig->info.clip_count, step = clips / 8 + 1;
        for (int32_t c = clips ? 0 : -1; c < clips; c += step) {
            lookAtClip(&body, c, name);
        }
    }
    snArena_Free(&arena);
}

static void test_looks(void** state)
{
    (void)state;
    assert_true(eachRig(checkRig, NULL) > 10);
    print_message("%d of %d lively clips show\n", shown_count, lively_count);
    assert_int_equal(shown_count, lively_count);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_looks)};
    return haveRigs() ? cmocka_run_group_tests(tests, NULL, NULL) : SKIPPED;
}
