// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0
// label: full

// Every real glTF, GLB and VRM file is read with the counts that a separate look at its text gave,
// and every clip puts every vertex at a finite place. The folder is searched, so a file that the
// list does not have fails too. SINEW_POSES names a file of poses by another program, three.js
// (three.sh writes it) or Blender (bake/blender.sh): ours must be the same. With SINEW_RIGS
// too, which names a folder, only that is looked at, on all files there.

#include <dirent.h>

#include "base/file.h"
#include "check.h"
#include "rig/rig.h"

#define RIGS SN_SHARED_DATA "/rigs/"
#define OWN "variants.gltf"
#define SKIPPED 77

// Of the body's size. The others keep sampled values and weights as 32-bit floats, and so do files.
static const double pose_tolerance = 1e-5;

// Likewise: by which flesh must move what is baked somewhere, else it would not matter
static const double least_flesh = 1e-4;

static const struct {
    const char* name;
    int32_t nodes, joints, skins, meshes, skinned, vertices, triangles, targets, clips, channels;
    double longest; // clip, s
} FILES[] = {
    {"100Avatars_010_Froggy.vrm", 67, 65, 1, 1, 1, 2254, 3330, 16, 0, 0, 0},
    {"Barbarian.glb", 55, 41, 1, 13, 6, 5922, 6543, 0, 76, 8712, 4},
    {"CesiumMan.glb", 22, 19, 1, 1, 1, 3273, 4672, 0, 1, 57, 1.95833},
    {"Fox.glb", 26, 24, 1, 1, 1, 1728, 576, 0, 3, 63, 3.41667},
    {"Manta_ray.glb", 20, 13, 1, 2, 2, 1432, 696, 0, 1, 10, 4.20833},
    {"RecursiveSkeletons.glb", 924, 840, 84, 84, 84, 3360, 6384, 0, 1, 840, 2},
    {"RiggedSimple.glb", 5, 2, 1, 1, 1, 160, 188, 0, 1, 3, 2.04167},
    {"RobotExpressive.glb", 74, 43, 2, 19, 4, 7214, 3237, 9, 14, 193, 3.33333},
    {"SimpleSkin.gltf", 3, 2, 1, 1, 1, 10, 8, 0, 1, 1, 5.5},
    {"Trex.glb", 40, 29, 1, 5, 5, 3496, 1820, 0, 6, 170, 2.5},
    {"dragon-animations.glb", 102, 100, 1, 1, 1, 2905, 3498, 0, 5, 1500, 1.95833},
    {"greenman.glb", 14, 12, 1, 1, 1, 196, 356, 0, 4, 144, 2.45833},
    {"horse-animations.glb", 58, 56, 1, 1, 1, 2146, 3414, 0, 14, 2352, 4.63333},
    {"kaiju-animations.glb", 60, 58, 1, 1, 1, 1561, 2318, 0, 10, 1740, 6},
    {"snake-animations.glb", 30, 28, 1, 1, 1, 995, 1130, 0, 8, 672, 2.25},
    // our own, with what the others lack: quantised positions, weights of bytes, sparse targets, a
    // skin without matrices, cubic channels, strips
    {OWN, 10, 3, 2, 7, 5, 336, 534, 4, 2, 8, 1.5},
};
#define FILE_COUNT (sizeof FILES / sizeof *FILES)

static snRig* load(const char* name)
{
    char path[512];
    snRig* rig;
    snMessage why;
    const char* folder = getenv("SINEW_RIGS");
    snprintf(path, sizeof path, "%.400s/%.100s",
             folder                   ? folder
             : strcmp(name, OWN) == 0 ? SN_TEST_DATA "/rigs"
                                      : RIGS,
             name);
    assert_ok(snRig_Load(NULL, path, &rig, &why), why);
    return rig;
}

static void test_counts(void** state)
{
    (void)state;
    for (size_t i = 0; i < FILE_COUNT; ++i) {
        snRig* rig = load(FILES[i].name);
        const snRigInfo* info = snRig_Info(rig);
        int32_t skinned = 0, channels = 0;
        double longest = 0;
        for (int32_t k = 0; k < info->mesh_count; ++k) {
            skinned += snRig_Mesh(rig, k)->skin >= 0;
        }
        for (int32_t k = 0; k < info->clip_count; ++k) {
            channels += snRig_Clip(rig, k)->channel_count;
            longest = fmax(longest, snRig_Clip(rig, k)->duration);
        }
        assert_int_equal(info->node_count, FILES[i].nodes);
        assert_int_equal(info->joint_count, FILES[i].joints);
        assert_int_equal(info->skin_count, FILES[i].skins);
        assert_int_equal(info->mesh_count, FILES[i].meshes);
        assert_int_equal(skinned, FILES[i].skinned);
        assert_int_equal(info->vertex_count, FILES[i].vertices);
        assert_int_equal(info->triangle_count, FILES[i].triangles);
        assert_int_equal(info->target_count, FILES[i].targets);
        assert_int_equal(info->clip_count, FILES[i].clips);
        assert_int_equal(channels, FILES[i].channels);
        assert_close(longest, FILES[i].longest, 1e-4);
        assert_string_equal(info->kind, strrchr(FILES[i].name, '.') + 1);
        // the only file with something to remark, four times: its weights are wrong
        bool robot = strstr(FILES[i].name, "Robot") != NULL;
        assert_int_equal(info->warning_count, robot ? 4 : 0);
        assert_true(!robot || strstr(info->warnings[0], "worst sum 1.755"));
        snRig_Release(rig);
    }
}

static void test_folder(void** state)
{
    (void)state;
    DIR* folder = opendir(RIGS);
    assert_non_null(folder);
    for (struct dirent* entry = readdir(folder); entry; entry = readdir(folder)) {
        const char* dot = strrchr(entry->d_name, '.');
        if (!dot ||
            (strcmp(dot, ".glb") != 0 && strcmp(dot, ".gltf") != 0 && strcmp(dot, ".vrm") != 0)) {
            continue;
        }
        bool listed = false;
        for (size_t i = 0; i < FILE_COUNT; ++i) {
            listed = listed || strcmp(FILES[i].name, entry->d_name) == 0;
        }
        if (!listed) {
            fail_msg("%s is not in this test's list", entry->d_name);
        }
    }
    closedir(folder);
}

// Where a rig's meshes are
typedef struct Pose {
    snMatrix* nodes;
    double *weights, *still;  // still: 0
    float *position, *normal; // of one mesh
} Pose;

static Pose newPose(const snRig* rig)
{
    const snRigInfo* info = snRig_Info(rig);
    size_t floats = 3 * (size_t)info->vertex_count;
    Pose p = {calloc((size_t)info->node_count, sizeof(snMatrix)),
              calloc((size_t)info->weight_count + 1, sizeof(double)),
              calloc((size_t)info->weight_count + 1, sizeof(double)), calloc(floats, sizeof(float)),
              calloc(floats, sizeof(float))};
    assert_true(p.nodes && p.weights && p.still && p.position && p.normal);
    return p;
}

static void freePose(Pose* p)
{
    free(p->nodes);
    free(p->weights);
    free(p->still);
    free(p->position);
    free(p->normal);
}

static double sizeOf(const snRig* rig)
{
    return snLength(snSub(snRig_Info(rig)->high, snRig_Info(rig)->low));
}

// In no clip does a vertex leave its character, and all normals are unit.
static void test_clips(void** state)
{
    (void)state;
    for (size_t i = 0; i < FILE_COUNT; ++i) {
        snMessage why;
        snRig* rig = load(FILES[i].name);
        Pose p = newPose(rig);
        double size = sizeOf(rig);
        assert_true(size > 0);
        for (int32_t c = -1; c < FILES[i].clips; ++c) {
            double last = c < 0 ? 0 : snRig_Clip(rig, c)->last;
            assert_ok(snRig_Pose(rig, c, 0.6 * last, p.nodes, p.weights, &why), why);
            for (int32_t k = 0; k < FILES[i].meshes; ++k) {
                assert_ok(snRig_Skin(rig, k, p.nodes, p.weights, p.position, p.normal, &why), why);
                size_t count = (size_t)snRig_Mesh(rig, k)->vertex_count;
                for (size_t v = 0; v < 3 * count; v += 3) {
                    const float *x = p.position + v, *n = p.normal + v;
                    snVec3 at = snV3((double)x[0], (double)x[1], (double)x[2]);
                    snVec3 up = snV3((double)n[0], (double)n[1], (double)n[2]);
                    assert_below(snLength(snSub(at, snRig_Info(rig)->low)), 3 * size);
                    assert_close(snLength(up), 1, 1e-5);
                }
            }
        }
        freePose(&p);
        snRig_Release(rig);
    }
}

// Poses by three.js: records of name, clip, time, then of every mesh node, primitive and positions
typedef struct Reader {
    const uint8_t *at, *end;
} Reader;

static void take(Reader* r, void* out, size_t size)
{
    assert_true((size_t)(r->end - r->at) >= size);
    memcpy(out, r->at, size);
    r->at += size;
}

static int32_t takeInt(Reader* r)
{
    int32_t value;
    take(r, &value, sizeof value);
    return value;
}

// Vertices of no triangle, and those on more than four joints, may be left out
static bool isWanted(const snRigInstance* instance, int32_t vertex)
{
    const snRigMesh* mesh = &instance->info;
    const int32_t* first = instance->shape->first;
    bool drawn = false;
    if (first && first[vertex + 1] - first[vertex] > 4) {
        return false;
    }
    for (int32_t i = 0; i < 3 * mesh->triangle_count && !drawn; ++i) {
        drawn = mesh->triangles[i] == vertex;
    }
    return drawn;
}

static double distance(const float* a, const float* b)
{
    return hypot(hypot((double)(a[0] - b[0]), (double)(a[1] - b[1])), (double)(a[2] - b[2]));
}

// The largest distance of a vertex. *flesh: how far weights move one, at least as far as before
static double compareMesh(Reader* r, const snRig* rig, const Pose* p, double* flesh)
{
    snMessage why;
    int32_t node = takeInt(r), primitive = takeInt(r), count = takeInt(r), found = -1;
    for (int32_t k = 0; k < snRig_Info(rig)->mesh_count; ++k) {
        const snRigMesh* mesh = snRig_Mesh(rig, k);
        if (snRig_Node(rig, mesh->node)->file_index == node && mesh->primitive == primitive) {
            found = k;
        }
    }
    assert_true(found >= 0 && snRig_Mesh(rig, found)->vertex_count == count);
    assert_ok(snRig_Skin(rig, found, p->nodes, p->weights, p->position, NULL, &why), why);
    assert_ok(snRig_Skin(rig, found, p->nodes, p->still, p->normal, NULL, &why), why);
    double worst = 0;
    for (int32_t i = 0; i < count; ++i) {
        float x[3];
        take(r, x, sizeof x);
        double d = distance(x, p->position + 3 * i);
        *flesh = fmax(*flesh, distance(p->normal + 3 * i, p->position + 3 * i));
        assert_true(isfinite(d) || !isWanted(&rig->instances[found], i));
        worst = fmax(worst, d); // what is no number does not count
    }
    return worst;
}

// Files in the folder of SINEW_RIGS, or of the list
static int countFiles(void)
{
    int count = 0;
    const char* path = getenv("SINEW_RIGS");
    DIR* folder = path ? opendir(path) : NULL;
    for (struct dirent* entry; folder && (entry = readdir(folder)) != NULL;) {
        count += entry->d_name[0] != '.';
    }
    if (folder) {
        closedir(folder);
    }
    return path ? count : (int)FILE_COUNT;
}

// What was seen of a file: the largest distance and movement
typedef struct Seen {
    char name[64];
    double worst, flesh; // of the size; in the file's unit
} Seen;

static void finishFile(const snRig* rig, const Seen* seen)
{
    if (rig) {
        double flesh = seen->flesh / sizeOf(rig);
        printf("%s: %.2g of its size; flesh moves by %.2g\n", seen->name, seen->worst, flesh);
        bool joints = getenv("SINEW_JOINTS") != NULL; // flesh is in the pose, not in shapes
        assert_true(flesh > least_flesh || joints || !snRig_Info(rig)->is_baked);
    }
}

static void test_poses(void** state)
{
    (void)state;
    const char* path = getenv("SINEW_POSES");
    if (!path) {
        skip();
    }
    uint8_t* bytes;
    size_t count;
    snMessage why;
    assert_ok(snFile_Read(NULL, path, (size_t)1 << 31, &bytes, &count, &why), why);
    Reader r = {bytes, bytes + count};
    int poses = 0, files = 0;
    double worst = 0;
    Seen seen = {0};
    char name[64] = "";
    snRig* rig = NULL;
    Pose p = {0};
    while (r.at < r.end) {
        double time;
        take(&r, name, sizeof name);
        int32_t clip = takeInt(&r), meshes = takeInt(&r);
        take(&r, &time, sizeof time);
        if (strcmp(name, seen.name) != 0) {
            finishFile(rig, &seen);
            freePose(&p);
            snRig_Release(rig);
            rig = load(name);
            p = newPose(rig);
            seen = (Seen){0};
            memcpy(seen.name, name, sizeof name);
            ++files;
        }
        assert_int_equal(meshes, snRig_Info(rig)->mesh_count);
        assert_ok(snRig_Pose(rig, clip, time, p.nodes, p.weights, &why), why);
        for (int32_t k = 0; k < meshes; ++k) {
            seen.worst = fmax(seen.worst, compareMesh(&r, rig, &p, &seen.flesh) / sizeOf(rig));
        }
        worst = fmax(worst, seen.worst);
        ++poses;
    }
    finishFile(rig, &seen);
    printf("%d files, %d poses as the other program has them, apart by at most %.2g\n", files,
           poses, worst);
    freePose(&p);
    snRig_Release(rig);
    snHost_Release(NULL, bytes, count + 1);
    assert_int_equal(files, countFiles());
    assert_true(poses > files);
    assert_below(worst, pose_tolerance);
}

int main(void)
{
    FILE* there = fopen(RIGS "CesiumMan.glb", "rb");
    if (!there) {
        printf("SKIP: the rigs are not there (" RIGS ")\n");
        return SKIPPED;
    }
    fclose(there);
    if (getenv("SINEW_RIGS")) {
        cmocka_set_test_filter("test_poses");
    }
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_counts), cmocka_unit_test(test_folder),
                                       cmocka_unit_test(test_clips), cmocka_unit_test(test_poses)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
