// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

// A body's def as JSON: {"softness": 4, "rigid": ["*armour*"]}
#include <sinew/body.h>
#include <string.h>

#include "base/file.h"
#include "character/body.h"
#include "io/scene/field.h"

#define LARGEST_FILE ((size_t)1 << 20)
#define LONGEST_PATTERN 255
#define MOST_PATTERNS 1000
#define MOST_FIELDS 24

struct snBodyFile {
    snHost host;
    snArena arena; // patterns
    snBodyDef def;
};

// The controls' table as fields, after those that are no numbers. named: the shape has a name.
static size_t listFields(snField* fields, bool named)
{
    size_t count = 0;
    fields[count++] = (snField){.key = "quality",
                                .kind = sn_fieldWord,
                                .offset = offsetof(snBodyDef, quality),
                                .name = snQuality_Name};
    fields[count++] = (snField){.key = "soft"};
    fields[count++] = (snField){.key = "rigid"};
    fields[count++] = (snField){.key = "paint",
                                .kind = sn_fieldText,
                                .offset = offsetof(snBodyDef, paint),
                                .hi = LONGEST_PATTERN};
    for (const snBodyControl* c = snBodyControls(); c->name && count < MOST_FIELDS; ++c) {
        bool other = named && c->offset == offsetof(snBodyDef, shape);
        fields[count++] = (snField){.key = c->name,
                                    .kind = other ? sn_fieldOther : sn_fieldNumber,
                                    .offset = c->offset,
                                    .lo = c->low,
                                    .hi = c->high,
                                    .unit = c->unit[0] ? c->unit : NULL};
    }
    return count;
}

static snStatus readPatterns(snSceneReader* r, const snJson* root, const char* key, snArena* keep,
                             const char* const** patterns, int32_t* count)
{
    const snJson* node = snJson_Get(root, key);
    snStatus status = node ? snField_Array(r, node, 0, MOST_PATTERNS) : sn_ok;
    if (status || !node) {
        return status;
    }
    const char** out = snArena_Push(keep, node->count, sizeof *out);
    *patterns = out;
    for (const snJson* m = node->child; m && !status; m = m->next) {
        const char* text = NULL;
        status = snField_Text(r, m, LONGEST_PATTERN, &text);
        if (!status && out) {
            out[(*count)++] = snArena_String(keep, text, m->string_length);
        }
    }
    return status ? status : keep->failed ? snFailMemory(r) : sn_ok;
}

static const snJson* namedShape(const snJson* root)
{
    const snJson* node = root->kind == sn_jsonObject ? snJson_Get(root, "shape") : NULL;
    return node && node->kind == sn_jsonString ? node : NULL;
}

// Ends of its range have names.
static snStatus readShape(snSceneReader* r, const snJson* node, snBodyDef* def)
{
    bool elastic = node && strcmp(node->string, "elastic") == 0;
    if (node && !elastic && strcmp(node->string, "skinned") != 0) {
        return snFailFound(r, node, "shape", "\"skinned\", \"elastic\" or a number from 0 to 1");
    }
    def->shape = elastic ? 1 : def->shape;
    return sn_ok;
}

static snStatus readDef(snSceneReader* r, const char* text, size_t length, snBodyFile* file)
{
    snField list[MOST_FIELDS];
    snFields fields = {"a body", list, 0};
    const snJson *root = NULL, *shape = NULL;
    snStatus status = snJson_Parse(&r->arena, text, length, &root, &r->why);
    if (!status) {
        shape = namedShape(root);
        fields.count = listFields(list, shape != NULL);
        status = snFields_Read(r, root, &fields, &file->def);
    }
    status = status ? status : readShape(r, shape, &file->def);
    status = status ? status
                    : readPatterns(r, root, "soft", &file->arena, &file->def.soft,
                                   &file->def.soft_count);
    status = status ? status
                    : readPatterns(r, root, "rigid", &file->arena, &file->def.rigid,
                                   &file->def.rigid_count);
    if (!status && file->def.paint) { // until now in the tree
        file->def.paint = snArena_String(&file->arena, file->def.paint, strlen(file->def.paint));
        status = file->def.paint ? sn_ok : snFailMemory(r);
    }
    return status;
}

snStatus snBodyFile_Parse(const snHost* host, const char* text, size_t length, const char* name,
                          snBodyFile** out, snMessage* why)
{
    if (!text || !out) {
        return snFail(why, sn_errorArgument, "text and file must not be NULL");
    }
    *out = NULL;
    snSceneReader r = {0};
    snStatus status = snHost_Take(host, &r.host, why);
    snBodyFile* file = status ? NULL : snHost_Allocate(&r.host, sizeof *file);
    if (!file) {
        return status ? status : snFail(why, sn_errorMemory, "out of memory");
    }
    file->host = r.host;
    snArena_Init(&file->arena, &r.host);
    snArena_Init(&r.arena, &r.host);
    snBodyDef_Init(&file->def);
    status = readDef(&r, text, length, file);
    snArena_Free(&r.arena);
    if (status) {
        snFail(why, status, "%.300s: %.700s", name ? name : "body", r.why.text);
        snBodyFile_Free(file);
        return status;
    }
    *out = file;
    snMessage_Clear(why);
    return sn_ok;
}

snStatus snBodyFile_Load(const snHost* host, const char* path, snBodyFile** out, snMessage* why)
{
    if (!path || !out) {
        return snFail(why, sn_errorArgument, "path and file must not be NULL");
    }
    *out = NULL;
    snHost taken;
    uint8_t* bytes = NULL;
    size_t count = 0;
    snStatus status = snHost_Take(host, &taken, why);
    status = status ? status : snFile_Read(&taken, path, LARGEST_FILE, &bytes, &count, why);
    if (!status) {
        status = snBodyFile_Parse(&taken, (const char*)bytes, count, path, out, why);
        snHost_Release(&taken, bytes, count + 1);
    }
    return status;
}

const snBodyDef* snBodyFile_Def(const snBodyFile* file)
{
    return file ? &file->def : NULL;
}

void snBodyFile_Free(snBodyFile* file)
{
    if (file) {
        snHost host = file->host;
        snArena_Free(&file->arena);
        snHost_Release(&host, file, sizeof *file);
    }
}

// Writing --------------------------------------------------------------------------

static void writePatterns(snJsonWriter* w, const char* key, const char* const* patterns,
                          int32_t count)
{
    snJsonWriter_Key(w, key);
    snJsonWriter_BeginArray(w);
    for (int32_t i = 0; i < count; ++i) {
        snJsonWriter_String(w, patterns[i]);
    }
    snJsonWriter_EndArray(w);
}

// Numbers that the library finds itself are left out.
static void writeDef(snJsonWriter* w, const snBodyDef* def)
{
    snBodyDef copy = *def;
    snJsonWriter_BeginObject(w);
    for (const snBodyControl* c = snBodyControls(); c->name; ++c) {
        double value = *snBodyDef_Number(&copy, c);
        if (value >= c->low && value <= c->high) {
            snJsonWriter_Key(w, c->name);
            snJsonWriter_Number(w, value);
        }
    }
    snJsonWriter_Key(w, "quality");
    snJsonWriter_String(w, snQuality_Name(def->quality));
    writePatterns(w, "soft", def->soft, def->soft_count);
    writePatterns(w, "rigid", def->rigid, def->rigid_count);
    if (def->paint) {
        snJsonWriter_Key(w, "paint");
        snJsonWriter_String(w, def->paint);
    }
    snJsonWriter_EndObject(w);
}

snStatus snBodyDef_Save(const snBodyDef* def, const char* path, snMessage* why)
{
    if (!def || !path) {
        return snFail(why, sn_errorArgument, "def and path must not be NULL");
    }
    snStatus status = snBodyDef_Check(def, why);
    if (status) {
        return status;
    }
    snJsonWriter w;
    snJsonWriter_Init(&w, NULL, 2);
    writeDef(&w, def);
    status = snJsonWriter_Finish(&w, why);
    if (!status) {
        snFileWriter file;
        status = snFileWriter_Open(&file, path, why);
        if (!status) {
            snFileWriter_Write(&file, w.text, w.length);
            status = snFileWriter_Close(&file, why);
        }
    }
    snJsonWriter_Free(&w);
    return status;
}
