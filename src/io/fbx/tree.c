// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

#include "io/fbx/tree.h"

#include <string.h>

#include "base/number.h"

#ifdef SN_HAVE_ASSIMP
#include <zlib.h>
#endif

#define AGAIN "; it is damaged, export it again"

// Records inside records; programs write about 8
#define MOST_DEPTH 32

// Values of a record in a text, besides arrays; programs write about 10
#define MOST_VALUES 32

// Of zlib's packing, which cannot do better
#define MOST_PACKING 1032

static const char MAGIC[] = "Kaydara FBX Binary  ";

// What begins every file, and where the text of a text file says so at the latest
#define HEAD_BYTES 27
#define HEAD_TEXT 4096

typedef struct Reader {
    snArena* arena;
    const uint8_t* bytes;
    size_t at, end; // end: of the file
    bool wide;      // version 7.5 on: offsets have 64 bits
    snMessage* why;
} Reader;

static bool isBinary(const uint8_t* bytes, size_t count)
{
    return count >= HEAD_BYTES && memcmp(bytes, MAGIC, sizeof MAGIC) == 0;
}

static const char* findText(const uint8_t* bytes, size_t count, const char* text)
{
    size_t length = strlen(text), most = count < HEAD_TEXT ? count : HEAD_TEXT;
    for (size_t i = 0; i + length <= most; ++i) {
        if (memcmp(bytes + i, text, length) == 0) {
            return (const char*)bytes + i + length;
        }
    }
    return NULL;
}

bool snFbx_Is(const uint8_t* bytes, size_t count)
{
    return isBinary(bytes, count) ||
           (findText(bytes, count, "FBXHeaderExtension:") && !findText(bytes, count, "<COLLADA"));
}

static uint64_t wordAt(const uint8_t* b, int size)
{
    uint64_t word = 0;
    for (int i = 0; i < size; ++i) {
        word |= (uint64_t)b[i] << 8 * i;
    }
    return word;
}

int32_t snFbx_Version(const uint8_t* bytes, size_t count)
{
    if (isBinary(bytes, count)) {
        uint64_t version = wordAt(bytes + HEAD_BYTES - 4, 4);
        return version < 1000000 ? (int32_t)version : 0;
    }
    const char* text = findText(bytes, count, "FBXVersion:");
    double version = 0;
    while (text && text < (const char*)bytes + count && *text == ' ') {
        ++text;
    }
    size_t left = text ? (size_t)((const char*)bytes + count - text) : 0;
    return left && snNumber_Parse(text, left, &version) && version >= 0 && version < 1000000
               ? (int32_t)version
               : 0;
}

// Binary files ---------------------------------------------------------------------

static snStatus failHere(const Reader* r, const char* what)
{
    return snFail(r->why, sn_errorFile, "byte %zu: %s" AGAIN, r->at, what);
}

static double floatOf(uint64_t bits, int size)
{
    uint32_t small = (uint32_t)bits;
    float f;
    double d;
    memcpy(&f, &small, sizeof f);
    memcpy(&d, &bits, sizeof d);
    return size == 4 ? (double)f : d;
}

static int sizeOf(char type)
{
    return type == 'd' || type == 'l' || type == 'D' || type == 'L'   ? 8
           : type == 'f' || type == 'i' || type == 'F' || type == 'I' ? 4
           : type == 'Y'                                              ? 2
           : type == 'b' || type == 'c' || type == 'C' || type == 'B' ? 1
                                                                      : 0;
}

static double numberAt(const uint8_t* bytes, char type, int64_t* integer)
{
    int size = sizeOf(type);
    uint64_t word = wordAt(bytes, size);
    uint64_t sign = size > 0 ? (uint64_t)1 << (8 * size - 1) : 0;
    bool real = type == 'f' || type == 'd' || type == 'F' || type == 'D';
    *integer = size == 1 ? (int64_t)word : (int64_t)((word ^ sign) - sign);
    return real ? floatOf(word, size) : (double)*integer;
}

// limit: of the record's values
static snStatus readValue(Reader* r, size_t limit, snFbxValue* v)
{
    if (limit == r->at) {
        return failHere(r, "a value reaches beyond its record");
    }
    char type = (char)r->bytes[r->at++];
    size_t left = limit - r->at;
    const uint8_t* b = r->bytes + r->at;
    int size = sizeOf(type);
    if ((type == 'S' || type == 'R') && left >= 4) {
        v->kind = sn_fbxText;
        v->size = (size_t)wordAt(b, 4);
        v->bytes = (const char*)b + 4;
        r->at += 4;
    } else if (size && type >= 'a' && left >= 12) {
        v->kind = sn_fbxArray;
        v->type = type;
        v->count = (size_t)wordAt(b, 4);
        v->packed = wordAt(b + 4, 4) != 0;
        v->size = (size_t)wordAt(b + 8, 4);
        v->bytes = (const char*)b + 12;
        r->at += 12;
    } else if (size && type < 'a' && (size_t)size <= left) {
        v->kind = sn_fbxNumber;
        v->number = numberAt(b, type, &v->integer);
        r->at += (size_t)size;
    } else {
        return failHere(r, "a value has a kind that there is not, or is cut off");
    }
    if (v->size > limit - r->at) {
        return failHere(r, "a text or array reaches beyond its record");
    }
    r->at += v->size;
    return sn_ok;
}

static snStatus readRecord(Reader* r, size_t limit, int depth, snFbxRecord** out);

// Those that follow, until one that is all zeros, or the limit
static snStatus readRecords(Reader* r, size_t limit, int depth, snFbxRecord* parent)
{
    snFbxRecord** last = &parent->child;
    snStatus status = sn_ok;
    for (bool more = r->at < limit; more && !status; more = *last && r->at < limit) {
        last = *last ? &(*last)->next : last;
        status = readRecord(r, limit, depth, last);
    }
    return status;
}

static snStatus readRecord(Reader* r, size_t limit, int depth, snFbxRecord** out)
{
    size_t head = r->wide ? 25 : 13;
    int word = r->wide ? 8 : 4;
    if (limit - r->at < head || depth > MOST_DEPTH) {
        return failHere(r, depth > MOST_DEPTH ? "records lie too deep in others"
                                              : "a record reaches beyond the one that it is in");
    }
    const uint8_t* b = r->bytes + r->at;
    uint64_t end = wordAt(b, word), values = wordAt(b + word, word),
             size = wordAt(b + 2 * word, word);
    size_t length = b[head - 1], begin = r->at + head + length;
    if (end == 0) {
        r->at += head;
        return sn_ok;
    }
    if (end > limit || begin > end || size > end - begin || values > size) {
        return failHere(r, "a record's size does not fit");
    }
    snFbxRecord* record = snArena_Push(r->arena, 1, sizeof *record);
    const char* name = snArena_String(r->arena, (const char*)b + head, length);
    snFbxValue* list = snArena_Push(r->arena, (size_t)values, sizeof *list);
    if (!record || !name || !list) {
        return snFail(r->why, sn_errorMemory, "out of memory");
    }
    *record = (snFbxRecord){.name = name, .value_count = (size_t)values, .values = list};
    *out = record;
    r->at = begin;
    snStatus status = sn_ok;
    for (size_t i = 0; i < values && !status; ++i) {
        status = readValue(r, begin + (size_t)size, &list[i]);
    }
    r->at = begin + (size_t)size;
    status = status ? status : readRecords(r, (size_t)end, depth + 1, record);
    r->at = (size_t)end;
    return status;
}

// Text files -----------------------------------------------------------------------

static void skipLine(Reader* r)
{
    while (r->at < r->end && r->bytes[r->at] != '\n') {
        ++r->at;
    }
}

// Passes over blanks, comments, and with `lines` their ends; gives the character there, 0 at the
// end.
static char look(Reader* r, bool lines)
{
    for (; r->at < r->end; ++r->at) {
        char c = (char)r->bytes[r->at];
        if (c == ';') {
            skipLine(r);
            c = '\n';
        }
        bool blank = c == ' ' || c == '\t' || c == '\r' || (lines && c == '\n');
        if (!blank || r->at >= r->end) {
            return r->at < r->end ? c : 0;
        }
    }
    return 0;
}

static bool isWord(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
           c == '|' || c == '-';
}

// Digits of a whole number, which doubles would round
static int64_t wholeAt(const char* text, size_t length)
{
    bool minus = length > 0 && text[0] == '-';
    uint64_t whole = 0;
    for (size_t i = minus; i < length && text[i] >= '0' && text[i] <= '9'; ++i) {
        whole = 10 * whole + (uint64_t)(text[i] - '0');
    }
    return (int64_t)(minus ? 0 - whole : whole);
}

// *N { a: 1,2,3 }
static snStatus readTextArray(Reader* r, snFbxValue* v)
{
    double count = 0;
    ++r->at;
    r->at += snNumber_Parse((const char*)r->bytes + r->at, r->end - r->at, &count);
    bool fine = count >= 0 && count <= (double)(r->end - r->at) && look(r, true) == '{';
    r->at += fine;
    fine = fine && look(r, true) == 'a';
    r->at += fine;
    fine = fine && look(r, true) == ':';
    r->at += fine;
    size_t begin = r->at;
    while (fine && r->at < r->end && r->bytes[r->at] != '}') {
        ++r->at;
    }
    if (!fine || r->at >= r->end) {
        return failHere(r, "an array of another form than '*N { a: 1,2,3 }'");
    }
    *v = (snFbxValue){.kind = sn_fbxArray,
                      .type = 't',
                      .bytes = (const char*)r->bytes + begin,
                      .size = r->at - begin,
                      .count = (size_t)count};
    ++r->at;
    return sn_ok;
}

static snStatus readTextValue(Reader* r, snFbxValue* v)
{
    const char* text = (const char*)r->bytes + r->at;
    size_t left = r->end - r->at;
    if (left == 0) {
        return failHere(r, "a value is expected here");
    }
    if (*text == '*') {
        return readTextArray(r, v);
    }
    if (*text == '"') {
        const char* end = memchr(text + 1, '"', left - 1);
        if (!end) {
            return failHere(r, "a text does not end");
        }
        *v = (snFbxValue){.kind = sn_fbxText, .bytes = text + 1, .size = (size_t)(end - text) - 1};
        r->at += v->size + 2;
        return sn_ok;
    }
    double number;
    size_t length = snNumber_Parse(text, left, &number);
    if (length) {
        *v = (snFbxValue){.kind = sn_fbxNumber, .number = number, .integer = wholeAt(text, length)};
    } else {
        while (length < left && (isWord(text[length]) || text[length] == '.')) {
            ++length;
        }
        *v = (snFbxValue){.kind = sn_fbxText, .bytes = text, .size = length};
    }
    r->at += length;
    return length ? sn_ok : failHere(r, "a value is expected here");
}

// Name: value, value { records }
static snStatus readTextRecord(Reader* r, int depth, snFbxRecord** out)
{
    snFbxValue values[MOST_VALUES], extra;
    size_t begin = r->at, count = 0;
    snStatus status = sn_ok;
    while (r->at < r->end && isWord((char)r->bytes[r->at])) {
        ++r->at;
    }
    const char* name = snArena_String(r->arena, (const char*)r->bytes + begin, r->at - begin);
    if (r->at == begin || r->at >= r->end || r->bytes[r->at] != ':' || depth > MOST_DEPTH) {
        return failHere(r, depth > MOST_DEPTH ? "records lie too deep in others"
                                              : "'Name:' is expected here");
    }
    ++r->at;
    char c = look(r, false);
    for (bool more = c && c != '\n' && c != '{' && c != '}'; more && !status; more = c == ',') {
        r->at += c == ',';
        look(r, true);
        status = readTextValue(r, count < MOST_VALUES ? &values[count] : &extra);
        count += count < MOST_VALUES;
        c = look(r, false);
    }
    snFbxRecord* record = snArena_Push(r->arena, 1, sizeof *record);
    snFbxValue* list = snArena_Push(r->arena, count, sizeof *list);
    if (status || !record || !list || !name) {
        return status ? status : snFail(r->why, sn_errorMemory, "out of memory");
    }
    memcpy(list, values, count * sizeof *list);
    *record = (snFbxRecord){.name = name, .value_count = count, .values = list};
    *out = record;
    if (look(r, false) != '{') {
        return sn_ok;
    }
    ++r->at;
    snFbxRecord** last = &record->child;
    while (!status && (c = look(r, true)) != '}') {
        status = c ? readTextRecord(r, depth + 1, last) : failHere(r, "a '}' is missing");
        last = *last ? &(*last)->next : last;
    }
    r->at += !status;
    return status;
}

// All ------------------------------------------------------------------------------

snStatus snFbx_Parse(snArena* arena, const uint8_t* bytes, size_t count, const snFbxRecord** root,
                     snMessage* why)
{
    Reader r = {.arena = arena,
                .bytes = bytes,
                .end = count,
                .wide = snFbx_Version(bytes, count) >= 7500,
                .why = why};
    snFbxRecord* top = snArena_Push(arena, 1, sizeof *top);
    snStatus status = sn_ok;
    *root = top;
    if (!top) {
        (void)snFail(why, sn_errorMemory, "out of memory");
        return sn_errorMemory; // so that the analyser sees it
    }
    if (isBinary(bytes, count)) {
        r.at = HEAD_BYTES;
        status = readRecords(&r, count, 0, top);
    } else {
        snFbxRecord** last = &top->child;
        while (!status && look(&r, true)) {
            status = readTextRecord(&r, 0, last);
            last = *last ? &(*last)->next : last;
        }
    }
    return status;
}

const snFbxRecord* snFbx_Child(const snFbxRecord* record, const char* name)
{
    const snFbxRecord* c = record ? record->child : NULL;
    while (c && strcmp(c->name, name) != 0) {
        c = c->next;
    }
    return c;
}

bool snFbxValue_Is(const snFbxRecord* record, size_t value, const char* text)
{
    const snFbxValue* v = value < record->value_count ? &record->values[value] : NULL;
    return v && v->kind == sn_fbxText && v->size == strlen(text) &&
           memcmp(v->bytes, text, v->size) == 0;
}

static bool readNumbersText(const snFbxValue* v, double* out)
{
    size_t at = 0;
    for (size_t i = 0; i < v->count; ++i) {
        while (at < v->size && (strchr(" \t\r\n", v->bytes[at]) || (i && v->bytes[at] == ','))) {
            ++at;
        }
        size_t length = snNumber_Parse(v->bytes + at, v->size - at, &out[i]);
        if (!length) {
            return false;
        }
        at += length;
    }
    return true;
}

// The bytes of an array, unpacked; NULL when they are damaged, or memory runs out
static const uint8_t* unpack(snArena* arena, const snFbxValue* v, size_t size)
{
    if (!v->packed) {
        return v->size == size ? (const uint8_t*)v->bytes : NULL;
    }
#ifdef SN_HAVE_ASSIMP
    uLongf made = (uLongf)size;
    uint8_t* out = size / MOST_PACKING <= v->size ? snArena_Push(arena, size, 1) : NULL;
    bool fine = out && uncompress(out, &made, (const Bytef*)v->bytes, (uLong)v->size) == Z_OK;
    return fine && made == size ? out : NULL;
#else
    (void)arena;
    return NULL;
#endif
}

bool snFbx_Numbers(snArena* arena, const snFbxRecord* record, const char* name, double** out,
                   size_t* count)
{
    const snFbxRecord* child = snFbx_Child(record, name);
    const snFbxValue* v = child && child->value_count ? child->values : NULL;
    bool there = v && v->kind == sn_fbxArray;
    *count = there ? v->count : 0;
    if (!there) {
        return true;
    }
    if (v->type == 't') {
        *out = snArena_Push(arena, v->count, sizeof **out);
        return *out && readNumbersText(v, *out);
    }
    size_t step = (size_t)sizeOf(v->type), size;
    const uint8_t* bytes = snSizeMul(v->count, step, &size) ? unpack(arena, v, size) : NULL;
    *out = bytes ? snArena_Push(arena, v->count, sizeof **out) : NULL;
    for (size_t i = 0; *out && i < v->count; ++i) {
        int64_t whole;
        (*out)[i] = numberAt(bytes + i * step, v->type, &whole);
    }
    return *out != NULL;
}
