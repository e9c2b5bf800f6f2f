// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0
// label: quick

// The table read back holds the very numbers of the frames.

#include "io/folder.h"

#include "base/file.h"
#include "base/memory.h"
#include "base/number.h"
#include "io/sink/frames.h"

#define FRAMES 20
#define COLUMNS 33
#define FIRST_COUNT 14    // of four, which have no unit
#define FIRST_ROTATION 21 // of four, neither
#define FIRST_WORK 25     // to the end

// Takes one field (RFC 4180) and what ends it; returns the ending character.
static char takeField(const char** at, char* out, size_t size)
{
    const char* c = *at;
    size_t used = 0;
    bool quoted = *c == '"';
    c += quoted;
    while (quoted ? *c != '"' || c[1] == '"' : *c != ',' && *c != '\n') {
        assert_true(*c && used + 1 < size);
        c += quoted && *c == '"';
        out[used++] = *c++;
    }
    out[used] = 0;
    c += quoted;
    *at = c + 1;
    return *c;
}

static double takeNumber(const char** at, char ending)
{
    char text[64];
    double value = (double)NAN;
    assert_int_equal(takeField(at, text, sizeof(text)), ending);
    assert_true(strlen(text) > 0);
    assert_int_equal(snNumber_Parse(text, strlen(text), &value), strlen(text));
    return value;
}

static const snEnergyBalance BALANCE = {.in = {3, 2, 1}, .out = {1, 2, 0.25, 0.125}, .rest = -0.5};

// With counts and efforts, which frames.h does not have
static const snFrame* makeCounted(Stage* stage, int number)
{
    static double tau[8 * ACTOR_BONES];
    tau[0] = -0.3 * number;
    tau[1] = 0.1 * number;
    makeFrame(stage, number, number / 60.0);
    stage->frame.guard.retries = 7 + number;
    stage->frame.guard.level = number % 3;
    for (int i = 0; i < CHARACTERS; ++i) {
        stage->characters[i].contact_count = 10 * number + i;
        stage->characters[i].inverted = 10000000000 + number;
        stage->characters[i].tau = number == 0 ? NULL : tau;
        stage->characters[i].depth = 1e-3 * number;
        stage->characters[i].power = -7.5 * number;
        stage->characters[i].balance = i == 1 ? &BALANCE : NULL;
    }
    return &stage->frame;
}

static void takeMotion(const char** at, const snEnergy* energy, const snMomentum* momentum)
{
    assert_true(takeNumber(at, ',') == energy->kinetic);
    assert_true(takeNumber(at, ',') == energy->gravity);
    assert_true(takeNumber(at, ',') == energy->elastic);
    const snVec3 rest[3] = {momentum->linear, momentum->angular, momentum->com};
    for (int v = 0; v < 3; ++v) {
        assert_true(takeNumber(at, ',') == rest[v].x);
        assert_true(takeNumber(at, ',') == rest[v].y);
        assert_true(takeNumber(at, ',') == rest[v].z);
    }
}

static void takeRotation(const char** at, snQuat q)
{
    assert_true(takeNumber(at, ',') == q.x);
    assert_true(takeNumber(at, ',') == q.y);
    assert_true(takeNumber(at, ',') == q.z);
    assert_true(takeNumber(at, ',') == q.w);
}

static void takeBalance(const char** at, const snEnergyBalance* b)
{
    char text[64];
    for (int k = 0; k <= sn_workCount; ++k) {
        char ending = k < sn_workCount ? ',' : '\n';
        if (b) {
            double value = k < sn_workCount ? b->in[k] - b->out[k] : b->rest;
            assert_true(takeNumber(at, ending) == value);
        } else {
            assert_int_equal(takeField(at, text, sizeof(text)), ending);
            assert_string_equal(text, "");
        }
    }
}

// One that stays and, after it, one that gives way: 2 kg at (3, 4, 0) m/s
static const snFrameObstacle OBSTACLES[2] = {
    {.name = "wall", .pose = {{0, 0, 0}, {0, 0, 0, 1}}},
    {.name = "box",
     .pose = {{1, 2, 3}, {0.6, 0, 0, 0.8}},
     .twist = {{4, 5, 6}, {3, 4, 0}},
     .momentum = {.mass = 2, .linear = {6, 8, 0}, .angular = {0.25, 0.5, 0.75}, .com = {1, 2.5, 3}},
     .energy = {.kinetic = 29, .gravity = 49.05}}};

static void addObstacles(Stage* stage)
{
    const snShapeDef shape = {
        .kind = sn_shapeSphere, .pose = {{0, 0, 0}, {0, 0, 0, 1}}, .radius = 1};
    snObstacleDef def;
    snMessage why;
    snObstacleDef_Init(&def);
    def.shape_count = 1;
    def.shapes = &shape;
    for (int i = 0; i < 2; ++i) {
        def.mass = 2 * i;
        assert_ok(snScene_AddObstacle(stage->scene, &def, NULL, &why), why);
    }
    stage->frame.obstacle_count = 2;
    stage->frame.obstacles = OBSTACLES;
}

static void test_table(void** state)
{
    (void)state;
    Stage stage;
    snMessage why;
    snSink* sink;
    openStage(&stage);
    addObstacles(&stage);
    assert_ok(snSink_Open(NULL, stage.scene, "table.csv", NULL, &sink, &why), why);
    for (int k = 0; k < FRAMES; ++k) {
        assert_ok(snSink_Write(sink, makeCounted(&stage, k), &why), why);
    }
    assert_ok(snSink_Close(sink, &why), why);

    uint8_t* bytes;
    size_t size;
    assert_ok(snFile_Read(NULL, "table.csv", 1 << 20, &bytes, &size, &why), why);
    const char* at = (const char*)bytes;
    char text[256];
    for (int k = 0; k < COLUMNS; ++k) {
        assert_int_equal(takeField(&at, text, sizeof(text)), k + 1 < COLUMNS ? ',' : '\n');
        bool plain = k == 1 || (k >= FIRST_COUNT && k < FIRST_COUNT + 4) ||
                     (k >= FIRST_ROTATION && k < FIRST_WORK);
        assert_true(plain == !(strchr(text, '[') && strchr(text, ']')));
    }
    for (int k = 0; k < FRAMES; ++k) {
        const snFrame* frame = makeCounted(&stage, k);
        for (int32_t i = 0; i < frame->character_count; ++i) {
            const snFrameCharacter* c = &frame->characters[i];
            assert_true(takeNumber(&at, ',') == frame->time);
            assert_int_equal(takeField(&at, text, sizeof(text)), ',');
            assert_string_equal(text, c->name);
            takeMotion(&at, &c->energy, &c->momentum);
            assert_true(takeNumber(&at, ',') == (double)frame->guard.retries);
            assert_true(takeNumber(&at, ',') == frame->guard.level);
            assert_true(takeNumber(&at, ',') == c->contact_count);
            assert_true(takeNumber(&at, ',') == (double)c->inverted);
            assert_true(takeNumber(&at, ',') == c->depth);
            assert_true(takeNumber(&at, ',') == c->power);
            assert_true(takeNumber(&at, ',') == 0.3 * k); // the largest
            takeRotation(&at, c->bones[0].q);
            takeBalance(&at, c->balance);
        }
        // of movable obstacles where and how they are, no counts and efforts
        assert_true(takeNumber(&at, ',') == frame->time);
        assert_int_equal(takeField(&at, text, sizeof(text)), ',');
        assert_string_equal(text, "box");
        takeMotion(&at, &OBSTACLES[1].energy, &OBSTACLES[1].momentum);
        for (int i = FIRST_COUNT; i < FIRST_ROTATION; ++i) {
            assert_int_equal(takeField(&at, text, sizeof(text)), ',');
            assert_string_equal(text, "");
        }
        takeRotation(&at, OBSTACLES[1].pose.q);
        takeBalance(&at, NULL);
    }
    assert_int_equal(at - (const char*)bytes, size);
    snHost_Release(NULL, bytes, size + 1);
    closeStage(&stage);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_table)};
    return cmocka_run_group_tests(tests, enterFolder, leaveFolder);
}
