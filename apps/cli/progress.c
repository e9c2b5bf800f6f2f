// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

#define _POSIX_C_SOURCE 200809L // clock_gettime, isatty, sigaction
#include "cli/progress.h"

#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

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
    return (Progress){now, now, isatty(STDERR_FILENO) != 0, quiet, false};
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
    double spent = p->last - p->start, rate = spent > 0 ? time / spent : 0;
    fprintf(stderr, "%s%3.0f %%  %.2f of %.2f s  %.3g x real time  %.0f s left %s",
            p->terminal ? "\r" : "", 100 * time / duration, time, duration, rate,
            rate > 0 ? (duration - time) / rate : 0, p->terminal ? "" : "\n");
}

void showDrawn(Progress* p, int done, int count)
{
    if (!isDue(p)) {
        return;
    }
    double spent = p->last - p->start, rate = spent > 0 ? done / spent : 0;
    fprintf(stderr, "%s%3.0f %%  %d of %d pictures  %.3g a second  %.0f s left %s",
            p->terminal ? "\r" : "", 100.0 * done / count, done, count, rate,
            rate > 0 ? (count - done) / rate : 0, p->terminal ? "" : "\n");
}

void showFrames(Progress* p, const char* stage, const char* what, int64_t done, int64_t total)
{
    if (done == 0) {
        p->start = seconds(); // a new stage
    }
    if (!isDue(p)) {
        return;
    }
    double spent = p->last - p->start, rate = spent > 0 ? (double)done / spent : 0;
    double left = rate > 0 ? (double)(total - done) / rate : 0;
    fprintf(stderr, "%s%-8s %3.0f %%  %-20.20s %" PRId64 " of %" PRId64 " frames  %.0f s left %s",
            p->terminal ? "\r" : "", stage, 100.0 * (double)done / (double)(total > 0 ? total : 1),
            what, done, total, left, p->terminal ? "" : "\n");
}

void endProgress(const Progress* p)
{
    if (p->terminal && p->shown) {
        fprintf(stderr, "\r%78s\r", "");
    }
}
