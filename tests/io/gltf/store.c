// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0
// label: quick

// Numbers added to a document: those that are the same are stored once, zeros not at all, few among
// many sparsely; views lie one behind the other.

#include "io/gltf/store.h"

#include "check.h"

#define COUNT 400

static size_t sizeOfText(const snGltfStore* s)
{
    return s->accessors.length;
}

static void test_sharing(void** state)
{
    (void)state;
    static const float times[3] = {0, 1, 2}, same[3] = {0, 1, 2}, other[3] = {0, 1, 3};
    static const float deltas[3 * COUNT] = {0};
    snArena arena;
    snGltfStore s;
    snGltfAdded added;
    snArena_Init(&arena, NULL);
    snGltfStore_Init(&s, &arena, 7, 4);
    assert_int_equal(snGltfStore_Zeros(&s, "VEC3", COUNT), 7);
    assert_int_equal(snGltfStore_Zeros(&s, "VEC4", COUNT), 8);
    assert_int_equal(snGltfStore_Zeros(&s, "VEC3", COUNT), 7);
    assert_int_equal(snGltfStore_Deltas(&s, deltas, COUNT), 7);
    assert_int_equal(snGltfStore_Times(&s, times, 3), 9);
    size_t length = sizeOfText(&s);
    assert_int_equal(snGltfStore_Times(&s, same, 3), 9);
    assert_int_equal(sizeOfText(&s), length);
    assert_int_equal(snGltfStore_Times(&s, other, 3), 10);
    assert_true(snGltfStore_Finish(&s, 40, &added));
    assert_int_equal(added.size, 24);
    assert_memory_equal(added.bytes, times, 12);
    assert_memory_equal(added.bytes + 12, other, 12);
    assert_string_equal(added.views, "{\"buffer\":0,\"byteOffset\":40,\"byteLength\":24}");
    snGltfStore_Free(&s);
    snArena_Free(&arena);
}

static void test_sections(void** state)
{
    (void)state;
    static float dense[3 * COUNT], few[3 * COUNT];
    snArena arena;
    snGltfStore s;
    snGltfAdded added;
    uint16_t index;
    for (int i = 0; i < 3 * COUNT; ++i) {
        dense[i] = (float)(i + 1);
    }
    few[3 * 77 + 1] = -2;
    snArena_Init(&arena, NULL);
    snGltfStore_Init(&s, &arena, 0, 0);
    assert_int_equal(snGltfStore_Deltas(&s, few, COUNT), 0);
    assert_int_equal(snGltfStore_Deltas(&s, dense, COUNT), 1);
    assert_int_equal(snGltfStore_Deltas(&s, few, COUNT), 2);
    assert_int_equal(snGltfStore_Values(&s, "VEC4", 4, dense, 2), 3);
    assert_true(snGltfStore_Finish(&s, 0, &added));
    // indices, elements, vectors, tracks: as they were begun; indices padded to 4
    assert_int_equal(added.size, 2 * 4 + 2 * 12 + sizeof dense + 32);
    memcpy(&index, added.bytes + 4, sizeof index);
    assert_int_equal(index, 77);
    assert_memory_equal(added.bytes + 8 + 12, few + 3L * 77, 12);
    assert_memory_equal(added.bytes + 32, dense, sizeof dense);
    assert_non_null(strstr(added.accessors, "\"min\":[0,-2,0],\"max\":[0,0,0],\"sparse\":{\"count\""
                                            ":1,\"indices\":{\"bufferView\":0,\"byteOffset\":4,"
                                            "\"componentType\":5123},\"values\":{\"bufferView\":1,"
                                            "\"byteOffset\":12}}"));
    assert_non_null(strstr(added.accessors, "\"count\":2,\"type\":\"VEC4\",\"bufferView\":3"));
    assert_non_null(strstr(added.views, "\"byteOffset\":32,\"byteLength\":4800,\"byteStride\":12,"
                                        "\"target\":34962}"));
    snGltfStore_Free(&s);
    snArena_Free(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_sharing),
                                       cmocka_unit_test(test_sections)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
