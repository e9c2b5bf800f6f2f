// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

// Kim & Pollard 2011, Table V: how much faster a whole step is when only cells that are deformed
// much are diagonalised, with LAPACK's SVD (m x n) and with the one for 3 x 3 matrices.
#include "bench.h"

#include "base/message.h"
#include "elastic/pass.h"
#include "subject.h"
#include <scenes/scenes.h>

typedef struct Case {
    const char* name;
    const char* scene;     // a built-in one; NULL = it falls
    const char* character; // that falls
    double warm;           // simulated before anything is timed, s
    double paper[2];       // speedup with LAPACK's SVD and with the other
} Case;

static const Case CASES[] = {
    {"starfish_coarse", NULL, "starfish_coarse", 0.3, {1.68, 1.16}},
    {"fish", "jumping_fish", NULL, 1, {1.33, 1.17}},
    {"worm", "rolling_worm", NULL, 1, {1.43, 1.23}},
    {"fatman", "dancing_fatman", NULL, 1, {1.44, 1.19}},
    {"starfish_moderate", NULL, "starfish", 0.3, {3.31, 1.67}},
    {"starfish_fine", NULL, "starfish_fine", 0.3, {3.60, 1.78}},
    {"starfish_very_fine", NULL, "starfish_very_fine", 0.3, {3.42, 1.72}},
};

enum { CASE_COUNT = sizeof CASES / sizeof CASES[0], SMALL_COUNT = 1 };

// A body whose cells are those of another but for the way they are diagonalised.
typedef struct Variant {
    snSubject* subject;
    snCells cells;
    snFlesh flesh;
} Variant;

static void makeVariant(Variant* v, snSubject* s, const snFlesh* flesh, bool general, bool always)
{
    v->subject = s;
    v->cells = *flesh->cells;
    v->cells.general_svd = general;
    v->cells.material.diagonalize = always ? sn_diagonalizeAlways : sn_diagonalizeSelective;
    v->flesh = *flesh;
    v->flesh.cells = &v->cells;
}

// Puts the variant in the place of what was there before.
static void rewindVariant(void* variant)
{
    Variant* v = variant;
    snActorSpace* actor = &snExplicitData_Of(v->subject->data)->actors[0];
    actor->flesh = actor->nodes.flesh = &v->flesh;
    snSubject_Rewind(v->subject);
}

static void runVariant(void* variant, int n)
{
    snSubject_Step(((Variant*)variant)->subject, n);
}

static snStatus timeCase(const snBenchOut* out, const Case* c, snSubject* s, snMessage* why)
{
    static snBenchRunner r[4];
    static Variant variants[4]; // LAPACK's and the other, each selective and always
    static const char* const METRICS[4] = {"step_ms:mxn", "step_ms:mxn_always", "step_ms:3x3",
                                           "step_ms:3x3_always"};
    static const char* const SPEEDUPS[2] = {"speedup:mxn", "speedup:3x3"};
    snActorSpace* actor = &snExplicitData_Of(s->data)->actors[0];
    const snFlesh* flesh = actor->flesh;
    const int first = snGeneralSvd() ? 0 : 2;
    for (int i = 0; i < 4; ++i) {
        makeVariant(&variants[i], s, flesh, i < 2, i % 2);
        r[i] = snBenchRunner_Of(runVariant, rewindVariant, &variants[i]);
    }
    snBench_Time(out, r + first, 4 - first, 1);
    rewindVariant(&variants[2]);
    snSubject_Step(s, 1);
    snBenchRow row = {.bench = "table5", .name = c->name, .threads = 1, .unit = "count"};
    row.metric = "diagonalized";
    snBench_EmitNumber(out, &row, (double)actor->nodes.head->diagonalized);
    actor->flesh = actor->nodes.flesh = flesh;
    for (int i = first; i < 4; ++i) {
        row.metric = METRICS[i];
        row.unit = "ms";
        row.paper = 0;
        snBench_Emit(out, &row, &r[i], 1e3);
        if (i % 2) {
            const double selective = snBench_Summarise(r[i - 1].samples, r[i - 1].count).best;
            const double always = snBench_Summarise(r[i].samples, r[i].count).best;
            row.metric = SPEEDUPS[i / 2];
            row.unit = "x";
            row.paper = c->paper[i / 2];
            snBench_EmitNumber(out, &row, always / selective);
        }
    }
    return s->failed ? snFail(why, sn_errorNumeric, "a step failed") : sn_ok;
}

static snStatus benchCase(const snBenchOut* out, const Case* c, snMessage* why)
{
    snScene* scene = NULL;
    snSubject s = {.scene = NULL};
    snStatus status = c->scene ? snBuiltinScene_Find(c->scene)->make(NULL, &scene, why)
                               : snSubject_Fall(NULL, c->character, 0, &scene, why);
    if (!status) {
        status = snSubject_Open(&s, scene, snScene_Def(scene)->step, c->warm, why);
        status = status ? status : timeCase(out, c, &s, why);
        snSubject_Close(&s);
    }
    return status;
}

snStatus snBench_Table5(const snBenchOut* out, snMessage* why)
{
    snStatus status = sn_ok;
    if (!snGeneralSvd()) {
        out->note(out->user,
                  "no figures with the m x n SVD: build where liblapack-dev is installed");
    }
    for (int i = 0; i < (out->small ? SMALL_COUNT : CASE_COUNT) && !status; ++i) {
        status = benchCase(out, &CASES[i], why);
    }
    return status;
}
