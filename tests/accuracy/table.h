// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

// Rows of docs/accuracy.md. A test adds a row for each thing that it measures, and holds it to what
// is allowed; at the end the page must have the same rows between `<!-- rows: TEST -->` and `<!--
// end
// -->`, with figures that are still true. scripts/accuracy.sh writes them there.
#ifndef SN_TESTS_ACCURACY_TABLE_H
#define SN_TESTS_ACCURACY_TABLE_H

#include "check.h"

#define PAGE SN_TEST_DATA "/../../docs/accuracy.md"
#define MOST_ROWS 64
#define STALE 0.1 // of what is allowed: how far the page's figure may be from the present one

typedef struct Row {
    char what[120];  // the case
    char theory[40]; // what it should be
    double target;   // the same as a number; 0 for errors, which are held below `allowed`
    double measured;
    double allowed; // how far `measured` may be from the target, absolutely
    char limit[24]; // the same as text
    char note[200]; // what else there is to say: other programs, why an aim is missed
} Row;

typedef struct Table {
    const char* test; // its name
    int count;
    Row rows[MOST_ROWS];
} Table;

static inline Row* nextRow(Table* t, const char* what, const char* note)
{
    assert_true(t->count < MOST_ROWS);
    Row* r = &t->rows[t->count++];
    snprintf(r->what, sizeof r->what, "%s", what);
    snprintf(r->note, sizeof r->note, "%s", note);
    return r;
}

// A figure that theory has, and how far from it, relatively, it may be.
static inline void addFigure(Table* t, const char* what, double target, double measured,
                             double allowed, const char* note)
{
    Row* r = nextRow(t, what, note);
    r->target = target;
    r->measured = measured;
    r->allowed = allowed * fabs(target);
    snprintf(r->theory, sizeof r->theory, "%.6g", target);
    snprintf(r->limit, sizeof r->limit, "%.3g %%", 100 * allowed);
}

// An error, which theory says is 0.
static inline void addError(Table* t, const char* what, double measured, double allowed,
                            const char* note)
{
    Row* r = nextRow(t, what, note);
    r->measured = measured;
    r->allowed = allowed;
    snprintf(r->theory, sizeof r->theory, "0");
    snprintf(r->limit, sizeof r->limit, "%.3g", allowed);
}

// The start of a row, up to what changes from run to run.
static inline void writeHead(const Row* r, char* text, size_t size)
{
    snprintf(text, size, "| %s | %s | %s | ", r->what, r->theory, r->limit);
}

static inline bool isMet(const Row* r, double measured)
{
    return fabs(measured - r->target) <= r->allowed;
}

static inline void writeRows(const Table* t, FILE* f)
{
    fprintf(f, "| case | theory | allowed | measured | off | |\n|---|---|---|---|---|---|\n");
    for (int i = 0; i < t->count; ++i) {
        char head[256], off[24] = "";
        const Row* r = &t->rows[i];
        if (r->target != 0) {
            snprintf(off, sizeof off, "%+.2g %%", 100 * (r->measured - r->target) / r->target);
        }
        writeHead(r, head, sizeof head);
        fprintf(f, "%s%.*g | %s | %s |\n", head, r->target != 0 ? 7 : 3, r->measured, off, r->note);
    }
}

// The page ----------------------------------------------------------------------

// The whole page, to be freed.
static inline char* readPage(void)
{
    static const size_t MOST = 1 << 20;
    char* text = calloc(MOST, 1);
    FILE* f = fopen(PAGE, "rb");
    assert_non_null(text);
    assert_non_null(f);
    assert_true(fread(text, 1, MOST - 1, f) < MOST - 1);
    fclose(f);
    return text;
}

// Where the test's rows begin and end in the page.
static inline char* findBlock(const Table* t, char* page, char** end)
{
    char mark[100];
    snprintf(mark, sizeof mark, "<!-- rows: %s -->\n", t->test);
    char* begin = strstr(page, mark);
    if (!begin) {
        print_error("docs/accuracy.md has no line %s", mark);
    }
    assert_non_null(begin);
    begin += strlen(mark);
    *end = strstr(begin, "<!-- end -->");
    assert_non_null(*end);
    return begin;
}

static inline void writePage(const Table* t)
{
    char *end, *page = readPage(), *begin = findBlock(t, page, &end);
    FILE* f = fopen(PAGE, "wb");
    assert_non_null(f);
    fwrite(page, 1, (size_t)(begin - page), f);
    writeRows(t, f);
    fputs(end, f);
    fclose(f);
    free(page);
}

static inline bool isOnPage(const Row* r, const char* begin, const char* end)
{
    char head[256];
    writeHead(r, head, sizeof head);
    const char* at = strstr(begin, head);
    if (!at || at > end) {
        print_error("docs/accuracy.md lacks the row %s\n", head);
        return false;
    }
    double written = strtod(at + strlen(head), NULL);
    bool fresh = fabs(written - r->measured) <= STALE * r->allowed + 1e-6 * fabs(r->measured);
    if (!fresh) {
        print_error("docs/accuracy.md is stale: %s%.4g, now %.4g\n", head, written, r->measured);
    }
    return fresh;
}

static inline void checkPage(const Table* t)
{
    char *end, *page = readPage(), *begin = findBlock(t, page, &end);
    int lines = 0, good = 0;
    for (const char* c = begin; c < end; ++c) {
        lines += *c == '\n';
    }
    for (int i = 0; i < t->count; ++i) {
        good += isOnPage(&t->rows[i], begin, end);
    }
    free(page);
    if (good < t->count || lines != t->count + 2) {
        print_error("`scripts/accuracy.sh` writes the rows of %s anew\n", t->test);
    }
    assert_int_equal(good, t->count);
    assert_int_equal(lines, t->count + 2); // a heading besides
}

// Every row is met, and on the page.
static inline void closeTable(const Table* t)
{
    int bad = 0;
    writeRows(t, stdout);
    fflush(stdout);
    for (int i = 0; i < t->count; ++i) {
        if (!isMet(&t->rows[i], t->rows[i].measured)) {
            print_error("MISSED: %s: %.6g, not %s within %s\n", t->rows[i].what,
                        t->rows[i].measured, t->rows[i].theory, t->rows[i].limit);
            ++bad;
        }
    }
    assert_int_equal(bad, 0);
    if (getenv("SINEW_WRITE_ACCURACY")) {
        writePage(t);
    }
    checkPage(t);
}

#endif
