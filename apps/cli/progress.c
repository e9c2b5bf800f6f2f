// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

#define _POSIX_C_SOURCE 200809L // clock_gettime, isatty, sigaction
#include "cli/progress.h"

#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

// How much must be done, or how long it must have taken, before the rest can be told
#define KNOWN_SHARE 0.05
#define KNOWN_TIME 1.0 // s

static volatile sig_atomic_t stops;

static void wantStop(int signal_number)
{
    (void)signal_number;
    stops = stops + 1;
}

void catchStops(void)
{
    struct sigaction action = {.sa_handler = wantStop}; // stays, unlike that of signal()
    sigemptyset(&action.sa_mask);
    sigaction(SIGINT, &action, NULL);
    sigaction(SIGTERM, &action, NULL);
}

int stopCount(void)
{
    return stops;
}

int isStopWanted(void* user)
{
    (void)user;
    return stops > 0;
}

double seconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

Progress startProgress(bool quiet)
{
    double now = seconds();
    return (Progress){
        .start = now, .last = now, .terminal = isatty(STDERR_FILENO) != 0, .quiet = quiet};
}

// Whether the next line is due.
static bool isDue(Progress* p)
{
    double now = seconds();
    if (p->quiet || now - p->last < (p->terminal ? 0.1 : 5)) {
        return false;
    }
    p->last = now;
    p->shown = true;
    return true;
}

// ", 12 s left"; nothing while too little is done to say, of which the start would be most
static const char* timeLeft(const Progress* p, double done, double total, char out[32])
{
    double spent = p->last - p->start, share = total > 0 ? done / total : 0;
    out[0] = 0;
    if (share >= KNOWN_SHARE || (share > 0 && spent >= KNOWN_TIME)) {
        snprintf(out, 32, "  %.0f s left", spent * (1 / share - 1));
    }
    return out;
}

void showBuilding(Progress* p, const char* name)
{
    if (p->terminal && !p->quiet) {
        p->shown = true;
        fprintf(stderr, "\rbuilding %.50s ...", name);
        fflush(stderr);
    }
}

void showProgress(Progress* p, double time, double duration)
{
    if (!isDue(p)) {
        return;
    }
    char left[32];
    double spent = p->last - p->start, rate = spent > 0 ? time / spent : 0;
    fprintf(stderr, "%s%3.0f %%  %.2f of %.2f s  %.3g x real time%s %s", p->terminal ? "\r" : "",
            100 * time / duration, time, duration, rate, timeLeft(p, time, duration, left),
            p->terminal ? "" : "\n");
}

void showDrawn(Progress* p, int done, int count)
{
    if (!isDue(p)) {
        return;
    }
    char left[32];
    double spent = p->last - p->start, rate = spent > 0 ? done / spent : 0;
    fprintf(stderr, "%s%3.0f %%  %d of %d pictures  %.3g a second%s %s", p->terminal ? "\r" : "",
            100.0 * done / count, done, count, rate, timeLeft(p, done, count, left),
            p->terminal ? "" : "\n");
}

void showFrames(Progress* p, const char* stage, const char* what, int64_t done, int64_t total)
{
    if (strcmp(p->stage, stage) != 0 || done < p->frame) {
        p->start = seconds();
        p->first = done;
        snprintf(p->stage, sizeof p->stage, "%s", stage);
    }
    p->frame = done;
    if (!isDue(p)) {
        return;
    }
    char left[32];
    fprintf(stderr, "%s%-8s %3.0f %%  %-20.20s %" PRId64 " of %" PRId64 " frames%s %s",
            p->terminal ? "\r" : "", stage, 100.0 * (double)done / (double)(total > 0 ? total : 1),
            what, done, total,
            timeLeft(p, (double)(done - p->first), (double)(total - p->first), left),
            p->terminal ? "" : "\n");
}

void endProgress(const Progress* p)
{
    if (p->terminal && p->shown) {
        fprintf(stderr, "\r%78s\r", "");
    }
}
