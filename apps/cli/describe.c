// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

// sinew describe: what methods do and which settings they have.
#include "cli/cli.h"
#include "cli/setting.h"

#include <stdlib.h>
#include <string.h>

// For people ------------------------------------------------------------------

static void printMissing(const char* method)
{
    int count = 0;
    for (const snCapability* c = snCapabilities(); c->name; ++c) {
        if (!(snMethod_Does(method) & c->bit)) {
            printf("%s%s", count++ ? ", " : "\nIt does not do:\n  ", c->name);
        }
    }
    printf("%s", count ? "\n" : "");
}

static void printMethod(const char* method)
{
    printf("%s: %s\n\nIt does:\n", method, snMethod_About(method));
    for (const snCapability* c = snCapabilities(); c->name; ++c) {
        if (snMethod_Does(method) & c->bit) {
            printf("  %-17s %s\n", c->name, c->about);
        }
    }
    printMissing(method);
    printMethodSettings(stdout, method);
}

static int describeText(const char* what)
{
    if (!what || strcmp(what, "all") == 0) {
        for (int32_t i = 0; snMethod_Name(i); ++i) {
            printf("%s", i ? "\n" : "");
            printMethod(snMethod_Name(i));
        }
        return EXIT_DONE;
    }
    if (snMethod_About(what)) {
        printMethod(what);
        return EXIT_DONE;
    }
    snMessage why;
    return snDescribe(NULL, what, NULL, 0, NULL, &why)
               ? complain(EXIT_BAD_CALL, "%s", why.text)
               : complain(EXIT_BAD_CALL, "'%s' is a def: add --json", what);
}

// JSON ------------------------------------------------------------------------

static int describeJson(const char* what)
{
    snMessage why;
    size_t length = 0;
    snStatus status = snDescribe(NULL, what, NULL, 0, &length, &why);
    char* text = status ? NULL : malloc(length + 1);
    if (!status && !text) {
        return complain(EXIT_RUN_FAILED, "out of memory");
    }
    status = status ? status : snDescribe(NULL, what, text, length + 1, NULL, &why);
    if (!status) {
        fputs(text, stdout);
    }
    free(text);
    return status ? complain(exitCode(status), "%s", why.text) : EXIT_DONE;
}

// docs/methods.md -------------------------------------------------------------

static void printCapabilityTable(void)
{
    printf("| capability | what it is |");
    for (int32_t i = 0; snMethod_Name(i); ++i) {
        printf(" %s |", snMethod_Name(i));
    }
    printf("\n|---|---|");
    for (int32_t i = 0; snMethod_Name(i); ++i) {
        printf("---|");
    }
    for (const snCapability* c = snCapabilities(); c->name; ++c) {
        printf("\n| %s | %s |", c->name, c->about);
        for (int32_t i = 0; snMethod_Name(i); ++i) {
            printf(" %s |", snMethod_Does(snMethod_Name(i)) & c->bit ? "yes" : "no");
        }
    }
    printf("\n");
}

static void printSettingTable(const char* method)
{
    const snSetting* s;
    printf("\n## %s\n\n%s.\n\n", method, snMethod_About(method));
    printf("| setting | of | takes | what it is |\n|---|---|---|---|\n");
    for (int32_t i = 0; (s = snMethod_Setting(method, i)); ++i) {
        printf("| `%s` | %s | ", s->name, snSettingScope_Name(s->scope));
        printTakes(stdout, s);
        printf(" | %s |\n", s->about);
    }
}

static int describeMarkdown(void)
{
    printf(
        "# Methods and their settings\n\n"
        "A scene names the method that simulates it, and its settings:\n\n"
        "```json\n"
        "\"method\": \"explicit\", \"settings\": { \"explicit\": { \"integrator\": \"euler\" } }\n"
        "```\n\n"
        "`sinew run` and `sinew render` take `--method NAME` and `--set NAME=VALUE`, programs "
        "`snScene_Set`. This page is made by\n"
        "`sinew describe --markdown`.\n\n");
    printCapabilityTable();
    for (int32_t i = 0; snMethod_Name(i); ++i) {
        printSettingTable(snMethod_Name(i));
    }
    return EXIT_DONE;
}

static int describe(int argc, char** argv)
{
    bool json = false, markdown = false;
    const Option options[] = {{"--json", NULL, &json, NULL},
                              {"--markdown", NULL, &markdown, NULL},
                              {NULL, NULL, NULL, NULL}};
    const char* word = NULL;
    int count = parseArguments(&DESCRIBE_COMMAND, argc, argv, options, &word, 1);
    if (count < 0) {
        return EXIT_BAD_CALL;
    }
    if (markdown && (json || word)) {
        return complain(EXIT_BAD_CALL, "--markdown is for all methods, without a name and --json");
    }
    return markdown ? describeMarkdown() : json ? describeJson(word) : describeText(word);
}

const Command DESCRIBE_COMMAND = {
    "describe",
    "[METHOD|DEF|all] [--json]",
    "what methods do, their settings, and the fields of defs",
    "  METHOD            one method; otherwise all\n"
    "  --json            as JSON, for programs; also of a def (snSceneDef); all: methods and defs\n"
    "  --markdown        the page docs/methods.md\n\n"
    "  sinew describe explicit\n"
    "  sinew describe snSceneDef --json\n",
    describe,
    NULL};
