// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

#include "base/json.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/message.h"
#include "base/utf8.h"

// Nodes are taken from the arena in slabs of this many, doubling.
#define FIRST_SLAB 16
#define LARGEST_SLAB 1024

typedef struct Place {
    const char* at;
    uint32_t line, column; // from 1
} Place;

typedef struct Reader {
    snArena* arena;
    const char* text;  // as given
    const char* start; // without a byte order mark
    const char* end;
    const char* at;
    Place place;   // of the newest node; moves forward only
    char* strings; // the next free byte of a buffer that holds all strings: with its quotes a
                   // string is longer in the text than decoded with its 0
    snJson* slab;
    size_t slab_left, slab_size;
    int depth;
    snMessage* why;
    snStatus status; // of the first failure
} Reader;

static Place movePlace(Place place, const char* to)
{
    for (; place.at < to; ++place.at) {
        if (*place.at == '\n') {
            place.line += 1;
            place.column = 1;
        } else if (((unsigned char)*place.at & 0xC0) != 0x80) {
            place.column += 1;
        }
    }
    return place;
}

static bool failAt(Reader* r, Place place, const char* format, ...) SN_PRINTF(3, 4);

static bool failAt(Reader* r, Place place, const char* format, ...)
{
    char text[512];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof(text), format, arguments);
    va_end(arguments);
    r->status = snFail(r->why, sn_errorFile, "line %u, column %u: %s", (unsigned)place.line,
                       (unsigned)place.column, text);
    return false;
}

static Place placeOf(const Reader* r, const char* at)
{
    return movePlace((Place){r->start, 1, 1}, at);
}

static bool failMemory(Reader* r)
{
    r->status = snFail(r->why, sn_errorMemory, "out of memory while reading JSON");
    return false;
}

static bool isLetter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

// "expected WHAT, found ..." at the reader's position
static bool failExpected(Reader* r, const char* what)
{
    Place place = placeOf(r, r->at);
    if (r->at == r->end) {
        return failAt(r, place, "expected %s, found the end of the text", what);
    }
    int length = (int)snUtf8_Length(r->at, r->end);
    unsigned byte = (unsigned char)*r->at;
    if (length == 0 || byte < 0x20 || byte == 0x7F) {
        return failAt(r, place, "expected %s, found the byte 0x%02X", what, byte);
    }
    while (isLetter(*r->at) && length < 24 && r->at + length < r->end && isLetter(r->at[length])) {
        ++length;
    }
    return failAt(r, place, "expected %s, found '%.*s'%s", what, length, r->at,
                  byte == '/' ? " (JSON has no comments)" : "");
}

static void skipSpace(Reader* r)
{
    while (r->at < r->end &&
           (*r->at == ' ' || *r->at == '\n' || *r->at == '\r' || *r->at == '\t')) {
        ++r->at;
    }
}

static bool next(Reader* r, char c)
{
    return r->at < r->end && *r->at == c;
}

static snJson* addNode(Reader* r)
{
    if (r->slab_left == 0) {
        r->slab_size = r->slab_size == 0 ? FIRST_SLAB : r->slab_size * 2;
        r->slab_size = r->slab_size > LARGEST_SLAB ? LARGEST_SLAB : r->slab_size;
        r->slab = snArena_Push(r->arena, r->slab_size, sizeof(snJson));
        if (!r->slab) {
            failMemory(r);
            return NULL;
        }
        r->slab_left = r->slab_size;
    }
    r->place = movePlace(r->place, r->at);
    snJson* node = r->slab++;
    r->slab_left -= 1;
    node->line = r->place.line;
    node->column = r->place.column;
    return node;
}

// The four digits of \uXXXX, after the u
static bool readHex(Reader* r, uint32_t* out)
{
    uint32_t code = 0;
    for (int i = 0; i < 4; ++i) {
        char c = r->at < r->end ? *r->at : 0;
        if (c >= '0' && c <= '9') {
            code = code << 4 | (uint32_t)(c - '0');
        } else if ((c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F')) {
            code = code << 4 | (uint32_t)((c | 0x20) - 'a' + 10);
        } else {
            return failExpected(r, "four hexadecimal digits after \\u");
        }
        ++r->at;
    }
    *out = code;
    return true;
}

// After the backslash
static bool readEscape(Reader* r)
{
    static const char letters[] = "\"\\/bfnrt";
    static const char codes[] = "\"\\/\b\f\n\r\t";
    const char* backslash = r->at - 1;
    const char* found = r->at < r->end && *r->at ? strchr(letters, *r->at) : NULL;
    if (found) {
        *r->strings++ = codes[found - letters];
        ++r->at;
        return true;
    }
    if (!next(r, 'u')) {
        return failExpected(r, "one of \" \\ / b f n r t u after a backslash");
    }
    ++r->at;
    uint32_t code = 0, low = 0;
    if (!readHex(r, &code)) {
        return false;
    }
    if (code >= 0xD800 && code <= 0xDFFF) {
        bool pair = code < 0xDC00 && r->end - r->at >= 2 && r->at[0] == '\\' && r->at[1] == 'u';
        if (pair) {
            r->at += 2;
            if (!readHex(r, &low)) {
                return false;
            }
            pair = low >= 0xDC00 && low <= 0xDFFF;
        }
        if (!pair) {
            return failAt(r, placeOf(r, backslash),
                          "\\u%04X is half of a surrogate pair and its other half is missing",
                          (unsigned)code);
        }
        code = 0x10000 + ((code - 0xD800) << 10) + (low - 0xDC00);
    }
    r->strings += snUtf8_Encode(code, r->strings);
    return true;
}

// At the opening quote
static bool readString(Reader* r, const char** out, size_t* length)
{
    const char* quote = r->at++;
    char* first = r->strings;
    for (;;) {
        if (r->at == r->end || *r->at == '\n') {
            return failAt(r, placeOf(r, quote), "the string that starts here has no closing quote");
        }
        unsigned char c = (unsigned char)*r->at;
        if (c == '"') {
            ++r->at;
            *r->strings++ = 0;
            *out = first;
            *length = (size_t)(r->strings - first) - 1;
            return true;
        }
        if (c == '\\') {
            ++r->at;
            if (!readEscape(r)) {
                return false;
            }
            continue;
        }
        if (c < 0x20) {
            return failAt(r, placeOf(r, r->at),
                          "the control character 0x%02X in a string must be written as \\u%04X", c,
                          c);
        }
        size_t bytes = snUtf8_Length(r->at, r->end);
        if (bytes == 0) {
            return failAt(r, placeOf(r, r->at), "the byte 0x%02X is not valid UTF-8 here", c);
        }
        memcpy(r->strings, r->at, bytes);
        r->strings += bytes;
        r->at += bytes;
    }
}

static bool readNumber(Reader* r, snJson* node)
{
    size_t used = snNumber_Parse(r->at, (size_t)(r->end - r->at), &node->number);
    const char* after = r->at + used;
    bool whole =
        after == r->end || !(isLetter(*after) || (*after && strchr("0123456789.+-", *after)));
    if (used == 0 || !whole) {
        return failAt(r, placeOf(r, r->at),
                      "malformed number; JSON wants, for example, -0.5 or 2e3");
    }
    if (isinf(node->number)) {
        return failAt(r, placeOf(r, r->at), "number out of range; the largest is near 1.8e308");
    }
    node->kind = sn_jsonNumber;
    r->at = after;
    return true;
}

static bool readWord(Reader* r, const char* word)
{
    size_t length = strlen(word);
    if ((size_t)(r->end - r->at) < length || memcmp(r->at, word, length) != 0 ||
        (r->at + length < r->end && isLetter(r->at[length]))) {
        return false;
    }
    r->at += length;
    return true;
}

// By key, then by place
static bool keyLess(const snJson* a, const snJson* b)
{
    int order = strcmp(a->key, b->key);
    if (order != 0) {
        return order < 0;
    }
    return a->line != b->line ? a->line < b->line : a->column < b->column;
}

static void siftDown(const snJson** heap, size_t root, size_t count)
{
    for (size_t child; (child = 2 * root + 1) < count; root = child) {
        child += child + 1 < count && keyLess(heap[child], heap[child + 1]);
        if (!keyLess(heap[root], heap[child])) {
            return;
        }
        const snJson* kept = heap[root];
        heap[root] = heap[child];
        heap[child] = kept;
    }
}

// Heap sort: n log n whatever a hostile file holds, and no calls to a library's allocator
static void sortByKey(const snJson** members, size_t count)
{
    for (size_t i = count / 2; i-- > 0;) {
        siftDown(members, i, count);
    }
    for (size_t i = count; i-- > 1;) {
        const snJson* largest = members[0];
        members[0] = members[i];
        members[i] = largest;
        siftDown(members, 0, i);
    }
}

static bool checkKeys(Reader* r, const snJson* object)
{
    const snJson* few[16];
    bool small = object->count <= 16;
    size_t bytes = object->count * sizeof(few[0]); // at most twice the text
    const snJson** members = small ? few : snHost_Allocate(&r->arena->host, bytes);
    if (!members) {
        return failMemory(r);
    }
    size_t count = 0;
    for (const snJson* m = object->child; m; m = m->next) {
        members[count++] = m;
    }
    sortByKey(members, count);
    bool ok = true;
    for (size_t i = 1; i < count && ok; ++i) {
        const snJson* a = members[i - 1];
        const snJson* b = members[i];
        if (strcmp(a->key, b->key) == 0) {
            ok = failAt(r, (Place){NULL, b->line, b->column},
                        "the key \"%.100s\" is there twice; first in line %u, column %u", b->key,
                        (unsigned)a->line, (unsigned)a->column);
        }
    }
    if (!small) {
        snHost_Release(&r->arena->host, members, bytes);
    }
    return ok;
}

static bool readPlaced(Reader* r, snJson* node);

// A key and the ':' after it
static bool readKey(Reader* r, snJson* node, bool first)
{
    if (!next(r, '"')) {
        return failExpected(r, first ? "a key in double quotes or '}'"
                                     : "a key in double quotes after ','");
    }
    const char* quote = r->at;
    size_t length = 0;
    if (!readString(r, &node->key, &length)) {
        return false;
    }
    if (strlen(node->key) != length) {
        return failAt(r, placeOf(r, quote), "a key must not contain \\u0000");
    }
    skipSpace(r);
    if (!next(r, ':')) {
        return failExpected(r, "':' after the key");
    }
    ++r->at;
    skipSpace(r);
    return true;
}

// An array or object, at its opening bracket
static bool readChildren(Reader* r, snJson* parent)
{
    bool object = parent->kind == sn_jsonObject;
    char close = object ? '}' : ']';
    if (++r->depth > SN_JSON_DEPTH) {
        return failAt(r, placeOf(r, r->at), "nested deeper than %d levels", SN_JSON_DEPTH);
    }
    ++r->at;
    skipSpace(r);
    snJson** link = &parent->child;
    while (parent->count > 0 || !next(r, close)) {
        snJson* node = addNode(r);
        if (!node || (object && !readKey(r, node, parent->count == 0)) || !readPlaced(r, node)) {
            return false;
        }
        *link = node;
        link = &node->next;
        parent->count += 1;
        skipSpace(r);
        if (next(r, close)) {
            break;
        }
        if (!next(r, ',')) {
            return failExpected(r, object ? "',' or '}' after the value"
                                          : "',' or ']' after the value");
        }
        ++r->at;
        skipSpace(r);
    }
    ++r->at;
    --r->depth;
    return !object || checkKeys(r, parent);
}

static bool readValue(Reader* r, snJson* node)
{
    char c = r->at < r->end ? *r->at : 0;
    if (c == '{' || c == '[') {
        node->kind = c == '{' ? sn_jsonObject : sn_jsonArray;
        return readChildren(r, node);
    }
    if (c == '"') {
        node->kind = sn_jsonString;
        return readString(r, &node->string, &node->string_length);
    }
    if (c == '-' || (c >= '0' && c <= '9')) {
        return readNumber(r, node);
    }
    if (readWord(r, "null")) {
        node->kind = sn_jsonNull;
        return true;
    }
    node->kind = sn_jsonBool;
    node->boolean = readWord(r, "true");
    return node->boolean || readWord(r, "false") || failExpected(r, "a value");
}

// SN_JSON_SIZE is below 2^32
static bool readPlaced(Reader* r, snJson* node)
{
    node->begin = (uint32_t)(r->at - r->text);
    bool good = readValue(r, node);
    node->end = (uint32_t)(r->at - r->text);
    return good;
}

snStatus snJson_Parse(snArena* arena, const char* text, size_t length, const snJson** root,
                      snMessage* why)
{
    *root = NULL;
    if (length > SN_JSON_SIZE) {
        return snFail(why, sn_errorFile, "the text has %zu bytes, more than the limit of %zu",
                      length, SN_JSON_SIZE);
    }
    if (length >= 2 && (memcmp(text, "\xFF\xFE", 2) == 0 || memcmp(text, "\xFE\xFF", 2) == 0)) {
        return snFail(why, sn_errorFile, "line 1, column 1: the text is UTF-16; save it as UTF-8");
    }
    const char* start = length >= 3 && memcmp(text, "\xEF\xBB\xBF", 3) == 0 ? text + 3 : text;
    Reader r = {.arena = arena,
                .text = text,
                .start = start,
                .end = text + length,
                .at = start,
                .place = {start, 1, 1},
                .strings = snArena_Push(arena, length + 1, 1),
                .why = why};
    if (!r.strings) {
        failMemory(&r);
        return r.status;
    }
    skipSpace(&r);
    snJson* node = addNode(&r);
    if (!node || !readPlaced(&r, node)) {
        return r.status;
    }
    skipSpace(&r);
    if (r.at != r.end) {
        failExpected(&r, "the end of the text after the value");
        return r.status;
    }
    *root = node;
    snMessage_Clear(why);
    return sn_ok;
}

const snJson* snJson_Get(const snJson* object, const char* key)
{
    if (!object || object->kind != sn_jsonObject) {
        return NULL;
    }
    const snJson* member = object->child;
    while (member && strcmp(member->key, key) != 0) {
        member = member->next;
    }
    return member;
}

const snJson* snJson_At(const snJson* array, size_t index)
{
    const snJson* element = array && array->kind == sn_jsonArray ? array->child : NULL;
    for (; element && index > 0; --index) {
        element = element->next;
    }
    return element;
}
