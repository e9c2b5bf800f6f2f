// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

#include "io/scene/field.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/utf8.h"
#include "math/vec.h"

// Longer names help nobody and do not fit a message.
#define LONGEST_NAME 255
#define LONGEST_PATH 3000

// More words than any list of names has.
#define MOST_WORDS 16

snStatus snFailAt(snSceneReader* r, const snJson* at, const char* format, ...)
{
    char text[SN_MESSAGE_SIZE];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    return snFail(&r->why, sn_errorFile, "line %u, column %u: %s", (unsigned)at->line,
                  (unsigned)at->column, text);
}

snStatus snWrapAt(snSceneReader* r, const snJson* at, snStatus status)
{
    if (status) {
        snMessage_Prefix(&r->why, "line %u, column %u", (unsigned)at->line, (unsigned)at->column);
    }
    return status == sn_errorArgument ? sn_errorFile : status;
}

snStatus snFailMemory(snSceneReader* r)
{
    return snFail(&r->why, sn_errorMemory, "out of memory while reading the scene");
}

snQuoted snQuote(const char* text)
{
    snQuoted out = {{0}};
    const char* end = text + strlen(text);
    size_t used = 0;
    while (text < end) {
        size_t bytes = snUtf8_Length(text, end);
        unsigned char c = (unsigned char)*text;
        if (used + (bytes ? bytes : 1) > 60) {
            memcpy(out.text + used, "...", 4);
            break;
        }
        if (bytes == 0 || c < 0x20 || c == 0x7F) {
            out.text[used++] = '?';
            text += 1;
        } else {
            memcpy(out.text + used, text, bytes);
            used += bytes;
            text += bytes;
        }
    }
    return out;
}

snHint snHint_For(const char* word, const char* const* candidates, size_t count)
{
    snHint hint = {{0}};
    const char* near = snSuggest(word, candidates, count);
    if (near) {
        snprintf(hint.text, sizeof hint.text, " did you mean \"%s\"?", snQuote(near).text);
    }
    return hint;
}

snHint snHint_ForList(const char* word, const char* const* candidates)
{
    size_t count = 0;
    while (candidates && candidates[count]) {
        ++count;
    }
    return snHint_For(word, candidates, count);
}

static const char* numberText(double value, char out[SN_NUMBER_SIZE])
{
    snNumber_Print(value, out);
    return out;
}

// "X is" with what was found
static void describe(const snJson* node, char* out, size_t size)
{
    char number[SN_NUMBER_SIZE];
    if (node->kind == sn_jsonNumber) {
        snprintf(out, size, "%s", numberText(node->number, number));
    } else if (node->kind == sn_jsonString) {
        snprintf(out, size, "\"%s\"", snQuote(node->string).text);
    } else if (node->kind == sn_jsonBool) {
        snprintf(out, size, "%s", node->boolean ? "true" : "false");
    } else if (node->kind == sn_jsonArray) {
        snprintf(out, size, "an array of %zu", node->count);
    } else {
        snprintf(out, size, "%s", node->kind == sn_jsonNull ? "null" : "an object");
    }
}

snStatus snFailFound(snSceneReader* r, const snJson* node, const char* what, const char* wanted)
{
    char found[80];
    describe(node, found, sizeof found);
    if (node->key) {
        return snFailAt(r, node, "\"%s\" is %s; give %s", snQuote(node->key).text, found, wanted);
    }
    return snFailAt(r, node, "%s is %s; give %s", what, found, wanted);
}

// "a number from 0 to 5 m"
static void describeRange(const snField* field, char* out, size_t size)
{
    char lo[SN_NUMBER_SIZE], hi[SN_NUMBER_SIZE];
    numberText(field->lo, lo);
    numberText(field->hi, hi);
    const char* unit = field->unit ? field->unit : "";
    const char* gap = field->unit ? " " : "";
    if (field->kind == sn_fieldPositive) {
        snprintf(out, size, "above 0 and up to %s%s%s", hi, gap, unit);
    } else {
        snprintf(out, size, "from %s to %s%s%s", lo, hi, gap, unit);
    }
}

// `"a", "b", "c"`
static void listWords(const char* const* words, size_t count, char* out, size_t size)
{
    size_t used = 0;
    for (size_t i = 0; i < count && used < size; ++i) {
        used += (size_t)snprintf(out + used, size - used, "%s\"%s\"", i ? ", " : "", words[i]);
    }
}

static snStatus failUnknown(snSceneReader* r, const snJson* member, const snFields* fields)
{
    const char* keys[32] = {NULL};
    size_t count = fields->count < 32 ? fields->count : 32;
    for (size_t i = 0; i < count; ++i) {
        keys[i] = fields->fields[i].key;
    }
    snHint hint = snHint_For(member->key, keys, count);
    char list[512];
    listWords(keys, count, list, sizeof list);
    return snFailAt(r, member, "%s has no key \"%s\";%s%s", fields->what, snQuote(member->key).text,
                    hint.text[0] ? hint.text : " its keys are ", hint.text[0] ? "" : list);
}

static const snField* findField(const snFields* fields, const char* key)
{
    for (size_t i = 0; i < fields->count; ++i) {
        if (strcmp(fields->fields[i].key, key) == 0) {
            return &fields->fields[i];
        }
    }
    return NULL;
}

snStatus snFields_Check(snSceneReader* r, const snJson* object, const snFields* fields)
{
    if (object->kind != sn_jsonObject) {
        return snFailFound(r, object, fields->what, "an object: {\"key\": value, ...}");
    }
    for (const snJson* m = object->child; m; m = m->next) {
        if (!findField(fields, m->key)) {
            return failUnknown(r, m, fields);
        }
    }
    return sn_ok;
}

snStatus snFields_CheckUse(snSceneReader* r, const snJson* object, const snFields* fields,
                           int32_t type, const char* name)
{
    for (const snJson* m = object->child; m; m = m->next) {
        const snField* field = findField(fields, m->key);
        if (field && field->only && !(field->only >> type & 1)) {
            return snFailAt(r, m, "\"%s\" does not go with %s; remove it", m->key, name);
        }
    }
    return sn_ok;
}

snStatus snFields_Require(snSceneReader* r, const snJson* object, const snFields* fields,
                          const char* key, const snJson** member)
{
    *member = snJson_Get(object, key);
    return *member ? sn_ok : snFailAt(r, object, "%s must have \"%s\"; add it", fields->what, key);
}

static bool inRange(const snJson* node, const snField* field)
{
    double x = node->number;
    return node->kind == sn_jsonNumber && x <= field->hi &&
           (field->kind == sn_fieldPositive ? x > 0 : x >= field->lo);
}

// In the library's units
static double convert(const snJson* node, const snField* field)
{
    return field->degrees ? node->number * (SN_PI / 180) : node->number;
}

snStatus snField_Number(snSceneReader* r, const snJson* node, const snField* field, double* out)
{
    if (!inRange(node, field)) {
        char range[100], wanted[120], what[80];
        describeRange(field, range, sizeof range);
        snprintf(wanted, sizeof wanted, "a number %s", range);
        snprintf(what, sizeof what, "an entry of \"%s\"", field->key);
        return snFailFound(r, node, what, wanted);
    }
    *out = convert(node, field);
    return sn_ok;
}

snStatus snField_Numbers(snSceneReader* r, const snJson* node, const snField* field, size_t count,
                         double* out)
{
    if (node->kind != sn_jsonArray || node->count != count) {
        char range[100], wanted[160], what[80];
        describeRange(field, range, sizeof range);
        snprintf(wanted, sizeof wanted, "an array of %zu number%s %s", count,
                 count == 1 ? "" : "s, each", range);
        snprintf(what, sizeof what, "an entry of \"%s\"", field->key);
        return snFailFound(r, node, what, wanted);
    }
    for (const snJson* m = node->child; m; m = m->next) {
        snStatus status = snField_Number(r, m, field, out++);
        if (status) {
            return status;
        }
    }
    return sn_ok;
}

static snStatus readVector(snSceneReader* r, const snJson* node, const snField* field, snVec3* out)
{
    double v[3] = {0, 0, 0};
    snStatus status = snField_Numbers(r, node, field, 3, v);
    if (!status) {
        *out = snV3(v[0], v[1], v[2]);
    }
    return status;
}

static snStatus readWord(snSceneReader* r, const snJson* node, const snField* field, int32_t* out)
{
    const char* words[MOST_WORDS] = {NULL};
    int32_t count = 0;
    for (const char* word; count < MOST_WORDS && (word = field->name(count)); ++count) {
        words[count] = word;
        if (node->kind == sn_jsonString && strcmp(node->string, word) == 0 &&
            strlen(word) == node->string_length) {
            *out = count;
            return sn_ok;
        }
    }
    char list[256], wanted[512];
    listWords(words, (size_t)count, list, sizeof list);
    snHint hint = {{0}};
    if (node->kind == sn_jsonString) {
        hint = snHint_For(node->string, words, (size_t)count);
    }
    snprintf(wanted, sizeof wanted, "one of %s%s%s", list, hint.text[0] ? ";" : "", hint.text);
    return snFailFound(r, node, field->key, wanted);
}

static snStatus readSwitch(snSceneReader* r, const snJson* node, const snField* field, int32_t* out)
{
    if (node->kind != sn_jsonBool) {
        return snFailFound(r, node, field->key, "true or false");
    }
    *out = node->boolean;
    return sn_ok;
}

static snStatus readCount(snSceneReader* r, const snJson* node, const snField* field, int32_t* out)
{
    if (!inRange(node, field) || node->number != floor(node->number)) {
        char range[100], wanted[120];
        describeRange(field, range, sizeof range);
        snprintf(wanted, sizeof wanted, "a whole number %s", range);
        return snFailFound(r, node, field->key, wanted);
    }
    *out = (int32_t)node->number;
    return sn_ok;
}

static snStatus readField(snSceneReader* r, const snJson* node, const snField* field, void* target)
{
    void* out = (char*)target + field->offset;
    switch (field->kind) {
    case sn_fieldNumber:
    case sn_fieldPositive:
        return snField_Number(r, node, field, out);
    case sn_fieldCount:
        return readCount(r, node, field, out);
    case sn_fieldVector:
        return readVector(r, node, field, out);
    case sn_fieldWord:
        return readWord(r, node, field, out);
    case sn_fieldSwitch:
        return readSwitch(r, node, field, out);
    case sn_fieldText:
        return snField_Text(r, node, (size_t)field->hi, out);
    case sn_fieldOther:
        break;
    }
    return sn_ok;
}

snStatus snFields_Read(snSceneReader* r, const snJson* object, const snFields* fields, void* target)
{
    snStatus status = snFields_Check(r, object, fields);
    for (const snJson* m = object->child; m && !status; m = m->next) {
        status = readField(r, m, findField(fields, m->key), target);
    }
    return status;
}

static bool isPlain(const snJson* node)
{
    for (size_t i = 0; i < node->string_length; ++i) {
        unsigned char c = (unsigned char)node->string[i];
        if (c < 0x20 || c == 0x7F) {
            return false;
        }
    }
    return true;
}

static bool isText(const snJson* node, size_t longest)
{
    return node->kind == sn_jsonString && node->string_length >= 1 &&
           node->string_length <= longest && isPlain(node);
}

snStatus snField_Text(snSceneReader* r, const snJson* node, size_t longest, const char** out)
{
    if (!isText(node, longest)) {
        char wanted[80];
        snprintf(wanted, sizeof wanted, "a text of 1 to %zu bytes without control characters",
                 longest);
        return snFailFound(r, node, "a name", wanted);
    }
    *out = node->string;
    return sn_ok;
}

snStatus snField_Name(snSceneReader* r, const snJson* node, const char** out)
{
    return snField_Text(r, node, LONGEST_NAME, out);
}

snStatus snField_File(snSceneReader* r, const snJson* node, const char* instead, const char** out)
{
    if (!isText(node, LONGEST_PATH)) {
        return snFailFound(r, node, "a path",
                           "the path of a file, of 1 to 3000 bytes without control characters");
    }
    if (!r->folder) {
        return snFailAt(r, node,
                        "\"%s\" names a file, and a scene that is not a file itself reads none; "
                        "save the scene to a file, or %s in the program",
                        node->key, instead);
    }
    const char* folder = node->string[0] == '/' ? "" : r->folder;
    size_t size = strlen(folder) + node->string_length + 1;
    char* joined = snArena_Push(&r->arena, size, 1);
    if (!joined) {
        return snFailMemory(r);
    }
    snprintf(joined, size, "%s%s", folder, node->string);
    *out = joined;
    return sn_ok;
}

snStatus snField_Array(snSceneReader* r, const snJson* node, size_t lo, size_t hi)
{
    if (node->kind != sn_jsonArray || node->count < lo || node->count > hi) {
        char wanted[80];
        snprintf(wanted, sizeof wanted, "an array of %zu to %zu entries", lo, hi);
        return snFailFound(r, node, "an entry", wanted);
    }
    return sn_ok;
}
