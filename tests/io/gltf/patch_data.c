// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0
// label: full

// Flesh on every real glTF, GLB and VRM file: a wave runs over two of every three meshes in the
// first clips. What is written shows it when it is read again, other clips and meshes are as they
// were. SINEW_KEEP names a folder where the files stay, under their own names, for scripts that
// look at them.

#include "io/folder.h"

#include "io/gltf/patch.h"
#include "math/trig.h"
#include "rig/pose.h"
#include "rig/pullback.h"

#define RIGS SN_SHARED_DATA "/rigs/"
#define OWN SN_TEST_DATA "/rigs/variants.gltf"
#define SKIPPED 77

#define SHAPES 4
#define CLIPS 3

// Of the size: positions, differences and weights are floats, each rounded to 6e-8, and differences
// go through a matrix of condition up to 1e3 and back.
static const double tolerance = 1e-5;

// The wave, of the size
static const double height = 0.03;

static double sizeOf(const snRig* rig)
{
    return snLength(snSub(rig->info.high, rig->info.low));
}

// Room for everything about one rig
typedef struct Work {
    snArena arena;
    snMatrix *nodes, *joints;
    double* weights;
    float *position, *normal, *soft, *soft_normal; // of one instance
} Work;

static Work newWork(const snRig* rig)
{
    Work w;
    snArena_Init(&w.arena, NULL);
    size_t floats = 3 * (size_t)rig->info.vertex_count;
    w.nodes = snArena_Push(&w.arena, (size_t)rig->info.node_count, sizeof(snMatrix));
    w.joints = snArena_Push(&w.arena, (size_t)rig->info.node_count, sizeof(snMatrix));
    w.weights = snArena_Push(&w.arena, (size_t)rig->info.weight_count, sizeof(double));
    float** lists[] = {&w.position, &w.normal, &w.soft, &w.soft_normal};
    for (int i = 0; i < 4; ++i) {
        *lists[i] = snArena_Push(&w.arena, floats, sizeof(float));
    }
    assert_false(w.arena.failed);
    return w;
}

// The skinned surface with a wave on its upper half
static void makeSoft(const snRig* rig, const snRigInstance* instance, double time, Work* w)
{
    size_t count = (size_t)instance->info.vertex_count;
    double size = sizeOf(rig), middle = 0.5 * (rig->info.low.y + rig->info.high.y);
    snLbs_Skin(rig, instance, w->nodes, w->weights, w->joints, w->position, w->normal);
    memcpy(w->soft, w->position, 3 * count * sizeof(float));
    memcpy(w->soft_normal, w->normal, 3 * count * sizeof(float));
    for (size_t v = 0; v < count; ++v) {
        float *x = w->soft + 3 * v, *n = w->soft_normal + 3 * v;
        if ((double)x[1] > middle) {
            double wave = snSin(7 * ((double)x[0] + (double)x[2]) / size + 3 * time + 1);
            snVec3 up = snNormalize(snV3((double)n[0] + 0.2 * wave, (double)n[1], (double)n[2]));
            for (int k = 0; k < 3; ++k) {
                x[k] += (float)(height * size * wave * (double)n[k]);
            }
            n[0] = (float)up.x, n[1] = (float)up.y, n[2] = (float)up.z;
        }
    }
}

// Flesh ----------------------------------------------------------------------------

static double keyTime(const snRig* rig, int32_t clip, int k)
{
    const snRigClip* c = snRig_Clip(rig, clip);
    return c ? c->first + c->duration * (k + 0.3) / SHAPES : k;
}

// Shapes: the wave at SHAPES times of the first clip
static int32_t addPart(const snRig* rig, int32_t instance, snGltfPart* part, Work* w)
{
    int32_t singular = 0;
    size_t floats = 3 * (size_t)rig->instances[instance].info.vertex_count;
    float** position = snArena_Push(&w->arena, SHAPES, sizeof *position);
    float** normal = snArena_Push(&w->arena, SHAPES, sizeof *normal);
    *part = (snGltfPart){instance, (const float* const*)position, (const float* const*)normal};
    for (int k = 0; k < SHAPES; ++k) {
        const snRigInstance* i = &rig->instances[instance];
        position[k] = snArena_Push(&w->arena, floats, sizeof(float));
        normal[k] = snArena_Push(&w->arena, floats, sizeof(float));
        assert_false(w->arena.failed);
        double time = keyTime(rig, 0, k);
        snRigClipData_World(rig, rig->info.clip_count > 0 ? rig->clips : NULL, time, w->nodes,
                            w->weights);
        makeSoft(rig, i, time, w);
        snPullback found = snPullback_Find(rig, i, w->nodes, w->weights, w->joints, w->soft,
                                           w->soft_normal, position[k], normal[k]);
        singular = found.singular_count > singular ? found.singular_count : singular;
    }
    return singular;
}

// In the first clip one shape after the other, in others some of all
static void addTracks(const snRig* rig, snGltfFlesh* f, Work* w)
{
    int32_t clips = rig->info.clip_count > 0 ? rig->info.clip_count : 1;
    f->track_count = clips < CLIPS ? clips : CLIPS;
    snGltfTrack* tracks = snArena_Push(&w->arena, (size_t)f->track_count, sizeof *tracks);
    for (int32_t i = 0; i < f->track_count; ++i) {
        float* times = snArena_Push(&w->arena, SHAPES, sizeof *times);
        float* weights = snArena_Push(&w->arena, SHAPES, sizeof(float[SHAPES]));
        assert_false(w->arena.failed);
        for (int k = 0; k < SHAPES; ++k) {
            times[k] = (float)keyTime(rig, i, k);
            for (int s = 0; s < SHAPES; ++s) {
                weights[k * SHAPES + s] = i == 0 ? (float)(k == s) : 0.25f * (float)((k + s) % 3);
            }
        }
        tracks[i] = (snGltfTrack){i, SHAPES, times, weights};
    }
    f->tracks = tracks;
}

static int32_t makeFlesh(const snRig* rig, snGltfPatch* patch, Work* w)
{
    int32_t singular = 0, meshes = 0;
    snGltfFlesh* flesh = snArena_Push(&w->arena, (size_t)rig->info.node_count, sizeof *flesh);
    for (int32_t n = 0; n < rig->info.node_count; ++n) {
        snGltfFlesh f = {.node = n, .shape_count = SHAPES};
        snGltfPart* parts = snArena_Push(&w->arena, (size_t)rig->info.mesh_count, sizeof *parts);
        for (int32_t i = 0; i < rig->info.mesh_count; ++i) {
            // a part that is not named stands still: every fifth
            if (rig->instances[i].info.node == n && (i % 5 != 4 || f.part_count == 0)) {
                int32_t found = addPart(rig, i, &parts[f.part_count++], w);
                singular = found > singular ? found : singular;
            }
        }
        if (f.part_count > 0 && meshes++ % 3 != 2) {
            f.parts = parts;
            addTracks(rig, &f, w);
            flesh[patch->flesh_count++] = f;
        }
    }
    patch->flesh = flesh;
    return singular;
}

// For a rig without clips: its first node goes up
static void addMotion(const snRig* rig, snGltfPatch* patch, Work* w)
{
    static const float times[2] = {0, 3}, values[6] = {0, 0, 0, 0, 1, 0};
    static snRigChannel channel = {0,     sn_pathTranslation, sn_interpolateLinear, 2, 3, times,
                                   values};
    snRigClipData* motion = snArena_Push(&w->arena, 1, sizeof *motion);
    *motion =
        (snRigClipData){.info = {.name = "a \"rise\"", .channel_count = 1}, .channels = &channel};
    if (rig->info.clip_count == 0) {
        patch->clips = motion;
        patch->clip_count = 1;
    }
}

// Comparing ------------------------------------------------------------------------

static double apart(const float* a, const float* b, size_t count)
{
    double worst = 0;
    for (size_t k = 0; k < 3 * count; ++k) {
        double d = fabs((double)a[k] - (double)b[k]);
        assert_true(isfinite(d));
        worst = fmax(worst, d);
    }
    return worst;
}

static const snGltfFlesh* fleshOf(const snGltfPatch* patch, int32_t instance, int32_t* part)
{
    for (int32_t i = 0; i < patch->flesh_count; ++i) {
        for (*part = 0; *part < patch->flesh[i].part_count; ++*part) {
            if (patch->flesh[i].parts[*part].instance == instance) {
                return &patch->flesh[i];
            }
        }
    }
    return NULL;
}

// What the document must show: x = B (X + sum w D + sum w shape)
static void addShapes(const snRig* rig, const snGltfPatch* patch, int32_t instance, int32_t clip,
                      int key, Work* w)
{
    int32_t part;
    const snGltfFlesh* f = fleshOf(patch, instance, &part);
    const snRigInstance* i = &rig->instances[instance];
    snLbs_Skin(rig, i, w->nodes, w->weights, w->joints, w->position, NULL);
    for (size_t v = 0; f && clip < f->track_count && v < (size_t)i->info.vertex_count; ++v) {
        snMatrix B =
            i->info.skin >= 0 ? snLbs_Blend(i->shape, w->joints, v) : w->nodes[i->info.node];
        snVec3 d = snV3(0, 0, 0);
        for (int k = 0; k < SHAPES; ++k) {
            const float* shape = f->parts[part].position[k] + 3 * v;
            d = snMulAdd(d, (double)f->tracks[clip].weights[key * SHAPES + k],
                         snV3((double)shape[0], (double)shape[1], (double)shape[2]));
        }
        d = snMatrix_Vector(&B, d);
        float* x = w->position + 3 * v;
        x[0] += (float)d.x, x[1] += (float)d.y, x[2] += (float)d.z;
    }
}

// The instance of the new rig that is that of the old one
static const snRigInstance* sameInstance(const snRig* rig, const snRigInstance* old)
{
    for (int32_t i = 0; i < rig->info.mesh_count; ++i) {
        const snRigMesh* m = &rig->instances[i].info;
        if (m->node == old->info.node && m->primitive == old->info.primitive) {
            return &rig->instances[i];
        }
    }
    fail_msg("an instance is gone");
    return NULL;
}

// How far all instances are from what is expected at a key of the tracks. soft: that is the wave
// itself, not what shapes say. *moved: how far it is from the skinned surface
static double compare(const snRig* old, const snRig* new, const snGltfPatch* patch, int32_t clip,
                      int key, bool soft, Work* w, Work* nw, double* moved)
{
    double worst = 0, time = (double)(float)keyTime(old, clip, key);
    for (int32_t i = 0; i < old->info.mesh_count; ++i) {
        const snRigInstance* instance = &old->instances[i];
        size_t count = (size_t)instance->info.vertex_count;
        int32_t part;
        bool there_before = clip < old->info.clip_count;
        snRigClipData_World(old, there_before ? &old->clips[clip] : NULL, time, w->nodes,
                            w->weights);
        snRigClipData_World(new, &new->clips[clip], time, nw->nodes, nw->weights);
        if (!there_before) { // it moves nodes of the new document only
            memcpy(w->nodes, nw->nodes, (size_t)old->info.node_count * sizeof(snMatrix));
        }
        const snRigInstance* there = sameInstance(new, instance);
        snLbs_Skin(new, there, nw->nodes, nw->weights, nw->joints, nw->position, nw->normal);
        if (!soft) {
            addShapes(old, patch, i, clip, key, w);
            worst = fmax(worst, apart(w->position, nw->position, count));
        } else if (fleshOf(patch, i, &part)) {
            // shapes were made at times that are doubles, keys are floats
            makeSoft(old, instance, keyTime(old, clip, key), w);
            worst = fmax(worst, apart(w->soft, nw->position, count));
            *moved = fmax(*moved, apart(w->soft, w->position, count) / sizeOf(old));
            bool shaded = instance->shape->normal != NULL;
            assert_below(shaded ? apart(w->soft_normal, nw->normal, count) : 0, 1e-3);
        }
    }
    return worst / sizeOf(old);
}

static void checkFile(const char* path, const char* name)
{
    snRig *old, *new;
    snMessage why;
    assert_ok(snRig_Load(NULL, path, &old, &why), why);
    Work w = newWork(old);
    snGltfPatch patch = {.rig = old};
    int32_t singular = makeFlesh(old, &patch, &w);
    addMotion(old, &patch, &w);
    assert_ok(snGltfPatch_Save(&patch, name, &why), why);
    assert_ok(snRig_Load(NULL, name, &new, &why), why);
    assert_int_equal(new->info.vertex_count, old->info.vertex_count);
    assert_int_equal(new->info.clip_count, old->info.clip_count + patch.clip_count);
    assert_int_equal(new->info.warning_count, old->info.warning_count);
    assert_int_equal(new->info.weight_count, old->info.weight_count + SHAPES * patch.flesh_count);
    Work nw = newWork(new);
    double shapes = 0, soft = 0, moved = 0;
    for (int32_t clip = 0; clip < new->info.clip_count; ++clip) {
        for (int k = 0; k < SHAPES; ++k) {
            shapes = fmax(shapes, compare(old, new, &patch, clip, k, false, &w, &nw, &moved));
            if (clip == 0 && singular == 0 && patch.clip_count == 0) {
                soft = fmax(soft, compare(old, new, &patch, clip, k, true, &w, &nw, &moved));
            }
        }
    }
    printf("%s: %zu -> %zu bytes, %d of %d instances move, apart by %.2g of the size, from the "
           "soft surface by %.2g, %d near-singular\n",
           name, old->source.size, new->source.size, (int)patch.flesh_count,
           (int)old->info.mesh_count, shapes, soft, (int)singular);
    assert_below(shapes, tolerance);
    assert_below(soft, tolerance);
    assert_true(moved > 0.3 * height || singular > 0 || patch.clip_count > 0);
    snArena_Free(&w.arena);
    snArena_Free(&nw.arena);
    snRig_Release(old);
    snRig_Release(new);
}

static void test_files(void** state)
{
    (void)state;
    int files = 0;
    DIR* folder = opendir(RIGS);
    assert_non_null(folder);
    for (struct dirent* entry = readdir(folder); entry; entry = readdir(folder)) {
        const char* dot = strrchr(entry->d_name, '.');
        if (dot &&
            (strcmp(dot, ".glb") == 0 || strcmp(dot, ".gltf") == 0 || strcmp(dot, ".vrm") == 0)) {
            char path[1024];
            snprintf(path, sizeof path, "%s%.300s", RIGS, entry->d_name);
            checkFile(path, entry->d_name);
            ++files;
        }
    }
    closedir(folder);
    assert_true(files >= 15);
    checkFile(OWN, strrchr(OWN, '/') + 1);
}

int main(void)
{
    FILE* there = fopen(RIGS "CesiumMan.glb", "rb");
    if (!there) {
        printf("SKIP: the rigs are not there (" RIGS ")\n");
        return SKIPPED;
    }
    fclose(there);
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_files)};
    return cmocka_run_group_tests(tests, enterFolder, leaveFolder);
}
