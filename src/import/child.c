// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

// fork, setrlimit, poll, strsignal
#define _XOPEN_SOURCE 700

#include "import/child.h"

#include "base/memory.h"
#include "base/message.h"
#include "base/sanitized.h"

#if defined(__wasm__) || defined(_WIN32)

snStatus snChild_Run(const snHost* host, const snChildDef* def, uint8_t** bytes, size_t* count,
                     snMessage* why)
{
    return def->work(def->argument, host, bytes, count, why);
}

#else

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#define TICK 0.1 // s between questions whether the host wants to stop

// What comes before the bytes of an answer
typedef struct Head {
    uint64_t count;
    snStatus status;
    snMessage why;
} Head;

// The child ------------------------------------------------------------------------

static void limit(int what, uint64_t most)
{
    struct rlimit now;
    if (getrlimit(what, &now) == 0) {
        now.rlim_cur = (rlim_t)most < now.rlim_max ? (rlim_t)most : now.rlim_max;
        setrlimit(what, &now);
    }
}

// Bytes of address space that the process has; 0 = unknown
static uint64_t takenSpace(void)
{
    unsigned long long pages = 0;
    FILE* file = fopen("/proc/self/statm", "r");
    if (file) {
        int found = fscanf(file, "%llu", &pages);
        pages = found == 1 ? pages : 0;
        fclose(file);
    }
    return pages * (uint64_t)sysconf(_SC_PAGESIZE);
}

// What a host does about signals is not for the child, nor is its terminal.
static void settle(const snChildDef* def, int pipe)
{
    static const int FATAL[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGXCPU, SIGPIPE};
    sigset_t wanted;
    sigemptyset(&wanted);
    for (size_t i = 0; i < sizeof FATAL / sizeof *FATAL; ++i) {
        signal(FATAL[i], SIG_DFL);
        sigaddset(&wanted, FATAL[i]);
    }
    sigprocmask(SIG_UNBLOCK, &wanted, NULL);
    limit(RLIMIT_CORE, 0);
    limit(RLIMIT_CPU, (uint64_t)def->seconds);
    if (!SN_SANITIZED) {
        uint64_t taken = takenSpace();
        int nowhere = open("/dev/null", O_WRONLY);
        if (taken) {
            limit(RLIMIT_AS, taken + def->memory);
        }
        // a host may have closed its own, and the pipe be in their place
        if (nowhere >= 0 && pipe > STDERR_FILENO) {
            dup2(nowhere, STDOUT_FILENO);
            dup2(nowhere, STDERR_FILENO);
        }
    }
}

static bool put(int pipe, const void* bytes, size_t count)
{
    const uint8_t* at = bytes;
    while (count > 0) {
        ssize_t n = write(pipe, at, count);
        if (n < 0 && errno != EINTR) {
            return false;
        }
        at += n > 0 ? n : 0;
        count -= n > 0 ? (size_t)n : 0;
    }
    return true;
}

// _exit: what the parent has yet to write, and does when it ends, is its own business.
static _Noreturn void answer(const snChildDef* def, int pipe)
{
    Head head = {0};
    snHost host;
    uint8_t* bytes = NULL;
    size_t count = 0;
    settle(def, pipe);
    head.status = snHost_Take(NULL, &host, &head.why);
    if (!head.status) {
        head.status = def->work(def->argument, &host, &bytes, &count, &head.why);
    }
    head.count = head.status ? 0 : count;
    bool sent = put(pipe, &head, sizeof head) && put(pipe, bytes, (size_t)head.count);
    _exit(sent ? 0 : 1);
}

// The parent -----------------------------------------------------------------------

typedef struct Child {
    const snChildDef* def;
    const snHost* host;
    pid_t process;
    int pipe;
    double waited; // s
} Child;

typedef enum Got { got_all, got_end, got_late, got_stop } Got;

static Got get(Child* c, void* bytes, size_t count)
{
    uint8_t* at = bytes;
    while (count > 0) {
        struct pollfd waiting = {.fd = c->pipe, .events = POLLIN};
        int ready = poll(&waiting, 1, (int)(1000 * TICK));
        c->waited += ready == 0 ? TICK : 0;
        if (c->host->interrupted && c->host->interrupted(c->host->user)) {
            return got_stop;
        }
        if (c->waited > c->def->patience) {
            return got_late;
        }
        ssize_t n = ready > 0 ? read(c->pipe, at, count) : 0;
        if (ready > 0 && (n == 0 || (n < 0 && errno != EINTR))) {
            return got_end;
        }
        at += n > 0 ? n : 0;
        count -= n > 0 ? (size_t)n : 0;
    }
    return got_all;
}

// Who came to which end: after a failure
static snStatus tell(const Child* c, Got got, int end, snMessage* why)
{
    const snChildDef* d = c->def;
    char how[160] = "ended without an answer";
    if (got == got_late) {
        snprintf(how, sizeof how, "did not answer within %g s", d->patience);
    } else if (WIFSIGNALED(end) && WTERMSIG(end) == SIGXCPU) {
        snprintf(how, sizeof how, "took more than %d s of processor time", (int)d->seconds);
    } else if (WIFSIGNALED(end)) {
        snprintf(how, sizeof how, "crashed (signal %d, %.60s)", WTERMSIG(end),
                 strsignal(WTERMSIG(end)));
    } else if (WIFEXITED(end) && WEXITSTATUS(end)) {
        snprintf(how, sizeof how, "ended with code %d", WEXITSTATUS(end));
    }
    return got == got_stop ? snFail(why, sn_errorInterrupted, "interrupted")
                           : snFail(why, sn_errorFile, "%s %s; %s", d->who, how, d->advice);
}

static snStatus receive(Child* c, uint8_t** bytes, size_t* count, snMessage* why)
{
    Head head = {0};
    int end = 0;
    uint8_t* kept = NULL;
    snStatus status = sn_ok;
    Got got = get(c, &head, sizeof head);
    if (got == got_all && head.count > c->def->most) {
        status = snFail(why, sn_errorUnsupported, "%s made more than %zu MiB of it; %s",
                        c->def->who, c->def->most >> 20, c->def->advice);
    } else if (got == got_all && !head.status) {
        kept = snHost_Allocate(c->host, (size_t)head.count + 1);
        status = kept ? sn_ok : snFail(why, sn_errorMemory, "out of memory");
        got = kept ? get(c, kept, (size_t)head.count) : got;
    }
    // one that has closed its pipe is gone
    if (status || got == got_late || got == got_stop) {
        kill(c->process, SIGKILL);
    }
    while (waitpid(c->process, &end, 0) < 0 && errno == EINTR) {
    }
    if (got == got_all && head.status) {
        head.why.text[sizeof head.why.text - 1] = 0;
        return snFail(why, head.status, "%s", head.why.text);
    }
    if (status || got != got_all) {
        snHost_Release(c->host, kept, (size_t)head.count + 1);
        return status ? status : tell(c, got, end, why);
    }
    *bytes = kept;
    *count = (size_t)head.count;
    return sn_ok;
}

snStatus snChild_Run(const snHost* host, const snChildDef* def, uint8_t** bytes, size_t* count,
                     snMessage* why)
{
    int ends[2];
    if (pipe(ends) != 0) {
        return snFail(why, sn_errorFile, "%s cannot be started: %s", def->who, strerror(errno));
    }
    // not for programs that the host starts meanwhile
    fcntl(ends[0], F_SETFD, FD_CLOEXEC);
    fcntl(ends[1], F_SETFD, FD_CLOEXEC);
    Child c = {.def = def, .host = host, .pipe = ends[0], .process = fork()};
    if (c.process == 0) {
        close(ends[0]);
        answer(def, ends[1]);
    }
    close(ends[1]);
    snStatus status = c.process > 0 ? receive(&c, bytes, count, why)
                                    : snFail(why, sn_errorMemory, "%s cannot be started: %s",
                                             def->who, strerror(errno));
    close(ends[0]);
    return status;
}

#endif
