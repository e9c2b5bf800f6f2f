// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

#include "cli/record.h"

#include "cli/advice.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#define DEGREES (180 / 3.14159265358979323846)

// JSON ------------------------------------------------------------------------

static void writeText(FILE* out, const char* text)
{
    fputc('"', out);
    for (const char* c = text; *c; ++c) {
        if ((unsigned char)*c < 32) {
            fprintf(out, "\\u%04x", (unsigned)(unsigned char)*c);
        } else {
            fprintf(out, *c == '"' || *c == '\\' ? "\\%c" : "%c", *c);
        }
    }
    fputc('"', out);
}

static void writeNumber(FILE* out, const char* key, double value)
{
    fprintf(out, isfinite(value) ? ",\"%s\":%.9g" : ",\"%s\":null", key, value);
}

static double spanOf(const snBakedClip* c, double rate)
{
    return (c->frame_count > 1 ? c->frame_count - 1 : 1) / rate;
}

static void writeClip(FILE* out, const snBakedClip* c, double size, double rate)
{
    fprintf(out, "{\"name\":");
    writeText(out, c->name);
    fprintf(out, ",\"clip\":%d,\"frames\":%d,\"skipped\":%s", (int)c->clip, (int)c->frame_count,
            c->skipped ? "true" : "false");
    if (!c->skipped && c->frame_count > 0) {
        writeNumber(out, "duration_s", c->duration);
        writeNumber(out, "seconds", c->seconds);
        writeNumber(out, "seconds_per_second", c->seconds / spanOf(c, rate));
        writeNumber(out, "largest_mm", 1e3 * c->largest);
        writeNumber(out, "largest_percent", 100 * c->largest / size);
        writeNumber(out, "median_mm", 1e3 * c->median);
        writeNumber(out, "median_percent", 100 * c->median / size);
        writeNumber(out, "limited_share", c->limited);
        fprintf(out, ",\"guard\":%" PRId64 ",\"loop\":%s", c->interventions,
                c->is_loop ? "true" : "false");
        writeNumber(out, "seam_mm", c->is_loop ? 1e3 * c->seam : (double)NAN);
        writeNumber(out, "error_mm", 1e3 * c->error);
        writeNumber(out, "error_percent", 100 * c->error / size);
        writeNumber(out, "error_of_movement_percent",
                    c->largest > 0 ? 100 * c->error / c->largest : (double)NAN);
        writeNumber(out, "error_rms_mm", 1e3 * c->error_rms);
        if (c->captured > 0) {
            writeNumber(out, "captured_share", c->captured);
        }
    }
    if (c->acted_seconds > 0) {
        writeNumber(out, "two_way_seconds", c->acted_seconds);
        writeNumber(out, "joints_rms_degrees", DEGREES * c->turn_rms);
        writeNumber(out, "joints_most_degrees", DEGREES * c->turn_most);
        fprintf(out, ",\"joints_most\":");
        writeText(out, c->turn_node);
        writeNumber(out, "root_mm", 1e3 * c->root_miss);
        writeNumber(out, "joints_limited_share", c->joint_limited);
        fprintf(out, ",\"joints_reset\":%" PRId64, c->joint_resets);
    }
    fputc('}', out);
}

// Clips that were asked for and left out, behind the others
static void writeStill(FILE* out, const snRig* rig, const Choice* choice, bool first)
{
    for (int32_t i = choice->count; i < choice->count + choice->still; ++i, first = false) {
        fprintf(out, first ? "\n     " : ",\n     ");
        writeClip(out,
                  &(snBakedClip){.name = snRig_Clip(rig, choice->clips[i])->name,
                                 .clip = choice->clips[i],
                                 .skipped = 1},
                  1, 1);
    }
}

static void writeWarning(FILE* out, const char* text, int32_t* count)
{
    if (text[0]) {
        fprintf(out, (*count)++ > 0 ? ",\n     " : "\n     ");
        writeText(out, text);
    }
}

// What is odd about the rig, what is not as asked for, and what to try
static void writeWarnings(FILE* out, const Hero* h, const snBakeDef* def,
                          const snBakeReport* report)
{
    const snRigInfo* f = snRig_Info(h->rig);
    const snBodyInfo* info = snBody_Info(h->body);
    int32_t count = 0;
    fprintf(out, "\"warnings\":[");
    for (int32_t i = 0; i < f->warning_count; ++i) {
        writeWarning(out, f->warnings[i], &count);
    }
    writeWarning(out, info->remark, &count);
    for (int32_t i = 0; report && i < report->clip_count && report->complete; ++i) {
        char number[16], line[ADVICE_BYTES];
        Outcome outcome = outcomeOf(&report->clips[i], def->as, number);
        if (!report->clips[i].skipped && findAdvice(&h->def, info, &outcome, false, line)) {
            writeWarning(out, line, &count);
        }
    }
    fprintf(out, "],\n   ");
}

void recordBake(Record* r, const Hero* h, const snBakeDef* def, const Choice* choice,
                const snBakeReport* report, FILE* notes)
{
    const snBodyInfo* info = snBody_Info(h->body);
    double spent = 0, span = 0, rate = def->rate;
    r->cell_count = info->cell_count;
    r->step = info->step;
    r->size = info->size;
    r->unit = info->unit;
    r->softness = info->softness;
    r->shape_count = report ? report->shape_count : 0;
    r->active_most = report ? report->active_most : 0;
    r->joint_count = report ? report->joint_count : 0;
    r->still_count = choice->still;
    r->file_count = report ? report->file_count : 0;
    snprintf(r->path, sizeof r->path, "%s",
             report && report->file_count > 0 ? report->files[0] : "");
    writeWarnings(notes, h, def, report);
    fprintf(notes, "\"files\":[");
    for (int32_t i = 0; report && i < report->file_count; ++i) {
        fprintf(notes, i > 0 ? "," : "");
        writeText(notes, report->files[i]);
    }
    fprintf(notes, "],\n   \"clips\":[");
    for (int32_t i = 0; report && i < report->clip_count; ++i) {
        const snBakedClip* c = &report->clips[i];
        fprintf(notes, i > 0 ? ",\n     " : "\n     ");
        writeClip(notes, c, info->size, rate);
        if (c->skipped || c->frame_count == 0) {
            continue;
        }
        ++r->clip_count;
        spent += c->seconds;
        span += c->seconds > 0 ? spanOf(c, rate) : 0;
        r->largest = fmax(r->largest, c->largest);
        r->limited = fmax(r->limited, c->limited);
        r->error = fmax(r->error, c->error);
        r->interventions += c->interventions;
    }
    writeStill(notes, h->rig, choice, !report || report->clip_count == 0);
    fprintf(notes, "]");
    r->pace = span > 0 ? spent / span : 0;
}

void beginReport(FILE* out)
{
    uint32_t v = snVersion();
    fprintf(out, "{\"sinew\":\"%u.%u.%u\",\"files\":[", v / 10000, v / 100 % 100, v % 100);
}

void endReport(FILE* out)
{
    fprintf(out, "]}\n");
}

void writeRecord(FILE* out, const char* input, const char* output, const Record* r, FILE* notes)
{
    int c = notes ? fgetc(notes) : EOF;
    fprintf(out, "\n  {\"input\":");
    writeText(out, input);
    fprintf(out, ",\"output\":");
    writeText(out, output);
    fprintf(out,
            ",\"begun\":%s,\"kept\":%s,\"exit_code\":%d,\"error\":", r->begun ? "true" : "false",
            r->kept ? "true" : "false", r->code);
    if (r->code || !r->begun) {
        writeText(out, r->why);
    } else {
        fprintf(out, "null");
    }
    writeNumber(out, "seconds", r->seconds);
    if (r->cell_count > 0) {
        fprintf(out, ",\"cells\":%d", (int)r->cell_count);
        writeNumber(out, "step_s", r->step);
        writeNumber(out, "size_m", r->size);
        writeNumber(out, "unit_m", r->unit);
        writeNumber(out, "softness_hz", r->softness);
        fprintf(out, ",\"shapes\":%d,\"shapes_active\":%d,\"joints\":%d", (int)r->shape_count,
                (int)r->active_most, (int)r->joint_count);
    }
    fprintf(out, c == EOF ? ",\n   \"warnings\":[],\"files\":[],\"clips\":[]" : ",\n   ");
    for (; c != EOF; c = fgetc(notes)) {
        fputc(c, out);
    }
    fprintf(out, "}");
}

// The table -------------------------------------------------------------------

void printRecordHead(void)
{
    printf("  %-24s %5s %6s %8s %15s %6s %6s %10s  %s\n", "file", "clips", "cells", "s per s",
           "largest (mm, %)", "limit", "guard", "error (mm)", "result");
}

void printRecord(const char* input, const char* output, const Record* r)
{
    const char* slash = strrchr(input, '/');
    char pace[24] = "-", largest[24], error[24];
    printf("  %-24.24s ", slash ? slash + 1 : input);
    if (r->clip_count > 0) {
        if (r->pace > 0) {
            snprintf(pace, sizeof pace, "%.2f", r->pace);
        }
        printf("%5d %6d %8s %8s %5.2f%% %5.0f%% %6" PRId64 " %10s", (int)r->clip_count,
               (int)r->cell_count, pace, shortNumber(1e3 * r->largest, largest),
               100 * r->largest / r->size, 100 * r->limited, r->interventions,
               shortNumber(1e3 * r->error, error));
    } else {
        printf("%5s %6s %8s %15s %6s %6s %10s", "-", "-", "-", "-", "-", "-", "-");
    }
    printf("  %s%s",
           r->kept     ? "kept "
           : !r->begun ? ""
           : r->code   ? "FAILED: "
                       : "",
           r->code || !r->begun ? r->why
           : r->file_count == 0 ? output
                                : r->path);
    if (r->file_count > 1) {
        printf(" and %d more", (int)r->file_count - 1);
    }
    if (r->still_count > 0) {
        printf("; %d clip%s left out: nothing moves there", (int)r->still_count,
               r->still_count == 1 ? " is" : "s are");
    }
    printf("\n");
}
