// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

#define _POSIX_C_SOURCE 200809L // fork, pipe, poll
#include "cli/batch.h"

#include "cli/cli.h"
#include "cli/progress.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define MOST_JOBS 64
#define WAIT 200 // ms, after which Ctrl-C is noticed at the latest

enum { STREAM_OUT, STREAM_ERROR, STREAM_COUNT };

// Text of a process that is not a whole line yet
typedef struct Stream {
    int fd; // -1: it has ended
    size_t length;
    char text[1024];
} Stream;

typedef struct Job {
    pid_t process; // 0: none
    int32_t index;
    double start;
    Stream streams[STREAM_COUNT];
} Job;

typedef struct Run {
    const Batch* batch;
    Job jobs[MOST_JOBS];
    int32_t next;    // file to be begun
    int32_t running; // processes
    int told;        // stops that processes know of
    Record* records; // (count)
    FILE** notes;    // of processes: the record, files and clips as JSON; (count)
} Run;

static const char* nameOf(const char* path)
{
    const char* slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

// Processes -------------------------------------------------------------------

// The rest of a process that works on one file
static void workAlone(const Batch* b, int32_t index, FILE* notes)
{
    Record record = {.begun = true};
    double start = seconds();
    fseek(notes, sizeof record, SEEK_SET);
    record.code = b->work(b->user, index, &record, notes);
    record.seconds = seconds() - start;
    if (record.code) {
        snprintf(record.why, sizeof record.why, "%s", lastComplaint());
    }
    rewind(notes);
    fwrite(&record, sizeof record, 1, notes);
    fclose(notes);
    fflush(NULL);
    _exit(record.code);
}

// Ends of pipes of other processes, which should see it when the first one is gone
static void closeOthers(const Run* run)
{
    for (int32_t i = 0; i < run->batch->jobs; ++i) {
        for (int k = 0; k < STREAM_COUNT && run->jobs[i].process; ++k) {
            close(run->jobs[i].streams[k].fd);
        }
    }
}

static bool startJob(Run* run, Job* job)
{
    int32_t index = run->next;
    int out[2], error[2];
    FILE* notes = tmpfile();
    if (!notes || pipe(out)) {
        return false;
    }
    if (pipe(error)) {
        close(out[0]), close(out[1]);
        return false;
    }
    fflush(NULL);
    pid_t process = fork();
    if (process == 0) {
        setpgid(0, 0); // Ctrl-C comes once, through the first process
        dup2(out[1], STDOUT_FILENO), dup2(error[1], STDERR_FILENO);
        close(out[0]), close(out[1]), close(error[0]), close(error[1]);
        closeOthers(run);
        setvbuf(stdout, NULL, _IOLBF, 0);
        workAlone(run->batch, index, notes);
    }
    close(out[1]), close(error[1]);
    if (process < 0) {
        close(out[0]), close(error[0]), fclose(notes);
        return false;
    }
    *job = (Job){.process = process, .index = index, .start = seconds()};
    job->streams[STREAM_OUT].fd = out[0];
    job->streams[STREAM_ERROR].fd = error[0];
    run->notes[index] = notes;
    ++run->next;
    ++run->running;
    return true;
}

static void endJob(Run* run, Job* job)
{
    int status = 0;
    Record* record = &run->records[job->index];
    FILE* notes = run->notes[job->index];
    while (waitpid(job->process, &status, 0) < 0 && errno == EINTR) {
    }
    rewind(notes);
    if (!WIFEXITED(status) || fread(record, sizeof *record, 1, notes) != 1 || !record->begun) {
        fclose(notes);
        run->notes[job->index] = NULL;
        *record = (Record){.begun = true, .code = EXIT_RUN_FAILED};
        record->seconds = seconds() - job->start;
        snprintf(record->why, sizeof record->why, "it crashed, with signal %d; please report this",
                 WIFSIGNALED(status) ? WTERMSIG(status) : 0);
    }
    job->process = 0;
    --run->running;
}

// What they print -------------------------------------------------------------

static void printLine(const Run* run, const Job* job, int stream, const char* text, size_t length)
{
    FILE* out = stream == STREAM_OUT ? stdout : stderr;
    const char* name = nameOf(run->batch->inputs[job->index]);
    bool named = length > strlen(name) && strncmp(text, name, strlen(name)) == 0;
    fprintf(out, "%s%s%.*s\n", named ? "" : name, named ? "" : ": ", (int)length, text);
    fflush(out);
}

// Takes what is there; whole lines are printed.
static void takeText(const Run* run, Job* job, int stream)
{
    Stream* s = &job->streams[stream];
    ssize_t got = read(s->fd, s->text + s->length, sizeof s->text - s->length);
    if (got < 0 && errno == EINTR) {
        return;
    }
    s->length += got > 0 ? (size_t)got : 0;
    const char *at = s->text, *end = s->text + s->length, *line;
    while ((line = memchr(at, '\n', (size_t)(end - at)))) {
        printLine(run, job, stream, at, (size_t)(line - at));
        at = line + 1;
    }
    s->length = (size_t)(end - at);
    bool full = s->length == sizeof s->text;
    if (s->length > 0 && (got <= 0 || full)) {
        printLine(run, job, stream, at, s->length);
        s->length = 0;
    }
    memmove(s->text, at, s->length);
    if (got <= 0) {
        close(s->fd);
        s->fd = -1;
    }
}

// Waits for any of them.
static void hear(Run* run)
{
    struct pollfd polls[MOST_JOBS * STREAM_COUNT];
    Job* of[MOST_JOBS * STREAM_COUNT];
    int streams[MOST_JOBS * STREAM_COUNT];
    nfds_t count = 0;
    for (int32_t i = 0; i < run->batch->jobs; ++i) {
        for (int k = 0; k < STREAM_COUNT; ++k) {
            Job* job = &run->jobs[i];
            if (job->process && job->streams[k].fd >= 0) {
                of[count] = job;
                streams[count] = k;
                polls[count++] = (struct pollfd){.fd = job->streams[k].fd, .events = POLLIN};
            }
        }
    }
    if (poll(polls, count, WAIT) <= 0) {
        return;
    }
    for (nfds_t i = 0; i < count; ++i) {
        if (polls[i].revents) {
            takeText(run, of[i], streams[i]);
        }
    }
}

// All files -------------------------------------------------------------------

static void passStops(Run* run)
{
    int stops = stopCount();
    for (int32_t i = 0; i < run->batch->jobs && stops > run->told; ++i) {
        if (run->jobs[i].process) {
            kill(run->jobs[i].process, SIGINT);
        }
    }
    run->told = stops;
}

static void runAll(Run* run)
{
    const Batch* b = run->batch;
    while (run->running > 0 || (run->next < b->count && stopCount() == 0)) {
        for (int32_t i = 0; i < b->jobs && run->next < b->count && stopCount() == 0; ++i) {
            if (!run->jobs[i].process && !startJob(run, &run->jobs[i])) {
                Record* record = &run->records[run->next++];
                *record = (Record){.begun = true, .code = EXIT_RUN_FAILED};
                snprintf(record->why, sizeof record->why, "no process could be started for it: %s",
                         strerror(errno));
            }
        }
        passStops(run);
        hear(run);
        for (int32_t i = 0; i < b->jobs; ++i) {
            Job* job = &run->jobs[i];
            if (job->process && job->streams[STREAM_OUT].fd < 0 &&
                job->streams[STREAM_ERROR].fd < 0) {
                endJob(run, job);
            }
        }
    }
    for (; run->next < b->count; ++run->next) {
        Record* record = &run->records[run->next];
        record->code = EXIT_RUN_FAILED;
        snprintf(record->why, sizeof record->why, "not begun");
    }
}

static int finish(Run* run, FILE* report)
{
    const Batch* b = run->batch;
    int32_t failed = 0;
    if (!b->quiet) {
        printRecordHead();
    }
    for (int32_t i = 0; i < b->count; ++i) {
        failed += run->records[i].code != EXIT_DONE;
        if (!b->quiet) {
            printRecord(b->inputs[i], b->outputs[i], &run->records[i]);
        }
    }
    if (report) {
        beginReport(report);
        for (int32_t i = 0; i < b->count; ++i) {
            fprintf(report, i > 0 ? "," : "");
            writeRecord(report, b->inputs[i], b->outputs[i], &run->records[i], run->notes[i]);
        }
        endReport(report);
    }
    bool lost = report && (fclose(report) != 0);
    if (lost) {
        return complain(EXIT_RUN_FAILED, "cannot write '%s'; is the disk full?", b->report);
    }
    if (failed > 0) {
        return complain(EXIT_RUN_FAILED, "%d of %d files %s%s", (int)failed, (int)b->count,
                        stopCount() > 0 ? "are not finished" : "failed",
                        stopCount() > 0 ? "; the same call with --resume goes on" : "");
    }
    return EXIT_DONE;
}

int runBatch(const Batch* b)
{
    FILE* report = b->report ? fopen(b->report, "w") : NULL;
    if (b->report && !report) {
        return complain(EXIT_BAD_CALL, "cannot write '%s': %s", b->report, strerror(errno));
    }
    Run* run = calloc(1, sizeof *run);
    Record* records = calloc((size_t)b->count, sizeof *records);
    FILE** notes = calloc((size_t)b->count, sizeof *notes);
    int code = EXIT_RUN_FAILED;
    if (run && records && notes) {
        *run = (Run){.batch = b, .records = records, .notes = notes};
        catchStops();
        runAll(run);
        code = finish(run, report);
    } else {
        complain(code, "out of memory");
    }
    for (int32_t i = 0; notes && i < b->count; ++i) {
        if (notes[i]) {
            fclose(notes[i]);
        }
    }
    free(notes);
    free(records);
    free(run);
    return code;
}
