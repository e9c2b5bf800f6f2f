// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0
// label: full
// alone: it calls itself

// Saved states with flesh: a run that goes on in a new process, from any step, in contact and while
// the guard is at work, gives the same bits. With `--resume FILE SECONDS` this program is that
// process and prints the final hash.
#define _POSIX_C_SOURCE 200809L // popen, readlink

#include "base/random.h"
#include "sim/flesh.h"
#include <inttypes.h>
#include <unistd.h>

#define RUN_TIME 1.0 // s
#define SAVES 12

// Two bodies thrown hard at the ground with steps that are too long for it.
static snScene* makeRough(double friction)
{
    snMessage why;
    snSceneDef def;
    snScene* scene = NULL;
    snSceneDef_Init(&def);
    def.ground = 1;
    def.friction = friction;
    def.step = 1.0 / 180;
    assert_ok(snScene_Create(NULL, &def, &scene, &why), why);
    for (int i = 0; i < 2; ++i) {
        snCharacter* c = i ? makeBlock(snV3(0.15, 0.1, 0.1), 200) : makeBuiltin("worm");
        snStart start;
        snStart_Init(&start);
        start.pose.p = snV3(1.2 * i, 0.4, 0);
        start.velocity = snV3(2, -6, 0.5);
        start.spin = snV3(3, 1, 8);
        assert_ok(snScene_Add(scene, c, &start, NULL, &why), why);
        snCharacter_Release(c);
    }
    return scene;
}

static int resume(const char* path, double seconds)
{
    snScene* scene = makeRough(0.6);
    snSim* sim = startSim(scene);
    snMessage why;
    size_t size = snSim_StateSize(sim);
    uint8_t* bytes = malloc(size);
    FILE* file = fopen(path, "rb");
    size_t count = file && bytes ? fread(bytes, 1, size, file) : 0;
    snStatus status = snSim_Restore(sim, bytes, count, &why);
    status = status ? status : snSim_Advance(sim, seconds, &why);
    printf("%016" PRIx64 " %s\n", snSim_Hash(sim), status ? why.text : "ok");
    if (file) {
        fclose(file);
    }
    free(bytes);
    snSim_Free(sim);
    snScene_Free(scene);
    return (int)status;
}

static void callResume(const void* saved, size_t size, double seconds, char* line, int bytes)
{
    char self[1000], command[1100];
    FILE* file = fopen("restore_state.bin", "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(saved, 1, size, file), size);
    fclose(file);
    ssize_t length = readlink("/proc/self/exe", self, sizeof self - 1);
    assert_true(length > 0);
    self[length] = 0;
    snprintf(command, sizeof command, "'%s' --resume restore_state.bin %.17g", self, seconds);
    FILE* pipe = popen(command, "r");
    assert_non_null(pipe);
    assert_non_null(fgets(line, bytes, pipe));
    assert_int_equal(pclose(pipe), 0);
    remove("restore_state.bin");
}

// Save at random times, most of them between frames; the rest is for the new process.
static void newProcessesGoOn(void** state)
{
    (void)state;
    snScene* scene = makeRough(0.6);
    snSim* sim = startSim(scene);
    size_t size = snSim_StateSize(sim);
    uint8_t* saved = malloc(size);
    advance(sim, RUN_TIME);
    uint64_t end = snSim_Hash(sim);
    const snFrame* frame = snSim_Frame(sim);
    print_message("uninterrupted: %d retries, touching %d and %d, %zu bytes of state\n",
                  (int)frame->guard.retries, frame->characters[0].contact_count,
                  frame->characters[1].contact_count, size);
    assert_true(frame->guard.retries > 1);
    snSim_Free(sim);

    snRandom random = snRandom_Seed(5);
    int between = 0, guarded = 0, touching = 0;
    for (int i = 0; i < SAVES; ++i) {
        double at = snRandom_Range(&random, 0.03, 0.95);
        char line[256] = "", expected[64];
        sim = startSim(scene);
        advance(sim, at);
        frame = snSim_Frame(sim);
        double in_frame = snSim_Time(sim) * 60;
        between += fabs(in_frame - floor(in_frame + 0.5)) > 1e-3;
        guarded += frame->guard.level > 0;
        touching += frame->characters[0].contact_count + frame->characters[1].contact_count > 0;
        snSim_Save(sim, saved);
        callResume(saved, size, RUN_TIME - at, line, sizeof line);
        snprintf(expected, sizeof expected, "%016" PRIx64 " ok\n", end);
        assert_string_equal(line, expected);
        snSim_Free(sim);
    }
    print_message("of %d saved states %d between frames, %d with shortened steps, %d in contact\n",
                  SAVES, between, guarded, touching);
    assert_true(between > 2 && guarded > 2 && touching > 2);
    free(saved);
    snScene_Free(scene);
}

// A state saved between frames, just before trouble: the guard goes back behind it.
static void guardGoesBackBehindTheSave(void** state)
{
    (void)state;
    snScene* scene = makeRough(0.6);
    snSim *one = startSim(scene), *two = startSim(scene);
    size_t size = snSim_StateSize(one);
    uint8_t* saved = malloc(size);
    snMessage why;
    double h = snSim_Step(one);
    int crossed = 0;
    // every step of the impact: save, go on in another sim, compare
    for (int i = 0; i < 60; ++i) {
        snSim_Save(one, saved);
        int64_t before = snSim_Frame(one)->guard.retries;
        assert_ok(snSim_Restore(two, saved, size, &why), why);
        assert_true(snSim_Hash(two) == snSim_Hash(one));
        advance(one, h);
        advance(two, h);
        crossed += snSim_Frame(one)->guard.retries > before;
        assert_true(snSim_Hash(two) == snSim_Hash(one));
        assert_close(snSim_Time(two), snSim_Time(one), 0);
    }
    print_message("the guard went back over %d saves\n", crossed);
    assert_true(crossed > 0);
    free(saved);
    snSim_Free(one);
    snSim_Free(two);
    snScene_Free(scene);
}

static void wrongStatesAreRefused(void** state)
{
    (void)state;
    snMessage why;
    snScene *scene = makeRough(0.6), *other = makeRough(0.5);
    snSim *sim = startSim(scene), *foreign = startSim(other);
    size_t size = snSim_StateSize(sim);
    uint8_t* saved = malloc(size + 1);
    advance(sim, 0.2);
    advance(foreign, 0.1);
    uint64_t before = snSim_Hash(foreign);
    snSim_Save(sim, saved);
    assert_refused(snSim_Restore(foreign, saved, size, &why), sn_errorArgument, why, "another");
    assert_refused(snSim_Restore(sim, saved, size - 1, &why), sn_errorArgument, why, "bytes");
    assert_refused(snSim_Restore(sim, saved, size + 1, &why), sn_errorArgument, why, "bytes");
    assert_true(snSim_Hash(foreign) == before);
    uint64_t hash = snSim_Hash(sim);
    snRandom random = snRandom_Seed(11);
    for (int i = 0; i < 200; ++i) { // anywhere in head, bones, flesh and contacts, and both parts
        size_t byte = snRandom_Below(&random, (uint32_t)size);
        uint8_t bit = (uint8_t)(1u << snRandom_Below(&random, 8));
        saved[byte] ^= bit;
        assert_int_equal(snSim_Restore(sim, saved, size, &why), sn_errorArgument);
        assert_true(strlen(why.text) > 0);
        saved[byte] ^= bit;
    }
    assert_true(snSim_Hash(sim) == hash);
    assert_ok(snSim_Restore(sim, saved, size, &why), why);
    free(saved);
    snSim_Free(sim);
    snSim_Free(foreign);
    snScene_Free(scene);
    snScene_Free(other);
}

int main(int argc, char** argv)
{
    if (argc == 4 && strcmp(argv[1], "--resume") == 0) {
        return resume(argv[2], strtod(argv[3], NULL));
    }
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(newProcessesGoOn),
        cmocka_unit_test(guardGoesBackBehindTheSave),
        cmocka_unit_test(wrongStatesAreRefused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
