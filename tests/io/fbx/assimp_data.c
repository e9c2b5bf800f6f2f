// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0
// label: full
// needs: assimp zlib

// Every real FBX and Collada file is read with the counts that the data's README states, or refused
// for the right reason; skinning puts every control point where the program that made the file did.
// SINEW_KEEP names a folder where the documents stay as GLB files.

#include "rig/shared.h"

// Of the body's size. The README finds the poses to agree to 3e-5 of 445 (Maya: 7e-8) and 2e-6 of 8
// (Blender: 3e-7); ufbx, which was asked, computes in doubles from the doubles of the file. A glTF
// document cannot: its keys, inverse bind matrices and positions are floats. One rounding of each
// of these (errors of up to 2^-24 put on all of them at random) moves a vertex of the Kenney
// character by 1.8e-7 of its size, one of Blender's sausage by 2.3e-7. Assimp rounds as often
// before: its keys, angles made quaternions, products of pivots and bind matrices are floats as
// well. Largest that is measured: 3.1e-7 and 5.2e-7.
static const double maya_tolerance = 3.5e-7, blender_tolerance = 5.5e-7;

// Of the body's size, of two files of one character. The programs that wrote them have rounded its
// weights and keys otherwise.
static const double twin_tolerance = 1e-5;

static const struct {
    const char* name;
    const char* refused; // part of the reason; NULL = it is read
    int32_t vertices;    // control points
    int32_t triangles, joints, clips;
    double longest; // clip, s
} FILES[] = {
    {"CesiumMan.dae", NULL, 0, 4672, 19, 1, 2},
    {"Female_Adult_01.fbx", NULL, 4734, 8732, 80, 1, 1.0 / 30},
    {"RiggedSimple.dae", NULL, 0, 188, 2, 1, 2.0416666},
    {"Slime.fbx", NULL, 726, 1440, 12, 4, 2.5},
    {"Smooth_Male_Casual.fbx", NULL, 3980, 7932, 31, 11, 200.0 / 24},
    {"animation_with_skeleton.fbx", NULL, 1058, 2112, 14, 1, 20.0 / 24},
    {"blender_279_sausage_7400_binary.fbx", NULL, 290, 576, 3, 3, 19.0 / 24},
    {"f_walk_neutral.max.fbx", NULL, 0, 0, 0, 1, 37.0 / 30},
    {"max7_skin_5000_binary.fbx", "an FBX from before 2011 (its version is 3000", 0, 0, 0, 0, 0},
    {"maya_game_sausage_6100_ascii_combined.fbx", "an FBX from before 2011 (its version is 6100", 0,
     0, 0, 0, 0},
    {"maya_game_sausage_7500_binary_combined.fbx", NULL, 24, 44, 3, 3, 20.0 / 24},
    {"maya_kenney_character_7700_binary.fbx", NULL, 804, 1604, 45, 1, 16.0 / 24},
    {"synthetic_broken_cluster_7500_ascii.fbx", "8 vertices has no bone", 0, 0, 0, 0, 0},
};
#define FILE_COUNT (sizeof FILES / sizeof *FILES)

static snStatus tryLoad(const char* name, snRig** rig, snMessage* why)
{
    char path[512];
    snprintf(path, sizeof path, RIGS "/%.200s", name);
    return snRig_Load(NULL, path, rig, why);
}

static snRig* load(const char* name)
{
    snRig* rig;
    snMessage why;
    assert_ok(tryLoad(name, &rig, &why), why);
    return rig;
}

static const snRigAttribute* pointsOf(const snRigShape* shape)
{
    for (int32_t i = 0; i < shape->attribute_count; ++i) {
        if (strcmp(shape->attributes[i].name, "_CONTROL_POINT") == 0) {
            return &shape->attributes[i];
        }
    }
    return NULL;
}

static void keep(const char* name, const snRig* rig)
{
    char path[1024];
    const char* folder = getenv("SINEW_KEEP");
    if (folder) {
        snprintf(path, sizeof path, "%s/%s.glb", folder, name);
        FILE* file = fopen(path, "wb");
        assert_non_null(file);
        assert_int_equal(fwrite(rig->source.bytes, 1, rig->source.size, file), rig->source.size);
        fclose(file);
    }
}

// The largest control point of all meshes, and one more; every one below must be there.
static int32_t countPoints(const snRig* rig)
{
    int32_t most = 0, met = 0;
    bool* there = calloc(1 << 20, sizeof *there);
    for (int32_t i = 0; i < rig->shape_count; ++i) {
        const snRigShape* s = &rig->shapes[i];
        const snRigAttribute* points = pointsOf(s);
        for (int32_t v = 0; points && v < s->vertex_count; ++v) {
            int32_t point = (int32_t)points->values[v];
            // vertices are in the order of the artist's
            assert_true(v == 0 || points->values[v] >= points->values[v - 1]);
            most = point >= most ? point + 1 : most;
            met += !there[point];
            there[point] = true;
        }
    }
    free(there);
    assert_int_equal(met, most);
    return most;
}

static void test_files(void** state)
{
    (void)state;
    for (size_t i = 0; i < FILE_COUNT; ++i) {
        snRig* rig = NULL;
        snMessage why = {{0}};
        double longest = 0;
        snStatus status = tryLoad(FILES[i].name, &rig, &why);
        if (FILES[i].refused) {
            assert_true(status != sn_ok && strstr(why.text, FILES[i].refused));
            assert_non_null(strstr(why.text, FILES[i].name));
            continue;
        }
        assert_ok(status, why);
        const snRigInfo* info = snRig_Info(rig);
        for (int32_t k = 0; k < info->clip_count; ++k) {
            longest = fmax(longest, snRig_Clip(rig, k)->duration);
        }
        print_message("%-45s %d nodes, %d joints, %d meshes, %d vertices, %d clips, size %.3g\n",
                      FILES[i].name, (int)info->node_count, (int)info->joint_count,
                      (int)info->mesh_count, (int)info->vertex_count, (int)info->clip_count,
                      info->high.y - info->low.y);
        for (int32_t k = 0; k < info->warning_count; ++k) {
            print_message("  %s\n", info->warnings[k]);
        }
        keep(FILES[i].name, rig);
        assert_string_equal(info->kind, strrchr(FILES[i].name, '.') + 1);
        assert_int_equal(info->triangle_count, FILES[i].triangles);
        assert_int_equal(info->joint_count, FILES[i].joints);
        assert_int_equal(info->clip_count, FILES[i].clips);
        assert_close(longest, FILES[i].longest, 1e-4);
        assert_int_equal(countPoints(rig), FILES[i].vertices);
        snRig_Release(rig);
    }
}

// Reference poses ------------------------------------------------------------------

static const struct {
    const char *file, *clip, *pose;
    double time, unit; // s from the clip's start; m
} POSES[] = {
    {"maya_kenney_character_7700_binary.fbx", "Take 001", "maya_kenney_character_4", 4.0 / 24,
     0.01},
    {"maya_kenney_character_7700_binary.fbx", "Take 001", "maya_kenney_character_9", 9.0 / 24,
     0.01},
    {"maya_game_sausage_7500_binary_combined.fbx", "wiggle", "maya_game_sausage_wiggle_10",
     9.0 / 24, 0.01},
    {"maya_game_sausage_7500_binary_combined.fbx", "wiggle", "maya_game_sausage_wiggle_18",
     17.0 / 24, 0.01},
    {"maya_game_sausage_7500_binary_combined.fbx", "spin", "maya_game_sausage_spin_7", 7.0 / 24,
     0.01},
    {"maya_game_sausage_7500_binary_combined.fbx", "deform", "maya_game_sausage_deform_8", 8.0 / 24,
     0.01},
    {"blender_279_sausage_7400_binary.fbx", "Skeleton|Base", "blender_279_sausage_base_0", 0, 1},
    {"blender_279_sausage_7400_binary.fbx", "Skeleton|Spin", "blender_279_sausage_spin_15",
     15.0 / 24, 1},
    {"blender_279_sausage_7400_binary.fbx", "Skeleton|Wiggle", "blender_279_sausage_wiggle_20",
     20.0 / 24, 1},
};

static int readPoints(const char* name, double (*out)[3], int most)
{
    char path[512], line[512];
    int count = 0;
    snprintf(path, sizeof path, RIGS "/reference_poses/%s.obj", name);
    FILE* file = fopen(path, "r");
    assert_non_null(file);
    while (fgets(line, sizeof line, file)) {
        if (sscanf(line, "v %lf %lf %lf", &out[count][0], &out[count][1], &out[count][2]) == 3) {
            assert_true(++count < most);
        }
    }
    fclose(file);
    return count;
}

static double comparePose(const snRig* rig, int32_t clip, double time, double unit,
                          double (*points)[3], int count)
{
    snMessage why;
    double worst = 0, size = 0;
    snMatrix* nodes = calloc((size_t)rig->info.node_count, sizeof *nodes);
    float* x = calloc(3 * (size_t)rig->info.vertex_count, sizeof *x);
    assert_ok(snRig_Pose(rig, clip, time, nodes, NULL, &why), why);
    for (int32_t i = 0; i < rig->info.mesh_count; ++i) {
        const snRigAttribute* point = pointsOf(rig->instances[i].shape);
        assert_non_null(point);
        assert_ok(snRig_Skin(rig, i, nodes, NULL, x, NULL, &why), why);
        for (int32_t v = 0; v < rig->instances[i].info.vertex_count; ++v) {
            int k = (int)point->values[v];
            assert_true(k < count);
            double d[3];
            for (int c = 0; c < 3; ++c) {
                d[c] = (double)x[3 * v + c] / unit - points[k][c];
                size = fmax(size, fabs(points[k][c] - points[0][c]));
            }
            worst = fmax(worst, sqrt(d[0] * d[0] + d[1] * d[1] + d[2] * d[2]));
        }
    }
    free(nodes);
    free(x);
    return worst / size;
}

static void test_poses(void** state)
{
    (void)state;
    static double points[2000][3];
    for (size_t i = 0; i < sizeof POSES / sizeof *POSES; ++i) {
        snRig* rig = load(POSES[i].file);
        int32_t clip = snRig_FindClip(rig, POSES[i].clip);
        int count = readPoints(POSES[i].pose, points, 2000);
        assert_true(clip >= 0);
        assert_int_equal(count, countPoints(rig));
        double miss = comparePose(rig, clip, POSES[i].time, POSES[i].unit, points, count);
        print_message("%-30s misses by %.2g of the size\n", POSES[i].pose, miss);
        assert_below(miss,
                     strncmp(POSES[i].file, "maya", 4) == 0 ? maya_tolerance : blender_tolerance);
        snRig_Release(rig);
    }
}

// Two files of one character --------------------------------------------------------

typedef struct Cloud {
    int32_t count;
    double size;
    float* x; // (count, 3)
} Cloud;

// quarter: turned about the vertical by a quarter. Vertices with more than 4 joints are left out:
// the program that made the GLB files dropped the others.
static Cloud poseOf(const snRig* rig, double time, bool quarter)
{
    snMessage why;
    const snRigInfo* info = &rig->info;
    Cloud c = {.x = calloc(3 * (size_t)info->vertex_count, sizeof *c.x)};
    snMatrix* nodes = calloc((size_t)info->node_count, sizeof *nodes);
    float* x = calloc(3 * (size_t)info->vertex_count, sizeof *x);
    assert_int_equal(info->mesh_count, 1);
    assert_ok(snRig_Pose(rig, 0, time, nodes, NULL, &why), why);
    assert_ok(snRig_Skin(rig, 0, nodes, NULL, x, NULL, &why), why);
    const int32_t* first = rig->instances[0].shape->first;
    for (int32_t v = 0; v < info->vertex_count; ++v) {
        if (first[v + 1] - first[v] <= 4) {
            float* out = c.x + 3 * c.count++;
            out[0] = quarter ? -x[3 * v + 2] : x[3 * v];
            out[1] = x[3 * v + 1];
            out[2] = quarter ? x[3 * v] : x[3 * v + 2];
        }
    }
    c.size = fmax(info->high.x - info->low.x, info->high.y - info->low.y);
    free(nodes);
    free(x);
    return c;
}

// The farthest that a point of one is from all of the other
static double distance(const Cloud* a, const Cloud* b)
{
    double most = 0;
    for (int32_t i = 0; i < a->count; ++i) {
        double least = 1e300;
        for (int32_t k = 0; k < b->count; ++k) {
            double d = 0;
            for (int c = 0; c < 3; ++c) {
                double e = (double)(a->x[3 * i + c] - b->x[3 * k + c]);
                d += e * e;
            }
            least = fmin(least, d);
        }
        most = fmax(most, least);
    }
    return sqrt(most);
}

static void test_twins(void** state)
{
    (void)state;
    static const char* const TWINS[] = {"CesiumMan", "RiggedSimple"};
    for (size_t i = 0; i < sizeof TWINS / sizeof *TWINS; ++i) {
        char name[64];
        snprintf(name, sizeof name, "%s.dae", TWINS[i]);
        snRig* a = load(name);
        snprintf(name, sizeof name, "%s.glb", TWINS[i]);
        snRig* b = load(name);
        for (int k = 0; k < 4; ++k) {
            double time = b->clips[0].info.first + 0.25 * k * b->clips[0].info.duration;
            // CesiumMan.glb was turned to face the front, CesiumMan.dae was not
            Cloud p = poseOf(a, time, i == 0), q = poseOf(b, time, false);
            double apart = distance(&p, &q) / q.size;
            assert_true(p.count > a->info.vertex_count / 2);
            print_message("%s at %.3f s: apart by %.2g of the size\n", TWINS[i], time, apart);
            assert_below(apart, twin_tolerance);
            free(p.x);
            free(q.x);
        }
        snRig_Release(a);
        snRig_Release(b);
    }
}

int main(void)
{
    if (!haveRigs()) {
        return SKIPPED;
    }
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_files), cmocka_unit_test(test_poses),
                                       cmocka_unit_test(test_twins)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
