// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

// A scene in motion, ready to be timed step by step at the level of the method.
#ifndef SINEW_BENCH_SUBJECT_H
#define SINEW_BENCH_SUBJECT_H

#include "method/explicit/actor.h"

#define SN_BENCH_FRAME_RATE 60.0

typedef struct snSubject {
    snScene* scene; // owned
    snMethodData* data;
    snTasks* tasks; // whose threads work
    size_t bytes;
    void *start, *state; // every run begins with a copy of the start
    int64_t first;       // steps before the start
    double h;            // the step, s
    bool failed;         // a step did
} snSubject;

// A character of the built-in ones, falling and turning. step 0 = automatic.
snStatus snSubject_Fall(const snHost* host, const char* character, double step, snScene** scene,
                        snMessage* why);

// Takes the scene over, also on failure, and runs `warm` seconds of it on one thread. step 0 =
// automatic. Close it in any case.
snStatus snSubject_Open(snSubject* s, snScene* scene, double step, double warm, snMessage* why);

// From now on so many threads work.
snStatus snSubject_SetThreads(snSubject* s, int threads, snMessage* why);

void snSubject_Close(snSubject* s);

// Finds contacts and their forces as a step does.
void snSubject_Touch(snSubject* s);

// What runners call: back to the start, with the lists made that contact keeps from step to step; n
// steps from where it is.
void snSubject_Rewind(void* subject);
void snSubject_Step(void* subject, int n);

#endif
