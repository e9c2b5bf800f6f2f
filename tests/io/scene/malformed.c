// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0
// label: quick

// A thousand random wrong scene files, made from right ones by damaging them: each gets an error
// that names the file and the line. (One with a surface is wrong in memory even when undamaged.)
// With SN_MALFORMED_DIR set they are also written there, for tests/io/scene/cli.sh.
#include "check.h"

#include "base/file.h"
#include "base/json.h"
#include "base/random.h"
#include "scenes/scenes.h"

#define WANTED 1000
#define MOST_TRIES 4000

// A text cut into tokens of JSON, blanks going with the token before them.
typedef struct Tokens {
    char* text;
    size_t count;
    size_t starts[4096]; // one more than there are tokens
} Tokens;

static bool isNumberOrWord(char c)
{
    return c && strchr("+-.0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ", c);
}

static void cut(Tokens* t)
{
    size_t i = 0;
    while (t->text[i]) {
        assert_true(t->count < 4095);
        t->starts[t->count++] = i;
        if (t->text[i] == '"') {
            for (++i; t->text[i] != '"'; ++i) {
                i += t->text[i] == '\\';
            }
            ++i;
        } else if (isNumberOrWord(t->text[i])) {
            i += strspn(t->text + i, "+-.0123456789eEaflnrstu");
        } else {
            ++i;
        }
        i += strspn(t->text + i, " \n\r\t");
    }
    t->starts[t->count] = i;
}

// A growing text; bytes beyond its room are dropped.
typedef struct Text {
    char bytes[1 << 16];
    size_t length;
} Text;

static void append(Text* out, const char* bytes, size_t count)
{
    if (count <= sizeof out->bytes - out->length) {
        memcpy(out->bytes + out->length, bytes, count);
        out->length += count;
    }
}

static void appendTokens(Text* out, const Tokens* t, size_t from, size_t to)
{
    append(out, t->text + t->starts[from], t->starts[to] - t->starts[from]);
}

static void appendString(Text* out, const char* text)
{
    append(out, text, strlen(text));
}

static const char* const JUNK[] = {
    "null",
    "true",
    "false",
    "0",
    "-1",
    "1e999",
    "-1e300",
    "1e-300",
    "NaN",
    "Infinity",
    "-Infinity",
    "nan(1)",
    "0x10",
    ".5",
    "1.",
    "+1",
    "01",
    "--2",
    "\"\"",
    "\"a\"",
    "\"\\u0000\"",
    "\"\\ud800\"",
    "\"NaN\"",
    "\"root\"",
    "\"upper\"",
    "\"lower\"",
    "\"arm9\"",
    "[]",
    "{}",
    "[[]]",
    "[1]",
    "[1,2]",
    "[1,2,3]",
    "[1,2,3,4]",
    "{\"a\":1}",
    "[null]",
    "[1e999]",
    "\"sinew\"",
    "\"mass\"",
    "\"parent\"",
    ",",
    ":",
    "]",
    "}",
    "[",
    "{",
    "\"",
    "/* */",
    "\xC3\x28",
    "\xFF",
    "\xED\xA0\x80",
    "\x01",
    "\xEF\xBB\xBF",
    "99999999999999999999",
    "-0",
    "2",
};

static const char* pick(snRandom* random)
{
    return JUNK[snRandom_Below(random, sizeof JUNK / sizeof *JUNK)];
}

// A random token; with a first letter given, the next one that starts with one of these
static size_t someToken(snRandom* random, const Tokens* t, const char* letters)
{
    size_t at = snRandom_Below(random, (uint32_t)t->count);
    for (size_t i = 0; letters && i < t->count; ++i) {
        size_t candidate = (at + i) % t->count;
        if (strchr(letters, t->text[t->starts[candidate]])) {
            return candidate;
        }
    }
    return at;
}

// The text with token `at` replaced
static void replace(Text* out, const Tokens* t, size_t at, const char* by)
{
    appendTokens(out, t, 0, at);
    appendString(out, by);
    appendTokens(out, t, at + 1, t->count);
}

static void replaceNumber(Text* out, const Tokens* t, snRandom* random)
{
    static const char* const NUMBERS[] = {"-1",
                                          "1e30",
                                          "-1e30",
                                          "1e400",
                                          "0",
                                          "1e-320",
                                          "0.5",
                                          "-0.001",
                                          "1e10",
                                          "2.5",
                                          "1.7976931348623157e308"};
    size_t at = someToken(random, t, "-0123456789");
    replace(out, t, at, NUMBERS[snRandom_Below(random, sizeof NUMBERS / sizeof *NUMBERS)]);
}

// One letter of a string or key is another one
static void misspell(Text* out, const Tokens* t, snRandom* random)
{
    size_t at = someToken(random, t, "\"");
    size_t start = t->starts[at], end = start + 1;
    while (t->text[end] != '"') {
        ++end;
    }
    append(out, t->text, t->starts[t->count]);
    if (end > start + 1) {
        size_t letter = start + 1 + snRandom_Below(random, (uint32_t)(end - start - 1));
        out->bytes[letter] = (char)('a' + snRandom_Below(random, 26));
    }
}

// A string, often a parent, is replaced by another string of the file
static void exchange(Text* out, const Tokens* t, snRandom* random)
{
    size_t at = someToken(random, t, "\""), other = someToken(random, t, "\"");
    appendTokens(out, t, 0, at);
    appendTokens(out, t, other, other + 1);
    appendTokens(out, t, at + 1, t->count);
}

static void nest(Text* out, const Tokens* t, snRandom* random)
{
    size_t at = someToken(random, t, "-0123456789\""), depth = 1 + snRandom_Below(random, 200);
    appendTokens(out, t, 0, at);
    for (size_t i = 0; i < depth; ++i) {
        appendString(out, snRandom_Below(random, 2) ? "[" : "{\"a\":");
    }
    appendTokens(out, t, at, t->count);
}

// An array gains an element or loses its first one
static void resize(Text* out, const Tokens* t, snRandom* random)
{
    size_t at = someToken(random, t, "[");
    bool grow = snRandom_Below(random, 2) || at + 3 >= t->count;
    appendTokens(out, t, 0, at + 1);
    appendString(out, grow ? "0, " : "");
    appendTokens(out, t, grow ? at + 1 : at + 3, t->count);
}

static void mutate(Text* out, const Tokens* t, snRandom* random)
{
    size_t a = someToken(random, t, NULL), b = someToken(random, t, NULL);
    size_t first = a < b ? a : b, second = a < b ? b : a;
    out->length = 0;
    switch (snRandom_Below(random, 12)) {
    case 0: // delete
        replace(out, t, a, "");
        break;
    case 1: // twice
        appendTokens(out, t, 0, a + 1);
        appendTokens(out, t, a, t->count);
        break;
    case 2: // another type, word or byte
        replace(out, t, a, pick(random));
        break;
    case 3: // the end is missing
        append(out, t->text, snRandom_Below(random, (uint32_t)t->starts[t->count]));
        break;
    case 4: // swap
        appendTokens(out, t, 0, first);
        appendTokens(out, t, second, second + 1);
        appendTokens(out, t, first < second ? first + 1 : first, second);
        appendTokens(out, t, first, first < second ? first + 1 : first);
        appendTokens(out, t, second + 1, t->count);
        break;
    case 5:
        misspell(out, t, random);
        break;
    case 6:
        replaceNumber(out, t, random);
        break;
    case 7:
        nest(out, t, random);
        break;
    case 8:
        resize(out, t, random);
        break;
    case 9: // a stray byte
        append(out, t->text, t->starts[t->count]);
        out->bytes[snRandom_Below(random, (uint32_t)out->length)] =
            (char)snRandom_Below(random, 256);
        break;
    case 10:
        exchange(out, t, random);
        break;
    default: // a value of another type
        replace(out, t, someToken(random, t, "-0123456789\""), pick(random));
        break;
    }
}

static void readTokens(const char* path, Tokens* t)
{
    uint8_t* bytes;
    size_t count;
    snMessage why;
    assert_ok(snFile_Read(NULL, path, (size_t)1 << 15, &bytes, &count, &why), why);
    memset(t, 0, sizeof *t);
    t->text = malloc(count + 1);
    assert_non_null(t->text);
    memcpy(t->text, bytes, count + 1);
    snHost_Release(NULL, bytes, count + 1);
    cut(t);
}

static void keep(const Text* text, const char* name)
{
    const char* directory = getenv("SN_MALFORMED_DIR");
    if (directory) {
        char path[SN_PATH_SIZE];
        snFileWriter writer;
        snMessage why;
        snprintf(path, sizeof path, "%s/%s", directory, name);
        assert_ok(snFileWriter_Open(&writer, path, &why), why);
        snFileWriter_Write(&writer, text->bytes, text->length);
        assert_ok(snFileWriter_Close(&writer, &why), why);
    }
}

// The message of a wrong file: name and place first, one printable line, a remedy or what was
// expected
static void checkMessage(const snMessage* why, const char* name)
{
    size_t length = strlen(name);
    assert_memory_equal(why->text, name, length);
    assert_memory_equal(why->text + length, ": line ", 7);
    for (const char* c = why->text; *c; ++c) {
        assert_true((unsigned char)*c >= 0x20);
    }
}

static snStatus parse(const char* text, size_t length, const char* name, snMessage* why)
{
    snScene* scene;
    snStatus status = snScene_Parse(NULL, text, length, name, snBuiltinLibrary(), &scene, why);
    assert_true((status == sn_ok) == (scene != NULL));
    snScene_Free(scene);
    return status;
}

static bool isJson(const char* text, size_t length)
{
    snArena arena;
    const snJson* root;
    snArena_Init(&arena, NULL);
    snStatus status = snJson_Parse(&arena, text, length, &root, NULL);
    snArena_Free(&arena);
    return status == sn_ok;
}

static void testRandom(void** state)
{
    (void)state;
    static const char* const SEEDS[] = {
        SN_TEST_DATA "/../../docs/examples/pendulum.json",
        SN_TEST_DATA "/../../docs/examples/starfish.json", SN_TEST_DATA "/scenes/joints.json",
        SN_TEST_DATA "/scenes/obstacles.json", SN_TEST_DATA "/../../docs/examples/jelly.json"};
    enum { COUNT = sizeof SEEDS / sizeof *SEEDS };
    static Tokens seeds[COUNT];
    static Text text;
    for (int i = 0; i < COUNT; ++i) {
        readTokens(SEEDS[i], &seeds[i]);
    }
    int wrong = 0, tries = 0, json = 0;
    for (; wrong < WANTED && tries < MOST_TRIES; ++tries) {
        snRandom random = snRandom_Seed((uint64_t)tries);
        char name[32];
        snprintf(name, sizeof name, "mutant%04d.json", tries);
        mutate(&text, &seeds[tries % COUNT], &random);
        // a block of its own, so that reading past the end is caught
        char* copy = malloc(text.length + 1);
        assert_non_null(copy);
        memcpy(copy, text.bytes, text.length);
        snMessage why;
        snStatus status = parse(copy, text.length, name, &why);
        free(copy);
        if (status) {
            assert_int_equal(status, sn_errorFile);
            checkMessage(&why, name);
            keep(&text, name);
            wrong += 1;
            json += isJson(text.bytes, text.length);
        }
    }
    print_message("%d wrong files of %d, %d of them right JSON\n", wrong, tries, json);
    assert_int_equal(wrong, WANTED);
    assert_true(json >= WANTED / 5); // it is the scene's own checks that are on trial
    for (int i = 0; i < COUNT; ++i) {
        free(seeds[i].text);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(testRandom),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
