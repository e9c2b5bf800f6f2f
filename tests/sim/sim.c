// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0
// label: quick
// alone: it calls itself

// Sims: time, frames, saved states, same bits for any threads and any cutting of time, failures.
// With `--resume FILE` this program restores a state in a new process and prints the final hash.
#define _POSIX_C_SOURCE 200809L // popen, readlink

#include "base/random.h"
#include "math/vec.h"
#include "sim/puppet.h"
#include <inttypes.h>
#include <scenes/scenes.h>
#include <unistd.h>
#if defined(__x86_64__)
#include <xmmintrin.h>
#endif

#define STEPS_PER_FRAME 17 // of the automatic step, at most 1 ms, at 60 frames/s

static snScene* openBuiltin(const char* name, const snHost* host)
{
    snScene* scene = NULL;
    snMessage why;
    assert_ok(snBuiltinScene_Find(name)->make(host, &scene, &why), why);
    return scene;
}

// Time --------------------------------------------------------------------------------------------

static void testSteps(void** state)
{
    (void)state;
    static const struct {
        double rate, step;
        int steps;
    } CASES[] = {{60, 0, STEPS_PER_FRAME},
                 {24, 0.01, 5},
                 {60, 1.0 / 240, 4},
                 {60, 0.1, 1},
                 {1000, 0, 1},
                 {10000, 0, 1},
                 {10, 0.1, 1},
                 {1, 0.1, 10}};
    for (size_t i = 0; i < sizeof CASES / sizeof *CASES; ++i) {
        snSceneDef def;
        snSceneDef_Init(&def);
        def.frame_rate = CASES[i].rate;
        def.step = CASES[i].step;
        snScene* scene = NULL;
        snMessage why;
        assert_ok(snScene_Create(NULL, &def, &scene, &why), why);
        addPuppet(NULL, scene, makeSingle(sn_jointFree), NULL);
        snSim* sim = startSim(scene);
        double h = 1 / (CASES[i].rate * CASES[i].steps);
        assert_relative(snSim_Step(sim), h, 1e-15, 0);
        assert_close(snSim_Time(sim), 0, 0);
        for (int k = 1; k <= 3; ++k) {
            advance(sim, 1 / CASES[i].rate);
            assert_int_equal(snSim_Frame(sim)->step, k * CASES[i].steps);
            assert_relative(snSim_Time(sim), k * CASES[i].steps * h, 1e-15, 0);
            assert_close(snSim_Frame(sim)->time, snSim_Time(sim), 0);
        }
        snSim_Free(sim);
        snScene_Free(scene);
    }
}

// However time is cut into calls, the steps are the same.
static void testCutting(void** state)
{
    (void)state;
    const double end = 0.7;
    snScene* scene = makePuppetScene(NULL, NULL, 2);
    uint64_t hash[3];
    int64_t steps[3];
    for (int way = 0; way < 3; ++way) {
        snSim* sim = startSim(scene);
        snRandom r = snRandom_Seed(8);
        if (way == 0) {
            advance(sim, end);
        } else if (way == 1) {
            for (int i = 0; i < 42; ++i) {
                advance(sim, 1.0 / 60);
            }
        } else {
            double done = 0;
            while (done < end) {
                double dt = fmin(snRandom_Unit(&r) < 0.5 ? snRandom_Range(&r, 0, 1e-4)
                                                         : snRandom_Range(&r, 0, 0.03),
                                 end - done);
                advance(sim, dt);
                done += dt;
            }
        }
        advance(sim, 0); // does nothing
        hash[way] = snSim_Hash(sim);
        steps[way] = snSim_Frame(sim)->step;
        snSim_Free(sim);
    }
    assert_int_equal(steps[0], 42 * STEPS_PER_FRAME);
    for (int way = 1; way < 3; ++way) {
        assert_int_equal(steps[way], steps[0]);
        assert_true(hash[way] == hash[0]);
    }
    snScene_Free(scene);
}

// A game that runs for long adds up many small times; their rounding must not lose a step.
static void testLongRun(void** state)
{
    (void)state;
    snSceneDef def;
    snSceneDef_Init(&def);
    def.frame_rate = 1000;
    def.gravity = (snVec3){0, 0, 0};
    snScene* scene = NULL;
    snMessage why;
    assert_ok(snScene_Create(NULL, &def, &scene, &why), why);
    addPuppet(NULL, scene, makeSingle(sn_jointRevolute), NULL);
    snSim* sim = startSim(scene);
    for (int k = 1; k <= 400000; ++k) {
        advance(sim, 0.001);
        assert_int_equal(snSim_Time(sim) * 1000 + 0.5, k);
    }
    snSim_Free(sim);
    snScene_Free(scene);
}

static void testBadTime(void** state)
{
    (void)state;
    static const double TIMES[] = {-1e-9, 3601, (double)NAN, (double)INFINITY, -(double)INFINITY};
    snMessage why;
    snScene* scene = makePuppetScene(NULL, NULL, 1);
    snSim* sim = startSim(scene);
    uint64_t before = snSim_Hash(sim);
    for (size_t i = 0; i < sizeof TIMES / sizeof *TIMES; ++i) {
        assert_refused(snSim_Advance(sim, TIMES[i], &why), sn_errorArgument, why, "0..3600");
        assert_int_equal(snSim_Advance(sim, TIMES[i], NULL), sn_errorArgument);
    }
    assert_int_equal(snSim_Advance(NULL, 1, &why), sn_errorArgument);
    advance(sim, 0);
    assert_true(snSim_Hash(sim) == before);
    assert_int_equal(snSim_Create(NULL, &sim, &why), sn_errorArgument);
    assert_int_equal(snSim_Create(scene, NULL, &why), sn_errorArgument);
    snSim_Free(sim);
    snSim_Free(NULL);
    snScene_Free(scene);
}

// Frames ------------------------------------------------------------------------------------------

// A frame says the same as the mechanics at its q and qd.
static void testFrame(void** state)
{
    (void)state;
    const double tolerance = 1e-12;
    snMessage why;
    snScene* scene = NULL;
    assert_ok(snScene_Create(NULL, NULL, &scene, &why), why);
    snSkeleton* skeleton = makePuppet(NULL, sn_jointFree);
    snDynamics* dynamics = NULL;
    assert_ok(snDynamics_Create(NULL, skeleton, &dynamics, &why), why);
    drivePuppet(scene, addPuppet(NULL, scene, skeleton, NULL));
    snSim* sim = startSim(scene);
    for (int k = 0; k < 10; ++k) {
        const snFrame* frame = snSim_Frame(sim);
        assert_ptr_equal(snSim_Frame(sim), frame);
        assert_int_equal(frame->character_count, 1);
        const snFrameCharacter* c = &frame->characters[0];
        assert_string_equal(c->name, "puppet");
        assert_int_equal(c->bone_count, PUPPET_BONES);
        assert_ok(snDynamics_SetState(dynamics, c->q, c->qd, &why), why);
        for (int32_t b = 0; b < PUPPET_BONES; ++b) {
            snTransform pose = snDynamics_BonePose(dynamics, b);
            snTwist twist = snDynamics_BoneTwist(dynamics, b);
            assert_below(snLength(snSub(c->bones[b].p, pose.p)), tolerance);
            assert_close(fabs(c->bones[b].q.x * pose.q.x + c->bones[b].q.y * pose.q.y +
                              c->bones[b].q.z * pose.q.z + c->bones[b].q.w * pose.q.w),
                         1, tolerance);
            assert_below(snLength(snSub(c->twists[b].w, twist.w)), tolerance);
            assert_below(snLength(snSub(c->twists[b].v, twist.v)), tolerance);
        }
        snEnergy e = snDynamics_Energy(dynamics);
        snMomentum m = snDynamics_Momentum(dynamics);
        assert_relative(c->energy.kinetic, e.kinetic, tolerance, 1);
        assert_relative(c->energy.gravity, e.gravity, tolerance, 1);
        assert_relative(c->energy.elastic, e.elastic, tolerance, 1);
        assert_relative(c->momentum.mass, m.mass, tolerance, 1);
        assert_below(snLength(snSub(c->momentum.com, m.com)), tolerance);
        assert_below(snLength(snSub(c->momentum.linear, m.linear)), tolerance);
        assert_below(snLength(snSub(c->momentum.angular, m.angular)), tolerance);
        if (k > 0) { // the torque that was given is the torque that acted
            int32_t knee = snSkeleton_VelocityStart(skeleton, PUPPET_KNEE);
            assert_close(c->tau[knee], 0.2, 0);
        }
        advance(sim, 0.04);
    }
    snSim_Free(sim);
    snDynamics_Free(dynamics);
    snScene_Free(scene);
}

// Saved states ------------------------------------------------------------------------------------

static void testSave(void** state)
{
    (void)state;
    const int64_t last = 400;
    snMessage why;
    snRandom r = snRandom_Seed(21);
    snScene* scene = makePuppetScene(NULL, NULL, 2);
    snSim *first = startSim(scene), *second = startSim(scene);
    double h = snSim_Step(first);
    size_t size = snSim_StateSize(first);
    void* start = malloc(size);
    void* saved = malloc(size);
    snSim_Save(first, start);
    advance(first, (double)last * h);
    uint64_t end = snSim_Hash(first);
    for (int i = 0; i < 12; ++i) {
        int64_t at = snRandom_Below(&r, (uint32_t)last);
        assert_ok(snSim_Restore(first, start, size, &why), why);
        // part of a step is saved too
        advance(first, ((double)at + (i % 2 ? 0.7 : 0)) * h);
        assert_int_equal(snSim_Frame(first)->step, at);
        uint64_t there = snSim_Hash(first);
        snSim_Save(first, saved);
        advance(first, 0.1); // goes on, then comes back
        assert_ok(snSim_Restore(first, saved, size, &why), why);
        assert_true(snSim_Hash(first) == there);
        assert_ok(snSim_Restore(second, saved, size, &why), why); // and elsewhere
        assert_int_equal(snSim_Frame(second)->step, at);
        for (int k = 0; k < 2; ++k) {
            snSim* sim = k ? second : first;
            advance(sim, ((double)(last - at) - (i % 2 ? 0.7 : 0)) * h);
            assert_int_equal(snSim_Frame(sim)->step, last);
            assert_true(snSim_Hash(sim) == end);
        }
    }
    free(start);
    free(saved);
    snSim_Free(first);
    snSim_Free(second);
    snScene_Free(scene);
}

// A sim that went on and is put back to a state that it saved has the same future again: whatever
// it remembered besides its state, of contacts above all, does not matter.
static void checkPutBack(const char* name, double first, double every, int count)
{
    const double span = 1.0 / 30;
    snMessage why;
    snScene* scene = openBuiltin(name, NULL);
    snSim* sim = startSim(scene);
    size_t size = snSim_StateSize(sim);
    void* saved = malloc(size);
    advance(sim, first);
    for (int k = 0; k < count; ++k) {
        snSim_Save(sim, saved);
        advance(sim, span);
        uint64_t future = snSim_Hash(sim);
        advance(sim, every - span);
        assert_ok(snSim_Restore(sim, saved, size, &why), why);
        advance(sim, span);
        assert_true(snSim_Hash(sim) == future);
        advance(sim, every - span);
    }
    free(saved);
    snSim_Free(sim);
    snScene_Free(scene);
}

static void testPutBack(void** state)
{
    (void)state;
    checkPutBack("glass_box", 0.1, 0.1, 12);
    checkPutBack("starfish_bowl", 0.2, 0.1, 3);
}

// States of other scenes and damaged ones are refused and change nothing.
static void testRefusedStates(void** state)
{
    (void)state;
    snMessage why;
    snScene* scene = makePuppetScene(NULL, NULL, 2);
    snSim* sim = startSim(scene);
    advance(sim, 0.1);
    size_t size = snSim_StateSize(sim);
    uint8_t* saved = malloc(size);
    snSim_Save(sim, saved);
    uint64_t hash = snSim_Hash(sim);
    for (int other = 0; other < 5; ++other) {
        snSceneDef def;
        snSceneDef_Init(&def);
        def.gravity.x = other == 0 ? 1 : 0;
        def.step = other == 1 ? 5e-4 : 0;
        snScene* scene2 = makePuppetScene(NULL, &def, other == 4 ? 4 : 2);
        const char* integrator = other == 2 ? "euler" : "midpoint";
        const char* keep = other == 3 ? "false" : "true";
        assert_ok(snScene_Set(scene2, NULL, "integrator", integrator, &why), why);
        assert_ok(snScene_Set(scene2, NULL, "keep_momentum", keep, &why), why);
        snSim* sim2 = startSim(scene2);
        snStatus status = snSim_Restore(sim2, saved, size, &why);
        assert_refused(status, sn_errorArgument, why, other == 4 ? "bytes" : "another scene");
        snSim_Free(sim2);
        snScene_Free(scene2);
    }
    assert_refused(snSim_Restore(sim, saved, size - 1, &why), sn_errorArgument, why, "bytes");
    assert_refused(snSim_Restore(sim, NULL, size, &why), sn_errorArgument, why, "NULL");
    assert_int_equal(snSim_Restore(NULL, saved, size, &why), sn_errorArgument);
    // any damaged byte is noticed: a file may have been cut or mixed up on its way
    for (size_t i = 0; i < size; i += 3) {
        saved[i] ^= 0x80;
        assert_int_equal(snSim_Restore(sim, saved, size, &why), sn_errorArgument);
        saved[i] ^= 0x80;
    }
    assert_true(snSim_Hash(sim) == hash);
    assert_ok(snSim_Restore(sim, saved, size, &why), why);
    assert_true(snSim_Hash(sim) == hash);
    free(saved);
    snSim_Free(sim);
    snScene_Free(scene);
}

#define RESUME_TIME 0.3

static int resume(const char* path)
{
    snScene* scene = makePuppetScene(NULL, NULL, 3);
    snSim* sim = startSim(scene);
    snMessage why;
    size_t size = snSim_StateSize(sim);
    uint8_t* bytes = malloc(size);
    FILE* file = fopen(path, "rb");
    size_t count = file && bytes ? fread(bytes, 1, size, file) : 0;
    snStatus status = snSim_Restore(sim, bytes, count, &why);
    status = status ? status : snSim_Advance(sim, RESUME_TIME, &why);
    printf("%016" PRIx64 " %s\n", snSim_Hash(sim), status ? why.text : "ok");
    if (file) {
        fclose(file);
    }
    free(bytes);
    snSim_Free(sim);
    snScene_Free(scene);
    return (int)status;
}

static void testNewProcess(void** state)
{
    (void)state;
    snScene* scene = makePuppetScene(NULL, NULL, 3);
    snSim* sim = startSim(scene);
    advance(sim, 0.2345);
    size_t size = snSim_StateSize(sim);
    uint8_t* saved = malloc(size);
    snSim_Save(sim, saved);
    FILE* file = fopen("sim_state.bin", "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(saved, 1, size, file), size);
    fclose(file);
    advance(sim, RESUME_TIME);
    char self[1000], command[1100], expected[64], line[256] = "";
    ssize_t length = readlink("/proc/self/exe", self, sizeof self - 1);
    assert_true(length > 0);
    self[length] = 0;
    snprintf(command, sizeof command, "'%s' --resume sim_state.bin", self);
    FILE* pipe = popen(command, "r");
    assert_non_null(pipe);
    assert_non_null(fgets(line, sizeof line, pipe));
    assert_int_equal(pclose(pipe), 0);
    snprintf(expected, sizeof expected, "%016" PRIx64 " ok\n", snSim_Hash(sim));
    assert_string_equal(line, expected);
    remove("sim_state.bin");
    free(saved);
    snSim_Free(sim);
    snScene_Free(scene);
}

// Threads -----------------------------------------------------------------------------------------

static void runBackwards(void* user, int count, snTaskFcn* task, void* argument)
{
    (void)user;
    for (int i = count - 1; i >= 0; --i) {
        task(argument, i, i % 3);
    }
}

static void testThreads(void** state)
{
    (void)state;
    static const int32_t THREADS[] = {1, 2, 5, 0};
    uint64_t expected = 0;
    for (int i = 0; i < 4; ++i) {
        snHost host;
        snHost_Init(&host);
        host.thread_count = THREADS[i];
        host.parallel = THREADS[i] ? NULL : runBackwards;
        snScene* scene = openBuiltin("starfish_swarm", &host);
        snSim* sim = startSim(scene);
        advance(sim, 0.25);
        expected = i ? expected : snSim_Hash(sim);
        assert_true(snSim_Hash(sim) == expected);
        snSim_Free(sim);
        snScene_Free(scene);
    }
}

// Trouble -----------------------------------------------------------------------------------------

static bool isFinite(const snFrameCharacter* c)
{
    double sum = c->energy.kinetic + c->energy.gravity + c->energy.elastic;
    for (int32_t b = 0; b < c->bone_count; ++b) {
        sum += c->bones[b].p.x + c->bones[b].p.y + c->bones[b].p.z + c->bones[b].q.w;
        sum += snDot(c->twists[b].w, c->twists[b].v);
    }
    return isfinite(sum);
}

static void testNumeric(void** state)
{
    (void)state;
    snMessage why;
    snScene* scene = makePuppetScene(NULL, NULL, 2);
    snSim* sim = startSim(scene);
    for (int i = 0; i < 5; ++i) {
        advance(sim, 1.0 / 60);
    }
    uint64_t good = snSim_Hash(sim);
    double time = snSim_Time(sim);
    advance(sim, 3 * snSim_Step(sim)); // between frames
    setValue(scene, 1, sn_driveTorque, PUPPET_WRIST, 1e12);
    assert_refused(snSim_Advance(sim, 0.5, &why), sn_errorNumeric, why, "puppet");
    assert_non_null(strstr(why.text, "bone '"));
    assert_non_null(strstr(why.text, "at 0.0833333")); // the guard went back to the frame's start
    assert_non_null(strstr(why.text, "0.0833333"));
    assert_true(snSim_Hash(sim) == good);
    assert_close(snSim_Time(sim), time, 0);
    assert_close(snSim_Frame(sim)->time, time, 0);
    // frames say who it was, and what, although the state went back behind it
    assert_int_equal(snSim_Frame(sim)->guard.character, 1);
    assert_in_range(snSim_Frame(sim)->guard.bone, 0, PUPPET_BONES - 1);
    assert_int_equal(snSim_Frame(sim)->guard.trouble, sn_troubleSpeed);
    for (int i = 0; i < 2; ++i) {
        assert_true(isFinite(&snSim_Frame(sim)->characters[i]));
    }
    // still wrong when tried again, fine when the cause is gone
    assert_int_equal(snSim_Advance(sim, 0.1, NULL), sn_errorNumeric);
    assert_true(snSim_Hash(sim) == good);
    setValue(scene, 1, sn_driveFree, PUPPET_WRIST, 0);
    advance(sim, 0.1);
    assert_close(snSim_Time(sim), time + 0.1, 1e-12);
    assert_int_equal(snSim_Frame(sim)->guard.trouble, sn_troubleNone);
    // who left is not named any more
    setValue(scene, 1, sn_driveTorque, PUPPET_WRIST, 1e12);
    assert_int_equal(snSim_Advance(sim, 0.1, NULL), sn_errorNumeric);
    assert_int_equal(snSim_Frame(sim)->guard.character, 1);
    assert_ok(snSim_Remove(sim, 1, &why), why);
    assert_int_equal(snSim_Frame(sim)->guard.character, -1);
    snSim_Free(sim);
    snScene_Free(scene);
}

// Nothing that a drive may be told makes a frame that is not finite.
static void testStrongDrives(void** state)
{
    (void)state;
    snScene* scene = makePuppetScene(NULL, NULL, 1);
    static const double STRENGTHS[] = {1e3, 1e6, 1e9, 1e12};
    for (int32_t kind = sn_driveTorque; kind <= sn_driveAcceleration; ++kind) {
        for (int i = 0; i < 4; ++i) {
            for (int32_t bone = 0; bone < PUPPET_BONES; ++bone) {
                if (bone == PUPPET_PLATE) {
                    continue;
                }
                setValue(scene, 0, kind, bone, STRENGTHS[i]);
                snSim* sim = startSim(scene);
                snStatus status = snSim_Advance(sim, 0.02, NULL);
                assert_true(status == sn_ok || status == sn_errorNumeric);
                assert_true(isFinite(&snSim_Frame(sim)->characters[0]));
                snSim_Free(sim);
                setValue(scene, 0, sn_driveFree, bone, 0);
            }
        }
    }
    snScene_Free(scene);
}

static int countDown(void* user)
{
    int* left = user;
    return *left >= 0 && (*left)-- == 0;
}

static void testInterrupted(void** state)
{
    (void)state;
    snMessage why;
    int left = 30;
    snHost host;
    snHost_Init(&host);
    host.user = &left;
    host.interrupted = countDown;
    snScene* scene = makePuppetScene(&host, NULL, 1);
    snSim* sim = startSim(scene);
    assert_refused(snSim_Advance(sim, 0.1, &why), sn_errorInterrupted, why, "stopped at");
    assert_int_equal(snSim_Frame(sim)->step, 30);
    advance(sim, 0); // the hook now says go on: the rest of the time that was asked for
    assert_int_equal(snSim_Frame(sim)->step, 102);
    uint64_t hash = snSim_Hash(sim);
    snSim_Free(sim);
    sim = startSim(scene);
    advance(sim, 0.1);
    assert_true(snSim_Hash(sim) == hash);
    snSim_Free(sim);
    snScene_Free(scene);
}

// The caller's floating-point mode changes no bit and is as it was afterwards.
static void testFloatMode(void** state)
{
    (void)state;
#if defined(__x86_64__)
    unsigned before = _mm_getcsr();
    uint64_t hash[2];
    for (int i = 0; i < 2; ++i) {
        snScene* scene = makePuppetScene(NULL, NULL, 2);
        snSim* sim = startSim(scene);
        unsigned mode = i ? 0x1F80u | 0x4000u : 0x1F80u | 0x8040u; // rounds up; flushes subnormals
        for (int k = 0; k < 3; ++k) {
            _mm_setcsr(mode);
            snStatus status = snSim_Advance(sim, 0.05, NULL);
            snSim_Frame(sim);
            unsigned after = _mm_getcsr();
            _mm_setcsr(before);
            assert_int_equal(status, sn_ok);
            assert_int_equal(after & ~0x3Fu, mode);
        }
        hash[i] = snSim_Hash(sim);
        snSim_Free(sim);
        snScene_Free(scene);
    }
    assert_true(hash[0] == hash[1]);
#else
    skip();
#endif
}

int main(int argc, char** argv)
{
    if (argc == 3 && strcmp(argv[1], "--resume") == 0) {
        return resume(argv[2]);
    }
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(testSteps),         cmocka_unit_test(testCutting),
        cmocka_unit_test(testLongRun),       cmocka_unit_test(testBadTime),
        cmocka_unit_test(testFrame),         cmocka_unit_test(testSave),
        cmocka_unit_test(testRefusedStates), cmocka_unit_test(testNewProcess),
        cmocka_unit_test(testThreads),       cmocka_unit_test(testNumeric),
        cmocka_unit_test(testStrongDrives),  cmocka_unit_test(testInterrupted),
        cmocka_unit_test(testFloatMode),     cmocka_unit_test(testPutBack),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
