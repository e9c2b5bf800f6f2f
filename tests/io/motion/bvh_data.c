// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0
// label: full

// Every real clip: counts as the list beside it states, joints where a plain reading with Euler
// matrices puts them. The folder is searched, so a file that is not listed here fails too.
#include <dirent.h>

#include "check.h"
#include "rig/clip.h"

#define FOLDER SN_SHARED_DATA "/mocap"
#define SKIPPED 77
#define DEGREE 0.017453292519943295

static const struct {
    const char* name;
    int32_t joints, channels, frames, first, up;
    double rate, unit;
    bool instead; // the root's positions repeat its offset: they stand in its place
} FILES[] = {
    {"cmu_02_01.bvh", 31, 96, 344, 1, 1, 120, 0.0564, false},
    {"cmu_02_03.bvh", 31, 96, 174, 1, 1, 120, 0.0564, false},
    {"cmu_02_04.bvh", 31, 96, 484, 1, 1, 120, 0.0564, false},
    {"cmu_05_06.bvh", 31, 96, 886, 1, 1, 120, 0.0564, false},
    {"cmu_49_06.bvh", 31, 96, 482, 1, 1, 120, 0.0564, false},
    {"cmu_60_12.bvh", 31, 96, 1691, 1, 1, 120, 0.0564, false},
    {"cmu_88_01.bvh", 31, 96, 203, 1, 1, 120, 0.0564, false},
    {"pirouette.bvh", 43, 132, 592, 1, 1, 120, 0.01, false},
    {"makehuman_walk1.bvh", 75, 228, 14, 0, 2, 24, 0.1, false},
    {"makehuman_dance1.bvh", 75, 228, 1, 0, 2, 24, 0.1, true},
};
#define COUNT (sizeof FILES / sizeof *FILES)

static snClip* load(const char* name)
{
    char path[1024];
    snMessage why;
    snClip* clip;
    snprintf(path, sizeof path, FOLDER "/%s", name);
    assert_ok(snClip_Load(NULL, path, NULL, &clip, &why), why);
    return clip;
}

static void countsAreThoseOfTheList(void** state)
{
    (void)state;
    for (size_t i = 0; i < COUNT; ++i) {
        snClip* clip = load(FILES[i].name);
        const snClipInfo* info = snClip_Info(clip);
        assert_int_equal(info->joint_count, FILES[i].joints);
        assert_int_equal(info->channel_count, FILES[i].channels);
        assert_int_equal(info->frame_count, FILES[i].frames);
        assert_int_equal(info->first, FILES[i].first);
        assert_int_equal(info->up, FILES[i].up);
        assert_close(info->rate, FILES[i].rate, 0);
        assert_close(info->unit, FILES[i].unit, 0);
        snClip_Free(clip);
    }
}

static void noFileIsForgotten(void** state)
{
    (void)state;
    DIR* folder = opendir(FOLDER);
    struct dirent* entry;
    size_t found = 0;
    while ((entry = readdir(folder))) {
        size_t i = 0;
        while (i < COUNT && strcmp(entry->d_name, FILES[i].name) != 0) {
            ++i;
        }
        if (i == COUNT && entry->d_name[0] != '.') {
            fail_msg("%s is not listed in this test", entry->d_name);
        }
        found += i < COUNT;
    }
    closedir(folder);
    assert_int_equal(found, COUNT);
}

// A plain reading, which shares nothing with the library ---------------------------

typedef struct Plain {
    int parent, count;
    double offset[3];
    char channel[6]; // x y z position, X Y Z rotation
} Plain;

typedef struct Matrix {
    double m[4][4];
} Matrix;

static Matrix identity(void)
{
    Matrix a = {{{1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}, {0, 0, 0, 1}}};
    return a;
}

static Matrix product(Matrix a, Matrix b)
{
    Matrix c = {{{0}}};
    for (int i = 0; i < 4; ++i) {
        for (int j = 0; j < 4; ++j) {
            for (int k = 0; k < 4; ++k) {
                c.m[i][j] += a.m[i][k] * b.m[k][j];
            }
        }
    }
    return c;
}

static Matrix step(char kind, double value)
{
    Matrix a = identity();
    if (kind >= 'x') {
        a.m[kind - 'x'][3] = value;
        return a;
    }
    int i = (kind - 'X' + 1) % 3, j = (kind - 'X' + 2) % 3;
    a.m[i][i] = a.m[j][j] = cos(value * DEGREE);
    a.m[j][i] = sin(value * DEGREE);
    a.m[i][j] = -a.m[j][i];
    return a;
}

// The hierarchy, word by word; returns the number of joints
static int readPlain(FILE* file, Plain* joints)
{
    char word[256];
    int stack[64], depth = 0, count = 0;
    bool site = false;
    while (fscanf(file, "%255s", word) == 1 && strcmp(word, "MOTION") != 0) {
        if (strcmp(word, "ROOT") == 0 || strcmp(word, "JOINT") == 0) {
            joints[count] = (Plain){.parent = depth > 0 ? stack[depth - 1] : -1};
            stack[depth] = count++;
        } else if (strcmp(word, "End") == 0) {
            site = true;
            stack[depth] = -1;
        } else if (strcmp(word, "{") == 0) {
            ++depth;
        } else if (strcmp(word, "}") == 0) {
            --depth;
        } else if (strcmp(word, "OFFSET") == 0) {
            double o[3];
            assert_int_equal(fscanf(file, "%lf %lf %lf", &o[0], &o[1], &o[2]), 3);
            if (!site) {
                memcpy(joints[count - 1].offset, o, sizeof o);
            }
            site = false;
        } else if (strcmp(word, "CHANNELS") == 0) {
            Plain* j = &joints[count - 1];
            assert_int_equal(fscanf(file, "%d", &j->count), 1);
            for (int k = 0; k < j->count; ++k) {
                assert_int_equal(fscanf(file, "%255s", word), 1);
                j->channel[k] = (char)(word[1] == 'p' ? word[0] + ('x' - 'X') : word[0]);
            }
        }
    }
    return count;
}

static double comparePlain(const char* name, bool instead, const snClip* clip)
{
    static Plain joints[100];
    static Matrix place[100];
    static snTransform pose[100];
    char path[1024];
    snprintf(path, sizeof path, FOLDER "/%s", name);
    FILE* file = fopen(path, "r");
    int count = readPlain(file, joints), frames;
    double time, worst = 0, size = 0;
    assert_int_equal(count, clip->info.joint_count);
    assert_int_equal(fscanf(file, " Frames: %d Frame Time: %lf", &frames, &time), 2);
    for (int f = 0; f < frames; ++f) {
        snClip_Pose(clip, f, pose);
        for (int j = 0; j < count; ++j) {
            Matrix a = joints[j].parent < 0 ? identity() : place[joints[j].parent];
            for (int k = 0; k < 3 && (j > 0 || !instead); ++k) {
                a = product(a, step((char)('x' + k), joints[j].offset[k]));
            }
            for (int k = 0; k < joints[j].count; ++k) {
                double value;
                assert_int_equal(fscanf(file, "%lf", &value), 1);
                a = product(a, step(joints[j].channel[k], value));
            }
            place[j] = a;
            snVec3 p = snV3(a.m[0][3], a.m[1][3], a.m[2][3]);
            worst = fmax(worst, snLength(snSub(p, pose[j].p)));
            size = fmax(size, snLength(p));
        }
    }
    fclose(file);
    return worst / size;
}

// Roundings of a chain of some ten joints, relative to where the figure is
static void jointsAreWhereEulerPutsThem(void** state)
{
    (void)state;
    for (size_t i = 0; i < COUNT; ++i) {
        snClip* clip = load(FILES[i].name);
        double off = comparePlain(FILES[i].name, FILES[i].instead, clip);
        print_message("%s: joints agree to %.1e of the size\n", FILES[i].name, off);
        assert_below(off, 1e-13);
        snClip_Free(clip);
    }
}

static void quaternionsAreContinuous(void** state)
{
    (void)state;
    for (size_t i = 0; i < COUNT; ++i) {
        snClip* clip = load(FILES[i].name);
        size_t n = (size_t)clip->info.joint_count;
        for (size_t k = n; k < n * (size_t)clip->info.frame_count; ++k) {
            assert_true(snQDot(clip->turn[k], clip->turn[k - n]) >= 0);
            assert_close(snQDot(clip->turn[k], clip->turn[k]), 1, 1e-14);
        }
        snClip_Free(clip);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(countsAreThoseOfTheList),
        cmocka_unit_test(noFileIsForgotten),
        cmocka_unit_test(jointsAreWhereEulerPutsThem),
        cmocka_unit_test(quaternionsAreContinuous),
    };
    DIR* folder = opendir(FOLDER);
    if (!folder) {
        printf("SKIP: io_motion_bvh_data needs the clips of %s, which are not there\n", FOLDER);
        return SKIPPED;
    }
    closedir(folder);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
