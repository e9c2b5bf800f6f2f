// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0
// label: quick

// Work in a child process answers as it would here; a child that dies, runs on, or takes too much
// becomes an error with words in it.

#include "import/child.h"

#include <assert.h>
#include <signal.h>
#include <stdio.h>
#include <unistd.h>

#include "base/memory.h"
#include "base/message.h"
#include "base/sanitized.h"
#include "check.h"

#define LARGE 3000000 // bytes: many times what a pipe holds

static int changed;

static snStatus answerLarge(void* argument, const snHost* host, uint8_t** bytes, size_t* count,
                            snMessage* why)
{
    (void)why;
    changed = 1;
    *count = LARGE;
    *bytes = snHost_Allocate(host, LARGE + 1);
    assert(*bytes);
    for (size_t i = 0; i < LARGE; ++i) {
        (*bytes)[i] = (uint8_t)(i * i % 251 + *(const uint8_t*)argument);
    }
    return sn_ok;
}

static snStatus refuse(void* argument, const snHost* host, uint8_t** bytes, size_t* count,
                       snMessage* why)
{
    (void)argument, (void)host, (void)bytes, (void)count;
    return snFail(why, sn_errorUnsupported, "it is %d years too old", 7);
}

static snStatus die(void* argument, const snHost* host, uint8_t** bytes, size_t* count,
                    snMessage* why)
{
    (void)host, (void)bytes, (void)count, (void)why;
    raise(*(const int*)argument);
    return sn_ok;
}

static _Noreturn snStatus leave(void* argument, const snHost* host, uint8_t** bytes, size_t* count,
                                snMessage* why)
{
    (void)argument, (void)host, (void)bytes, (void)count, (void)why;
    _exit(3);
}

static _Noreturn snStatus runOn(void* argument, const snHost* host, uint8_t** bytes, size_t* count,
                                snMessage* why)
{
    (void)argument, (void)host, (void)bytes, (void)count, (void)why;
    for (volatile int i = 0;; i = !i) {
    }
}

static _Noreturn snStatus hang(void* argument, const snHost* host, uint8_t** bytes, size_t* count,
                               snMessage* why)
{
    (void)argument, (void)host, (void)bytes, (void)count, (void)why;
    for (;;) {
        pause();
    }
}

// As long as it is given memory, at most 4 GiB
static snStatus takeMuch(void* argument, const snHost* host, uint8_t** bytes, size_t* count,
                         snMessage* why)
{
    (void)argument, (void)bytes, (void)count;
    for (int i = 0; i < 64; ++i) {
        if (!snHost_Allocate(host, (size_t)1 << 26)) {
            return snFail(why, sn_errorMemory, "after %d", i);
        }
    }
    return sn_ok;
}

static snStatus run(snChildFcn* work, void* argument, const snHost* given, uint8_t** bytes,
                    size_t* count, snMessage* why)
{
    snHost host;
    snChildDef def = {.work = work,
                      .argument = argument,
                      .seconds = 1,
                      .patience = work == hang ? 0.3 : 100,
                      .memory = (size_t)1 << 28,
                      .most = LARGE,
                      .who = "the reader",
                      .advice = "export it again"};
    assert_ok(snHost_Take(given, &host, why), *why);
    return snChild_Run(&host, &def, bytes, count, why);
}

static void test_answer(void** state)
{
    (void)state;
    snMessage why;
    uint8_t *bytes = NULL, add = 3;
    size_t count = 0;
    assert_ok(run(answerLarge, &add, NULL, &bytes, &count, &why), why);
    assert_int_equal(count, LARGE);
    assert_int_equal(changed, 0);
    for (size_t i = 0; i < LARGE; ++i) {
        assert_int_equal(bytes[i], (uint8_t)(i * i % 251 + 3));
    }
    assert_int_equal(bytes[LARGE], 0);
    snHost_Release(NULL, bytes, LARGE + 1);
    assert_int_equal(run(refuse, NULL, NULL, &bytes, &count, &why), sn_errorUnsupported);
    assert_string_equal(why.text, "it is 7 years too old");
}

static void expectDeath(snChildFcn* work, void* argument, const char* words)
{
    snMessage why;
    uint8_t* bytes = NULL;
    size_t count = 0;
    assert_int_equal(run(work, argument, NULL, &bytes, &count, &why), sn_errorFile);
    assert_null(bytes);
    if (!strstr(why.text, words)) {
        print_error("'%s' is not in '%s'\n", words, why.text);
    }
    assert_non_null(strstr(why.text, words));
    assert_non_null(strstr(why.text, "the reader "));
    assert_non_null(strstr(why.text, "; export it again"));
}

static void shrug(int number)
{
    (void)number;
}

static void test_death(void** state)
{
    (void)state;
    static int numbers[] = {SIGSEGV, SIGABRT, SIGFPE, SIGBUS, SIGKILL};
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; ++i) {
        char words[40];
        snprintf(words, sizeof words, "crashed (signal %d, ", numbers[i]);
        // what the host does about it is not done for the child
        void (*before)(int) = numbers[i] == SIGKILL ? SIG_DFL : signal(numbers[i], shrug);
        expectDeath(die, &numbers[i], words);
        if (numbers[i] != SIGKILL) {
            signal(numbers[i], before);
        }
    }
    expectDeath(leave, NULL, "ended with code 3");
    // a host that does not want to hear of children
    signal(SIGCHLD, SIG_IGN);
    expectDeath(die, &numbers[0], "ended without an answer");
    signal(SIGCHLD, SIG_DFL);
}

static void test_limits(void** state)
{
    (void)state;
    snMessage why;
    uint8_t* bytes = NULL;
    size_t count = 0;
    expectDeath(runOn, NULL, "of processor time");
    expectDeath(hang, NULL, "did not answer within 0.3 s");
    if (!SN_SANITIZED) {
        assert_int_equal(run(takeMuch, NULL, NULL, &bytes, &count, &why), sn_errorMemory);
        assert_string_equal(why.text, "after 3");
    }
    snHost host;
    assert_ok(snHost_Take(NULL, &host, &why), why);
    snChildDef def = {.work = answerLarge,
                      .argument = &(uint8_t){0},
                      .seconds = 1,
                      .patience = 100,
                      .memory = (size_t)1 << 28,
                      .most = LARGE - 1,
                      .who = "the reader",
                      .advice = "export it again"};
    assert_int_equal(snChild_Run(&host, &def, &bytes, &count, &why), sn_errorUnsupported);
    assert_non_null(strstr(why.text, "made more than 2 MiB of it; export it again"));
    assert_null(bytes);
}

static int always(void* user)
{
    (void)user;
    return 1;
}

static void test_interrupted(void** state)
{
    (void)state;
    snMessage why;
    uint8_t* bytes = NULL;
    size_t count = 0;
    snHost host;
    snHost_Init(&host);
    host.interrupted = always;
    assert_int_equal(run(hang, NULL, &host, &bytes, &count, &why), sn_errorInterrupted);
}

// What the parent has in its buffers is written once.
static void test_buffers(void** state)
{
    (void)state;
    snMessage why;
    uint8_t *bytes = NULL, add = 0;
    size_t count = 0;
    char text[64] = "";
    FILE* file = fopen("child_buffer.txt", "w+");
    assert_non_null(file);
    fputs("once", file);
    assert_ok(run(answerLarge, &add, NULL, &bytes, &count, &why), why);
    snHost_Release(NULL, bytes, count + 1);
    rewind(file);
    assert_non_null(fgets(text, sizeof text, file));
    assert_string_equal(text, "once");
    fclose(file);
    remove("child_buffer.txt");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_answer), cmocka_unit_test(test_death), cmocka_unit_test(test_limits),
        cmocka_unit_test(test_interrupted), cmocka_unit_test(test_buffers)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
