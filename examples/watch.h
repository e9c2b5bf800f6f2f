// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

// What games cannot bear, looked for in every frame of the examples: stalls, memory that grows, and
// flesh that is nowhere or too fast, whose bounds the examples know. Whatever is found ends the
// program with status 1. A fault can be made on purpose, so that tests see each check fail.
#ifndef SN_EXAMPLES_WATCH_H
#define SN_EXAMPLES_WATCH_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

// The first frames, in which everybody is there and nothing else happens, say what is usual.
#define WATCH_CALM 90

// After this part of the run, and so many frames, all that is ever needed has been there once. Then
// memory may be the most of until then, and this part and these bytes more: who is there comes and
// goes.
#define WATCH_WARM 0.25
#define WATCH_WARM_FRAMES 120
#define WATCH_MORE 0.1
#define WATCH_MORE_HELD 65536.0
#define WATCH_MORE_RESIDENT 16e6

// No shorter time is a stall, s: virtual machines count what others took from them.
#define WATCH_LEAST_STALL 0.1

typedef enum WatchFault {
    FAULT_NONE,
    FAULT_STALL,    // a frame takes long
    FAULT_NAN,      // a place is not a number
    FAULT_EXTENT,   // flesh is far away
    FAULT_SPEED,    // flesh is there, but fast
    FAULT_HELD,     // memory of the library grows
    FAULT_RESIDENT, // other memory grows
    FAULT_KEPT,     // memory of the library is not given back
    FAULT_LEAK,     // other memory is lost: only sanitizers see that
    FAULTS
} WatchFault;

// What one thread does for one character in a frame
typedef struct WatchPiece {
    double begun, longest; // s of the thread's processor time; of this frame
} WatchPiece;

typedef struct Watch {
    const char* name; // of the program
    WatchFault fault;
    double stall; // a frame, or a piece of it, of so many times the processor time of the busiest
                  // calm one; of all threads: what else the machine does is not the library's
    int64_t frames, most_frames;
    double clock, most_clock;             // s of the clock: when it began, how long it may take
    double usual, worst, all;             // s of processor time of a frame
    double piece, usual_piece, worst_piece; // of the longest piece of a frame; 0: there are none
    double told;                          // s of the run at which it last said how it goes
    atomic_size_t held;                   // bytes that the library has now
    atomic_size_t most_held;              // the most so far
    size_t warm_held;                     // the most until it was warm
    double resident, most, warm;          // bytes that the process has; most so far; until warm
    double begun;                         // processor time at which the frame began
    void* hoard[64];                      // of FAULT_RESIDENT
    void* volatile kept, * volatile lost; // of FAULT_KEPT and _LEAK
} Watch;

static inline void watchStop(const Watch* w, const char* what)
{
    fprintf(stderr, "%s: %s\n", w->name, what);
    exit(1);
}

static inline double watchSeconds(clockid_t which)
{
    struct timespec now;
    clock_gettime(which, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

// Bytes of memory that the process has in use; 0 where that is not told.
static inline double watchResident(void)
{
    long pages = 0, ours = 0;
    FILE* file = fopen("/proc/self/statm", "r");
    if (file) {
        ours = fscanf(file, "%ld %ld", &pages, &ours) == 2 ? ours : 0;
        fclose(file);
    }
    return (double)ours * (double)sysconf(_SC_PAGESIZE);
}

// The host's memory ----------------------------------------------------------------

static inline void* watchTake(void* user, size_t bytes, size_t alignment)
{
    Watch* w = user;
    size_t now = atomic_fetch_add(&w->held, bytes) + bytes, before = w->most_held;
    while (now > before && !atomic_compare_exchange_weak(&w->most_held, &before, now)) {
    }
    return aligned_alloc(alignment, (bytes + alignment - 1) / alignment * alignment);
}

static inline void watchGive(void* user, void* memory, size_t bytes)
{
    atomic_fetch_sub(&((Watch*)user)->held, bytes);
    free(memory);
}

// A run ----------------------------------------------------------------------------

// fault: its name, or NULL. Where the environment has WATCH_NO_STALL no frame is too long.
static inline void watchBegin(Watch* w, const char* name, double stall, double frames, double clock,
                              const char* fault)
{
    static const char* const NAMES[FAULTS] = {"none", "stall",    "nan",  "extent", "speed",
                                              "held", "resident", "kept", "leak"};
    bool known = !fault;
    *w = (Watch){.name = name, .stall = stall, .most_frames = (int64_t)frames, .most_clock = clock};
    for (int i = 0; fault && i < FAULTS; ++i) {
        if (strcmp(fault, NAMES[i]) == 0) {
            w->fault = (WatchFault)i;
            known = true;
        }
    }
    if (!known) {
        watchStop(w, "there is no such fault");
    }
    if (getenv("WATCH_NO_STALL")) {
        w->stall = 1e30;
    }
    w->clock = watchSeconds(CLOCK_MONOTONIC);
}

// How much of the run is over, 0..1
static inline double watchPart(const Watch* w)
{
    double part = (double)w->frames / (double)w->most_frames;
    double past = (watchSeconds(CLOCK_MONOTONIC) - w->clock) / w->most_clock;
    return part > past ? part : past;
}

static inline bool watchIsCalm(const Watch* w)
{
    return w->frames < WATCH_CALM;
}

static inline bool watchIsWarm(const Watch* w)
{
    return w->frames > WATCH_WARM_FRAMES && watchPart(w) > WATCH_WARM;
}

// A fault is made once it is warm.
static inline bool watchHas(const Watch* w, WatchFault fault)
{
    return w->fault == fault && watchIsWarm(w);
}

static inline void watchFrameBegins(Watch* w)
{
    w->begun = watchSeconds(CLOCK_PROCESS_CPUTIME_ID);
}

// Passes time until so much of a clock's has passed since then.
static inline void watchStall(clockid_t clock, double begun, double span)
{
    while (watchSeconds(clock) - begun < span) {
    }
}

// From when on it is one, s
static inline double watchStallOf(const Watch* w, double usual)
{
    return w->stall * usual > WATCH_LEAST_STALL ? w->stall * usual : WATCH_LEAST_STALL;
}

static inline void watchPieceBegins(WatchPiece* p)
{
    p->begun = watchSeconds(CLOCK_THREAD_CPUTIME_ID);
}

// stalls: FAULT_STALL is made in this one, too short to be seen in the whole frame
static inline void watchPieceEnds(const Watch* w, WatchPiece* p, bool stalls)
{
    if (stalls && watchHas(w, FAULT_STALL)) {
        watchStall(CLOCK_THREAD_CPUTIME_ID, p->begun, 1.1 * watchStallOf(w, w->usual_piece));
    }
    double took = watchSeconds(CLOCK_THREAD_CPUTIME_ID) - p->begun;
    p->longest = took > p->longest ? took : p->longest;
}

// The pieces of a thread are over for this frame.
static inline void watchJoin(Watch* w, WatchPiece* p)
{
    w->piece = p->longest > w->piece ? p->longest : w->piece;
    p->longest = 0;
}

static inline void watchFault(Watch* w)
{
    size_t most = sizeof w->hoard / sizeof *w->hoard, bytes = 4000000;
    void** at = &w->hoard[(size_t)w->frames % most];
    if (watchHas(w, FAULT_STALL) && w->usual_piece == 0) {
        watchStall(CLOCK_PROCESS_CPUTIME_ID, w->begun, 1.1 * watchStallOf(w, w->usual));
    }
    if (watchHas(w, FAULT_HELD)) {
        atomic_fetch_add(&w->held, 1000000);
    }
    if (watchHas(w, FAULT_RESIDENT) && !*at) {
        *at = malloc(bytes);
        memset(*at, 1, *at ? bytes : 0);
    }
    if (watchHas(w, FAULT_KEPT) && !w->kept) {
        w->kept = watchTake(w, 64, 64);
    }
    if (watchHas(w, FAULT_LEAK) && !w->lost) {
        w->lost = malloc(1000);
        w->lost = (char*)1;
    }
}

static inline void watchMemory(Watch* w)
{
    double held = (double)w->held, bound = (1 + WATCH_MORE) * (double)w->warm_held;
    w->resident = w->frames % 30 == 0 ? watchResident() : w->resident;
    w->most = w->resident > w->most ? w->resident : w->most;
    if (!watchIsWarm(w)) {
        w->warm_held = w->most_held;
        w->warm = w->most;
        return;
    }
    if (held > bound + WATCH_MORE_HELD) {
        watchStop(w, "the library holds more and more memory");
    }
    if (w->most > (1 + WATCH_MORE) * w->warm + WATCH_MORE_RESIDENT) {
        watchStop(w, "the process takes more and more memory");
    }
}

// took: of what; the busiest calm one is kept in usual, the busiest of all in worst.
static inline void watchTime(const Watch* w, const char* what, double took, double* usual,
                             double* worst)
{
    char text[120];
    if (watchIsCalm(w)) {
        *usual = took > *usual ? took : *usual;
    } else if (took > watchStallOf(w, *usual)) {
        snprintf(text, sizeof text, "%s stalled for %.0f ms, others take %.1f at most", what,
                 1e3 * took, 1e3 * *usual);
        watchStop(w, text);
    }
    *worst = took > *worst ? took : *worst;
}

// A line a minute
static inline void watchTell(Watch* w)
{
    double now = watchSeconds(CLOCK_MONOTONIC) - w->clock;
    if (now - w->told > 60) {
        w->told = now;
        printf("%.0f min: %lld frames, %.2f ms each, %.2f at most; %.2f MB held, %.1f resident\n",
               now / 60, (long long)w->frames, 1e3 * w->all / (double)w->frames, 1e3 * w->worst,
               1e-6 * (double)w->held, 1e-6 * w->resident);
        fflush(stdout);
    }
}

static inline void watchFrameEnds(Watch* w)
{
    watchFault(w);
    double took = watchSeconds(CLOCK_PROCESS_CPUTIME_ID) - w->begun;
    watchTime(w, "a frame", took, &w->usual, &w->worst);
    watchTime(w, "one character", w->piece, &w->usual_piece, &w->worst_piece);
    w->piece = 0;
    w->all += took;
    ++w->frames;
    watchMemory(w);
    watchTell(w);
}

static inline bool watchIsOver(const Watch* w)
{
    return w->frames >= w->most_frames || watchPart(w) >= 1;
}

// Everything was given back: says how it went and returns the program's status.
static inline int watchEnd(Watch* w)
{
    for (size_t i = 0; i < sizeof w->hoard / sizeof *w->hoard; ++i) {
        free(w->hoard[i]);
    }
    printf(
        "%lld frames, %.2f ms of processor time each, %.2f at most while it was calm, %.2f ever\n",
        (long long)w->frames, 1e3 * w->all / (double)w->frames, 1e3 * w->usual, 1e3 * w->worst);
    if (w->usual_piece > 0) {
        printf("one character: %.2f ms at most while it was calm, %.2f ever\n",
               1e3 * w->usual_piece, 1e3 * w->worst_piece);
    }
    printf("memory: the library held %.2f MB at most, %.2f when it was warm; the process %.1f, "
           "%.1f; %zu bytes left\n",
           1e-6 * (double)w->most_held, 1e-6 * (double)w->warm_held, 1e-6 * w->most, 1e-6 * w->warm,
           (size_t)w->held);
#if defined(__SANITIZE_ADDRESS__)
    printf("the sanitizer looked on\n");
#endif
    return w->held == 0 ? 0 : 1;
}

#endif
