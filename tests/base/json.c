// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0
// label: quick
#include "check.h"

#include "base/json.h"

typedef struct Case {
    const char* text;
    unsigned line, column;
    const char* fragment; // of the message
} Case;

// In a block of exactly its size, so that the sanitizers see a read past the end.
static snStatus parse(snArena* arena, const char* text, size_t length, const snJson** root,
                      snMessage* why)
{
    char* exact = malloc(length + (length == 0));
    memcpy(exact, text, length);
    snStatus status = snJson_Parse(arena, exact, length, root, why);
    free(exact); // the tree must not point into the text
    return status;
}

static const char document[] =
    "{\n"
    "  \"name\": \"st\\u00e4rfish \\ud83d\\ude00 \\\"\\\\\\/\\b\\f\\n\\r\\t\",\n"
    "  \"raw\": \"\xC3\xA9\xE2\x82\xAC\xF0\x9F\x98\x80\", \"yes\": true, \"no\": false,\n"
    "  \"none\": null, \"\": [],\n"
    "  \"numbers\": [0, -0, 1.5, -2e3, 1E-2, 123456789012345678901234567890],\n"
    "  \"deep\": {\"a\": {\"b\": [[], {}, [1]]}}\n"
    "}\n";

static void testReadsADocument(void** state)
{
    (void)state;
    snArena arena;
    snArena_Init(&arena, NULL);
    const snJson* root;
    snMessage why = {"before"};
    assert_ok(parse(&arena, document, strlen(document), &root, &why), why);
    assert_string_equal(why.text, "");
    assert_int_equal(root->kind, sn_jsonObject);
    assert_int_equal(root->count, 8);
    assert_null(root->key);
    const snJson* name = snJson_Get(root, "name");
    assert_string_equal(name->string, "st\xC3\xA4rfish \xF0\x9F\x98\x80 \"\\/\b\f\n\r\t");
    assert_int_equal(name->string_length, strlen(name->string));
    assert_string_equal(snJson_Get(root, "raw")->string, "\xC3\xA9\xE2\x82\xAC\xF0\x9F\x98\x80");
    assert_true(snJson_Get(root, "yes")->boolean);
    assert_int_equal(snJson_Get(root, "no")->kind, sn_jsonBool);
    assert_false(snJson_Get(root, "no")->boolean);
    assert_int_equal(snJson_Get(root, "none")->kind, sn_jsonNull);
    assert_int_equal(snJson_Get(root, "")->kind, sn_jsonArray);

    static const double expected[] = {0, -0.0, 1.5, -2000, 0.01, 123456789012345678901234567890.0};
    const snJson* numbers = snJson_Get(root, "numbers");
    assert_int_equal(numbers->count, 6);
    for (size_t i = 0; i < 6; ++i) {
        const snJson* number = snJson_At(numbers, i);
        assert_int_equal(number->kind, sn_jsonNumber);
        assert_memory_equal(&number->number, &expected[i], sizeof(double));
    }
    assert_null(snJson_At(numbers, 6));
    const snJson* b = snJson_Get(snJson_Get(snJson_Get(root, "deep"), "a"), "b");
    assert_int_equal(b->count, 3);
    assert_close(snJson_At(snJson_At(b, 2), 0)->number, 1, 0);

    // places: of a member its key, of an element itself, in characters
    assert_int_equal(numbers->line, 5);
    assert_int_equal(numbers->column, 3);
    assert_int_equal(snJson_At(numbers, 2)->column, 22);
    assert_int_equal(snJson_Get(root, "yes")->line, 3);
    assert_int_equal(snJson_Get(root, "yes")->column, 17);

    // bytes of values, without their keys
    const snJson* third = snJson_At(numbers, 2);
    assert_memory_equal(document + third->begin, "1.5", third->end - third->begin);
    assert_int_equal(third->end - third->begin, 3);
    assert_memory_equal(document + snJson_Get(root, "yes")->begin, "true", 4);
    assert_int_equal(snJson_Get(root, "yes")->end - snJson_Get(root, "yes")->begin, 4);
    assert_true(document[name->begin] == '"' && document[name->end - 1] == '"');
    assert_true(document[numbers->begin] == '[' && document[numbers->end - 1] == ']');
    assert_true(document[root->begin] == '{' && document[root->end - 1] == '}');

    // looking in the wrong place finds nothing
    assert_null(snJson_Get(root, "Name"));
    assert_null(snJson_Get(numbers, "name"));
    assert_null(snJson_Get(NULL, "name"));
    assert_null(snJson_At(root, 0));
    assert_null(snJson_At(NULL, 0));
    snArena_Free(&arena);
}

static void testAccepted(void** state)
{
    (void)state;
    static const char* const texts[] = {
        "0",
        " null ",
        "\t\r\n\"\"",
        "\"\\u0041\"",
        "[]",
        "{}",
        "[1,\n2]",
        "\xEF\xBB\xBF{}",
        "\"\x7F\"",
        "[1e-400]",
        "\"\\uD834\\uDd1e\"",
        "{\"a\":1,\"A\":2}",
        "-0.0",
        "1e+2",
    };
    for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); ++i) {
        snArena arena;
        snArena_Init(&arena, NULL);
        const snJson* root;
        snMessage why;
        assert_ok(parse(&arena, texts[i], strlen(texts[i]), &root, &why), why);
        assert_non_null(root);
        snArena_Free(&arena);
    }
}

static void check(const char* text, size_t length, const Case* expected)
{
    snArena arena;
    snArena_Init(&arena, NULL);
    const snJson* root;
    snMessage why;
    assert_int_equal(parse(&arena, text, length, &root, &why), sn_errorFile);
    assert_null(root);
    char place[64];
    snprintf(place, sizeof(place), "line %u, column %u: ", expected->line, expected->column);
    if (strncmp(why.text, place, strlen(place)) != 0 || !strstr(why.text, expected->fragment)) {
        print_error("%s\n got: %s\n expected: %s...%s\n", expected->text, why.text, place,
                    expected->fragment);
        fail();
    }
    snArena_Free(&arena);
}

static void testErrorsSayWhereAndWhat(void** state)
{
    (void)state;
    static const Case cases[] = {
        {"", 1, 1, "expected a value, found the end of the text"},
        {" \n ", 2, 2, "expected a value, found the end of the text"},
        {"{\n  \"a\": 1,\n  \"b\"}", 3, 6, "expected ':' after the key, found '}'"},
        {"[1 2]", 1, 4, "expected ',' or ']' after the value, found '2'"},
        {"[1,]", 1, 4, "expected a value, found ']'"},
        {"[,1]", 1, 2, "expected a value, found ','"},
        {"[1}", 1, 3, "',' or ']'"},
        {"{\"a\":1]", 1, 7, "',' or '}'"},
        {"{\"a\" 1}", 1, 6, "expected ':' after the key, found '1'"},
        {"{\"a\":}", 1, 6, "expected a value, found '}'"},
        {"{\"a\":1,}", 1, 8, "expected a key in double quotes after ',', found '}'"},
        {"{a:1}", 1, 2, "expected a key in double quotes or '}', found 'a'"},
        {"{1:1}", 1, 2, "found '1'"},
        {"{'a':1}", 1, 2, "found '''"},
        {"{\"a\":1 \"b\":2}", 1, 8, "expected ',' or '}' after the value, found '\"'"},
        {"[", 1, 2, "found the end of the text"},
        {"{", 1, 2, "found the end of the text"},
        {"{\"a\"", 1, 5, "expected ':' after the key, found the end of the text"},
        {"1 1", 1, 3, "expected the end of the text after the value, found '1'"},
        {"{}}", 1, 3, "expected the end of the text"},
        {"]", 1, 1, "expected a value, found ']'"},
        {"tru", 1, 1, "expected a value, found 'tru'"},
        {"trueish", 1, 1, "found 'trueish'"},
        {"True", 1, 1, "found 'True'"},
        {"NaN", 1, 1, "found 'NaN'"},
        {"Infinity", 1, 1, "found 'Infinity'"},
        {"[1] // note", 1, 5, "JSON has no comments"},
        {"/* note */ 1", 1, 1, "JSON has no comments"},
        {"01", 1, 1, "malformed number"},
        {"-", 1, 1, "malformed number"},
        {"-x", 1, 1, "malformed number"},
        {"+1", 1, 1, "expected a value, found '+'"},
        {".5", 1, 1, "expected a value, found '.'"},
        {"[1.]", 1, 2, "malformed number"},
        {"[1.e5]", 1, 2, "malformed number"},
        {"[1e]", 1, 2, "malformed number"},
        {"[1e+]", 1, 2, "malformed number"},
        {"[0x10]", 1, 2, "malformed number"},
        {"[1-2]", 1, 2, "malformed number"},
        {"[\n1e309]", 2, 1, "number out of range"},
        {"[-1e999]", 1, 2, "number out of range"},
        {"\"abc", 1, 1, "no closing quote"},
        {"[\"abc\n\"]", 1, 2, "no closing quote"},
        {"\"a\tb\"", 1, 3, "control character 0x09 in a string must be written as \\u0009"},
        {"\"\\x\"", 1, 3, "after a backslash, found 'x'"},
        {"\"\\", 1, 3, "after a backslash, found the end of the text"},
        {"\"\\u12", 1, 6, "four hexadecimal digits after \\u, found the end of the text"},
        {"\"\\u12G4\"", 1, 6, "four hexadecimal digits after \\u, found 'G'"},
        {"\"x\\ud800\"", 1, 3, "\\uD800 is half of a surrogate pair"},
        {"\"\\ud800\\u0041\"", 1, 2, "surrogate"},
        {"\"\\udc00\\ud800\"", 1, 2, "surrogate"},
        {"\"\\ud800\\n\"", 1, 2, "surrogate"},
        {"{\"a\\u0000\":1}", 1, 2, "a key must not contain \\u0000"},
        {"{\"a\":1,\n \"b\":2,\n \"a\":3}", 3, 2,
         "the key \"a\" is there twice; first in line 1, column 2"},
        {"[{\"a\":1,\"\\u0061\":3}]", 1, 9, "the key \"a\" is there twice"},
        {"\"\xC3\xA9\xC3\xA9\" x", 1, 6, "found 'x'"},
        {"\xEF\xBB\xBFx", 1, 1, "found 'x'"},
        {"[1]\xEF\xBB\xBF", 1, 4, "end of the text"},
        {"\"\xFF\"", 1, 2, "0xFF is not valid UTF-8"},
        {"\"\xC0\x80\"", 1, 2, "0xC0 is not valid UTF-8"},
        {"\"\xED\xA0\x80\"", 1, 2, "0xED is not valid UTF-8"},
        {"\"\xF4\x90\x80\x80\"", 1, 2, "0xF4 is not valid UTF-8"},
        {"\"\xE2\x82\"", 1, 2, "0xE2 is not valid UTF-8"},
        {"[\xFF]", 1, 2, "expected a value, found the byte 0xFF"},
        {"[\x01]", 1, 2, "expected a value, found the byte 0x01"},
        {"[\xC3\xA9]", 1, 2, "expected a value, found '\xC3\xA9'"},
        {"\xFF\xFE{", 1, 1, "UTF-16"},
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); ++i) {
        check(cases[i].text, strlen(cases[i].text), &cases[i]);
    }
    // 0 bytes do not end a text
    check("1\0", 2, &(Case){"1, 0 byte", 1, 2, "found the byte 0x00"});
    check("\"\0\"", 3, &(Case){"string with a 0 byte", 1, 2, "control character 0x00"});
    check("[\"\\u0000\", \0]", 13, &(Case){"array with a 0 byte", 1, 12, "found the byte 0x00"});
}

static void testZeroInsideAString(void** state)
{
    (void)state;
    snArena arena;
    snArena_Init(&arena, NULL);
    const snJson* root;
    snMessage why;
    assert_ok(parse(&arena, "\"a\\u0000b\"", 10, &root, &why), why);
    assert_int_equal(root->string_length, 3);
    assert_memory_equal(root->string, "a\0b", 4);
    snArena_Free(&arena);
}

// No prefix of the document is a document, and no changed byte does harm.
static void testTruncatedAndDamaged(void** state)
{
    (void)state;
    size_t length = strlen(document) - 1;
    const snJson* root;
    snMessage why;
    for (size_t i = 0; i < length; ++i) {
        snArena arena;
        snArena_Init(&arena, NULL);
        assert_int_equal(parse(&arena, document, i, &root, &why), sn_errorFile);
        assert_memory_equal(why.text, "line ", 5);
        snArena_Free(&arena);
    }
    static const char damage[] = "\0\x01\"\\{}[],:0-eu/ \n\x80\xC3\xED\xF0\xFF";
    char changed[sizeof(document)];
    for (size_t i = 0; i < length; ++i) {
        for (size_t k = 0; k < sizeof(damage) - 1; ++k) {
            memcpy(changed, document, length);
            changed[i] = damage[k];
            snArena arena;
            snArena_Init(&arena, NULL);
            snStatus status = parse(&arena, changed, length, &root, &why);
            assert_true((status == sn_ok) == (root != NULL));
            assert_true(status == sn_ok || strncmp(why.text, "line ", 5) == 0);
            snArena_Free(&arena);
        }
    }
}

static void testDepth(void** state)
{
    (void)state;
    enum { deep = 1000000 };
    char* text = malloc(deep);
    const snJson* root;
    snMessage why;
    for (int depth = SN_JSON_DEPTH; depth <= SN_JSON_DEPTH + 1; ++depth) {
        memset(text, '[', (size_t)depth);
        memset(text + depth, ']', (size_t)depth);
        snArena arena;
        snArena_Init(&arena, NULL);
        snStatus status = parse(&arena, text, 2 * (size_t)depth, &root, &why);
        assert_int_equal(status, depth > SN_JSON_DEPTH ? sn_errorFile : sn_ok);
        snArena_Free(&arena);
    }
    assert_non_null(strstr(why.text, "line 1, column 65: nested deeper than 64 levels"));
    memset(text, '[', deep);
    check(text, deep, &(Case){"a million [", 1, 65, "nested deeper"});
    free(text);
}

static void testTooLarge(void** state)
{
    (void)state;
    const snJson* root;
    snMessage why;
    snArena arena;
    snArena_Init(&arena, NULL);
    // the length alone is looked at
    assert_int_equal(snJson_Parse(&arena, "1", SN_JSON_SIZE + 1, &root, &why), sn_errorFile);
    assert_non_null(strstr(why.text, "limit"));
    assert_null(arena.blocks);
}

// 100,000 keys: a comparison of all pairs would take a minute.
static void testManyKeys(void** state)
{
    (void)state;
    enum { count = 100000 };
    char* text = malloc(count * 16 + 64);
    size_t length = 0;
    text[length++] = '{';
    for (int i = 0; i < count; ++i) {
        // both orders, so that neither sorted nor reversed keys are a bad case
        int k = i % 2 == 0 ? i : count - i;
        length += (size_t)sprintf(text + length, "\"k%d\":%d,", k, i);
    }
    text[length - 1] = '}';
    snArena arena;
    snArena_Init(&arena, NULL);
    const snJson* root;
    snMessage why;
    assert_ok(parse(&arena, text, length, &root, &why), why);
    assert_int_equal(root->count, count);
    assert_close(snJson_Get(root, "k1")->number, count - 1, 0);
    snArena_Free(&arena);

    length += (size_t)sprintf(text + length - 1, ",\n\"k777\":0}") - 1;
    check(text, length, &(Case){"many keys", 2, 1, "the key \"k777\" is there twice"});
    free(text);
}

typedef struct Counter {
    size_t now, peak;
} Counter;

static void* countedAllocate(void* user, size_t bytes, size_t alignment)
{
    Counter* counter = user;
    counter->now += bytes;
    counter->peak = counter->now > counter->peak ? counter->now : counter->peak;
    return aligned_alloc(alignment, (bytes + alignment - 1) / alignment * alignment);
}

static void countedRelease(void* user, void* memory, size_t bytes)
{
    ((Counter*)user)->now -= bytes;
    free(memory);
}

// json.h promises 50 times the text; an arena's newest block (1 MiB) may be nearly empty.
static void testMemoryIsBounded(void** state)
{
    (void)state;
    static const char* const pieces[] = {"1,",     "[],",       "{},", "\"\",",
                                         "\"a\",", "{\"\":1},", "   ", "\n"};
    enum { size = 400000 };
    char* text = malloc(size + 32);
    for (size_t i = 0; i < sizeof(pieces) / sizeof(pieces[0]); ++i) {
        size_t length = 1;
        text[0] = '[';
        while (length < size) {
            length += (size_t)sprintf(text + length, "%s", pieces[i]);
        }
        length += (size_t)sprintf(text + length, "0]");
        Counter counter = {0};
        snHost host;
        snHost_Init(&host);
        host.user = &counter;
        host.allocate = countedAllocate;
        host.release = countedRelease;
        snArena arena;
        snArena_Init(&arena, &host);
        const snJson* root;
        snMessage why;
        assert_ok(snJson_Parse(&arena, text, length, &root, &why), why);
        assert_true(counter.peak <= 50 * length + ((size_t)1 << 20));
        snArena_Free(&arena);
        assert_int_equal(counter.now, 0);
    }
    free(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(testReadsADocument),
        cmocka_unit_test(testAccepted),
        cmocka_unit_test(testErrorsSayWhereAndWhat),
        cmocka_unit_test(testZeroInsideAString),
        cmocka_unit_test(testTruncatedAndDamaged),
        cmocka_unit_test(testDepth),
        cmocka_unit_test(testTooLarge),
        cmocka_unit_test(testManyKeys),
        cmocka_unit_test(testMemoryIsBounded),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
