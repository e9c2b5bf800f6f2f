// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

#include <assert.h>
#include <stdio.h>
#include <string.h>

#include "base/json.h"
#include "base/message.h"
#include "base/utf8.h"

// The buffer starts at this size and doubles.
#define FIRST_CAPACITY ((size_t)1 << 10)

void snJsonWriter_Init(snJsonWriter* writer, const snHost* host, int indent)
{
    *writer = (snJsonWriter){.indent = indent};
    if (host) {
        writer->host = *host;
    } else {
        snHost_Init(&writer->host);
    }
}

void snJsonWriter_Free(snJsonWriter* writer)
{
    snHost_Release(&writer->host, writer->text, writer->capacity);
    *writer = (snJsonWriter){.text = NULL};
}

// Room for more bytes and a 0; NULL when the writer has failed
static char* reserve(snJsonWriter* w, size_t more)
{
    size_t needed;
    if (w->failed || !snSizeAdd(w->length, more, &needed) || !snSizeAdd(needed, 1, &needed)) {
        w->failed = true;
        return NULL;
    }
    if (needed > w->capacity) {
        size_t capacity = w->capacity == 0 ? FIRST_CAPACITY : w->capacity;
        while (capacity < needed) {
            capacity = capacity > SIZE_MAX / 2 ? needed : capacity * 2;
        }
        char* grown = snHost_Allocate(&w->host, capacity);
        if (!grown) {
            w->failed = true;
            return NULL;
        }
        if (w->text) {
            memcpy(grown, w->text, w->length + 1);
        }
        snHost_Release(&w->host, w->text, w->capacity);
        w->text = grown;
        w->capacity = capacity;
    }
    return w->text + w->length;
}

static void put(snJsonWriter* w, const char* bytes, size_t count)
{
    char* at = reserve(w, count);
    if (at) {
        memcpy(at, bytes, count);
        at[count] = 0;
        w->length += count;
    }
}

static void newLine(snJsonWriter* w)
{
    size_t spaces = (size_t)w->depth * (size_t)w->indent;
    char* at = reserve(w, spaces + 1);
    if (at) {
        at[0] = '\n';
        memset(at + 1, ' ', spaces);
        at[spaces + 1] = 0;
        w->length += spaces + 1;
    }
}

// The comma and the line break before a child
static void separate(snJsonWriter* w, bool own_line)
{
    bool started = w->levels[w->depth].started;
    w->levels[w->depth].started = true;
    if (started) {
        put(w, ",", 1);
    }
    if (w->indent > 0 && w->depth > 0) {
        if (own_line) {
            w->levels[w->depth].broken = true;
            newLine(w);
        } else if (started) {
            put(w, " ", 1);
        }
    }
}

static void beginValue(snJsonWriter* w, bool own_line)
{
    if (w->failed) {
        return;
    }
    if (w->levels[w->depth].object) {
        assert(w->has_key);
        w->has_key = false;
    } else {
        assert(w->depth > 0 || !w->levels[0].started);
        separate(w, own_line);
    }
}

static void begin(snJsonWriter* w, bool object)
{
    beginValue(w, true);
    if (!w->failed && w->depth == SN_JSON_DEPTH) {
        w->failed = true;
        w->too_deep = true;
    }
    if (w->failed) {
        return;
    }
    put(w, object ? "{" : "[", 1);
    w->depth += 1;
    w->levels[w->depth].object = object;
    w->levels[w->depth].started = false;
    w->levels[w->depth].broken = false;
}

static void end(snJsonWriter* w, bool object)
{
    if (w->failed) {
        return;
    }
    assert(w->depth > 0 && w->levels[w->depth].object == object && !w->has_key);
    bool broken = w->levels[w->depth].broken;
    w->depth -= 1;
    if (broken) {
        newLine(w);
    }
    put(w, object ? "}" : "]", 1);
}

// The text between quotes: runs of bytes that stand for themselves, escapes between them
static void putQuoted(snJsonWriter* w, const char* text, size_t length)
{
    put(w, "\"", 1);
    const char* last = text + length;
    const char* run = text;
    while (run < last) {
        const char* at = run;
        size_t bytes = 1;
        while (at < last && (unsigned char)*at >= 0x20 && *at != '"' && *at != '\\' &&
               (bytes = snUtf8_Length(at, last)) > 0) {
            at += bytes;
        }
        put(w, run, (size_t)(at - run));
        if (at == last) {
            break;
        }
        char escape[8];
        if (bytes == 0) {
            put(w, "\xEF\xBF\xBD", 3);
        } else if (*at == '"' || *at == '\\') {
            put(w, (const char[]){'\\', *at}, 2);
        } else if (*at == '\n') {
            put(w, "\\n", 2);
        } else {
            put(w, escape, (size_t)snprintf(escape, sizeof(escape), "\\u%04x", (unsigned)*at));
        }
        run = at + 1;
    }
    put(w, "\"", 1);
}

static void putScalar(snJsonWriter* w, const char* text, size_t length)
{
    beginValue(w, false);
    put(w, text, length);
}

snStatus snJsonWriter_Finish(snJsonWriter* writer, snMessage* why)
{
    if (writer->too_deep) {
        return snFail(why, sn_errorUnsupported, "JSON nested deeper than %d levels", SN_JSON_DEPTH);
    }
    assert(writer->failed || (writer->depth == 0 && writer->levels[0].started));
    if (writer->indent > 0) {
        put(writer, "\n", 1);
    }
    if (writer->failed) {
        return snFail(why, sn_errorMemory, "out of memory while writing JSON");
    }
    snMessage_Clear(why);
    return sn_ok;
}

void snJsonWriter_BeginObject(snJsonWriter* writer)
{
    begin(writer, true);
}

void snJsonWriter_EndObject(snJsonWriter* writer)
{
    end(writer, true);
}

void snJsonWriter_BeginArray(snJsonWriter* writer)
{
    begin(writer, false);
}

void snJsonWriter_EndArray(snJsonWriter* writer)
{
    end(writer, false);
}

void snJsonWriter_Key(snJsonWriter* writer, const char* key)
{
    if (writer->failed) {
        return;
    }
    assert(writer->levels[writer->depth].object && !writer->has_key);
    separate(writer, true);
    putQuoted(writer, key, strlen(key));
    put(writer, ": ", writer->indent > 0 ? 2 : 1);
    writer->has_key = true;
}

void snJsonWriter_String(snJsonWriter* writer, const char* text)
{
    snJsonWriter_Bytes(writer, text, strlen(text));
}

void snJsonWriter_Bytes(snJsonWriter* writer, const char* text, size_t length)
{
    beginValue(writer, true);
    putQuoted(writer, text, length);
}

void snJsonWriter_Number(snJsonWriter* writer, double value)
{
    char text[SN_NUMBER_SIZE];
    putScalar(writer, text, snNumber_Print(value, text));
}

void snJsonWriter_NumberFloat(snJsonWriter* writer, float value)
{
    char text[SN_NUMBER_SIZE];
    putScalar(writer, text, snNumber_PrintFloat(value, text));
}

void snJsonWriter_Int(snJsonWriter* writer, int64_t value)
{
    char text[SN_NUMBER_SIZE];
    putScalar(writer, text, (size_t)snprintf(text, sizeof(text), "%lld", (long long)value));
}

void snJsonWriter_Bool(snJsonWriter* writer, bool value)
{
    putScalar(writer, value ? "true" : "false", value ? 4 : 5);
}

void snJsonWriter_Null(snJsonWriter* writer)
{
    putScalar(writer, "null", 4);
}

void snJsonWriter_Raw(snJsonWriter* writer, const char* text, size_t length)
{
    beginValue(writer, true);
    put(writer, text, length);
}
