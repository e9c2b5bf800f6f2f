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
    fprintf(p->table, "%-10s %-18s %-28s %10.3f %-5s +-%4.1f %%  %d  %s\n", r->bench, r->name,
            r->metric, r->value, r->unit, 100 * r->spread, r->threads, r->peer ? r->peer : "");
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
        fprintf(p->json, "}\n");
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

static int bench(int argc, char** argv)
{
    bool json = false, list = false;
    const char* runs = NULL;
    double run_count = SN_BENCH_RUNS;
    const Option options[] = {{"--json", NULL, &json, NULL},
                              {"--list", NULL, &list, NULL},
                              {"--runs", &runs, NULL, NULL},
                              {NULL, NULL, NULL, NULL}};
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
                            "there is no benchmark '%s'; 'sinew bench --list' lists "
                            "them",
                            words[i]);
        }
    }
    Printer printer = {json ? stderr : stdout, json ? stdout : NULL, ""};
    describeMachine(printer.machine, sizeof printer.machine);
    ownFolder(folder, sizeof folder);
    snBenchOut out = {&printer, printRow, printNote, folder, (int)run_count};
    fprintf(printer.table, "%s\n%-10s %-18s %-28s %10s %-5s %8s  %s\n", printer.machine, "bench",
            "case", "metric", "value", "unit", "spread", "threads, other program");
    for (const snBench* b = snBenches(); b->name; ++b) {
        bool wanted = count == 0;
        for (int i = 0; i < count; ++i) {
            wanted = wanted || strcmp(words[i], b->name) == 0;
        }
        if (wanted && b->run(&out)) {
            return complain(EXIT_RUN_FAILED, "benchmark '%s' failed", b->name);
        }
    }
    return EXIT_DONE;
}

const Command BENCH_COMMAND = {"bench",
                               "[NAME...] [--json]",
                               "measure; as a table, or as JSON lines",
                               "  --json   one JSON object a line on stdout (bench, case, metric, "
                               "value, unit, spread, threads,\n"
                               "           machine, and peer where the figure is another "
                               "program's); the table goes to stderr\n"
                               "  --list   what can be measured\n"
                               "  --runs N repetitions of each figure, 1..101; otherwise 101\n\n"
                               "  sinew bench skeleton\n"
                               "  sinew bench flesh --json >flesh.json\n",
                               bench,
                               NULL};
