// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

#include "cli/setting.h"

#include <string.h>

bool isMethodGiven(const MethodOptions* options)
{
    return options->name || options->set.count > 0;
}

static int applySetting(const char* word, snScene* scene)
{
    snMessage why;
    char name[64];
    const char* equals = strchr(word, '=');
    size_t length = equals ? (size_t)(equals - word) : 0;
    if (length == 0 || length >= sizeof name) {
        return complain(EXIT_BAD_CALL, "--set takes NAME=VALUE, found '%s'", word);
    }
    memcpy(name, word, length);
    name[length] = 0;
    return snScene_Set(scene, NULL, name, equals + 1, &why)
               ? complain(EXIT_BAD_CALL, "--set %s: %s", word, why.text)
               : EXIT_DONE;
}

int applyMethod(const MethodOptions* options, snScene* scene)
{
    snMessage why;
    snSceneDef def = *snScene_Def(scene);
    def.method = options->name ? options->name : def.method;
    if (options->name && snScene_SetDef(scene, &def, &why)) {
        return complain(EXIT_BAD_CALL, "--method: %s", why.text);
    }
    int code = EXIT_DONE;
    for (int32_t i = 0; i < options->set.count && !code; ++i) {
        code = applySetting(options->set.at[i], scene);
    }
    return code;
}

bool isSetting(const char* name)
{
    for (int32_t m = 0; snMethod_Name(m); ++m) {
        const snSetting* s;
        for (int32_t i = 0; (s = snMethod_Setting(snMethod_Name(m), i)); ++i) {
            if (strcmp(s->name, name) == 0) {
                return true;
            }
        }
    }
    return false;
}

void printTakes(FILE* out, const snSetting* s)
{
    if (s->kind == sn_settingChoice) {
        for (const char* c = s->choices; *c; ++c) {
            const char* gap = strchr(c + 1, '|') ? ", " : " or ";
            *c == '|' ? fputs(gap, out) : fputc(*c, out);
        }
    } else if (s->kind == sn_settingFlag) {
        fprintf(out, "true or false");
    } else {
        fprintf(out, "%g..%g%s%s", s->low, s->high, s->unit[0] ? " " : "", s->unit);
    }
    fprintf(out, "; otherwise %s", s->preset);
}

// A text in lines of at most `width` letters, each after `indent` blanks.
static void printWrapped(FILE* out, const char* text, int indent, size_t width)
{
    while (*text) {
        size_t length = strlen(text), end = length;
        if (length > width) {
            for (end = width; end > 0 && text[end] != ' '; --end) {
            }
            end = end ? end : width;
        }
        fprintf(out, "%*s%.*s\n", indent, "", (int)end, text);
        text += end + (text[end] == ' ');
    }
}

void printSettings(FILE* out)
{
    for (int32_t m = 0; snMethod_Name(m); ++m) {
        const snSetting* s = snMethod_Setting(snMethod_Name(m), 0);
        fprintf(out, "\nSettings of the method %s%s\n", snMethod_Name(m),
                s ? ", for --set:" : ": none");
        for (int32_t i = 0; (s = snMethod_Setting(snMethod_Name(m), i)); ++i) {
            fprintf(out, "  %-17s ", s->name);
            printTakes(out, s);
            fprintf(out, "\n");
            printWrapped(out, s->about, 20, 76);
        }
    }
}

void printChosen(FILE* out, const snScene* scene)
{
    const char* method = snScene_Def(scene)->method;
    const snSetting* s;
    int count = 0;
    for (int32_t i = 0; (s = snMethod_Setting(method, i)); ++i) {
        const char* text = snScene_Get(scene, method, s->name);
        if (strcmp(text, s->preset) != 0) {
            fprintf(out, "%s%s %s", count++ ? ", " : "  settings: ", s->name, text);
        }
    }
    if (count > 0) {
        fprintf(out, "\n");
    }
}
