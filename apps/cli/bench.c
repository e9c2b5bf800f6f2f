// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

// sinew bench: run benchmarks, print their figures as a table or as JSON lines.
#define _POSIX_C_SOURCE 200809L // readlink
#include "cli/cli.h"

#include <bench.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

typedef struct Printer {
    FILE* table; // for people
    FILE* json;  // for programs; NULL = none
    char machine[128];
} Printer;

// The processor's name and the number of cores.
static void describeMachine(char* text, size_t size)
{
    char line[256], model[96] = "unknown processor";
    FILE* file = fopen("/proc/cpuinfo", "r");
    while (file && fgets(line, sizeof line, file)) {
        const char* colon = strchr(line, ':');
        if (strncmp(line, "model name", 10) == 0 && colon) {
            snprintf(model, sizeof model, "%.*s", (int)strcspn(colon + 2, "\n"), colon + 2);
            break;
        }
    }
    if (file) {
        fclose(file);
    }
    snprintf(text, size, "%s, %ld cores", model, sysconf(_SC_NPROCESSORS_ONLN));
}

// As a JSON string; names are plain text, but a processor may be called anything.
static void printString(FILE* out, const char* key, const char* text)
{
    fprintf(out, "\"%s\":\"", key);
    for (const char* c = text; *c; ++c) {
        if (*c == '"' || *c == '\\') {
            fputc('\\', out);
        }
        fputc((unsigned char)*c < 32 ? ' ' : *c, out);
    }
    fputc('"', out);
}

static void printRow(void* user, const snBenchRow* r)
{
    Printer* p = user;
    char paper[24] = "";
    if (r->paper > 0) {
        snprintf(paper, sizeof paper, "%.4g", r->paper);
    }
    fprintf(p->table, "%-8s %-22s %-28s %10.4g %-7s %5.1f %7d %10s  %s\n", r->bench, r->name,
            r->metric, r->value, r->unit, 100 * r->spread, r->threads, paper,
            r->peer ? r->peer : "");
    fflush(p->table);
    if (p->json) {
        fputc('{', p->json);
        printString(p->json, "bench", r->bench);
        fputc(',', p->json);
        printString(p->json, "case", r->name);
        fputc(',', p->json);
        printString(p->json, "metric", r->metric);
        fprintf(p->json, ",\"value\":%.6g,", r->value);
        printString(p->json, "unit", r->unit);
        fprintf(p->json, ",\"spread\":%.4g,\"threads\":%d,", r->spread, r->threads);
        printString(p->json, "machine", p->machine);
        if (r->peer) {
            fputc(',', p->json);
            printString(p->json, "peer", r->peer);
        }
        if (r->paper > 0) {
            fprintf(p->json, ",\"paper\":%.6g", r->paper);
        }
        fprintf(p->json, "}\n");
        fflush(p->json);
    }
}

static void printNote(void* user, const char* text)
{
    Printer* p = user;
    fprintf(p->table, "note: %s\n", text);
}

// The folder of this program, where peers' modules are.
static void ownFolder(char* text, size_t size)
{
    ssize_t length = readlink("/proc/self/exe", text, size - 1);
    text[length > 0 ? length : 0] = 0;
    char* slash = strrchr(text, '/');
    if (slash) {
        *slash = 0;
    } else {
        snprintf(text, size, ".");
    }
}

static const snBench* findBench(const char* name)
{
    for (const snBench* b = snBenches(); b->name; ++b) {
        if (strcmp(b->name, name) == 0) {
            return b;
        }
    }
    return NULL;
}

// Whether it is among the names asked for; none asks for all.
static bool isWanted(const snBench* b, const char* const* names, int count)
{
    bool wanted = count == 0;
    for (int i = 0; i < count; ++i) {
        wanted = wanted || strcmp(names[i], b->name) == 0;
    }
    return wanted;
}

static int runAll(const snBenchOut* out, const char* const* names, int count)
{
    for (const snBench* b = snBenches(); b->name; ++b) {
        snMessage why = {""};
        if (isWanted(b, names, count) && snBench_Run(b, out, &why)) {
            return complain(EXIT_RUN_FAILED, "benchmark '%s' failed: %s", b->name, why.text);
        }
    }
    return EXIT_DONE;
}

static int bench(int argc, char** argv)
{
    bool json = false, list = false, small = false;
    const char *runs = NULL, *rigs = NULL;
    double run_count = SN_BENCH_RUNS;
    const Option options[] = {{"--json", NULL, &json, NULL},   {"--list", NULL, &list, NULL},
                              {"--runs", &runs, NULL, NULL},   {"--rigs", &rigs, NULL, NULL},
                              {"--small", NULL, &small, NULL}, {NULL, NULL, NULL, NULL}};
    const char* words[16];
    char folder[900];
    int count = parseArguments(&BENCH_COMMAND, argc, argv, options, words, 16);
    if (count < 0 || (runs && !readNumber("--runs", runs, 1, SN_BENCH_RUNS, &run_count))) {
        return EXIT_BAD_CALL;
    }
    for (const snBench* b = snBenches(); list && b->name; ++b) {
        printf("  %-12s %s\n", b->name, b->about);
    }
    if (list) {
        return EXIT_DONE;
    }
    for (int i = 0; i < count; ++i) {
        if (!findBench(words[i])) {
            return complain(EXIT_BAD_CALL,
                            "there is no benchmark '%s'; 'sinew bench --list' lists them",
                            words[i]);
        }
    }
    Printer printer = {json ? stderr : stdout, json ? stdout : NULL, ""};
    describeMachine(printer.machine, sizeof printer.machine);
    ownFolder(folder, sizeof folder);
    const snHost host = toolHost();
    snBenchOut out = {.user = &printer,
                      .row = printRow,
                      .note = printNote,
                      .host = &host,
                      .folder = folder,
                      .rigs = rigs ? rigs : "../shared/data/rigs",
                      .runs = (int)run_count,
                      .small = small};
    fprintf(printer.table, "%s\n%-8s %-22s %-28s %10s %-7s %5s %7s %10s  %s\n", printer.machine,
            "bench", "case", "metric", "value", "unit", "+- %", "threads", "paper",
            "other program");
    return runAll(&out, words, count);
}

const Command BENCH_COMMAND = {
    "bench",
    "[NAME...] [--json]",
    "measure; as a table, or as JSON lines",
    "  --json     one JSON object a line on stdout (bench, case, metric, value, unit, spread,\n"
    "             threads, machine, peer where the figure is another program's, paper where Kim &\n"
    "             Pollard 2011 give one); the table goes to stderr\n"
    "  --list     what can be measured\n"
    "  --runs N   repetitions of each figure, 1..101; otherwise 101, fewer of what is slow\n"
    "  --rigs DIR GLB files for 'bake'; otherwise ../shared/data/rigs\n"
    "  --small    small cases alone: to see that it works\n\n"
    "  sinew bench table3 table4\n"
    "  sinew bench --json >bench.json\n",
    bench,
    NULL};
