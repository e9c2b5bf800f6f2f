// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0
// label: quick
#include "check.h"

#include "base/file.h"
#include "base/json.h"
#include "base/memory.h"
#include "base/message.h"
#include "base/tasks.h"

// An allocator that fails at one call, and knows what is out.
typedef struct Faulty {
    long calls;
    long fail_at; // -1: never
    size_t blocks, bytes;
} Faulty;

static void* faultyAllocate(void* user, size_t bytes, size_t alignment)
{
    Faulty* faulty = user;
    assert_int_equal(alignment, SN_ALIGNMENT);
    assert_true(bytes > 0);
    if (faulty->calls++ == faulty->fail_at) {
        return NULL;
    }
    void* memory = aligned_alloc(alignment, (bytes + alignment - 1) / alignment * alignment);
    memset(memory, 0xAA, bytes); // so that what is not cleared shows
    faulty->blocks += 1;
    faulty->bytes += bytes;
    return memory;
}

static void faultyRelease(void* user, void* memory, size_t bytes)
{
    Faulty* faulty = user;
    assert_non_null(memory);
    faulty->blocks -= 1;
    faulty->bytes -= bytes;
    free(memory);
}

static snHost faultyHost(Faulty* faulty)
{
    snHost host;
    snHost_Init(&host);
    host.user = faulty;
    host.allocate = faultyAllocate;
    host.release = faultyRelease;
    return host;
}

typedef snStatus Scenario(const snHost* host, snMessage* why);

static snStatus useArena(const snHost* host, snMessage* why)
{
    snArena arena;
    snArena_Init(&arena, host);
    for (size_t i = 0; i < 40; ++i) {
        snArena_Push(&arena, i, 4000);
        snArena_String(&arena, "text", 4);
    }
    bool failed = arena.failed;
    snArena_Free(&arena);
    return failed ? snFail(why, sn_errorMemory, "arena") : sn_ok;
}

static snStatus useJson(const snHost* host, snMessage* why)
{
    // enough nodes for several slabs, and an object with more keys than the stack sorts
    char text[8000] = "[{";
    size_t length = 2;
    for (int i = 0; i < 40; ++i) {
        length += (size_t)sprintf(text + length, "\"key%d\":\"value\",", i);
    }
    length += (size_t)sprintf(text + length - 1, "}") - 1;
    for (int i = 0; i < 1000; ++i) {
        length += (size_t)sprintf(text + length, ",%d", i);
    }
    text[length++] = ']';
    snArena arena;
    snArena_Init(&arena, host);
    const snJson* root;
    snStatus status = snJson_Parse(&arena, text, length, &root, why);
    assert_true((status == sn_ok) == (root != NULL));
    snArena_Free(&arena);
    return status;
}

static snStatus useJsonWriter(const snHost* host, snMessage* why)
{
    snJsonWriter writer;
    snJsonWriter_Init(&writer, host, 2);
    snJsonWriter_BeginObject(&writer);
    snJsonWriter_Key(&writer, "numbers");
    snJsonWriter_BeginArray(&writer);
    for (int i = 0; i < 2000; ++i) {
        snJsonWriter_Int(&writer, i);
    }
    snJsonWriter_EndArray(&writer);
    snJsonWriter_Key(&writer, "text");
    snJsonWriter_String(&writer, "\"text\"");
    snJsonWriter_EndObject(&writer);
    snStatus status = snJsonWriter_Finish(&writer, why);
    snJsonWriter_Free(&writer);
    return status;
}

static void nothing(void* argument, int index, int worker)
{
    (void)argument;
    (void)index;
    (void)worker;
}

static snStatus useTasks(const snHost* host, snMessage* why)
{
    snHost with = *host;
    with.thread_count = 3;
    snTasks* tasks;
    snStatus status = snTasks_Create(&with, &tasks, why);
    assert_true((status == sn_ok) == (tasks != NULL));
    if (tasks) {
        const Faulty* faulty = host->user;
        long before = faulty->calls;
        snTasks_Run(tasks, 10, nothing, NULL);
        assert_int_equal(faulty->calls, before); // no heap calls in a Run
    }
    snTasks_Free(tasks);
    return status;
}

static snStatus readPath(const char* path, const snHost* host, snMessage* why)
{
    uint8_t* bytes;
    size_t count;
    snStatus status = snFile_Read(host, path, 1000000, &bytes, &count, why);
    assert_true((status == sn_ok) == (bytes != NULL));
    snHost_Release(host, bytes, count + 1);
    return status;
}

static snStatus useFile(const snHost* host, snMessage* why)
{
    const char* path = "memory-test.txt";
    FILE* file = fopen(path, "wb");
    assert_non_null(file);
    fputs("some text", file);
    assert_int_equal(fclose(file), 0);
    snStatus status = readPath(path, host, why);
    remove(path);
    return status;
}

// neither a regular file nor one whose size can be known
static snStatus useDevice(const snHost* host, snMessage* why)
{
    return readPath("/dev/null", host, why);
}

// Whichever allocation fails, the call says so and everything is given back.
static void testEveryAllocationMayFail(void** state)
{
    (void)state;
    static const struct {
        Scenario* run;
        long least; // allocations, so that a scenario that does nothing fails
    } scenarios[] = {
        {useArena, 5}, {useJson, 4}, {useJsonWriter, 4},
        {useTasks, 1}, {useFile, 1}, {useDevice, 2},
    };
    for (size_t i = 0; i < sizeof(scenarios) / sizeof(scenarios[0]); ++i) {
        snStatus status = sn_errorMemory;
        long n = 0;
        for (; status != sn_ok; ++n) {
            Faulty faulty = {.fail_at = n};
            snHost host = faultyHost(&faulty);
            snMessage why = {""};
            status = scenarios[i].run(&host, &why);
            assert_true(status == sn_ok || status == sn_errorMemory);
            assert_true((status == sn_ok) == (faulty.calls <= n));
            assert_true((status == sn_ok) == (why.text[0] == 0));
            assert_int_equal(faulty.blocks, 0);
            assert_int_equal(faulty.bytes, 0);
        }
        assert_true(n - 1 >= scenarios[i].least);
    }
}

static void testBlocksAreClearedAndAligned(void** state)
{
    (void)state;
    Faulty faulty = {.fail_at = -1};
    snHost host = faultyHost(&faulty);
    const snHost* hosts[] = {NULL, &host};
    for (int i = 0; i < 2; ++i) {
        static const size_t sizes[] = {0, 1, 63, 64, 65, 100000};
        for (size_t k = 0; k < sizeof(sizes) / sizeof(sizes[0]); ++k) {
            uint8_t* memory = snHost_Allocate(hosts[i], sizes[k]);
            assert_non_null(memory);
            assert_int_equal((uintptr_t)memory % SN_ALIGNMENT, 0);
            for (size_t b = 0; b < sizes[k]; ++b) {
                assert_int_equal(memory[b], 0);
            }
            snHost_Release(hosts[i], memory, sizes[k]);
        }
        snHost_Release(hosts[i], NULL, 5);
    }
    assert_int_equal(faulty.bytes, 0);
    assert_null(snHost_Allocate(NULL, SIZE_MAX));
    assert_null(snHost_Allocate(NULL, SIZE_MAX / 2));
}

static void testTake(void** state)
{
    (void)state;
    snHost taken;
    snMessage why;
    assert_ok(snHost_Take(NULL, &taken, &why), why);
    assert_true(taken.allocate && taken.release && taken.size == sizeof(snHost));
    Faulty faulty = {.fail_at = -1};
    snHost given = faultyHost(&faulty);
    given.thread_count = 3;
    assert_ok(snHost_Take(&given, &taken, &why), why);
    assert_memory_equal(&given, &taken, sizeof(snHost));

    const snHost good = given;
    memset(&given, 0, sizeof(given)); // forgotten Init
    assert_int_equal(snHost_Take(&given, &taken, &why), sn_errorArgument);
    assert_non_null(strstr(why.text, "snHost_Init"));
    given = good;
    given.release = NULL;
    assert_int_equal(snHost_Take(&given, &taken, &why), sn_errorArgument);
    given = good;
    given.thread_count = -1;
    assert_int_equal(snHost_Take(&given, &taken, &why), sn_errorArgument);
    given = good;
    given.isa = sn_isaAvx512 + 1;
    assert_int_equal(snHost_Take(&given, &taken, &why), sn_errorArgument);
}

static void testSizes(void** state)
{
    (void)state;
    static const size_t values[] = {
        0, 1, 2, 3, 1000, SIZE_MAX / 3, SIZE_MAX / 2, SIZE_MAX - 1, SIZE_MAX};
    enum { count = sizeof(values) / sizeof(values[0]) };
    for (size_t i = 0; i < count; ++i) {
        for (size_t j = 0; j < count; ++j) {
            size_t a = values[i];
            size_t b = values[j];
            size_t out = 77;
            // the compiler's own checks are the reference
            size_t expected;
            bool fits = !__builtin_mul_overflow(a, b, &expected);
            assert_int_equal(snSizeMul(a, b, &out), fits);
            assert_int_equal(out, fits ? expected : 77);
            out = 77;
            fits = !__builtin_add_overflow(a, b, &expected);
            assert_int_equal(snSizeAdd(a, b, &out), fits);
            assert_int_equal(out, fits ? expected : 77);
        }
    }
}

// Pushed blocks are aligned, clear, and do not overlap.
static void testArena(void** state)
{
    (void)state;
    Faulty faulty = {.fail_at = -1};
    snHost host = faultyHost(&faulty);
    snArena arena;
    snArena_Init(&arena, &host);
    enum { count = 300 };
    uint8_t* blocks[count];
    for (size_t i = 0; i < count; ++i) {
        size_t size = i * i % 5000;
        blocks[i] = snArena_Push(&arena, size, 1);
        assert_non_null(blocks[i]);
        assert_int_equal((uintptr_t)blocks[i] % SN_ALIGNMENT, 0);
        for (size_t b = 0; b < size; ++b) {
            assert_int_equal(blocks[i][b], 0);
        }
        memset(blocks[i], (int)(i % 255) + 1, size);
    }
    for (size_t i = 0; i < count; ++i) {
        for (size_t b = 0; b < i * i % 5000; ++b) {
            assert_int_equal(blocks[i][b], i % 255 + 1);
        }
    }
    assert_string_equal(snArena_String(&arena, "abcdef", 3), "abc");
    assert_string_equal(snArena_String(&arena, NULL, 0), "");
    assert_non_null(snArena_Push(&arena, 3000000, 1));
    assert_non_null(snArena_Push(&arena, 0, SIZE_MAX));
    assert_false(arena.failed);
    assert_true(faulty.calls < 20); // few large blocks, not one per push

    // overflow is a failure that stays
    assert_null(snArena_Push(&arena, SIZE_MAX / 4, 5));
    assert_true(arena.failed);
    assert_non_null(snArena_Push(&arena, 1, 1));
    assert_true(arena.failed);
    assert_null(snArena_Push(&arena, SIZE_MAX, 1));
    assert_null(snArena_String(&arena, "x", SIZE_MAX));
    snArena_Free(&arena);
    assert_int_equal(faulty.bytes, 0);
    assert_false(arena.failed);
    assert_non_null(snArena_Push(&arena, 1, 1));
    snArena_Free(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(testEveryAllocationMayFail),
        cmocka_unit_test(testBlocksAreClearedAndAligned),
        cmocka_unit_test(testTake),
        cmocka_unit_test(testSizes),
        cmocka_unit_test(testArena),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
