// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0
// label: quick

// The same tree comes out of a text file and of binary ones of both widths; damaged files get a
// message.

#include "io/fbx/tree.h"

#include "check.h"

static const char TEXT[] = "; FBX 7.4.0 project file\n"
                           "FBXHeaderExtension:  {\n\tFBXVersion: 7400\n}\n"
                           "Objects:  {\n"
                           "\tModel: 9007199254740993, \"Model::a; b\", \"Mesh\" { ; here\n"
                           "\t\tVersion: 232\n"
                           "\t\tArray: *4 {\n\t\t\ta: -1,2.5,\n3,1e3\n\t\t}\n"
                           "\t\tEmpty: *0 {\n\t\t\ta: \n\t\t}\n"
                           "\t\tShading: T\n"
                           "\t}\n"
                           "}\n";

// Writing binary files -------------------------------------------------------------

typedef struct Bytes {
    uint8_t at[2000];
    size_t count;
    bool wide;
} Bytes;

static void put(Bytes* b, uint64_t word, int size)
{
    for (int i = 0; i < size; ++i) {
        b->at[b->count++] = (uint8_t)(word >> 8 * i);
    }
}

static void putAt(Bytes* b, size_t at, uint64_t word, int size)
{
    size_t count = b->count;
    b->count = at;
    put(b, word, size);
    b->count = count;
}

static void putText(Bytes* b, const char* text, size_t length)
{
    memcpy(b->at + b->count, text, length);
    b->count += length;
}

// Returns where the record begins; end it with endRecord.
static size_t beginRecord(Bytes* b, const char* name)
{
    size_t begin = b->count;
    b->count += b->wide ? 24 : 12;
    put(b, strlen(name), 1);
    putText(b, name, strlen(name));
    return begin;
}

static void endValues(Bytes* b, size_t begin, int values)
{
    int word = b->wide ? 8 : 4;
    size_t head = begin + 3 * (size_t)word + 1 + b->at[begin + 3 * (size_t)word];
    putAt(b, begin + (size_t)word, (uint64_t)values, word);
    putAt(b, begin + 2 * (size_t)word, b->count - head, word);
}

static void endRecord(Bytes* b, size_t begin)
{
    putAt(b, begin, b->count, b->wide ? 8 : 4);
}

static void putNumber(Bytes* b, const char* name, int32_t number)
{
    size_t r = beginRecord(b, name);
    put(b, 'I', 1);
    put(b, (uint32_t)number, 4);
    endValues(b, r, 1);
    endRecord(b, r);
}

static void putArray(Bytes* b, const char* name, const double* values, uint32_t count)
{
    size_t r = beginRecord(b, name);
    put(b, 'd', 1);
    put(b, count, 4);
    put(b, 0, 4);
    put(b, 8 * count, 4);
    for (uint32_t i = 0; i < count; ++i) {
        uint64_t word;
        memcpy(&word, &values[i], sizeof word);
        put(b, word, 8);
    }
    endValues(b, r, 1);
    endRecord(b, r);
}

static Bytes makeBinary(bool wide)
{
    Bytes b = {.wide = wide};
    putText(&b, "Kaydara FBX Binary  \0\x1a\0", 23);
    put(&b, wide ? 7500 : 7400, 4);
    size_t objects = beginRecord(&b, "Objects");
    endValues(&b, objects, 0);
    size_t model = beginRecord(&b, "Model");
    put(&b, 'L', 1);
    put(&b, 9007199254740993, 8);
    put(&b, 'S', 1);
    put(&b, 11, 4);
    putText(&b, "a; b\0\1Model", 11);
    put(&b, 'S', 1);
    put(&b, 4, 4);
    putText(&b, "Mesh", 4);
    endValues(&b, model, 3);
    putNumber(&b, "Version", 232);
    putArray(&b, "Array", (const double[]){-1, 2.5, 3, 1e3}, 4);
    putArray(&b, "Empty", NULL, 0);
    size_t shading = beginRecord(&b, "Shading");
    put(&b, 'C', 1);
    put(&b, 'T', 1);
    endValues(&b, shading, 1);
    endRecord(&b, shading);
    b.count += wide ? 25 : 13;
    endRecord(&b, model);
    b.count += wide ? 25 : 13;
    endRecord(&b, objects);
    b.count += wide ? 25 : 13;
    return b;
}

// Tests ----------------------------------------------------------------------------

static void checkTree(const uint8_t* bytes, size_t count)
{
    snArena arena;
    snMessage why;
    const snFbxRecord* root;
    double* values;
    size_t n;
    snArena_Init(&arena, NULL);
    assert_true(snFbx_Is(bytes, count));
    assert_ok(snFbx_Parse(&arena, bytes, count, &root, &why), why);
    const snFbxRecord* model = snFbx_Child(snFbx_Child(root, "Objects"), "Model");
    assert_non_null(model);
    assert_int_equal(model->value_count, 3);
    // a number that doubles do not hold
    assert_true(model->values[0].integer == 9007199254740993);
    assert_true(snFbxValue_Is(model, 2, "Mesh"));
    assert_false(snFbxValue_Is(model, 2, "Mes"));
    assert_false(snFbxValue_Is(model, 3, "Mesh"));
    assert_true(snFbx_Child(model, "Version")->values[0].number == 232);
    assert_true(snFbx_Numbers(&arena, model, "Array", &values, &n));
    assert_int_equal(n, 4);
    assert_true(values[0] == -1 && values[1] == 2.5 && values[2] == 3 && values[3] == 1e3);
    assert_true(snFbx_Numbers(&arena, model, "Empty", &values, &n) && n == 0);
    assert_true(snFbx_Numbers(&arena, model, "None", &values, &n) && n == 0);
    assert_non_null(snFbx_Child(model, "Shading"));
    assert_null(snFbx_Child(NULL, "Shading"));
    snArena_Free(&arena);
}

static void test_same(void** state)
{
    (void)state;
    checkTree((const uint8_t*)TEXT, sizeof TEXT - 1);
    assert_int_equal(snFbx_Version((const uint8_t*)TEXT, sizeof TEXT - 1), 7400);
    for (int wide = 0; wide < 2; ++wide) {
        Bytes b = makeBinary(wide);
        checkTree(b.at, b.count);
        assert_int_equal(snFbx_Version(b.at, b.count), wide ? 7500 : 7400);
    }
    assert_false(snFbx_Is((const uint8_t*)"glTF", 4));
}

// From a block of exactly that size, which sanitizers watch
static snStatus parse(const uint8_t* bytes, size_t count, snMessage* why)
{
    snArena arena;
    const snFbxRecord* root;
    uint8_t* copy = malloc(count ? count : 1);
    memcpy(copy, bytes, count);
    snArena_Init(&arena, NULL);
    snStatus status = snFbx_Parse(&arena, copy, count, &root, why);
    assert_true((status == sn_ok) == (why->text[0] == 0));
    snArena_Free(&arena);
    free(copy);
    return status;
}

static void test_damaged(void** state)
{
    (void)state;
    int refused = 0;
    for (int wide = 0; wide < 2; ++wide) {
        Bytes b = makeBinary(wide);
        for (size_t n = 28; n < b.count; ++n) {
            snMessage why = {{0}};
            refused += parse(b.at, n, &why) != sn_ok;
        }
        for (size_t i = 27; i < b.count; ++i) {
            snMessage why = {{0}};
            Bytes c = b;
            c.at[i] ^= 0xff;
            refused += parse(c.at, c.count, &why) != sn_ok;
        }
    }
    for (size_t n = 0; n < sizeof TEXT - 1; ++n) {
        snMessage why = {{0}};
        refused += parse((const uint8_t*)TEXT, n, &why) != sn_ok;
    }
    // most of them; the rest change a number, or end between records
    assert_true(refused > 700);
}

static void test_deep(void** state)
{
    (void)state;
    char text[1000] = "";
    snMessage why = {{0}};
    for (int i = 0; i < 100; ++i) {
        strcat(text, "A: {\n");
    }
    assert_int_equal(parse((const uint8_t*)text, strlen(text), &why), sn_errorFile);
    assert_non_null(strstr(why.text, "too deep"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_same), cmocka_unit_test(test_damaged),
                                       cmocka_unit_test(test_deep)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
